//! From the bytecode of one method to a function of the core language.
//!
//! The code is cut into blocks, and the blocks are executed abstractly: an operand stack holds
//! *operands* (constants and registers) instead of values, so that pushing a constant or a local
//! variable costs nothing. Where blocks meet, what is on the stack goes to registers that belong
//! to the height and the kind of each entry. Local variables are registers by slot and kind.
//!
//! The same walk finds the types of references, which `baload` and its like need, because bytes
//! and booleans share their instructions. A block whose entry state changes is translated again;
//! types only become less precise, so that ends.
//!
//! Conditional jumps and switches become the only branches: branch coverage of the function is
//! that of the bytecode.
//!
//! | module | instructions |
//! | --- | --- |
//! | `constants` | constants, strings, class objects |
//! | `locals` | local variables and stack operations |
//! | `arithmetic` | arithmetic, conversions, comparisons that give numbers |
//! | `jumps` | conditional jumps, switches, returns, throws |
//! | `fields` | fields, static and of objects |
//! | `arrays` | arrays |
//! | `assertions` | assertions that do more than ask |
//! | `objects` | new objects, casts, type tests |
//! | `calls`, `reflection` | method calls |
//! | `dynamic` | `invokedynamic` |
//! | `lambda`, `concatenation`, `records`, `pattern_switch` | what it stands for |

mod arithmetic;
mod arrays;
mod assertions;
mod blocks;
mod calls;
mod concatenation;
mod constants;
mod dynamic;
mod emitter;
mod fields;
mod instructions;
mod jumps;
mod lambda;
mod locals;
mod objects;
mod pattern_switch;
mod prologue;
mod records;
mod reflection;
mod state;

pub(crate) use concatenation::{append, builder_call};
pub(crate) use dynamic::{Assembler, made_up_class};

use heapwright_ir::{Block, BlockId, Function, Handler, Position, Terminator};

use crate::classfile::{Code, Kind, Pc};
use crate::descriptor::Type;
use crate::hierarchy::DeclaredMethod;
use crate::world::{TranslateError, Trouble, World};
use blocks::Blocks;
use emitter::{Emitter, FrameSlot};
use state::State;

/// A translated method.
#[derive(Debug, Clone)]
pub struct Translated {
    /// The function.
    pub function: Function,
    /// The instructions behind its branches and switches.
    pub jumps: Vec<(BlockId, Pc)>,
}

/// Translates a method; `name` is what the function will be called.
pub fn translate(
    world: &mut World,
    declared: &DeclaredMethod,
    name: String,
) -> Result<Translated, TranslateError> {
    let mut place = crate::world::place(declared);
    let body = declared.method.body().map_err(Trouble::from);
    let code = body.map_err(|problem| TranslateError {
        place: place.clone(),
        problem: Box::new(problem),
    })?;
    let mut emitter = Emitter::new(world, declared, code);
    let translated = translate_body(&mut emitter, declared, code, name);
    translated.map_err(|problem| {
        place.pc = emitter.pc;
        let problem = Box::new(problem);
        TranslateError { place, problem }
    })
}

