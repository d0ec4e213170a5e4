//! The syntax tree of a specification.
//!
//! Trees are compared without their spans, so that a printed and parsed tree equals its
//! original. Chains of operators of one level are flat lists, so that the depth of a tree is
//! bounded by the nesting that the parser allows, not by the length of the text.

use crate::diagnostic::Span;

/// A name with its place. Equal to another one if the text is.
#[derive(Clone, Debug, Eq)]
pub struct Name {
    /// The name; dotted for classes.
    pub text: String,
    /// Its place.
    pub span: Span,
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// A file: declarations in order.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct File {
    /// What was declared.
    pub declarations: Vec<Declaration>,
}

/// One declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum Declaration {
    /// `import "file.sl";` or `import shapes.bst;`
    Import(Import),
    /// `data Node { int value; Node next; }`
    Data(Data),
    /// `pred p(x, y) := ...;`
    Predicate(Predicate),
    /// `pre ... := ...;` or `post ... := ...;`
    Contract(Contract),
    /// `check name := ...;`
    Check(Check),
}

/// An import.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// What is imported.
    pub target: ImportTarget,
    /// What the names of its predicates begin with.
    pub name: Option<Name>,
    /// The classes that stand for its own.
    pub classes: Vec<ClassRenaming>,
    /// Where that is written.
    pub span: Location,
}

impl Import {
    /// Whether something has other names here than where it is declared.
    pub fn renames(&self) -> bool {
        self.name.is_some() || !self.classes.is_empty()
    }
}

/// `ListNode = node(value: key, next: link)`: the class that stands for one of a module.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassRenaming {
    /// The class of the module.
    pub class: Name,
    /// The class that stands for it.
    pub to: Name,
    /// The fields that have other names.
    pub fields: Vec<FieldRenaming>,
}

/// `next: link`: the field that stands for one of a module.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldRenaming {
    /// The field of the module.
    pub field: Name,
    /// The field that stands for it; several names lead into a struct inside of the object.
    pub to: Vec<Name>,
    /// The values that stand for true and for false.
    pub values: Option<Box<(Expr, Expr)>>,
}

/// What an import names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportTarget {
    /// A file, as written between the quotation marks.
    File(String),
    /// A module of the shape library, dotted.
    Module(String),
}

/// A span that takes no part in comparisons.
#[derive(Clone, Copy, Debug, Eq)]
pub struct Location(pub Span);

impl PartialEq for Location {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A class with its fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Data {
    /// Name of the class.
    pub name: Name,
    /// Name of its superclass.
    pub superclass: Option<Name>,
    /// Its own fields.
    pub fields: Vec<FieldDeclaration>,
}

/// A field with its type.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldDeclaration {
    /// Name of the type.
    pub ty: Name,
    /// Name of the field.
    pub name: Name,
}

/// A parameter or quantified variable, with its type if one is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Binder {
    /// The name that is bound.
    pub name: Name,
    /// Its type.
    pub ty: Option<Name>,
}

/// An inductive predicate.
#[derive(Clone, Debug, PartialEq)]
pub struct Predicate {
    /// Its name.
    pub name: Name,
    /// Its formal parameters.
    pub params: Vec<Binder>,
    /// Its definition.
    pub body: Expr,
}

/// Whether a contract speaks of the state before or after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContractKind {
    /// What holds before.
    Pre,
    /// What holds after.
    Post,
}

/// A precondition or postcondition.
#[derive(Clone, Debug, PartialEq)]
pub struct Contract {
    /// Before or after.
    pub kind: ContractKind,
    /// The class of the method; none for a function.
    pub class: Option<Name>,
    /// The method or function.
    pub method: Name,
    /// Its parameters.
    pub params: Vec<Binder>,
    /// The exception that is thrown in the cases a postcondition describes.
    pub throws: Option<Name>,
    /// What holds.
    pub body: Expr,
}

/// A question for the solver.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// The formula.
    pub body: Expr,
    /// Where it is.
    pub span: Location,
}

/// A formula or term with its place. Equal to another one if the kind is.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is.
    pub span: Span,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// Formulas and terms. One type for both, since `(` may open either.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// The empty heap.
    Emp,
    /// A truth value.
    Bool(bool),
    /// The null reference.
    Null,
    /// An integer.
    Int(i128),
    /// A UTF-16 code unit.
    Char(u16),
    /// A floating-point number.
    Float(Float),
    /// `_`
    Wildcard,
    /// `x` or `x.left.value`; the first name is the base.
    Path(Vec<Name>),
    /// `old(e)`
    Old(Box<Expr>),
    /// A predicate instance or one of the functions of [`is_function`].
    Call(Name, Vec<Expr>),
    /// `source -> Class(arguments)`
    PointsTo(Box<Expr>, Name, Vec<FieldArgument>),
    /// `(next: n, prev: p)` as the value of a field: the contents of a struct inside of the cell.
    Part(Vec<FieldArgument>),
    /// `&x.link`: a struct inside of another one.
    Address(Box<Expr>),
    /// `exists x, y. body`
    Exists(Vec<Binder>, Box<Expr>),
    /// `!a`
    Not(Box<Expr>),
    /// `-a`
    Negate(Box<Expr>),
    /// `a < b <= c`: every neighbouring pair is compared.
    Compare(Box<Expr>, Vec<(Comparison, Expr)>),
    /// `a + b - c` or `a * b / c`, from left to right.
    Arithmetic(Box<Expr>, Vec<(Operator, Expr)>),
    /// `condition ? then : otherwise`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a => b`
    Implies(Box<Expr>, Box<Expr>),
    /// `a & b & c`
    And(Vec<Expr>),
    /// `a | b | c`
    Or(Vec<Expr>),
    /// `a * b * c` of heaps.
    Star(Vec<Expr>),
    /// A formula that could not be parsed; the reason was reported.
    Error,
}

