//! What calls write, on small programs.

use heapwright_ir::{FunctionId, InputRules, Library, Operation, Program, parse};
use heapwright_logic::{ClassId, Sort};

use super::{Touched, Written, closed_effects};

/// Two classes of users, one of the library, and functions that write to them.
const TEXT: &str = "
class Node {
  mark: int
  next: Node
  method \"mark()\" = Node.mark
  method \"hash()\" = Node.hash
}
class Other {
  mark: int
  method \"mark()\" = Other.mark
}
class Table {
  count: int
}
global flag: Table

function Node.mark(this: Node) {
b0:
  this->Node::mark := 1
  return
}
function Node.hash(this: Node) -> int {
b0:
  this->Node::mark := 2
  return 0
}
function Other.mark(this: Other) {
b0:
  this->Other::mark := 1
  return
}
function direct(node: Node) {
b0:
  call virtual \"mark()\"(node)
  return
}
function fresh() {
  var made: Node
b0:
  made := new Node
  made->Node::mark := 5
  return
}
function unknown() {
b0:
  absent
}
function asks() {
b0:
  call unknown()
  return
}
synthetic function guard() {
  var count: int
  var done: bool
b0:
  count := @flag->Table::count
  done := eq count, 1
  if done goto b1 else b2
b1:
  return
b2:
  @flag->Table::count := 1
  return
}
function guarded() {
b0:
  call guard()
  return
}
";

fn program() -> Program {
    parse(TEXT).unwrap_or_else(|error| panic!("{error}"))
}

fn class(program: &Program, name: &str) -> ClassId {
    program.definitions.class_named(name).expect("a class")
}

fn function(program: &Program, name: &str) -> FunctionId {
    program.function_named(name).expect("a function")
}

/// What a function writes that is run on a node.
fn written(program: &Program, library: &Library, name: &str) -> Written {
    let rules = InputRules::default();
    let root = function(program, name);
    let input = [Sort::Ref(class(program, "Node"))];
    let (effects, _) = closed_effects(program, &rules, library, &input, root);
    effects.function(root)
}

fn touches(program: &Program, library: &Library, written: &Written, name: &str) -> bool {
    match written.of_class(program, library, class(program, name)) {
        Touched::All => true,
        Touched::Fields(fields) => !fields.is_empty(),
    }
}

#[test]
fn virtual_calls_lead_to_classes_of_which_there_are_objects() {
    let (program, library) = (program(), Library::default());
    let written = written(&program, &library, "direct");
    assert!(touches(&program, &library, &written, "Node"));
    assert!(!touches(&program, &library, &written, "Other"));
}

#[test]
fn what_a_call_makes_itself_was_not_there_before() {
    let (program, library) = (program(), Library::default());
    assert!(written(&program, &library, "fresh").is_nothing());
}

#[test]
fn unknown_means_anything() {
    let (program, library) = (program(), Library::default());
    let written = written(&program, &library, "asks");
    assert!(written.is_anything());
    assert!(touches(&program, &library, &written, "Node"));
}

#[test]
fn a_library_writes_its_own_objects_and_calls_methods_that_it_knows() {
    let program = program();
    let mut library = Library {
        classes: [class(&program, "Table")].into_iter().collect(),
        functions: [function(&program, "unknown")].into_iter().collect(),
        encapsulated: [function(&program, "unknown")].into_iter().collect(),
        ..Library::default()
    };
    let asks = written(&program, &library, "asks");
    assert!(touches(&program, &library, &asks, "Table"));
    assert!(!touches(&program, &library, &asks, "Node"));
    library.callbacks.insert(function(&program, "Node.hash"));
    let asks = written(&program, &library, "asks");
    assert!(touches(&program, &library, &asks, "Node"));
    // A library that can be asked to write anything does, for all we know.
    library.encapsulated.clear();
    assert!(written(&program, &library, "asks").is_anything());
}

#[test]
fn guards_are_told_apart() {
    let (program, library) = (program(), Library::default());
    let written = written(&program, &library, "guarded");
    assert!(written.is_nothing());
    let guard = function(&program, "guard");
    assert_eq!(written.guards().collect::<Vec<_>>(), [guard]);
    let code = program.function(guard);
    let holds = |size: i128| {
        let value = heapwright_ir::machine::concrete::Value::Int(size);
        super::returns_at_once(code, |_, _| Some(value))
    };
    assert!(holds(1));
    assert!(!holds(0));
    assert!(!super::returns_at_once(code, |_, _| None));
    let stores = |operation: &Operation| matches!(operation, Operation::Store { .. });
    let blocks = code.blocks.iter().flat_map(|block| &block.instructions);
    assert_eq!(blocks.filter(|code| stores(&code.operation)).count(), 1);
}
