//! What machines tell each other, as plain data, and what it goes by.
//!
//! Everything comes from a network: nothing is read that is longer than it may be, content is compared
//! with the fingerprint that it goes by, and no name in a message becomes the name of a file. A machine
//! believes what a message says about itself, and nothing else: a worker looks whether the key of a
//! job is the one that it finds itself, and whoever asks looks whether an answer is about the classes
//! that are here.

use heapwright_store::{Fingerprint, FormatError, decode, encode};
use heapwright_testgen::Request;
use heapwright_testgen::elsewhere::{Answered, Job};
use serde::{Deserialize, Serialize};

/// The number of this protocol: machines that speak another one have nothing to do with each other.
const VERSION: u32 = 1;

/// The stream with the jobs.
pub const JOBS: &str = "heapwright-jobs-1";
/// What was found, by key: the team's cache.
pub const RESULTS: &str = "heapwright-results-1";
/// What became of jobs.
pub const ANSWERS: &str = "heapwright-answers-1";
/// Who has tried a job that has no answer.
pub const ATTEMPTS: &str = "heapwright-attempts-1";
/// Programs, and whatever is too large for a message, by content.
pub const OBJECTS: &str = "heapwright-objects-1";
/// Where workers are asked who they are.
pub const HELLO: &str = "heapwright.hello.1";

/// No message is longer.
pub const LONGEST_MESSAGE: usize = 1 << 20;
/// No description of a run is longer.
pub const LARGEST_RUN: u64 = 64 << 20;
/// No result is larger; the same as in a folder.
pub const LARGEST_RESULT: u64 = 32 << 20;
/// No file of a program is larger.
pub const LARGEST_PART: u64 = 1 << 30;
/// So many states of a program are kept for each key, as in a folder.
const MOST_STATES: usize = 4;
/// A job that so many workers have begun with, and nobody has ended, is set aside.
pub const MOST_ATTEMPTS: usize = 3;

/// What the jobs of a run have in common: the program, and how it is searched.
#[derive(Serialize, Deserialize)]
pub struct Run {
    /// The number of the protocol.
    version: u32,
    /// The program file that asks.
    pub tool: String,
    /// The program under test, as its front end describes it.
    pub description: Vec<u8>,
    /// The files that belong to it, with their sizes.
    pub parts: Vec<([u8; 32], u64)>,
    /// What is asked.
    pub request: Request,
}

/// A job as it waits in the stream.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ticket {
    /// The run that it belongs to, by content.
    pub run: [u8; 32],
    /// The job.
    pub job: Job,
}

/// Bytes that are in a message, or apart from it if they are many.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Held {
    /// The bytes.
    Here(Vec<u8>),
    /// An object by content.
    Object([u8; 32]),
}

/// A result, and what it depends on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct State {
    /// What was looked at.
    pub looks: Held,
    /// What was found.
    pub findings: Held,
}

/// What became of a job.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Reply {
    /// The result is kept under its key.
    Kept,
    /// Something was cut, so this is kept nowhere else.
    Cut(State),
    /// It cannot be searched elsewhere, for this reason.
    Refused(String),
    /// It was set aside, for this reason.
    SetAside(String),
}

/// A worker has begun with a job.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Attempt {
    /// What the worker is called.
    pub worker: String,
    /// Tells this attempt from others.
    pub number: u64,
    /// How it ended, if anybody knows.
    pub ended: Option<String>,
}

/// What a worker says about itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Hello {
    /// What it is called.
    pub name: String,
    /// The jobs that it takes: those of the same program file and the same JDK.
    pub route: String,
    /// Its program file, in words.
    pub program: String,
    /// Its JDK, in words.
    pub jdk: String,
    /// How many jobs it takes at a time.
    pub jobs: u32,
    /// How many it is at.
    pub busy: u32,
}

/// Which program file is at work, with what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tool {
    /// What tells it from all others: results depend on it.
    pub identity: String,
    /// The version, in words.
    pub program: String,
    /// Its JDK.
    pub jdk: Jdk,
}

/// Which JDK is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Jdk {
    /// What tells it from others.
    pub identity: String,
    /// The version, in words.
    pub version: String,
}

/// Bytes that mean nothing here.
pub type Damaged = FormatError;

impl Run {
    /// What a program file asks.
    pub fn new(
        tool: String,
        description: Vec<u8>,
        parts: Vec<([u8; 32], u64)>,
        request: Request,
    ) -> Run {
        Run {
            version: VERSION,
            tool,
            description,
            parts,
            request,
        }
    }

    /// Whether this machine speaks the same protocol, and no file is too large.
    pub fn is_sound(&self) -> bool {
        self.version == VERSION && self.parts.iter().all(|(_, size)| *size <= LARGEST_PART)
    }
}

impl Tool {
    /// What jobs go by that machines with the same program file and the same JDK can do for each
    /// other.
    pub fn route(&self) -> String {
        let both = format!("{}\n{}\n{VERSION}", self.identity, self.jdk.identity);
        short(&Fingerprint::of(both.as_bytes()))
    }
}

/// The first half of a fingerprint: enough for whoever does not try to find two that are the same.
fn short(fingerprint: &Fingerprint) -> String {
    let text = fingerprint.to_string();
    text.get(..32).unwrap_or(&text).to_owned()
}

