//! A process that searches units, and how it is talked to.
//!
//! Searches run in processes of their own: one that comes to an end by a signal, or for lack of memory,
//! takes nothing with it, and it is known which unit it was at. Such a process knows no network. It is
//! asked on its standard input and answers on its standard output, and ends when nobody can ask any
//! more.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

use heapwright_engine::{Interrupt, Limit};
use heapwright_testgen::elsewhere::{Answer, Job, Receiver};
use heapwright_testgen::{Frontend, Request};
use serde::{Deserialize, Serialize};

use crate::link::locked;
use crate::protocol::{bytes, read};

/// No question and no answer is longer.
const LONGEST: u32 = 256 << 20;

/// So many of the last lines of standard error are told.
const LAST_LINES: usize = 2;

/// The longest line of it that is told.
const LONGEST_LINE: usize = 200;

/// What a process is asked.
#[derive(Serialize, Deserialize)]
pub enum Ask {
    /// To open a program.
    Open {
        /// What this program file is: whoever asks has found out.
        tool: String,
        /// The program, as its front end describes it.
        description: Vec<u8>,
        /// Where its files are.
        files: Vec<PathBuf>,
        /// What is asked of it.
        request: Box<Request>,
    },
    /// To search a unit of it, unless one of these was looked at and is the same.
    Search(Job, Vec<Vec<u8>>),
}

/// What it answers.
#[derive(Serialize, Deserialize)]
pub enum Tell {
    /// The program is open.
    Open,
    /// What came of a unit, or why the program cannot be opened; and whether this process is not to be
    /// asked any more, since its memory was used up.
    Answer(Answer, bool),
}

/// A program that was sent.
#[derive(Clone, Copy, Debug)]
pub struct Received<'r> {
    /// What this program file is.
    pub tool: &'r str,
    /// The program, as its front end describes it.
    pub description: &'r [u8],
    /// Where its files are.
    pub files: &'r [PathBuf],
}

/// A program that units are searched in.
pub struct Opened(Box<Searching>);

type Searching = dyn FnMut(&Job, &[Vec<u8>], &Interrupt) -> Answer;

impl Opened {
    /// A program that was received.
    pub fn new<F: Frontend + 'static>(
        mut receiver: Receiver<F>,
        has_missed: impl Fn() -> bool + 'static,
    ) -> Opened {
        Opened(Box::new(move |job, known, interrupt| {
            receiver.answer(job, known, interrupt, &has_missed)
        }))
    }
}

