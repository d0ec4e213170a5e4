//! Which small changes of a function are tried.
//!
//! Each stands for a mistake that people make: the wrong operator, a condition the wrong way round,
//! a number that is off by one, another field, a statement that is missing. Changes that are equal
//! by construction are left out, as far as the code alone says so: a swap of equal operands, adding
//! zero instead of subtracting it, leaving out a call of a function that does nothing.

use heapwright_ir::machine::ProgramPoint;
use heapwright_ir::{
    Arithmetic, BinaryOp, Block, BlockId, Callee, Comparison, Constant, Function, FunctionId,
    Operand, Operation, Position, Program, Reg, Terminator, UnaryOp,
};
use heapwright_logic::{FloatType, Sort};

/// A change of one instruction or jump.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Mutant {
    /// What is changed.
    pub point: ProgramPoint,
    /// How.
    pub change: Change,
}

/// How an instruction is changed.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Change {
    /// It has another operator.
    Operator {
        /// The one that it had.
        from: BinaryOp,
        /// The one that it has.
        to: BinaryOp,
    },
    /// Its two operands change places.
    SwappedOperands,
    /// The operator with one operand is left out.
    WithoutOperator,
    /// Its branch goes the other way.
    Negated,
    /// One of its operands is another constant.
    Constant {
        /// The position of the operand.
        operand: usize,
        /// The constant that it was.
        from: Constant,
        /// The constant that it is.
        to: Constant,
    },
    /// It reads or writes another field.
    OtherField {
        /// The position of the other field in the class.
        field: u32,
    },
    /// It is left out. A call that is left out returns this.
    LeftOut(Option<Constant>),
    /// An argument and the next one change places.
    SwappedArguments {
        /// The position of the first.
        first: usize,
    },
    /// It returns this.
    Returns(Constant),
}

impl Mutant {
    /// The place of the change in the source.
    pub fn position(&self, program: &Program) -> Position {
        self.point.position(program)
    }
}

/// The changes of a function, in the order of its code.
pub(super) fn of_function(program: &Program, id: FunctionId) -> Vec<Mutant> {
    let mut found = Vec::new();
    let Some(function) = program.functions.get(id.index()) else {
        return found;
    };
    let relevant = relevant(function);
    let fresh = fresh(function);
    let view = View {
        program,
        function,
        relevant: &relevant,
        fresh: &fresh,
    };
    for (block_id, block) in (0..).map(BlockId).zip(&function.blocks) {
        let mut add = |instruction: usize, changes: Vec<Change>| {
            let point = ProgramPoint {
                function: id,
                block: block_id,
                instruction: instruction as u32,
            };
            // What is nowhere in the source, somebody else has written.
            if point.position(program).line > 0 {
                found.extend(changes.into_iter().map(|change| Mutant { point, change }));
            }
        };
        for (index, instruction) in block.instructions.iter().enumerate() {
            add(index, view.changes(block, &instruction.operation));
        }
        add(block.instructions.len(), view.jumps(&block.terminator));
    }
    found
}

/// A function that is changed.
struct View<'f> {
    program: &'f Program,
    function: &'f Function,
    /// The registers that anything but checks depends on.
    relevant: &'f [bool],
    /// The registers that may hold an object that the function has made.
    fresh: &'f [bool],
}

