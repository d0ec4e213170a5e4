//! Tests of the two methods, and what is counted about them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use heapwright_engine::{Bounds, Input, Mode, Options, Status, StructureBounds};
use heapwright_ir::machine::Edge;
use heapwright_java::classfile::Class;
use heapwright_java::emit::TestCase;
use heapwright_java::verify::Toolchain;
use heapwright_logic::{CanonicalKey, Cell, Heap, Loc, Value, canonical_key};

use super::super::cover::Enough;
use super::{Arguments, CLASS, FUNCTIONS, METHODS, PREDICATE, open};
use crate::error::BenchError;
use heapwright_java_tests::JavaProgram;
use heapwright_java_tests::validity::{Machine, TIMEOUT, Validity, validity_cases};
use heapwright_testgen::files;
use heapwright_testgen::temporary::Temporary;

/// Branches of the three functions: those that a test takes, and all.
#[derive(Default)]
pub struct Coverage {
    covered: BTreeSet<Edge>,
    all: BTreeMap<Edge, usize>,
}

impl Coverage {
    fn of(&self, function: usize) -> (usize, usize) {
        let all = self.all.iter().filter(|(_, index)| **index == function);
        let all: Vec<_> = all.collect();
        let covered = all.iter().filter(|(edge, _)| self.covered.contains(edge));
        (covered.count(), all.len())
    }

    /// The figures of all functions.
    pub fn cells(&self) -> impl Iterator<Item = String> + '_ {
        (0..FUNCTIONS.len()).map(|function| {
            let (covered, all) = self.of(function);
            format!("{covered}/{all}")
        })
    }
}

/// What a search for tests of both methods gave.
#[derive(Default)]
pub struct Tested {
    /// Tests that were found.
    pub tests: usize,
    /// Tests that are enough for the branches of the three functions.
    pub enough: Enough,
    /// Trees, without their keys, that are enough if every call is tried on each.
    pub trees: Enough,
    /// What the virtual machine says about the inputs, if it was asked.
    pub validity: Option<Validity>,
    /// Their branches.
    pub coverage: Coverage,
    /// The time of the searches.
    pub seconds: f64,
    /// Inputs that turned out not to be valid.
    pub invalid: u64,
}

/// Searches for tests of removal and insertion.
pub fn test(
    arguments: &Arguments,
    classes: &Path,
    mode: Mode,
    scope: u32,
) -> Result<Tested, BenchError> {
    let options = Options {
        mode,
        stop_when_covered: false,
        structures: StructureBounds {
            scope,
            domains: Vec::new(),
        },
        bounds: Bounds {
            time: None,
            paths: u64::MAX,
            solver_calls: u64::MAX,
            ..Bounds::default()
        },
        ..Options::default()
    };
    let mut program = open(arguments, classes, Some(PREDICATE))?;
    let begin = Instant::now();
    let mut tested = Tested::default();
    let mut covers: Vec<(CanonicalKey, BTreeSet<Edge>)> = Vec::new();
    let mut checks: Vec<(Arc<Class>, TestCase)> = Vec::new();
    for method in METHODS {
        for target in program.targets(&format!("{CLASS}#{method}"))? {
            let explored = program.explore(&target, &options, &mut |_| {})?;
            let explored = explored.map_err(BenchError::code)?;
            let report = &explored.report;
            tested.tests += report.tests.len();
            tested.invalid += report.statistics.divergences;
            for branch in &report.branches {
                let declared = program.world.method_of(branch.edge.function);
                let Some(function) = declared.and_then(|declared| {
                    let of_class = &*declared.class.name == CLASS;
                    let name = &*declared.method.name;
                    let position = FUNCTIONS.iter().position(|function| *function == name);
                    position.filter(|_| of_class)
                }) else {
                    continue;
                };
                tested.coverage.all.insert(branch.edge, function);
                if let Status::Covered { .. } = branch.status {
                    tested.coverage.covered.insert(branch.edge);
                }
            }
            let known = &tested.coverage.all;
            for test in &report.tests {
                let edges = test
                    .run
                    .trail
                    .iter()
                    .filter(|edge| known.contains_key(edge));
                let edges = edges.copied().collect();
                covers.push((tree(&program, &test.input), edges));
            }
            if arguments.verify {
                let predicate = program.predicate(&target.class)?;
                if let Some(predicate) = predicate {
                    let found = (&*explored.subject, &report.tests[..]);
                    let world = &mut program.world;
                    let entry = &explored.entry;
                    let cases = validity_cases(world, &target, &predicate, found, entry)?;
                    let class = &target.class;
                    checks.extend(cases.into_iter().map(|case| (Arc::clone(class), case)));
                }
            }
        }
    }
    tested.seconds = begin.elapsed().as_secs_f64();
    let mut of_trees: BTreeMap<CanonicalKey, BTreeSet<Edge>> = BTreeMap::new();
    for (tree, edges) in &covers {
        of_trees.entry(tree.clone()).or_default().extend(edges);
    }
    let of_trees: Vec<_> = of_trees.into_values().collect();
    let of_tests: Vec<_> = covers.into_iter().map(|(_, edges)| edges).collect();
    tested.enough = Enough::of(&of_tests);
    tested.trees = Enough::of(&of_trees);
    if let Some((class, _)) = checks.first() {
        let class = Arc::clone(class);
        let cases: Vec<TestCase> = checks.into_iter().map(|(_, case)| case).collect();
        tested.validity = Some(check(arguments, classes, &program, &class, &cases)?);
    }
    Ok(tested)
}

/// A tree without what is stored in it: its shape and colours.
fn tree(program: &JavaProgram, input: &Input) -> CanonicalKey {
    let is_part = |class| {
        let ty = program.world.type_of(class).map(ToString::to_string);
        ty.is_some_and(|name| name == CLASS || name.starts_with(&format!("{CLASS}$")))
    };
    let parts = input
        .heap
        .cells
        .iter()
        .filter(|(_, cell)| is_part(cell.class));
    let parts: BTreeMap<Loc, &Cell> = parts.map(|(loc, cell)| (*loc, cell)).collect();
    let kept = |value: &Value| match value {
        Value::Ref(loc) if !parts.contains_key(loc) => Value::Null,
        Value::Int(_) => Value::Int(0),
        value => *value,
    };
    let mut heap = Heap::default();
    for (&loc, cell) in &parts {
        let cell = Cell {
            class: cell.class,
            fields: cell.fields.iter().map(kept).collect(),
        };
        heap.cells.insert(loc, cell);
    }
    let receiver: Vec<Value> = input.arguments.iter().take(1).copied().collect();
    canonical_key(&receiver, &heap)
}

/// Runs the predicate on the virtual machine.
fn check(
    arguments: &Arguments,
    classes: &Path,
    program: &JavaProgram,
    class: &Class,
    cases: &[TestCase],
) -> Result<Validity, BenchError> {
    let work = Temporary::named(&std::env::temp_dir(), "jpf-validity");
    files::create_folder(work.path())?;
    let home = program.world.class_path().jdk().home().to_owned();
    let toolchain = Toolchain::find(&home, arguments.tools.as_deref());
    let toolchain = toolchain.map_err(BenchError::code)?;
    let machine = Machine {
        toolchain: &toolchain,
        class_path: &[classes.to_owned()],
        work: work.path(),
        timeout: TIMEOUT,
    };
    Ok(machine.check(&program.world, class, cases)?)
}
