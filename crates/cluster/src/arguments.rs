//! What is said about a cluster on the command line.

use std::path::PathBuf;
use std::time::Duration;

use crate::link::Server;

/// A cluster that searches.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Results")]
pub struct ClusterArguments {
    /// Have workers search, through a NATS server: nats://HOST:4222 or tls://HOST:4222 [default: search
    /// here]
    // The others may stand in the user's configuration for all runs, so they do not ask for this one.
    #[arg(long, value_name = "ADDRESS")]
    pub cluster: Option<String>,
    /// The credentials for the NATS server, as `nsc` writes them [default: none]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub creds: Option<PathBuf>,
    /// Certificates that vouch for the NATS server, beside those of the system [default: none]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub ca: Option<PathBuf>,
    /// Send source texts to workers, for names of tests and messages [default: class files and
    /// specifications only]
    #[arg(long, hide_short_help = true)]
    pub send_sources: bool,
}

impl ClusterArguments {
    /// The server, if there is a cluster.
    pub fn server(&self) -> Option<Server> {
        Some(Server {
            address: self.cluster.clone()?,
            credentials: self.creds.clone(),
            authorities: self.ca.clone(),
        })
    }
}

/// Search for others: take units of `generate --cluster` from a NATS server
///
/// No code under test is run. All machines need the same program file of heapwright and the same JDK.
/// Ends with Ctrl-C; the units that it is at are given back.
#[derive(clap::Args, Clone, Debug)]
pub struct WorkerArguments {
    /// The NATS server: nats://HOST:4222 or tls://HOST:4222
    #[arg(long, value_name = "ADDRESS", required_unless_present = "compute")]
    pub cluster: Option<String>,
    /// The credentials for it, as `nsc` writes them [default: none]
    #[arg(long, value_name = "FILE")]
    pub creds: Option<PathBuf>,
    /// Certificates that vouch for it, beside those of the system [default: none]
    #[arg(long, value_name = "FILE")]
    pub ca: Option<PathBuf>,
    /// How many units are searched at a time, each in a process of its own
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub jobs: usize,
    /// Megabytes for each of these processes; a search ends when they are nearly used up
    #[arg(long, value_name = "MB", default_value_t = 2048)]
    pub memory: u64,
    /// The JDK [default: JAVA_HOME, or that of `java`]
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
    /// Where files of programs are kept [default: HEAPWRIGHT_CACHE, or heapwright in the user's cache
    /// folder]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Seconds after which a worker that says nothing has lost its unit to another one
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub lease: u64,
    /// Search what is asked for on standard input: a process of a worker.
    #[arg(long, hide = true)]
    pub compute: bool,
}

impl WorkerArguments {
    /// The server.
    pub fn server(&self) -> Server {
        Server {
            address: self.cluster.clone().unwrap_or_default(),
            credentials: self.creds.clone(),
            authorities: self.ca.clone(),
        }
    }

    /// After this time without a word a unit is given to somebody else.
    pub fn lease(&self) -> Duration {
        Duration::from_secs(self.lease)
    }
}
