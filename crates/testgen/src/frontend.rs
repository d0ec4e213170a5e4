//! What a language has to tell so that tests can be generated for it.
//!
//! A front end is one implementation of [`Frontend`]. It knows the programs of its language and how
//! its tests are written; it knows nothing of the search, of which tests are kept, of names, findings
//! and reports.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use heapwright_engine::{
    Enumeration, ExploreError, Input, NothingMore, Options, Progress, Report, SourceLine,
    StructureBounds, Subject, enumerate,
};
use heapwright_ir::{FunctionId, Program};
use heapwright_logic::Deadline;
use heapwright_spec::Source;
use heapwright_spec::questions::{Notation, QuestionFile};

use crate::elsewhere::{self, Sent};
use crate::error::{Error, RequestError};
use crate::language::Language;
use crate::names::{Naming, Taken};
use crate::observation::{ObservationRequest, Observed, State, Tried};
use crate::report::FunctionName;
use crate::request::Request;
use crate::session::Tested;
use crate::suite::Suite;
use crate::units::Searched;

/// A language, with a program of it.
pub trait Frontend: Sized {
    /// Something that can be tested: a method, a procedure.
    type Target: Clone;
    /// How what was run belongs to a target: wrappers, static fields, calls.
    type Entry;
    /// The tests of a target in a form that can be written out.
    type Tests;

    /// What tests of the language have in common.
    fn language(&self) -> &'static dyn Language;

    /// What the request names.
    fn targets(&mut self, request: &Request) -> Result<Targets<Self::Target>, Error>;

    /// A target as messages name it.
    fn target_name(&self, target: &Self::Target) -> String;

    /// The names that no test may have.
    fn reserved_names(&self) -> Taken {
        Taken::default()
    }

    /// The place that `LINE` or `FILE:LINE` means for a target; `None` if that is elsewhere.
    fn place(&mut self, target: &Self::Target, text: &str) -> Result<Option<SourceLine>, Error>;

    /// Searches for tests of a target.
    fn explore(
        &mut self,
        target: &Self::Target,
        options: &Options,
        observer: &mut dyn FnMut(&Progress),
    ) -> Result<Result<Explored<Self::Entry>, ExploreError>, Error>;

    /// What to do about a target that has no predicate, where a predicate says which inputs are
    /// valid.
    fn advice_without_predicate(&self, target: &Self::Target) -> String;

    /// Targets that belong together when sequences of calls are searched for: those of a class.
    fn class_of(&self, target: &Self::Target) -> String {
        self.target_name(target)
    }

    /// Whether inputs of a target are made by calls, because nothing says which ones are valid.
    fn is_by_calls(&mut self, target: &Self::Target, request: &Request) -> Result<bool, Error> {
        let _ = (target, request);
        Ok(false)
    }

