//! Which registers may still be read: the classic backward analysis, once for a whole function.

use crate::function::{BlockId, Function, Reg};
use crate::instruction::Operand;

/// The registers that are live at the beginning of each block of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Liveness {
    /// By block and register.
    live: Vec<Vec<bool>>,
}

impl Liveness {
    /// Analyses a function.
    pub fn of(function: &Function) -> Liveness {
        let none = vec![false; function.registers.len()];
        let mut live = vec![none; function.blocks.len()];
        // Blocks mostly follow each other, so going backwards most is known after one round.
        loop {
            let mut has_changed = false;
            for index in (0..function.blocks.len()).rev() {
                let now = at_beginning(function, index, &live);
                if let Some(before) = live.get_mut(index)
                    && *before != now
                {
                    *before = now;
                    has_changed = true;
                }
            }
            if !has_changed {
                return Liveness { live };
            }
        }
    }

    /// The registers that may be read from the beginning of a block on, before they are written.
    pub fn at(&self, block: BlockId) -> impl Iterator<Item = Reg> + '_ {
        let live = self.live.get(block.index()).map_or(&[][..], Vec::as_slice);
        let registers = (0..).map(Reg).zip(live);
        registers.filter_map(|(register, &is_live)| is_live.then_some(register))
    }
}

/// What is live at the beginning of a block, given that for all others.
fn at_beginning(function: &Function, index: usize, others: &[Vec<bool>]) -> Vec<bool> {
    let mut live = vec![false; function.registers.len()];
    let Some(block) = function.blocks.get(index) else {
        return live;
    };
    for successor in block.terminator.successors() {
        join(&mut live, others, successor, None);
    }
    read(&mut live, block.terminator.operand());
    for instruction in block.instructions.iter().rev() {
        if let Some(target) = instruction.operation.target()
            && let Some(known) = live.get_mut(target.index())
        {
            *known = false;
        }
        read(&mut live, instruction.operation.operands());
    }
    // A handler may be reached before anything of the block was executed.
    for handler in &block.handlers {
        join(&mut live, others, handler.block, Some(handler.exception));
    }
    live
}

/// What is live in a block that may come next is live, but for what is written on the way to it.
fn join(live: &mut [bool], others: &[Vec<bool>], block: BlockId, written: Option<Reg>) {
    let other = others.get(block.index()).map_or(&[][..], Vec::as_slice);
    for (register, (known, &other)) in live.iter_mut().zip(other).enumerate() {
        *known |= other && written.is_none_or(|written| written.index() != register);
    }
}

fn read(live: &mut [bool], operands: impl IntoIterator<Item = Operand>) {
    for operand in operands {
        if let Operand::Register(register) = operand
            && let Some(known) = live.get_mut(register.index())
        {
            *known = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn what_is_read_later_is_live() {
        let program = parse(
            "
            function count(n: int) -> int {
              var sum: int
              var more: bool
            b0:
              sum := 0
              goto b1
            b1:
              more := lt n, 10
              if more goto b2 else b3
            b2:
              sum := add.int sum, n
              n := add.int n, 1
              goto b1
            b3:
              return sum
            }",
        );
        let program = program.unwrap();
        let function = &program.functions[0];
        let live = Liveness::of(function);
        let names = |block: u32| -> Vec<&str> {
            let registers = live.at(BlockId(block));
            let names =
                registers.map(|register| function.registers[register.index()].name.as_deref());
            names.map(Option::unwrap_or_default).collect()
        };
        assert_eq!(names(0), ["n"]);
        assert_eq!(names(1), ["n", "sum"]);
        assert_eq!(names(2), ["n", "sum"]);
        assert_eq!(names(3), ["sum"]);
    }
}
