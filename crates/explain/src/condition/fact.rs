//! What holds when a branch is taken: the condition of the jump, or its negation, as somebody would
//! write it.

use std::collections::BTreeSet;

use heapwright_ir::machine::{Edge, Successor};
use heapwright_ir::{
    BinaryOp, Comparison, Constant, Operand, Operation, Program, Reg, Terminator, UnaryOp,
};
use heapwright_logic::Sort;

use super::{DEEPEST, View, definitions, plain, symbol};

/// What holds when an edge of a branch is taken, as an expression: `t == null` where the jump was
/// `t != null` and is not taken. Nothing if it depends on something that has no name.
pub fn fact(program: &Program, edge: Edge) -> Option<String> {
    let function = program.functions.get(edge.function.index())?;
    let block = function.blocks.get(edge.block.index())?;
    let Terminator::Branch { condition, .. } = &block.terminator else {
        return None;
    };
    let holds = match edge.successor {
        Successor::Jump(number @ 0..=1) => number == 0,
        _ => return None,
    };
    let view = View {
        program,
        function,
        definitions: definitions(block),
    };
    let text = view.truth(*condition, block.instructions.len(), holds)?;
    Some(plain(&text).to_owned())
}

impl View<'_> {
    /// A condition that holds, or its negation without `!` where there is one.
    fn truth(&self, operand: Operand, before: usize, holds: bool) -> Option<String> {
        let (mut operand, mut before, mut holds) = (operand, before, holds);
        // Every step leads to an earlier instruction.
        while let Some((at, operation)) = self.definition(operand, before) {
            match operation {
                Operation::Move { from, .. } => operand = *from,
                Operation::Unary {
                    op: UnaryOp::Not,
                    a,
                    ..
                } => {
                    operand = *a;
                    holds = !holds;
                }
                Operation::Unary {
                    op: UnaryOp::Convert(_),
                    a,
                    ..
                } if self.is_truth(*a, at) => operand = *a,
                Operation::Binary {
                    op: BinaryOp::Compare(comparison @ (Comparison::Eq | Comparison::Ne)),
                    a,
                    b: Operand::Constant(Constant::Int(_, 0)),
                    ..
                } if self.is_truth(*a, at) => {
                    operand = *a;
                    holds ^= *comparison == Comparison::Eq;
                }
                Operation::Binary {
                    op: BinaryOp::Compare(comparison),
                    a,
                    b,
                    ..
                } if holds || !(self.is_float(*a) || self.is_float(*b)) => {
                    let comparison = match holds {
                        true => *comparison,
                        false => opposite(*comparison),
                    };
                    let show = |operand| self.operand(operand, at, DEEPEST);
                    let symbol = symbol(BinaryOp::Compare(comparison));
                    return Some(format!("({} {symbol} {})", show(*a)?, show(*b)?));
                }
                _ => break,
            }
            before = at;
        }
        let text = self.operand(operand, before, DEEPEST)?;
        Some(match holds {
            true => text,
            false => format!("!{text}"),
        })
    }

    /// The operation whose result an unnamed register holds before an instruction.
    fn definition(&self, operand: Operand, before: usize) -> Option<(usize, &Operation)> {
        let Operand::Register(register) = operand else {
            return None;
        };
        let known = self.function.registers.get(register.index())?;
        if known.name.is_some() {
            return None;
        }
        let written = self.definitions.get(&register).into_iter().flatten();
        let last = written.rev().find(|(index, _)| *index < before);
        last.map(|&(index, operation)| (index, operation))
    }

    /// Whether an operand is a truth value, or one as a number.
    fn is_truth(&self, operand: Operand, before: usize) -> bool {
        let (mut operand, mut before) = (operand, before);
        while let Operand::Register(register) = operand {
            if self.sort(register) == Some(Sort::Bool) {
                return true;
            }
            let definition = self.definition(operand, before);
            match definition.and_then(|(at, operation)| Some((passed_on(operation)?, at))) {
                Some(earlier) => (operand, before) = earlier,
                None => return self.is_flag(register),
            }
        }
        false
    }

    /// Whether a register is a number that only ever holds truth values: bytecode has no other
    /// variables for them.
    fn is_flag(&self, register: Reg) -> bool {
        let mut waiting = vec![register];
        let mut seen = BTreeSet::new();
        let mut constants = BTreeSet::new();
        let mut converted = false;
        while let Some(register) = waiting.pop() {
            if !seen.insert(register) {
                continue;
            }
            if self.sort(register) == Some(Sort::Bool) {
                converted = true;
                continue;
            }
            if register.index() < self.function.params as usize {
                return false;
            }
            let blocks = self.function.blocks.iter();
            let instructions = blocks.flat_map(|block| &block.instructions);
            let operations = instructions.map(|instruction| &instruction.operation);
            for operation in operations.filter(|known| known.target() == Some(register)) {
                match passed_on(operation) {
                    Some(Operand::Register(from)) => waiting.push(from),
                    Some(Operand::Constant(Constant::Int(_, value @ 0..=1))) => {
                        constants.insert(value);
                    }
                    _ => return false,
                }
            }
        }
        // A number that is never anything but zero is no flag.
        converted || constants.len() == 2
    }

    fn is_float(&self, operand: Operand) -> bool {
        match operand {
            Operand::Constant(constant) => {
                matches!(constant, Constant::Single(_) | Constant::Double(_))
            }
            Operand::Register(register) => matches!(self.sort(register), Some(Sort::Float(_))),
            Operand::Global(_) => false,
        }
    }

    fn sort(&self, register: Reg) -> Option<Sort> {
        let known = self.function.registers.get(register.index());
        known.map(|known| known.sort)
    }
}

