//! The one who asks: jobs are handed out, and answers collected.
//!
//! Jobs and results go by their content. So whoever asks again, because the first one was killed or
//! because it is another member of the team, finds what is done and waits for what is being done; and
//! to hand out a job that waits already does nothing, which is done now and then for all that have no
//! answer: nothing is lost for good, whatever becomes of messages.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_nats::Client;
use async_nats::jetstream::kv::{Entry, Operation, Watch};
use futures_util::{StreamExt, TryStreamExt, stream};
use heapwright_engine::Interrupt;
use heapwright_store::{Contents, Fingerprint};
use heapwright_testgen::Request;
use heapwright_testgen::elsewhere::{Answered, Elsewhere, Job, JobOutcome, Progress, Sent};

use crate::depot::insist;
use crate::link::{Beside, ClusterError, Link, Server, locked};
use crate::protocol::{
    HELLO, Hello, JobName, LARGEST_PART, LARGEST_RUN, LONGEST_MESSAGE, Reply, Run, Ticket, Tool,
    bytes, read,
};

/// So many requests are on their way at a time.
const AT_A_TIME: usize = 64;

/// How often it is looked whether somebody wants an end.
const LOOK: Duration = Duration::from_millis(100);

/// How often jobs without an answer are handed out again, should they have been lost.
const AGAIN: Duration = Duration::from_secs(5);

/// So many of them each time.
const MOST_AGAIN: usize = 500;

/// How often workers are asked who they are.
const ROLL_CALL: Duration = Duration::from_secs(2);

/// Who has not been heard of for so long is not there.
const SILENCE: Duration = Duration::from_secs(7);

/// Without workers for so long, this is said.
const WITHOUT_WORKERS: Duration = Duration::from_secs(3);

/// No longer answer says who somebody is.
const LONGEST_HELLO: usize = 4096;

/// More workers are not counted.
const MOST_WORKERS: usize = 10_000;

/// Somebody who asks.
pub struct Submission {
    link: Link,
    server: Server,
    tool: Tool,
    interrupt: Interrupt,
}

/// Where jobs are, while they are waited for.
struct Waiting {
    /// The jobs without an outcome: their numbers and tickets.
    open: BTreeMap<String, (usize, JobName, Vec<u8>)>,
    /// Answers up to this one are older than the question.
    old: u64,
    outcomes: BTreeMap<usize, JobOutcome>,
}

impl Submission {
    /// Connects. The switch ends waiting.
    pub fn open(
        server: &Server,
        tool: Tool,
        interrupt: Interrupt,
    ) -> Result<Submission, ClusterError> {
        Ok(Submission {
            link: Link::open(server)?,
            server: server.clone(),
            tool,
            interrupt,
        })
    }

    /// Keeps a program and what is asked of it, and says what that goes by. `None` if it is too large.
    async fn keep_run(
        &self,
        sent: &Sent,
        request: &Request,
    ) -> Result<Option<Fingerprint>, String> {
        let mut parts = Vec::new();
        for contents in &sent.contents {
            let (fingerprint, size) = contents.fingerprint().map_err(|error| error.to_string())?;
            if size > LARGEST_PART {
                return Ok(None);
            }
            self.link.keep(&fingerprint, contents).await?;
            parts.push((fingerprint.0, size));
        }
        let identity = self.tool.identity.clone();
        let run = Run::new(identity, sent.description.clone(), parts, request.clone());
        let Some(run) = bytes(&run).filter(|run| run.len() as u64 <= LARGEST_RUN) else {
            return Ok(None);
        };
        let fingerprint = Fingerprint::of(&run);
        self.link.keep(&fingerprint, &Contents::Bytes(run)).await?;
        Ok(Some(fingerprint))
    }

    /// Names the jobs. Those that no message can hold are searched here.
    fn named(&self, jobs: &[Job], run: &Fingerprint) -> Waiting {
        let most = LONGEST_MESSAGE.min(self.link.client.server_info().max_payload);
        let route = self.tool.route();
        let (mut open, mut outcomes) = (BTreeMap::new(), BTreeMap::new());
        for (number, job) in jobs.iter().enumerate() {
            let ticket = Ticket {
                run: run.0,
                job: job.clone(),
            };
            match bytes(&ticket).filter(|ticket| ticket.len() <= most / 2) {
                Some(ticket) => {
                    let name = JobName::of(&ticket, run, &route);
                    open.insert(name.key.clone(), (number, name, ticket));
                }
                None => drop(outcomes.insert(number, JobOutcome::Here)),
            }
        }
        Waiting {
            open,
            old: 0,
            outcomes,
        }
    }

    /// Hands out jobs; those that wait already stay as they are.
    async fn hand_out(&self, waiting: &Waiting, most: usize) -> Result<(), String> {
        let context = &self.link.context;
        let open = waiting.open.values().take(most);
        let tickets = open.map(|(_, name, ticket)| (name.subject.clone(), ticket.clone()));
        let tickets: Vec<(String, Vec<u8>)> = tickets.collect();
        let published = stream::iter(tickets).map(|(subject, ticket)| async move {
            insist(async || Link::publish(context, &subject, ticket.clone()).await).await
        });
        published
            .buffered(AT_A_TIME)
            .try_for_each(|_| async { Ok(()) })
            .await
    }

