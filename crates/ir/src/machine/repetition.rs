//! Runs that come back to a state in which they have been: they never end.
//!
//! A concrete run depends on its state alone: the active calls with their registers, the memory,
//! and what the environment answers. One state is remembered and compared with those behind it;
//! after 1, 2, 4, ... steps another one takes its place (R. P. Brent, An improved Monte Carlo
//! factorization algorithm, 1980), so a repetition is found soon after it has begun, and no more
//! than two states are kept. A run that asks the environment meanwhile may be told something else
//! next time, so it has not come back.

use super::concrete::{Concrete, Memory, Value};
use super::{Frame, Machine, MachineError, MachineOutcome};
use crate::function::{FunctionId, Position};

/// How a run went that was watched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Watched {
    /// It ended.
    Ended(MachineOutcome<Value>),
    /// It came back to the same state, so it never ends.
    Repeats {
        /// The first line of what is repeated, in the outermost call that takes part.
        position: Position,
    },
    /// It used up its steps, or another budget.
    OutOfBudget {
        /// So many steps.
        steps: u64,
        /// The first line of what was executed last, in the outermost call that took part.
        position: Position,
    },
}

/// A state, and what has happened since.
struct Remembered {
    frames: Vec<Frame<Value>>,
    memory: Memory,
    questions: u64,
    /// The fewest calls that were active since then.
    calls: usize,
    /// The first line of theirs.
    position: Option<Position>,
}

impl Machine<'_, Concrete<'_>> {
    /// Runs a function, and ends when it is known that the run does not.
    pub fn watch(
        &mut self,
        function: FunctionId,
        args: Vec<Value>,
    ) -> Result<Watched, MachineError> {
        self.begin();
        let start = super::ProgramPoint {
            function,
            block: crate::function::BlockId(0),
            instruction: 0,
        };
        let mut flow = self.enter(start, function, args, None);
        let mut known = self.remembered();
        let (mut steps, mut lifetime) = (0_u64, 1_u64);
        loop {
            match self.settle(start, flow)? {
                Some(MachineOutcome::OutOfBudget { position, .. }) => {
                    return Ok(Watched::OutOfBudget {
                        steps: self.used.steps,
                        position: known.position.unwrap_or(position),
                    });
                }
                Some(outcome) => return Ok(Watched::Ended(outcome)),
                None => {}
            }
            self.look(&mut known);
            if steps > 0 && self.is_in(&known) {
                let position = known.position.unwrap_or_default();
                return Ok(Watched::Repeats { position });
            }
            if steps == lifetime {
                known = self.remembered();
                (steps, lifetime) = (0, lifetime.saturating_mul(2));
            }
            steps += 1;
            flow = self.step();
        }
    }

    fn remembered(&self) -> Remembered {
        Remembered {
            frames: self.frames.clone(),
            memory: self.domain.memory.clone(),
            questions: self.domain.questions(),
            calls: usize::MAX,
            position: None,
        }
    }

    /// Takes the place into account that the run has come to.
    fn look(&self, known: &mut Remembered) {
        let calls = self.frames.len();
        if calls > known.calls {
            return;
        }
        if calls < known.calls {
            known.calls = calls;
            known.position = None;
        }
        let Some(position) = self.point().map(|point| point.position(self.program)) else {
            return;
        };
        let line = |position: Position| (position.file, position.line, position.column);
        let is_first = |known| line(position) < line(known);
        if position.line > 0 && known.position.is_none_or(is_first) {
            known.position = Some(position);
        }
    }

    /// Whether the state is the one that is remembered. What differs most often comes first.
    fn is_in(&self, known: &Remembered) -> bool {
        self.frames.len() == known.frames.len()
            && (self.frames.iter().rev().zip(known.frames.iter().rev())).all(|(one, other)| {
                (one.next, one.block, one.function) == (other.next, other.block, other.function)
                    && one.registers == other.registers
            })
            && self.domain.questions() == known.questions
            && self.domain.memory == known.memory
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Budgets;

    fn watched(text: &str, arguments: Vec<Value>, steps: u64) -> Watched {
        let program = crate::parse(text).expect("a program");
        let function = program.function_named("f").expect("a function");
        let budgets = Budgets {
            steps,
            ..Budgets::default()
        };
        let domain = Concrete::new(&program).varied(1);
        let mut machine = Machine::new(&program, domain, budgets);
        machine.watch(function, arguments).expect("a run")
    }

    /// Goes round as long as `n` is positive, and adds `step` to it each time.
    const LOOP: &str = "
function f(n: int, step: int) -> int {
  var goes: bool
b0:
  goes := gt n, 0
  if goes goto b1 else b2
b1:
  n := add.int n, step
  goto b0
b2:
  return n
}";

    #[test]
    fn the_same_state_again_is_noticed() {
        let run = |n, step| watched(LOOP, vec![Value::Int(n), Value::Int(step)], 10_000);
        assert!(matches!(run(3, 0), Watched::Repeats { .. }));
        assert!(matches!(run(3, -1), Watched::Ended(_)));
        // A counter makes all states different.
        assert!(matches!(
            run(3, 1),
            Watched::OutOfBudget { steps: 10_000, .. }
        ));
    }
}
