//! Intrinsic functions that the machine knows: symbolic and concrete runs agree about them.

use heapwright_engine::{
    Branch, Conditions, Mode, Options, Outcome, Report, Status, Subject, explore, replay_under,
    takes_same_path,
};
use heapwright_ir::{parse, verify};

const MODES: [Mode; 3] = [Mode::Concolic, Mode::Symbolic, Mode::Lazy { filter: false }];

fn explored(text: &str, mode: Mode) -> Report {
    let program = parse(&format!("file \"test\"\n{text}")).expect("a program");
    assert_eq!(verify(&program), Ok(()));
    let main = program.function_named("main").expect("a function");
    let subject = Subject::new(&program, main, None).expect("a subject");
    let options = Options {
        mode,
        stop_when_covered: false,
        ..Options::default()
    };
    let report = explore(&subject, &options, &mut |_| {}).expect("a report");
    assert_eq!(report.statistics.divergences, 0, "{mode:?}");
    let unknown = |test: &&heapwright_engine::Test| {
        !matches!(test.run.outcome, Outcome::Returned | Outcome::Threw { .. })
    };
    assert_eq!(report.tests.iter().filter(unknown).count(), 0, "{mode:?}");
    report
}

/// The lines of branches that are covered, and those of the others.
fn lines(report: &Report) -> (Vec<u32>, Vec<u32>) {
    let is_covered = |status: &Status| matches!(status, Status::Covered { .. });
    let (mut covered, mut others) = (Vec::new(), Vec::new());
    for branch in &report.branches {
        match is_covered(&branch.status) {
            true => covered.push(branch.position.line),
            false => others.push(branch.position.line),
        }
    }
    (covered, others)
}

/// Null has a number that is known. Those of objects are what the environment says, so no test
/// shows a branch that depends on them, and none is infeasible.
#[test]
fn only_the_identity_of_null_is_known() {
    let text = r#"
class Node {
  next: Node
}
function main(a: Node, b: Node) -> bool {
  var m: int
  var n: int
  var same: bool
  var one: bool
b0:
  m := call intrinsic "object.identity"(a)
  n := call intrinsic "object.identity"(b)
  same := eq m, n
  if same goto b1 else b2 @1
b1:
  one := eq m, 1
  if one goto b2 else b2 @2
b2:
  return same
}"#;
    for mode in MODES {
        let report = explored(text, mode);
        assert_eq!(lines(&report), (vec![1, 2], vec![1, 2]), "{mode:?}");
        let proved = |branch: &&Branch| matches!(branch.status, Status::Infeasible(_));
        assert_eq!(report.branches.iter().filter(proved).count(), 0, "{mode:?}");
    }
}

/// A condition on several answers depends on each of them: that nobody interrupts a test does not
/// tell the bits that the hardware chooses, however seldom these decide.
#[test]
fn conditions_depend_on_every_part_of_the_environment_that_they_mention() {
    let text = r#"
function main() -> bool {
  var interrupted: long
  var bits: long
  var both: long
  var rare: bool
b0:
  interrupted := call intrinsic "environment.interruption"()
  bits := call intrinsic "environment.not_a_number"()
  both := add.long interrupted, bits
  rare := eq both, 123456789_long
  if rare goto b1 else b1 @1
b1:
  return rare
}"#;
    for mode in MODES {
        let report = explored(text, mode);
        assert_eq!(lines(&report), (vec![], vec![1, 1]), "{mode:?}");
        assert_eq!(report.tests.len(), 0, "{mode:?}");
    }
    let alone = text.replace("environment.not_a_number", "environment.interruption");
    for mode in MODES {
        assert_eq!(
            lines(&explored(&alone, mode)),
            (vec![1], vec![1]),
            "{mode:?}"
        );
    }
}

/// A field that is compared and set by its number is the field of that name.
#[test]
fn slots_are_fields() {
    let text = r#"
class Counter {
  value: int
  name: Counter
}
function main(counter: Counter, expected: int) -> int {
  var found: int
  var same: bool
  var zero: bool
b0:
  same := eq counter, null
  if same goto b4 else b1 @1
b1:
  found := call intrinsic "slot.load"(counter, 0_long)
  same := eq found, expected
  if same goto b2 else b4 @2
b2:
  call intrinsic "slot.store"(counter, 0_long, 9)
  found := counter->Counter::value
  zero := eq found, 9
  if zero goto b3 else b4 @3
b3:
  zero := eq expected, 5
  if zero goto b4 else b4 @4
b4:
  return 0
}"#;
    for mode in MODES {
        let (covered, others) = lines(&explored(text, mode));
        assert_eq!(covered, [1, 1, 2, 2, 3, 4, 4], "{mode:?}");
        assert_eq!(others, [3], "{mode:?}");
    }
}

/// Platforms round a sine differently, so inputs keep away from where its last place decides.
#[test]
fn inputs_do_not_turn_on_how_a_platform_rounds() {
    let text = r#"file "test"
function main(x: double) -> bool {
  var sine: double
  var high: bool
b0:
  sine := call intrinsic "math.sin"(x)
  high := ge sine, 0.8414709848078965
  if high goto b1 else b1 @1
b1:
  return high
}"#;
    let program = parse(text).expect("a program");
    let main = program.function_named("main").expect("a function");
    let subject = Subject::new(&program, main, None).expect("a subject");
    for mode in MODES {
        let options = Options {
            mode,
            ..Options::default()
        };
        let report = explore(&subject, &options, &mut |_| {}).expect("a report");
        assert_eq!(lines(&report), (vec![1, 1], vec![]), "{mode:?}");
        for test in &report.tests {
            for off_by in [1, -1] {
                let conditions = Conditions {
                    off_by,
                    ..Conditions::default()
                };
                let run = replay_under(&subject, &test.input, options.budgets, conditions);
                let run = run.expect("a run");
                assert!(
                    takes_same_path(&subject, &test.run, &run),
                    "{mode:?} {:?}",
                    test.input
                );
            }
        }
    }
}
