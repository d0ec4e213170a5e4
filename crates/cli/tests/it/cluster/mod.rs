//! Many machines: workers of a real NATS server give the bytes of one run, whatever is killed meanwhile,
//! and whatever is said to them.

mod credentials;
mod server;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use heapwright_cluster::protocol::{self, Ticket};
use heapwright_store::Fingerprint;
use heapwright_testgen::elsewhere::Job;

use crate::common::outputs::Outputs;
use crate::common::project::Project;
use server::{Server, Worker, kill};

/// How long anything here may take.
const PATIENCE: Duration = Duration::from_secs(900);

const OUTPUTS: &str = "--out out --json report.json --report page --sarif findings.sarif";

/// Classes that are tested by calls, and one with a specification that imports another file.
fn project(test: &str) -> Project {
    let mut texts = vec![(
        "Tree.java".to_owned(),
        "package cluster;
public class Tree {
    Tree left, right;
    int value;
    static Tree insert(Tree tree, int value) {
        if (tree == null) { Tree leaf = new Tree(); leaf.value = value; return leaf; }
        if (value < tree.value) tree.left = insert(tree.left, value);
        else if (value > tree.value) tree.right = insert(tree.right, value);
        return tree;
    }
    static int depth(Tree tree) { return tree == null ? 0 : 1 + Math.max(depth(tree.left), depth(tree.right)); }
}"
        .to_owned(),
    )];
    for number in 0..6 {
        texts.push((format!("List{number}.java"), list(number)));
    }
    let texts: Vec<(&str, &str)> = texts
        .iter()
        .map(|(name, text)| (&**name, &**text))
        .collect();
    let project = Project::of_texts(test, &texts);
    project.write(
        "classes/cluster/Tree.sl",
        "import \"shape.sl\";\n\npre Tree#insert(tree, value) := tree(tree);\npre Tree#depth(tree) := tree(tree);\n",
    );
    project.write(
        "classes/cluster/shape.sl",
        "pred tree(t) := emp & t = null\n  | exists l, r, v. t -> Tree(l, r, v) * tree(l) * tree(r);\n",
    );
    project
}