    /// The answers that are there, and those that come.
    async fn watch(&self, run: &Fingerprint) -> Result<Watch, String> {
        let keys = JobName::keys_of(run);
        insist(async || self.link.answers.watch_with_history(&keys).await).await
    }

    /// Enters an answer, if it is one.
    fn take(waiting: &mut Waiting, entry: &Entry, kept: &mut Vec<(usize, Reply)>) {
        if entry.operation != Operation::Put
            || entry.revision <= waiting.old
            || entry.value.len() > LONGEST_MESSAGE
        {
            return;
        }
        // What is damaged is no answer: the job is handed out again.
        let Ok(reply) = read::<Reply>(&entry.value) else {
            return;
        };
        if let Some((number, ..)) = waiting.open.remove(&entry.key) {
            kept.push((number, reply));
        }
    }

    /// What an answer means.
    async fn outcome(&self, job: &Job, reply: Reply) -> (JobOutcome, Option<String>) {
        match reply {
            Reply::Kept => match self.link.states(&Fingerprint(job.key)).await {
                Ok(states) => (JobOutcome::Answered(states), None),
                Err(reason) => (JobOutcome::Here, Some(reason)),
            },
            Reply::Cut(state) => match self.link.answered(state, true).await {
                Ok(answered) => (JobOutcome::Answered(vec![answered]), None),
                Err(reason) => (JobOutcome::Here, Some(reason)),
            },
            Reply::Refused(reason) => (JobOutcome::Here, Some(shown(&reason))),
            Reply::SetAside(reason) => (JobOutcome::SetAside(shown(&reason)), None),
        }
    }

    async fn collect(
        &self,
        run: &Fingerprint,
        jobs: &[Job],
        mut waiting: Waiting,
        show: &mut dyn FnMut(&Progress),
    ) -> Result<BTreeMap<usize, JobOutcome>, String> {
        let status = insist(async || self.link.answers.status().await).await?;
        waiting.old = status.info.state.last_sequence;
        let mut watch = self.watch(run).await?;
        self.hand_out(&waiting, usize::MAX).await?;
        let roll = Roll::call(&self.link, self.tool.clone(), self.server.address.clone());
        let mut asked_again = Instant::now();
        let mut notes = Notes::default();
        while !waiting.open.is_empty() && !self.interrupt.is_set() {
            let mut replies = Vec::new();
            match tokio::time::timeout(LOOK, watch.next()).await {
                Ok(Some(Ok(entry))) => Self::take(&mut waiting, &entry, &mut replies),
                // The server was away, perhaps: from the beginning.
                Ok(Some(Err(_)) | None) => {
                    tokio::time::sleep(LOOK).await;
                    watch = self.watch(run).await?;
                }
                Err(_) => {}
            }
            // Whatever else has come in the meantime.
            while let Some(Some(Ok(entry))) = futures_util::FutureExt::now_or_never(watch.next()) {
                Self::take(&mut waiting, &entry, &mut replies);
            }
            let outcomes = stream::iter(replies).map(|(number, reply)| async move {
                match jobs.get(number) {
                    Some(job) => (number, self.outcome(job, reply).await),
                    None => (number, (JobOutcome::Here, None)),
                }
            });
            let outcomes: Vec<_> = outcomes.buffered(AT_A_TIME).collect().await;
            for (number, (outcome, reason)) in outcomes {
                notes.refused.extend(reason);
                waiting.outcomes.insert(number, outcome);
            }
            if asked_again.elapsed() > AGAIN {
                self.hand_out(&waiting, MOST_AGAIN).await?;
                asked_again = Instant::now();
            }
            let (workers, problem) = roll.words();
            let problem = problem.or_else(|| {
                let said = self.link.complaint()?;
                Some(format!(
                    "the server at {} says: {}",
                    self.server.address,
                    shown(&said)
                ))
            });
            show(&Progress {
                answered: jobs.len() - waiting.open.len(),
                all: jobs.len(),
                workers,
                note: notes.once(problem),
            });
        }
        if let Some(reason) = notes.refused.first() {
            let count = notes.refused.len();
            let noun = if count == 1 { "unit is" } else { "units are" };
            show(&Progress {
                answered: jobs.len(),
                all: jobs.len(),
                workers: String::new(),
                note: Some(format!(
                    "{count} {noun} searched here, since workers cannot ({reason})"
                )),
            });
        }
        if self.interrupt.is_set() {
            self.link
                .take_back(&JobName::all_of(run, &self.tool.route()))
                .await;
        }
        Ok(waiting.outcomes)
    }
}

impl Elsewhere for Submission {
    fn known(&mut self, keys: &[Fingerprint]) -> Result<Vec<Vec<Answered>>, String> {
        let link = &self.link;
        let states = stream::iter(keys).map(|key| link.states(key));
        link.wait(states.buffered(AT_A_TIME).try_collect())
    }

