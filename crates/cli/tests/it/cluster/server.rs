//! A real NATS server on a free port of this machine, and workers of it.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::project::Project;
use crate::common::root;

/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(300);

/// A server, which ends with this.
pub struct Server {
    program: PathBuf,
    folder: String,
    port: u16,
    options: Vec<String>,
    child: Child,
}

/// The program, fetched if it is not there. `None` if it cannot be had.
fn program() -> Option<PathBuf> {
    let found = Command::new("sh")
        .arg(root().join("scripts/nats-server.sh"))
        .output();
    let found = found.ok().filter(|output| output.status.success());
    let path = found.and_then(|output| String::from_utf8(output.stdout).ok());
    path.map(|path| PathBuf::from(path.trim()))
}

impl Server {
    /// Starts one that keeps what it is told in a folder of the project. `None` if there is no such
    /// program on this machine, which is said.
    pub fn start(project: &Project, options: &[&str]) -> Option<Server> {
        let Some(program) = program() else {
            eprintln!("skipped: nats-server cannot be had (scripts/nats-server.sh says why)");
            return None;
        };
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let folder = project.path("nats");
        let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
        let child = spawn(&program, &folder, port, &options);
        Some(Server {
            program,
            folder,
            port,
            options,
            child,
        })
    }

    /// Its address.
    pub fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Ends it at once, and starts it again with what it has kept.
    pub fn restart(&mut self) {
        kill(&mut self.child);
        self.child = spawn(&self.program, &self.folder, self.port, &self.options);
    }

    /// Publishes bytes under a subject.
    pub fn publish(&self, subject: &str, bytes: &[u8]) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        let begin = format!(
            "CONNECT {{\"verbose\":false}}\r\nPUB {subject} {}\r\n",
            bytes.len()
        );
        stream.write_all(begin.as_bytes()).expect("written");
        stream.write_all(bytes).expect("written");
        stream.write_all(b"\r\nPING\r\n").expect("written");
        let mut answer = Vec::new();
        let mut byte = [0];
        while !answer.ends_with(b"PONG") {
            assert_eq!(stream.read(&mut byte).expect("an answer"), 1);
            answer.push(byte[0]);
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        kill(&mut self.child);
    }
}

fn spawn(program: &PathBuf, folder: &str, port: u16, options: &[String]) -> Child {
    let child = Command::new(program)
        .args(["-a", "127.0.0.1", "-p", &port.to_string(), "-sd", folder])
        .args(options)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the server starts");
    let begin = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(begin.elapsed() < PATIENCE, "no server after {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

/// A worker, which ends with this.
pub struct Worker(Child);

impl Worker {
    /// Starts one with so many jobs, and with a folder of its own.
    pub fn start(address: &str, project: &Project, name: &str, words: &[&str]) -> Worker {
        let child = Command::new(env!("CARGO_BIN_EXE_heapwright"))
            .args(["worker", "--cluster", address, "--lease", "2"])
            .args(["--cache", &project.path(&format!("worker-{name}"))])
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the worker starts");
        Worker(child)
    }

    /// The numbers of the processes that it has started.
    #[cfg(target_os = "linux")]
    pub fn processes(&self) -> Vec<String> {
        let number = self.0.id();
        let threads = std::fs::read_dir(format!("/proc/{number}/task"))
            .into_iter()
            .flatten();
        let started = threads
            .flatten()
            .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
        let started: Vec<String> = started.collect();
        started
            .iter()
            .flat_map(|list| list.split_whitespace())
            .map(str::to_owned)
            .collect()
    }

    /// Ends it as a machine ends that loses its power.
    pub fn kill(&mut self) {
        kill(&mut self.0);
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Ends a process at once.
pub fn kill(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}
