//! Random programs that the verifier accepts: the machine never finds anything wrong with them,
//! whatever the programs do.

mod machine_support;

use heapwright_ir::machine::concrete::{Concrete, Value};
use heapwright_ir::machine::{Budgets, Machine, MachineOutcome};
use heapwright_ir::{FunctionId, Program, verify};
use heapwright_logic::ClassId;
use machine_support::*;
use proptest::prelude::*;

const CLASSES: &str = "
class Node {
  value: int
  next: Node
  method \"m\" = main
}
class Leaf extends Node {
  value: int
  next: Node
  method \"m\" = other
}
class Ints array of int
class Nodes array of Node
class Leaves array of Leaf extends Nodes
global leaf: Leaf
global ints: Ints length 2
global leaves: Leaves length 2
";

const START: &str = "(n: Node, i: int, x: double) -> int {
  var b: bool
  var a: Ints
  var s: Nodes
  var k: int
  var m: Node
b0:
  b := false
  a := null
  s := null
  k := 0
  m := null
  goto b1
";

fn pick(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::sample::select(words).prop_map(str::to_owned)
}

/// A statement from a pattern: `I` stands for an integer operand, `N` for a node, `B` for a truth
/// value, `X` for a float; the same in small letters after `=` for the register that is set.
fn statement() -> impl Strategy<Value = String> {
    let patterns = pick(&[
        "=i := A.int I, I",
        "=i := A.int I, I",
        "=i := neg I",
        "=i := complement I",
        "=i := convert X as int",
        "=i := convert B as int",
        "=x := F.double X, X",
        "=x := convert I as double",
        "=b := C I, I",
        "=b := C X, X",
        "=b := eq N, N",
        "=b := ne N, null",
        "=b := not B",
        "=b := xor.bool B, B",
        "=b := instance_of N, Leaf",
        "check_cast N, Leaf",
        "=n := new Node",
        "=n := new Leaf",
        "a := new_array Ints, I",
        "s := new_array Nodes, I",
        "s := new_array Leaves, 3",
        "free N",
        "free a",
        "a := @ints",
        "s := @leaves",
        "@ints[I] := I",
        "=n := @leaves[I]",
        "=i := length @leaves",
        "=i := N->Node::value",
        "=n := N->Node::next",
        "N->Node::value := I",
        "N->Node::next := N",
        "=i := a[I]",
        "a[I] := I",
        "=n := s[I]",
        "s[I] := N",
        "=i := length a",
        "=i := length s",
        "=i := call main(N, I, X)",
        "=i := call other(N, I, X)",
        "=i := call virtual \"m\"(N, I, X)",
        "assert B",
        "assume B",
        "=n := N",
    ]);
    (patterns, any::<[u8; 8]>()).prop_map(|(pattern, choices)| fill(&pattern, choices))
}

/// Replaces the letters of a pattern, each by what the next choice selects.
fn fill(pattern: &str, choices: [u8; 8]) -> String {
    let mut choices = choices.into_iter().cycle();
    let mut out = String::new();
    let letters: Vec<char> = pattern.chars().collect();
    for (index, &letter) in letters.iter().enumerate() {
        let before = index.checked_sub(1).map_or(' ', |at| letters[at]);
        let after = letters.get(index + 1).copied().unwrap_or(' ');
        // A capital letter that is a word of its own, but for the operations in front of a dot.
        let alone = !before.is_alphanumeric() && before != ':' && !after.is_alphanumeric();
        let words: &[&str] = match letter {
            '=' if after != ' ' && before != ':' => continue,
            'i' if before == '=' => &["i", "k"],
            'n' if before == '=' => &["n", "m"],
            'I' if alone => &["i", "k", "0", "1", "2", "-1", "2147483647"],
            'N' if alone || after == '-' => &["n", "m", "n", "m", "@leaf"],
            'B' if alone => &["b", "true"],
            'X' if alone => &["x", "0.5"],
            'A' if alone => &[
                "add", "sub", "mul", "div", "rem", "and", "or", "xor", "shl", "shr", "ushr",
            ],
            'F' if alone => &["add", "sub", "mul", "div", "rem"],
            'C' if alone => &["eq", "ne", "lt", "le", "gt", "ge"],
            other => {
                out.push(other);
                continue;
            }
        };
        let choice = choices.next().unwrap_or(0) as usize;
        out.push_str(words[choice % words.len()]);
    }
    out
}

fn block() -> impl Strategy<Value = String> {
    let handlers = pick(&[
        "",
        "",
        "  catch Leaf into m goto b2\n",
        "  catch Node into n goto b3\n",
        "  catch Leaf into n goto b1\n  catch Node into m goto b3\n",
    ]);
    let terminators = pick(&[
        "goto b2",
        "goto b3",
        "if b goto b1 else b2",
        "if b goto b3 else b2",
        "switch i [0: b1, 2: b2, -1: b1] else b3",
        "return i",
        "return k",
        "throw n",
        "throw m",
    ]);
    let statements = prop::collection::vec(statement(), 0..8);
    (handlers, statements, terminators).prop_map(|(handlers, statements, terminator)| {
        let lines: String = statements
            .iter()
            .map(|line| format!("  {line}\n"))
            .collect();
        format!("{handlers}{lines}  {terminator}\n")
    })
}

fn programs() -> impl Strategy<Value = (Program, String)> {
    let function = || [block(), block(), block()];
    let faults = pick(&[
        "",
        "fault NullDereference throws Leaf\nfault OutOfBounds throws Node\n",
        "fault DivisionByZero throws Node\nfault StackOverflow throws Leaf\n",
    ]);
    (faults, function(), function()).prop_map(|(faults, main, other)| {
        let mut text = format!("{faults}{CLASSES}");
        for (name, blocks) in [("main", main), ("other", other)] {
            text.push_str(&format!("function {name}{START}"));
            for (index, block) in blocks.iter().enumerate() {
                text.push_str(&format!("b{}:\n{block}", index + 1));
            }
            text.push_str("}\n");
        }
        (unverified(&text), text)
    })
}

/// Runs a program from a list of two nodes.
fn outcome(program: &Program) -> MachineOutcome<Value> {
    let mut domain = Concrete::new(program);
    let first = domain.new_object(ClassId(1)).expect("a node");
    let second = domain.new_object(ClassId(2)).expect("a leaf");
    let next = Value::object(second);
    domain.memory.object_mut(first).expect("a node").contents[1] = next;
    let budgets = Budgets {
        steps: 2000,
        depth: 50,
        objects: 60,
        ..Budgets::default()
    };
    let mut machine = Machine::new(program, domain, budgets);
    let args = vec![Value::object(first), int(2), Value::Double(0)];
    let outcome = machine.run(FunctionId(0), args);
    outcome.unwrap_or_else(|error| panic!("{error}"))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1500,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn verified_programs_have_an_outcome((program, text) in programs()) {
        if let Err(errors) = verify(&program) {
            panic!("{errors:?}\n{text}");
        }
        let first = outcome(&program);
        prop_assert_eq!(&first, &outcome(&program));
        // What leaves the function has the sort of its result, whatever happened inside.
        if let MachineOutcome::Returned(value) = first {
            prop_assert!(matches!(value, Some(Value::Int(value)) if i32::try_from(value).is_ok()));
        }
    }
}
