//! Checks what operations say: that what they mention exists and has the right sorts.

use heapwright_logic::{ClassId, Sort};

use super::Violation;
use super::functions::{Body, Typed};
use crate::function::{Function, Reg};
use crate::instruction::{Arithmetic, BinaryOp, Callee, Comparison, Operand, Operation, UnaryOp};
use crate::program::ClassKind;

impl<'a> Body<'_, 'a> {
    pub(super) fn check_operation(&mut self, operation: &Operation) {
        match operation {
            Operation::Move { to, from } => self.check_move(*to, *from),
            Operation::Unary { to, op, a } => self.check_unary(*to, *op, *a),
            Operation::Binary { to, op, a, b } => self.check_binary(*to, *op, *a, *b),
            Operation::New { to, class } => {
                if self.class_exists(*class) {
                    if let Some(violation) = self.checker.not_constructible(*class) {
                        self.report(violation);
                    }
                    self.result_fits("the new object", Sort::Ref(*class), *to);
                }
            }
            Operation::NewArray { to, class, length } => {
                self.expect_integer("the length", *length);
                if self.class_exists(*class) {
                    if !matches!(self.program.class(*class).kind, ClassKind::Array { .. }) {
                        let name = self.checker.class_name(*class);
                        self.report(Violation::NotAnArray(name));
                    }
                    self.result_fits("the new array", Sort::Ref(*class), *to);
                }
            }
            Operation::Free { object } => self.expect_reference("what is freed", *object),
            Operation::Load {
                to,
                object,
                class,
                field,
            } => {
                if let Some(sort) = self.field(*object, *class, *field) {
                    self.result_fits("the field", sort, *to);
                }
            }
            Operation::Store {
                object,
                class,
                field,
                value,
            } => {
                if let Some(sort) = self.field(*object, *class, *field) {
                    self.operand_fits("the value", *value, sort);
                }
            }
            Operation::LoadElement { to, array, index } => {
                self.expect_integer("the index", *index);
                match self.element(*array) {
                    Some(sort) => self.result_fits("the element", sort, *to),
                    None => _ = self.register(*to),
                }
            }
            Operation::StoreElement {
                array,
                index,
                value,
            } => {
                self.expect_integer("the index", *index);
                match self.element(*array) {
                    Some(sort) => self.operand_fits("the value", *value, sort),
                    None => _ = self.operand(*value),
                }
            }
            Operation::Length { to, array } => {
                self.element(*array);
                self.expect_integer("the register for the length", Operand::Register(*to));
            }
            Operation::FieldAddress {
                to,
                object,
                class,
                field,
            } => {
                self.field(*object, *class, *field);
                self.expect_reference("the register for the address", Operand::Register(*to));
            }
            Operation::Undefine { to } => _ = self.register(*to),
            Operation::Cast { to, from } => {
                self.expect_reference("what is cast", *from);
                self.expect_reference("the register for the pointer", Operand::Register(*to));
            }
            Operation::Extent { to, object } => {
                self.expect_reference("the object", *object);
                self.expect_integer("the register for the extent", Operand::Register(*to));
            }
            Operation::CopyBytes {
                to, from, count, ..
            } => {
                self.expect_reference("where bytes are copied to", *to);
                self.expect_reference("where bytes are copied from", *from);
                self.expect_integer("the number of bytes", *count);
            }
            Operation::FillBytes { to, value, count } => {
                self.expect_reference("where bytes are set", *to);
                if let Some(value) = value {
                    self.expect_integer("the byte", *value);
                }
                self.expect_integer("the number of bytes", *count);
            }
            Operation::ElementAddress { to, array, index } if self.program.manual_memory => {
                self.expect_integer("the index", *index);
                self.expect_reference("the pointer", *array);
                self.expect_reference("the register for the address", Operand::Register(*to));
            }
            Operation::ElementAddress { to, array, index } => {
                self.expect_integer("the index", *index);
                self.element(*array);
                self.expect_reference("the register for the address", Operand::Register(*to));
            }
            Operation::InstanceOf { to, object, class } => {
                self.expect_reference("what is tested", *object);
                self.class_exists(*class);
                self.result_fits("the answer", Sort::Bool, *to);
            }
            Operation::CheckCast { object, class } => {
                self.expect_reference("what is cast", *object);
                self.class_exists(*class);
            }
            Operation::Call { to, callee, args } => self.check_call(*to, callee, args),
            Operation::Assert { condition, .. }
            | Operation::Check { condition, .. }
            | Operation::Assume { condition } => {
                self.operand_fits("the condition", *condition, Sort::Bool);
            }
        }
    }

    /// References may also be moved to registers of a more special class.
    fn check_move(&mut self, to: Reg, from: Operand) {
        let value = self.operand(from);
        let (Some(value), Some(expected)) = (value, self.register(to)) else {
            return;
        };
        let fits = match value {
            Typed::Null => expected.is_ref(),
            Typed::Sort(sort) => {
                self.checker.fits(sort, expected)
                    || self.checker.fits(expected, sort)
                    // Pointers may be taken for pointers to something else.
                    || self.program.manual_memory && sort.is_ref() && expected.is_ref()
            }
        };
        if !fits {
            let expected = format!("`{}`", self.checker.sort_name(expected));
            self.wrong_sort("the value", value, &expected);
        }
    }

    fn check_unary(&mut self, to: Reg, op: UnaryOp, a: Operand) {
        let Some(found) = self.operand(a) else {
            return;
        };
        let (fits, expected) = match (op, found) {
            (UnaryOp::Not, Typed::Sort(sort)) => (sort == Sort::Bool, "`bool`"),
            (UnaryOp::Neg, Typed::Sort(sort)) => (
                matches!(sort, Sort::Machine(_) | Sort::Float(_)),
                "an integer or a float",
            ),
            (UnaryOp::Complement, Typed::Sort(sort)) => {
                (matches!(sort, Sort::Machine(_)), "an integer")
            }
            (UnaryOp::Convert(_), Typed::Sort(Sort::Ref(_))) if self.program.manual_memory => {
                (true, "a scalar or a pointer")
            }
            (UnaryOp::Convert(_), Typed::Sort(sort)) => (is_scalar(sort), "a scalar"),
            (_, Typed::Null) => (false, "a scalar"),
        };
        if !fits {
            self.wrong_sort("the operand", found, expected);
        }
        match (op, found) {
            (UnaryOp::Convert(target @ Sort::Ref(_)), _) if self.program.manual_memory => {
                self.result_fits("the result", target, to);
            }
            (UnaryOp::Convert(target), _) if !is_scalar(target) => {
                self.wrong_sort("the target", Typed::Sort(target), "a scalar");
            }
            (UnaryOp::Convert(target), _) => self.result_fits("the result", target, to),
            (_, Typed::Sort(sort)) if fits => self.result_fits("the result", sort, to),
            _ => {}
        }
    }

    fn check_binary(&mut self, to: Reg, op: BinaryOp, a: Operand, b: Operand) {
        use Arithmetic::{Add, And, Div, Mul, Or, Rem, Shl, Shr, Sub, UShr, Xor};
        let (sort, arithmetic) = match op {
            BinaryOp::Compare(comparison) => {
                self.check_comparison(comparison, a, b);
                self.result_fits("the result", Sort::Bool, to);
                return;
            }
            BinaryOp::Int(ty, arithmetic) => (Sort::Machine(ty), arithmetic),
            BinaryOp::Float(ty, arithmetic) => (Sort::Float(ty), arithmetic),
            BinaryOp::Bool(arithmetic) => (Sort::Bool, arithmetic),
        };
        let defined = match sort {
            Sort::Float(_) => matches!(arithmetic, Add | Sub | Mul | Div | Rem),
            Sort::Bool => matches!(arithmetic, And | Or | Xor),
            _ => true,
        };
        if !defined {
            let sort = self.checker.sort_name(sort);
            self.report(Violation::NoOperation(sort));
        }
        self.operand_fits("the first operand", a, sort);
        match arithmetic {
            Shl | Shr | UShr => _ = self.expect_integer("the amount", b),
            _ => self.operand_fits("the second operand", b, sort),
        }
        self.result_fits("the result", sort, to);
    }

    fn check_comparison(&mut self, comparison: Comparison, a: Operand, b: Operand) {
        let operands = (self.operand(a), self.operand(b));
        let (Some(a), Some(b)) = operands else {
            return;
        };
        if a != b && !(a.is_ref() && b.is_ref()) {
            let (a, b) = (self.typed_name(a), self.typed_name(b));
            self.report(Violation::Incomparable(a, b));
            return;
        }
        let ordered = matches!(a, Typed::Sort(Sort::Machine(_) | Sort::Float(_)))
            || self.program.manual_memory && a.is_ref();
        if !ordered && !matches!(comparison, Comparison::Eq | Comparison::Ne) {
            let sort = self.typed_name(a);
            self.report(Violation::NoOrder(sort));
        }
    }

    fn check_call(&mut self, to: Option<Reg>, callee: &Callee, args: &[Operand]) {
        let program = self.program;
        let callee = match callee {
            Callee::Static(function) => {
                let known = program.functions.get(function.index());
                if known.is_none() {
                    self.report(Violation::NoSuchFunction(*function));
                }
                known
            }
            Callee::Virtual(method) => self.method(method, args.first().copied()),
            Callee::Intrinsic(_) => None,
        };
        match callee {
            Some(callee) => self.check_signature(callee, to, args),
            None => {
                for arg in args {
                    self.operand(*arg);
                }
                if let Some(to) = to {
                    self.register(to);
                }
            }
        }
    }

    /// The method that the declared class of the receiver has, if it has one.
    fn method(&mut self, method: &str, receiver: Option<Operand>) -> Option<&'a Function> {
        let program = self.program;
        let Some(receiver) = receiver else {
            self.report(Violation::NoReceiver);
            return None;
        };
        match self.operand(receiver)? {
            Typed::Sort(Sort::Ref(class)) if self.checker.has_class(class) => {
                let function = program.class(class).methods.get(method)?;
                program.functions.get(function.index())
            }
            other if other.is_ref() => None,
            other => {
                self.wrong_sort("the receiver", other, "a reference");
                None
            }
        }
    }

    /// Arguments and result go with the function that is called.
    fn check_signature(&mut self, callee: &Function, to: Option<Reg>, args: &[Operand]) {
        let params = callee.registers.iter().take(callee.params as usize);
        if params.len() != args.len() {
            self.report(Violation::ArgumentCount {
                expected: params.len(),
                found: args.len(),
            });
        }
        for (number, (param, arg)) in (1..).zip(params.zip(args)) {
            self.operand_fits(&format!("argument {number}"), *arg, param.sort);
        }
        match (to, callee.result) {
            (Some(to), Some(result)) => self.result_fits("the result", result, to),
            (Some(_), None) => self.report(Violation::NoResult),
            (None, _) => {}
        }
    }

    /// Reports a class that does not exist.
    fn class_exists(&mut self, class: ClassId) -> bool {
        let exists = self.checker.has_class(class);
        if !exists {
            self.report(Violation::NoSuchClass(class));
        }
        exists
    }

    /// The sort of a field of an object.
    fn field(&mut self, object: Operand, class: ClassId, field: u32) -> Option<Sort> {
        if !self.class_exists(class) {
            return None;
        }
        self.operand_fits("the object", object, Sort::Ref(class));
        let fields = &self.program.definitions.class(class).fields;
        let known = fields.get(field as usize);
        if known.is_none() {
            let class = self.checker.class_name(class);
            self.report(Violation::NoSuchField { class, field });
        }
        known.map(|field| field.sort)
    }

    /// The sort of the elements of an array, if its class is known.
    fn element(&mut self, array: Operand) -> Option<Sort> {
        match self.operand(array)? {
            Typed::Null | Typed::Sort(Sort::Ref(ClassId::ANY)) => None,
            Typed::Sort(Sort::Ref(class)) if !self.checker.has_class(class) => None,
            Typed::Sort(Sort::Ref(class)) => match self.program.class(class).kind {
                ClassKind::Array { element } => Some(element),
                ClassKind::Struct { .. } => {
                    let name = self.checker.class_name(class);
                    self.report(Violation::NotAnArray(name));
                    None
                }
            },
            other => {
                self.wrong_sort("the array", other, "a reference");
                None
            }
        }
    }
}

/// Truth values, machine integers and floats.
fn is_scalar(sort: Sort) -> bool {
    matches!(sort, Sort::Bool | Sort::Machine(_) | Sort::Float(_))
}
