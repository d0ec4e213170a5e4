//! Checks functions as a whole, and their jumps and handlers.

use heapwright_logic::Sort;
use rustc_hash::FxHashSet;

use super::{Checker, ProgramPart, Violation};
use crate::function::{Block, BlockId, Function, FunctionId, Handler, Position, Reg};
use crate::global::GlobalId;
use crate::instruction::{Constant, Operand, Terminator};
use crate::program::Program;

impl Checker<'_> {
    /// Checks all functions.
    pub(super) fn check_functions(&mut self) {
        let mut names = FxHashSet::default();
        for (id, function) in (0u32..).map(FunctionId).zip(&self.program.functions) {
            let mut body = Body::new(self, id, function);
            if !names.insert(function.name.as_str()) {
                body.report(Violation::DuplicateFunction);
            }
            body.check();
        }
    }

    /// Checks one function, if there is one with this id.
    pub(super) fn check_function(&mut self, id: FunctionId) {
        if let Some(function) = self.program.functions.get(id.index()) {
            Body::new(self, id, function).check();
        }
    }
}

/// The check of one function: where it is, and where it reports to.
pub(super) struct Body<'c, 'a> {
    pub(super) program: &'a Program,
    pub(super) checker: &'c mut Checker<'a>,
    id: FunctionId,
    pub(super) function: &'a Function,
    pub(super) block: Option<BlockId>,
    pub(super) instruction: Option<usize>,
}

/// What is known about the value of an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Typed {
    /// It is null, which fits every reference.
    Null,
    /// It has a sort.
    Sort(Sort),
}

impl Typed {
    pub(super) fn is_ref(self) -> bool {
        match self {
            Typed::Null => true,
            Typed::Sort(sort) => sort.is_ref(),
        }
    }
}

impl<'c, 'a> Body<'c, 'a> {
    fn new(checker: &'c mut Checker<'a>, id: FunctionId, function: &'a Function) -> Self {
        Body {
            program: checker.program,
            checker,
            id,
            function,
            block: None,
            instruction: None,
        }
    }
}

impl Body<'_, '_> {
    /// Reports something at the current place.
    pub(super) fn report(&mut self, violation: Violation) {
        let place = ProgramPart::Function {
            function: self.id,
            name: self.function.name.clone(),
            block: self.block,
            instruction: self.instruction,
        };
        self.checker.report(place, violation);
    }

    fn check(&mut self) {
        let function = self.function;
        self.check_position(function.position);
        if function.params as usize > function.registers.len() {
            self.report(Violation::ParameterCount {
                params: function.params,
                registers: function.registers.len(),
            });
        }
        let sorts = function.registers.iter().map(|register| register.sort);
        for sort in sorts.chain(function.result) {
            if let Some(violation) = self.checker.bad_sort(sort) {
                self.report(violation);
            }
        }
        if function.blocks.is_empty() {
            self.report(Violation::NoBlocks);
        }
        for (id, block) in (0u32..).map(BlockId).zip(&function.blocks) {
            self.block = Some(id);
            self.check_block(block);
        }
        self.check_assignment();
    }

    fn check_block(&mut self, block: &Block) {
        for handler in &block.handlers {
            self.check_handler(handler);
        }
        for (index, instruction) in block.instructions.iter().enumerate() {
            self.instruction = Some(index);
            self.check_position(instruction.position);
            self.check_operation(&instruction.operation);
        }
        self.instruction = None;
        self.check_position(block.position);
        self.check_terminator(&block.terminator);
    }

    fn check_position(&mut self, position: Position) {
        let known = (position.file as usize) < self.program.files.len();
        if position.line != 0 && !known {
            self.report(Violation::NoSuchFile(position.file));
        }
    }

    fn check_handler(&mut self, handler: &Handler) {
        self.check_target(handler.block);
        if let Some(class) = handler.class
            && !self.checker.has_class(class)
        {
            self.report(Violation::NoSuchClass(class));
            return;
        }
        match (handler.class, self.register(handler.exception)) {
            (_, Some(sort)) if !sort.is_ref() => {
                self.wrong_sort("the exception", Typed::Sort(sort), "a reference");
            }
            (Some(class), Some(_)) => {
                self.result_fits("the exception", Sort::Ref(class), handler.exception);
            }
            _ => {}
        }
    }

    fn check_target(&mut self, target: BlockId) {
        if target.index() >= self.function.blocks.len() {
            self.report(Violation::NoSuchBlock(target));
        }
    }

