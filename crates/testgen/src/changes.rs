//! What is new since an earlier run: branches that tests no longer take, findings that have appeared
//! or gone.
//!
//! Both runs are given as the documents that `generate --json` writes. The code between them has
//! changed, so nothing is told apart by its line: a branch is known by its method, its words and its
//! place among those with the same words, a finding by its words without line numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use heapwright_explain::words;
use serde::Deserialize;

/// So many branches of a method are listed.
const MOST_BRANCHES: usize = 5;

/// The results of a run, as far as they are compared.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Snapshot {
    methods: BTreeMap<String, Method>,
}

/// The results for a method, procedure or function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Method {
    branches: BTreeMap<BranchKey, Branch>,
    findings: BTreeMap<String, KnownFinding>,
    tests: usize,
}

/// The function that a branch is in, what holds when it is taken, and how many with these words
/// come before it.
type BranchKey = (String, String, usize);

/// A branch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// What holds when it is taken.
    pub words: String,
    /// Where it is: the file and the line.
    pub place: String,
    /// Whether a test takes it.
    pub is_covered: bool,
}

/// Something that a test shows to be wrong.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct KnownFinding {
    /// What is wrong.
    pub words: String,
    /// The test that shows it.
    pub test: String,
}

/// What is different for one method.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Change {
    /// Its name with its parameters.
    pub method: String,
    /// Whether there was no such method before, or is none now.
    pub fate: Fate,
    /// Branches that were covered, are still there, and are not covered any more.
    pub lost: Vec<Branch>,
    /// Branches that were there without a test and have one now.
    pub gained: Vec<Branch>,
    /// Branches that are new in the code and have no test.
    pub uncovered: Vec<Branch>,
    /// Findings that were not there before.
    pub appeared: Vec<KnownFinding>,
    /// Findings that are not there any more.
    pub gone: Vec<KnownFinding>,
}

/// Whether a method is in both runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fate {
    /// It is.
    #[default]
    Kept,
    /// It is in the later one only.
    New,
    /// It is in the earlier one only.
    Gone,
}

impl Change {
    fn is_empty(&self) -> bool {
        let Change {
            method: _,
            fate,
            lost,
            gained,
            uncovered,
            appeared,
            gone,
        } = self;
        *fate == Fate::Kept
            && [lost, gained, uncovered].iter().all(|list| list.is_empty())
            && [appeared, gone].iter().all(|list| list.is_empty())
    }
}

impl Snapshot {
    /// The results in a document of `generate --json`.
    pub fn read(document: &str) -> Result<Snapshot, serde_json::Error> {
        let document: Document = serde_json::from_str(document)?;
        let methods = document.procedures.into_iter().map(|procedure| {
            let mut seen: BTreeMap<(String, String), usize> = BTreeMap::new();
            let branches = procedure.branches.into_iter().map(|branch| {
                let count = seen
                    .entry((branch.procedure.clone(), branch.words.clone()))
                    .or_default();
                let key = (branch.procedure, branch.words.clone(), *count);
                *count += 1;
                let place = format!("{}:{}", branch.file, branch.line);
                let is_covered = branch.status == "covered";
                let words = branch.words;
                let branch = Branch {
                    words,
                    place,
                    is_covered,
                };
                (key, branch)
            });
            let branches = branches.collect();
            let tests = procedure.tests.len();
            let counted = (procedure.tests.into_iter()).filter(|test| !test.arbitrary_input);
            let findings = counted.flat_map(|test| {
                let name = test.name;
                test.findings.into_iter().map(move |finding| KnownFinding {
                    words: finding.words,
                    test: name.clone(),
                })
            });
            let mut known = BTreeMap::new();
            for finding in findings {
                known
                    .entry(without_lines(&finding.words))
                    .or_insert(finding);
            }
            let method = Method {
                branches,
                findings: known,
                tests,
            };
            (procedure.signature, method)
        });
        Ok(Snapshot {
            methods: methods.collect(),
        })
    }

