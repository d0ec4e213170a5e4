//! Many machines: units of a session, searched by workers, over NATS JetStream.
//!
//! | module | what |
//! | --- | --- |
//! | `protocol` | what machines tell each other, as plain data, and what it goes by |
//! | `link` | the connection to a server, what is kept there, and what can go wrong, in words |
//! | `depot` | objects by content, and results by key |
//! | `submission` | the one who asks: jobs are handed out, and answers collected |
//! | `worker` | the one who works: jobs are taken, given to processes, and answered |
//! | `process` | a process that searches units, and how it is talked to |
//! | `arguments`, `command` | what is said about a cluster on the command line, and the command of a worker |
//!
//! A worker runs no code under test: it searches, and whoever asked verifies. The asynchronous client
//! stays inside of this crate; its users call functions that wait.

mod arguments;
mod command;
mod depot;
mod link;
mod process;
pub mod protocol;
mod submission;
mod worker;

pub use arguments::{ClusterArguments, WorkerArguments};
pub use command::{Work, run};
pub use link::{ClusterError, Link, Server};
pub use process::{Opened, Received};
pub use protocol::{Jdk, Tool};
pub use submission::Submission;
