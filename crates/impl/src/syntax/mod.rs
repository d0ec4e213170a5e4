//! From text to trees: lexer, parser and the trees themselves.

pub mod ast;
mod expression;
mod lexer;
mod parser;
mod statement;
mod token;

pub use parser::parse;
