//! What can be wrong with the text of a program.

/// A text that is not a program, with the place where that became clear.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {error}")]
pub struct ParseError {
    /// Line from 1.
    pub line: u32,
    /// Column from 1, in characters.
    pub column: u32,
    /// What is wrong there.
    pub error: SyntaxError,
}

/// What is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SyntaxError {
    /// Something else should stand here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What should stand here.
        expected: &'static str,
        /// What stands here.
        found: String,
    },
    /// A character that begins nothing.
    #[error("unexpected character `{}`", .0.escape_default())]
    Character(char),
    /// A string without its closing quote.
    #[error("this string does not end on its line")]
    OpenString,
    /// A backslash in front of something that cannot be escaped.
    #[error("unknown escape; there are \\\\ \\\" \\n \\r \\t and \\u{{...}}")]
    Escape,
    /// A number that is not one, or that is too large.
    #[error("`{0}` is not a number that can stand here")]
    Number(String),
    /// No class has the name.
    #[error("no class is called `{0}`")]
    UnknownClass(String),
    /// No function has the name.
    #[error("no function is called `{0}`")]
    UnknownFunction(String),
    /// No global has the name.
    #[error("no global is called `{0}`")]
    UnknownGlobal(String),
    /// The class has no field of the name.
    #[error("class `{class}` has no field `{field}`")]
    UnknownField {
        /// The class.
        class: String,
        /// What was looked for.
        field: String,
    },
    /// No register has the name.
    #[error("no register is called `{0}`; registers are declared with `var`")]
    UnknownRegister(String),
    /// Several registers have the name.
    #[error("several registers are called `{0}`; write the number too, as in `x%3`")]
    AmbiguousRegister(String),
    /// Name and number of a register do not go together.
    #[error("register %{number} is not called `{name}`")]
    OtherRegister {
        /// The number as written.
        number: u32,
        /// The name as written.
        name: String,
    },
    /// Registers are declared in the order of their numbers.
    #[error("register %{expected} should be declared here")]
    RegisterOrder {
        /// The next number.
        expected: usize,
    },
    /// Blocks are written in the order of their numbers.
    #[error("block b{expected} should begin here")]
    BlockOrder {
        /// The next number.
        expected: usize,
    },
    /// Blocks end with a jump.
    #[error(
        "the block does not end with `goto`, `if`, `switch`, `return`, `throw`, `unreachable` or `absent`"
    )]
    OpenBlock,
    /// Something is declared for the second time.
    #[error("{0} is declared twice")]
    Twice(&'static str),
    /// Field names mean nothing before the classes are known.
    #[error("classes are declared before functions")]
    LateClass,
}
