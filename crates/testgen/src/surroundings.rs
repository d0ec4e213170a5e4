//! The files around a program as data: what a session reads of specifications and sources, for a machine
//! that has none of these files.
//!
//! A [`Recorder`] takes note of all that is asked of a host. [`Received`] answers from such notes and from
//! nothing else: a path is a key there, and is never opened. What nobody took note of is missed, and then
//! what was found is worth nothing.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use heapwright_engine::Interrupt;
use heapwright_spec::syntax::ast::ImportTarget;
use heapwright_spec::{ImportRequest, Source, library};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::host::{Host, PathKind, Warning};

/// What was read, and what was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Surroundings {
    /// Texts by path.
    texts: BTreeMap<String, String>,
    /// What is at a path.
    places: BTreeMap<String, Option<PathKind>>,
    /// What is imported: the name and the text, by the importing file and what it names.
    imports: BTreeMap<(String, String), (String, String)>,
    /// Folders in which all texts that anybody may ask for are noted.
    closed: Vec<PathBuf>,
}

impl Surroundings {
    /// Says that what is not noted in some folders is not there.
    pub fn close(&mut self, folders: &[PathBuf]) {
        self.closed.extend_from_slice(folders);
    }
}

/// A host that takes note of what it is asked. It warns of nothing: somebody else does.
pub struct Recorder {
    host: Arc<dyn Host>,
    notes: Mutex<Surroundings>,
}

impl Recorder {
    /// Takes note of what a host is asked.
    pub fn new(host: Arc<dyn Host>) -> Recorder {
        Recorder {
            host,
            notes: Mutex::default(),
        }
    }

    /// What was asked until now.
    pub fn notes(&self) -> Surroundings {
        self.with(|notes| notes.clone())
    }

    fn with<T>(&self, change: impl FnOnce(&mut Surroundings) -> T) -> T {
        change(&mut self.notes.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn text(&self, path: &Path, text: Result<String, Error>) -> Result<String, Error> {
        if let Ok(text) = &text {
            self.with(|notes| notes.texts.insert(name(path), text.clone()));
        }
        text
    }
}

impl Host for Recorder {
    fn read(&self, path: &Path) -> Result<String, Error> {
        self.text(path, self.host.read(path))
    }

    fn read_found(&self, path: &Path, folder: &Path) -> Result<String, Error> {
        self.text(path, self.host.read_found(path, folder))
    }

    fn import(&self, request: ImportRequest<'_>) -> Result<Source, String> {
        let key = match request.target {
            ImportTarget::File(path) => Some((request.from.to_owned(), path.clone())),
            ImportTarget::Module(_) => None,
        };
        let source = self.host.import(request)?;
        if let Some(key) = key {
            let value = (source.name.clone(), source.text.clone());
            self.with(|notes| notes.imports.insert(key, value));
        }
        Ok(source)
    }

    fn look(&self, path: &Path) -> Option<PathKind> {
        let place = self.host.look(path);
        self.with(|notes| notes.places.insert(name(path), place));
        place
    }

    fn warn(&self, _: &Warning<'_>) {}

    fn interrupt(&self) -> Interrupt {
        self.host.interrupt()
    }
}

/// A host that knows what somebody else took note of.
#[derive(Debug, Default)]
pub struct Received {
    notes: Surroundings,
    missed: AtomicBool,
    interrupt: Interrupt,
}

impl Received {
    /// What was sent; the switch ends searches.
    pub fn new(notes: Surroundings, interrupt: Interrupt) -> Received {
        Received {
            notes,
            missed: AtomicBool::new(false),
            interrupt,
        }
    }

    /// Whether something was asked that nobody took note of.
    pub fn has_missed(&self) -> bool {
        self.missed.load(Ordering::Relaxed)
    }

    fn known<T: Clone>(&self, known: Option<&T>) -> Option<T> {
        if known.is_none() {
            self.missed.store(true, Ordering::Relaxed);
        }
        known.cloned()
    }
}

impl Host for Received {
    fn read(&self, path: &Path) -> Result<String, Error> {
        let known = self.known(self.notes.texts.get(&name(path)));
        known.ok_or_else(|| Error::Read {
            path: path.to_owned(),
            source: io::Error::new(ErrorKind::NotFound, "it was not sent"),
        })
    }

    fn read_found(&self, path: &Path, _: &Path) -> Result<String, Error> {
        self.read(path)
    }

    fn import(&self, request: ImportRequest<'_>) -> Result<Source, String> {
        let ImportTarget::File(path) = request.target else {
            return library::import(request, |_| Err("it was not sent".to_owned()));
        };
        let key = (request.from.to_owned(), path.clone());
        let known = self.known(self.notes.imports.get(&key));
        let (name, text) = known.ok_or_else(|| "it was not sent".to_owned())?;
        Ok(Source { name, text })
    }

    fn look(&self, path: &Path) -> Option<PathKind> {
        if let Some(place) = self.notes.places.get(&name(path)) {
            return *place;
        }
        let mut closed = self.notes.closed.iter();
        if !closed.any(|folder| path.starts_with(folder)) {
            self.missed.store(true, Ordering::Relaxed);
        }
        None
    }

    fn warn(&self, _: &Warning<'_>) {}

    fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::QuietHost;
    use crate::temporary::Temporary;

    #[test]
    fn what_was_recorded_is_all_that_is_known() {
        let folder = Temporary::named(&std::env::temp_dir(), "surroundings");
        std::fs::create_dir_all(folder.path()).expect("a folder");
        let (seen, other) = (
            folder.path().join("seen.sl"),
            folder.path().join("other.sl"),
        );
        std::fs::write(&seen, "seen").expect("a file");
        std::fs::write(&other, "other").expect("a file");
        let recorder = Recorder::new(Arc::new(QuietHost::default()));
        recorder
            .read_found(&seen, folder.path())
            .expect("it is there");
        assert_eq!(recorder.look(&folder.path().join("none")), None);
        let received = Received::new(recorder.notes(), Interrupt::default());
        assert_eq!(received.read(&seen).ok().as_deref(), Some("seen"));
        assert_eq!(received.look(&folder.path().join("none")), None);
        assert!(!received.has_missed());
        received.read(&other).expect_err("nobody took note of it");
        assert!(received.has_missed());
    }
}
