//! Tokens of ImpL.

use heapwright_spec::diagnostic::Span;

/// A token with its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Name(String),
    /// A number without a sign. What does not fit is reported by the lexer.
    Number(i128),
    Keyword(Keyword),
    Sign(Sign),
    End,
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name { $($variant,)* }

        impl $name {
            /// All of them; signs of two characters come first.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// As it is written.
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }
    };
}

words! {
    /// The reserved words.
    Keyword {
        Skip = "skip",
        If = "if",
        Then = "then",
        Else = "else",
        While = "while",
        New = "new",
        Nil = "nil",
        Null = "null",
        True = "true",
        False = "false",
        Struct = "struct",
        Proc = "proc",
        Returns = "returns",
        Return = "return",
        Var = "var",
        Assert = "assert",
        Assume = "assume",
        Free = "free",
    }
}

words! {
    /// Operators and punctuation.
    Sign {
        Assign = ":=",
        Equal = "==",
        NotEqual = "/=",
        BangEqual = "!=",
        LessEqual = "<=",
        GreaterEqual = ">=",
        And = "&&",
        Or = "||",
        Less = "<",
        Greater = ">",
        Plus = "+",
        Minus = "-",
        Star = "*",
        Slash = "/",
        Percent = "%",
        Not = "!",
        Dot = ".",
        Comma = ",",
        Semicolon = ";",
        OpenParen = "(",
        CloseParen = ")",
        OpenBrace = "{",
        CloseBrace = "}",
        // Read only to be rejected with advice.
        SingleEqual = "=",
        SingleAnd = "&",
        SingleOr = "|",
    }
}

impl Keyword {
    /// The reserved word that is written like this.
    pub fn named(text: &str) -> Option<Keyword> {
        let mut all = Keyword::ALL.iter().copied();
        all.find(|keyword| keyword.text() == text)
    }
}

impl TokenKind {
    /// How a message names it.
    pub fn describe(&self) -> String {
        match self {
            TokenKind::Name(name) => format!("the name `{name}`"),
            TokenKind::Number(number) => format!("the number `{number}`"),
            TokenKind::Keyword(keyword) => format!("`{}`", keyword.text()),
            TokenKind::Sign(sign) => format!("`{}`", sign.text()),
            TokenKind::End => "the end of the file".to_owned(),
        }
    }
}
