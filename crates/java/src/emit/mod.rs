//! Tests in Java: JUnit 5 or JUnit 4 classes that build an input, call a method, and assert what
//! came of it.
//!
//! A [`TestCase`] says what was run, on which heap, and how it ended; [`emit`] writes the test
//! class of several of them. The tests need no library beyond JUnit. Constructors and fields that
//! the test class can see are used directly; everything else goes through a few reflective methods
//! at the end of the class, which are written only if they are needed.
//!
//! | module | what it does |
//! | --- | --- |
//! | `case` | what a test is made from |
//! | `things` | what the cells of the heaps are in Java: strings, boxes, arrays, objects |
//! | `unit` | what can be named and seen from the test class |
//! | `constructors` | what constructors do, as far as their bytecode makes it plain |
//! | `setup` | statements that build the input, in order |
//! | `sequence`, `type_parameters` | calls that make the input instead, and what they let us assert |
//! | `variables`, `creation`, `places` | its variables, new objects, and assignments to fields |
//! | `call` | the call under test |
//! | `checks` | assertions about the result and the final heap |
//! | `values`, `contents`, `identity` | those about one value, about one object, about several |
//! | `checkers` | methods that assert all fields of an object |
//! | `bisimulation` | which objects assertions about fields could take for each other |
//! | `statics` | static fields: set, saved and restored |
//! | `literal`, `names`, `helper`, `layout` | pieces of text |
//! | `test_method`, `test_class` | the parts put together |

mod bisimulation;
mod call;
mod case;
mod checkers;
mod checks;
mod compilation_unit;
mod constructors;
mod contents;
mod creation;
mod defects;
mod error;
mod helper;
mod identity;
mod inherited;
mod invariant;
mod layout;
mod literal;
mod names;
mod places;
mod script;
mod sequence;
mod setup;
mod statics;
mod test_class;
mod test_method;
mod things;
mod type_parameters;
mod values;
mod variables;

pub use case::{
    AssertedLocation, CallScript, CallSequence, Defect, Ending, Framework, Given, GlobalObject,
    Invariant, ScriptCall, ScriptObservation, ScriptOperand, ScriptStatement, SequenceCall,
    SharedField, StaticValue, TestCase, TestClass, Told, Vagueness,
};
pub use checks::is_failed_initialiser;
pub(crate) use constructors::{DETAIL_MESSAGE, MessageSource, Source, accepts_all, message_source};
pub use error::EmitError;
pub(crate) use inherited::{Inherited, left_by};
pub use script::told;
pub use test_class::{Emitted, emit, file_path, test_package};