/// The truth value that an operation passes on, if it does: copied, or as another number.
fn passed_on(operation: &Operation) -> Option<Operand> {
    match operation {
        Operation::Move { from: value, .. }
        | Operation::Unary {
            op: UnaryOp::Convert(_),
            a: value,
            ..
        } => Some(*value),
        _ => None,
    }
}

/// The comparison that holds where another does not; not for floats, which need have no order.
fn opposite(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Eq => Comparison::Ne,
        Comparison::Ne => Comparison::Eq,
        Comparison::Lt => Comparison::Ge,
        Comparison::Le => Comparison::Gt,
        Comparison::Gt => Comparison::Le,
        Comparison::Ge => Comparison::Lt,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwright_ir::{BlockId, FunctionId};

    /// What holds on an edge of a function whose registers beyond the first few have no names.
    fn shown(text: &str, named: usize, block: u32, successor: u32) -> String {
        let mut program = heapwright_ir::parse(text).expect("a program");
        for register in &mut program.functions[0].registers[named..] {
            register.name = None;
        }
        let edge = Edge {
            function: FunctionId(0),
            block: BlockId(block),
            successor: Successor::Jump(successor),
        };
        fact(&program, edge).expect("a condition")
    }

    #[test]
    fn the_negation_of_a_comparison_is_one() {
        let text = "
function f(n: int) -> int {
  var b: bool
b0:
  b := lt n, 5
  if b goto b1 else b1
b1:
  return n
}";
        assert_eq!(shown(text, 1, 0, 0), "n < 5");
        assert_eq!(shown(text, 1, 0, 1), "n >= 5");
    }

    #[test]
    fn variables_for_truth_values_are_known_by_what_they_hold() {
        let text = |otherwise: &str| {
            format!(
                "
function f(n: int) -> int {{
  var found: int
  var b: bool
b0:
  found := 1
  b := eq n, 0
  if b goto b1 else b2
b1:
  found := {otherwise}
  goto b2
b2:
  b := ne found, 0
  if b goto b3 else b3
b3:
  return n
}}"
            )
        };
        assert_eq!(shown(&text("0"), 2, 2, 1), "!found");
        assert_eq!(shown(&text("2"), 2, 2, 1), "found == 0");
        assert_eq!(shown(&text("n"), 2, 2, 1), "found == 0");
    }

    #[test]
    fn truth_values_are_not_compared_with_zero() {
        let text = "
function f(p: bool, n: int) -> int {
  var i: int
  var b: bool
b0:
  i := convert p as int
  b := eq i, 0
  if b goto b1 else b1
b1:
  return n
}";
        assert_eq!(shown(text, 2, 0, 0), "!p");
        assert_eq!(shown(text, 2, 0, 1), "p");
    }
}
