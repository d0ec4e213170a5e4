//! Java as a front end of test generation: class files in, JUnit tests out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use heapwright_engine::{
    Enumeration, ExploreError, Input, Mode, Options, Progress, SourceLine, StructureBounds, Subject,
};
use heapwright_ir::machine::Edge;
use heapwright_ir::{FunctionId, Program};
use heapwright_java::classfile::Method;
use heapwright_java::descriptor::Type;
use heapwright_java::emit::{Framework, TestCase};
use heapwright_java::target::TargetMethod;
use heapwright_java::world::{STRING, TestEntry};
use heapwright_logic::Deadline;
use heapwright_sandbox::Confinement;
use heapwright_spec::Source;
use heapwright_spec::questions::{Notation, QuestionFile};
use heapwright_testgen::elsewhere::Sent;
use heapwright_testgen::host::PathKind;
use heapwright_testgen::names::Naming;
use heapwright_testgen::observation::{ObservationRequest, Observed, State, Tried};
use heapwright_testgen::report::FunctionName;
use heapwright_testgen::{
    Emitted, Error, Event, Explored, Frontend, Language, Request, Search, Suite, Targets, Tested,
    Verified, Written,
};

use crate::cases::test_case;
use crate::explore::ExploredMethod;
use crate::language::{JavaLanguage, JavaWithCollections};
use crate::program::JavaProgram;
use crate::scripts::Scripted;
use crate::sequences::{Played, boxed_in};
use crate::validity::validity_cases;
use crate::variation::is_steady;
use crate::verification::{self, Verifying};
use crate::{comparison, emission, hints, proposal, reports, signature, stored, targets};

/// What to do about a predicate that is missing.
const NAME_ONE: &str = "give the class a method `boolean repOk()`, or name one with --repok";

/// How tests for Java are written and run.
#[derive(Clone, Debug)]
pub struct JavaOptions {
    /// The version of JUnit.
    pub junit: Framework,
    /// Whether only methods with a precondition are tested.
    pub only_specified: bool,
    /// The folder with the jars of JUnit and JaCoCo, if it is not the usual one.
    pub tools: Option<PathBuf>,
    /// How long compiling and running tests may take, if somebody says so; nothing for ever.
    pub verify_time: Option<Duration>,
    /// What keeps tests from doing harm.
    pub confinement: Confinement,
}

impl Default for JavaOptions {
    fn default() -> JavaOptions {
        JavaOptions {
            junit: Framework::JUnit5,
            only_specified: false,
            tools: None,
            verify_time: None,
            confinement: Confinement::default(),
        }
    }
}

impl JavaOptions {
    /// How long compiling and running tests may take, where `usual` is what it takes otherwise.
    pub fn verify_time(&self, usual: Duration) -> Duration {
        match self.verify_time {
            Some(Duration::ZERO) => Duration::MAX,
            given => given.unwrap_or(usual),
        }
    }
}

/// Java, with a program of it.
pub struct JavaTests {
    /// The program under test.
    pub program: JavaProgram,
    /// How tests are written and run.
    pub options: JavaOptions,
    /// What the names of test classes have in them.
    pub(crate) infix: String,
    /// Whether whole classes were named.
    pub(crate) names_class: bool,
    /// Whether classes of the JDK are under test.
    pub(crate) tests_library: bool,
    /// The outermost classes of what was searched for by calls.
    pub(crate) searched: BTreeSet<String>,
    /// Those of them that are searched apart from each other.
    pub(crate) begun: BTreeSet<String>,
    /// Whether time or somebody's patience has ended a search.
    pub(crate) was_cut: bool,
    /// The packages of the JDK that the tests look into.
    opens: BTreeSet<String>,
}

/// How what was run belongs to a method.
pub enum Entry {
    /// It was explored.
    Explored(TestEntry),
    /// It was called.
    Played(Played),
    /// It was called by scripts.
    Scripted(Scripted),
}

/// The tests of a method as test cases.
#[derive(Default, serde::Serialize, serde::Deserialize)]
pub struct JavaMethodTests {
    /// Whether they were found by calls, and not by exploring the method.
    pub is_called: bool,
    /// The tests that can be written out, with their positions in the suite.
    pub cases: Vec<(usize, TestCase)>,
    /// Branches that the tests take beside the calls under test.
    pub beside: BTreeSet<Edge>,
    /// Calls of the predicate on the inputs, to be verified.
    pub validity: Vec<TestCase>,
    /// Why others cannot be written out.
    pub unwritten: Vec<String>,
}

