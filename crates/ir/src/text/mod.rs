//! The text form of programs: what tests are written in and what people look at.
//!
//! [`print()`] and [`parse`] are inverse to each other on every program that
//! [`verify`](crate::verify()) accepts, but for the predicates of its definitions, which belong to
//! specifications. The parser does not check what the verifier checks: a program with a wrong
//! sort or a missing block can be written down, so that tests can show what the verifier says.
//!
//! One line is one declaration or statement; `//` starts a comment. Classes come before
//! functions; otherwise things may be used before they are declared.
//!
//! ```text
//! manual_memory                                // leaks are reported
//! file "list.impl"                             // file 0, for positions
//!   | while (x /= nil) x := x.next             // its text, if it is known
//! fault NullDereference throws NullPointer     // instead of ending the program
//!
//! class Node extends Item implements Linked size 16 {
//!   value: int at 0 size 4                     // inherited fields are repeated
//!   next: Node at 8 size 8
//!   method "get()" = Node.get                  // what a virtual call finds
//! }
//! class Item
//! abstract class Linked                        // no objects of exactly this class
//! class Ints array of int
//!
//! global counter: Item                         // an object that is always there
//! global table: Ints length 16                 // an array that is
//!
//! function insert(list: Node, %1: int) -> Node @1:1 {
//!   var t: Node
//! b0:
//!   catch NullPointer into t goto b1           // the first handler that fits
//!   t := new Node @2:3                         // line 2, column 3 of file 0
//!   t->Node::next := list @1/2:3               // the same place in file 1
//!   return t
//! b1:
//!   throw t
//! }
//! synthetic function reset() {                 // not written by the user
//! b0:
//!   @table[0] := 0                             // globals are operands
//!   return
//! }
//! ```
//!
//! Names are words, or strings where they are not plain words (`"Tree#insert(int)"`) or have a
//! meaning here (`"new"`). A register is written as its name, as its number (`%1`), or as both
//! where several registers have the name (`x%3`). Classes, functions, globals and fields can be
//! written as numbers too (`#3`, `@#3`); `any` is the class of references about which nothing is
//! known.
//! Constants are `true`, `null`, `5` (an `int`), `5_long`, `1.5` (a `double`), `1.5_float`, or
//! the bits of a float in hexadecimal, `0x7fc00000_float`.

mod error;
mod parser;
mod printer;
mod token;
mod vocabulary;

pub use error::{ParseError, SyntaxError};
pub use parser::parse;
pub use printer::{print, print_functions};
