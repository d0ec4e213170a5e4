//! The one who works: jobs are taken, given to processes, and answered.
//!
//! A job is acknowledged when its result is kept and its answer is there; before, whoever has it says
//! now and then that they are at it. Who is not heard of any more loses the job to somebody else. Who
//! begins with a job leaves a note about it, and takes the note away in the end: a job with several
//! notes has ended several workers, and is set aside.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::{AckKind, Message};
use futures_util::StreamExt;
use heapwright_engine::Interrupt;
use heapwright_store::{Fingerprint, Parts};
use heapwright_testgen::elsewhere::Answer;

use crate::depot::{NotThere, change, insist};
use crate::link::{ClusterError, Link, Server, locked};
use crate::process::{Ask, Handle, Process, Tell};
use crate::protocol::{
    Attempt, HELLO, Hello, JobName, LARGEST_RUN, LONGEST_MESSAGE, MOST_ATTEMPTS, Reply, Run,
    Ticket, Tool, bytes, read, set_aside,
};

/// How long nobody waits for a job before they look whether they are to end.
const FETCH: Duration = Duration::from_secs(1);

/// How often it is looked whether somebody wants an end.
const LOOK: Duration = Duration::from_millis(50);

/// The pause after something went wrong.
const PAUSE: Duration = Duration::from_millis(500);

/// How a worker works.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// What it is called.
    pub name: String,
    /// How many jobs it takes at a time.
    pub jobs: usize,
    /// Which program file it is, with which JDK.
    pub tool: Tool,
    /// The program that searches, and its arguments.
    pub program: PathBuf,
    /// See above.
    pub arguments: Vec<OsString>,
    /// Where files of programs are kept.
    pub parts: Parts,
    /// After this time without a word a worker has lost its job.
    pub lease: Duration,
    /// Ends the worker.
    pub interrupt: Interrupt,
}

/// A worker, as its threads share it.
struct Worker {
    link: Link,
    consumer: PullConsumer,
    options: WorkerOptions,
    busy: Arc<AtomicU32>,
    attempts: AtomicU64,
    /// The processes, by thread.
    processes: Vec<Mutex<Option<Handle>>>,
}

/// A process with the program that it has open.
struct Desk {
    process: Process,
    run: [u8; 32],
}

/// What becomes of a job that was begun.
enum End {
    /// There is an answer.
    Replied(Reply),
    /// The process has ended, in this way.
    Died(String),
    /// The worker ends.
    GivenBack,
}

/// Works until somebody wants an end. `say` tells whoever looks on.
pub fn work(
    server: &Server,
    options: WorkerOptions,
    say: &(dyn Fn(&str) + Sync),
) -> Result<(), ClusterError> {
    let link = Link::open(server)?;
    let consumer = link.consumer(&options.tool.route(), options.lease)?;
    let busy = Arc::new(AtomicU32::new(0));
    let hello = Hello {
        name: options.name.clone(),
        route: options.tool.route(),
        program: options.tool.program.clone(),
        jdk: options.tool.jdk.version.clone(),
        jobs: u32::try_from(options.jobs).unwrap_or(u32::MAX),
        busy: 0,
    };
    let _present = link.spawn(answer_roll_calls(
        link.client.clone(),
        hello,
        Arc::clone(&busy),
    ));
    let jobs = options.jobs.max(1);
    say(&format!(
        "{} takes {jobs} {} at a time from {}",
        options.name,
        if jobs == 1 { "job" } else { "jobs" },
        server.address
    ));
    let worker = Worker {
        link,
        consumer,
        options,
        busy,
        attempts: AtomicU64::new(0),
        processes: (0..jobs).map(|_| Mutex::new(None)).collect(),
    };
    std::thread::scope(|scope| {
        for place in &worker.processes {
            let worker = &worker;
            scope.spawn(move || worker.go_on(place, say));
        }
        while !worker.options.interrupt.is_set() {
            std::thread::sleep(LOOK);
        }
        // Whoever waits for a process goes on when it has ended.
        for place in &worker.processes {
            if let Some(process) = &*locked(place) {
                process.kill();
            }
        }
    });
    Ok(())
}

