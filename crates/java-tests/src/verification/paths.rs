//! Whether each test takes the path that it was made for: the ways that jumps went on the virtual
//! machine, beside those of the engine's run.
//!
//! Both sides speak of the conditional jumps and switches of the class files, so nothing is merged or
//! left out. What a test does besides the call under test goes other ways: its input may be made by
//! constructors, and a predicate may be asked at the end. Methods that these call may go more ways
//! than the engine's run, but none less. Static initialisers run in one test of many on the virtual
//! machine and in every run of the engine; what they may call is compared over all tests together.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_engine::{Callees, Outcome};
use heapwright_ir::machine::{Edge, Successor};
use heapwright_ir::{BlockId, FunctionId, Terminator};
use heapwright_java::classfile::Instruction;
use heapwright_java::emit::{AssertedLocation, Ending, TestCase, Vagueness};
use heapwright_java::verify::{TestOutcome, TestResult, Verification, Way, Went};
use heapwright_java::world::World;

use super::{Method, Verifying};
use crate::variation::is_steady;
use heapwright_explain::words;

/// What is known about the paths of tests that passed.
#[derive(Default)]
pub struct Paths {
    /// Tests that took another path than they were made for, each with where it left.
    pub others: Vec<String>,
    /// Tests that assert nothing that depends on their path, which is not known either.
    pub empty: Vec<String>,
}

/// A way at a jump of a measured method: the method, the jump, and the successor as the engine
/// numbers them.
type Step = (usize, usize, u32);

/// Compares the paths of all tests that passed.
pub fn compare(session: &Verifying<'_>, verification: &Verification) -> Paths {
    let jumps = Jumps::of(&session.java.program.world, verification);
    let besides = Besides::of(session, &jumps);
    let mut measured: BTreeMap<&str, &TestResult> = BTreeMap::new();
    for test in &verification.tests {
        if let Some(method) = &test.method {
            measured.insert(method, test);
        }
    }
    let all = verification
        .tests
        .iter()
        .filter_map(|test| test.ways.as_ref());
    let all: Vec<Taken> = all.map(|ways| jumps.taken(ways)).collect();
    let mut paths = Paths::default();
    let mut promised = BTreeMap::new();
    for method in session.methods {
        for (index, case) in &method.tests.cases {
            let Some(kept) = method.suite.tests.get(*index) else {
                continue;
            };
            if !kept.findings.is_empty() {
                continue;
            }
            let Some(result) = measured.get(case.name.as_str()) else {
                continue;
            };
            if result.outcome != TestOutcome::Passed {
                continue;
            }
            let test = method.suite.test(kept);
            let expected: BTreeMap<Step, Edge> = (test.run.edges())
                .filter_map(|edge| Some((jumps.step(edge)?, edge)))
                .collect();
            let is_whole = !matches!(test.run.outcome, Outcome::OutOfBudget { .. });
            let Some(taken) = result.ways.as_ref().map(|ways| jumps.taken(ways)) else {
                if !asserts(case) {
                    paths.empty.push(case.name.clone());
                }
                continue;
            };
            for (step, edge) in &expected {
                if besides.initialisers.contains(&step.0) && !besides.jdk.contains(&step.0) {
                    promised.entry(*step).or_insert((*edge, &case.name));
                }
            }
            let own: BTreeSet<Step> = (method.tests.beside.iter())
                .filter_map(|edge| jumps.step(*edge))
                .collect();
            let other = match difference(&expected, &own, &taken, &besides) {
                Some(Difference::Missing(edge)) => format!("not taken: {}", told(method, edge)),
                Some(Difference::More(step)) if is_whole => jumps.told(step),
                _ => continue,
            };
            let budgets = session.request.options.budgets;
            if !is_steady(&method.suite.subject, test, budgets) {
                // Hash codes and the like decide, so no test can promise a path.
                if !asserts(case) {
                    paths.empty.push(case.name.clone());
                }
                continue;
            }
            paths.others.push(format!("{}: {other}", case.name));
        }
    }
    for (step, (edge, name)) in promised {
        let went =
            |taken: &Taken| taken.all.contains(&step) || taken.unknown.contains(&(step.0, step.1));
        if !all.iter().any(went) {
            let method = session.methods.iter().find(|method| {
                method
                    .tests
                    .cases
                    .iter()
                    .any(|(_, case)| case.name == *name)
            });
            let told = method.map(|method| told(method, edge)).unwrap_or_default();
            paths.others.push(format!("{name}: no test took {told}"));
        }
    }
    paths
}

