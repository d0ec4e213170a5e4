//! Programs that the verifier would reject end with an error that says what is wrong.

mod machine_support;

use heapwright_ir::machine::concrete::Value;
use heapwright_ir::machine::{Budgets, MachineError, MachineOutcome, Missing, ProgramPoint};
use heapwright_ir::{
    BlockId, Callee, FunctionId, Operand, Operation, Program, Reg, Terminator, verify,
};
use heapwright_logic::ClassId;
use machine_support::*;

const GOOD: &str = "
class Error
class Node {
  value: int
}
class Ints array of int
fault NullDereference throws Error
function main(n: Node) -> int {
  var i: int
  var e: Error
  var a: Ints
b0:
  catch Error into e goto b1
  n := new Node
  i := n->Node::value
  i := call id(i)
  a := new_array Ints, i
  return i
b1:
  return -1
}
function id(i: int) -> int {
b0:
  return i
}";

/// Breaks the good program. The verifier has to complain too, so that nobody meets this error.
fn check(break_it: impl FnOnce(&mut Program), expected: MachineError) {
    let mut broken = program(GOOD);
    assert_eq!(run(&broken, &[Value::Null]), returned(int(0)));
    break_it(&mut broken);
    assert!(
        verify(&broken).is_err(),
        "the verifier accepts it: {expected}"
    );
    let found = try_run(&broken, &[Value::Null], Budgets::default());
    assert_eq!(found, Err(expected));
}

fn operation(program: &mut Program, index: usize) -> &mut Operation {
    &mut program.functions[0].blocks[0].instructions[index].operation
}

fn point(instruction: u32) -> ProgramPoint {
    ProgramPoint {
        function: FunctionId(0),
        block: BlockId(0),
        instruction,
    }
}

#[test]
fn ids_that_lead_nowhere() {
    let terminator = |terminator| {
        move |program: &mut Program| program.functions[0].blocks[0].terminator = terminator
    };
    check(
        terminator(Terminator::Goto(BlockId(9))),
        MachineError::NoBlock(FunctionId(0), BlockId(9)),
    );
    check(
        terminator(Terminator::Return(Some(Operand::Register(Reg(77))))),
        MachineError::NoRegister(FunctionId(0), Reg(77)),
    );
    check(
        |program| {
            let (to, class) = (Reg(0), ClassId(50));
            *operation(program, 0) = Operation::New { to, class };
        },
        MachineError::NoClass(ClassId(50)),
    );
    check(
        |program| {
            let Operation::Load { class, .. } = operation(program, 1) else {
                panic!("not a load");
            };
            *class = ClassId(50);
        },
        MachineError::NoClass(ClassId(50)),
    );
    check(
        |program| {
            let Operation::Load { field, .. } = operation(program, 1) else {
                panic!("not a load");
            };
            *field = 3;
        },
        MachineError::NoField {
            class: ClassId(2),
            field: 3,
        },
    );
    check(
        |program| {
            let Operation::Call { callee, .. } = operation(program, 2) else {
                panic!("not a call");
            };
            *callee = Callee::Static(FunctionId(7));
        },
        MachineError::NoFunction(FunctionId(7)),
    );
    check(
        |program| program.functions[0].blocks.clear(),
        MachineError::NoBlock(FunctionId(0), BlockId(0)),
    );
}

#[test]
fn handlers_that_lead_nowhere() {
    let throwing = |break_it: fn(&mut Program)| {
        move |program: &mut Program| {
            program.functions[0].blocks[0].instructions.remove(0);
            break_it(program);
        }
    };
    check(
        throwing(|program| program.functions[0].blocks[0].handlers[0].class = Some(ClassId(50))),
        MachineError::NoClass(ClassId(50)),
    );
    check(
        throwing(|program| program.functions[0].blocks[0].handlers[0].exception = Reg(50)),
        MachineError::NoRegister(FunctionId(0), Reg(50)),
    );
    check(
        throwing(|program| program.functions[0].blocks[0].handlers[0].block = BlockId(50)),
        MachineError::NoBlock(FunctionId(0), BlockId(50)),
    );
}

#[test]
fn values_that_are_not_there() {
    check(
        |program| {
            program.functions[0].blocks[0].instructions.remove(1);
        },
        MachineError::Unassigned {
            register: Reg(1),
            point: point(1),
        },
    );
    check(
        |program| program.functions[1].blocks[0].terminator = Terminator::Return(None),
        MachineError::NoResult(point(2)),
    );
    check(
        |program| {
            let Operation::Call { args, .. } = operation(program, 2) else {
                panic!("not a call");
            };
            args.clear();
        },
        MachineError::ArgumentCount {
            function: FunctionId(1),
            expected: 1,
            found: 0,
        },
    );
}

#[test]
fn operations_on_the_wrong_things() {
    let node = Operand::Register(Reg(0));
    check(
        move |program| {
            program.functions[0].blocks[0].terminator = Terminator::Branch {
                condition: node,
                then: BlockId(0),
                otherwise: BlockId(0),
            };
        },
        MachineError::IllSorted,
    );
    check(
        move |program| {
            *operation(program, 1) = Operation::Unary {
                to: Reg(1),
                op: heapwright_ir::UnaryOp::Neg,
                a: node,
            };
        },
        MachineError::IllSorted,
    );
    check(
        |program| {
            let Operation::NewArray { class, .. } = operation(program, 3) else {
                panic!("not an array");
            };
            *class = ClassId(2);
        },
        MachineError::WrongKind(ClassId(2)),
    );
    check(
        |program| {
            let (to, class) = (Reg(0), ClassId(3));
            *operation(program, 0) = Operation::New { to, class };
        },
        MachineError::WrongKind(ClassId(3)),
    );
}

#[test]
fn unreachable_code() {
    let program = program("function main() {\nb0:\n unreachable\n}");
    let found = try_run(&program, &[], Budgets::default());
    assert_eq!(found, Err(MachineError::Unreachable(point(0))));
}

#[test]
fn code_that_is_not_there_is_asked_for_by_its_function() {
    let text = "function main() {\nb0:\n call later()\n return\n}\n\
                function later() {\nb0:\n absent\n}";
    let mut program = program(text);
    assert_eq!(verify(&program), Ok(()));
    let later = FunctionId(1);
    assert!(program.function(later).is_absent());
    let missing = MachineError::Missing(Missing::Function(later));
    assert_eq!(try_run(&program, &[], Budgets::default()), Err(missing));
    program.functions[1].blocks[0].terminator = Terminator::Return(None);
    assert_eq!(
        try_run(&program, &[], Budgets::default()),
        Ok(MachineOutcome::Returned(None))
    );
}

#[test]
fn wrong_arguments_for_the_whole_program() {
    let program = program(GOOD);
    let found = try_run(&program, &[], Budgets::default());
    let expected = MachineError::ArgumentCount {
        function: FunctionId(0),
        expected: 1,
        found: 0,
    };
    assert_eq!(found, Err(expected));
    assert_eq!(
        try_run(&program, &[Value::Null], Budgets::default()),
        Ok(MachineOutcome::Returned(Some(int(0))))
    );
}