/// Searches what it is asked for, until nobody can ask any more. `open` opens a program; `end` ends the
/// process at once, whatever it is at.
pub fn compute(
    interrupt: &Interrupt,
    open: &dyn Fn(Received<'_>, Request) -> Result<Opened, String>,
    end: fn() -> !,
) -> io::Result<()> {
    let (sender, asked) = channel();
    std::thread::spawn(move || {
        let mut input = BufReader::new(io::stdin());
        while let Ok(frame) = receive(&mut input) {
            if sender.send(frame).is_err() {
                return;
            }
        }
        end()
    });
    let mut out = BufWriter::new(io::stdout());
    let mut opened = None;
    for frame in asked {
        let told = match read::<Ask>(&frame) {
            Ok(Ask::Open {
                tool,
                description,
                files,
                request,
            }) => match open(
                Received {
                    tool: &tool,
                    description: &description,
                    files: &files,
                },
                *request,
            ) {
                Ok(program) => {
                    opened = Some(program);
                    Tell::Open
                }
                Err(reason) => refused(reason),
            },
            Ok(Ask::Search(job, known)) => match &mut opened {
                Some(Opened(search)) => {
                    let answer = search(&job, &known, interrupt);
                    // Somebody has ended this process: nothing was found out about the unit.
                    if interrupt.limit() == Some(Limit::Interrupted) {
                        end();
                    }
                    Tell::Answer(answer, interrupt.was_exhausted())
                }
                None => refused("no program is open".to_owned()),
            },
            Err(error) => refused(error.to_string()),
        };
        send(&mut out, &told)?;
    }
    Ok(())
}

fn refused(reason: String) -> Tell {
    Tell::Answer(Answer::Refused(reason), false)
}

/// A process, as whoever asks it has it.
pub struct Process {
    child: Arc<Mutex<Child>>,
    input: BufWriter<ChildStdin>,
    output: BufReader<ChildStdout>,
    said: Arc<Mutex<VecDeque<String>>>,
}

/// Ends a process, from wherever.
#[derive(Clone)]
pub struct Handle(Arc<Mutex<Child>>);

impl Handle {
    /// Ends it at once.
    pub fn kill(&self) {
        let _ = locked(&self.0).kill();
    }
}

impl Process {
    /// Starts one.
    pub fn start(program: &PathBuf, arguments: &[OsString]) -> io::Result<Process> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // Ctrl-C is for whoever asks, who ends this one.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let missing = || io::Error::other("a pipe is missing");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let error = child.stderr.take().ok_or_else(missing)?;
        let said = Arc::new(Mutex::new(VecDeque::new()));
        let heard = Arc::clone(&said);
        std::thread::spawn(move || {
            let mut lines = BufReader::new(error);
            let mut line = Vec::new();
            while matches!(lines.read_until(b'\n', &mut line), Ok(1..)) {
                let text = String::from_utf8_lossy(&line);
                let text: String = text.trim_end().chars().take(LONGEST_LINE).collect();
                line.clear();
                let mut heard = locked(&heard);
                heard.push_back(text);
                if heard.len() > LAST_LINES {
                    heard.pop_front();
                }
            }
        });
        Ok(Process {
            child: Arc::new(Mutex::new(child)),
            input: BufWriter::new(input),
            output: BufReader::new(output),
            said,
        })
    }

    /// For whoever may have to end it.
    pub fn handle(&self) -> Handle {
        Handle(Arc::clone(&self.child))
    }

    /// Asks, and waits for the answer. An error means that the process is not there any more.
    pub fn ask(&mut self, ask: &Ask) -> io::Result<Tell> {
        send(&mut self.input, ask)?;
        let frame = receive(&mut self.output)?;
        read(&frame).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }

    /// Ends it, if it has not ended, and says how that came.
    pub fn ending(self) -> String {
        drop(self.input);
        let mut child = locked(&self.child);
        let mut status = child.try_wait();
        if matches!(status, Ok(None)) {
            // Its standard output is closed, so it is about to end; or it hangs.
            std::thread::sleep(std::time::Duration::from_millis(200));
            status = child.try_wait();
        }
        if matches!(status, Ok(None)) {
            let _ = child.kill();
            status = child.wait().map(Some);
        }
        let said: Vec<String> = locked(&self.said).iter().cloned().collect();
        let ended = match status {
            Ok(Some(status)) => words(status),
            _ => "ended".to_owned(),
        };
        match said.is_empty() {
            true => ended,
            false => format!("{ended}: {}", said.join(" ")),
        }
    }
}

#[cfg(unix)]
fn words(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match status.signal() {
        Some(signal) => format!("ended by signal {signal}"),
        None => format!("ended with exit code {}", status.code().unwrap_or_default()),
    }
}

#[cfg(not(unix))]
fn words(status: ExitStatus) -> String {
    format!("ended with exit code {}", status.code().unwrap_or_default())
}

fn send<T: Serialize>(out: &mut impl Write, value: &T) -> io::Result<()> {
    let bytes = bytes(value).ok_or_else(|| io::Error::other("no form for it"))?;
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&bytes)?;
    out.flush()
}

fn receive(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    input.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if length > LONGEST {
        return Err(io::Error::other("it is too long"));
    }
    let mut bytes = Vec::new();
    let read = input.take(u64::from(length)).read_to_end(&mut bytes)?;
    match read == length as usize {
        true => Ok(bytes),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}
