//! The store of results: nothing is searched for twice.
//!
//! A key is made of the tool, the request and its targets, the specifications, and how the program is
//! put together. Behind it is a list: what was looked at, by content, and the key of the result. Only
//! the end of a search knows what it has looked at, which is why there are two steps. The list has
//! several entries, so that a change that is taken back is found again.

use heapwright_engine::{Interrupt, Options};
use heapwright_store::{Digest, Fingerprint, Folder, decode, encode};
use serde::{Deserialize, Serialize};

use crate::request::Request;
use crate::units::{Findings, Searched};

/// So many states of a program are remembered for each key.
const MOST_STATES: usize = 4;

/// Where results are kept.
#[derive(Debug)]
pub struct Store {
    /// Results are looked for in all of these, and kept in all.
    folders: Vec<Folder>,
    /// All results go here as well, for whoever joins them with others.
    handed: Option<Folder>,
    /// Says which program wrote a result: another one may have found something else.
    tool: String,
    use_of: Use,
}

/// What a store is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// Nothing is searched for twice. What the clock has cut is not kept.
    Cache,
    /// Everything is expected to be there: what is missing is told, and not searched for.
    Merge,
}

/// What was looked at, and where the result is.
#[derive(Serialize, Deserialize)]
struct State {
    looks: Vec<u8>,
    result: [u8; 32],
}

impl Store {
    /// The results of a tool, in folders.
    pub fn new(folders: Vec<Folder>, tool: String, use_of: Use) -> Store {
        Store {
            folders,
            handed: None,
            tool,
            use_of,
        }
    }

    /// The same with a folder that gets all results, those that the clock has cut as well. They are
    /// not looked for there, since the next run may find more.
    pub fn handing_over(self, folder: Folder) -> Store {
        Store {
            handed: Some(folder),
            ..self
        }
    }

    /// The tool.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    pub(crate) fn use_of(&self) -> Use {
        self.use_of
    }

    /// The key of some targets of a request.
    pub(crate) fn key(
        &self,
        request: &Request,
        targets: &[String],
        circumstances: &str,
    ) -> Fingerprint {
        key_of(&self.tool, request, targets, circumstances)
    }

    /// The result of a key, if there is one for what `is_as_seen`.
    pub(crate) fn get(
        &self,
        key: &Fingerprint,
        is_as_seen: impl Fn(&[u8]) -> bool,
    ) -> Option<Findings> {
        for folder in &self.folders {
            let states = states(folder, key);
            let Some(state) = states.iter().find(|state| is_as_seen(&state.looks)) else {
                continue;
            };
            let bytes = folder.get(&Fingerprint(state.result));
            let known = bytes.and_then(|bytes| {
                let findings = decode(&bytes, &|_, id| Some(id)).ok()?;
                Some((findings, bytes))
            });
            if let Some((findings, bytes)) = known {
                if let Some(handed) = &self.handed {
                    keep(handed, key, &state.looks, &bytes);
                }
                return Some(findings);
            }
        }
        None
    }

    /// Keeps what was found, if it will be found again, or if it is handed over.
    pub(crate) fn put(&self, key: &Fingerprint, searched: &Searched) {
        if searched.is_interrupted {
            return;
        }
        let bytes = encode(&searched.findings);
        let (Some(looks), Ok((bytes, _))) = (&searched.looks, bytes) else {
            return;
        };
        let lasting = self.folders.iter().filter(|_| !searched.is_cut);
        for folder in lasting.chain(&self.handed) {
            keep(folder, key, looks, &bytes);
        }
    }

    /// Makes room, if anything was kept.
    pub(crate) fn trim(&self) {
        self.folders.iter().for_each(Folder::trim);
    }
}

/// The key of some targets of a request, for a tool.
pub(crate) fn key_of(
    tool: &str,
    request: &Request,
    targets: &[String],
    circumstances: &str,
) -> Fingerprint {
    let mut digest = Digest::default();
    digest.text(tool);
    digest.text(&canonical(request));
    digest.text(circumstances);
    targets.iter().for_each(|target| digest.text(target));
    digest.finish()
}

fn keep(folder: &Folder, key: &Fingerprint, looks: &[u8], bytes: &[u8]) {
    let mut digest = Digest::default();
    digest.bytes(&key.0);
    digest.bytes(looks);
    let result = digest.finish();
    let mut states = states(folder, key);
    states.retain(|state| state.result != result.0);
    let newest = State {
        looks: looks.to_owned(),
        result: result.0,
    };
    states.insert(0, newest);
    states.truncate(MOST_STATES);
    if let Ok((list, _)) = encode(&states)
        && folder.put(&result, bytes)
    {
        folder.put(key, &list);
    }
}

fn states(folder: &Folder, key: &Fingerprint) -> Vec<State> {
    let list = folder.get(key);
    let states = list.and_then(|list| decode(&list, &|_, id| Some(id)).ok());
    states.unwrap_or_default()
}

/// What decides results of a request: neither how many threads there are, nor how long anybody
/// waits, since what the clock has cut is not kept; nor what else is tested.
fn canonical(request: &Request) -> String {
    let mut request = request.clone();
    request.targets.clear();
    let mut bounds = request.options.bounds;
    bounds.time = None;
    request.options = Options {
        jobs: 1,
        interrupt: Interrupt::default(),
        bounds,
        ..request.options
    };
    format!("{request:?}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn threads_and_patience_do_not_decide_results() {
        let request = Request::new(["a"]);
        let mut other = Request::new(["b"]);
        other.options.jobs = 7;
        other.options.bounds.time = Some(Duration::from_secs(1));
        assert_eq!(canonical(&request), canonical(&other));
        other.options.bounds.paths += 1;
        assert_ne!(canonical(&request), canonical(&other));
    }
}