    /// What is different in a later run, method by method, in the order of their names.
    pub fn changes(&self, later: &Snapshot) -> Vec<Change> {
        let names: BTreeSet<&String> = self.methods.keys().chain(later.methods.keys()).collect();
        let none = Method::default();
        let changes = names.into_iter().map(|name| {
            let (before, after) = (self.methods.get(name), later.methods.get(name));
            let fate = match (before, after) {
                (None, _) => Fate::New,
                (_, None) => Fate::Gone,
                _ => Fate::Kept,
            };
            Change {
                method: name.clone(),
                fate,
                ..before.unwrap_or(&none).changes(after.unwrap_or(&none))
            }
        });
        changes.filter(|change| !change.is_empty()).collect()
    }

    /// The whole result in one line: `3 methods: 8 of 8 branches covered, 5 tests, no findings`.
    pub fn summary(&self) -> String {
        let methods = self.methods.values();
        let all: usize = methods.clone().map(|method| method.branches.len()).sum();
        let covered = (methods.clone())
            .flat_map(|method| method.branches.values())
            .filter(|branch| branch.is_covered);
        let tests: usize = methods.clone().map(|method| method.tests).sum();
        let findings: usize = methods.map(|method| method.findings.len()).sum();
        let findings = match findings {
            0 => "no findings".to_owned(),
            count => words::count(count as u64, "finding", "findings"),
        };
        format!(
            "{}: {} of {all} branches covered, {}, {findings}",
            words::count(self.methods.len() as u64, "method", "methods"),
            covered.count(),
            words::count(tests as u64, "test", "tests"),
        )
    }
}

impl Method {
    fn changes(&self, later: &Method) -> Change {
        let mut change = Change::default();
        for (key, branch) in &later.branches {
            let before = self.branches.get(key).map(|before| before.is_covered);
            match (before, branch.is_covered) {
                (Some(true), false) => change.lost.push(branch.clone()),
                (Some(false), true) => change.gained.push(branch.clone()),
                (None, false) => change.uncovered.push(branch.clone()),
                _ => {}
            }
        }
        let missing = |one: &Method, other: &Method| {
            let findings = one.findings.iter();
            let missing = findings.filter(|(key, _)| !other.findings.contains_key(*key));
            missing.map(|(_, finding)| finding.clone()).collect()
        };
        change.appeared = missing(later, self);
        change.gone = missing(self, later);
        change
    }
}

/// A text in which `List.java:31` is `List.java`.
fn without_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(':') {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let digits = after[1..]
            .bytes()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let skipped = if digits == 0 { 0 } else { 1 + digits };
        rest = &after[skipped..];
        if skipped == 0 {
            out.push(':');
            rest = &after[1..];
        }
    }
    out + rest
}

/// Prints changes, findings first.
pub fn print(changes: &[Change], out: &mut dyn Write) -> io::Result<()> {
    for change in changes {
        for finding in &change.appeared {
            let KnownFinding { words, test } = finding;
            writeln!(out, "! {}: {words} (new, test {test})", change.method)?;
        }
    }
    for change in changes {
        for finding in &change.gone {
            writeln!(out, "+ {}: {} (gone)", change.method, finding.words)?;
        }
    }
    for change in changes {
        match change.fate {
            Fate::Gone => {
                writeln!(out, "  {}: no such method any more", change.method)?;
                continue;
            }
            Fate::New => writeln!(out, "  {}: new", change.method)?,
            Fate::Kept => {}
        }
        let lists = [
            (&change.lost, ("branch lost", "branches lost")),
            (
                &change.uncovered,
                ("new branch not covered", "new branches not covered"),
            ),
            (
                &change.gained,
                ("more branch covered", "more branches covered"),
            ),
        ];
        for (branches, (one, many)) in lists {
            if branches.is_empty() {
                continue;
            }
            let count = words::count(branches.len() as u64, one, many);
            writeln!(out, "  {}: {count}", change.method)?;
            for branch in branches.iter().take(MOST_BRANCHES) {
                writeln!(out, "      {}, {}", branch.words, branch.place)?;
            }
            let more = branches.len().saturating_sub(MOST_BRANCHES);
            if more > 0 {
                writeln!(out, "      and {more} more")?;
            }
        }
    }
    Ok(())
}

/// The parts of a document that count.
#[derive(Deserialize)]
struct Document {
    procedures: Vec<DocumentProcedure>,
}

#[derive(Deserialize)]
struct DocumentProcedure {
    signature: String,
    branches: Vec<DocumentBranch>,
    tests: Vec<DocumentTest>,
}

#[derive(Deserialize)]
struct DocumentBranch {
    procedure: String,
    file: String,
    line: u64,
    words: String,
    status: String,
}