    fn search(
        &mut self,
        sent: &Sent,
        request: &Request,
        jobs: &[Job],
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<BTreeMap<usize, JobOutcome>, String> {
        // How many threads this process has is nothing to workers.
        let mut request = request.clone();
        request.options.jobs = 1;
        let Some(run) = self.link.wait(self.keep_run(sent, &request))? else {
            progress(&Progress {
                answered: 0,
                all: jobs.len(),
                workers: String::new(),
                note: Some(
                    "the class path is too large to be sent, so everything is searched here"
                        .to_owned(),
                ),
            });
            return Ok(BTreeMap::new());
        };
        let waiting = self.named(jobs, &run);
        self.link.wait(self.collect(&run, jobs, waiting, progress))
    }
}

/// What is said once.
#[derive(Default)]
struct Notes {
    said: Option<String>,
    /// Why units are searched here.
    refused: Vec<String>,
}

impl Notes {
    /// A note, unless it was said just before.
    fn once(&mut self, note: Option<String>) -> Option<String> {
        if note.is_none() || note == self.said {
            return None;
        }
        self.said.clone_from(&note);
        note
    }
}

/// Who is there.
struct Roll {
    present: Arc<Mutex<BTreeMap<String, (Hello, Instant)>>>,
    tool: Tool,
    address: String,
    begin: Instant,
    _asking: Beside,
}

impl Roll {
    fn call(link: &Link, tool: Tool, address: String) -> Roll {
        let present = Arc::new(Mutex::new(BTreeMap::new()));
        Roll {
            _asking: link.spawn(ask(link.client.clone(), Arc::clone(&present))),
            present,
            tool,
            address,
            begin: Instant::now(),
        }
    }

    /// Who is at work, and what is wrong if nobody is.
    fn words(&self) -> (String, Option<String>) {
        let mut present = locked(&self.present);
        present.retain(|_, (_, heard)| heard.elapsed() < SILENCE);
        let route = self.tool.route();
        let (own, others): (Vec<&Hello>, Vec<&Hello>) =
            (present.values().map(|(hello, _)| hello)).partition(|hello| hello.route == route);
        if !own.is_empty() {
            let sum = |number: fn(&Hello) -> u32| -> u64 {
                own.iter().map(|hello| u64::from(number(hello))).sum()
            };
            let (busy, jobs) = (sum(|hello| hello.busy), sum(|hello| hello.jobs));
            let noun = if own.len() == 1 { "worker" } else { "workers" };
            return (format!("{} {noun}, {busy} of {jobs} busy", own.len()), None);
        }
        let nobody = "no worker yet".to_owned();
        if self.begin.elapsed() < WITHOUT_WORKERS {
            return (nobody, None);
        }
        let problem = match others.first() {
            None => format!(
                "no worker is there yet; jobs wait until one is started: heapwright worker --cluster \
                 {} --jobs N",
                self.address
            ),
            Some(other) => self.difference(other, others.len()),
        };
        (nobody, Some(problem))
    }

    /// Why a worker does not take the jobs of this program.
    fn difference(&self, other: &Hello, count: usize) -> String {
        let (theirs, own, what) = match other.program == self.tool.program {
            true => (&other.jdk, &self.tool.jdk.version, "JDK"),
            false => (&other.program, &self.tool.program, "program file"),
        };
        let noun = if count == 1 { "worker" } else { "workers" };
        format!(
            "{count} {noun} at {}, but with another {what}: {} has {}, and here it is {own}; all \
             machines need the same program file of heapwright and the same JDK",
            self.address,
            shown(&other.name),
            shown(theirs),
        )
    }
}

/// Asks workers who they are, now and then.
async fn ask(client: Client, present: Arc<Mutex<BTreeMap<String, (Hello, Instant)>>>) {
    loop {
        let inbox = client.new_inbox();
        let Ok(mut answers) = client.subscribe(inbox.clone()).await else {
            tokio::time::sleep(ROLL_CALL).await;
            continue;
        };
        let _ = client
            .publish_with_reply(HELLO, inbox, Vec::new().into())
            .await;
        let end = tokio::time::Instant::now() + ROLL_CALL;
        while let Ok(Some(answer)) = tokio::time::timeout_at(end, answers.next()).await {
            if answer.payload.len() > LONGEST_HELLO {
                continue;
            }
            if let Ok(hello) = read::<Hello>(&answer.payload) {
                let mut present = locked(&present);
                if present.len() < MOST_WORKERS {
                    present.insert(hello.name.clone(), (hello, Instant::now()));
                }
            }
        }
        tokio::time::sleep_until(end).await;
    }
}

/// A text from the network as it can be shown on a terminal.
pub(crate) fn shown(text: &str) -> String {
    let characters = text.chars().map(|character| match character.is_control() {
        true => ' ',
        false => character,
    });
    characters.take(500).collect()
}
