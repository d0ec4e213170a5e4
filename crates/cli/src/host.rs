//! The surroundings of a session on the command line: the policy for files of other people, standard
//! error, and Ctrl-C.

use std::io::{self, Write};
use std::path::Path;

use heapwright_engine::Interrupt;
use heapwright_spec::{ImportRequest, Source};
use heapwright_testgen::Error;
use heapwright_testgen::host::{Host, Warning};

use crate::failure::{read, read_found};
use crate::input::{self, warn};
use crate::interruption;

/// The host of every session on the command line.
#[derive(Clone, Copy, Debug)]
pub struct Terminal;

impl Host for Terminal {
    fn read(&self, path: &Path) -> Result<String, Error> {
        read(path)
    }

    fn read_found(&self, path: &Path, folder: &Path) -> Result<String, Error> {
        read_found(path, folder)
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
