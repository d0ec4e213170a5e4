//! Instructions as text, in the manner of `javap`, for people and for comparisons with it.

use super::constant::{Constant, FieldReference, MethodHandle, MethodReference};
use super::instruction::{
    Binary, Comparison, Condition, Element, Instruction, Invocation, Kind, StackOperation,
    Unordered,
};
use crate::descriptor::Primitive;
use std::fmt::{self, Display, Formatter};

/// The mnemonic of the family with its operands: `iload 1`, `push int 5`, `if_icmplt 12`.
impl Display for Instruction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Instruction::Nop => f.write_str("nop"),
            Instruction::Constant(constant) => write!(f, "push {constant}"),
            Instruction::Load(kind, local) => write!(f, "{}load {local}", letter(*kind)),
            Instruction::Store(kind, local) => write!(f, "{}store {local}", letter(*kind)),
            Instruction::Increment(local, by) => write!(f, "iinc {local}, {by}"),
            Instruction::ArrayLoad(element) => write!(f, "{}aload", element_letter(*element)),
            Instruction::ArrayStore(element) => write!(f, "{}astore", element_letter(*element)),
            Instruction::Stack(operation) => f.write_str(stack_mnemonic(*operation)),
            Instruction::Binary(operator, kind) => {
                write!(f, "{}{}", letter(*kind), binary_mnemonic(*operator))
            }
            Instruction::Negate(kind) => write!(f, "{}neg", letter(*kind)),
            Instruction::Convert(conversion) => {
                write!(
                    f,
                    "{}2{}",
                    letter(conversion.from),
                    primitive_letter(conversion.to)
                )
            }
            Instruction::CompareLongs => f.write_str("lcmp"),
            Instruction::CompareFloating(kind, unordered) => {
                let suffix = match unordered {
                    Unordered::Less => 'l',
                    Unordered::Greater => 'g',
                };
                write!(f, "{}cmp{suffix}", letter(*kind))
            }
            Instruction::If(condition, target) => write!(f, "{condition} {target}"),
            Instruction::Goto(target) => write!(f, "goto {target}"),
            Instruction::Switch(switch) => {
                f.write_str(if switch.is_table {
                    "tableswitch {"
                } else {
                    "lookupswitch {"
                })?;
                for (key, target) in &switch.cases {
                    write!(f, " {key}: {target}")?;
                }
                write!(f, " default: {} }}", switch.default)
            }
            Instruction::Return(Some(kind)) => write!(f, "{}return", letter(*kind)),
            Instruction::Return(None) => f.write_str("return"),
            Instruction::GetStatic(field) => write!(f, "getstatic {field}"),
            Instruction::PutStatic(field) => write!(f, "putstatic {field}"),
            Instruction::GetField(field) => write!(f, "getfield {field}"),
            Instruction::PutField(field) => write!(f, "putfield {field}"),
            Instruction::Invoke(invocation, method) => write!(f, "{invocation} {method}"),
            Instruction::InvokeDynamic(call) => {
                write!(
                    f,
                    "invokedynamic {}:{}",
                    call.name,
                    call.descriptor.descriptor()
                )
            }
            Instruction::New(ty) => write!(f, "new {ty}"),
            Instruction::NewArray(element) => write!(f, "newarray {element}"),
            Instruction::MultiNewArray(ty, dimensions) => {
                write!(f, "multianewarray {ty}, {dimensions}")
            }
            Instruction::ArrayLength => f.write_str("arraylength"),
            Instruction::Throw => f.write_str("athrow"),
            Instruction::CheckCast(ty) => write!(f, "checkcast {ty}"),
            Instruction::InstanceOf(ty) => write!(f, "instanceof {ty}"),
            Instruction::MonitorEnter => f.write_str("monitorenter"),
            Instruction::MonitorExit => f.write_str("monitorexit"),
            Instruction::JumpSubroutine(target) => write!(f, "jsr {target}"),
            Instruction::ReturnFromSubroutine(local) => write!(f, "ret {local}"),
        }
    }
}