/// Where a test leaves the path that it was made for.
#[derive(Debug, PartialEq, Eq)]
enum Difference {
    /// It does not take this branch.
    Missing(Edge),
    /// It goes this way, and should not.
    More(Step),
}

/// Compares what a test has to take, and what it may take besides, with what it takes.
fn difference(
    expected: &BTreeMap<Step, Edge>,
    own: &BTreeSet<Step>,
    taken: &Taken,
    besides: &Besides,
) -> Option<Difference> {
    let missing = expected.iter().find(|(step, _)| {
        !taken.all.contains(step)
            && !taken.unknown.contains(&(step.0, step.1))
            && !besides.initialisers.contains(&step.0)
    });
    let mut taken = taken.all.iter();
    let mut more = || {
        taken.find(|step| {
            !expected.contains_key(step)
                && !own.contains(step)
                && !besides.methods.contains(&step.0)
        })
    };
    match missing {
        Some((_, edge)) => Some(Difference::Missing(*edge)),
        None => more().map(|step| Difference::More(*step)),
    }
}

/// `n > 0 (Counter.java:7)`.
fn told(method: &Method, edge: Edge) -> String {
    let program = &method.suite.subject.program;
    let function = program.functions.get(edge.function.index());
    let block = function.and_then(|function| function.blocks.get(edge.block.index()));
    let position = block.map(|block| block.position).unwrap_or_default();
    let condition = words::edge(program, edge, position);
    match heapwright_explain::source::place(program, position) {
        Some(place) => {
            let file = place.rsplit('/').next().unwrap_or(&place);
            format!("{condition} ({file})")
        }
        None => condition,
    }
}

/// Whether a test asserts something that need not hold on another path: a result, an exception, or
/// something that the call has changed.
fn asserts(case: &TestCase) -> bool {
    let varies = |place: &AssertedLocation| case.vague.get(place) == Some(&Vagueness::Varies);
    match &case.ending {
        Ending::Threw { .. } | Ending::OutOfBudget => true,
        Ending::Returned {
            result,
            after,
            statics,
        } => {
            let result = result.is_some() && !varies(&AssertedLocation::Result);
            let heap = after.cells.iter().any(|(&loc, cell)| {
                let before = case.before.cells.get(&loc);
                before.is_some_and(|before| {
                    let fields = before.fields.iter().zip(&cell.fields).enumerate();
                    fields.into_iter().any(|(index, (one, other))| {
                        one != other && !varies(&AssertedLocation::Field(loc, index))
                    })
                })
            });
            let statics = statics.iter().any(|field| {
                let place = AssertedLocation::Static(
                    field.class.clone(),
                    field.field.clone(),
                    field.path.clone(),
                );
                !varies(&place) && !case.statics.contains(field)
            });
            result || heap || statics
        }
    }
}

/// The measured methods and their jumps, as the engine knows them.
struct Jumps<'a> {
    verification: &'a Verification,
    /// For each measured method its switches, by the index of the jump: the values that lead away from
    /// the default, in order.
    switches: Vec<BTreeMap<usize, Vec<i32>>>,
    lines: Vec<Vec<Option<u16>>>,
    /// For each branching block of a function the measured method, the jump, and its successors in
    /// the order of the class file: not taken, taken.
    blocks: BTreeMap<(FunctionId, BlockId), (usize, usize, [u32; 2])>,
    /// The measured classes.
    classes: BTreeSet<&'a str>,
    /// The measured methods that functions are.
    functions: BTreeMap<FunctionId, usize>,
}

/// The steps of a test.
#[derive(Default)]
struct Taken {
    all: BTreeSet<Step>,
    /// Switches that met too many values.
    unknown: BTreeSet<(usize, usize)>,
}

