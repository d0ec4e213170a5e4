//! `bench scale`: results that are kept, parts that are joined, threads.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use heapwright_engine::Options;
use heapwright_java_tests::{Choice, JavaOptions, JavaTests, Specifications};
use heapwright_store::{Digest, Fingerprint, Folder};
use heapwright_testgen::temporary::Temporary;
use heapwright_testgen::{Frontend, Request, Session, Store, Use, files, json};

use crate::error::{BenchError, BenchStatus};
use crate::java_sources::{compile, open};
use crate::table::{Table, ratio, seconds};

/// What the code under test is called.
const TARGET: &str = "scale.*";

/// The parts that are joined.
const PARTS: usize = 4;

/// Results that are kept and joined, beside searches: times, counts, and whether the bytes are the same
///
/// A code base of classes that are made up for this: lists and counters, each of which calls the one
/// before it in one method. Every row but the first is compared with a search for everything: suites
/// as JSON, and the texts of all tests.
#[derive(clap::Args)]
pub struct Arguments {
    /// How many classes
    #[arg(long, value_name = "N", default_value_t = 100)]
    classes: usize,
    /// Threads of the row with several
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// The JDK [default: JAVA_HOME, or that of `java`]
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
}

/// A run, measured.
struct Run {
    time: Duration,
    methods: usize,
    recalled: usize,
    bytes: Fingerprint,
}

/// Runs the benchmark.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<BenchStatus, BenchError> {
    let work = Temporary::named(&std::env::temp_dir(), "scale");
    let place = |name: &str| work.path().join(name);
    let jdk = arguments.jdk.as_deref();
    let classes = place("classes");
    build(arguments.classes, None, &work, jdk)?;
    let search = |jobs: usize, store: Option<Store>, part: Option<String>| {
        measure(&classes, jdk, jobs, store, part)
    };
    let folder = |name: &str| Folder::new(&place(name), u64::MAX);
    let store = |use_of: Use, names: &[String]| {
        let folders = names.iter().map(|name| folder(name)).collect();
        Some(Store::new(folders, "bench scale".to_owned(), use_of))
    };
    let kept = ["kept".to_owned()];
    let mut rows = Rows::default();
    let first = search(1, store(Use::Cache, &kept), None)?;
    let second = search(1, store(Use::Cache, &kept), None)?;
    let threads = search(arguments.jobs, None, None)?;
    let parts: Vec<String> = (1..=PARTS).map(|part| format!("part{part}")).collect();
    let mut longest = Duration::ZERO;
    for (number, part) in (1..).zip(&parts) {
        let handed_over = store(Use::Cache, &[]).map(|store| store.handing_over(folder(part)));
        let part = search(1, handed_over, Some(format!("{number}/{PARTS}")))?;
        longest = longest.max(part.time);
    }
    let merged = search(1, store(Use::Merge, &parts), None)?;
    build(arguments.classes, Some(arguments.classes / 2), &work, jdk)?;
    let after = search(1, store(Use::Cache, &kept), None)?;
    let anew = search(1, None, None)?;
    rows.add("first run", &first, &first, &first);
    rows.add("second run", &second, &first, &first);
    let name = format!("{} threads", arguments.jobs);
    rows.add(&name, &threads, &first, &first);
    rows.add(&format!("{PARTS} parts merged"), &merged, &first, &first);
    rows.add("one class changed", &after, &anew, &anew);
    rows.table.print(out)?;
    writeln!(
        out,
        "the longest of {PARTS} parts took {} s",
        seconds(longest.as_secs_f64())
    )?;
    Ok(match rows.differ {
        false => BenchStatus::Decided,
        true => BenchStatus::Refuted,
    })
}

/// The rows of the table.
struct Rows {
    table: Table,
    differ: bool,
}

impl Default for Rows {
    fn default() -> Rows {
        let header = ["", "methods", "searched", "s", "times as fast", "bytes"];
        Rows {
            table: Table::new(&header),
            differ: false,
        }
    }
}

