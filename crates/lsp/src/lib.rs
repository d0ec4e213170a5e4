//! Specifications in an editor: a server for the Language Server Protocol, and the formatter.
//!
//! The server reads messages from one stream and answers on another ([`serve`]). What is around it
//! (files, classes of the code) comes through [`World`], so that nothing here reads a file. Each
//! question of an editor is a function of the texts: [`format()`], and the modules for diagnostics,
//! hovering, completion and definitions.
//!
//! Messages are built with `serde_json` by hand: of the protocol's several hundred types about
//! thirty small objects are needed (docs/DEPENDENCIES.md).

mod completion;
mod contracts;
mod definition;
mod diagnostics;
mod document;
mod format;
mod hover;
mod names;
mod position;
mod server;
mod transport;
mod uri;
mod world;

pub use contracts::classes_of;
pub use format::format;
pub use server::serve;
pub use transport::ProtocolError;
pub use world::World;
