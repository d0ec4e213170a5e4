//! Random programs, nearly all ill-formed: every run ends, within its budgets, and always in the
//! same way.

mod machine_support;

use heapwright_ir::machine::concrete::{Concrete, Value};
use heapwright_ir::machine::{Budgets, Machine};
use heapwright_ir::{
    Arithmetic, BinaryOp, Block, BlockId, Callee, Comparison, Constant, Function, FunctionId,
    GlobalId, Handler, Instruction, Operand, Operation, Position, Program, Reg, Register,
    Terminator, UnaryOp,
};
use heapwright_logic::{ClassId, FloatType, IntType, Sort};
use machine_support::*;
use proptest::prelude::*;

const CLASSES: &str = "
class Node size 24 {
  value: int at 0 size 4
  next: Node at 8 size 8
  prev: Node at 16 size 8
  method \"m\" = main
}
class Leaf extends Node size 24 {
  value: int at 0 size 4
  next: Node at 8 size 8
  prev: Node at 16 size 8
  method \"m\" = other
}
class Ints array of int
class Nodes array of Node
global node: Node
global ints: Ints length 3
global nodes: Nodes length 101
fault NullDereference throws Leaf
fault StackOverflow throws Node
function main(i: int, n: Node, x: double) -> int {
  var b: bool
  var a: Ints
  var s: Nodes
  var k: int
  var m: Node
b0:
  return i
}
function other(i: int, n: Node, x: double) -> int {
b0:
  return i
}";

fn reg() -> impl Strategy<Value = Reg> {
    (0u32..9).prop_map(Reg)
}

fn operand() -> impl Strategy<Value = Operand> {
    prop_oneof![
        6 => reg().prop_map(Operand::Register),
        1 => (-2i128..5).prop_map(|i| Operand::Constant(Constant::Int(IntType::I32, i))),
        1 => any::<bool>().prop_map(|b| Operand::Constant(Constant::Bool(b))),
        1 => Just(Operand::Constant(Constant::Null)),
        1 => (0u32..4).prop_map(|global| Operand::Global(GlobalId(global))),
    ]
}

fn class() -> impl Strategy<Value = ClassId> {
    (0u32..6).prop_map(ClassId)
}

fn arithmetic() -> impl Strategy<Value = Arithmetic> {
    use Arithmetic::*;
    prop::sample::select(vec![Add, Sub, Mul, Div, Rem, And, Or, Xor, Shl, Shr, UShr])
}

fn binary_op() -> impl Strategy<Value = BinaryOp> {
    use Comparison::*;
    prop_oneof![
        arithmetic().prop_map(|op| BinaryOp::Int(IntType::I32, op)),
        arithmetic().prop_map(|op| BinaryOp::Float(FloatType::Double, op)),
        arithmetic().prop_map(BinaryOp::Bool),
        prop::sample::select(vec![Eq, Ne, Lt, Le, Gt, Ge]).prop_map(BinaryOp::Compare),
    ]
}

fn unary_op() -> impl Strategy<Value = UnaryOp> {
    prop::sample::select(vec![
        UnaryOp::Not,
        UnaryOp::Neg,
        UnaryOp::Complement,
        UnaryOp::Convert(Sort::Bool),
        UnaryOp::Convert(Sort::Machine(IntType::I32)),
        UnaryOp::Convert(Sort::Float(FloatType::Double)),
        UnaryOp::Convert(Sort::Ref(ClassId(1))),
    ])
}

fn callee() -> impl Strategy<Value = Callee> {
    prop_oneof![
        (0u32..3).prop_map(|id| Callee::Static(FunctionId(id))),
        Just(Callee::Virtual("m".to_owned())),
        Just(Callee::Intrinsic("unknown".to_owned())),
    ]
}

