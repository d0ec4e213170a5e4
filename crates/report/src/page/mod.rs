//! The report of a run as one web page.
//!
//! The page needs nothing from outside: styles and the script are inside, pictures are inline
//! SVG, and it opens from the file system. Everything can be read without the script, which adds
//! the search box, keys and the choice between light and dark. All texts are escaped, and a content
//! security policy keeps everything from running that is not the page's own script.

mod classes;
mod data;
mod document;
pub(crate) mod escape;
mod listing;
mod method;
mod pictures;
mod test;
mod tree;

pub use data::{
    Alternative, Branch, FindingText, Line, Listing, Method, Page, Path, Picture, Status, Step,
    Test, Totals,
};
pub use document::{MARK, html};
