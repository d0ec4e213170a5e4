//! What was asked for and cannot be done, as it stands on the command line.

use std::path::PathBuf;

use heapwright_engine::coverage::NoCode;

/// Why a command line asks for nothing that can be done.
#[derive(Debug, thiserror::Error)]
pub enum UsageError {
    /// There is no folder with results.
    #[error("{}: there is no such folder with results; write it as --results named it", .0.display())]
    NoResults(PathBuf),
    /// Standard output is for what is new.
    #[error("watch prints to standard output; use --json FILE")]
    WatchedOutput,
    /// No notation has names with this ending.
    #[error("cannot tell what {} holds: its name should end in .sl, .pred or .smt2", .0.display())]
    UnknownNotation(PathBuf),
    /// Flags of a C compiler, and no C.
    #[error("--compile-commands and flags behind `--` are for C files")]
    FlagsWithoutC,
    /// Nothing to compare a predicate with.
    #[error("--repok needs a specification: --spec FILE")]
    NothingToCompare,
    /// Nothing was named, and no project says what to test.
    #[error(
        "no target given. Name a class, a method or a file (pkg.Class, pkg.Class#method, FILE.c, \
         FILE.impl), or write a heapwright.toml; there is none in this folder or above"
    )]
    NoTarget,
    /// The file of a project names no targets.
    #[error("{} has no `targets`; add some, or name a TARGET", .0.display())]
    NoTargetConfigured(PathBuf),
    /// A specification stands where a target is wanted.
    #[error("{0} is a specification and no target; write --spec {0}")]
    SpecificationAsTarget(String),
    /// The configuration of a project is a link.
    #[error("{} is a link that leads out of its folder; --config {} reads the file itself", .0.display(), .1.display())]
    ConfigurationElsewhere(PathBuf, PathBuf),
    /// A file is there that would be replaced.
    #[error("{} is there already; choose another name, or replace it with --force", .0.display())]
    Exists(PathBuf),
    /// A file is there that somebody wrote by hand.
    #[error("{} was not generated, so it is not replaced; choose another folder for {option}", file.display())]
    NotGenerated {
        /// The file.
        file: PathBuf,
        /// The option that names its folder.
        option: &'static str,
    },
    /// There is no such command, and perhaps a similar one.
    #[error("there is no command `{0}`{1}")]
    NoCommand(String, String),
    /// The line to be reached has no code.
    #[error("--reach: {0}")]
    Reach(NoCode),
    /// A file of predicates has none of its own.
    #[error("{0} defines no predicate")]
    NoPredicate(String),
    /// A file has several predicates, and none is named.
    #[error("which predicate of {0}? Write one of {names}", names = .1.join(", "))]
    WhichPredicate(String, Vec<String>),
    /// A file of procedures has no statements of its own.
    #[error("{} has procedures only; name one with --proc: {}", .0.display(), .1.join(", "))]
    WhichProcedure(PathBuf, Vec<String>),
    /// A program has inputs, and none are given.
    #[error("the program has inputs ({}); give them with --input HEAP.json", .0.join(", "))]
    NoInput(Vec<String>),
    /// A report has several tests, and none is named.
    #[error("which test of {0}? Write --test {0}#NAME")]
    WhichTest(String),
    /// A file has no questions.
    #[error("{} asks nothing: it has no `check`, no `pre` and no `check-sat`", .0.display())]
    NoQuestion(PathBuf),
    /// A file has several formulas, and none is chosen.
    #[error("{} has {} formulas to check; choose one with --formula or --pred", .0.display(), .1)]
    WhichFormula(PathBuf, usize),
    /// A formula and no heap.
    #[error("there is no heap to check")]
    NoHeap,
    /// A heap and no specification.
    #[error("a heap is checked against a specification; name it with --spec")]
    NoSpecification,
}
