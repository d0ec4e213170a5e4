//! The rows with a server: the program itself is run, with and without a cluster.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use heapwright_store::{Digest, Fingerprint};
use heapwright_testgen::files;

use crate::error::BenchError;

/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server with workers, which ends with this.
pub struct Cluster {
    program: PathBuf,
    address: String,
    children: Vec<Child>,
}

/// A run of the program.
pub struct Run {
    /// How long it took.
    pub time: Duration,
    /// What it has written.
    pub bytes: Fingerprint,
}

impl Cluster {
    /// Starts a server, and one worker with so many jobs; all that they keep is in a folder.
    pub fn start(
        nats: &Path,
        folder: &Path,
        jobs: usize,
        jdk: Option<&Path>,
    ) -> Result<Cluster, BenchError> {
        let program = std::env::current_exe()?;
        let free = TcpListener::bind("127.0.0.1:0")?;
        let port = free.local_addr()?.port();
        drop(free);
        let mut cluster = Cluster {
            program,
            address: format!("nats://127.0.0.1:{port}"),
            children: Vec::new(),
        };
        let mut server = Command::new(nats);
        server.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]);
        cluster.add(server.arg(folder.join("nats")))?;
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if begin.elapsed() > PATIENCE {
                return Err(BenchError::Missing {
                    whole: nats.display().to_string(),
                    part: "server that answers".to_owned(),
                });
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let mut worker = Command::new(&cluster.program);
        worker.args(["worker", "--cluster", &cluster.address, "--jobs"]);
        worker
            .arg(jobs.to_string())
            .arg("--cache")
            .arg(folder.join("parts"));
        if let Some(jdk) = jdk {
            worker.arg("--jdk").arg(jdk);
        }
        cluster.add(&mut worker)?;
        Ok(cluster)
    }

    fn add(&mut self, command: &mut Command) -> Result<(), BenchError> {
        let quiet = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        self.children.push(quiet.spawn()?);
        Ok(())
    }

    /// What workers are reached by.
    pub fn words(&self) -> [&str; 2] {
        ["--cluster", &self.address]
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for child in &mut self.children {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Runs the program in a folder of its own, and reads what it has written.
pub fn run(
    target: &str,
    classes: &Path,
    out: &Path,
    jdk: Option<&Path>,
    words: &[&str],
) -> Result<Run, BenchError> {
    files::create_folder(out)?;
    let begin = Instant::now();
    let mut command = Command::new(std::env::current_exe()?);
    command.args([
        "generate",
        target,
        "-q",
        "--time",
        "0",
        "--sources",
        "nowhere",
        "-c",
    ]);
    command
        .arg(classes)
        .arg("--out")
        .arg(out)
        .arg("--json")
        .arg(out.join("report.json"));
    if let Some(jdk) = jdk {
        command.arg("--jdk").arg(jdk);
    }
    command.args(words).env("HEAPWRIGHT_CACHE", "none");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    let time = begin.elapsed();
    let mut digest = Digest::default();
    read_all(out, &mut digest)?;
    Ok(Run {
        time,
        bytes: digest.finish(),
    })
}

fn read_all(folder: &Path, digest: &mut Digest) -> Result<(), BenchError> {
    let entries: Result<Vec<_>, _> = std::fs::read_dir(folder)?.collect();
    let mut paths: Vec<PathBuf> = entries?.into_iter().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        digest.text(&path.file_name().unwrap_or_default().to_string_lossy());
        match path.is_dir() {
            true => read_all(&path, digest)?,
            false => {
                let text = std::fs::read(&path)?;
                digest.text(&String::from_utf8_lossy(&text));
            }
        }
    }
    Ok(())
}
