//! Trees as they are written. Two trees are equal if they print the same: places do not count.

use heapwright_spec::diagnostic::{FileId, Span};
pub use heapwright_spec::syntax::ast::Location;

/// A file: structs and procedures in any order, and the statements of the program.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct File {
    /// The structs.
    pub structs: Vec<Struct>,
    /// The procedures.
    pub procedures: Vec<Procedure>,
    /// What the program itself does; empty if the file only has procedures.
    pub statements: Vec<Statement>,
}

/// A name with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// As it is written.
    pub text: String,
    /// Where it is written.
    pub location: Location,
}

/// `struct tree { int value; tree left; tree right; }`
#[derive(Clone, Debug, PartialEq)]
pub struct Struct {
    /// Its name, which is a type.
    pub name: Name,
    /// Types and names of its fields.
    pub fields: Vec<Parameter>,
}

/// A type and a name: a field or a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its type: an integer type, `bool` or a struct.
    pub ty: Name,
    /// Its name.
    pub name: Name,
}

/// `proc name(type x, type y) returns type { ... }`
#[derive(Clone, Debug, PartialEq)]
pub struct Procedure {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Parameter>,
    /// The type of its result, if it has one.
    pub result: Option<Name>,
    /// What it does.
    pub body: Vec<Statement>,
    /// The brace that ends it.
    pub end: Location,
}

/// A statement with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Where it is written.
    pub location: Location,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// `skip`
    Skip,
    /// `x := e`, `e.f := e`; the left side is a name or a field.
    Assign(Expr, Expr),
    /// `type x`, `type x := e`, `var x`, `var x := e`; there is no type behind `var`.
    Declare {
        /// The type, if it is given.
        ty: Option<Name>,
        /// The variable.
        name: Name,
        /// Its first value.
        value: Option<Expr>,
    },
    /// `if e then s1 else s2`
    If {
        /// The condition.
        condition: Expr,
        /// What is done if it holds.
        then: Box<Statement>,
        /// What is done otherwise.
        otherwise: Option<Box<Statement>>,
    },
    /// `while e { ... }`
    While(Expr, Vec<Statement>),
    /// `{ ... }`
    Block(Vec<Statement>),
    /// `return`, `return e`
    Return(Option<Expr>),
    /// `assert e`
    Assert(Expr),
    /// `assume e`
    Assume(Expr),
    /// `free e`
    Free(Expr),
    /// A call for its effect.
    Call(Expr),
}

/// An expression with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is written.
    pub location: Location,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A variable.
    Variable(String),
    /// A number, with its sign. Its absolute value is below 2^64.
    Number(i128),
    /// `true` or `false`.
    Bool(bool),
    /// `nil`
    Nil,
    /// `e.f`
    Field(Box<Expr>, Name),
    /// `new c(e1, ..., en)`, or `new c` where all fields are zero, false and nil.
    New(Name, Option<Vec<Expr>>),
    /// `p(e1, ..., en)`; the name of a type means a conversion.
    Call(Name, Vec<Expr>),
    /// `-e`, `!e`
    Unary(UnaryOp, Box<Expr>),
    /// `e1 + e2` and so on.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `!`
    Not,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`
    Equal,
    /// `/=`, `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
}

impl BinaryOp {
    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::Or => "||",
            BinaryOp::And => "&&",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "/=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Remainder => "%",
        }
    }

    /// How tightly it binds; all operators associate to the left.
    pub(crate) fn precedence(self) -> u8 {
        match self {
            BinaryOp::Or => 1,
            BinaryOp::And => 2,
            BinaryOp::Equal | BinaryOp::NotEqual => 3,
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => 4,
            BinaryOp::Add | BinaryOp::Subtract => 5,
            BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder => 6,
        }
    }
}

/// The place of trees that were made and not read.
pub fn nowhere() -> Location {
    Location(Span::new(FileId(0), 0, 0))
}

impl Name {
    /// A name that stands nowhere yet.
    pub fn new(text: impl Into<String>) -> Self {
        Name {
            text: text.into(),
            location: nowhere(),
        }
    }

    /// Where it is written.
    pub fn span(&self) -> Span {
        self.location.0
    }
}

impl Expr {
    /// An expression that stands nowhere yet.
    pub fn new(kind: ExprKind) -> Self {
        let location = nowhere();
        Expr { kind, location }
    }

    /// The variable of a name.
    pub fn variable(name: impl Into<String>) -> Self {
        Expr::new(ExprKind::Variable(name.into()))
    }

    /// A field of what an expression refers to.
    pub fn field(object: Expr, field: impl Into<String>) -> Self {
        Expr::new(ExprKind::Field(Box::new(object), Name::new(field)))
    }

    /// Two operands and an operator.
    pub fn binary(op: BinaryOp, a: Expr, b: Expr) -> Self {
        Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)))
    }

    /// Where it is written.
    pub fn span(&self) -> Span {
        self.location.0
    }
}

impl Statement {
    /// A statement that stands nowhere yet.
    pub fn new(kind: StatementKind) -> Self {
        let location = nowhere();
        Statement { kind, location }
    }

    /// Where it is written.
    pub fn span(&self) -> Span {
        self.location.0
    }
}
