//! What a run found, for people and for other tools: pictures of heaps as Graphviz text and as SVG,
//! the report as a web page, coverage in the usual formats, findings as SARIF.
//!
//! The way of the data: a [`Scene`] (named roots and a heap, and possibly the state before) is
//! turned into a `Picture` that says what is to be seen (boxes, rows, references, what changed);
//! the layout gives every box a place and every reference a path; the writers only print.
//! Nothing here needs Graphviz, a font or a browser: sizes are estimated for a monospaced font.
//!
//! Same scene, same bytes. No input makes these functions fail: heaps that are too large are cut
//! with a note, and text from the program under test is cleaned and escaped.

pub mod coverage;
mod dot;
mod drawing;
mod frame;
mod geometry;
mod hidden;
mod inline;
pub mod json_text;
mod layout;
pub mod page;
mod picture;
pub mod sarif;
mod scene;
mod shape;
mod slots;
mod style;
mod svg;
mod text;

pub use dot::dot;
pub use scene::{Labels, Limits, Scene, State};
pub use style::stylesheet;
pub use svg::{svg, svg_fragment};
