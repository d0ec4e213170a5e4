//! Conditions of branches in words, rebuilt from the code where there is no source text.

mod fact;
mod mutant;

use std::collections::BTreeMap;

use heapwright_ir::machine::{Edge, ProgramPoint};
use heapwright_ir::{
    Arithmetic, BinaryOp, Block, Callee, Comparison, Constant, Function, Operand, Operation,
    Program, Reg, Terminator, UnaryOp,
};

pub use fact::fact;
pub use mutant::of_mutant;

/// How deep expressions are shown; what is deeper is left out.
const DEEPEST: u32 = 4;

/// The condition of a branch, or the value of a switch, as an expression over the variables.
/// Nothing if it depends on something that has no name.
pub fn of_edge(program: &Program, edge: Edge) -> Option<String> {
    let function = program.functions.get(edge.function.index())?;
    let block = function.blocks.get(edge.block.index())?;
    let (Terminator::Branch {
        condition: operand, ..
    }
    | Terminator::Switch { value: operand, .. }) = &block.terminator
    else {
        return None;
    };
    let view = View {
        program,
        function,
        definitions: definitions(block),
    };
    let text = view.operand(*operand, block.instructions.len(), DEEPEST)?;
    Some(plain(&text).to_owned())
}

/// The reference that an instruction looks into, as an expression over the variables.
pub fn of_reference(program: &Program, point: ProgramPoint) -> Option<String> {
    let function = program.functions.get(point.function.index())?;
    let block = function.blocks.get(point.block.index())?;
    let at = point.instruction as usize;
    let operand = match &block.instructions.get(at)?.operation {
        Operation::Free { object }
        | Operation::Load { object, .. }
        | Operation::Store { object, .. }
        | Operation::FieldAddress { object, .. }
        | Operation::InstanceOf { object, .. }
        | Operation::CheckCast { object, .. } => *object,
        Operation::LoadElement { array, .. }
        | Operation::StoreElement { array, .. }
        | Operation::Length { array, .. } => *array,
        Operation::Call {
            callee: Callee::Virtual(_),
            args,
            ..
        } => *args.first()?,
        _ => return None,
    };
    let view = View {
        program,
        function,
        definitions: definitions(block),
    };
    let text = view.operand(operand, at, DEEPEST)?;
    Some(plain(&text).to_owned())
}

/// An expression without the parentheses around all of it.
fn plain(text: &str) -> &str {
    let inner = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    inner.unwrap_or(text)
}

/// Where each register is written in a block, in order.
fn definitions(block: &Block) -> BTreeMap<Reg, Vec<(usize, &Operation)>> {
    let mut found: BTreeMap<Reg, Vec<_>> = BTreeMap::new();
    for (index, instruction) in block.instructions.iter().enumerate() {
        if let Some(register) = instruction.operation.target() {
            let written = found.entry(register).or_default();
            written.push((index, &instruction.operation));
        }
    }
    found
}

struct View<'p> {
    program: &'p Program,
    function: &'p Function,
    definitions: BTreeMap<Reg, Vec<(usize, &'p Operation)>>,
}