impl Worker {
    /// Takes one job after the other.
    fn go_on(&self, place: &Mutex<Option<Handle>>, say: &(dyn Fn(&str) + Sync)) {
        let mut desk = None;
        while !self.options.interrupt.is_set() {
            let Some(message) = self.link.wait(self.next()) else {
                continue;
            };
            self.busy.fetch_add(1, Ordering::Relaxed);
            if let Err(problem) = self.handle(&message, &mut desk, place, say) {
                say(&problem);
                // Somebody else may have more luck, and this one later.
                let back = message.ack_with(AckKind::Nak(Some(PAUSE)));
                let _ = self.link.wait(back);
                std::thread::sleep(PAUSE);
            }
            self.busy.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// The next job, if one comes within a while.
    async fn next(&self) -> Option<Message> {
        let fetched = self.consumer.batch().max_messages(1).expires(FETCH);
        let message = match fetched.messages().await {
            Ok(mut messages) => match messages.next().await {
                Some(Ok(message)) => Some(message),
                Some(Err(_)) => None,
                None => return None,
            },
            Err(_) => None,
        };
        if message.is_none() {
            // The server is away for a moment.
            tokio::time::sleep(PAUSE).await;
        }
        message
    }

    /// Deals with a job. An error is about the cluster, and not about the job.
    fn handle(
        &self,
        message: &Message,
        desk: &mut Option<Desk>,
        place: &Mutex<Option<Handle>>,
        say: &(dyn Fn(&str) + Sync),
    ) -> Result<(), String> {
        let Some((ticket, name)) = self.ticket(message) else {
            say("a message that is no job was dropped");
            let _ = self.link.wait(message.ack_with(AckKind::Term));
            return Ok(());
        };
        let _word = self.link.spawn(keep_word(message, self.options.lease));
        let attempt = Attempt {
            worker: self.options.name.clone(),
            number: self.attempts.fetch_add(1, Ordering::Relaxed),
            ended: None,
        };
        let mut attempts = self.link.wait(self.begin(&name, &attempt))?;
        if attempts.len() >= MOST_ATTEMPTS {
            return self.reply(message, &name, &Reply::SetAside(set_aside(&attempts)));
        }
        let end = self.search(&ticket, desk, place);
        if end.is_err() {
            // The cluster is to blame, not the job.
            let _ = self.link.wait(self.forget(&name, &attempt));
        }
        match end? {
            End::Replied(reply) => self.reply(message, &name, &reply),
            End::GivenBack => {
                self.link.wait(self.forget(&name, &attempt))?;
                let _ = self.link.wait(message.ack_with(AckKind::Nak(None)));
                Ok(())
            }
            End::Died(how) => {
                say(&format!(
                    "a process {how}; it searched {}",
                    ticket.job.targets.join(", ")
                ));
                let died = Attempt {
                    ended: Some(how),
                    ..attempt
                };
                self.link.wait(self.note(&name, &died))?;
                attempts.push(died);
                if attempts.len() >= MOST_ATTEMPTS {
                    return self.reply(message, &name, &Reply::SetAside(set_aside(&attempts)));
                }
                let _ = self.link.wait(message.ack_with(AckKind::Nak(None)));
                Ok(())
            }
        }
    }

    /// The job that a message is about, if it is about one and goes by its name.
    fn ticket(&self, message: &Message) -> Option<(Ticket, JobName)> {
        if message.payload.len() > LONGEST_MESSAGE {
            return None;
        }
        let ticket: Ticket = read(&message.payload).ok()?;
        let run = Fingerprint(ticket.run);
        let name = JobName::of(&message.payload, &run, &self.options.tool.route());
        (*name.subject == *message.subject).then_some((ticket, name))
    }

    /// Takes note that somebody has begun with a job; returns who has begun before.
    async fn begin(&self, name: &JobName, attempt: &Attempt) -> Result<Vec<Attempt>, String> {
        let mut before = Vec::new();
        change(&self.link.attempts, &name.key, |known| {
            before = read_attempts(known);
            // One that is lost to another worker while it still works is the same one.
            before.retain(|other| !is_same(other, attempt));
            if before.len() >= MOST_ATTEMPTS {
                return None;
            }
            let mut all = before.clone();
            all.push(attempt.clone());
            bytes(&all)
        })
        .await?;
        Ok(before)
    }

    /// Says how an attempt ended.
    async fn note(&self, name: &JobName, attempt: &Attempt) -> Result<(), String> {
        change(&self.link.attempts, &name.key, |known| {
            let mut all = read_attempts(known);
            all.retain(|other| !is_same(other, attempt));
            all.push(attempt.clone());
            bytes(&all)
        })
        .await
    }

    /// Takes a note away, since nothing came to harm.
    async fn forget(&self, name: &JobName, attempt: &Attempt) -> Result<(), String> {
        change(&self.link.attempts, &name.key, |known| {
            let mut all = read_attempts(known);
            all.retain(|other| !is_same(other, attempt));
            bytes(&all)
        })
        .await
    }

    /// Answers, and takes the job away.
    fn reply(&self, message: &Message, name: &JobName, reply: &Reply) -> Result<(), String> {
        let reply = bytes(reply).ok_or("an answer has no form")?;
        self.link.wait(async {
            let key = name.key.as_str();
            insist(async || self.link.answers.put(key, reply.clone().into()).await).await?;
            insist(async || self.link.attempts.purge(key).await).await?;
            // A job that stays all the same is answered once more, from what is kept.
            let _ = message.double_ack().await;
            Ok(())
        })
    }

    /// Has a unit searched by a process.
    fn search(
        &self,
        ticket: &Ticket,
        desk: &mut Option<Desk>,
        place: &Mutex<Option<Handle>>,
    ) -> Result<End, String> {
        let key = Fingerprint(ticket.job.key);
        let known = self.link.wait(self.link.states(&key))?;
        let looks = known
            .iter()
            .map(|answered| answered.looks.clone())
            .collect();
        let told = match self.at_desk(ticket, desk, place)? {
            Ok(open) => open
                .process
                .ask(&Ask::Search(ticket.job.clone(), looks))
                .ok(),
            Err(End::Died(_)) => None,
            Err(end) => return Ok(end),
        };
        let Some(Tell::Answer(answer, is_worn)) = told else {
            locked(place).take();
            let how = desk.take().map(|desk| desk.process.ending());
            return Ok(match self.options.interrupt.is_set() {
                true => End::GivenBack,
                false => End::Died(how.unwrap_or_else(|| "could not be started".to_owned())),
            });
        };
        if is_worn {
            locked(place).take();
            drop(desk.take());
        }
        let reply = match answer {
            Answer::Known(_) => Reply::Kept,
            Answer::Refused(reason) => Reply::Refused(reason),
            Answer::Found(answered) => {
                let is_cut = answered.is_cut;
                self.link.wait(async {
                    match self.link.state(answered).await {
                        Ok(state) if is_cut => Ok(Reply::Cut(state)),
                        Ok(state) => {
                            self.link.keep_result(&key, state).await?;
                            Ok::<Reply, String>(Reply::Kept)
                        }
                        Err(reason) => Ok(Reply::Refused(reason)),
                    }
                })?
            }
        };
        Ok(End::Replied(reply))
    }

    /// The process of this thread, with the program of a job open.
    fn at_desk<'d>(
        &self,
        ticket: &Ticket,
        desk: &'d mut Option<Desk>,
        place: &Mutex<Option<Handle>>,
    ) -> Result<Result<&'d mut Desk, End>, String> {
        let is_open = desk.as_ref().is_some_and(|desk| desk.run == ticket.run);
        if !is_open {
            let refused = |reason: String| Ok(Err(End::Replied(Reply::Refused(reason))));
            let name = Fingerprint(ticket.run);
            let run = match self.link.wait(self.link.fetch(&name, LARGEST_RUN)) {
                Ok(run) => run,
                Err(NotThere::Wrong(reason)) => return refused(reason),
                Err(NotThere::Away(problem)) => return Err(problem),
            };
            let run = match read::<Run>(&run) {
                Ok(run) if run.is_sound() => run,
                _ => return refused("what was sent is damaged, or of another version".to_owned()),
            };
            if run.tool != self.options.tool.identity {
                return refused("it is for another program file".to_owned());
            }
            let files = match self.link.wait(self.files(&run.parts)) {
                Ok(files) => files,
                Err(NotThere::Wrong(reason)) => return refused(reason),
                Err(NotThere::Away(problem)) => return Err(problem),
            };
            // Each run has a process of its own, so nothing of one is left in another.
            locked(place).take();
            drop(desk.take());
            let start = Process::start(&self.options.program, &self.options.arguments);
            let mut process = start.map_err(|error| format!("cannot start a process: {error}"))?;
            *locked(place) = Some(process.handle());
            if self.options.interrupt.is_set() {
                return Ok(Err(End::GivenBack));
            }
            let told = process.ask(&Ask::Open {
                tool: self.options.tool.identity.clone(),
                description: run.description,
                files,
                request: Box::new(run.request),
            });
            *desk = Some(Desk {
                process,
                run: ticket.run,
            });
            match told {
                Ok(Tell::Open) => {}
                Ok(Tell::Answer(Answer::Refused(reason), _)) => {
                    drop(desk.take());
                    return refused(reason);
                }
                _ => return Ok(Err(End::Died(String::new()))),
            }
        }
        Ok(desk.as_mut().ok_or(End::Died(String::new())))
    }

