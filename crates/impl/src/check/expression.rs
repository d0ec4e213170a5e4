//! Expressions.

use heapwright_logic::Sort;
use heapwright_spec::diagnostic::{Diagnostic, Span, did_you_mean};

use super::hir::{Expr, ExprKind, FieldUse, ProcedureId};
use super::kind::{Kind, KindId};
use super::{Checker, built_in_type, count};
use crate::syntax::ast::{self, BinaryOp, Location, Name, UnaryOp};

impl Checker {
    pub(super) fn expression(&mut self, expr: &ast::Expr) -> Expr {
        let span = expr.span();
        let (kind, ty) = self.expression_kind(expr);
        Expr { kind, ty, span }
    }

    fn expression_kind(&mut self, expr: &ast::Expr) -> (ExprKind, KindId) {
        match &expr.kind {
            ast::ExprKind::Variable(name) => {
                let local = self.variable(&Name {
                    text: name.clone(),
                    location: Location(expr.span()),
                });
                (ExprKind::Local(local), self.frame.local(local).kind)
            }
            ast::ExprKind::Number(number) => {
                let ty = self.kinds.fresh(Kind::Number);
                self.numbers.push((ty, *number, expr.span()));
                (ExprKind::Number(*number), ty)
            }
            ast::ExprKind::Bool(value) => (ExprKind::Bool(*value), self.kinds.fresh(Kind::Truth)),
            ast::ExprKind::Nil => (ExprKind::Nil, self.kinds.fresh(Kind::Reference)),
            ast::ExprKind::Field(object, field) => {
                let object = self.expression(object);
                let (field, ty) = self.field(&object, field);
                (ExprKind::Field(Box::new(object), field), ty)
            }
            ast::ExprKind::New(class, arguments) => self.new_object(class, arguments.as_deref()),
            ast::ExprKind::Call(name, arguments) => self.call_expression(name, arguments),
            ast::ExprKind::Unary(op, operand) => {
                let operand = self.expression(operand);
                let ty = match op {
                    UnaryOp::Negate => {
                        let ty = self.kinds.fresh(Kind::Number);
                        self.demand(operand.span, operand.ty, ty);
                        ty
                    }
                    UnaryOp::Not => {
                        self.demand_kind(operand.span, operand.ty, Kind::Condition);
                        self.kinds.fresh(Kind::Truth)
                    }
                };
                (ExprKind::Unary(*op, Box::new(operand)), ty)
            }
            ast::ExprKind::Binary(op, left, right) => {
                let left = self.expression(left);
                let right = self.expression(right);
                let ty = self.operator(*op, &left, &right);
                (ExprKind::Binary(*op, Box::new(left), Box::new(right)), ty)
            }
        }
    }

    /// The type of two operands with an operator.
    fn operator(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> KindId {
        match op {
            BinaryOp::Or | BinaryOp::And => {
                self.demand_kind(left.span, left.ty, Kind::Condition);
                self.demand_kind(right.span, right.ty, Kind::Condition);
                self.kinds.fresh(Kind::Truth)
            }
            BinaryOp::Equal | BinaryOp::NotEqual => {
                self.demand(right.span, right.ty, left.ty);
                self.kinds.fresh(Kind::Truth)
            }
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
                self.same_integers(left, right);
                self.kinds.fresh(Kind::Truth)
            }
            BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Remainder => self.same_integers(left, right),
        }
    }

    fn same_integers(&mut self, left: &Expr, right: &Expr) -> KindId {
        let ty = self.kinds.fresh(Kind::Number);
        self.demand(left.span, left.ty, ty);
        self.demand(right.span, right.ty, ty);
        ty
    }

    /// The field of an object, and its type.
    pub(super) fn field(&mut self, object: &Expr, name: &Name) -> (FieldUse, KindId) {
        let result = self.kinds.fresh(Kind::Unknown);
        let field = self.new_field_use(object.ty, name, result);
        match self.kinds.kind(object.ty) {
            Kind::Error => self.kinds.refine(result, Kind::Error),
            Kind::Unknown | Kind::Reference | Kind::Class(_) => self.look_up_field(field),
            scalar => {
                let scalar = scalar.describe(&self.definitions);
                let message = format!("{scalar} has no fields");
                let diagnostic = Diagnostic::error(name.span(), message)
                    .with_note_at(object.span, "this would have to be a reference");
                self.field_error(field, diagnostic);
            }
        }
        (field, result)
    }

