//! The state of a translation: registers, the operand stack, the instructions of the block.

use heapwright_ir::{
    BinaryOp, Comparison, Constant, Instruction, Operand, Operation, Position, Reg, Register,
    UnaryOp,
};
use heapwright_logic::{IntType, Sort};
use rustc_hash::FxHashMap;

use super::state::{Entry, Reference, State};
use crate::classfile::{Code, Kind, Pc};
use crate::hierarchy::DeclaredMethod;
use crate::world::{Trouble, World, kind_sort};

/// What a register that outlives its block stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum FrameSlot {
    /// A local variable.
    Local(u16),
    /// An entry of the operand stack, from the bottom.
    Stack(u16),
}

/// Registers of one sort that are used inside of a block only.
#[derive(Default)]
struct Temporaries {
    registers: Vec<Reg>,
    used: usize,
}

/// A translation under way.
pub(super) struct Emitter<'w> {
    pub(super) world: &'w mut World,
    pub(super) declared: DeclaredMethod,
    pub(super) registers: Vec<Register>,
    pub(super) params: u32,
    pub(super) instructions: Vec<Instruction>,
    pub(super) position: Position,
    pub(super) pc: Option<Pc>,
    /// The blocks that the current one leads to, exceptions apart.
    pub(super) successors: Vec<usize>,
    pub(super) stack: Vec<Entry>,
    pub(super) locals: Vec<Reference>,
    /// Whether handlers have not been told about the local variables yet.
    pub(super) locals_changed: bool,
    /// A comparison that the next instruction, a jump, decides.
    pub(super) three_way: Option<super::arithmetic::ThreeWay>,
    /// The receiver's register, if the receiver's variable is never assigned.
    pub(super) this: Option<Reg>,
    pub(super) places: FxHashMap<(FrameSlot, Kind), Reg>,
    temporaries: FxHashMap<Sort, Temporaries>,
    lines: Vec<(Pc, u16)>,
    names: FxHashMap<u16, String>,
    file: u32,
}

impl<'w> Emitter<'w> {
    pub(super) fn new(world: &'w mut World, declared: &DeclaredMethod, code: &Code) -> Self {
        let file = world.source_file(&declared.class);
        let mut names = FxHashMap::default();
        if !declared.method.access.is_static() {
            names.insert(0, "this".to_owned());
        }
        for variable in &code.variables {
            let name = names.entry(variable.local.0);
            name.or_insert_with(|| variable.name.to_string());
        }
        Emitter {
            world,
            declared: declared.clone(),
            registers: Vec::new(),
            params: 0,
            instructions: Vec::new(),
            position: Position::default(),
            pc: None,
            successors: Vec::new(),
            stack: Vec::new(),
            locals: vec![Reference::Unknown; usize::from(code.max_locals)],
            locals_changed: true,
            three_way: None,
            this: None,
            places: FxHashMap::default(),
            temporaries: FxHashMap::default(),
            lines: code.lines.clone(),
            names,
            file,
        }
    }

    /// The position of an instruction in the source.
    pub(super) fn position_of(&self, pc: Option<Pc>) -> Position {
        let after = self.lines.partition_point(|&(start, _)| Some(start) <= pc);
        let line = self.lines.get(..after).and_then(<[_]>::last);
        Position {
            file: self.file,
            line: line.map_or(0, |&(_, line)| line.into()),
            column: 0,
        }
    }

    pub(super) fn set_pc(&mut self, pc: Pc) {
        self.pc = Some(pc);
        self.position = self.position_of(Some(pc));
    }

    /// Begins a block: what is on the stack is in the registers that belong there.
    pub(super) fn begin(&mut self, state: State) -> Result<(), Trouble> {
        self.instructions.clear();
        for temporaries in self.temporaries.values_mut() {
            temporaries.used = 0;
        }
        self.locals = state.locals;
        self.locals_changed = true;
        self.stack.clear();
        for (height, (kind, reference)) in (0..).zip(state.stack) {
            let register = self.register(FrameSlot::Stack(height), kind);
            self.push(Operand::Register(register), kind, reference);
        }
        Ok(())
    }

    /// The state behind the current instruction.
    pub(super) fn state(&self) -> State {
        let stack = self.stack.iter();
        State {
            stack: stack
                .map(|entry| (entry.kind, entry.reference.clone()))
                .collect(),
            locals: self.locals.clone(),
        }
    }

    /// The state in which an exception handler begins.
    pub(super) fn handler_state(&self) -> State {
        State {
            stack: vec![(Kind::Reference, Reference::Unknown)],
            locals: self.locals.clone(),
        }
    }

    /// Adds an operation.
    pub(super) fn emit(&mut self, operation: Operation) {
        self.instructions.push(Instruction {
            operation,
            position: self.position,
        });
    }

    /// A new register.
    pub(super) fn new_register(&mut self, name: Option<String>, sort: Sort) -> Reg {
        let register = Reg(self.registers.len() as u32);
        self.registers.push(Register { name, sort });
        register
    }

    /// The register of a place.
    pub(super) fn register(&mut self, place: FrameSlot, kind: Kind) -> Reg {
        if let Some(&register) = self.places.get(&(place, kind)) {
            return register;
        }
        let name = match place {
            FrameSlot::Local(slot) => self.names.get(&slot).cloned(),
            FrameSlot::Stack(_) => None,
        };
        let register = self.new_register(name, kind_sort(kind));
        self.places.insert((place, kind), register);
        register
    }

    /// The name of a local variable, where it is known.
    pub(super) fn local_name(&self, slot: u16) -> Option<String> {
        self.names.get(&slot).cloned()
    }

