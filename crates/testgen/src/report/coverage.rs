//! Coverage of all functions together, for other tools.
//!
//! A function that several procedures run is counted once: a branch is covered if any of their
//! tests takes it. Functions without branches are there if they are under test or were run.

use std::collections::BTreeMap;

use heapwright_engine::Status;
use heapwright_ir::machine::Successor;
use heapwright_ir::{BlockId, FunctionId};
use heapwright_report::coverage::{Coverage, Line, Method};

use super::{Procedure, Results, code};
use crate::takers::Takers;

/// The coverage of everything that was tested.
pub fn coverage(results: &Results<'_>) -> Coverage {
    let mut functions: BTreeMap<FunctionId, Covered<'_>> = BTreeMap::new();
    let mut hits: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    for procedure in &results.procedures {
        let mut found = |function| {
            functions.entry(function).or_insert_with(|| Covered {
                procedure,
                jumps: BTreeMap::new(),
            });
        };
        found(procedure.function);
        procedure
            .suite
            .report
            .branches
            .iter()
            .for_each(|branch| found(branch.edge.function));
        for (line, number) in code::hits(&procedure.suite.report) {
            *hits.entry(line).or_insert(0) += number;
        }
    }
    for procedure in &results.procedures {
        let report = &procedure.suite.report;
        let takers = Takers::new(report.tests.iter().map(|test| &test.run));
        for branch in &report.branches {
            let Some(function) = functions.get_mut(&branch.edge.function) else {
                continue;
            };
            let taken = match branch.status {
                Status::Covered { .. } => takers.of(branch.edge).len() as u64,
                _ => 0,
            };
            let jump = function
                .jumps
                .entry(branch.edge.block)
                .or_insert_with(|| Jump {
                    line: branch.position.line,
                    taken: BTreeMap::new(),
                });
            *jump.taken.entry(branch.edge.successor).or_insert(0) += taken;
        }
    }
    let methods = functions.into_iter();
    let methods = methods.map(|(id, covered)| covered.method(results, id, &hits));
    let folders = results.source_folders.iter();
    Coverage {
        name: results.title.clone(),
        sources: folders.map(|folder| folder.display().to_string()).collect(),
        methods: methods.collect(),
    }
}

/// What was covered of a function.
struct Covered<'a> {
    /// A procedure that knows its code.
    procedure: &'a Procedure<'a>,
    jumps: BTreeMap<BlockId, Jump>,
}

struct Jump {
    line: u32,
    taken: BTreeMap<Successor, u64>,
}

impl Covered<'_> {
    fn method(
        &self,
        results: &Results<'_>,
        id: FunctionId,
        hits: &BTreeMap<(u32, u32), u64>,
    ) -> Method {
        let program = &self.procedure.suite.subject.program;
        let function = program.function(id);
        let name = (results.function_name)(program, id);
        let file = code::file(function);
        let hit = |line: u32| hits.get(&(file, line)).copied().unwrap_or(0);
        let mut lines: BTreeMap<u32, Line> = BTreeMap::new();
        for number in code::lines(function) {
            let line = Line {
                number,
                hits: hit(number),
                jumps: Vec::new(),
            };
            lines.insert(number, line);
        }
        for jump in self.jumps.values() {
            // Class files need not say which line it is; tools want one all the same.
            let number = jump.line.max(function.position.line).max(1);
            let number = if jump.line > 0 { jump.line } else { number };
            let taken: Vec<u64> = jump.taken.values().copied().collect();
            let line = lines.entry(number).or_insert_with(|| Line {
                number,
                ..Line::default()
            });
            line.hits = line.hits.max(taken.iter().copied().max().unwrap_or(0));
            line.jumps.push(taken);
        }
        let lines: Vec<Line> = lines.into_values().collect();
        let known = program.files.get(file as usize);
        let known = known.map_or("", |file| file.name.as_str());
        let first = lines.first().map_or(1, |line| line.number);
        Method {
            file: known.to_owned(),
            path: results.path(known),
            class: name.class,
            name: name.name,
            descriptor: name.descriptor,
            line: match function.position.line {
                0 => first,
                line => line,
            },
            calls: lines.iter().map(|line| line.hits).max().unwrap_or(0),
            lines,
        }
    }
}
