//! C as this crate understands it: declarations, statements and expressions with their types.
//!
//! What clang says is made simpler on the way: `p->f` is a member of `*p`, `a[i]` is `*(a + i)`,
//! `sizeof`, `offsetof`, enumerators and other integer constants are numbers, initialisers have
//! their designators resolved, and every conversion is written out. What is not supported is kept
//! as a node that says so: whoever needs it can refuse it by name, with its place.

use std::rc::Rc;

use heapwright_logic::{FloatType, IntType};
use rustc_hash::FxHashMap;

/// A type, without qualifiers and without type names.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CType {
    /// Nothing.
    Void,
    /// `_Bool`.
    Bool,
    /// An integer, or an enumeration.
    Int(IntType),
    /// A floating-point number.
    Float(FloatType),
    /// A pointer.
    Pointer(Rc<CType>),
    /// What a pointer leads to if the name of its type asks for less alignment than the type has by
    /// itself.
    Unaligned(Rc<CType>),
    /// An array; without a length, it is a flexible member, or one that is declared elsewhere.
    Array(Rc<CType>, Option<u64>),
    /// A struct or union.
    Record(RecordId),
    /// A function.
    Function(Rc<Signature>),
    /// Another type, which is not supported (or a struct that is declared only), as C writes it.
    Other(String),
}

/// What a function takes and gives.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    /// The type of its result.
    pub result: CType,
    /// The types of its parameters.
    pub params: Vec<CType>,
    /// Whether more arguments may follow.
    pub variadic: bool,
}

/// A struct or union of a unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RecordId(pub u32);

/// A variable or parameter of a unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VariableId(pub u32);

/// A function of a unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FunctionId(pub u32);

/// A label of a function, unique in the unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LabelId(pub u32);

/// A place in a source file: where a macro is used, not where it is defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// Index into the files of the unit.
    pub file: u32,
    /// Line from 1; 0 where there is none.
    pub line: u32,
    /// Column from 1.
    pub column: u32,
}

/// A translation unit.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// Names of files; the first one is the file that was asked for.
    pub files: Vec<String>,
    /// Structs and unions that are defined, in the order of the text, inner ones first.
    pub records: Vec<Record>,
    /// All variables: global ones, static ones in functions, locals, parameters.
    pub variables: Vec<Variable>,
    /// The variables that live as long as the program, in the order of the text: global ones and
    /// static ones in functions.
    pub globals: Vec<VariableId>,
    /// Functions, those without a body included.
    pub functions: Vec<Function>,
    /// Texts of comments that begin with `/*@`, with their places, in the order of the text.
    pub annotations: Vec<(Place, String)>,
    /// The parameters of function types, as the source writes them first; `None` for types that no
    /// other place could write.
    pub spellings: FxHashMap<Rc<Signature>, Option<Vec<String>>>,
    /// Names of types and what they stand for, for showing types as the source writes them.
    pub typedefs: Vec<(String, CType)>,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// What C calls it: `struct node`, `union value`, or the name of a type; a made-up name
    /// `struct (unnamed N)` if it has none.
    pub name: String,
    /// Whether a declaration can use that name.
    pub is_named: bool,
    /// Whether it is a union.
    pub is_union: bool,
    /// Its fields in order. Bit-fields without a name are left out.
    pub fields: Vec<Field>,
    /// Bytes of a whole one.
    pub size: u64,
    /// Its alignment in bytes.
    pub align: u64,
    /// Where it is defined.
    pub place: Place,
}

/// A field of a struct or union.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name; empty for a struct or union without a name inside of another.
    pub name: String,
    /// Its type; a flexible member is an array without a length.
    pub ty: CType,
    /// Bytes from the beginning. For a bit-field, of the byte that its first bit is in.
    pub offset: u64,
    /// Where the bits of a bit-field are: the first one, from the lowest bit of the byte at
    /// `offset` on, and how many.
    pub bits: Option<(u32, u32)>,
}

/// How long a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// As long as its block.
    Local,
    /// As long as a call.
    Parameter,
    /// As long as the program; visible in the unit only.
    Static,
    /// As long as the program; in a function.
    StaticLocal,
    /// As long as the program.
    Global,
    /// It is defined in another unit.
    Extern,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name; may be empty for a parameter.
    pub name: String,
    /// Its type.
    pub ty: CType,
    /// How long it lives.
    pub storage: Storage,
    /// What it begins with.
    pub init: Option<Init>,
    /// Where it is declared.
    pub place: Place,
    /// Whether it is declared `const`.
    pub is_const: bool,
}

/// What a variable or a part of one begins with.
#[derive(Clone, Debug)]
pub enum Init {
    /// The value of an expression. For an array of characters it may be a string literal.
    Value(Expr),
    /// The elements of an array by index, or the fields of a struct, or the one field of a union
    /// that is initialised; what is not listed is zero. Indices ascend.
    List(Vec<(u64, Init)>),
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its type.
    pub signature: Rc<Signature>,
    /// Its parameters.
    pub params: Vec<VariableId>,
    /// What it does; none if it is only declared.
    pub body: Option<Stmt>,
    /// Whether it is `static`.
    pub is_static: bool,
    /// Where it is defined, or else declared.
    pub place: Place,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it begins.
    pub place: Place,
}

/// Statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Nothing.
    Empty,
    /// An expression, for what it does.
    Expr(Expr),
    /// Local variables are declared; those that live as long as the program are not listed.
    Declare(Vec<VariableId>),
    /// One after the other, in a scope of their own.
    Block(Vec<Stmt>),
    /// `if`
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `while`
    While(Expr, Box<Stmt>),
    /// `do … while`
    DoWhile(Box<Stmt>, Expr),
    /// `for`, in a scope of its own.
    For {
        /// Before the loop.
        init: Option<Box<Stmt>>,
        /// Whether to go on.
        condition: Option<Expr>,
        /// After each round.
        step: Option<Expr>,
        /// Each round.
        body: Box<Stmt>,
    },
    /// `switch`
    Switch(Expr, Box<Stmt>),
    /// `case FIRST ... LAST:`, mostly of one value; already converted to the type of the switch.
    Case(i128, i128, Box<Stmt>),
    /// `default:`
    Default(Box<Stmt>),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`
    Return(Option<Expr>),
    /// `goto`
    Goto(LabelId),
    /// A label.
    Label(LabelId, Box<Stmt>),
    /// Something that is not supported, in words ("inline assembly").
    Unsupported(String),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type: that of the value, or of what it designates.
    pub ty: CType,
    /// Where it is: of an operator, where the operator stands; else where the expression begins.
    pub place: Place,
    /// Whether it comes from a macro that is defined outside of the file and its own headers.
    pub in_system_macro: bool,
}

/// Operators on two numbers, or on a pointer and a number.
#[allow(missing_docs)] // They are C's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOperator {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

/// Operators on one value.
#[allow(missing_docs)] // They are C's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOperator {
    Neg,
    Complement,
    Not,
}

/// Expressions. Those marked "designates" have an address.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer constant: also of an enumerator, `sizeof`, `offsetof`, a character, and of
    /// whatever clang has evaluated (but not of conditions such as `1 == 2`, whose operands count).
    Int(i128),
    /// A floating-point constant, as the bits of a double (for a `float`, exactly converted).
    Float(u64),
    /// Designates a string literal: its elements with the final zero, the type is an array.
    String(Vec<u32>),
    /// Designates a variable.
    Variable(VariableId),
    /// Designates a function.
    Function(FunctionId),
    /// Designates what a pointer leads to.
    Deref(Box<Expr>),
    /// Designates a field of a struct or union, by number. If the struct is no designator (the
    /// result of a call), this is a value.
    Member(Box<Expr>, RecordId, u32),
    /// Designates a new object: `(struct point){1, 2}`. The variable has the initialiser.
    CompoundLiteral(VariableId),
    /// The value of what is designated.
    Load(Box<Expr>),
    /// A pointer to the first element of a designated array, or to a designated function.
    Decay(Box<Expr>),
    /// `&x`
    Address(Box<Expr>),
    /// An operator on one value. `Not` gives 0 or 1.
    Unary(UnaryOperator, Box<Expr>),
    /// An operator on two values of one type (shifts: of any integer types), on two pointers, or on
    /// a pointer and an integer. With `Add`, the pointer is always on the left.
    Binary(BinaryOperator, Box<Expr>, Box<Expr>),
    /// `a && b`
    LogicalAnd(Box<Expr>, Box<Expr>),
    /// `a || b`
    LogicalOr(Box<Expr>, Box<Expr>),
    /// `c ? a : b`; without the middle (`c ?: b`), the condition is evaluated once.
    Conditional(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    /// `a, b`
    Comma(Box<Expr>, Box<Expr>),
    /// `a = b`; the type of `b` is that of `a`.
    Assign(Box<Expr>, Box<Expr>),
    /// `a += b`, computed in a type of its own (for pointers: the pointer's).
    AssignOp(BinaryOperator, Box<Expr>, Box<Expr>, CType),
    /// `++a`, `a--` and so on.
    Step {
        /// What is changed.
        target: Box<Expr>,
        /// 1 or -1.
        by: i8,
        /// Whether the value is the one before.
        is_postfix: bool,
    },
    /// A conversion to the type of this expression, written or implicit; to `void`, too. From an
    /// integer 0 to a pointer it is a null pointer.
    Cast(Box<Expr>),
    /// A call of what a pointer to a function leads to (usually a `Decay` of a `Function`).
    Call(Box<Expr>, Vec<Expr>),
    /// `({ … })`: the value of the last statement.
    Statements(Vec<Stmt>),
    /// The value zero of a type, where an initialiser leaves something out.
    Zero,
    /// `va_arg(list, type)`; the list is a designator.
    VaArg(Box<Expr>),
    /// Something that is not supported, in words.
    Unsupported(String),
}