impl View<'_> {
    /// An operand as it is before an instruction.
    fn operand(&self, operand: Operand, before: usize, depth: u32) -> Option<String> {
        let register = match operand {
            Operand::Constant(constant) => return Some(literal(constant)),
            Operand::Global(_) => return None,
            Operand::Register(register) => register,
        };
        let written = self.definitions.get(&register).into_iter().flatten();
        let last = written.rev().find(|(index, _)| *index < before);
        let name = self.function.registers.get(register.index());
        let name = name.and_then(|known| known.name.clone());
        match (last, name) {
            (_, Some(name)) => Some(name),
            (Some((index, operation)), None) if depth > 0 => {
                self.operation(operation, *index, depth - 1)
            }
            _ => None,
        }
    }

    fn operation(&self, operation: &Operation, at: usize, depth: u32) -> Option<String> {
        let show = |operand: &Operand| self.operand(*operand, at, depth);
        let class = |id| {
            let name: &str = &self.program.definitions.class(id).name;
            name.rsplit(['.', '$']).next().unwrap_or(name).to_owned()
        };
        Some(match operation {
            Operation::Move { from, .. } => show(from)?,
            Operation::Unary { op, a, .. } => match op {
                UnaryOp::Not => format!("!{}", show(a)?),
                UnaryOp::Neg => format!("-{}", show(a)?),
                UnaryOp::Complement => format!("~{}", show(a)?),
                UnaryOp::Convert(_) => show(a)?,
            },
            Operation::Binary { op, a, b, .. } => {
                format!("({} {} {})", show(a)?, symbol(*op), show(b)?)
            }
            Operation::Load {
                object,
                class,
                field,
                ..
            } => {
                let fields = &self.program.definitions.class(*class).fields;
                let field = &fields.get(*field as usize)?.name;
                match object {
                    // The static fields of a class are those of a global.
                    Operand::Global(_) => field.clone(),
                    _ => format!("{}.{field}", show(object)?),
                }
            }
            Operation::LoadElement { array, index, .. } => {
                format!("{}[{}]", show(array)?, plain(&show(index)?))
            }
            Operation::Length { array, .. } => format!("{}.length", show(array)?),
            Operation::InstanceOf {
                object, class: id, ..
            } => format!("({} instanceof {})", show(object)?, class(*id)),
            Operation::Call { callee, args, .. } => self.call(callee, args, at, depth)?,
            _ => return None,
        })
    }

    fn call(&self, callee: &Callee, args: &[Operand], at: usize, depth: u32) -> Option<String> {
        let name = match callee {
            Callee::Static(id) => &self.program.functions.get(id.index())?.name,
            Callee::Virtual(name) | Callee::Intrinsic(name) => name,
        };
        let name = name.split('(').next().unwrap_or(name);
        let name = name.rsplit(['.', '#']).next().unwrap_or(name);
        let args: Option<Vec<String>> = (args.iter())
            .map(|&arg| Some(plain(&self.operand(arg, at, depth)?).to_owned()))
            .collect();
        let args = args?;
        Some(match (callee, args.split_first()) {
            (Callee::Virtual(_), Some((receiver, rest))) => {
                format!("{receiver}.{name}({})", rest.join(", "))
            }
            _ => format!("{name}({})", args.join(", ")),
        })
    }
}

fn literal(constant: Constant) -> String {
    match constant {
        Constant::Bool(value) => value.to_string(),
        Constant::Int(_, value) => value.to_string(),
        Constant::Single(bits) => f32::from_bits(bits).to_string(),
        Constant::Double(bits) => f64::from_bits(bits).to_string(),
        Constant::Null => "null".to_owned(),
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Int(_, op) | BinaryOp::Float(_, op) | BinaryOp::Bool(op) => match op {
            Arithmetic::Add => "+",
            Arithmetic::Sub => "-",
            Arithmetic::Mul => "*",
            Arithmetic::Div => "/",
            Arithmetic::Rem => "%",
            Arithmetic::And => "&",
            Arithmetic::Or => "|",
            Arithmetic::Xor => "^",
            Arithmetic::Shl => "<<",
            Arithmetic::Shr => ">>",
            Arithmetic::UShr => ">>>",
        },
        BinaryOp::Compare(comparison) => match comparison {
            Comparison::Eq => "==",
            Comparison::Ne => "!=",
            Comparison::Lt => "<",
            Comparison::Le => "<=",
            Comparison::Gt => ">",
            Comparison::Ge => ">=",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwright_ir::machine::Successor;
    use heapwright_ir::{BlockId, FunctionId};

    #[test]
    fn conditions_are_rebuilt_from_the_code() {
        let text = "
class Node {
  value: int
  next: Node
}
function f(x: Node, n: int) -> int {
  var t: Node
  var s: int
  var b: bool
b0:
  t := x->Node::next
  s := t->Node::value
  s := add.int s, n
  b := lt s, 5
  if b goto b1 else b1
b1:
  return n
}";
        let mut program = heapwright_ir::parse(text).expect("a program");
        // Temporary values have no names.
        for register in &mut program.functions[0].registers[2..] {
            register.name = None;
        }
        let edge = Edge {
            function: FunctionId(0),
            block: BlockId(0),
            successor: Successor::Jump(0),
        };
        let condition = of_edge(&program, edge);
        assert_eq!(condition.as_deref(), Some("(x.next.value + n) < 5"));
    }
}
