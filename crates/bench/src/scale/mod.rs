//! `bench scale`: results that are kept, parts that are joined, threads, and workers of a cluster.

mod cluster;
mod simulation;

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use heapwright_engine::Options;
use heapwright_java_tests::{Choice, JavaOptions, JavaTests, Specifications};
use heapwright_store::{Digest, Fingerprint, Folder};
use heapwright_testgen::temporary::Temporary;
use heapwright_testgen::{Event, Frontend, Request, Session, Store, Use, files, json};

use crate::error::{BenchError, BenchStatus};
use crate::java_sources::{compile, open};
use crate::table::{Table, ratio, seconds};
use cluster::Cluster;
use simulation::Work;

/// What the code under test is called.
const TARGET: &str = "scale.*";

/// What the methods that take long are called.
const LONG: &str = "lengthy.*";

/// The parts that are joined.
const PARTS: usize = 4;

/// The branches of a method that takes long.
const LONG_STEPS: usize = 12;

/// A code base of so many units is simulated, each as long as one that was measured.
const SIMULATED_UNITS: usize = 10_000;

/// With so many workers.
const SIMULATED_WORKERS: [usize; 12] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 768, 1000];

/// Results that are kept and joined, beside searches: times, counts, and whether the bytes are the same
///
/// A code base of classes that are made up for this: lists and counters, each of which calls the one
/// before it in one method. Every row but the first is compared with a search for everything: suites
/// as JSON, and the texts of all tests. With --nats-server, the program is also run with a cluster on
/// this machine, beside the same without, and what more workers would do is simulated from what was
/// measured.
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
    /// The program nats-server, for rows about a cluster [default: none, and no such rows]
    #[arg(long, value_name = "FILE")]
    nats_server: Option<PathBuf>,
    /// How many classes with a method that takes about a second
    #[arg(long, value_name = "N", default_value_t = 6)]
    lengthy: usize,
    /// A class or package of the JDK whose units are as long as those that are simulated
    /// [default: the made-up classes]
    #[arg(long, value_name = "TARGET")]
    like: Vec<String>,
}

/// A run, measured.
struct Run {
    time: Duration,
    methods: usize,
    recalled: usize,
    bytes: Fingerprint,
    /// How long each unit was searched.
    units: Vec<Duration>,
}

/// Runs the benchmark.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<BenchStatus, BenchError> {
    let work = Temporary::named(&std::env::temp_dir(), "scale");
    let place = |name: &str| work.path().join(name);
    let jdk = arguments.jdk.as_deref();
    let classes = place("classes");
    build(arguments.classes, None, &work, jdk)?;
    let search = |jobs: usize, store: Option<Store>, part: Option<String>| {
        measure(&[TARGET.to_owned()], &classes, jdk, jobs, store, part)
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
    let mut differ = rows.differ;
    if let Some(nats) = &arguments.nats_server {
        let around = with_cluster(arguments, nats, &work, &mut differ, out)?;
        let entered = u32::try_from(first.units.len()).unwrap_or(u32::MAX);
        let enter = second.time / entered.max(1);
        let units = match arguments.like.is_empty() {
            true => first.units,
            false => measure(&arguments.like, &classes, jdk, 1, None, None)?.units,
        };
        simulate(&units, enter, around, out)?;
    }
    Ok(match differ {
        false => BenchStatus::Decided,
        true => BenchStatus::Refuted,
    })
}

/// What a cluster adds, for each run and for each unit.
struct Around {
    run: Duration,
    unit: Duration,
}