/// The kind and the value; of a dynamic constant the name and type, not what it is computed from.
impl Display for Constant {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Constant::Null => f.write_str("null"),
            Constant::Int(value) => write!(f, "int {value}"),
            Constant::Long(value) => write!(f, "long {value}"),
            Constant::Float(bits) => write!(f, "float {:?}", f32::from_bits(*bits)),
            Constant::Double(bits) => write!(f, "double {:?}", f64::from_bits(*bits)),
            Constant::String(text) => write!(f, "String {text}"),
            Constant::Class(ty) => write!(f, "class {ty}"),
            Constant::MethodHandle(handle) => write!(f, "MethodHandle {handle}"),
            Constant::MethodType(ty) => write!(f, "MethodType {}", ty.descriptor()),
            Constant::Dynamic(dynamic) => {
                write!(f, "Dynamic {}:{}", dynamic.name, dynamic.ty.descriptor())
            }
        }
    }
}

impl Display for FieldReference {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}:{}", self.class, self.name, self.ty.descriptor())
    }
}

impl Display for MethodReference {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}.{}:{}",
            self.class,
            self.name,
            self.descriptor.descriptor()
        )
    }
}

impl Display for MethodHandle {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            MethodHandle::GetField(field) => write!(f, "REF_getField {field}"),
            MethodHandle::GetStatic(field) => write!(f, "REF_getStatic {field}"),
            MethodHandle::PutField(field) => write!(f, "REF_putField {field}"),
            MethodHandle::PutStatic(field) => write!(f, "REF_putStatic {field}"),
            MethodHandle::InvokeVirtual(method) => write!(f, "REF_invokeVirtual {method}"),
            MethodHandle::InvokeStatic(method) => write!(f, "REF_invokeStatic {method}"),
            MethodHandle::InvokeSpecial(method) => write!(f, "REF_invokeSpecial {method}"),
            MethodHandle::NewInvokeSpecial(method) => write!(f, "REF_newInvokeSpecial {method}"),
            MethodHandle::InvokeInterface(method) => write!(f, "REF_invokeInterface {method}"),
        }
    }
}

impl Display for Invocation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Invocation::Virtual => "invokevirtual",
            Invocation::Interface => "invokeinterface",
            Invocation::Special => "invokespecial",
            Invocation::Static => "invokestatic",
        })
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Zero(comparison) => write!(f, "if{comparison}"),
            Condition::Ints(comparison) => write!(f, "if_icmp{comparison}"),
            Condition::SameReference(true) => f.write_str("if_acmpeq"),
            Condition::SameReference(false) => f.write_str("if_acmpne"),
            Condition::Null(true) => f.write_str("ifnull"),
            Condition::Null(false) => f.write_str("ifnonnull"),
        }
    }
}

impl Display for Comparison {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Comparison::Equal => "eq",
            Comparison::NotEqual => "ne",
            Comparison::Less => "lt",
            Comparison::GreaterOrEqual => "ge",
            Comparison::Greater => "gt",
            Comparison::LessOrEqual => "le",
        })
    }
}

fn letter(kind: Kind) -> char {
    match kind {
        Kind::Int => 'i',
        Kind::Long => 'l',
        Kind::Float => 'f',
        Kind::Double => 'd',
        Kind::Reference => 'a',
    }
}

fn element_letter(element: Element) -> char {
    match element {
        Element::Int => 'i',
        Element::Long => 'l',
        Element::Float => 'f',
        Element::Double => 'd',
        Element::Reference => 'a',
        Element::ByteOrBoolean => 'b',
        Element::Char => 'c',
        Element::Short => 's',
    }
}

/// Conversions write `l` for long, where descriptors have `J`.
fn primitive_letter(primitive: Primitive) -> char {
    match primitive {
        Primitive::Long => 'l',
        other => other.letter().to_ascii_lowercase(),
    }
}

fn stack_mnemonic(operation: StackOperation) -> &'static str {
    match operation {
        StackOperation::Pop => "pop",
        StackOperation::Pop2 => "pop2",
        StackOperation::Dup => "dup",
        StackOperation::DupX1 => "dup_x1",
        StackOperation::DupX2 => "dup_x2",
        StackOperation::Dup2 => "dup2",
        StackOperation::Dup2X1 => "dup2_x1",
        StackOperation::Dup2X2 => "dup2_x2",
        StackOperation::Swap => "swap",
    }
}

fn binary_mnemonic(operator: Binary) -> &'static str {
    match operator {
        Binary::Add => "add",
        Binary::Subtract => "sub",
        Binary::Multiply => "mul",
        Binary::Divide => "div",
        Binary::Remainder => "rem",
        Binary::ShiftLeft => "shl",
        Binary::ShiftRight => "shr",
        Binary::ShiftRightUnsigned => "ushr",
        Binary::And => "and",
        Binary::Or => "or",
        Binary::Xor => "xor",
    }
}
