//! The code that the page shows, with what was covered of it.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_engine::Branch;
use heapwright_ir::FunctionId;
use heapwright_report::page::{Line, Listing};

use super::{Procedure, Results, code};
use heapwright_explain::{source, words};

/// The code of the procedure and of the functions whose branches count. Every function is shown
/// once on the page.
pub fn listings(
    results: &Results<'_>,
    procedure: &Procedure<'_>,
    index: usize,
    shown: &mut BTreeMap<FunctionId, usize>,
) -> Vec<Listing> {
    let branches = &procedure.suite.report.branches;
    let mut seen = BTreeSet::from([procedure.function]);
    let mut functions = vec![procedure.function];
    for branch in branches {
        if seen.insert(branch.edge.function) {
            functions.push(branch.edge.function);
        }
    }
    let hits = code::hits(&procedure.suite.report);
    let mut own: BTreeMap<FunctionId, Vec<(usize, &Branch)>> = BTreeMap::new();
    for (number, branch) in branches.iter().enumerate() {
        let known = own.entry(branch.edge.function).or_default();
        known.push((number, branch));
    }
    let listing = |id: FunctionId| {
        let by = *shown.entry(id).or_insert(index);
        let other = results.procedures.get(by).filter(|_| by != index);
        let other = other.map(|other| (by, other.name.clone()));
        let own = own.get(&id).map_or(&[][..], Vec::as_slice);
        listing(results, procedure, (id, own), other, &hits)
    };
    functions.into_iter().map(listing).collect()
}

fn listing(
    results: &Results<'_>,
    procedure: &Procedure<'_>,
    (id, own): (FunctionId, &[(usize, &Branch)]),
    shown_by: Option<(usize, String)>,
    hits: &BTreeMap<(u32, u32), u64>,
) -> Listing {
    let program = &procedure.suite.subject.program;
    let function = program.function(id);
    let name = (results.function_name)(program, id);
    let file = code::file(function);
    let with_code = code::lines(function);
    let executed = |line: u32| {
        with_code
            .contains(&line)
            .then(|| hits.contains_key(&(file, line)))
    };
    let simple = words::simple_class(&name.class.replace('/', ".")).to_owned();
    let declared = if name.name == "<init>" {
        &simple
    } else {
        &name.name
    };
    let text = results.texts.of(program, file);
    let source = code::source(&text, function, declared);
    let by_line = numbers_by(own, |branch| branch.position.line);
    let by_block = numbers_by(own, |branch| branch.edge.block);
    let lines: Vec<Line> = match &source {
        _ if shown_by.is_some() => Vec::new(),
        Some((first, lines)) => (*first..)
            .zip(lines)
            .map(|(number, text)| Line {
                number,
                text: (*text).to_owned(),
                executed: executed(number),
                branches: by_line.get(&number).cloned().unwrap_or_default(),
            })
            .collect(),
        None => (1..)
            .zip(code::core(program, id))
            .map(|(number, line)| Line {
                number,
                text: line.text,
                executed: executed(line.position.line),
                branches: (line.jump.and_then(|block| by_block.get(&block).cloned()))
                    .unwrap_or_default(),
            })
            .collect(),
    };
    let place = source::file_name(program, function.position);
    Listing {
        title: name.title,
        origin: match (&source, place) {
            (Some(_), place) => place.to_owned(),
            (None, "") => "no source, shown in the core language".to_owned(),
            (None, place) => format!("{place} was not found, so the core language is shown"),
        },
        shown_by,
        core: source.is_none(),
        branches: own.iter().map(|(index, _)| *index).collect(),
        lines,
    }
}

/// The numbers of branches by what they have in common.
fn numbers_by<K: Ord>(
    branches: &[(usize, &Branch)],
    key: impl Fn(&Branch) -> K,
) -> BTreeMap<K, Vec<usize>> {
    let mut numbers: BTreeMap<K, Vec<usize>> = BTreeMap::new();
    for (number, branch) in branches {
        numbers.entry(key(branch)).or_default().push(*number);
    }
    numbers
}
