//! The checked tree: names resolved, types known.

use heapwright_logic::{ClassId, Sort};
use heapwright_spec::diagnostic::Span;

use super::kind::KindId;
use crate::syntax::ast::{BinaryOp, UnaryOp};

/// A variable of a procedure or of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LocalId(pub u32);

impl LocalId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Identifies a procedure by its position in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProcedureId(pub u32);

/// An access to a field; which one it is becomes known when all types are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FieldUse(pub u32);

/// How a variable comes to its first value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The caller gives it.
    Parameter,
    /// It must be assigned before it is read.
    Local,
    /// A variable of the program itself: an input if it may be read before it is assigned.
    Free,
}

#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub name: String,
    pub kind: KindId,
    pub role: Role,
    pub span: Span,
}

/// A procedure, or the program itself.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub name: String,
    /// Parameters first.
    pub locals: Vec<Local>,
    pub result: Option<Sort>,
    pub statements: Vec<Statement>,
    /// Where it begins.
    pub span: Span,
    /// Where it ends.
    pub end: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum StatementKind {
    Assign(LocalId, Expr),
    /// `object.field := value`; the value is computed first.
    Store(Expr, FieldUse, Expr),
    If(Expr, Vec<Statement>, Vec<Statement>),
    While(Expr, Vec<Statement>),
    Block(Vec<Statement>),
    Return(Option<Expr>),
    Assert(Expr),
    Assume(Expr),
    Free(Expr),
    Call(ProcedureId, Vec<Expr>),
}

#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub kind: ExprKind,
    pub ty: KindId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Local(LocalId),
    Number(i128),
    Bool(bool),
    Nil,
    Field(Box<Expr>, FieldUse),
    New(ClassId, Vec<Expr>),
    Call(ProcedureId, Vec<Expr>),
    /// A conversion to the type of the expression.
    Convert(Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// What could not be understood; it has been reported.
    Error,
}

impl Expr {
    /// The truth value of a condition that is a literal.
    pub fn literal_truth(&self) -> Option<bool> {
        match self.kind {
            ExprKind::Bool(value) => Some(value),
            ExprKind::Number(value) => Some(value != 0),
            _ => None,
        }
    }
}
