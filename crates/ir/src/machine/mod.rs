//! The interpreter: one machine for concrete, concolic and symbolic execution.
//!
//! [`Machine`] walks through functions, generic over a [`Domain`] of values; [`concrete`] is the
//! domain of ordinary values. The instruction families have a module each:
//!
//! | module | instructions |
//! | --- | --- |
//! | `scalar` | moves, arithmetic, assertions and assumptions |
//! | `memory` | objects, fields, arrays, type tests |
//! | `call`, `intrinsic` | calls and returns |
//! | `jump` | the other terminators |
//! | `exception` | throwing, faults, handlers |
//! | `demands` | what an access demands of the bytes that it finds |
//!
//! `slot_memory` is the memory under every domain; `repetition` notices that a run never ends;
//! `steer` lets a caller lead a run that has stopped around what it cannot execute.
//!
//! ```
//! use heapwright_ir::machine::concrete::{Concrete, Value};
//! use heapwright_ir::machine::{Budgets, Machine, MachineOutcome};
//!
//! let text = "
//! function twice(n: int) -> int {
//! b0:
//!   n := add.int n, n
//!   return n
//! }";
//! let program = heapwright_ir::parse(text)?;
//! let twice = program.function_named("twice").ok_or("no such function")?;
//! let mut machine = Machine::new(&program, Concrete::new(&program), Budgets::default());
//! let outcome = machine.run(twice, vec![Value::Int(1 << 30)])?;
//! assert_eq!(outcome, MachineOutcome::Returned(Some(Value::Int(-(1 << 31)))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The frames of the interpreted program are kept in a list: its recursion never becomes ours.
//! The program should have been accepted by the verifier. What the machine meets nevertheless
//! (a register without a value, a jump to nowhere) is a [`MachineError`], never a panic; only the
//! tables of classes are trusted to refer to classes that exist.

mod bits;
pub mod byte_access;
mod call;
pub mod concrete;
mod demands;
mod domain;
pub mod environment;
mod exception;
pub mod interned;
pub mod intrinsic;
mod jump;
pub mod layout;
pub mod leaves;
mod memory;
mod outcome;
mod raw_memory;
mod repetition;
mod scalar;
mod site;
pub mod slot_memory;
mod steer;

use heapwright_logic::{ClassId, Deadline, FloatType, Sort};
use rustc_hash::FxHashMap;

use crate::function::{Block, BlockId, Function, FunctionId, Position, Reg};
use crate::global::{Global, GlobalId};
use crate::instruction::{Constant, Operand, Operation};
use crate::program::{FaultKind, Program};

pub use domain::{Address, Domain, Intrinsic, ObjectId, Target};
pub use outcome::{Budget, Budgets, MachineError, MachineOutcome, Missing};
pub use repetition::Watched;
pub use site::{Edge, ProgramPoint, Question, Site, Successor};
pub use steer::Reached;

/// Steps between two looks at the clock.
const STEPS_PER_LOOK: u64 = 64;

/// Executes functions of a program over a domain.
///
/// A copy goes on independently from where the original is: a run that stopped at an open
/// question can be copied, once for every answer, and [resumed](Machine::resume).
#[derive(Clone)]
pub struct Machine<'p, D: Domain> {
    program: &'p Program,
    /// Values and memory; public, so that a caller can look at the memory between runs.
    pub domain: D,
    budgets: Budgets,
    deadline: Deadline,
    frames: Vec<Frame<D::Value>>,
    last_registers: Vec<Option<D::Value>>,
    /// Where the function, or the one that it is wrapped around, returned.
    last_return: Position,
    used: Usage,
    /// The exception objects that faults made, and where.
    raised: FxHashMap<ObjectId, (FaultKind, ProgramPoint)>,
}

/// What a run has used so far of its [`Budgets`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// Instructions and jumps.
    pub steps: u64,
    /// The largest number of calls that were active at the same time.
    pub depth: u32,
    /// Objects and arrays allocated.
    pub objects: u32,
    /// Elements of all arrays allocated.
    pub elements: u64,
}

/// An active call.
#[derive(Clone)]
struct Frame<V> {
    function: FunctionId,
    block: BlockId,
    /// Index of the next instruction; the number of instructions stands for the terminator.
    next: u32,
    registers: Vec<Option<V>>,
    /// Where the caller wants the result.
    result: Option<Reg>,
}

/// Why an instruction does not simply lead to the next one.
enum Interrupt<V, S> {
    Fault(FaultKind),
    /// The same with what the exception should know.
    FaultWith(FaultKind, Vec<V>),
    Throw(V),
    Finish(MachineOutcome<V>),
    Stop(S),
}

impl<V, S: From<MachineError>> From<MachineError> for Interrupt<V, S> {
    fn from(error: MachineError) -> Self {
        Interrupt::Stop(error.into())
    }
}

