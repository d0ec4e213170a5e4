//! Units that are searched by other machines: what they are told, and what they answer.
//!
//! All of it is plain data. What is sent is the program with everything that units depend on, the
//! request, and for each unit the names of its targets and the key of its result; the other machine
//! finds the same key, or says why it does not answer. An answer is what a search in this process would
//! have found, so whoever gets one goes on as with a result of the store.

use std::collections::BTreeMap;
use std::fmt;

use heapwright_engine::Interrupt;
use heapwright_store::{Contents, Fingerprint, decode, encode};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::frontend::Frontend;
use crate::request::Request;
use crate::store::key_of;
use crate::units::Searched;

/// A program that is sent.
#[derive(Debug)]
pub struct Sent {
    /// What the front end makes of its program, as bytes.
    pub description: Vec<u8>,
    /// The files that go with it, in the order in which the description speaks of them.
    pub contents: Vec<Contents>,
}

/// A unit that is to be searched.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The key of its result.
    pub key: [u8; 32],
    /// Its targets by their names.
    pub targets: Vec<String>,
}

/// What a machine answers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// What was found.
    Found(Answered),
    /// One of the results that are known already, by its number, is that of the unit.
    Known(usize),
    /// It cannot be searched there, for this reason.
    Refused(String),
}

/// What was found for a unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Answered {
    /// What was looked at.
    pub looks: Vec<u8>,
    /// The findings.
    pub findings: Vec<u8>,
    /// Whether the result may be another one the next time.
    pub is_cut: bool,
}

/// What became of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JobOutcome {
    /// Somebody answered: with what was found for one state of the program or several.
    Answered(Vec<Answered>),
    /// Nobody can; it has to be searched here.
    Here,
    /// It was set aside, for this reason: whoever searches it may come to harm.
    SetAside(String),
}

/// How far other machines are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The jobs that have an outcome.
    pub answered: usize,
    /// All jobs.
    pub all: usize,
    /// Who is at work, in words.
    pub workers: String,
    /// What people should know before the end; it is said once.
    pub note: Option<String>,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress {
            answered,
            all,
            workers,
            ..
        } = self;
        write!(f, "{answered} of {all} units answered, {workers}")
    }
}

/// Other machines.
pub trait Elsewhere {
    /// What is known there about keys: what was looked at, and what was found, for one state of the
    /// program or several.
    fn known(&mut self, keys: &[Fingerprint]) -> Result<Vec<Vec<Answered>>, String>;

    /// Has jobs searched, and tells what becomes of each. Ends when all have an outcome, or when the
    /// switch is set.
    fn search(
        &mut self,
        sent: &Sent,
        request: &Request,
        jobs: &[Job],
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<BTreeMap<usize, JobOutcome>, String>;
}

/// Other machines, and what they get.
pub struct Help {
    /// How they are reached.
    pub elsewhere: Box<dyn Elsewhere>,
    /// Whether source texts are sent to them. If not, units are searched without source texts, here
    /// as well, so that where a unit was searched makes no difference.
    pub gets_sources: bool,
}

/// A program that was received, with the targets that jobs may name.
pub struct Receiver<F: Frontend> {
    frontend: F,
    request: Request,
    tool: String,
    /// No target where several have a name.
    targets: BTreeMap<String, Option<F::Target>>,
}

impl<F: Frontend> Receiver<F> {
    /// Finds the targets of a request; `tool` is the one that is at work here.
    pub fn new(mut frontend: F, request: Request, tool: &str) -> Result<Receiver<F>, Error> {
        let mut targets = BTreeMap::new();
        for target in frontend.targets(&request)?.tested {
            let name = frontend.target_name(&target);
            let entry = targets.entry(name);
            entry
                .and_modify(|known| *known = None)
                .or_insert(Some(target));
        }
        Ok(Receiver {
            frontend,
            request,
            tool: tool.to_owned(),
            targets,
        })
    }

    /// Searches a unit, unless it is known: by what was looked at for results under its key.
    /// `has_missed` says afterwards whether something was needed that was not sent.
    pub fn answer(
        &mut self,
        job: &Job,
        known: &[Vec<u8>],
        interrupt: &Interrupt,
        has_missed: impl Fn() -> bool,
    ) -> Answer {
        match self.searched(job, known, interrupt) {
            _ if has_missed() => Answer::Refused("a file is needed that was not sent".to_owned()),
            Ok(answer) => answer,
            Err(reason) => Answer::Refused(reason),
        }
    }

    fn searched(
        &mut self,
        job: &Job,
        known: &[Vec<u8>],
        interrupt: &Interrupt,
    ) -> Result<Answer, String> {
        let targets = job.targets.iter();
        let targets: Option<Vec<F::Target>> = targets
            .map(|name| self.targets.get(name).cloned().flatten())
            .collect();
        let targets = targets.ok_or("no target has this name")?;
        let words = |error: Error| error.to_string();
        let circumstances = self.frontend.circumstances(&targets).map_err(words)?;
        let key = key_of(&self.tool, &self.request, &job.targets, &circumstances);
        if key.0 != job.key {
            return Err("the key of its result is another one here".to_owned());
        }
        let is_seen = |looks: &Vec<u8>| self.frontend.is_as_seen(looks);
        if let Some(number) = known.iter().position(is_seen) {
            return Ok(Answer::Known(number));
        }
        let search = self.frontend.apart(&targets);
        let search = search.ok_or("it cannot be searched apart from others")?;
        let mut request = self.request.clone();
        request.options.jobs = 1;
        request.options.interrupt = interrupt.clone();
        let searched = search(request).map_err(words)?;
        let searched = searched.ok_or("what was found cannot be written down")?;
        let Searched {
            findings,
            looks,
            is_cut,
            is_interrupted,
            ..
        } = searched;
        if is_interrupted {
            return Err("it was interrupted".to_owned());
        }
        let looks = looks.ok_or("nobody knows what was looked at")?;
        let (findings, _) = encode(&findings).map_err(|error| error.to_string())?;
        Ok(Answer::Found(Answered {
            looks,
            findings,
            is_cut,
        }))
    }
}

impl Answered {
    /// The answer as the result of a search. `None` if these are not findings.
    pub(crate) fn searched(&self) -> Option<Searched> {
        Some(Searched {
            findings: decode(&self.findings, &|_, id| Some(id)).ok()?,
            looks: Some(self.looks.clone()),
            is_cut: self.is_cut,
            is_interrupted: false,
            circumstances: None,
        })
    }
}
