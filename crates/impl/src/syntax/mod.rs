//! From text to trees: lexer, parser and the trees themselves.

pub mod ast;
mod expression;
mod lexer;
mod parser;
mod statement;
mod token;

pub(crate) use lexer::tokenize;
pub use parser::parse;
pub(crate) use token::{Keyword, Sign, Token, TokenKind};