    fn new_object(&mut self, class: &Name, arguments: Option<&[ast::Expr]>) -> (ExprKind, KindId) {
        let Some(id) = self.class_named(&class.text) else {
            let known = self.definitions.classes().skip(1);
            let advice = did_you_mean(&class.text, known.map(|(_, class)| class.name.as_str()));
            let message = format!("unknown struct `{}`", class.text);
            let diagnostic = Diagnostic::error(class.span(), message).with_optional_help(advice);
            self.report(diagnostic);
            for argument in arguments.unwrap_or_default() {
                self.expression(argument);
            }
            return (ExprKind::Error, self.kinds.fresh(Kind::Error));
        };
        let sorts: Vec<_> = (self.definitions.class(id).fields.iter())
            .map(|field| Some(field.sort))
            .collect();
        let arguments = match arguments {
            Some(arguments) => {
                let what = format!("struct `{}`", class.text);
                self.arguments(&what, "field", class.span(), arguments, &sorts)
            }
            None => Vec::new(),
        };
        let ty = self.kinds.fresh(Kind::Class(id));
        (ExprKind::New(id, arguments), ty)
    }

    fn call_expression(&mut self, name: &Name, arguments: &[ast::Expr]) -> (ExprKind, KindId) {
        if let Some(sort) = built_in_type(&name.text) {
            return self.conversion(name, sort, arguments);
        }
        let Some((procedure, arguments)) = self.call(name, arguments) else {
            return (ExprKind::Error, self.kinds.fresh(Kind::Error));
        };
        let ty = match self.signatures[procedure.0 as usize].result {
            Some(sort) => self.declared(sort),
            None => {
                let message = format!("procedure `{}` has no result", name.text);
                let before = self.signatures[procedure.0 as usize].span;
                let diagnostic = Diagnostic::error(name.span(), message)
                    .with_note_at(before, "declared here, without `returns`");
                self.report(diagnostic);
                self.kinds.fresh(Kind::Error)
            }
        };
        (ExprKind::Call(procedure, arguments), ty)
    }

    /// `long(e)` and so on.
    fn conversion(
        &mut self,
        name: &Name,
        sort: Sort,
        arguments: &[ast::Expr],
    ) -> (ExprKind, KindId) {
        let ty = self.kinds.fresh(Kind::of(sort));
        let operands: Vec<_> = (arguments.iter())
            .map(|argument| self.expression(argument))
            .collect();
        let number = operands.len();
        let Some(operand) = operands.into_iter().next().filter(|_| number == 1) else {
            let message = format!("the conversion `{}` takes 1 argument", name.text);
            let diagnostic = Diagnostic::error(name.span(), message)
                .with_label(format!("{} given", count(number, "argument")));
            self.report(diagnostic);
            return (ExprKind::Error, ty);
        };
        self.demand_kind(operand.span, operand.ty, Kind::Condition);
        (ExprKind::Convert(Box::new(operand)), ty)
    }

    /// The procedure and the arguments of a call.
    pub(super) fn call(
        &mut self,
        name: &Name,
        arguments: &[ast::Expr],
    ) -> Option<(ProcedureId, Vec<Expr>)> {
        let Some(&index) = self.procedure_names.get(&name.text) else {
            let mut known: Vec<_> = self.procedure_names.keys().map(String::as_str).collect();
            known.sort_unstable();
            let advice = did_you_mean(&name.text, known);
            let message = format!("unknown procedure `{}`", name.text);
            let diagnostic = Diagnostic::error(name.span(), message).with_optional_help(advice);
            self.report(diagnostic);
            for argument in arguments {
                self.expression(argument);
            }
            return None;
        };
        let sorts = self.signatures[index].params.clone();
        let what = format!("procedure `{}`", name.text);
        let arguments = self.arguments(&what, "parameter", name.span(), arguments, &sorts);
        Some((ProcedureId(index as u32), arguments))
    }

    /// Arguments for parameters or fields of the given sorts.
    fn arguments(
        &mut self,
        what: &str,
        parameter: &str,
        span: Span,
        arguments: &[ast::Expr],
        sorts: &[Option<Sort>],
    ) -> Vec<Expr> {
        if arguments.len() != sorts.len() {
            let message = format!("{what} has {}", count(sorts.len(), parameter));
            let diagnostic = Diagnostic::error(span, message)
                .with_label(format!("{} given", count(arguments.len(), "argument")));
            self.report(diagnostic);
        }
        let mut checked = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let argument = self.expression(argument);
            if let Some(&sort) = sorts.get(index) {
                let expected = self.declared(sort);
                self.demand(argument.span, argument.ty, expected);
            }
            checked.push(argument);
        }
        checked
    }
}