/// A floating-point literal.
#[derive(Clone, Copy, Debug)]
pub struct Float {
    /// Its value; exact for single precision too.
    pub value: f64,
    /// What the suffix says.
    pub suffix: FloatSuffix,
}

impl PartialEq for Float {
    fn eq(&self, other: &Self) -> bool {
        self.value.to_bits() == other.value.to_bits() && self.suffix == other.suffix
    }
}

/// The suffix of a floating-point literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatSuffix {
    /// None: the format comes from the context, double by default.
    None,
    /// `f`
    Single,
    /// `d`
    Double,
}

/// An argument of a points-to.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldArgument {
    /// The field, if it is named.
    pub field: Option<Name>,
    /// Its contents.
    pub value: Expr,
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

/// Arithmetic operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
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

/// The functions on values, with how many arguments they take.
/// Whatever else is called is a predicate.
const FUNCTIONS: [(&str, usize); 25] = [
    ("ite", 3),
    ("min", 2),
    ("max", 2),
    ("abs", 1),
    ("bitand", 2),
    ("bitor", 2),
    ("bitxor", 2),
    ("shl", 2),
    ("shr", 2),
    ("byte", 1),
    ("short", 1),
    ("int", 1),
    ("long", 1),
    ("ubyte", 1),
    ("ushort", 1),
    ("uint", 1),
    ("ulong", 1),
    ("char", 1),
    ("float", 1),
    ("double", 1),
    ("sqrt", 1),
    ("isnan", 1),
    ("bits", 1),
    ("frombits", 1),
    ("same", 2),
];

/// How many arguments a function takes, if there is one of that name.
pub fn function_arity(name: &str) -> Option<usize> {
    let mut functions = FUNCTIONS.iter();
    functions.find(|(known, _)| *known == name).map(|f| f.1)
}

/// The names of all functions.
pub fn function_names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, _)| *name)
}

impl Expr {
    /// Whether this can only be a formula, never a number or reference. A `*` after it is
    /// therefore the separating conjunction, not a multiplication.
    pub fn is_formula(&self) -> bool {
        match &self.kind {
            ExprKind::Emp
            | ExprKind::Bool(_)
            | ExprKind::PointsTo(..)
            | ExprKind::Exists(..)
            | ExprKind::Not(_)
            | ExprKind::Compare(..)
            | ExprKind::Implies(..)
            | ExprKind::And(_)
            | ExprKind::Or(_)
            | ExprKind::Star(_) => true,
            ExprKind::Call(name, _) => function_arity(&name.text).is_none(),
            _ => false,
        }
    }

    /// Whether it speaks of the heap or quantifies, so that it cannot stand under a negation
    /// or inside a term.
    pub fn is_pure(&self) -> bool {
        match &self.kind {
            ExprKind::Emp
            | ExprKind::PointsTo(..)
            | ExprKind::Star(_)
            | ExprKind::Exists(..)
            | ExprKind::Error => false,
            ExprKind::Call(name, args) => {
                function_arity(&name.text).is_some() && args.iter().all(Expr::is_pure)
            }
            ExprKind::And(list) | ExprKind::Or(list) => list.iter().all(Expr::is_pure),
            ExprKind::Not(a) | ExprKind::Negate(a) | ExprKind::Old(a) | ExprKind::Address(a) => {
                a.is_pure()
            }
            ExprKind::Implies(a, b) => a.is_pure() && b.is_pure(),
            ExprKind::Conditional(a, b, c) => a.is_pure() && b.is_pure() && c.is_pure(),
            ExprKind::Compare(first, rest) => {
                first.is_pure() && rest.iter().all(|(_, operand)| operand.is_pure())
            }
            ExprKind::Arithmetic(first, rest) => {
                first.is_pure() && rest.iter().all(|(_, operand)| operand.is_pure())
            }
            ExprKind::Bool(_)
            | ExprKind::Null
            | ExprKind::Int(_)
            | ExprKind::Char(_)
            | ExprKind::Float(_)
            | ExprKind::Wildcard
            | ExprKind::Part(_)
            | ExprKind::Path(_) => true,
        }
    }

    /// Whether it describes cells (or their absence): then it can be joined with another such
    /// formula by `*` only.
    pub fn describes_heap(&self) -> bool {
        match &self.kind {
            ExprKind::Emp | ExprKind::PointsTo(..) | ExprKind::Star(_) => true,
            ExprKind::Call(name, _) => function_arity(&name.text).is_none(),
            ExprKind::And(list) | ExprKind::Or(list) => list.iter().any(Expr::describes_heap),
            ExprKind::Exists(_, body) => body.describes_heap(),
            _ => false,
        }
    }
}
