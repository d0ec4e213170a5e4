//! Clusters: who asks, and who works.

use std::io::{self, Write};
use std::path::Path;

use heapwright_cluster::{Submission, Tool, Work, WorkerArguments};
use heapwright_testgen::elsewhere::Help;

use crate::commands::generate::Arguments;
use crate::failure::{CommandStatus, Failure};
use crate::store::{self, StoreArguments};
use crate::{frontends, interruption};

/// What this program is, with a JDK.
fn tool(store: &StoreArguments, jdk: Option<&Path>) -> Result<Tool, Failure> {
    let identity = store::tool(store.folder().as_ref())?;
    Ok(Tool {
        program: format!("{} ({:.12})", env!("CARGO_PKG_VERSION"), identity),
        identity,
        jdk: frontends::jdk(jdk)?,
    })
}

/// The other machines that search for `generate`, if there are any.
pub fn help(arguments: &Arguments) -> Result<Option<Help>, Failure> {
    let Some(server) = arguments.cluster.server() else {
        return Ok(None);
    };
    let tool = tool(&arguments.store, arguments.java.class_path.jdk.as_deref())?;
    let elsewhere = Submission::open(&server, tool, interruption::interrupt())?;
    Ok(Some(Help {
        elsewhere: Box::new(elsewhere),
        gets_sources: arguments.cluster.send_sources,
    }))
}

/// `worker`: searches for others.
pub fn work(arguments: &WorkerArguments) -> Result<CommandStatus, Failure> {
    let store = StoreArguments {
        cache: arguments.cache.clone(),
        ..StoreArguments::default()
    };
    let jdk = arguments.jdk.as_deref();
    let interrupt = match arguments.compute {
        true => interruption::watched_interrupt(arguments.memory.saturating_mul(1 << 20)),
        false => interruption::interrupt(),
    };
    heapwright_cluster::run(
        arguments,
        Work {
            tool: &|| tool(&store, jdk).map_err(|failure| failure.to_string()),
            folder: store.usual_folder(),
            interrupt: interrupt.clone(),
            open: &|sent, request| frontends::receive(sent, request, jdk, &interrupt),
            end: || interruption::end(0),
            say: &|text| drop(writeln!(io::stderr(), "{text}")),
        },
    )?;
    Ok(CommandStatus::Decided)
}
