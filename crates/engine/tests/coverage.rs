//! Branch coverage: which edges there are, and how far it is to the uncovered ones.

mod random;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use heapwright_engine::SourceLine;
use heapwright_engine::coverage::{Coverage, RETURN_COST};
use heapwright_ir::machine::layout::is_subtype;
use heapwright_ir::machine::{Edge, Successor};
use heapwright_ir::{
    Block, BlockId, Callee, FunctionId, Operand, Operation, Program, Terminator, parse,
};
use heapwright_logic::{ClassId, Sort};
use random::Source;

fn program(text: &str) -> Program {
    parse(&format!("file \"test\"\n{text}")).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn named(program: &Program, name: &str) -> FunctionId {
    program.function_named(name).expect("a function")
}

fn jump(function: FunctionId, block: u32, successor: u32) -> Edge {
    Edge {
        function,
        block: BlockId(block),
        successor: Successor::Jump(successor),
    }
}

/// Everything at once: calls of all kinds, a switch, a handler, a function that nobody calls.
const MIXED: &str = "
class Throwable
class A {
  method \"m()\" = A.m
}
class B extends A {
  method \"m()\" = B.m
}
class C extends A {
  method \"m()\" = A.m
}
function unused(c: bool) {
b0:
  if c goto b1 else b1
b1:
  return
}
function B.m(this: B) {
b0:
  switch 1 [1: b1, 5: b1] else b1 @30
b1:
  return
}
function main(a: A, c: bool) {
  var e: Throwable
b0:
  catch Throwable into e goto b2
  call virtual \"m()\"(a) @10
  call intrinsic other(a) @10
  if c goto b1 else b2 @11
b1:
  call helper(c) @12
  return
b2:
  return
}
function A.m(this: A) {
b0:
  return @20
}
function helper(c: bool) {
b0:
  call helper(c) @40
  if c goto b1 else b0 @41
b1:
  return
}
";

#[test]
fn edges_of_the_function_and_of_what_it_may_call() {
    let program = program(MIXED);
    let [main, first, second, helper] =
        ["main", "A.m", "B.m", "helper"].map(|name| named(&program, name));
    let coverage = Coverage::new(&program, main);
    assert_eq!(coverage.functions(), [main, first, second, helper]);
    let edges: Vec<_> = (coverage.branches())
        .map(|known| (known.edge, known.position.line, known.target.0))
        .collect();
    let expected = [
        (jump(main, 0, 0), 11, 1),
        (jump(main, 0, 1), 11, 2),
        (jump(second, 0, 0), 30, 1),
        (jump(helper, 0, 0), 41, 1),
        (jump(helper, 0, 1), 41, 0),
    ];
    assert_eq!(edges, expected);
    let handlers: Vec<_> = coverage.handlers().map(|known| known.edge).collect();
    assert_eq!(handlers, [handler(main)]);
}

fn handler(function: FunctionId) -> Edge {
    Edge {
        successor: Successor::Handler(0),
        ..jump(function, 0, 0)
    }
}

#[test]
fn the_first_test_counts_and_handlers_are_apart() {
    let program = program(MIXED);
    let main = named(&program, "main");
    let mut coverage = Coverage::new(&program, main);
    assert_eq!((coverage.covered_count(), coverage.total()), (0, 5));
    assert!(coverage.cover(jump(main, 0, 1), 3));
    assert!(!coverage.cover(jump(main, 0, 1), 4));
    assert!(coverage.cover(handler(main), 5));
    assert!(!coverage.cover(handler(main), 6));
    // A case that the branch does not have, and a function outside.
    assert!(!coverage.cover(jump(main, 0, 2), 7));
    assert!(!coverage.cover(jump(named(&program, "unused"), 0, 0), 7));
    assert_eq!(coverage.covered_count(), 1);
    assert_eq!(coverage.get(jump(main, 0, 1)).unwrap().test, Some(3));
    assert_eq!(coverage.get(handler(main)).unwrap().test, Some(5));
    assert!(coverage.is_covered(handler(main)));
    assert!(!coverage.is_covered(jump(main, 0, 0)));
    let rest: Vec<_> = coverage.branches().map(|known| known.edge).collect();
    for edge in rest {
        assert!(!coverage.all_covered());
        coverage.cover(edge, 8);
    }
    assert!(coverage.all_covered());
}

#[test]
fn distances_by_hand() {
    let program = program(
        "
function main(c: bool) {
b0:
  if c goto b1 else b2
b1:
  goto b3
b2:
  call callee(c)
  goto b4
b3:
  if c goto b0 else b4
b4:
  return
}
function callee(c: bool) {
b0:
  goto b1
b1:
  if c goto b2 else b2
b2:
  return
}",
    );
    let [main, callee] = ["main", "callee"].map(|name| named(&program, name));
    let mut coverage = Coverage::new(&program, main);
    let check = |coverage: &Coverage, expected: [Option<u32>; 8]| {
        let blocks = (0..5).map(|block| (main, block));
        let blocks = blocks.chain((0..3).map(|block| (callee, block)));
        let found: Vec<_> = blocks
            .map(|(function, block)| coverage.distance(function, BlockId(block)))
            .collect();
        assert_eq!(found, expected);
    };
    let some = |distances: [u32; 8]| distances.map(|distance| (distance < 99).then_some(distance));
    // Behind the call there is nothing, so returning does not help.
    check(&coverage, some([0, 1, 2, 0, 99, 1, 0, 99]));
    for edge in [jump(main, 0, 0), jump(main, 0, 1), jump(callee, 1, 0)] {
        coverage.cover(edge, 0);
    }
    check(&coverage, some([2, 1, 2, 0, 99, 1, 0, 99]));
    assert_eq!(coverage.distance_of_edge(jump(main, 0, 1)), Some(3));
    assert_eq!(coverage.distance_of_edge(jump(main, 3, 0)), Some(0));
    assert_eq!(coverage.distance_of_edge(jump(callee, 1, 0)), None);
    coverage.cover(jump(callee, 1, 1), 0);
    coverage.cover(jump(main, 3, 1), 0);
    check(&coverage, some([2, 1, 99, 0, 99, 99, 99, 99]));
    coverage.cover(jump(main, 3, 0), 0);
    check(&coverage, [None; 8]);
}

#[test]
fn returning_leads_behind_the_call_only() {
    let text = |instructions: &str| {
        format!(
            "
function main(c: bool) {{
b0:
  call {instructions}(c)
  goto b1
b1:
  return
}}
function branching(c: bool) {{
b0:
  if c goto b1 else b1
b1:
  return
}}
function both(c: bool) {{
b0:
  call plain(c)
  call branching(c)
  return
}}
function reversed(c: bool) {{
b0:
  call branching(c)
  call plain(c)
  return
}}
function plain(c: bool) {{
b0:
  return
}}"
        )
    };
    // From inside the first call the second one is still ahead.
    let ahead = program(&text("both"));
    let coverage = Coverage::new(&ahead, named(&ahead, "main"));
    let distance = |coverage: &Coverage, function| coverage.distance(function, BlockId(0));
    let plain = named(&ahead, "plain");
    assert_eq!(distance(&coverage, plain), Some(RETURN_COST + 1));
    // From inside the second call the first one is over.
    let over = program(&text("reversed"));
    let coverage = Coverage::new(&over, named(&over, "main"));
    assert_eq!(distance(&coverage, plain), None);
    assert_eq!(distance(&coverage, named(&over, "main")), Some(2));
}

#[test]
fn goals_are_lines() {
    let program = program(
        "
function main(c: bool) {
b0:
  call callee(c) @5
  if c goto b1 else b2 @6
b1:
  goto b3 @8
b2:
  return @10
b3:
  c := true @12
  return
}
function callee(c: bool) {
b0:
  c := true @1/12
  return @20
}
function elsewhere(c: bool) {
b0:
  return @11
}",
    );
    let main = named(&program, "main");
    let towards = |file, line| Coverage::towards(&program, main, &SourceLine { file, line });
    let mut coverage = towards(0, 12).unwrap();
    let distances = |coverage: &Coverage| -> Vec<_> {
        let blocks = 0..4;
        blocks
            .map(|block| coverage.distance(main, BlockId(block)))
            .collect()
    };
    let expected = [Some(2), Some(1), None, Some(0)];
    assert_eq!(distances(&coverage), expected);
    assert_eq!(coverage.distance_of_entry(), Some(2));
    // Uncovered edges do not matter, and neither do covered ones.
    assert_eq!(coverage.distance_of_edge(jump(main, 0, 0)), Some(2));
    assert_eq!(coverage.distance_of_edge(jump(main, 0, 1)), None);
    coverage.cover(jump(main, 0, 0), 0);
    assert_eq!(distances(&coverage), expected);
    // The line is behind the callee.
    let callee = named(&program, "callee");
    assert_eq!(coverage.distance(callee, BlockId(0)), Some(RETURN_COST + 2));
    // Line 5 is before the call, so the callee does not lead there.
    let before = towards(0, 5).unwrap();
    assert_eq!(before.distance_of_entry(), Some(0));
    assert_eq!(before.distance(callee, BlockId(0)), None);

    // Line 11 is in a function that is not called.
    let message = |file, line| towards(file, line).unwrap_err().to_string();
    assert_eq!(
        message(0, 11),
        "line 11 of test has no code that is executed; the nearest lines that have are 10 and 12"
    );
    assert_eq!(
        message(0, 1),
        "line 1 of test has no code that is executed; the nearest line that has is 5"
    );
    assert_eq!(
        message(7, 1),
        "line 1 of the file has no code that is executed; neither has any other line of it"
    );
    // Line 0 is no line, though code without a place has it.
    assert_eq!(towards(0, 0).unwrap_err().after, Some(5));
}

#[test]
fn a_function_that_does_not_exist_has_no_branches() {
    let coverage = Coverage::new(&Program::default(), FunctionId(3));
    assert_eq!((coverage.total(), coverage.all_covered()), (0, true));
    assert_eq!(coverage.distance_of_entry(), None);
}

#[test]
fn distances_agree_with_a_forward_search() {
    let (mut returns, mut none) = (0, 0);
    for seed in 0..250 {
        let source = &mut Source::new(seed);
        let program = program(&random_program(source));
        let main = named(&program, "f0");
        let mut coverage = Coverage::new(&program, main);
        let mut edges: Vec<Edge> = coverage.branches().map(|known| known.edge).collect();
        source.shuffle(&mut edges);
        let mut uncovered: BTreeSet<Edge> = edges.iter().copied().collect();
        for step in 0..=edges.len() {
            let forward = Forward {
                program: &program,
                functions: coverage.functions().to_vec(),
                uncovered: &uncovered,
            };
            for &function in coverage.functions() {
                for block in 0..program.function(function).blocks.len() {
                    let block = BlockId(block as u32);
                    let (expected, left) = forward.distance(Point::At(function, block, 0));
                    let found = coverage.distance(function, block);
                    assert_eq!(found, expected, "seed {seed}, {function:?}, {block:?}");
                    returns += u32::from(left);
                    none += u32::from(expected.is_none());
                }
            }
            if let Some(edge) = edges.get(step) {
                coverage.cover(*edge, step);
                uncovered.remove(edge);
            }
        }
    }
    // The programs are such that all cases come up.
    assert!(returns > 1000 && none > 1000, "{returns} {none}");
}

/// A few functions with a few blocks each, some of which call and throw.
fn random_program(source: &mut Source) -> String {
    let mut text = String::from("class Throwable\n");
    let functions = 1 + source.below(5);
    if source.chance(50) {
        text += "fault DivisionByZero throws Throwable\n";
    }
    for class in ["A", "B"] {
        let method = source.below(functions);
        writeln!(text, "class {class} {{\n  method \"m()\" = f{method}\n}}").unwrap();
    }
    for function in 0..functions {
        writeln!(text, "function f{function}(a: A) {{").unwrap();
        text += "  var c: bool\n  var i: int\n  var e: Throwable\n";
        let blocks = 1 + source.below(6);
        for block in 0..blocks {
            writeln!(text, "b{block}:").unwrap();
            if source.chance(15) {
                let target = source.below(blocks);
                writeln!(text, "  catch into e goto b{target}").unwrap();
            }
            for _ in 0..source.below(3) {
                let callee = source.below(functions);
                match source.below(9) {
                    0..3 => writeln!(text, "  call f{callee}(a)").unwrap(),
                    3 => text += "  call virtual \"m()\"(a)\n",
                    4 => text += "  call intrinsic x(a)\n",
                    5 => text += "  i := div.int i, i\n",
                    _ => text += "  i := add.int i, i\n",
                }
            }
            let mut target = || source.below(blocks);
            let (one, two, three) = (target(), target(), target());
            match source.below(9) {
                0..3 => writeln!(text, "  goto b{one}").unwrap(),
                3..5 => writeln!(text, "  if c goto b{one} else b{two}").unwrap(),
                5 => writeln!(text, "  switch i [1: b{one}, 2: b{two}] else b{three}").unwrap(),
                6 => text += "  throw e\n",
                _ => text += "  return\n",
            }
        }
        text += "}\n";
    }
    text
}

/// The definition of distances, followed forwards from one point at a time.
struct Forward<'p> {
    program: &'p Program,
    functions: Vec<FunctionId>,
    uncovered: &'p BTreeSet<Edge>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Point {
    /// Before an instruction or, behind the last one, the end of a block.
    At(FunctionId, BlockId, usize),
    /// An exception is leaving a function.
    Raised(FunctionId),
}