impl JavaTests {
    /// Tests for a program.
    pub fn new(program: JavaProgram, options: JavaOptions) -> JavaTests {
        JavaTests {
            program,
            options,
            infix: String::new(),
            names_class: false,
            tests_library: false,
            searched: BTreeSet::new(),
            begun: BTreeSet::new(),
            was_cut: false,
            opens: BTreeSet::new(),
        }
    }

    /// Whether whole classes were named, and not methods of them.
    pub(crate) fn names_class(&self) -> bool {
        self.names_class
    }

    /// What was explored, with what people are told about it.
    pub(crate) fn presented(
        &self,
        target: &TargetMethod,
        explored: ExploredMethod,
        any_heap: Option<bool>,
        entry: Entry,
    ) -> Explored<Entry> {
        let specification = explored.specification;
        Explored {
            naming: Naming::Camel {
                prefix: signature::prefix(target),
            },
            title: Some(signature::title(target, &explored.subject)),
            function: explored.entry.method,
            any_heap,
            check: self.check_command(specification.as_deref(), target),
            subject: explored.subject,
            report: explored.report,
            entry,
            specification,
        }
    }

    /// The command that looks for mistakes in the specification of a method, if it is in a file.
    fn check_command(&self, file: Option<&Path>, target: &TargetMethod) -> Option<String> {
        let file = file
            .filter(|file| matches!(self.program.host.look(file), Some(PathKind::File { .. })))?;
        let path = std::env::join_paths(&self.program.class_path).ok()?;
        Some(format!(
            "heapwright check {} --class {} -c {}",
            file.display(),
            target.class.name,
            path.to_string_lossy()
        ))
    }

    /// The tests of a suite that was found by exploring a method.
    fn explored_tests(
        &mut self,
        target: &TargetMethod,
        suite: &mut Suite,
        entry: &TestEntry,
        request: &Request,
    ) -> Result<JavaMethodTests, Error> {
        let predicate = self.program.predicate(&target.class)?;
        let mut cases = Vec::new();
        let mut beside = BTreeSet::new();
        let mut unwritten = Vec::new();
        for (index, kept) in suite.tests.clone().iter().enumerate() {
            if request.sequences.via_api
                && let Some((case, edges)) = self.via_api(target, suite, kept, entry, request)?
            {
                beside.extend(edges);
                cases.push((index, case));
                continue;
            }
            let world = &self.program.world;
            let predicate = predicate.as_ref();
            let budgets = request.options.budgets;
            match test_case(world, target, suite, kept, entry, predicate, budgets) {
                Some(case) => cases.push((index, case)),
                None => {
                    let test = suite.test(kept);
                    if test.run.inexact && !is_steady(&suite.subject, test, budgets) {
                        let name = &kept.name;
                        unwritten.push(format!(
                            "{name}: its path depends on how the platform rounds a number"
                        ));
                    }
                }
            }
        }
        let validity = match &predicate {
            Some(predicate) if request.verify => {
                let found = (&*suite.subject, &suite.report.tests[..]);
                validity_cases(&mut self.program.world, target, predicate, found, entry)?
            }
            _ => Vec::new(),
        };
        Ok(JavaMethodTests {
            is_called: false,
            cases,
            beside,
            validity,
            unwritten,
        })
    }
}

impl Frontend for JavaTests {
    type Target = TargetMethod;
    type Entry = Entry;
    type Tests = JavaMethodTests;