/// What a job goes by, in the stream and everywhere else.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct JobName {
    /// The run and the job.
    pub key: String,
    /// The subject that it waits under.
    pub subject: String,
}

impl JobName {
    /// The name of the job on a ticket.
    pub fn of(ticket: &[u8], run: &Fingerprint, route: &str) -> JobName {
        let key = format!("{}.{}", short(run), short(&Fingerprint::of(ticket)));
        JobName {
            subject: format!("heapwright.jobs.{route}.{key}"),
            key,
        }
    }

    /// The subjects of all jobs of a run.
    pub fn all_of(run: &Fingerprint, route: &str) -> String {
        format!("heapwright.jobs.{route}.{}.*", short(run))
    }

    /// The keys of all jobs of a run.
    pub fn keys_of(run: &Fingerprint) -> String {
        format!("{}.*", short(run))
    }
}

/// The subjects of all jobs that a worker takes.
pub fn jobs_for(route: &str) -> String {
    format!("heapwright.jobs.{route}.*.*")
}

/// The subjects of all jobs.
pub const ALL_JOBS: &str = "heapwright.jobs.*.*.*";

/// The states of a key with one more; the oldest ones make room. `None` if it is there already.
pub fn with_state(mut states: Vec<State>, state: State) -> Option<Vec<State>> {
    if states.iter().any(|known| known.looks == state.looks) {
        return None;
    }
    states.insert(0, state);
    states.truncate(MOST_STATES);
    Some(states)
}

/// Why a job is set aside, from what is known about those who have tried it.
pub fn set_aside(attempts: &[Attempt]) -> String {
    let endings = attempts.iter().map(|attempt| {
        let ended = attempt.ended.as_deref();
        let ended = ended.unwrap_or("the worker was not heard of any more");
        format!("{}: {ended}", attempt.worker)
    });
    let endings: Vec<String> = endings.collect();
    format!(
        "set aside, since {} workers ended while they searched it ({}); without --cluster it is \
         searched here",
        attempts.len(),
        endings.join("; ")
    )
}

/// Some value as bytes. `None` if it has no such form, which nothing here does.
pub fn bytes<T: Serialize>(value: &T) -> Option<Vec<u8>> {
    Some(encode(value).ok()?.0)
}

/// What bytes stand for.
pub fn read<T: for<'de> Deserialize<'de>>(bytes: &[u8]) -> Result<T, Damaged> {
    decode(bytes, &|_, id| Some(id))
}

/// A result with its parts at hand.
pub fn answered(looks: Vec<u8>, findings: Vec<u8>, is_cut: bool) -> Answered {
    Answered {
        looks,
        findings,
        is_cut,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticket() -> Ticket {
        Ticket {
            run: [7; 32],
            job: Job {
                key: [9; 32],
                targets: vec!["pkg.Tree#insert(int)".to_owned()],
            },
        }
    }

    #[test]
    fn a_job_goes_by_its_content() {
        let run = Fingerprint([7; 32]);
        let name = |ticket: &Ticket| JobName::of(&bytes(ticket).expect("bytes"), &run, "r");
        let other = Ticket {
            job: Job {
                targets: vec!["pkg.Tree#remove(int)".to_owned()],
                ..ticket().job
            },
            ..ticket()
        };
        assert_eq!(name(&ticket()), name(&ticket()));
        assert_ne!(name(&ticket()), name(&other));
    }

    #[test]
    fn damaged_messages_are_refused() {
        let whole = bytes(&ticket()).expect("bytes");
        assert_eq!(read::<Ticket>(&whole).ok(), Some(ticket()));
        for length in 0..whole.len() {
            assert!(read::<Ticket>(&whole[..length]).is_err(), "{length} bytes");
        }
        for place in 0..whole.len() {
            for byte in [0x00, 0x7f, 0x80, 0xff] {
                let mut changed = whole.clone();
                changed[place] = byte;
                // Whatever it means, it is read or refused.
                let _ = read::<Ticket>(&changed);
                let _ = read::<Run>(&changed);
                let _ = read::<Vec<State>>(&changed);
            }
        }
    }

    #[test]
    fn a_state_is_kept_once_and_only_a_few_are() {
        let state = |number: u8| State {
            looks: Held::Here(vec![number]),
            findings: Held::Object([number; 32]),
        };
        let mut states = Vec::new();
        for number in 0..6 {
            states = with_state(states, state(number)).expect("a new one");
        }
        assert_eq!(states.len(), MOST_STATES);
        assert_eq!(states[0], state(5));
        assert_eq!(with_state(states, state(4)), None);
    }

    #[test]
    fn machines_with_other_program_files_do_not_meet() {
        let tool = Tool {
            identity: "one".to_owned(),
            program: "0.2.0".to_owned(),
            jdk: Jdk {
                identity: "17".to_owned(),
                version: "17".to_owned(),
            },
        };
        let other = |identity: &str, jdk: &str| Tool {
            identity: identity.to_owned(),
            jdk: Jdk {
                identity: jdk.to_owned(),
                ..tool.jdk.clone()
            },
            ..tool.clone()
        };
        assert_eq!(tool.route(), other("one", "17").route());
        assert_ne!(tool.route(), other("two", "17").route());
        assert_ne!(tool.route(), other("one", "21").route());
    }
}
