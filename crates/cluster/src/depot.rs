//! Objects by content, and results by key.
//!
//! What is fetched is bounded while it arrives, and is worth nothing unless it has the fingerprint that
//! it goes by. A result is written once: whoever comes second finds that it is there.

use std::time::Duration;

use std::io::ErrorKind;

use async_nats::jetstream::kv::{self, CreateErrorKind, UpdateErrorKind};
use async_nats::jetstream::object_store::GetErrorKind;
use heapwright_store::{Contents, Fingerprint, Part};
use heapwright_testgen::elsewhere::Answered;
use tokio::io::AsyncReadExt;

use crate::link::Link;
use crate::protocol::{self, Held, LARGEST_RESULT, LONGEST_MESSAGE, State, bytes, with_state};

/// How often something is tried while the server is away for a moment.
const TRIES: u32 = 60;

/// The time between two tries.
const PAUSE: Duration = Duration::from_millis(500);

/// How often somebody else may change an entry while it is changed here.
const CHANGES: u32 = 100;

/// Why an object cannot be had.
pub enum NotThere {
    /// It is not kept, or not what it should be.
    Wrong(String),
    /// The server, or this machine, cannot give it now.
    Away(String),
}

impl NotThere {
    pub fn words(self) -> String {
        match self {
            NotThere::Wrong(words) | NotThere::Away(words) => words,
        }
    }
}

/// Does something again and again while the server does not answer.
pub async fn insist<T, E: ToString>(
    mut tried: impl AsyncFnMut() -> Result<T, E>,
) -> Result<T, String> {
    let mut last = String::new();
    for _ in 0..TRIES {
        match tried().await {
            Ok(value) => return Ok(value),
            Err(error) => last = error.to_string(),
        }
        tokio::time::sleep(PAUSE).await;
    }
    Err(last)
}

impl Link {
    /// Keeps an object, if it is not there yet.
    pub(crate) async fn keep(
        &self,
        fingerprint: &Fingerprint,
        contents: &Contents,
    ) -> Result<(), String> {
        let name = fingerprint.to_string();
        insist(async || {
            if self
                .objects
                .info(&name)
                .await
                .is_ok_and(|known| !known.deleted)
            {
                return Ok(());
            }
            let read;
            let mut bytes = match contents {
                Contents::Bytes(bytes) => bytes.as_slice(),
                Contents::File(path) => {
                    // Whole in memory, as files of class paths are for whoever reads them.
                    read = std::fs::read(path).map_err(|error| error.to_string())?;
                    read.as_slice()
                }
            };
            let put = self.objects.put(name.as_str(), &mut bytes).await;
            put.map(drop).map_err(|error| error.to_string())
        })
        .await
    }

    /// The bytes of an object, `most` of them at most.
    pub(crate) async fn fetch(
        &self,
        fingerprint: &Fingerprint,
        most: u64,
    ) -> Result<Vec<u8>, NotThere> {
        let mut bytes = Vec::new();
        self.pour(fingerprint, most, &mut |chunk| {
            bytes.extend_from_slice(chunk);
            Ok(())
        })
        .await?;
        match Fingerprint::of(&bytes) == *fingerprint {
            true => Ok(bytes),
            false => Err(NotThere::Wrong(
                "an object is not what it is called".to_owned(),
            )),
        }
    }

    /// Fetches an object into a file.
    pub(crate) async fn fetch_into(
        &self,
        fingerprint: &Fingerprint,
        most: u64,
        part: &mut Part,
    ) -> Result<(), NotThere> {
        self.pour(fingerprint, most, &mut |chunk| part.write(chunk))
            .await
    }

    async fn pour(
        &self,
        fingerprint: &Fingerprint,
        most: u64,
        take: &mut (dyn FnMut(&[u8]) -> std::io::Result<()> + Send),
    ) -> Result<(), NotThere> {
        let away = |error: &dyn std::error::Error| NotThere::Away(error.to_string());
        let opened = self.objects.get(fingerprint.to_string()).await;
        let mut object = opened.map_err(|error| match error.kind() {
            GetErrorKind::NotFound => NotThere::Wrong("an object is missing".to_owned()),
            _ => away(&error),
        })?;
        let mut chunk = vec![0; 128 << 10];
        let mut all: u64 = 0;
        loop {
            let read = object.read(&mut chunk).await;
            let length = read.map_err(|error| match error.kind() {
                // Its digest is not that of its bytes.
                ErrorKind::InvalidData => NotThere::Wrong(error.to_string()),
                _ => away(&error),
            })?;
            all += length as u64;
            if all > most {
                let problem = format!("an object has more than {most} bytes");
                return Err(NotThere::Wrong(problem));
            }
            let Some(read) = chunk.get(..length).filter(|read| !read.is_empty()) else {
                return Ok(());
            };
            take(read).map_err(|error| away(&error))?;
        }
    }