impl<'a> Jumps<'a> {
    fn of(world: &World, verification: &'a Verification) -> Jumps<'a> {
        let known: BTreeMap<(&str, &str, &str), usize> = (verification.jumps.iter().enumerate())
            .map(|(index, method)| {
                let key = (&*method.class, &*method.method, &*method.descriptor);
                (key, index)
            })
            .collect();
        let count = verification.jumps.len();
        let mut jumps = Jumps {
            verification,
            switches: vec![BTreeMap::new(); count],
            lines: vec![Vec::new(); count],
            blocks: BTreeMap::new(),
            classes: verification
                .jumps
                .iter()
                .map(|known| &*known.class)
                .collect(),
            functions: BTreeMap::new(),
        };
        let program = world.program();
        for (&(function, block), &pc) in world.jumps() {
            let Some(declared) = world.method_of(function) else {
                continue;
            };
            let descriptor = declared.method.descriptor.descriptor();
            let key = (&*declared.class.name, &*declared.method.name, &*descriptor);
            let (Some(&method), Some(code)) = (known.get(&key), &declared.method.code) else {
                continue;
            };
            let branching = code.instructions.iter().filter(|(_, instruction)| {
                matches!(instruction, Instruction::If(..) | Instruction::Switch(_))
            });
            let branching: Vec<_> = branching.collect();
            // Another version of the class, or one that the driver could not follow.
            let measured = verification.jumps.get(method);
            if measured.is_none_or(|measured| measured.count() != branching.len()) {
                continue;
            }
            let Some(jump) = branching.iter().position(|(known, _)| *known == pc) else {
                continue;
            };
            if let Some(lines) = jumps.lines.get_mut(method).filter(|lines| lines.is_empty()) {
                lines.extend(branching.iter().map(|(pc, _)| code.line(*pc)));
                for (index, (_, instruction)) in branching.iter().enumerate() {
                    if let (Instruction::Switch(switch), Some(switches)) =
                        (instruction, jumps.switches.get_mut(method))
                    {
                        let cases = switch.cases.iter();
                        let cases = cases.filter(|(_, target)| *target != switch.default);
                        switches.insert(index, cases.map(|(value, _)| *value).collect());
                    }
                }
            }
            let blocks = program
                .functions
                .get(function.index())
                .map(|known| &known.blocks);
            let terminator = blocks.and_then(|blocks| blocks.get(block.index()));
            // Blocks are in the order of the code, so the next one is where a jump falls through to.
            let next = BlockId(block.0 + 1);
            let order = match terminator.map(|known| &known.terminator) {
                Some(Terminator::Branch {
                    then, otherwise, ..
                }) if then != otherwise => match (*then == next, *otherwise == next) {
                    (true, false) => [0, 1],
                    (false, true) => [1, 0],
                    _ => continue,
                },
                Some(Terminator::Switch { .. }) => [0, 0],
                _ => continue,
            };
            jumps.functions.insert(function, method);
            (jumps.blocks).insert((function, block), (method, jump, order));
        }
        jumps
    }

    /// A way that the engine went: 0 if a jump was not taken, 1 if it was; the case of a switch.
    fn step(&self, edge: Edge) -> Option<Step> {
        let Successor::Jump(successor) = edge.successor else {
            return None;
        };
        let &(method, jump, order) = self.blocks.get(&(edge.function, edge.block))?;
        match self.switches.get(method)?.contains_key(&jump) {
            true => Some((method, jump, successor)),
            false => {
                let way = order.iter().position(|&known| known == successor)?;
                Some((method, jump, way as u32))
            }
        }
    }

    /// The ways that a test went.
    fn taken(&self, ways: &[Way]) -> Taken {
        let mut found = Taken::default();
        // A jump that the engine cannot tell apart is left out on both sides.
        let known: BTreeSet<(usize, usize)> = (self.blocks.values())
            .map(|(method, jump, _)| (*method, *jump))
            .collect();
        for (method, jumps) in self.verification.jumps.iter().enumerate() {
            for jump in 0..jumps.count() {
                let Some(went) = jumps
                    .went(ways, jump)
                    .filter(|_| known.contains(&(method, jump)))
                else {
                    continue;
                };
                match went {
                    Went::Jump {
                        taken,
                        fell_through,
                    } => {
                        found.all.extend(fell_through.then_some((method, jump, 0)));
                        found.all.extend(taken.then_some((method, jump, 1)));
                    }
                    Went::Switch(values) => {
                        let cases = self.switches.get(method).and_then(|known| known.get(&jump));
                        let cases = cases.map_or(&[][..], Vec::as_slice);
                        for value in values {
                            let case = cases.iter().position(|known| *known == value);
                            let case = case.unwrap_or(cases.len());
                            found.all.insert((method, jump, case as u32));
                        }
                    }
                    Went::Many => {
                        found.unknown.insert((method, jump));
                    }
                }
            }
        }
        found
    }

    /// Where a test went that the engine did not.
    fn told(&self, (method, jump, _): Step) -> String {
        let jumps = self.verification.jumps.get(method);
        let name = jumps.map_or(String::new(), |known| {
            format!("{}#{}", words::simple_class(&known.class), known.method)
        });
        let line = self.lines.get(method).and_then(|lines| lines.get(jump));
        match line.copied().flatten() {
            Some(line) => format!("taken, but not predicted: a branch of {name} in line {line}"),
            None => format!("taken, but not predicted: a branch of {name}"),
        }
    }
}

/// The measured methods that tests may call besides the call under test.
#[derive(Default)]
struct Besides {
    /// Those that static initialisers may call.
    initialisers: BTreeSet<usize>,
    /// Those that may go more ways than predicted.
    methods: BTreeSet<usize>,
    /// Those of the JDK, whose classes may have been initialised before the first test.
    jdk: BTreeSet<usize>,
}

impl Besides {
    fn of(session: &Verifying<'_>, jumps: &Jumps<'_>) -> Besides {
        let world = &session.java.program.world;
        let jdk = world.class_path().jdk();
        let callees = Callees::new(world.program());
        let mut roots: BTreeSet<FunctionId> = BTreeSet::new();
        let mut initialisers: BTreeSet<FunctionId> = BTreeSet::new();
        let predicates: BTreeSet<(&str, &str)> = (session.methods.iter())
            .flat_map(|method| method.tests.cases.iter())
            .filter_map(|(_, case)| {
                let declared = &case.invariant.as_ref()?.predicate.declared;
                Some((&*declared.class.name, &*declared.method.name))
            })
            .collect();
        for function in (0..world.program().functions.len() as u32).map(FunctionId) {
            let Some(declared) = world.method_of(function) else {
                continue;
            };
            let name = &*declared.method.name;
            let in_jdk = || jdk.contains(&declared.class.name).unwrap_or(false);
            let is_measured = || jumps.classes.contains(&*declared.class.name);
            if name == "<clinit>" && (is_measured() || !in_jdk()) {
                initialisers.insert(function);
            } else if name == "<init>" && !in_jdk()
                || predicates.contains(&(&*declared.class.name, name))
            {
                roots.insert(function);
            }
        }
        let reached = |roots: &BTreeSet<FunctionId>| -> BTreeSet<usize> {
            let mut found = roots.clone();
            let mut open: Vec<FunctionId> = roots.iter().copied().collect();
            while let Some(function) = open.pop() {
                for callee in callees.calls(function).flat_map(|(_, callees)| callees) {
                    if found.insert(callee) {
                        open.push(callee);
                    }
                }
            }
            let methods = found.iter().filter_map(|one| jumps.functions.get(one));
            methods.copied().collect()
        };
        let initialisers = reached(&initialisers);
        let mut methods = reached(&roots);
        methods.extend(&initialisers);
        // What JUnit, the test and the machine itself do with classes of the JDK cannot be told from
        // the call under test.
        let known = jumps.verification.jumps.iter().enumerate();
        let known = known.filter(|(_, known)| jdk.contains(&known.class).unwrap_or(false));
        let jdk: BTreeSet<usize> = known.map(|(index, _)| index).collect();
        methods.extend(&jdk);
        Besides {
            initialisers,
            jdk,
            methods,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(block: u32, successor: u32) -> Edge {
        Edge {
            function: FunctionId(0),
            block: BlockId(block),
            successor: Successor::Jump(successor),
        }
    }

    /// A test that should take the first jump, and not the second one.
    fn check(taken: &[Step], besides: &Besides) -> Option<Difference> {
        let expected = BTreeMap::from([((0, 0, 1), edge(1, 0)), ((0, 1, 0), edge(2, 1))]);
        let taken = Taken {
            all: taken.iter().copied().collect(),
            unknown: BTreeSet::new(),
        };
        difference(&expected, &BTreeSet::new(), &taken, besides)
    }

    #[test]
    fn opposite_branches_are_not_the_same_although_there_are_as_many() {
        let nothing = Besides::default();
        assert_eq!(check(&[(0, 0, 1), (0, 1, 0)], &nothing), None);
        let missing = Some(Difference::Missing(edge(1, 0)));
        assert_eq!(check(&[(0, 0, 0), (0, 1, 0)], &nothing), missing);
        let more = Some(Difference::More((0, 1, 1)));
        assert_eq!(check(&[(0, 0, 1), (0, 1, 0), (0, 1, 1)], &nothing), more);
    }

    #[test]
    fn what_is_called_besides_may_go_more_ways() {
        let mut besides = Besides::default();
        besides.methods.insert(0);
        assert_eq!(check(&[(0, 0, 1), (0, 1, 0), (0, 1, 1)], &besides), None);
        assert_eq!(
            check(&[(0, 1, 0)], &besides),
            Some(Difference::Missing(edge(1, 0)))
        );
        besides.initialisers.insert(0);
        assert_eq!(check(&[], &besides), None);
    }
}
