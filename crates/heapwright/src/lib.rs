//! Heapwright as a library: tests for code that works on linked data, and the separation logic that
//! they come from.
//!
//! # Tests for a Java method
//!
//! The JDK has plenty of linked data. `unlink` is a private method of `java.util.LinkedList` that
//! takes a node out of the list; its specification says which lists are valid.
//!
//! ```
//! use heapwright::{Java, Status};
//!
//! let methods = Java::new()
//!     .specification("../../subjects/jdk/LinkedList.sl")
//!     .generate(["java.util.LinkedList#unlink"])?;
//! for method in &methods {
//!     for test in &method.tests {
//!         println!("{}: {} => {}", test.name, test.input, test.result);
//!     }
//!     assert!(method.branches.iter().all(|branch| branch.status == Status::Covered));
//! }
//! assert_eq!(methods[0].tests.len(), 2);
//! # Ok::<(), heapwright::Error>(())
//! ```
//!
//! # Tests for a program in ImpL
//!
//! ```
//! use heapwright::{Impl, Status};
//!
//! let methods = Impl::new("../../examples/impl/tree_remove.impl").generate(Some("remove"))?;
//! let infeasible = methods[0].branches.iter().find(|branch| branch.status == Status::Infeasible);
//! assert_eq!(infeasible.expect("one").condition, "`t == nil` is true");
//! # Ok::<(), heapwright::Error>(())
//! ```
//!
//! # Questions about heaps
//!
//! ```
//! use heapwright::{Answer, Questions};
//!
//! let mut questions = Questions::read(
//!     "import search_tree;
//!      check two_values :=
//!          root -> TreeNode(20, l, r) * l -> TreeNode(10, null, null) * search_tree(r, 20, hi);
//!      check no_room := search_tree(root, 10, 11) & root != null;",
//! )?;
//! let answers = questions.solve();
//! let Answer::Satisfiable(heap) = &answers[0].answer else { panic!("there is such a tree") };
//! assert_eq!(heap.objects(), 2);
//! println!("{}", heap.picture());
//! assert_eq!(answers[1].answer, Answer::Unsatisfiable);
//! # Ok::<(), heapwright::Error>(())
//! ```
//!
//! # All valid heaps of a size
//!
//! ```
//! use heapwright::Questions;
//!
//! let mut library = Questions::module("red_black_tree")?;
//! assert_eq!(library.enumerate("red_black_tree", 3)?.len(), 2);
//! # Ok::<(), heapwright::Error>(())
//! ```
//!
//! # Whether a heap is valid
//!
//! ```
//! use heapwright::{Questions, Satisfaction};
//!
//! let mut library = Questions::module("singly_linked_list")?;
//! let heap = r##"{"stack": {"x": "#1"}, "objects": {"#1": {"class": "ListNode", "value": 0, "next": "#1"}}}"##;
//! let Satisfaction::Violated(reason) = library.check(heap, "list(x)")? else {
//!     panic!("a circle is no list")
//! };
//! println!("{reason}");
//! # Ok::<(), heapwright::Error>(())
//! ```
//!
//! For more than this — other strategies, sequences of calls, reports, files with tests, a language of
//! your own — use the crates below: [`testgen`] has the trait that a language implements and the
//! session that generates tests; [`engine`] has the options of the search.

mod questions;
mod tests;

pub use heapwright_engine as engine;
pub use heapwright_explain as explain;
pub use heapwright_logic as logic;
pub use heapwright_solver as solver;
pub use heapwright_spec as spec;
pub use heapwright_testgen as testgen;

pub use questions::{Answer, Answered, Questions, Satisfaction, ShownHeap};
pub use tests::{Branch, Impl, Java, Method, Status, Test};

/// Why something could not be done.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Tests could not be generated.
    #[error(transparent)]
    Tests(#[from] testgen::Error),
    /// A specification has errors, each with its place.
    #[error(transparent)]
    Specification(#[from] spec::SpecError),
    /// There is no predicate of this name.
    #[error(transparent)]
    Predicate(#[from] spec::questions::UnknownPredicate),
    /// The library has no module of this name.
    #[error("the library has no module `{0}`")]
    Module(String),
    /// A heap in JSON cannot be read.
    #[error(transparent)]
    Heap(#[from] logic::JsonError),
    /// The models of a predicate cannot be enumerated.
    #[error("cannot enumerate: {0}")]
    Enumeration(String),
}
