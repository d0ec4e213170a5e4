//! Results by content: how they are written down, and the folder that keeps them.
//!
//! | module | what |
//! | --- | --- |
//! | `format` | plain data as bytes, where ids of a program are written as numbers that mean something only together with a table of names |
//! | `folder` | a folder of entries: written whole, bounded, shared by processes, damaged ones ignored |
//! | `parts` | whole files by content, which somebody opens where they are |
//! | `digest` | the fingerprint that keys are made of |
//!
//! Nothing here knows what is stored.

mod digest;
mod file;
mod folder;
mod format;
mod parts;

pub use digest::{Digest, Fingerprint};
pub use file::fingerprint_of_file;
pub use folder::{Folder, Statistics};
pub use format::{FormatError, IdKind, Ids, decode, encode};
pub use parts::{Contents, Part, Parts};
