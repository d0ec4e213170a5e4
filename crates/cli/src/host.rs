//! The surroundings of a session on the command line: the policy for files of other people, standard
//! error, and Ctrl-C.

use std::io::{self, Write};
use std::path::Path;

use heapwright_engine::Interrupt;
use heapwright_spec::{ImportRequest, Source};
use heapwright_testgen::Error;
use heapwright_testgen::host::{Host, Warning};

use crate::failure::{Failure, read, read_found};
use crate::input::{self, warn};
use crate::interruption;

/// The host of every session on the command line.
#[derive(Clone, Copy, Debug)]
pub struct Terminal;

impl Host for Terminal {
    fn read(&self, path: &Path) -> Result<String, Error> {
        read(path).map_err(error)
    }

    fn read_found(&self, path: &Path, folder: &Path) -> Result<String, Error> {
        read_found(path, folder).map_err(error)
    }

    fn import(&self, request: ImportRequest<'_>) -> Result<Source, String> {
        input::import(request)
    }

    fn warn(&self, warning: &Warning<'_>) {
        match warning {
            Warning::InText {
                sources,
                diagnostics,
            } => warn(sources, diagnostics),
            Warning::InFile { file, message } => {
                let _ = writeln!(io::stderr(), "warning: {} {message}", file.display());
            }
        }
    }

    fn interrupt(&self) -> Interrupt {
        interruption::interrupt()
    }
}

/// What keeps a file from being read, as a session says it.
fn error(failure: Failure) -> Error {
    match failure {
        Failure::Read { path, source } => Error::Read { path, source },
        other => Error::Unfit(other.to_string()),
    }
}