/// The result of executing a part of an instruction.
type Flow<D, T = ()> = Result<T, Interrupt<<D as Domain>::Value, <D as Domain>::Stop>>;

impl<'p, D: Domain> Machine<'p, D> {
    /// A machine for a program. The domain may already hold an input.
    pub fn new(program: &'p Program, domain: D, budgets: Budgets) -> Self {
        Machine {
            program,
            domain,
            budgets,
            deadline: Deadline::NEVER,
            frames: Vec::new(),
            last_registers: Vec::new(),
            last_return: Position::default(),
            used: Usage::default(),
            raised: FxHashMap::default(),
        }
    }

    /// Gives runs up at a deadline: they end with [`MachineError::Interrupted`].
    pub fn until(mut self, deadline: Deadline) -> Self {
        self.deadline = deadline;
        self
    }

    /// Runs a function to its end, with the whole budget. The memory is kept from run to run.
    pub fn run(
        &mut self,
        function: FunctionId,
        args: Vec<D::Value>,
    ) -> Result<MachineOutcome<D::Value>, D::Stop> {
        self.begin();
        let start = ProgramPoint {
            function,
            block: BlockId(0),
            instruction: 0,
        };
        let entered = self.enter(start, function, args, None);
        self.drive(start, entered)
    }

    /// Forgets the last run, but for the memory.
    fn begin(&mut self) {
        self.frames.clear();
        self.last_registers.clear();
        self.last_return = Position::default();
        self.used = Usage::default();
        self.raised.clear();
    }

    /// Goes on with a run that its domain stopped, by executing the instruction again that it
    /// stopped at. The domain has to have learnt an answer in the meantime. Nothing that an
    /// instruction changes is changed before all its questions are answered, so the run is the
    /// same as if it had never stopped.
    pub fn resume(&mut self) -> Result<MachineOutcome<D::Value>, D::Stop> {
        match self.point() {
            Some(point) => self.drive(point, Ok(())),
            None => Err(MachineError::IllSorted.into()),
        }
    }

    fn drive(
        &mut self,
        start: ProgramPoint,
        entered: Flow<D>,
    ) -> Result<MachineOutcome<D::Value>, D::Stop> {
        let mut flow = entered;
        loop {
            if let Some(outcome) = self.settle(start, flow)? {
                return Ok(outcome);
            }
            flow = self.step();
        }
    }

    /// Deals with what interrupts a run, if anything does: either execution goes on, or the run has
    /// ended. What happens before the first function is entered happens at the start.
    fn settle(
        &mut self,
        start: ProgramPoint,
        mut flow: Flow<D>,
    ) -> Result<Option<MachineOutcome<D::Value>>, D::Stop> {
        while let Err(interrupt) = flow {
            let point = self.point().unwrap_or(start);
            flow = match interrupt {
                Interrupt::Stop(stop) => return Err(stop),
                Interrupt::Finish(outcome) => return Ok(Some(outcome)),
                Interrupt::Fault(kind) => self.fault(point, kind, Vec::new()),
                Interrupt::FaultWith(kind, details) => self.fault(point, kind, details),
                Interrupt::Throw(exception) => self.throw(point, exception),
            };
        }
        Ok(None)
    }

    /// The value of a register of the outermost function when it returned, for languages in which
    /// variables are results. Nothing if it did not return or never wrote the register.
    pub fn last_value(&self, register: Reg) -> Option<&D::Value> {
        self.last_registers.get(register.index())?.as_ref()
    }

    /// The line of the `return` that ended the last run; that of the called function if the first
    /// one has no lines.
    pub fn last_return(&self) -> Position {
        self.last_return
    }

    /// What the last run has used.
    pub fn used(&self) -> Usage {
        self.used
    }

    /// Gives the domain back.
    pub fn into_domain(self) -> D {
        self.domain
    }
}

impl<'p, D: Domain> Machine<'p, D> {
    /// Executes the next instruction or terminator of the innermost frame.
    fn step(&mut self) -> Flow<D> {
        let (point, block) = self.next()?;
        if self.used.steps >= self.budgets.steps {
            return Err(self.exhausted(point, Budget::Steps));
        }
        let look = self.used.steps.is_multiple_of(STEPS_PER_LOOK);
        if look && self.deadline.is_over() {
            return Err(MachineError::Interrupted.into());
        }
        self.used.steps += 1;
        self.domain.on_step(point);
        match block.instructions.get(point.instruction as usize) {
            Some(instruction) => self.execute(point, &instruction.operation),
            None => self.terminate(point, &block.terminator),
        }
    }