fn translate_body(
    emitter: &mut Emitter<'_>,
    declared: &DeclaredMethod,
    code: &Code,
    name: String,
) -> Result<Translated, Trouble> {
    let blocks = Blocks::new(code);
    let (prologue, entry) = emitter.prologue(declared, code)?;
    let mut walk = Walk {
        states: vec![None; blocks.len()],
        waiting: Vec::new(),
        translated: vec![None; blocks.len()],
    };
    walk.arrive(0, &entry)?;
    let mut jumps = vec![None; blocks.len()];
    while let Some(index) = walk.waiting.pop() {
        let Some(state) = walk.states.get(index).cloned().flatten() else {
            continue;
        };
        let (block, jump) = walk.block(emitter, code, &blocks, index, state)?;
        if let (Some(place), Some(known)) = (walk.translated.get_mut(index), jumps.get_mut(index)) {
            *place = Some(block);
            *known = jump;
        }
    }
    let unreachable = || Block {
        instructions: Vec::new(),
        terminator: Terminator::Unreachable,
        position: Position::default(),
        handlers: Vec::new(),
    };
    let mut all = vec![prologue];
    let rest = walk.translated.into_iter();
    all.extend(rest.map(|block| block.unwrap_or_else(unreachable)));
    let jumps = (0..).zip(jumps);
    let result = declared.method.descriptor.result.as_ref();
    Ok(Translated {
        jumps: jumps
            .filter_map(|(index, pc)| Some((block_id(index), pc?)))
            .collect(),
        function: Function {
            name,
            params: emitter.params,
            result: result.map(|ty| emitter.world.sort(ty)),
            registers: std::mem::take(&mut emitter.registers),
            blocks: all,
            position: emitter.position_of(code.instructions.first().map(|(pc, _)| *pc)),
            synthetic: declared.class.access.is_synthetic(),
        },
    })
}

/// The prologue is block 0.
fn block_id(index: usize) -> BlockId {
    BlockId(index as u32 + 1)
}

/// The fixed point over the blocks.
struct Walk {
    states: Vec<Option<State>>,
    waiting: Vec<usize>,
    translated: Vec<Option<Block>>,
}

impl Walk {
    /// A path comes to a block with a state.
    fn arrive(&mut self, index: usize, state: &State) -> Result<(), Trouble> {
        let Some(known) = self.states.get_mut(index) else {
            return Err(Trouble::EndOfCode);
        };
        let changed = match known {
            None => {
                *known = Some(state.clone());
                true
            }
            Some(known) => known.merge(state)?,
        };
        if changed && !self.waiting.contains(&index) {
            self.waiting.push(index);
        }
        Ok(())
    }

    fn block(
        &mut self,
        emitter: &mut Emitter<'_>,
        code: &Code,
        blocks: &Blocks,
        index: usize,
        state: State,
    ) -> Result<(Block, Option<Pc>), Trouble> {
        let range = blocks.range(index);
        let handlers = blocks.handlers(index);
        emitter.begin(state)?;
        let mut terminator = None;
        for at in range.clone() {
            let Some((pc, instruction)) = code.instructions.get(at) else {
                return Err(Trouble::EndOfCode);
            };
            emitter.set_pc(*pc);
            // Every instruction may throw, with the local variables as they are before it.
            if emitter.locals_changed {
                emitter.locals_changed = false;
                for &(_, target) in handlers {
                    self.arrive(target, &emitter.handler_state())?;
                }
            }
            let next = match at + 1 < range.end {
                true => code.instructions.get(at + 1).map(|(_, next)| next),
                false => None,
            };
            terminator = emitter.instruction(instruction, next, blocks, index)?;
            if terminator.is_some() {
                break;
            }
        }
        let terminator = match terminator {
            Some(terminator) => terminator,
            None => {
                emitter.flush()?;
                emitter.successors = vec![index + 1];
                Terminator::Goto(block_id(index + 1))
            }
        };
        let after = emitter.state();
        for successor in std::mem::take(&mut emitter.successors) {
            self.arrive(successor, &after)?;
        }
        let jump = matches!(
            terminator,
            Terminator::Branch { .. } | Terminator::Switch { .. }
        );
        let mut catchers = Vec::new();
        for (class, target) in handlers {
            let class = match class {
                Some(class) => Some(emitter.world.complete(&Type::Class(class.clone()))?),
                None => None,
            };
            catchers.push(Handler {
                class,
                exception: emitter.register(FrameSlot::Stack(0), Kind::Reference),
                block: block_id(*target),
            });
        }
        let block = Block {
            instructions: std::mem::take(&mut emitter.instructions),
            terminator,
            position: emitter.position,
            handlers: catchers,
        };
        Ok((block, emitter.pc.filter(|_| jump)))
    }
}