    /// Bytes as they are kept with others.
    pub(crate) async fn held(&self, bytes: Vec<u8>) -> Result<Held, String> {
        if bytes.len() <= self.inline() {
            return Ok(Held::Here(bytes));
        }
        if bytes.len() as u64 > LARGEST_RESULT {
            return Err("it is too large to be kept".to_owned());
        }
        let fingerprint = Fingerprint::of(&bytes);
        self.keep(&fingerprint, &Contents::Bytes(bytes)).await?;
        Ok(Held::Object(fingerprint.0))
    }

    async fn at_hand(&self, held: Held) -> Result<Vec<u8>, String> {
        match held {
            Held::Here(bytes) => Ok(bytes),
            Held::Object(name) => {
                let fetched = self.fetch(&Fingerprint(name), LARGEST_RESULT).await;
                fetched.map_err(NotThere::words)
            }
        }
    }

    /// A result as it is kept.
    pub(crate) async fn state(&self, answered: Answered) -> Result<State, String> {
        Ok(State {
            looks: self.held(answered.looks).await?,
            findings: self.held(answered.findings).await?,
        })
    }

    /// A result that was kept.
    pub(crate) async fn answered(&self, state: State, is_cut: bool) -> Result<Answered, String> {
        let looks = self.at_hand(state.looks).await?;
        let findings = self.at_hand(state.findings).await?;
        Ok(protocol::answered(looks, findings, is_cut))
    }

    /// All that is kept under a key. What is damaged is left out.
    pub(crate) async fn states(&self, key: &Fingerprint) -> Result<Vec<Answered>, String> {
        let key = key.to_string();
        let entry = insist(async || self.results.get(key.as_str()).await).await?;
        let mut states = Vec::new();
        for state in read_states(entry.as_deref()) {
            if let Ok(answered) = self.answered(state, false).await {
                states.push(answered);
            }
        }
        Ok(states)
    }

    /// Keeps a result under a key.
    pub(crate) async fn keep_result(&self, key: &Fingerprint, state: State) -> Result<(), String> {
        let key = key.to_string();
        change(&self.results, &key, |known| {
            bytes(&with_state(read_states(known), state.clone())?)
        })
        .await
    }
}

fn read_states(entry: Option<&[u8]>) -> Vec<State> {
    let entry = entry.filter(|entry| entry.len() <= LONGEST_MESSAGE);
    entry.map_or(Vec::new(), |entry| {
        protocol::read(entry).unwrap_or_default()
    })
}

/// Changes an entry, whoever else does so at the same time. `None` changes nothing.
pub async fn change(
    store: &kv::Store,
    key: &str,
    mut change: impl FnMut(Option<&[u8]>) -> Option<Vec<u8>>,
) -> Result<(), String> {
    for _ in 0..CHANGES {
        let entry = insist(async || store.entry(key).await).await?;
        let is_there = |entry: &kv::Entry| entry.operation == kv::Operation::Put;
        let known = entry.filter(is_there);
        let Some(changed) = change(known.as_ref().map(|entry| &*entry.value)) else {
            return Ok(());
        };
        let written = match known {
            Some(entry) => match store.update(key, changed.into(), entry.revision).await {
                Ok(_) => Ok(()),
                Err(error) => Err((
                    error.kind() == UpdateErrorKind::WrongLastRevision,
                    error.to_string(),
                )),
            },
            None => match store.create(key, changed.into()).await {
                Ok(_) => Ok(()),
                Err(error) => Err((
                    error.kind() == CreateErrorKind::AlreadyExists,
                    error.to_string(),
                )),
            },
        };
        match written {
            Ok(()) => return Ok(()),
            Err((true, _)) => {}
            Err((false, _)) => tokio::time::sleep(PAUSE).await,
        }
    }
    Err("an entry cannot be changed".to_owned())
}
