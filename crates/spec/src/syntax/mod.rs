//! Text to syntax tree: lexer, tree, parser.
//!
//! Nothing here knows what a name means; that is the business of [`resolve`](crate::resolve).

pub mod ast;
mod lexer;
mod literal;
mod parser;
mod token;

pub use lexer::token_places;
pub(crate) use literal::print_character;
pub(crate) use parser::joined;
pub use parser::{MAX_NESTING, Parsed, parse_file, parse_formula};
pub use token::is_reserved;