    /// The files of a program, fetched if they are not here.
    async fn files(&self, parts: &[([u8; 32], u64)]) -> Result<Vec<PathBuf>, NotThere> {
        let away = |error: io::Error| NotThere::Away(error.to_string());
        let mut files = Vec::new();
        for (name, size) in parts {
            let fingerprint = Fingerprint(*name);
            let file = match self.options.parts.find(&fingerprint) {
                Some(file) => file,
                None => {
                    let mut part = self.options.parts.begin(fingerprint).map_err(away)?;
                    self.link.fetch_into(&fingerprint, *size, &mut part).await?;
                    part.finish().map_err(|error| match error.kind() {
                        io::ErrorKind::InvalidData => NotThere::Wrong(error.to_string()),
                        _ => away(error),
                    })?
                }
            };
            files.push(file);
        }
        Ok(files)
    }
}

fn is_same(one: &Attempt, other: &Attempt) -> bool {
    (&one.worker, one.number) == (&other.worker, other.number)
}

fn read_attempts(known: Option<&[u8]>) -> Vec<Attempt> {
    let known = known.filter(|known| known.len() <= LONGEST_MESSAGE);
    known.map_or(Vec::new(), |known| read(known).unwrap_or_default())
}

/// Says again and again that somebody is at a job.
fn keep_word(message: &Message, lease: Duration) -> impl Future<Output = ()> + Send + use<> {
    let (context, reply) = (message.context.clone(), message.reply.clone());
    async move {
        let acker = async_nats::jetstream::message::Acker::new(context, reply);
        loop {
            tokio::time::sleep(lease / 4).await;
            let _ = acker.ack_with(AckKind::Progress).await;
        }
    }
}

/// Says who this is whenever somebody asks.
async fn answer_roll_calls(client: async_nats::Client, hello: Hello, busy: Arc<AtomicU32>) {
    loop {
        let Ok(mut calls) = client.subscribe(HELLO).await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        while let Some(call) = calls.next().await {
            let hello = Hello {
                busy: busy.load(Ordering::Relaxed),
                ..hello.clone()
            };
            if let (Some(reply), Some(bytes)) = (call.reply, bytes(&hello)) {
                let _ = client.publish(reply, bytes.into()).await;
            }
        }
    }
}

/// A name that no other worker has: of the machine, the process, and the time.
pub fn unique_name() -> String {
    let machine = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    let machine = match machine.trim() {
        "" => "worker",
        name => name,
    };
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let now = now.map_or(0, |now| now.as_millis() % 100_000);
    format!("{machine}-{}-{now}", std::process::id())
}
