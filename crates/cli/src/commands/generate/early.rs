//! Tests that are written before the end, so that they are there if the end is never seen.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use heapwright_testgen::{Frontend, Session};

use super::{Arguments, document, output, reports};
use crate::failure::Failure;

/// The part of the time that writing tests early may take: one in this many.
const PART: u32 = 20;

/// What it may take in any case.
const GRACE: Duration = Duration::from_secs(1);

/// What was written before the end.
pub struct Early {
    begin: Instant,
    /// The time that it took.
    writing: Duration,
    /// The files.
    files: BTreeSet<PathBuf>,
    /// Whether there are no reports of an earlier run, so that early ones replace nothing.
    is_new: bool,
}

impl Early {
    /// Nothing, since a run has just begun.
    pub fn beginning(is_new: bool) -> Early {
        Early {
            begin: Instant::now(),
            writing: Duration::ZERO,
            files: BTreeSet::new(),
            is_new,
        }
    }

    /// Whether a file is of this run.
    pub fn has_written(&self, file: &Path) -> bool {
        self.files.contains(file)
    }

    /// Whether writing has taken a small part of the time only.
    fn is_cheap(&self) -> bool {
        self.writing <= GRACE || self.writing * PART <= self.begin.elapsed()
    }

    /// Writes the tests that were found until now, but not over those of an earlier run.
    /// Everything is written anew each time, so this waits until it has taken a small part of the
    /// time only.
    pub fn write<F: Frontend>(
        &mut self,
        session: &mut Session<F>,
        arguments: &Arguments,
    ) -> Result<(), Failure> {
        if !self.is_cheap() {
            return Ok(());
        }
        let begin = Instant::now();
        if self.is_new {
            // What is for standard output is written in the end.
            document::write(session, arguments, &mut std::io::sink())?;
            reports::write_all(session, arguments, &mut std::io::sink())?;
        }
        if arguments.out.is_some() {
            let written = output::write(session, arguments, self, None)?.into_iter();
            let files = written.flat_map(|written| {
                let written = written.files;
                written.files.into_iter().chain(written.findings)
            });
            self.files.extend(files.collect::<Vec<_>>());
        }
        self.writing += begin.elapsed();
        Ok(())
    }
}