    fn execute(&mut self, point: ProgramPoint, operation: &'p Operation) -> Flow<D> {
        match operation {
            Operation::Move { .. }
            | Operation::Unary { .. }
            | Operation::Binary { .. }
            | Operation::Assert { .. }
            | Operation::Check { .. }
            | Operation::Assume { .. } => self.execute_scalar(point, operation)?,
            Operation::Call { to, callee, args } => {
                // The frame goes on behind the call when the callee returns; until then it stays
                // at the call, whose block has the handlers and whose place faults report.
                return self.call(point, *to, callee, args);
            }
            _ => self.execute_memory(point, operation)?,
        }
        self.advance()
    }

    /// The point that the innermost frame has reached.
    fn point(&self) -> Option<ProgramPoint> {
        let frame = self.frames.last()?;
        Some(ProgramPoint {
            function: frame.function,
            block: frame.block,
            instruction: frame.next,
        })
    }

    fn next(&self) -> Flow<D, (ProgramPoint, &'p Block)> {
        let point = self.point().ok_or(MachineError::IllSorted)?;
        let function = self.function(point.function)?;
        let block = (function.blocks.get(point.block.index()))
            .ok_or(MachineError::NoBlock(point.function, point.block))?;
        Ok((point, block))
    }

    fn function(&self, id: FunctionId) -> Result<&'p Function, MachineError> {
        let function = self.program.functions.get(id.index());
        function.ok_or(MachineError::NoFunction(id))
    }

    fn advance(&mut self) -> Flow<D> {
        if let Some(frame) = self.frames.last_mut() {
            frame.next += 1;
        }
        Ok(())
    }

    fn value(&mut self, point: ProgramPoint, operand: Operand) -> Flow<D, D::Value> {
        let register = match operand {
            Operand::Constant(constant) => return Ok(self.domain.constant(constant)),
            Operand::Global(global) => return self.global_value(point, global),
            Operand::Register(register) => register,
        };
        let frame = self.frames.last();
        let slot = frame.and_then(|frame| frame.registers.get(register.index()));
        match slot {
            None => Err(MachineError::NoRegister(point.function, register).into()),
            Some(None) => Err(MachineError::Unassigned { register, point }.into()),
            Some(Some(value)) => Ok(value.clone()),
        }
    }

    /// Globals are no objects that the program allocates, so they use up nothing; but an array
    /// that is too long to be allocated is too long here as well.
    fn global_value(&mut self, point: ProgramPoint, id: GlobalId) -> Flow<D, D::Value> {
        let length = self.global(id)?.length.unwrap_or(0);
        if length > self.budgets.array_length {
            return Err(self.exhausted(point, Budget::ArrayLength));
        }
        self.domain.global(id).map_err(Interrupt::Stop)
    }

    fn global(&self, id: GlobalId) -> Result<&'p Global, MachineError> {
        let global = self.program.globals.get(id.index());
        global.ok_or(MachineError::NoGlobal(id))
    }

    fn set(&mut self, register: Reg, value: D::Value) -> Flow<D> {
        let Some(frame) = self.frames.last_mut() else {
            return Ok(());
        };
        match frame.registers.get_mut(register.index()) {
            Some(slot) => {
                *slot = Some(value);
                Ok(())
            }
            None => Err(MachineError::NoRegister(frame.function, register).into()),
        }
    }

    fn sort(&self, point: ProgramPoint, operand: Operand) -> Result<Sort, MachineError> {
        match operand {
            Operand::Register(register) => self.register_sort(point, register),
            Operand::Global(global) => Ok(Sort::Ref(self.global(global)?.class)),
            Operand::Constant(constant) => Ok(match constant {
                Constant::Bool(_) => Sort::Bool,
                Constant::Int(ty, _) => Sort::Machine(ty),
                Constant::Single(_) => Sort::Float(FloatType::Single),
                Constant::Double(_) => Sort::Float(FloatType::Double),
                Constant::Null => Sort::Ref(ClassId::ANY),
            }),
        }
    }

    fn register_sort(&self, point: ProgramPoint, register: Reg) -> Result<Sort, MachineError> {
        let function = self.function(point.function)?;
        let info = function.registers.get(register.index());
        info.map(|info| info.sort)
            .ok_or(MachineError::NoRegister(point.function, register))
    }

    /// The declared class of a reference.
    fn class(&self, point: ProgramPoint, operand: Operand) -> Result<ClassId, MachineError> {
        match self.sort(point, operand)? {
            Sort::Ref(class) => Ok(class),
            _ => Err(MachineError::IllSorted),
        }
    }

    fn exhausted(&self, point: ProgramPoint, budget: Budget) -> Interrupt<D::Value, D::Stop> {
        Interrupt::Finish(MachineOutcome::OutOfBudget {
            budget,
            point,
            position: point.position(self.program),
        })
    }
}
