//! Findings in front of the tools that see them.
//!
//! A test that shows a mistake has to fail, and with the message for that mistake: a test that fails
//! for another reason confirms nothing. What no tool can see, such as a postcondition, is listed.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use heapwright_engine::Outcome;
use heapwright_ir::FaultKind;
use heapwright_testgen::findings::Finding;
use heapwright_testgen::{Error, Suite, Written};

use super::building::{Way, build, is_there, list, run, text};
use super::{SANITIZERS, WAYS};
use crate::runner::Runner;

/// What only finds mistakes: values that nobody has set, which the other sanitizers do not see.
const MEMORY: Way = Way {
    name: "clang with its memory sanitizer",
    compiler: "clang",
    flags: &["-fsanitize=memory", "-fno-sanitize-recover=all"],
};

/// What tests that pass are allowed to do does not keep a finding behind it from being seen.
const RECOVERED: &str = "-fsanitize-recover=pointer-overflow,nonnull-attribute,vla-bound";

/// What a test is expected to show.
struct Expected {
    /// What a tool that sees it says: one of these. Nothing, if no tool can see it.
    messages: &'static [&'static str],
    /// Whether it comes from an arbitrary input.
    apart: bool,
}

/// What tools say about a fault.
fn messages_of(kind: FaultKind) -> &'static [&'static str] {
    match kind {
        FaultKind::NullDereference => &["null pointer", "SEGV", "zero offset to null"],
        FaultKind::WildPointer => &["SEGV", "misaligned", "buffer-overflow", "unknown-crash"],
        FaultKind::UseAfterFree => &["use-after-free", "use-after-scope", "use-after-return"],
        FaultKind::InvalidFree => &[
            "double-free",
            "attempting free on address",
            "use-after-free",
            "SEGV",
        ],
        FaultKind::OutOfBounds => &[
            "buffer-overflow",
            "buffer-underflow",
            "out of bounds",
            "out-of-bounds",
            "insufficient space",
            "pointer index expression",
            "pointer offset",
            "overflowed to",
            "unknown-crash",
            "negative-size-param",
            "misaligned",
            "SEGV",
        ],
        FaultKind::Overflow | FaultKind::NegativeLength => &["overflow", "cannot be represented"],
        FaultKind::BadShift => &["shift exponent", "left shift"],
        FaultKind::DivisionByZero => &["division by zero", "FPE"],
        FaultKind::Uninitialised => &["use-of-uninitialized-value", "is not a valid value", "SEGV"],
        FaultKind::Overlap => &["param-overlap"],
        FaultKind::Misaligned => &["misaligned"],
        FaultKind::BadTruth => &["is not a valid value for"],
        FaultKind::AssertionFailed => &["Assertion", "assertion"],
        FaultKind::StackOverflow => &["stack-overflow", "SEGV"],
        FaultKind::NoSuchMethod => &["SEGV", "incorrect function type"],
        FaultKind::BadCast | FaultKind::BadElement => &[],
    }
}

/// What each test that fails is expected to show, by its name.
fn expected<'s>(suites: impl Iterator<Item = &'s Suite>) -> BTreeMap<String, Expected> {
    let mut expected = BTreeMap::new();
    for suite in suites {
        for kept in suite.tests.iter().filter(|kept| !kept.findings.is_empty()) {
            let is_leak = kept
                .findings
                .iter()
                .any(|known| matches!(known, Finding::Leak(_)));
            let is_broken =
                (kept.findings.iter()).any(|known| matches!(known, Finding::Invariant(_)));
            let messages = match suite.test(kept).run.outcome {
                Outcome::Fault { kind, .. } => messages_of(kind),
                _ if is_leak => &["detected memory leaks"],
                // The predicate of the program says so itself, in a check of the test.
                _ if is_broken => &["FAILED"],
                _ => &[],
            };
            let apart = kept.apart;
            expected.insert(kept.name.clone(), Expected { messages, apart });
        }
    }
    expected
}

/// Lets the tools look at the tests that show mistakes. Whether each finding that a tool can see was
/// seen by one.
pub(super) fn confirm<'s>(
    source: &Path,
    flags: &[String],
    suites: impl Iterator<Item = &'s Suite>,
    written: &Written,
    runner: &Runner<'_>,
    told: &mut String,
) -> Result<bool, Error> {
    let expected = expected(suites);
    let mut open: Vec<(&Path, String)> = Vec::new();
    let mut all = Vec::new();
    let sanitizers = WAYS.iter().filter(|way| way.flags == SANITIZERS);
    let sanitizers = sanitizers.chain([&MEMORY]);
    for (index, way) in sanitizers.filter(|way| is_there(way.compiler)).enumerate() {
        let mut unseen = Vec::new();
        let mut flags = flags.to_vec();
        flags.extend((way.flags == SANITIZERS).then(|| RECOVERED.to_owned()));
        for file in &written.findings {
            if index > 0 && !open.iter().any(|(known, _)| *known == file) {
                continue;
            }
            let program = build(source, &flags, file, way)?;
            for name in list(runner, &program)? {
                if index == 0 {
                    all.push(name.clone());
                }
                let test = (file.as_path(), name);
                if index > 0 && !open.contains(&test) {
                    continue;
                }
                let ran = run(runner, &program, &test.1)?;
                let said = text(&ran);
                let messages = expected
                    .get(&test.1)
                    .map_or(&[][..], |known| known.messages);
                // Programs that give up by themselves say nothing.
                let is_abort = messages.contains(&"Assertion") && ran.aborted;
                let is_seen = is_abort || messages.iter().any(|message| said.contains(message));
                if ran.succeeded || !is_seen {
                    unseen.push(test);
                }
            }
        }
        open = unseen;
    }
    let open: Vec<&String> = open.iter().map(|(_, name)| name).collect();
    let is_apart = |name: &String| expected.get(name).is_some_and(|known| known.apart);
    let wholes = [
        ("findings confirmed by sanitizers", false),
        ("failures on arbitrary inputs confirmed by sanitizers", true),
    ];
    for (what, apart) in wholes {
        let number = all.iter().filter(|name| is_apart(name) == apart).count();
        let left = open.iter().filter(|name| is_apart(name) == apart).count();
        if number > 0 {
            let _ = writeln!(told, "{what}: {} of {number}", number - left);
        }
    }
    if !open.is_empty() {
        told.push_str("not confirmed by a tool:\n");
    }
    for name in &open {
        let can_see = expected
            .get(*name)
            .is_some_and(|known| !known.messages.is_empty());
        let reason = match can_see {
            true if is_apart(name) => "no sanitizer sees it (arbitrary input)",
            true => "no sanitizer sees it",
            false => "no tool checks this",
        };
        let _ = writeln!(told, "  {name}: {reason}");
    }
    Ok(open.iter().all(|name| {
        let known = expected.get(*name);
        known.is_some_and(|known| known.apart || known.messages.is_empty())
    }))
}