    fn check_terminator(&mut self, terminator: &Terminator) {
        match terminator {
            Terminator::Goto(target) => self.check_target(*target),
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => {
                self.operand_fits("the condition", *condition, Sort::Bool);
                self.check_target(*then);
                self.check_target(*otherwise);
            }
            Terminator::Switch {
                value,
                cases,
                default,
            } => {
                self.check_switch(*value, cases);
                self.check_target(*default);
            }
            Terminator::Return(value) => match (value, self.function.result) {
                (None, None) => {}
                (Some(value), Some(sort)) => self.operand_fits("the result", *value, sort),
                (Some(value), None) => {
                    self.operand(*value);
                    self.report(Violation::ReturnsValue);
                }
                (None, Some(_)) => self.report(Violation::ReturnsNothing),
            },
            Terminator::Throw(exception) => self.expect_reference("the exception", *exception),
            Terminator::Unreachable | Terminator::Absent => {}
        }
    }

    fn check_switch(&mut self, value: Operand, cases: &[(i128, BlockId)]) {
        let sort = self.expect_integer("the value", value);
        let mut seen = FxHashSet::default();
        for &(case, target) in cases {
            if !seen.insert(case) {
                self.report(Violation::DuplicateCase(case));
            }
            if let Some(Sort::Machine(ty)) = sort
                && !ty.contains(case)
            {
                self.report(Violation::Range { ty, value: case });
            }
            self.check_target(target);
        }
    }

    /// The sort of a register, if it exists.
    pub(super) fn register(&mut self, register: Reg) -> Option<Sort> {
        let known = self.function.registers.get(register.index());
        if known.is_none() {
            self.report(Violation::NoSuchRegister(register));
        }
        known.map(|register| register.sort)
    }

    /// The sort of a global, if it exists.
    fn global(&mut self, global: GlobalId) -> Option<Sort> {
        let known = self.program.globals.get(global.index());
        if known.is_none() {
            self.report(Violation::NoSuchGlobal(global));
        }
        known.map(|global| Sort::Ref(global.class))
    }

    /// What is known about the value of an operand, if the operand makes sense.
    pub(super) fn operand(&mut self, operand: Operand) -> Option<Typed> {
        use heapwright_logic::FloatType::{Double, Single};
        let sort = match operand {
            Operand::Register(register) => self.register(register)?,
            Operand::Global(global) => self.global(global)?,
            Operand::Constant(Constant::Null) => return Some(Typed::Null),
            Operand::Constant(Constant::Bool(_)) => Sort::Bool,
            Operand::Constant(Constant::Single(_)) => Sort::Float(Single),
            Operand::Constant(Constant::Double(_)) => Sort::Float(Double),
            Operand::Constant(Constant::Int(ty, value)) => {
                if !ty.contains(value) {
                    self.report(Violation::Range { ty, value });
                }
                Sort::Machine(ty)
            }
        };
        Some(Typed::Sort(sort))
    }

    /// Reports a wrong sort.
    pub(super) fn wrong_sort(&mut self, what: &str, found: Typed, expected: &str) {
        let found = self.typed_name(found);
        self.report(Violation::Sort {
            what: what.to_owned(),
            found,
            expected: expected.to_owned(),
        });
    }

    pub(super) fn typed_name(&self, typed: Typed) -> String {
        match typed {
            Typed::Null => "null".to_owned(),
            Typed::Sort(sort) => self.checker.sort_name(sort),
        }
    }

    /// An operand has to fit a sort.
    pub(super) fn operand_fits(&mut self, what: &str, operand: Operand, expected: Sort) {
        let Some(found) = self.operand(operand) else {
            return;
        };
        let fits = match found {
            Typed::Null => expected.is_ref(),
            Typed::Sort(sort) => self.checker.fits(sort, expected),
        };
        if !fits {
            let expected = format!("`{}`", self.checker.sort_name(expected));
            self.wrong_sort(what, found, &expected);
        }
    }

    /// A value of a sort has to fit a register.
    pub(super) fn result_fits(&mut self, what: &str, value: Sort, to: Reg) {
        if let Some(expected) = self.register(to)
            && !self.checker.fits(value, expected)
        {
            let expected = format!("`{}`", self.checker.sort_name(expected));
            self.wrong_sort(what, Typed::Sort(value), &expected);
        }
    }

    /// An operand has to be a reference.
    pub(super) fn expect_reference(&mut self, what: &str, operand: Operand) {
        if let Some(found) = self.operand(operand)
            && !found.is_ref()
        {
            self.wrong_sort(what, found, "a reference");
        }
    }

    /// An operand has to be an integer; its sort.
    pub(super) fn expect_integer(&mut self, what: &str, operand: Operand) -> Option<Sort> {
        match self.operand(operand)? {
            Typed::Sort(sort @ Sort::Machine(_)) => Some(sort),
            other => {
                self.wrong_sort(what, other, "an integer");
                None
            }
        }
    }
}
