//! Targets and options that do not fit the program or its language.

use std::fmt;
use std::path::PathBuf;

use heapwright_spec::diagnostic::did_you_mean;

use super::Cause;

/// What is wrong with what was asked for.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// There is no function of this name.
    #[error("there is no {}{}", kind.called(name), known_instead(name, known))]
    NoFunction {
        /// What the language calls it.
        kind: FunctionKind,
        /// The name.
        name: String,
        /// The names that there are, if they are worth being shown.
        known: Vec<String>,
    },
    /// There is no class of this name.
    #[error("there is no class `{0}`")]
    NoClass(String),
    /// A class is not on the class path, but it is known where it may be.
    #[error("{source}; {hint}")]
    ClassElsewhere {
        /// Where it was looked for.
        source: Cause,
        /// What to do.
        hint: String,
    },
    /// A source file that does not exist was named, and a class was meant.
    #[error(
        "there is no file {file}; name the class, `{class}`, and the folder of its class file with -c"
    )]
    NoFile {
        /// The file.
        file: String,
        /// The class, with the method if one was named.
        class: String,
    },
    /// A file was named, and a class was meant.
    #[error(
        "{file} is {kind}; name the class and the folder of the class files instead: {class} -c {}",
        folder_of_classes(folder.as_ref())
    )]
    FileForClass {
        /// The file.
        file: String,
        /// What it is.
        kind: &'static str,
        /// The class, with the method if one was named.
        class: String,
        /// The folder of its class files, if it was found.
        folder: Option<PathBuf>,
    },
    /// A name means nothing in the language.
    #[error(transparent)]
    Unresolved(Cause),
    /// Targets that cannot be tested in one session.
    #[error("{advice}")]
    SeveralPrograms {
        /// What to name instead, in the words of the language.
        advice: &'static str,
    },
    /// What was named has nothing in it that can be tested.
    #[error("{name} has {lack}{}", below(reasons))]
    NothingToTest {
        /// What was named.
        name: String,
        /// What is missing, in the words of the language.
        lack: &'static str,
        /// Why what there is cannot be tested.
        reasons: Vec<String>,
    },
    /// None of the targets can be tested, for these reasons.
    #[error("{}", .0.join("\n"))]
    Untestable(Vec<String>),
    /// A function of a file has to be named.
    #[error("which {kind} of {file}? Write {file}#NAME")]
    WhichFunction {
        /// What the language calls it.
        kind: FunctionKind,
        /// The file.
        file: String,
    },
    /// One class is needed.
    #[error("`{0}` is not one class; write pkg.Class")]
    NotOneClass(String),
    /// One method is needed for an option.
    #[error("--repok: `{text}` is not one method; {advice}")]
    NotOneMethod {
        /// What was given.
        text: String,
        /// What to write.
        advice: String,
    },
    /// A contract is for a function that the program does not have.
    #[error("{}: {source}", path.display())]
    Contract {
        /// The file of the specification.
        path: PathBuf,
        /// What is missing.
        source: Box<RequestError>,
    },
    /// There is no precondition to be compared.
    #[error("`{0}` has no precondition")]
    NoPrecondition(String),
    /// There is more than one precondition to be compared.
    #[error(
        "`{text}` stands for several methods whose preconditions differ; name one whose \
         precondition speaks of `this` only: {}",
        methods.join(", ")
    )]
    PreconditionsDiffer {
        /// What was named.
        text: String,
        /// The methods.
        methods: Vec<String>,
    },
    /// The predicate was named, and what it is compared with was meant.
    #[error(
        "`{text}` is the predicate itself; name the class, or the method whose precondition is \
         compared with it: --repok {class}. The predicate is found by its name, or given by \
         --predicate"
    )]
    PredicateItself {
        /// What was named.
        text: String,
        /// The class.
        class: String,
    },
    /// A class has no predicate.
    #[error(
        "{0} has no predicate; give it a method `boolean repOk()`, or name one with --predicate"
    )]
    NoPredicate(String),
    /// What was named as a predicate is none.
    #[error("--repok: {0}")]
    Predicate(#[source] Cause),
    /// A precondition was given for a specification in another notation.
    #[error(
        "--pre `{given}` is in the notation of .pred files, which {} is not",
        file.display()
    )]
    Precondition {
        /// The precondition.
        given: String,
        /// The specification.
        file: PathBuf,
    },
    /// A place is not a line.
    #[error("--reach {text}: {needed}")]
    Place {
        /// What was given.
        text: String,
        /// What to write.
        needed: &'static str,
    },
    /// A place is in a file that the program does not have.
    #[error("--reach: the program has no file `{name}`, only {}", known.join(", "))]
    PlaceInNoFile {
        /// The file.
        name: String,
        /// The files of the program.
        known: Vec<String>,
    },
    /// A place was given where whole classes are covered.
    #[error("--reach is not for --mode sequences, which covers whole classes")]
    PlaceForSequences,
    /// Sequences of calls were asked for in a language without classes.
    #[error("--mode sequences is for classes: it needs constructors and methods")]
    SequencesWithoutClasses,
    /// There is no class or struct of this name.
    #[error("there is no {kind} `{name}`{}", known_instead(name, known))]
    NoRecord {
        /// What the language calls it.
        kind: &'static str,
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
}

/// What a language calls its functions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionKind {
    /// A function, be it declared or defined.
    Function,
    /// A function that has to be defined.
    Defined,
    /// A procedure.
    Procedure,
}

impl FunctionKind {
    fn called(self, name: &str) -> String {
        match self {
            FunctionKind::Function | FunctionKind::Procedure => format!("{self} `{name}`"),
            FunctionKind::Defined => format!("{self} `{name}` with a body"),
        }
    }
}

impl fmt::Display for FunctionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FunctionKind::Function | FunctionKind::Defined => "function",
            FunctionKind::Procedure => "procedure",
        })
    }
}

fn known_instead(name: &str, known: &[String]) -> String {
    match did_you_mean(name, known.iter().map(String::as_str)) {
        Some(help) => format!("; {help}"),
        None if known.is_empty() => String::new(),
        None => format!("; there are {}", known.join(", ")),
    }
}

fn folder_of_classes(folder: Option<&PathBuf>) -> String {
    match folder {
        Some(folder) => folder.display().to_string(),
        None => "FOLDER, where FOLDER holds the compiled classes".to_owned(),
    }
}

fn below(reasons: &[String]) -> String {
    reasons
        .iter()
        .map(|reason| format!("\n  {reason}"))
        .collect()
}
