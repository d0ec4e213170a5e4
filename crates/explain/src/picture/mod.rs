//! Heaps drawn as text.
//!
//! An object is drawn where the first path from a root reaches it and has a number by which
//! every later reference names it, so that sharing and cycles stay readable:
//!
//! ```text
//! root ─► #1 Node(value: 1)
//!         ├─left──► #2 Node(value: 0, left: null, right: null)
//!         └─right─► #3 Node(value: 2, left: null, right: null)
//! ```
//!
//! An object with a single successor goes on in the same line, so lists are rows. The elements of
//! an array are in braces, `#1 int[] {3, 4}`; strings and boxed numbers are shown as their values,
//! `#2 "abc"`, without the objects inside of them.

mod drawing;
mod marks;
mod object;
mod reasons;
#[cfg(test)]
pub mod tests;
mod values;

use heapwright_logic::{Definitions, Heap, Value};

use crate::labels::{Labels, short_texts};
use drawing::Drawing;

pub use marks::Marks;
pub use reasons::marks_of;
pub use values::{show_scalar, show_value};

/// Draws the objects that the named roots reach, then the roots that are no references, then
/// whatever was not reached.
pub fn draw(
    labels: &dyn Labels,
    definitions: &Definitions,
    roots: &[(String, Value)],
    heap: &Heap,
) -> String {
    draw_marked(labels, definitions, roots, heap, &Marks::default())
}

/// The same with marks below the places:
///
/// ```text
/// root ─► #1 Node(value: 1, left: null, right: null)
///         ^^ root is null?
/// ```
pub fn draw_marked(
    labels: &dyn Labels,
    definitions: &Definitions,
    roots: &[(String, Value)],
    heap: &Heap,
    marks: &Marks,
) -> String {
    let texts = short_texts(labels, definitions, heap);
    let mut drawing = Drawing::new(definitions, heap, marks, texts);
    drawing.references(roots);
    drawing.scalars(roots);
    drawing.others();
    drawing.finish()
}