/// Runs the program with and without a cluster of one worker, which searches one unit at a time.
fn with_cluster(
    arguments: &Arguments,
    nats: &Path,
    work: &Temporary,
    differ: &mut bool,
    out: &mut dyn Write,
) -> Result<Around, BenchError> {
    let jdk = arguments.jdk.as_deref();
    let classes = work.path().join("classes");
    let lengthy = work.path().join("lengthy");
    files::create_folder(&lengthy)?;
    for number in 0..arguments.lengthy {
        files::write(
            &lengthy.join(format!("Long{number}.java")),
            &long_class(number),
        )?;
    }
    compile(jdk, &lengthy, &classes, None)?;
    let header = ["", "s alone", "s cluster", "overhead", "s again", "bytes"];
    let mut table = Table::new(&header);
    let mut added = Vec::new();
    let rows = [
        ("one class", "scale.Chain0"),
        ("all classes", TARGET),
        ("methods that take long", LONG),
    ];
    for (number, (name, target)) in rows.into_iter().enumerate() {
        let folder = work.path().join(format!("cluster{number}"));
        let cluster = Cluster::start(nats, &folder, 1, jdk)?;
        // The worker is there, and has found out what it is.
        std::thread::sleep(Duration::from_secs(5));
        let run = |name: &str, words: &[&str]| {
            cluster::run(target, &classes, &folder.join(name), jdk, words)
        };
        let alone = run("alone", &[])?;
        let together = run("together", &cluster.words())?;
        let again = run("again", &cluster.words())?;
        let is_same = together.bytes == alone.bytes && again.bytes == alone.bytes;
        *differ |= !is_same;
        let more = together.time.as_secs_f64() / alone.time.as_secs_f64() - 1.0;
        added.push(together.time.saturating_sub(alone.time));
        table.row(vec![
            name.to_owned(),
            seconds(alone.time.as_secs_f64()),
            seconds(together.time.as_secs_f64()),
            format!("{:.1} %", 100.0 * more),
            seconds(again.time.as_secs_f64()),
            if is_same { "same" } else { "differ" }.to_owned(),
        ]);
    }
    writeln!(out)?;
    table.print(out)?;
    let (one, all) = match added[..] {
        [one, all, ..] => (one, all),
        _ => Default::default(),
    };
    let others = u32::try_from(arguments.classes.max(2) - 1).unwrap_or(u32::MAX);
    Ok(Around {
        run: one,
        unit: all.saturating_sub(one) / others,
    })
}

/// Prints what more workers would do.
fn simulate(
    units: &[Duration],
    enter: Duration,
    around: Around,
    out: &mut dyn Write,
) -> Result<(), BenchError> {
    let work = Work {
        units: units
            .iter()
            .copied()
            .cycle()
            .take(SIMULATED_UNITS)
            .collect(),
        before: around.run,
        // Many are on their way at a time: this is a part of what was measured for each.
        hand_out: around.unit / 10,
        around: around.unit,
        enter,
    };
    let alone = work.alone().as_secs_f64();
    writeln!(
        out,
        "\nsimulated: {SIMULATED_UNITS} units as long as {} measured ones, {} s alone; the longest takes \
         {} s, entering all results {} s, {} s for a run and {} s for each unit beside",
        units.len(),
        seconds(alone),
        seconds(work.longest().as_secs_f64()),
        seconds(work.entering().as_secs_f64()),
        seconds(around.run.as_secs_f64()),
        seconds(around.unit.as_secs_f64()),
    )?;
    let mut table = Table::new(&["workers", "s", "times as fast", "s until answered", "busy"]);
    for workers in SIMULATED_WORKERS {
        let run = work.with(workers);
        table.row(vec![
            workers.to_string(),
            seconds(run.time.as_secs_f64()),
            ratio(alone, run.time.as_secs_f64()),
            seconds(run.answered.as_secs_f64()),
            format!("{:.0} %", 100.0 * run.busy),
        ]);
    }
    Ok(table.print(out)?)
}

/// A class whose one method takes long to search: many branches, each of which needs numbers of its
/// own.
fn long_class(number: usize) -> String {
    let mut body = String::new();
    for step in 0..LONG_STEPS {
        // Writing into a text never fails.
        let _ = writeln!(
            body,
            "        if (a * {} + b * b == {} + c) sum += {step}; else if (a - c > {}) sum ^= b;",
            step + 3,
            step * step + number + 1000,
            step + 17
        );
    }
    format!(
        "package lengthy;
public class Long{number} {{
    public static int mix(int a, int b, int c) {{
        int sum = 0;
{body}        return sum;
    }}
}}
"
    )
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
    targets: &[String],
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
        ..Request::new(targets.iter().cloned())
    };
    let mut session = Session::new(frontend, request)?;
    if let Some(part) = part.and_then(|part| part.parse().ok()) {
        session = session.for_shard(part);
    }
    if let Some(store) = store {
        session = session.with_store(store);
    }
    let (mut units, mut began) = (Vec::new(), Instant::now());
    while session.advance(&mut |event| match event {
        Event::Begins { .. } => began = Instant::now(),
        Event::Ends => units.push(began.elapsed()),
        _ => {}
    })? {}
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
        units,
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