impl Rows {
    fn add(&mut self, name: &str, run: &Run, slow: &Run, expected: &Run) {
        let is_same = run.bytes == expected.bytes;
        self.differ |= !is_same;
        let (slow, own) = (slow.time.as_secs_f64(), run.time.as_secs_f64());
        self.table.row(vec![
            name.to_owned(),
            run.methods.to_string(),
            (run.methods - run.recalled.min(run.methods)).to_string(),
            seconds(own),
            ratio(slow, own),
            if is_same { "same" } else { "differ" }.to_owned(),
        ]);
    }
}

/// Tests everything, or a part.
fn measure(
    classes: &Path,
    jdk: Option<&Path>,
    jobs: usize,
    store: Option<Store>,
    part: Option<String>,
) -> Result<Run, BenchError> {
    let begin = Instant::now();
    let specifications = Specifications::new(Choice::None, Vec::new());
    let program = open(jdk, &[classes.to_owned()], specifications)?;
    let frontend = JavaTests::new(program, JavaOptions::default());
    let request = Request {
        options: Options {
            jobs,
            ..Options::default()
        },
        ..Request::new([TARGET])
    };
    let mut session = Session::new(frontend, request)?;
    if let Some(part) = part.and_then(|part| part.parse().ok()) {
        session = session.for_shard(part);
    }
    if let Some(store) = store {
        session = session.with_store(store);
    }
    while session.advance(&mut |_| ())? {}
    let emitted = session.frontend.emit(&session.tested, &session.request)?;
    let mut digest = Digest::default();
    for suite in session.suites() {
        digest.text(&json::procedure(suite, false).to_string());
    }
    for file in &emitted.files {
        digest.text(&file.path);
        digest.text(&file.text);
    }
    for complaint in session.all_complaints().iter().chain(&session.unwritten) {
        digest.text(complaint);
    }
    Ok(Run {
        time: begin.elapsed(),
        methods: session.tested.len(),
        recalled: session.recalled,
        bytes: digest.finish(),
    })
}

/// Writes and compiles the classes, one of them changed.
fn build(
    count: usize,
    changed: Option<usize>,
    work: &Temporary,
    jdk: Option<&Path>,
) -> Result<(), BenchError> {
    let (sources, classes) = (work.path().join("sources"), work.path().join("classes"));
    files::create_folder(&sources)?;
    files::create_folder(&classes)?;
    for number in 0..count {
        let text = class(number, changed == Some(number));
        files::write(&sources.join(format!("Chain{number}.java")), &text)?;
    }
    compile(jdk, &sources, &classes, None)
}

/// A list of numbers that asks the class before it for a limit.
fn class(number: usize, is_changed: bool) -> String {
    let limit = number % 7 + 2 + usize::from(is_changed);
    let above = match number {
        0 => "3".to_owned(),
        _ => format!("new Chain{}().limit()", number - 1),
    };
    let mut text = String::new();
    // Writing into a text never fails.
    let _ = write!(
        text,
        "package scale;
public class Chain{number} {{
    private static class Link {{ int value; Link next; }}
    private Link first;
    private int size;
    public int limit() {{ return {limit}; }}
    public boolean add(int value) {{
        if (size >= {limit} || value < 0) return false;
        Link link = new Link();
        link.value = value;
        link.next = first;
        first = link;
        size++;
        return true;
    }}
    public int largest() {{
        int largest = -1;
        for (Link link = first; link != null; link = link.next) {{
            if (link.value > largest) largest = link.value;
        }}
        return largest;
    }}
    public boolean remove(int value) {{
        Link before = null;
        for (Link link = first; link != null; before = link, link = link.next) {{
            if (link.value == value) {{
                if (before == null) first = link.next; else before.next = link.next;
                size--;
                return true;
            }}
        }}
        return false;
    }}
    public boolean isAbove() {{ return size > {above}; }}
}}
"
    );
    text
}
