//! Results by content: the same bytes from the store as from a search, and nothing is searched for
//! twice; parts of a run, joined.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::Value as Json;

use crate::common::outputs::Outputs;
use crate::common::project::Project;

/// A list that is tested by calls, one with a static field and a lambda, and a method that is
/// explored, since it is given no objects. `User` looks at `Chain`, `Alone` at neither.
const TEXTS: [(&str, &str); 3] = [
    (
        "Chain.java",
        "package store;
public class Chain {
    private static class Link { int value; Link next; Link(int value, Link next) { this.value = value; this.next = next; } }
    private Link first;
    private int size;
    public void add(int value) { if (value < 0) throw new IllegalArgumentException(\"negative\"); first = new Link(value, first); size++; }
    public int sum() { int sum = 0; for (Link l = first; l != null; l = l.next) sum += l.value; return sum; }
    public boolean contains(int value) { for (Link l = first; l != null; l = l.next) if (l.value == value) return true; return false; }
    public static int sign(int n) { return n < 0 ? -1 : n == 0 ? 0 : 1; }
}",
    ),
    (
        "User.java",
        "package store;
public class User {
    private final Chain chain = new Chain();
    public String describe(int n) { chain.add(n); return chain.sum() > 10 ? \"large\" : \"small\"; }
}",
    ),
    (
        "Alone.java",
        "package store;
import java.util.function.IntUnaryOperator;
public class Alone {
    static int calls;
    private int state;
    public void add(int n) { IntUnaryOperator twice = x -> 2 * x; state += twice.applyAsInt(n); }
    public boolean isLarge() { return state > 6; }
    public static boolean count(int n) { calls += n; return calls > 3; }
}",
    ),
];

const OUTPUTS: &str = "--out out --json report.json --report page --jacoco jacoco.xml \
                       --lcov trace.info --sarif findings.sarif";

/// Runs the binary in a folder of the project, which is empty before.
fn run(project: &Project, folder: &str, words: &[&str], cache: &str) -> Outputs {
    let folder = project.path(folder);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_heapwright"))
        .args(words)
        .args(OUTPUTS.split_whitespace())
        .env("HEAPWRIGHT_CACHE", cache)
        .current_dir(&folder)
        .stdin(Stdio::null())
        .output()
        .expect("the binary starts");
    let run = Outputs::of(output, &folder);
    assert!(
        run.files.contains_key("report.json"),
        "{}{}",
        run.said,
        run.complaints
    );
    assert_eq!(run.complaints, "", "{}", run.said);
    run
}

/// The methods of the report whose names begin in some way.
fn procedures(run: &Outputs, begin: &str) -> Vec<String> {
    let report: Json = serde_json::from_slice(&run.files["report.json"]).expect("JSON");
    let procedures = report["procedures"].as_array().expect("a list").iter();
    let names = procedures.map(|procedure| procedure["procedure"].as_str().expect("a name"));
    let names = names.filter(|name| name.contains(begin));
    names.map(str::to_owned).collect()
}

#[test]
fn results_of_the_store_are_the_same_bytes_and_a_change_is_searched_again() {
    let project = Project::of_texts("store", &TEXTS);
    let (classes, cache) = (project.classes(), project.path("cache"));
    let words = ["generate", "store.*", "-c", &classes];
    let without = run(&project, "run", &words, "none");
    let first = run(&project, "run", &words, &cache);
    first.check_same(&without, "with a store");
    assert_eq!(first.apart().0, None);
    let methods = procedures(&first, "").len();
    let second = run(&project, "run", &words, &cache);
    second.check_same(&first, "from the store");
    let all = format!("{methods} of {methods} methods from the cache");
    assert_eq!(second.apart().0, Some(all.as_str()));
    // Two threads, the same store; and two threads without one.
    let jobs = [&words[..], &["--jobs", "2"]].concat();
    run(&project, "run", &jobs, &cache).check_same(&first, "two threads");
    run(&project, "run", &jobs, "none").check_same(&first, "no store");
    // Damaged entries are as good as none.
    for shelf in fs::read_dir(project.path("cache/results-1")).expect("shelves") {
        for entry in fs::read_dir(shelf.expect("a shelf").path()).expect("entries") {
            fs::write(entry.expect("an entry").path(), "damaged").expect("a file");
        }
    }
    let third = run(&project, "run", &words, &cache);
    third.check_same(&first, "from a damaged store");
    assert_eq!(third.apart().0, None);
    // `User` and `Chain` look at `Chain`, `Alone` does not.
    let changed = TEXTS[0].1.replace("\"negative\"", "\"below zero\"");
    let texts = [(TEXTS[0].0, changed.as_str()), TEXTS[1], TEXTS[2]];
    let other = Project::of_texts("store-changed", &texts);
    for class in ["Chain", "Chain$Link"] {
        let name = format!("classes/store/{class}.class");
        fs::copy(other.path(&name), project.path(&name)).expect("a class file");
    }
    let fourth = run(&project, "run", &words, &cache);
    let own = procedures(&fourth, "store.Alone").len();
    let told = format!("{own} of {methods} methods from the cache");
    assert_eq!(fourth.apart().0, Some(told.as_str()));
    let anew = run(&project, "run", &words, "none");
    fourth.check_same(&anew, "after a change");
}

#[test]
fn parts_are_joined_to_what_one_run_gives() {
    let project = Project::of_texts("shards", &TEXTS);
    let classes = project.classes();
    let words = ["generate", "store.*", "-c", &classes];
    let whole = run(&project, "run", &words, "none");
    let folders = ["part1", "part2", "part3"].map(|name| project.path(name));
    let mut tested = 0;
    for (number, folder) in (1..).zip(&folders) {
        let shard = format!("{number}/3");
        let part = [&words[..], &["--shard", &shard, "--results", folder]].concat();
        let part = run(&project, "run", &part, "none");
        tested += procedures(&part, "").len();
    }
    assert_eq!(tested, procedures(&whole, "").len());
    let [first, second, third] = folders.each_ref().map(String::as_str);
    let merge = [
        "merge", first, second, third, "--", "store.*", "-c", &classes,
    ];
    run(&project, "run", &merge, "none").check_same(&whole, "merged");
    // What no part has is told: the first one is empty, by the names of the classes.
    let output = Command::new(env!("CARGO_BIN_EXE_heapwright"))
        .args(["merge", third, "--", "store.*", "-q", "-c", &classes])
        .output()
        .expect("the binary starts");
    assert_eq!(output.status.code(), Some(1));
    let complaint = String::from_utf8(output.stderr).expect("text");
    assert!(
        complaint.contains("there is no result for it"),
        "{complaint}"
    );
}

#[test]
fn the_store_is_counted_and_cleared() {
    let project = Project::of_texts("counted", &TEXTS[2..]);
    let (classes, cache) = (project.classes(), project.path("cache"));
    run(
        &project,
        "run",
        &["generate", "store.Alone", "-c", &classes],
        &cache,
    );
    let said = |action: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_heapwright"))
            .args(["cache", action, "--cache", &cache])
            .output()
            .expect("the binary starts");
        String::from_utf8(output.stdout).expect("text")
    };
    let before = said("stats");
    assert!(!before.starts_with("0 entries"), "{before}");
    let cleared = said("clear");
    assert_eq!(cleared.split(',').next(), before.split(',').next());
    assert!(said("stats").starts_with("0 entries, 0.0 MB"), "{cleared}");
}
