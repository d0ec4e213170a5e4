//! What a report shows, as plain data.
//!
//! All texts are plain: the writers escape them. Indices lead into the lists of the same method.

use crate::inline::{Inline, Piece, inline};
use crate::scene::Scene;

/// A whole report.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// What was tested.
    pub title: String,
    /// The name and version of the tool.
    pub tool: String,
    /// What else is worth knowing, as pairs of a name and a text.
    pub facts: Vec<(String, String)>,
    /// What could not be done.
    pub complaints: Vec<String>,
    /// The branches of all methods, those that methods share counted once.
    pub totals: Totals,
    /// What the language calls one of the methods: a method, a procedure, a function.
    pub noun: String,
    /// What was tested, one by one.
    pub methods: Vec<Method>,
}

/// Numbers of branches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// Taken by a test.
    pub covered: usize,
    /// Proved to be taken by no valid input.
    pub infeasible: usize,
    /// Neither.
    pub uncovered: usize,
}

impl Totals {
    /// The numbers of some branches.
    pub fn of<'b>(branches: impl IntoIterator<Item = &'b Branch>) -> Totals {
        let mut totals = Totals::default();
        for branch in branches {
            totals.add(branch.status);
        }
        totals
    }

    /// Counts one more.
    pub fn add(&mut self, status: Status) {
        match status {
            Status::Covered => self.covered += 1,
            Status::Infeasible => self.infeasible += 1,
            Status::Uncovered => self.uncovered += 1,
        }
    }

    /// How many there are in all.
    pub fn all(&self) -> usize {
        self.covered + self.infeasible + self.uncovered
    }
}

/// A method or procedure under test.
#[derive(Clone, Debug, Default)]
pub struct Method {
    /// A short name, for lists.
    pub name: String,
    /// The whole signature.
    pub title: String,
    /// The class or the file that it is in.
    pub group: String,
    /// Remarks, such as that there is no precondition.
    pub notes: Vec<String>,
    /// Why the search ended.
    pub stop: String,
    /// The work of the search in one line.
    pub statistics: String,
    /// How many tests the search found, of which those below are kept.
    pub found: usize,
    /// The branches of the method and of what it calls.
    pub branches: Vec<Branch>,
    /// The code: that of the method first.
    pub listings: Vec<Listing>,
    /// The tests that are kept, those that find something first.
    pub tests: Vec<Test>,
    /// The paths of all tests that were found.
    pub paths: Vec<Path>,
    /// Where the tree ends without a path.
    pub alternatives: Vec<Alternative>,
    /// How many of them there are, those that are not in the list included: infeasible ones, and
    /// ones that were not explored.
    pub alternative_counts: (u64, u64),
}

/// A branch with what is known about it.
#[derive(Clone, Debug)]
pub struct Branch {
    /// What holds when it is taken.
    pub words: String,
    /// Where it is, for people.
    pub place: String,
    /// Whether it is covered.
    pub status: Status,
    /// Why it is not; empty if it is.
    pub verdict: String,
    /// The tests that take it.
    pub tests: Vec<usize>,
}

/// Whether a branch is covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// A test takes it.
    Covered,
    /// It is proved that no valid input takes it.
    Infeasible,
    /// Neither.
    Uncovered,
}

/// The code of one function.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The function.
    pub title: String,
    /// Its file, or what the text is where there is no source.
    pub origin: String,
    /// The method that shows the code, if it is another one, with its name; then there are no
    /// lines here.
    pub shown_by: Option<(usize, String)>,
    /// Whether the text is the core language and not the source.
    pub core: bool,
    /// The branches of this function.
    pub branches: Vec<usize>,
    /// The lines.
    pub lines: Vec<Line>,
}

/// One line of code.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its number.
    pub number: u32,
    /// Its text.
    pub text: String,
    /// Whether it was executed; none for lines without code, or where that is not known.
    pub executed: Option<bool>,
    /// The branches that begin in it.
    pub branches: Vec<usize>,
}

/// A test that is kept.
#[derive(Clone, Debug)]
pub struct Test {
    /// Its name.
    pub name: String,
    /// What it shows to be wrong.
    pub findings: Vec<FindingText>,
    /// How the run ended.
    pub outcome: String,
    /// The input in one line.
    pub input: String,
    /// What was different afterwards, in one line.
    pub result: String,
    /// The path of the run.
    pub steps: Vec<Step>,
    /// The lines of the path in the order of execution.
    pub lines: Vec<u32>,
    /// The test as a program.
    pub source: Option<String>,
    /// The heap before.
    pub before: Picture,
    /// The heap afterwards; none if it is as before.
    pub after: Option<Picture>,
}

impl Test {
    /// The heaps before and after.
    pub(super) fn pictures(&self) -> impl Iterator<Item = &Picture> {
        [&self.before].into_iter().chain(&self.after)
    }
}

/// Something that a test shows to be wrong.
#[derive(Clone, Debug)]
pub struct FindingText {
    /// One word.
    pub kind: String,
    /// The finding in words.
    pub words: String,
}

/// One decision of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What was decided.
    pub words: String,
    /// In which line, if that is known.
    pub line: Option<u32>,
    /// Whether no other answer was possible.
    pub forced: bool,
    /// Tells steps apart that read the same.
    pub which: u32,
}

/// A path of the constraint tree.
#[derive(Clone, Debug)]
pub struct Path {
    /// Its decisions.
    pub steps: Vec<Step>,
    /// How it ended.
    pub end: String,
    /// The test of it, if it is one of those that are kept.
    pub test: Option<usize>,
}

/// A decision that no test takes, with all decisions before it.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The decisions, the last of which is the one that no test takes.
    pub steps: Vec<Step>,
    /// Whether no valid input takes it; otherwise it was not explored, or not decided.
    pub infeasible: bool,
    /// Why no test takes it.
    pub reason: String,
}

/// A drawn heap.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    pub(super) pieces: Vec<Piece>,
    pub(super) changes: String,
    pub(super) width: i64,
}

impl Picture {
    /// Draws a scene.
    pub fn of(scene: &Scene<'_>) -> Picture {
        let Inline {
            pieces,
            changes,
            width,
        } = inline(scene);
        Picture {
            pieces,
            changes,
            width,
        }
    }
}