    /// Searches for sequences of calls that end in a call of one of the targets, which are of one
    /// class.
    fn sequences(
        &mut self,
        targets: &[Self::Target],
        request: &Request,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<ExploredTargets<Self::Target, Self::Entry>, Error> {
        let _ = (targets, request, observer);
        Err(RequestError::SequencesWithoutClasses.into())
    }

    /// Where the inputs of a search come from, and why, in one line, if that was chosen.
    fn about_inputs(&self, entry: &Self::Entry) -> Option<String> {
        let _ = entry;
        None
    }

    /// The tests of a suite in a form that can be written out, and why others cannot. A suite may be
    /// changed where tests are built in another way than they were found.
    fn tests(
        &mut self,
        target: &Self::Target,
        suite: &mut Suite,
        entry: Self::Entry,
        request: &Request,
    ) -> Result<(Self::Tests, Vec<String>), Error>;

    /// A [search](crate::search) for tests of some targets with a front end for the same program that
    /// has seen nothing of it, to be run by any thread. `None` if this one cannot test targets apart
    /// from each other: then what is found for one may depend on those before it.
    fn apart(&self, targets: &[Self::Target]) -> Option<Search> {
        let _ = targets;
        None
    }

    /// Searches without source texts from here on: they are for reports only.
    fn search_without_sources(&mut self) {}

    /// The program with everything that units of a request depend on, for another machine. `None` if
    /// targets of this one cannot be tested apart from each other.
    fn sent(&mut self, request: &Request) -> Result<Option<Sent>, Error> {
        let _ = request;
        Ok(None)
    }

    /// Whether targets that belong together are still to be tested, and not part of what was.
    fn is_left(&mut self, targets: &[Self::Target], is_by_calls: bool) -> bool {
        let _ = (targets, is_by_calls);
        true
    }

    /// What the results for targets depend on besides the tool, the request, and [what is looked
    /// at](Frontend::looks): specifications, and how the program is put together.
    fn circumstances(&mut self, targets: &[Self::Target]) -> Result<String, Error> {
        let _ = targets;
        Ok(String::new())
    }

    /// Whether the clock or somebody's patience has ended a search that reports do not speak of.
    fn was_cut(&self) -> bool {
        false
    }

    /// What a target goes by when targets are dealt out to several runs: a name that says nothing
    /// about how it is tested. Those of one name stay together.
    fn shard_name(&self, target: &Self::Target) -> String {
        self.target_name(target)
    }

    /// What was looked at until now, by content. `None` if nobody knows.
    fn looks(&self) -> Option<Vec<u8>> {
        None
    }

    /// Whether whoever looks at the same again sees the same.
    fn is_as_seen(&self, looks: &[u8]) -> bool {
        let _ = looks;
        false
    }

    /// What was found, as bytes that [`Frontend::recalled`] reads in any front end for the same
    /// program.
    fn stored(&self, tested: Vec<Tested<Self>>) -> Option<Vec<u8>> {
        let _ = tested;
        None
    }

    /// What some bytes stand for. `None` if this program has no such things.
    fn recalled(&mut self, stored: &[u8]) -> Option<Vec<Tested<Self>>> {
        let _ = stored;
        None
    }

    /// Gives a test another name: the one at a position in the suite.
    fn rename(tests: &mut Self::Tests, index: usize, name: &str) {
        let _ = (tests, index, name);
    }

    /// The texts of all tests.
    fn emit(&mut self, tested: &[Tested<Self>], request: &Request) -> Result<Emitted, Error>;

    /// What was tested, for reports in JSON.
    fn program_name(&self, request: &Request) -> String {
        request.title()
    }

    /// Whether people want to be told about each file: they are few.
    fn lists_files(&self) -> bool {
        true
    }

    /// Whether a text was generated, so that it may be replaced.
    fn is_generated(&self, text: &str) -> bool;

    /// The files in a folder that an earlier run for the same targets may have written.
    fn earlier_files(
        &self,
        folder: &Path,
        tested: &[Tested<Self>],
        request: &Request,
    ) -> Vec<PathBuf>;

    /// Looks whether tests can be verified at all.
    fn check_tools(&self) -> Result<(), Error>;

    /// Compiles and runs the tests with the tools of the language.
    fn verify(
        &mut self,
        tested: &[Tested<Self>],
        written: &Written,
        request: &Request,
    ) -> Result<Verified, Error>;

    /// What would make the tests better.
    fn hints(&self, tested: &[Tested<Self>], request: &Request) -> Result<Vec<String>, Error> {
        let _ = (tested, request);
        Ok(Vec::new())
    }

    /// A target as reports name it, among all that were tested.
    fn short_name(&self, tested: &[Tested<Self>], index: usize) -> String;

    /// The tests as texts, by name.
    fn test_texts(&self, tested: &[Tested<Self>], request: &Request) -> BTreeMap<String, String>;

    /// What other tools call a function.
    fn function_name(&self, program: &Program, function: FunctionId) -> FunctionName;

    /// The text of a source file that is not in the program.
    fn source(&self, file: &str) -> Option<String> {
        let _ = file;
        None
    }

    /// The folders that names of source files are relative to.
    fn source_folders(&self) -> Vec<PathBuf>;

    /// A first specification for a class, to be written into a file of this name.
    fn propose(&mut self, class: &str, file: &str) -> Result<String, Error>;

    /// The states of a class that calls reach. `None` if that is not known of the language.
    fn observe(
        &mut self,
        class: &str,
        request: &ObservationRequest,
    ) -> Result<Option<Observed>, Error> {
        let _ = (class, request);
        Ok(None)
    }

    /// Calls that make an object like that of a state, by a search for just that. `None` if none are
    /// found.
    fn build(
        &mut self,
        class: &str,
        state: &State,
        request: &ObservationRequest,
    ) -> Result<Option<Vec<String>>, Error> {
        let _ = (class, state, request);
        Ok(None)
    }

    /// What calls of the methods of a class do in some states, for each state: of the public ones, or of
    /// those of a name.
    fn tried(
        &mut self,
        class: &str,
        method: Option<&str>,
        states: &[State],
        request: &ObservationRequest,
    ) -> Result<Vec<Vec<Tried>>, Error> {
        let _ = (class, method, states, request);
        Ok(Vec::new())
    }

    /// The target whose precondition is compared with the predicate of its class.
    fn compared_target(&mut self, text: &str) -> Result<Self::Target, Error>;

    /// A target with its contract, and with the predicate that says which inputs are valid.
    fn subject(&mut self, target: &Self::Target) -> Result<Arc<Subject>, Error>;

    /// All structures for which the predicate of a target's class holds, each as an input of the
    /// target. `None` if there is no predicate. Programs that grow while they are explored have
    /// their own way.
    fn structures(
        &mut self,
        target: &Self::Target,
        bounds: &StructureBounds,
        deadline: &Deadline,
        visitor: &mut dyn FnMut(&Subject, Input) -> bool,
    ) -> Result<Option<Enumeration>, Error> {
        let subject = self.subject(target)?;
        let Options {
            bounds: usual,
            budgets,
            ..
        } = Options::default();
        let elements = usual.elements.first;
        let nothing = &mut NothingMore;
        Ok(enumerate(
            subject, nothing, bounds, elements, budgets, deadline, visitor,
        ))
    }

    /// A specification of a class, read with what the code declares.
    fn questions(
        &mut self,
        class: &str,
        notation: Notation,
        source: Source,
    ) -> Result<QuestionFile, Error>;
}

/// A search that waits for a thread; the request says how it is done.
pub type Search = Box<dyn FnOnce(Request) -> Result<Option<Searched>, Error> + Send>;

/// What can be tested of what was named.
#[derive(Clone, Debug)]
pub struct Targets<T> {
    /// What is tested, at least one.
    pub tested: Vec<T>,
    /// Why others are not.
    pub complaints: Vec<String>,
    /// What nothing can be done with, though nobody made a mistake.
    pub unusable: Vec<String>,
}

/// Targets, each with what was found for it.
pub type ExploredTargets<T, E> = Vec<(T, Explored<E>)>;

/// What came of the search for tests of a target.
pub struct Explored<E> {
    /// What was explored in the end.
    pub subject: Arc<Subject>,
    /// What was found.
    pub report: Report,
    /// What the front end needs to know about what was run.
    pub entry: E,
    /// The function of the target, which need not be what was run.
    pub function: FunctionId,
    /// Whether every heap is a valid input, because nothing says which heaps are; `None` if that
    /// depends on the subject alone.
    pub any_heap: Option<bool>,
    /// How tests are named.
    pub naming: Naming,
    /// The target for people; `None` for the file and the signature.
    pub title: Option<String>,
    /// The file with the contract, if there is one.
    pub specification: Option<PathBuf>,
    /// The command that looks for mistakes in the specification.
    pub check: Option<String>,
}

/// What happens while tests are searched for.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A search begins, which may take so long.
    Begins {
        /// What is searched.
        name: &'a str,
        /// The limit.
        time: Option<Duration>,
    },
    /// A search goes on.
    Progress(&'a Progress),
    /// A search has ended.
    Ends,
    /// Other machines search.
    Elsewhere(&'a elsewhere::Progress),
    /// What people should know before the end.
    Note(&'a str),
}

/// The texts of tests.
#[derive(Clone, Debug, Default)]
pub struct Emitted {
    /// The files.
    pub files: Vec<SourceFile>,
    /// What whoever runs the tests has to know, line by line.
    pub notes: Vec<String>,
    /// What tests do not check though one would expect it, line by line.
    pub caveats: Vec<String>,
}

/// A file with tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// Where it is, in a folder for tests: `trees/TreeTest.java`.
    pub path: String,
    /// Its text.
    pub text: String,
    /// How many tests it has.
    pub tests: usize,
    /// Whether its tests fail, each showing that something is wrong.
    pub has_findings: bool,
}

/// The files with tests that were written.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The folder that they are in.
    pub folder: PathBuf,
    /// Those whose tests pass.
    pub files: Vec<PathBuf>,
    /// Those whose tests fail, each showing that something is wrong.
    pub findings: Vec<PathBuf>,
}

/// What came of running tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// What is to be said about it.
    pub text: String,
    /// Whether everything is as the engine predicted.
    pub is_as_predicted: bool,
}