fn list(number: usize) -> String {
    format!(
        "package cluster;
public class List{number} {{
    private static class Link {{ int value; Link next; Link(int value, Link next) {{ this.value = value; this.next = next; }} }}
    private Link first;
    private int size;
    public void add(int value) {{ if (value < {number}) throw new IllegalArgumentException(\"small\"); first = new Link(value, first); size++; }}
    public int sum() {{ int sum = 0; for (Link l = first; l != null; l = l.next) sum += l.value; return sum; }}
    public boolean contains(int value) {{ for (Link l = first; l != null; l = l.next) if (l.value == value) return true; return false; }}
    public int top() {{ return size > {number} ? first.value : -1; }}
    public static int sign(int n) {{ return n < {number} ? -1 : n == {number} ? 0 : 1; }}
}}"
    )
}

/// Starts a run in a folder of the project, which is empty before.
fn start(project: &Project, words: &[&str]) -> Child {
    start_for(project, "cluster.*", words)
}

fn start_for(project: &Project, target: &str, words: &[&str]) -> Child {
    let folder = project.path("run");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    Command::new(env!("CARGO_BIN_EXE_heapwright"))
        .args(["generate", target, "-c", "../classes", "--time", "0"])
        .args(words)
        .args(OUTPUTS.split_whitespace())
        .env("HEAPWRIGHT_CACHE", "none")
        .current_dir(&folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts")
}

/// The end of a run.
fn end(project: &Project, mut child: Child) -> Outputs {
    let begin = Instant::now();
    while child.try_wait().expect("a process").is_none() {
        if begin.elapsed() > PATIENCE {
            kill(&mut child);
            let said = child.wait_with_output().expect("what it said");
            panic!(
                "no end after {PATIENCE:?}: {}",
                String::from_utf8_lossy(&said.stderr)
            );
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().expect("what it said");
    let run = Outputs::of(output, &project.path("run"));
    Outputs {
        complaints: complaints(&run.complaints),
        ..run
    }
}

/// What is wrong. That no worker is there yet is told where machines are slow.
fn complaints(text: &str) -> String {
    let is_news = |line: &&str| !line.starts_with("no worker is there yet");
    let lines: Vec<&str> = text.lines().filter(is_news).collect();
    lines.join("\n")
}

fn run(project: &Project, words: &[&str]) -> Outputs {
    let child = start(project, words);
    end(project, child)
}

#[test]
fn four_workers_give_the_bytes_of_one_run_and_are_the_cache_of_a_team() {
    let project = project("workers");
    let Some(server) = Server::start(&project, &["-js"]) else {
        return;
    };
    let address = server.address();
    let alone = run(&project, &[]);
    assert!(
        alone.files.contains_key("report.json"),
        "{}",
        alone.complaints
    );
    let words = ["--cluster", &address];
    let workers: Vec<Worker> = (["a", "b", "c", "d"].iter())
        .map(|name| Worker::start(&address, &project, name, &[]))
        .collect();
    let together = run(&project, &words);
    together.check_same(&alone, "four workers");
    assert_eq!(together.apart().0, None);
    drop(workers);
    // Nobody is there to search, and nobody has to.
    let again = run(&project, &words);
    again.check_same(&alone, "results of others");
    let told = again.apart().0.map(str::to_owned);
    let (recalled, rest) = told
        .as_deref()
        .and_then(|told| told.split_once(" of "))
        .expect("a line");
    assert!(rest.starts_with(&format!("{recalled} methods")), "{told:?}");
}

/// The bytes that the server keeps of results.
fn kept(project: &Project) -> u64 {
    fn size(folder: &Path) -> u64 {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let sizes = entries.map(|entry| match entry.path().is_dir() {
            true => size(&entry.path()),
            false => entry.metadata().map_or(0, |known| known.len()),
        });
        sizes.sum()
    }
    size(Path::new(
        &project.path("nats/jetstream/$G/streams/KV_heapwright-results-1"),
    ))
}

#[test]
fn whatever_is_killed_nothing_is_lost() {
    let project = project("killed");
    let Some(mut server) = Server::start(&project, &["-js"]) else {
        return;
    };
    let address = server.address();
    let alone = run(&project, &[]);
    let words = ["--cluster", &address];
    // The one who asks is killed, with everybody else, as soon as there is a result.
    let mut first = Worker::start(&address, &project, "a", &["--jobs", "2"]);
    let mut asking = start(&project, &words);
    let (begin, before) = (Instant::now(), kept(&project));
    while kept(&project) <= before && begin.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
    }
    kill(&mut asking);
    first.kill();
    server.restart();
    // Whoever asks again goes on; workers and the server come and go meanwhile.
    let asking = start(&project, &words);
    let mut second = Worker::start(&address, &project, "b", &["--jobs", "2"]);
    std::thread::sleep(Duration::from_millis(300));
    second.kill();
    server.restart();
    let _third = Worker::start(&address, &project, "c", &["--jobs", "2"]);
    let found = end(&project, asking);
    found.check_same(&alone, "after all that was killed");
}

#[test]
fn what_the_network_does_not_give_is_said() {
    let project = project("network");
    let check = |address: &str, words: &[&str], expected: &[&str]| {
        let words = [&["--cluster", address], words].concat();
        let run = run(&project, &words);
        for expected in expected {
            assert!(
                run.complaints.contains(expected),
                "{expected}: {}",
                run.complaints
            );
        }
        assert!(run.files.is_empty(), "{address}");
    };
    let Some(server) = Server::start(&project, &[]) else {
        return;
    };
    check(
        &server.address(),
        &[],
        &["has no JetStream", "nats-server -js"],
    );
    let dead = server.address();
    drop(server);
    check(
        &dead,
        &[],
        &[
            "no NATS server answers at",
            "start one with `nats-server -js`",
        ],
    );
    check("localhost:4222", &[], &["is no address of a NATS server"]);
    let locked = Server::start(&project, &["-js", "--user", "me", "--pass", "secret"]);
    let locked = locked.expect("a server, as before");
    let address = locked.address();
    check(
        &address,
        &[],
        &["does not accept a connection without credentials"],
    );
    let wrong = address.replace("nats://", "nats://me:guess@");
    check(&wrong, &[], &["does not accept"]);
    let file = project.write("some.creds", "no credentials");
    check(
        &address,
        &["--creds", &file],
        &["does not accept", "some.creds"],
    );
}

#[test]
fn credentials_open_a_server_and_others_do_not() {
    let project = project("credentials");
    let (own, others) = (credentials::trust(), credentials::trust());
    let configuration = project.write("nats.conf", &own.configuration);
    let Some(server) = Server::start(&project, &["-js", "-c", &configuration]) else {
        return;
    };
    let address = server.address();
    let own = project.write("own.creds", &own.credentials);
    let others = project.write("others.creds", &others.credentials);
    let refused = run(&project, &["--cluster", &address, "--creds", &others]);
    let expected = format!("does not accept {others}");
    assert!(
        refused.complaints.contains(&expected),
        "{}",
        refused.complaints
    );
    let _worker = Worker::start(&address, &project, "a", &["--creds", &own]);
    let words = ["--cluster", &address, "--creds", &own];
    let found = end(&project, start_for(&project, "cluster.List0", &words));
    let alone = end(&project, start_for(&project, "cluster.List0", &[]));
    found.check_same(&alone, "with credentials");
}

#[test]
fn messages_of_anybody_do_no_harm() {
    let project = project("hostile");
    let Some(server) = Server::start(&project, &["-js"]) else {
        return;
    };
    let address = server.address();
    let alone = run(&project, &[]);
    let _worker = Worker::start(&address, &project, "a", &["--jobs", "2"]);
    let words = ["--cluster", &address];
    let asking = start(&project, &words);
    let begin = Instant::now();
    let mut number = 0_u8;
    let consumers = project.path("nats/jetstream/$G/streams/heapwright-jobs-1/obs");
    // The worker is there, and this is where it takes its jobs.
    let route = loop {
        let mut entries = fs::read_dir(&consumers).into_iter().flatten().flatten();
        if let Some(entry) = entries.next() {
            break entry.file_name().to_string_lossy().into_owned();
        }
        assert!(begin.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(5));
    };
    // Jobs, answers, results and objects that are none, while everybody is at work; some of them where
    // this worker takes its jobs.
    let own = format!("heapwright.jobs.{route}.run.job");
    server.publish(&own, &[0; 40]);
    // A job that goes by its name, of a run that nobody has sent.
    let ticket = Ticket {
        run: [7; 32],
        job: Job {
            key: [9; 32],
            targets: vec!["../../etc/passwd.class".to_owned()],
        },
    };
    let ticket = protocol::bytes(&ticket).expect("bytes");
    let name = protocol::JobName::of(&ticket, &Fingerprint([7; 32]), &route);
    server.publish(&name.subject, &ticket);
    for subject in [
        &own,
        "heapwright.jobs.x.y.z",
        "heapwright.jobs.../etc.passwd",
        "heapwright.hello.1",
        "$KV.heapwright-answers-1.a.b",
        "$KV.heapwright-attempts-1.a.b",
        "$KV.heapwright-results-1.0000",
        "$O.heapwright-objects-1.M.AAAA",
    ] {
        for length in [0, 1, 100, 100_000] {
            number = number.wrapping_add(41);
            server.publish(subject, &vec![number; length]);
        }
    }
    end(&project, asking).check_same(&alone, "among strange messages");
}

#[cfg(target_os = "linux")]
#[test]
fn a_job_that_ends_its_worker_three_times_is_set_aside() {
    let project = project("aside");
    let Some(server) = Server::start(&project, &["-js"]) else {
        return;
    };
    let address = server.address();
    let worker = Worker::start(&address, &project, "a", &[]);
    let mut asking = start_for(&project, "cluster.List0", &["--cluster", &address]);
    let begin = Instant::now();
    // Whatever searches comes to an end.
    while asking.try_wait().expect("a process").is_none() {
        assert!(begin.elapsed() < PATIENCE);
        for process in worker.processes() {
            let _ = Command::new("kill").args(["-9", &process]).status();
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let found = end(&project, asking);
    let expected = "set aside, since 3 workers ended while they searched it";
    assert!(found.complaints.contains(expected), "{}", found.complaints);
    assert!(
        found.complaints.contains("ended by signal 9"),
        "{}",
        found.complaints
    );
    // Nothing is wrong with it, and who asks again gets it.
    let again = start_for(&project, "cluster.List0", &["--cluster", &address]);
    let again = end(&project, again);
    assert_eq!(again.complaints, "");
}