    fn language(&self) -> &'static dyn Language {
        match self.tests_library {
            true => &JavaLanguage,
            false => &JavaWithCollections,
        }
    }

    fn targets(&mut self, request: &Request) -> Result<Targets<TargetMethod>, Error> {
        let only_specified = self.options.only_specified;
        let targets = targets::choose(request, only_specified, &mut self.program)?;
        self.infix = emission::infix(&request.targets, &targets.tested);
        self.names_class = request.targets.iter().any(|target| !target.contains('#'));
        let world = &self.program.world;
        let mut tested = targets.tested.iter();
        self.tests_library = tested.any(|target| !world.is_of_user(&target.class.name));
        Ok(targets)
    }

    fn target_name(&self, target: &TargetMethod) -> String {
        format!("{}#{}", target.class.name, target.declared.method.name)
    }

    fn place(&mut self, target: &TargetMethod, text: &str) -> Result<Option<SourceLine>, Error> {
        self.program.place(target, text)
    }

    fn explore(
        &mut self,
        target: &TargetMethod,
        options: &Options,
        observer: &mut dyn FnMut(&Progress),
    ) -> Result<Result<Explored<Entry>, ExploreError>, Error> {
        let explored = match self.program.explore(target, options, observer)? {
            Ok(explored) => explored,
            Err(error) => return Ok(Err(error)),
        };
        let is_by_predicate = matches!(options.mode, Mode::Blackbox | Mode::Whitebox);
        let any_heap = !is_by_predicate && !self.program.is_specified(target)?;
        let entry = Entry::Explored(explored.entry.clone());
        Ok(Ok(self.presented(target, explored, Some(any_heap), entry)))
    }

    fn advice_without_predicate(&self, target: &TargetMethod) -> String {
        let advice = self.program.world.unusable_predicate(&target.class);
        advice.unwrap_or_else(|| NAME_ONE.to_owned())
    }

    fn class_of(&self, target: &TargetMethod) -> String {
        target.class.name.to_string()
    }

    fn sequences(
        &mut self,
        targets: &[TargetMethod],
        request: &Request,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<Vec<(TargetMethod, Explored<Entry>)>, Error> {
        match request.options.mode {
            Mode::Sequences => self.class_sequences(targets, request, observer),
            _ => self.class_scripts(targets, request, observer),
        }
    }

    fn is_by_calls(&mut self, target: &TargetMethod, request: &Request) -> Result<bool, Error> {
        let is_usual = request.options.mode == Mode::Concolic && request.reach.is_none();
        if request.any_heap || !is_usual {
            return Ok(false);
        }
        let needs_objects = |method: &Method| !method.access.is_private() && has_objects(method);
        let method = &target.declared.method;
        let is_by_calls = match self.names_class {
            // Those of a class are tested together, but for those that need nothing from the others.
            true => {
                let methods = target.class.methods.iter();
                let mut methods = methods.filter(|one| !one.is_constructor());
                !has_numbers_only(method) && methods.any(|one| needs_objects(one))
            }
            false => needs_objects(method),
        };
        Ok(is_by_calls && !self.program.is_specified(target)?)
    }

    fn about_inputs(&self, entry: &Entry) -> Option<String> {
        match entry {
            Entry::Scripted(scripted) => scripted.about(),
            Entry::Explored(_) | Entry::Played(_) => None,
        }
    }

    fn tests(
        &mut self,
        target: &TargetMethod,
        suite: &mut Suite,
        entry: Entry,
        request: &Request,
    ) -> Result<(JavaMethodTests, Vec<String>), Error> {
        let mut tests = match &entry {
            Entry::Explored(entry) => self.explored_tests(target, suite, entry, request)?,
            Entry::Played(played) => self.played_tests(target, suite, played),
            Entry::Scripted(scripted) => self.scripted_tests(target, suite, scripted, request)?,
        };
        tests.is_called = !matches!(entry, Entry::Explored(_));
        let mut unwritten = std::mem::take(&mut tests.unwritten);
        // What Java cannot express leaves the others alone.
        tests.cases.retain(|(_, case)| {
            let junit = self.options.junit;
            match emission::try_alone(&self.program.world, target, case, junit) {
                Ok(()) => true,
                Err(error) => {
                    unwritten.push(format!("{}: {error}", case.name));
                    false
                }
            }
        });
        Ok((tests, unwritten))
    }

    fn apart(&self, targets: &[TargetMethod]) -> Option<Search> {
        self.unseen(targets)
    }

    fn search_without_sources(&mut self) {
        self.program.sources.are_hidden = true;
    }

    fn sent(&mut self, request: &Request) -> Result<Option<Sent>, Error> {
        self.parcel(request).map(Some)
    }

    fn is_left(&mut self, targets: &[TargetMethod], is_by_calls: bool) -> bool {
        !is_by_calls || self.begins(targets)
    }

    fn circumstances(&mut self, targets: &[TargetMethod]) -> Result<String, Error> {
        self.put_together(targets)
    }

    fn was_cut(&self) -> bool {
        self.was_cut
    }

    fn shard_name(&self, target: &TargetMethod) -> String {
        let class = &*target.class.name;
        // What is nested in a class is tested with it.
        class.split('$').next().unwrap_or(class).to_owned()
    }

    fn looks(&self) -> Option<Vec<u8>> {
        self.seen()
    }

    fn is_as_seen(&self, looks: &[u8]) -> bool {
        self.is_unchanged(looks)
    }

    fn stored(&self, tested: Vec<Tested<Self>>) -> Option<Vec<u8>> {
        stored::written(&self.program.world, tested)
    }

    fn recalled(&mut self, stored: &[u8]) -> Option<Vec<Tested<Self>>> {
        stored::read(self.language(), &mut self.program, stored)
    }

    fn rename(tests: &mut JavaMethodTests, index: usize, name: &str) {
        for (_, case) in tests.cases.iter_mut().filter(|(at, _)| *at == index) {
            name.clone_into(&mut case.name);
        }
    }

    fn emit(&mut self, tested: &[Tested<Self>], _: &Request) -> Result<Emitted, Error> {
        let (emitted, opens) = emission::emitted(tested, self, &self.infix)?;
        self.opens = opens;
        Ok(emitted)
    }

    fn is_generated(&self, text: &str) -> bool {
        text.starts_with(emission::GENERATED)
    }

    fn earlier_files(&self, folder: &Path, tested: &[Tested<Self>], _: &Request) -> Vec<PathBuf> {
        emission::earlier_files(folder, tested, self, &self.infix)
    }

    fn check_tools(&self) -> Result<(), Error> {
        verification::toolchain(self).map(|_| ())
    }

    fn verify(
        &mut self,
        tested: &[Tested<Self>],
        written: &Written,
        request: &Request,
    ) -> Result<Verified, Error> {
        let verifying = Verifying {
            java: self,
            methods: tested,
            request,
            opens: &self.opens,
        };
        verification::verify(&verifying, written)
    }

    fn hints(&self, tested: &[Tested<Self>], request: &Request) -> Result<Vec<String>, Error> {
        hints::hints(&self.program, tested, request)
    }

    fn short_name(&self, tested: &[Tested<Self>], index: usize) -> String {
        reports::short_name(tested, index)
    }

    fn test_texts(&self, tested: &[Tested<Self>], _: &Request) -> BTreeMap<String, String> {
        reports::texts(self, tested, &self.infix)
    }

    fn function_name(&self, program: &Program, function: FunctionId) -> FunctionName {
        reports::function_name(&self.program.world, program, function)
    }

    fn source(&self, file: &str) -> Option<String> {
        let hidden = self.program.sources.hidden(file);
        hidden.or_else(|| self.program.world.class_path().jdk().source(file))
    }

    fn source_folders(&self) -> Vec<PathBuf> {
        self.program.source_folders().to_vec()
    }

    fn propose(&mut self, class: &str, file: &str) -> Result<String, Error> {
        proposal::propose(&mut self.program, class, file)
    }

    fn observe(
        &mut self,
        class: &str,
        request: &ObservationRequest,
    ) -> Result<Option<Observed>, Error> {
        self.program.observe(class, request).map(Some)
    }

    fn build(
        &mut self,
        class: &str,
        state: &State,
        request: &ObservationRequest,
    ) -> Result<Option<Vec<String>>, Error> {
        self.program.build(class, state, request)
    }

    fn tried(
        &mut self,
        class: &str,
        method: Option<&str>,
        states: &[State],
        request: &ObservationRequest,
    ) -> Result<Vec<Vec<Tried>>, Error> {
        self.program.tried(class, method, states, request)
    }

    fn compared_target(&mut self, text: &str) -> Result<TargetMethod, Error> {
        comparison::target(&mut self.program, text)
    }

    fn subject(&mut self, target: &TargetMethod) -> Result<Arc<Subject>, Error> {
        self.program.test_subject(target)
    }

    fn structures(
        &mut self,
        target: &TargetMethod,
        bounds: &StructureBounds,
        deadline: &Deadline,
        visitor: &mut dyn FnMut(&Subject, Input) -> bool,
    ) -> Result<Option<Enumeration>, Error> {
        self.program.enumerate(target, bounds, deadline, visitor)
    }

    fn questions(
        &mut self,
        class: &str,
        notation: Notation,
        source: Source,
    ) -> Result<QuestionFile, Error> {
        proposal::questions(&mut self.program, class, notation, source)
    }
}

/// Whether a method is given objects that only programs can make: a receiver, or something else than
/// values and arrays of them.
fn has_objects(method: &Method) -> bool {
    let is_value = |ty: &Type| match innermost(ty) {
        Type::Class(name) => boxed_in(name).is_some() || **name == *STRING,
        _ => true,
    };
    !method.access.is_static() || !method.descriptor.parameters.iter().all(is_value)
}

/// Whether a method that anybody can call is given nothing but numbers, truth values and arrays of them:
/// programs can make all of these.
fn has_numbers_only(method: &Method) -> bool {
    let is_number = |ty: &Type| !matches!(innermost(ty), Type::Class(_));
    !method.access.is_private()
        && method.access.is_static()
        && method.descriptor.parameters.iter().all(is_number)
}

/// The type of the elements of arrays of arrays.
fn innermost(mut ty: &Type) -> &Type {
    while let Type::Array(element) = ty {
        ty = element;
    }
    ty
}