#[derive(Deserialize)]
struct DocumentTest {
    name: String,
    findings: Vec<DocumentFinding>,
    #[serde(default)]
    arbitrary_input: bool,
}

#[derive(Deserialize)]
struct DocumentFinding {
    words: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    fn branch(line: u64, words: &str, status: &str) -> Json {
        json!({ "procedure": "add", "file": "Bag.java", "line": line, "column": 1, "words": words,
            "status": status, "tests": [] })
    }

    fn method(signature: &str, branches: &[Json], findings: &[&str]) -> Json {
        let findings: Vec<Json> = (findings.iter())
            .map(|words| json!({ "kind": "invariant", "words": words }))
            .collect();
        json!({ "signature": signature, "branches": branches,
            "tests": [{ "name": "add_1", "findings": findings }] })
    }

    fn snapshot(procedures: &[Json]) -> Snapshot {
        Snapshot::read(&json!({ "procedures": procedures }).to_string()).expect("a document")
    }

    fn printed(before: &Snapshot, after: &Snapshot) -> String {
        let mut out = Vec::new();
        print(&before.changes(after), &mut out).expect("memory can be written");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn lines_that_move_change_nothing() {
        let with = |line: u64| {
            let branches = [
                branch(line, "`x` is true", "covered"),
                branch(line + 3, "`x` is true", "open"),
            ];
            let finding = format!("repOk() fails after the call at Bag.java:{}", line + 9);
            snapshot(&[method("Bag#add(int x)", &branches, &[&finding])])
        };
        assert_eq!(with(3).changes(&with(40)), []);
    }

    #[test]
    fn what_is_lost_gained_new_and_gone_is_told() {
        let before = snapshot(&[
            method(
                "Bag#add(int x)",
                &[
                    branch(3, "`x` is true", "covered"),
                    branch(3, "`x` is false", "open"),
                ],
                &["infinite loop at Bag.java:3"],
            ),
            method("Bag#clear()", &[], &[]),
        ]);
        let after = snapshot(&[
            method(
                "Bag#add(int x)",
                &[
                    branch(5, "`x` is true", "unreached"),
                    branch(5, "`x` is false", "covered"),
                    branch(8, "`y` is true", "open"),
                ],
                &["repOk() fails after the call at Bag.java:9"],
            ),
            method("Bag#size()", &[], &[]),
        ]);
        let expected = "\
! Bag#add(int x): repOk() fails after the call at Bag.java:9 (new, test add_1)
+ Bag#add(int x): infinite loop at Bag.java:3 (gone)
  Bag#add(int x): 1 branch lost
      `x` is true, Bag.java:5
  Bag#add(int x): 1 new branch not covered
      `y` is true, Bag.java:8
  Bag#add(int x): 1 more branch covered
      `x` is false, Bag.java:5
  Bag#clear(): no such method any more
  Bag#size(): new
";
        assert_eq!(printed(&before, &after), expected);
        assert_eq!(printed(&after, &after), "");
        let summary = "2 methods: 1 of 3 branches covered, 2 tests, 1 finding";
        assert_eq!(after.summary(), summary);
    }

    #[test]
    fn a_second_branch_with_the_same_words_is_another_one() {
        let loops = |second: &str| {
            let branches = [
                branch(3, "`x` is true", "covered"),
                branch(7, "`x` is true", second),
            ];
            snapshot(&[method("Bag#add(int x)", &branches, &[])])
        };
        let changes = loops("covered").changes(&loops("open"));
        assert_eq!(changes.len(), 1);
        assert_eq!(changes[0].lost[0].place, "Bag.java:7");
    }

    #[test]
    fn findings_from_arbitrary_inputs_do_not_count() {
        let mut apart = method("Bag#add(int x)", &[], &["infinite loop"]);
        apart["tests"][0]["arbitrary_input"] = true.into();
        let before = snapshot(&[method("Bag#add(int x)", &[], &[])]);
        assert_eq!(before.changes(&snapshot(&[apart])), []);
    }

    #[test]
    fn colons_without_a_line_stay() {
        for (text, expected) in [
            ("a.c:12:3", "a.c"),
            ("x: 3", "x: 3"),
            (":", ":"),
            ("é:7é:", "éé:"),
        ] {
            assert_eq!(without_lines(text), expected);
        }
    }
}