fn operation() -> impl Strategy<Value = Operation> {
    let field = || (reg(), operand(), class(), 0u32..4);
    let element = || (reg(), operand(), operand());
    prop_oneof![
        (reg(), operand()).prop_map(|(to, from)| Operation::Move { to, from }),
        (reg(), unary_op(), operand()).prop_map(|(to, op, a)| Operation::Unary { to, op, a }),
        (reg(), binary_op(), operand(), operand()).prop_map(|(to, op, a, b)| Operation::Binary {
            to,
            op,
            a,
            b
        }),
        (reg(), class()).prop_map(|(to, class)| Operation::New { to, class }),
        (reg(), class(), operand()).prop_map(|(to, class, length)| Operation::NewArray {
            to,
            class,
            length
        }),
        operand().prop_map(|object| Operation::Free { object }),
        field().prop_map(|(to, object, class, field)| Operation::Load {
            to,
            object,
            class,
            field
        }),
        (operand(), operand(), class(), 0u32..4).prop_map(|(object, value, class, field)| {
            Operation::Store {
                object,
                class,
                field,
                value,
            }
        }),
        element().prop_map(|(to, array, index)| Operation::LoadElement { to, array, index }),
        (operand(), operand(), operand()).prop_map(|(array, index, value)| {
            Operation::StoreElement {
                array,
                index,
                value,
            }
        }),
        (reg(), operand()).prop_map(|(to, array)| Operation::Length { to, array }),
        field().prop_map(|(to, object, class, field)| Operation::FieldAddress {
            to,
            object,
            class,
            field
        }),
        element().prop_map(|(to, array, index)| Operation::ElementAddress { to, array, index }),
        (reg(), operand(), class()).prop_map(|(to, object, class)| Operation::InstanceOf {
            to,
            object,
            class
        }),
        (operand(), class()).prop_map(|(object, class)| Operation::CheckCast { object, class }),
        (
            prop::option::of(reg()),
            callee(),
            prop::collection::vec(operand(), 0..4)
        )
            .prop_map(|(to, callee, args)| Operation::Call { to, callee, args }),
        operand().prop_map(|condition| Operation::Assert {
            condition,
            message: String::new()
        }),
        operand().prop_map(|condition| Operation::Assume { condition }),
    ]
}

fn block_id() -> impl Strategy<Value = BlockId> {
    (0u32..4).prop_map(BlockId)
}

fn terminator() -> impl Strategy<Value = Terminator> {
    prop_oneof![
        block_id().prop_map(Terminator::Goto),
        (operand(), block_id(), block_id()).prop_map(|(condition, then, otherwise)| {
            Terminator::Branch {
                condition,
                then,
                otherwise,
            }
        }),
        (operand(), block_id(), block_id()).prop_map(|(value, case, default)| {
            Terminator::Switch {
                value,
                cases: vec![(0, case)],
                default,
            }
        }),
        prop::option::of(operand()).prop_map(Terminator::Return),
        operand().prop_map(Terminator::Throw),
        Just(Terminator::Unreachable),
        Just(Terminator::Absent),
    ]
}

fn block() -> impl Strategy<Value = Block> {
    let handler = (prop::option::of(class()), reg(), block_id());
    let handler = handler.prop_map(|(class, exception, block)| Handler {
        class,
        exception,
        block,
    });
    let instruction = operation().prop_map(|operation| Instruction {
        operation,
        position: Position::default(),
    });
    (
        prop::collection::vec(instruction, 0..6),
        terminator(),
        prop::collection::vec(handler, 0..2),
    )
        .prop_map(|(instructions, terminator, handlers)| Block {
            instructions,
            terminator,
            position: Position::default(),
            handlers,
        })
}

fn programs() -> impl Strategy<Value = Program> {
    let blocks = || prop::collection::vec(block(), 1..4);
    (blocks(), blocks()).prop_map(|(main, other)| {
        let mut program = unverified(CLASSES);
        let registers: Vec<Register> = program.functions[0].registers.clone();
        let replace = |function: &mut Function, blocks| {
            function.registers = registers.clone();
            function.blocks = blocks;
        };
        replace(&mut program.functions[0], main);
        replace(&mut program.functions[1], other);
        program
    })
}

/// A run from fixed arguments, with what it used and left behind.
fn observe(program: &Program, budgets: Budgets) -> String {
    let mut domain = Concrete::new(program);
    let node = domain.new_object(ClassId(1)).expect("a node");
    let args = vec![int(2), Value::object(node), Value::Double(0)];
    let mut machine = Machine::new(program, domain, budgets);
    let result = machine.run(FunctionId(0), args);
    let used = machine.used();
    assert!(used.steps <= budgets.steps && used.depth <= budgets.depth);
    assert!(used.objects <= budgets.objects && used.elements <= budgets.elements);
    let objects = machine.domain.memory.objects().count();
    let globals = machine.domain.memory.globals().count();
    assert_eq!(
        objects,
        1 + used.objects as usize + globals,
        "an object not counted"
    );
    format!("{result:?} {used:?} {:?}", machine.domain.memory)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn runs_end_and_can_be_repeated(program in programs()) {
        let budgets = Budgets {
            steps: 500,
            depth: 20,
            objects: 30,
            array_length: 100,
            elements: 200,
        };
        prop_assert_eq!(observe(&program, budgets), observe(&program, budgets));
    }
}