impl Forward<'_> {
    /// The distance, and whether functions have to be left for it.
    fn distance(&self, start: Point) -> (Option<u32>, bool) {
        if let Some(distance) = self.inside(start) {
            return (Some(distance), false);
        }
        // From what has a distance of its own the way goes on inside.
        let reached = reach(start, |point| match self.inside(point) {
            Some(_) => Vec::new(),
            None => [self.local(point), self.returns(point)].concat(),
        });
        let distances = reached.iter();
        let distances = distances.filter_map(|(&point, cost)| Some(cost + self.inside(point)?));
        let shortest = distances.min();
        (shortest, shortest.is_some())
    }

    fn inside(&self, start: Point) -> Option<u32> {
        let reached = reach(start, |point| {
            [self.local(point), self.calls(point)].concat()
        });
        let goals = reached.iter().filter(|&(&point, _)| self.is_goal(point));
        goals.map(|(_, &cost)| cost).min()
    }

    fn block(&self, function: FunctionId, block: BlockId) -> &Block {
        self.program.function(function).block(block)
    }

    fn is_goal(&self, point: Point) -> bool {
        let Point::At(function, block, instruction) = point else {
            return false;
        };
        let at_end = instruction == self.block(function, block).instructions.len();
        let mut edges = self.uncovered.iter();
        at_end && edges.any(|edge| (edge.function, edge.block) == (function, block))
    }

    fn local(&self, point: Point) -> Vec<(Point, u32)> {
        let Point::At(function, id, instruction) = point else {
            return Vec::new();
        };
        let block = self.block(function, id);
        let mut next = Vec::new();
        if instruction < block.instructions.len() {
            next.push((Point::At(function, id, instruction + 1), 0));
        } else {
            let targets = match &block.terminator {
                Terminator::Goto(target) => vec![*target],
                Terminator::Branch {
                    then, otherwise, ..
                } => vec![*then, *otherwise],
                Terminator::Switch { cases, default, .. } => {
                    vec![cases[0].1, cases[1].1, *default]
                }
                _ => Vec::new(),
            };
            next.extend(
                targets
                    .iter()
                    .map(|&target| (Point::At(function, target, 0), 1)),
            );
        }
        let handlers = block.handlers.iter();
        next.extend(handlers.map(|handler| (Point::At(function, handler.block, 0), 1)));
        next
    }

    fn calls(&self, point: Point) -> Vec<(Point, u32)> {
        let callees = self.callees(point).into_iter();
        callees
            .map(|callee| (Point::At(callee, BlockId(0), 0), 1))
            .collect()
    }

    fn callees(&self, point: Point) -> Vec<FunctionId> {
        let Point::At(function, block, instruction) = point else {
            return Vec::new();
        };
        let instruction = self.block(function, block).instructions.get(instruction);
        match instruction.map(|instruction| &instruction.operation) {
            Some(Operation::Call { callee, args, .. }) => match callee {
                Callee::Static(callee) => vec![*callee],
                Callee::Virtual(name) => {
                    let registers = &self.program.function(function).registers;
                    let declared = match args.first() {
                        Some(Operand::Register(receiver)) => registers[receiver.index()].sort,
                        _ => Sort::Ref(ClassId::ANY),
                    };
                    let fits = |class| match declared {
                        Sort::Ref(above) => is_subtype(self.program, class, above) == Ok(true),
                        _ => true,
                    };
                    let classes = (0..).map(ClassId).zip(&self.program.classes);
                    let below = classes.filter(|(id, _)| fits(*id));
                    below
                        .filter_map(|(_, class)| class.methods.get(name).copied())
                        .collect()
                }
                Callee::Intrinsic(_) => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    fn returns(&self, point: Point) -> Vec<(Point, u32)> {
        match point {
            Point::At(function, id, instruction) => {
                let block = self.block(function, id);
                let mut next = Vec::new();
                if self.may_raise(block) {
                    next.push((Point::Raised(function), 0));
                }
                let at_end = instruction == block.instructions.len();
                if at_end && matches!(block.terminator, Terminator::Return(_)) {
                    for (caller, block, call) in self.call_sites(function) {
                        next.push((Point::At(caller, block, call + 1), RETURN_COST));
                    }
                }
                next
            }
            Point::Raised(function) => {
                let mut next = Vec::new();
                for (caller, block, _) in self.call_sites(function) {
                    next.push((Point::Raised(caller), RETURN_COST));
                    for handler in &self.block(caller, block).handlers {
                        next.push((Point::At(caller, handler.block, 0), RETURN_COST));
                    }
                }
                next
            }
        }
    }

    fn may_raise(&self, block: &Block) -> bool {
        let mut instructions = block.instructions.iter();
        matches!(block.terminator, Terminator::Throw(_))
            || instructions.any(|instruction| match &instruction.operation {
                Operation::Call { .. } => true,
                Operation::Binary { op, .. } => {
                    format!("{op:?}").contains("Div") && !self.program.exceptions.is_empty()
                }
                other => panic!("{other:?}"),
            })
    }

    fn call_sites(&self, callee: FunctionId) -> Vec<(FunctionId, BlockId, usize)> {
        let mut sites = Vec::new();
        for &function in &self.functions {
            for (index, block) in self.program.function(function).blocks.iter().enumerate() {
                let id = BlockId(index as u32);
                for call in 0..block.instructions.len() {
                    if self
                        .callees(Point::At(function, id, call))
                        .contains(&callee)
                    {
                        sites.push((function, id, call));
                    }
                }
            }
        }
        sites
    }
}

/// What can be reached from a point, and at which cost: relaxed until nothing changes.
fn reach(start: Point, next: impl Fn(Point) -> Vec<(Point, u32)>) -> BTreeMap<Point, u32> {
    let mut costs = BTreeMap::from([(start, 0)]);
    let mut pending = vec![start];
    while let Some(point) = pending.pop() {
        let cost = costs[&point];
        for (target, step) in next(point) {
            if costs.get(&target).is_none_or(|&known| cost + step < known) {
                costs.insert(target, cost + step);
                pending.push(target);
            }
        }
    }
    costs
}