    /// A register that nothing else uses in this block.
    pub(super) fn temporary(&mut self, sort: Sort) -> Reg {
        let temporaries = self.temporaries.entry(sort).or_default();
        temporaries.used += 1;
        if let Some(&register) = temporaries.registers.get(temporaries.used - 1) {
            return register;
        }
        let register = Reg(self.registers.len() as u32);
        temporaries.registers.push(register);
        self.registers.push(Register { name: None, sort });
        register
    }

    pub(super) fn push(&mut self, operand: Operand, kind: Kind, reference: Reference) {
        self.stack.push(Entry {
            operand,
            kind,
            reference,
            truth: None,
            not_null: matches!(operand, Operand::Global(_))
                || self
                    .this
                    .is_some_and(|this| operand == Operand::Register(this)),
        });
    }

    /// Takes an entry from the stack.
    pub(super) fn pop_any(&mut self) -> Result<Entry, Trouble> {
        self.stack.pop().ok_or(Trouble::StackUnderflow)
    }

    /// Takes an entry of a kind from the stack.
    pub(super) fn pop(&mut self, kind: Kind) -> Result<Entry, Trouble> {
        let entry = self.pop_any()?;
        match entry.kind == kind {
            true => Ok(entry),
            false => Err(Trouble::WrongKind {
                expected: kind,
                found: entry.kind,
            }),
        }
    }

    /// Pushes a value that has the sort of a field, parameter or element.
    pub(super) fn push_sorted(&mut self, value: Reg, sort: Sort, reference: Reference) {
        let operand = Operand::Register(value);
        match sort {
            Sort::Bool => self.push_truth(value),
            Sort::Machine(IntType::I64) => self.push(operand, Kind::Long, reference),
            Sort::Machine(IntType::I32) => self.push(operand, Kind::Int, reference),
            Sort::Machine(_) | Sort::Int => {
                let wide = self.convert(operand, kind_sort(Kind::Int));
                self.push(wide, Kind::Int, reference);
            }
            Sort::Float(heapwright_logic::FloatType::Single) => {
                self.push(operand, Kind::Float, reference);
            }
            Sort::Float(heapwright_logic::FloatType::Double) => {
                self.push(operand, Kind::Double, reference);
            }
            Sort::Ref(_) => self.push(operand, Kind::Reference, reference),
        }
    }

    /// Pushes a truth value as an int.
    pub(super) fn push_truth(&mut self, value: Reg) {
        let number = self.convert(Operand::Register(value), kind_sort(Kind::Int));
        self.push(number, Kind::Int, Reference::Unknown);
        if let Some(entry) = self.stack.last_mut() {
            entry.truth = Some(value);
        }
    }

    /// Converts to another sort of numbers, into a temporary.
    pub(super) fn convert(&mut self, value: Operand, sort: Sort) -> Operand {
        let to = self.temporary(sort);
        self.emit(Operation::Unary {
            to,
            op: UnaryOp::Convert(sort),
            a: value,
        });
        Operand::Register(to)
    }

    /// An entry as a value of the sort of a field, parameter or element.
    pub(super) fn sorted(&mut self, entry: &Entry, sort: Sort) -> Operand {
        let constant = match entry.operand {
            Operand::Constant(Constant::Int(IntType::I32, value)) => Some(value),
            _ => None,
        };
        match (sort, constant, entry.truth) {
            (Sort::Bool, Some(value), _) => Operand::Constant(Constant::Bool(value & 1 != 0)),
            (Sort::Bool, None, Some(truth)) => Operand::Register(truth),
            (Sort::Bool, None, None) => {
                let zero = Operand::Constant(Constant::Int(IntType::I32, 0));
                Operand::Register(self.compare(Comparison::Ne, entry.operand, zero))
            }
            (Sort::Machine(ty), Some(value), _) => {
                Operand::Constant(Constant::Int(ty, ty.wrap(value)))
            }
            (Sort::Machine(IntType::I8 | IntType::I16 | IntType::Char), None, _) => {
                self.convert(entry.operand, sort)
            }
            _ => entry.operand,
        }
    }

    /// Compares two values, into a temporary.
    pub(super) fn compare(&mut self, comparison: Comparison, a: Operand, b: Operand) -> Reg {
        let to = self.temporary(Sort::Bool);
        self.emit(Operation::Binary {
            to,
            op: BinaryOp::Compare(comparison),
            a,
            b,
        });
        to
    }

    /// A register is about to be written: entries of the stack that are its old value move away.
    pub(super) fn preserve(&mut self, register: Reg) {
        let old = Operand::Register(register);
        for index in 0..self.stack.len() {
            let entry = self.stack.get(index);
            let Some(kind) = entry.filter(|entry| entry.operand == old).map(|e| e.kind) else {
                continue;
            };
            let to = self.temporary(kind_sort(kind));
            self.emit(Operation::Move { to, from: old });
            if let Some(entry) = self.stack.get_mut(index) {
                entry.operand = Operand::Register(to);
            }
        }
    }

    /// Puts what is on the stack into the registers that belong there, at the end of a block.
    pub(super) fn flush(&mut self) -> Result<(), Trouble> {
        for height in 0..self.stack.len() {
            let Some(kind) = self.stack.get(height).map(|entry| entry.kind) else {
                continue;
            };
            let slot = u16::try_from(height).map_err(|_| Trouble::StackMismatch)?;
            let register = self.register(FrameSlot::Stack(slot), kind);
            let goal = Operand::Register(register);
            let Some(entry) = self.stack.get(height) else {
                continue;
            };
            let from = entry.operand;
            if from == goal {
                continue;
            }
            // Another entry may still be what the register holds.
            self.preserve(register);
            self.emit(Operation::Move { to: register, from });
            if let Some(entry) = self.stack.get_mut(height) {
                entry.operand = goal;
            }
        }
        Ok(())
    }
}
