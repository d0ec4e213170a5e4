//! Bugs planted into the subjects in C: each is found, and a sanitizer sees it in the generated test.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use crate::common::{heapwright, root};

const DATA: &str = include_str!("../../../bench/data/planted.txt");

/// A bug: a text of a subject, and what stands there instead.
struct Bug {
    subject: &'static str,
    function: &'static str,
    kind: &'static str,
    before: &'static str,
    after: &'static str,
}

/// The kinds of bugs, what findings of them say, and what the tools say that see them.
const KINDS: [(&str, &[&str], &[&str]); 8] = [
    (
        "null",
        &["null dereference", "wild pointer"],
        &["null pointer", "SEGV"],
    ),
    (
        "use after free",
        &["use after free"],
        &["heap-use-after-free"],
    ),
    (
        "double free",
        &["invalid free"],
        &["double-free", "attempting free"],
    ),
    ("leak", &["leak of"], &["detected memory leaks"]),
    (
        "off by one",
        &["index out of bounds"],
        &["buffer-overflow", "out of bounds"],
    ),
    (
        "uninitialised",
        &["uninitialised value"],
        &["use-of-uninitialized-value"],
    ),
    ("wrong fix-up", &["assertion failed"], &["Assertion"]),
    (
        "wrong tag mask",
        &[
            "assertion failed",
            "wild pointer",
            "misaligned access",
            "index out of bounds",
        ],
        &["Assertion", "SEGV", "misaligned", "buffer-overflow"],
    ),
];

/// Bugs that are not found, with the reason.
const MISSED: [(&str, &str); 1] = [(
    // The value is returned and nothing else is done with it: no fault, and no tool sees it.
    "search_tree#remove_key",
    "uninitialised",
)];

fn bugs() -> Vec<Bug> {
    let records = DATA.split("\n\n").filter(|record| !record.starts_with('#'));
    let bugs = records.map(|record| {
        let (head, rest) = record.split_once('\n').expect("a head");
        let (target, kind) = head.split_once(": ").expect("a kind");
        let (subject, function) = target.split_once('#').expect("a function");
        let rest = rest.strip_prefix("< ").expect("a text");
        let (before, after) = rest.split_once("\n> ").expect("two texts");
        Bug {
            subject,
            function,
            kind,
            before,
            after: after.trim_end_matches('\n'),
        }
    });
    bugs.collect()
}

/// What keeps a bug from being found and confirmed.
fn complaint(bug: &Bug, folder: &Path) -> Option<String> {
    let known = KINDS.iter().find(|known| known.0 == bug.kind);
    let (_, words, messages) = known.expect("a known kind");
    let source = root().join(format!("subjects/c/{}.c", bug.subject));
    let text = std::fs::read_to_string(&source).expect("a subject");
    assert_eq!(text.matches(bug.before).count(), 1, "{}", bug.before);
    std::fs::create_dir_all(folder).expect("a folder");
    let copy = folder.join(format!("{}.c", bug.subject));
    std::fs::write(&copy, text.replace(bug.before, bug.after)).expect("a copy");
    let specification = source.with_extension("sl");
    if specification.exists() {
        std::fs::copy(&specification, copy.with_extension("sl")).expect("a copy");
    }
    let (target, out) = (
        format!("{}#{}", copy.display(), bug.function),
        folder.display().to_string(),
    );
    let bounds = ["--max-objects", "6", "--time", "60"];
    let run = heapwright(&[&["generate", &target, "--out", &out][..], &bounds].concat());
    if run.code != 4 {
        return Some(format!("code {}: {}{}", run.code, run.stdout, run.stderr));
    }
    let mut findings = run.stdout.split("\n! ").skip(1);
    if !findings.any(|finding| words.iter().any(|words| finding.contains(words))) {
        return Some(format!("another finding: {}", run.stdout));
    }
    match is_seen(&copy, bug, messages) {
        true => None,
        false => Some("not confirmed by a sanitizer".to_owned()),
    }
}

/// Whether a sanitizer says one of these about one of the tests that show a mistake.
fn is_seen(copy: &Path, bug: &Bug, messages: &[&str]) -> bool {
    let (compiler, sanitizers) = match bug.kind {
        "uninitialised" => ("clang", "-fsanitize=memory"),
        _ => ("gcc", "-fsanitize=address,undefined"),
    };
    let tests = copy.with_file_name(format!("{}_findings.c", bug.subject));
    let program = copy.with_extension("tests");
    let built = Command::new(compiler)
        .args(["-g", "-w", sanitizers, "-fno-sanitize-recover=all", "-I"])
        .arg(copy.parent().expect("a folder"))
        .arg(&tests)
        .arg("-o")
        .arg(&program)
        .status();
    assert!(built.expect("a compiler").success(), "{}", tests.display());
    let run = |argument: &str| {
        let output = Command::new("timeout")
            .arg("20")
            .arg(&program)
            .arg(argument)
            .output()
            .expect("a run");
        let text = [output.stdout, output.stderr].concat();
        String::from_utf8_lossy(&text).into_owned()
    };
    let names = run("--list");
    let mut said = names.lines().map(run);
    said.any(|said| messages.iter().any(|message| said.contains(message)))
}

/// At least nine of ten planted bugs are found and confirmed; those that are not are listed.
#[test]
fn planted_bugs_are_found_and_confirmed() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c-planted");
    let _ = std::fs::remove_dir_all(&folder);
    let bugs = bugs();
    assert!(bugs.len() >= 40, "{}", bugs.len());
    let waiting = Mutex::new(bugs.iter().enumerate());
    let missed: Mutex<Vec<(String, String)>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some((number, bug)) = waiting.lock().expect("bugs").next() else {
                        break;
                    };
                    let own: PathBuf = folder.join(number.to_string());
                    if let Some(reason) = complaint(bug, &own) {
                        let name = format!("{}#{}: {}", bug.subject, bug.function, bug.kind);
                        missed.lock().expect("missed").push((name, reason));
                    }
                }
            });
        }
    });
    let missed = missed.into_inner().expect("missed");
    let expected: Vec<String> = (MISSED.iter())
        .map(|(target, kind)| format!("{target}: {kind}"))
        .collect();
    let surprises = missed.iter().filter(|(name, _)| !expected.contains(name));
    let surprises: Vec<String> = surprises
        .map(|(name, reason)| format!("{name}: {reason}"))
        .collect();
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
    assert!(missed.len() * 10 <= bugs.len(), "{missed:?}");
}

/// The experiment of the paper on pointers: a bug in the fix-up of a red-black tree whose sentinel is
/// inside of the tree, and two tests that fail. (`heapwright bench c` tells how long it takes.)
#[test]
fn a_bug_in_the_fix_up_makes_two_tests_fail() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c-fix-up");
    let bugs = bugs();
    let bug = bugs.iter().find(|bug| bug.kind == "wrong fix-up");
    let bug = bug.expect("a bug in the fix-up");
    assert_eq!(complaint(bug, &folder), None);
    let target = folder.join("red_black.c").display().to_string() + "#rb_add";
    let run = heapwright(&["generate", &target, "--keep", "all", "--max-objects", "6"]);
    let failing = run.stdout.matches("\n! ").count();
    assert!(failing >= 2, "{}", run.stdout);
}