impl View<'_> {
    fn changes(&self, block: &Block, operation: &Operation) -> Vec<Change> {
        let is_relevant = |to: &Reg| self.relevant.get(to.index()).copied().unwrap_or(false);
        match operation {
            Operation::Move { to, from } if is_relevant(to) => self.constants(&[*from], 0),
            Operation::Unary { to, op, .. } if is_relevant(to) => match op {
                UnaryOp::Not if decides(block, *to) => Vec::new(),
                UnaryOp::Not | UnaryOp::Neg | UnaryOp::Complement => vec![Change::WithoutOperator],
                UnaryOp::Convert(_) => Vec::new(),
            },
            Operation::Binary { to, op, a, b } if is_relevant(to) => {
                self.binary(*op, *a, *b, decides(block, *to))
            }
            Operation::Load { class, field, .. } => self.other_field(*class, *field),
            Operation::Store {
                class,
                field,
                value,
                ..
            } => {
                let mut changes = vec![Change::LeftOut(None)];
                changes.extend(self.constants(&[*value], 1));
                changes.extend(self.other_field(*class, *field));
                changes
            }
            Operation::LoadElement { index, .. } => self.constants(&[*index], 1),
            Operation::StoreElement { index, value, .. } => {
                let mut changes = vec![Change::LeftOut(None)];
                changes.extend(self.constants(&[*index, *value], 1));
                changes
            }
            Operation::Free { .. } => vec![Change::LeftOut(None)],
            Operation::Call { to, callee, args } => self.call(*to, callee, args),
            _ => Vec::new(),
        }
    }

    /// Another operator, other constants, the operands in the other order.
    fn binary(&self, op: BinaryOp, a: Operand, b: Operand, decides: bool) -> Vec<Change> {
        let mut changes = Vec::new();
        changes.extend(
            (operators(op, decides).into_iter())
                .filter(|to| !is_same(op, *to, b))
                .map(|to| Change::Operator { from: op, to }),
        );
        let is_ordered = match op {
            BinaryOp::Int(_, op) | BinaryOp::Float(_, op) => {
                matches!(op, Arithmetic::Sub | Arithmetic::Div | Arithmetic::Rem)
            }
            BinaryOp::Bool(_) | BinaryOp::Compare(_) => false,
        };
        if is_ordered && a != b {
            changes.push(Change::SwappedOperands);
        }
        changes.extend(self.constants(&[a, b], 0));
        changes
    }

    /// The call is left out, or two arguments of the same type change places.
    fn call(&self, to: Option<Reg>, callee: &Callee, args: &[Operand]) -> Vec<Change> {
        let first = match callee {
            Callee::Static(id) => {
                let callee = self.program.functions.get(id.index());
                // What the front end has put in is nothing that anybody could forget.
                if callee.is_none_or(|callee| {
                    callee.synthetic || does_nothing(self.program, callee, DEEPEST)
                }) {
                    return Vec::new();
                }
                0
            }
            Callee::Virtual(_) => 1,
            Callee::Intrinsic(_) => return Vec::new(),
        };
        let mut changes = Vec::new();
        let initialises = matches!((callee, args.first()), (Callee::Static(_), Some(Operand::Register(object)))
            if self.fresh.get(object.index()) == Some(&true));
        match to {
            // Objects are made with their constructors.
            None if initialises => {}
            None => changes.push(Change::LeftOut(None)),
            Some(to) => {
                let sort = self.function.registers.get(to.index());
                let default = sort.and_then(|known| default_of(known.sort));
                changes.extend(default.map(|value| Change::LeftOut(Some(value))));
            }
        }
        let pairs = args.iter().zip(args.iter().skip(1)).enumerate();
        let pairs = pairs.skip(first).filter(|(_, (one, other))| {
            one != other && self.sort(**one).is_some() && self.sort(**one) == self.sort(**other)
        });
        changes.extend(pairs.map(|(first, _)| Change::SwappedArguments { first }));
        changes.extend(self.constants(args, 0));
        changes
    }

    fn jumps(&self, terminator: &Terminator) -> Vec<Change> {
        match terminator {
            Terminator::Branch {
                then, otherwise, ..
            } if then != otherwise => vec![Change::Negated],
            Terminator::Return(Some(value)) => {
                let Some(sort) = self.function.result else {
                    return Vec::new();
                };
                let is_other = |to: &Constant| *value != Operand::Constant(*to);
                let to: Vec<Constant> = match (sort, default_of(sort)) {
                    (Sort::Bool, _) => vec![Constant::Bool(false), Constant::Bool(true)],
                    (_, Some(default)) if is_other(&default) => vec![default],
                    (Sort::Machine(ty), _) => vec![Constant::Int(ty, 1)],
                    _ => Vec::new(),
                };
                to.into_iter()
                    .filter(is_other)
                    .map(Change::Returns)
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// Another constant for each operand that is one; the first operand has this position.
    fn constants(&self, operands: &[Operand], first: usize) -> Vec<Change> {
        let operands = operands.iter().enumerate();
        let changed = operands.filter_map(|(position, operand)| match operand {
            Operand::Constant(from) => Some(Change::Constant {
                operand: first + position,
                from: *from,
                to: other_constant(*from)?,
            }),
            _ => None,
        });
        changed.collect()
    }

    /// The next field of the same type.
    fn other_field(&self, class: heapwright_logic::ClassId, field: u32) -> Vec<Change> {
        let info = self.program.classes.get(class.index());
        // Fields that lie inside of the object, or that are no fields to people, stay what they are.
        if info.is_none_or(|info| {
            !info.inside.embedded.is_empty()
                || !info.inside.hidden.is_empty()
                || info.inside.interior
        }) {
            return Vec::new();
        }
        let fields = &self.program.definitions.class(class).fields;
        let Some(own) = fields.get(field as usize) else {
            return Vec::new();
        };
        let others = (1..fields.len()).map(|step| (field as usize + step) % fields.len());
        let mut same = others.filter(|&other| {
            (fields.get(other))
                .is_some_and(|known| known.sort == own.sort && known.name != own.name)
        });
        let other = same.next();
        let other = other.map(|other| Change::OtherField {
            field: other as u32,
        });
        other.into_iter().collect()
    }

    fn sort(&self, operand: Operand) -> Option<Sort> {
        match operand {
            Operand::Register(register) => {
                let known = self.function.registers.get(register.index());
                known.map(|known| known.sort)
            }
            Operand::Constant(Constant::Int(ty, _)) => Some(Sort::Machine(ty)),
            Operand::Constant(Constant::Bool(_)) => Some(Sort::Bool),
            _ => None,
        }
    }
}

/// The registers that anything depends on but checks that the front end has put in.
fn relevant(function: &Function) -> Vec<bool> {
    let mut relevant = vec![false; function.registers.len()];
    fn mark(relevant: &mut [bool], operand: Operand) -> bool {
        match operand {
            Operand::Register(register) => match relevant.get_mut(register.index()) {
                Some(known) if !*known => {
                    *known = true;
                    true
                }
                _ => false,
            },
            _ => false,
        }
    }
    loop {
        let mut has_changed = false;
        for block in &function.blocks {
            for instruction in block.instructions.iter().rev() {
                let operation = &instruction.operation;
                let counts = match operation {
                    Operation::Check { .. } | Operation::Assume { .. } => false,
                    _ => match operation.target() {
                        Some(to) if !operation.may_throw() => {
                            relevant.get(to.index()).copied().unwrap_or(false)
                        }
                        _ => true,
                    },
                };
                if counts {
                    for operand in operation.operands() {
                        has_changed |= mark(&mut relevant, operand);
                    }
                }
            }
            let read = match &block.terminator {
                Terminator::Branch { condition, .. } => Some(*condition),
                Terminator::Switch { value, .. } | Terminator::Throw(value) => Some(*value),
                Terminator::Return(value) => *value,
                _ => None,
            };
            if let Some(operand) = read {
                has_changed |= mark(&mut relevant, operand);
            }
        }
        if !has_changed {
            return relevant;
        }
    }
}

/// Whether a value decides where a block leads: then the branch is negated, and not the value.
fn decides(block: &Block, register: Reg) -> bool {
    matches!(&block.terminator, Terminator::Branch { condition, .. }
        if *condition == Operand::Register(register))
}

/// The registers that get a new object, or what another one of these has.
fn fresh(function: &Function) -> Vec<bool> {
    let mut fresh = vec![false; function.registers.len()];
    let is_fresh = |fresh: &[bool], operand: &Operand| match operand {
        Operand::Register(register) => fresh.get(register.index()) == Some(&true),
        _ => false,
    };
    loop {
        let mut has_changed = false;
        let blocks = function.blocks.iter();
        for instruction in blocks.flat_map(|block| &block.instructions) {
            let to = match &instruction.operation {
                Operation::New { to, .. } => Some(to),
                Operation::Move { to, from } if is_fresh(&fresh, from) => Some(to),
                _ => None,
            };
            if let Some(known) = to.and_then(|to| fresh.get_mut(to.index()))
                && !*known
            {
                *known = true;
                has_changed = true;
            }
        }
        if !has_changed {
            return fresh;
        }
    }
}

/// How deep calls are looked into to find out that a function does nothing.
const DEEPEST: u32 = 3;

/// Whether a function returns without having done anything but calls of such functions.
fn does_nothing(program: &Program, function: &Function, depth: u32) -> bool {
    let is_idle = |operation: &Operation| match operation {
        Operation::Move { .. } | Operation::Undefine { .. } => true,
        Operation::Call {
            callee: Callee::Static(id),
            ..
        } if depth > 0 => {
            let callee = program.functions.get(id.index());
            callee.is_some_and(|callee| does_nothing(program, callee, depth - 1))
        }
        _ => false,
    };
    let mut blocks = function.blocks.iter();
    // Blocks without branches that lead on to later ones come to an end.
    (0..).zip(&mut blocks).all(|(index, block)| {
        let goes_on = match block.terminator {
            Terminator::Goto(BlockId(next)) => next > index,
            Terminator::Return(None) => true,
            _ => false,
        };
        goes_on && (block.instructions.iter()).all(|instruction| is_idle(&instruction.operation))
    })
}

/// What people write by mistake for an operator.
fn operators(op: BinaryOp, decides: bool) -> Vec<BinaryOp> {
    let other = |op: Arithmetic| match op {
        Arithmetic::Add => Arithmetic::Sub,
        Arithmetic::Sub => Arithmetic::Add,
        Arithmetic::Mul => Arithmetic::Div,
        Arithmetic::Div | Arithmetic::Rem => Arithmetic::Mul,
        Arithmetic::And => Arithmetic::Or,
        Arithmetic::Or | Arithmetic::Xor => Arithmetic::And,
        Arithmetic::Shl => Arithmetic::Shr,
        Arithmetic::Shr | Arithmetic::UShr => Arithmetic::Shl,
    };
    match op {
        BinaryOp::Int(ty, op) => vec![BinaryOp::Int(ty, other(op))],
        BinaryOp::Float(ty, op) => vec![BinaryOp::Float(ty, other(op))],
        BinaryOp::Bool(op) => match op {
            Arithmetic::And | Arithmetic::Or => vec![BinaryOp::Bool(other(op))],
            _ => Vec::new(),
        },
        BinaryOp::Compare(comparison) => {
            let (edge, opposite) = match comparison {
                Comparison::Eq => (None, Comparison::Ne),
                Comparison::Ne => (None, Comparison::Eq),
                Comparison::Lt => (Some(Comparison::Le), Comparison::Ge),
                Comparison::Le => (Some(Comparison::Lt), Comparison::Gt),
                Comparison::Gt => (Some(Comparison::Ge), Comparison::Le),
                Comparison::Ge => (Some(Comparison::Gt), Comparison::Lt),
            };
            let opposite = (!decides).then_some(opposite);
            let both = edge.into_iter().chain(opposite);
            both.map(BinaryOp::Compare).collect()
        }
    }
}

/// Whether two operators do the same with a constant on the right.
fn is_same(one: BinaryOp, other: BinaryOp, right: Operand) -> bool {
    let (BinaryOp::Int(_, one), BinaryOp::Int(_, other)) = (one, other) else {
        return false;
    };
    let Operand::Constant(Constant::Int(_, right)) = right else {
        return false;
    };
    matches!(
        (one, other, right),
        (
            Arithmetic::Add | Arithmetic::Sub,
            Arithmetic::Add | Arithmetic::Sub,
            0
        ) | (
            Arithmetic::Mul | Arithmetic::Div,
            Arithmetic::Mul | Arithmetic::Div,
            1
        ) | (
            Arithmetic::Shl | Arithmetic::Shr | Arithmetic::UShr,
            Arithmetic::Shl | Arithmetic::Shr,
            0
        )
    )
}

/// A constant that is off by one.
fn other_constant(constant: Constant) -> Option<Constant> {
    Some(match constant {
        Constant::Bool(value) => Constant::Bool(!value),
        Constant::Int(ty, 1) => Constant::Int(ty, 0),
        Constant::Int(ty, value) => Constant::Int(ty, ty.wrap(value.saturating_add(1))),
        Constant::Single(bits) => {
            let value = f32::from_bits(bits) + 1.0;
            Constant::Single(value.to_bits())
        }
        Constant::Double(bits) => {
            let value = f64::from_bits(bits) + 1.0;
            Constant::Double(value.to_bits())
        }
        Constant::Null => return None,
    })
    .filter(|other| *other != constant)
}

/// What a variable of a sort holds when nobody has given it a value.
fn default_of(sort: Sort) -> Option<Constant> {
    Some(match sort {
        Sort::Bool => Constant::Bool(false),
        Sort::Machine(ty) => Constant::Int(ty, 0),
        Sort::Float(FloatType::Single) => Constant::Single(0),
        Sort::Float(FloatType::Double) => Constant::Double(0),
        Sort::Ref(_) => Constant::Null,
        Sort::Int => return None,
    })
}
