//! C as a front end of test generation.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use heapwright_c::clang::Flags;
use heapwright_c::environment_of;
use heapwright_engine::{ExploreError, Mode, Options, Progress, SourceLine, Subject, explore};
use heapwright_explain::{source, words};
use heapwright_ir::{FunctionId, Program};
use heapwright_logic::Sort;
use heapwright_sandbox::Confinement;
use heapwright_spec::questions::{Notation, QuestionFile, predicates_of};
use heapwright_spec::{ImportRequest, Source, read_specification};
use heapwright_testgen::host::Host;
use heapwright_testgen::names::{Naming, Taken};
use heapwright_testgen::report::FunctionName;
use heapwright_testgen::specified::{SpecificationChoice, split};
use heapwright_testgen::{
    Emitted, Error, Event, Explored, ExploredTargets, Frontend, FunctionKind, Language, Request,
    RequestError, SequenceError, Suite, Targets, Tested, VerificationError, Verified, Written,
    reach,
};

use crate::emission;
use crate::flags::{self, CompileCommands};
use crate::language::CLanguage;
use crate::predicate::{self, Checked, Predicate};
use crate::proposal;
use crate::roles::is_initialiser;
use crate::runner::Runner;
use crate::sequences::{Played, Searched, struct_of};
use crate::unit::Loaded;
use crate::verification;

/// What makes allocations fail in the functions of the library as they are read.
const MALLOC_FAILS: &str = "-D__HEAPWRIGHT_MALLOC_FAILS__";

/// What the user says about a C file.
#[derive(Clone, Debug)]
pub struct COptions {
    /// Flags for compilers: folders of headers, macros, the standard.
    pub flags: Vec<String>,
    /// Where the build's flags for the file are.
    pub compile_commands: CompileCommands,
    /// Where the specification comes from.
    pub specification: SpecificationChoice,
    /// The function that says which inputs are valid.
    pub predicate: Option<String>,
    /// Whether allocations may fail.
    pub malloc_fails: bool,
    /// How long one test may run when tests are verified; zero for no limit.
    pub verify_time: Option<Duration>,
    /// What keeps tests from doing harm.
    pub confinement: Confinement,
}

impl Default for COptions {
    /// The specification beside the file, and nothing else.
    fn default() -> Self {
        COptions {
            flags: Vec::new(),
            compile_commands: CompileCommands::None,
            specification: SpecificationChoice::Beside,
            predicate: None,
            malloc_fails: false,
            verify_time: None,
            confinement: Confinement::default(),
        }
    }
}

/// C, with a source file.
pub struct CTests {
    host: Arc<dyn Host>,
    options: COptions,
    flags: Flags,
    path: PathBuf,
    loaded: Loaded,
    /// Whether a predicate says which inputs are valid, so that any name that sounds like one will
    /// do.
    by_predicate: bool,
}

impl CTests {
    /// Tests for the file that a target names, `FILE.c` or `FILE.c#FUNCTION`.
    pub fn open(target: &str, options: COptions, host: Arc<dyn Host>) -> Result<CTests, Error> {
        let (path, _) = split(target);
        let mut words = options.flags.clone();
        if options.malloc_fails {
            words.push(MALLOC_FAILS.to_owned());
        }
        let flags = flags::of(path, &words, &options.compile_commands, &*host)?;
        Ok(CTests {
            loaded: Loaded::read(path, &flags, &options.specification, &*host)?,
            flags,
            path: path.to_owned(),
            host,
            options,
            by_predicate: false,
        })
    }

    /// The functions that say which structs are valid.
    fn predicates(&self) -> Result<Vec<FunctionId>, Error> {
        let unit = &self.loaded.unit;
        match &self.options.predicate {
            Some(name) => Ok(vec![predicate::named(unit, name)?]),
            None => Ok(predicate::usual(unit, self.by_predicate)),
        }
    }

    /// The predicate for a function, if it works on objects that one is about.
    fn predicate(&self, function: FunctionId) -> Result<Option<Predicate>, Error> {
        let unit = &self.loaded.unit;
        if is_initialiser(unit, function) {
            return Ok(None);
        }
        let predicates = self.predicates()?.into_iter();
        let mut predicates = predicates.filter(|&id| id != function);
        Ok(predicates.find_map(|id| predicate::applied(&unit.program, id, function)))
    }

    fn program(&self) -> &Program {
        &self.loaded.unit.program
    }

    /// The name of the source file.
    fn file_name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

/// How tests of a function came about.
#[derive(Default)]
pub struct Entry {
    /// The predicate that they call.
    pub checked: Option<Checked>,
    /// The calls that make their objects; `None` if these are made field by field.
    pub played: Option<Played>,
}

impl Frontend for CTests {
    type Target = FunctionId;
    type Entry = Entry;
    type Tests = Entry;

    fn language(&self) -> &'static dyn Language {
        &CLanguage
    }

    fn targets(&mut self, request: &Request) -> Result<Targets<FunctionId>, Error> {
        let mut tested = Vec::new();
        let mut complaints = Vec::new();
        self.by_predicate = matches!(request.options.mode, Mode::Blackbox | Mode::Whitebox);
        let predicates = self.predicates()?;
        let helpers = predicate::helpers(&self.loaded.unit, &predicates);
        for target in &request.targets {
            let (path, name) = split(target);
            if path != self.path {
                let advice = "name functions of one C file at a time";
                return Err(RequestError::SeveralPrograms { advice }.into());
            }
            let named = match name {
                Some(name) => vec![self.loaded.function(name)?],
                None => self
                    .loaded
                    .unit
                    .functions
                    .iter()
                    .map(|&(id, _)| id)
                    .collect(),
            };
            for function in named {
                let own = &self.program().function(function).name;
                if name.is_none() && helpers.contains(&function) {
                    continue;
                }
                match self.loaded.complaint(function) {
                    Some(complaint) => complaints.push(format!("{own}: {complaint}")),
                    None => {
                        self.subject(&function)?;
                        tested.push(function);
                    }
                }
            }
        }
        if tested.is_empty() {
            return Err(Error::Request(RequestError::NothingToTest {
                name: self.path.display().to_string(),
                lack: "no function that can be tested",
                reasons: complaints,
            }));
        }
        if let Some(text) = &request.reach {
            reach::place(self.program(), text)?;
        }
        Ok(Targets {
            tested,
            complaints,
            unusable: Vec::new(),
        })
    }

    fn target_name(&self, target: &FunctionId) -> String {
        self.program().function(*target).name.clone()
    }

    fn reserved_names(&self) -> Taken {
        Taken::with("main".to_owned())
    }

    fn place(&mut self, _: &FunctionId, text: &str) -> Result<Option<SourceLine>, Error> {
        reach::place(self.program(), text).map(Some)
    }

    fn explore(
        &mut self,
        target: &FunctionId,
        options: &Options,
        observer: &mut dyn FnMut(&Progress),
    ) -> Result<Result<Explored<Entry>, ExploreError>, Error> {
        let subject = self.subject(target)?;
        let predicate = self.predicate(*target)?;
        let holds_before = self.by_predicate && predicate.is_some();
        let mut options = options.clone();
        // A function without such objects, one that makes them for example, is tested all the same.
        if self.by_predicate && !holds_before && !self.predicates()?.is_empty() {
            options.mode = Mode::Concolic;
        }
        let explored = explore(&subject, &options, observer);
        let program = self.program();
        let function = program.function(*target);
        let title = format!(
            "{}#{}",
            source::file_name(program, function.position),
            words::signature(program, function)
        );
        Ok(explored.map(|report| Explored {
            function: *target,
            subject,
            report,
            entry: Entry {
                checked: predicate.map(|predicate| Checked {
                    predicate,
                    holds_before,
                }),
                played: None,
            },
            any_heap: holds_before.then_some(false),
            naming: Naming::Snake,
            title: Some(title),
            specification: self.loaded.specification_file.clone(),
            check: None,
        }))
    }

    fn advice_without_predicate(&self, _: &FunctionId) -> String {
        "name a function that returns an int or a bool with --repok".to_owned()
    }

    fn class_of(&self, target: &FunctionId) -> String {
        let unit = &self.loaded.unit;
        match struct_of(unit, *target) {
            Some(class) => unit.program.definitions.class(class).name.clone(),
            None => self.target_name(target),
        }
    }

    fn sequences(
        &mut self,
        targets: &[FunctionId],
        request: &Request,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<ExploredTargets<FunctionId, Entry>, Error> {
        let unit = &self.loaded.unit;
        // What is not called from outside is covered by what calls it, as far as it is.
        let is_static = |id: &FunctionId| unit.function(*id).is_some_and(|one| one.is_static);
        let class = targets.first().and_then(|&first| struct_of(unit, first));
        let Some(class) = class else {
            // Whoever names a file means the functions on its structs.
            let is_named = request.targets.iter().any(|target| target.contains('#'));
            return match is_named {
                true => Err(SequenceError::NoStruct.into()),
                false => Ok(Vec::new()),
            };
        };
        let mut tested: Vec<FunctionId> = targets.to_vec();
        if tested.iter().any(|id| !is_static(id)) {
            tested.retain(|id| !is_static(id));
        }
        let predicates = self.predicates()?;
        let left_out = predicate::helpers(unit, &predicates);
        let about = |id: &FunctionId| {
            let code = unit.program.function(*id);
            let first = code.registers.first();
            code.params == 1 && first.is_some_and(|one| one.sort == Sort::Ref(class))
        };
        let predicate = predicates.iter().copied().find(about);
        let searched = Searched {
            unit,
            class,
            tested: &tested,
            left_out: &left_out,
            predicate,
        };
        let subject = |program: &Program, id: FunctionId| self.loaded.subject_in(program, id);
        let found = Rc::new(searched.search(request, &subject, observer)?);
        let mut explored = Vec::new();
        for &target in &tested {
            let subject = Arc::new(self.loaded.subject_in(&found.program, target)?);
            let Some((report, played)) = found.of(&subject, target) else {
                continue;
            };
            let checked = predicate.map(|function| Checked {
                predicate: Predicate {
                    function,
                    calls: vec![vec![0]],
                },
                holds_before: false,
            });
            let begins_with_zeros = found.begins_with_zeros();
            let found = Explored {
                function: target,
                subject,
                report,
                entry: Entry {
                    checked,
                    played: Some(played),
                },
                any_heap: Some(begins_with_zeros),
                naming: Naming::Snake,
                title: None,
                specification: None,
                check: None,
            };
            explored.push((target, found));
        }
        Ok(explored)
    }

    fn tests(
        &mut self,
        _: &FunctionId,
        _: &mut Suite,
        entry: Entry,
        _: &Request,
    ) -> Result<(Entry, Vec<String>), Error> {
        Ok((entry, Vec::new()))
    }

    fn emit(&mut self, tested: &[Tested<Self>], _: &Request) -> Result<Emitted, Error> {
        let suites = tested.iter().map(|tested| (&tested.suite, &tested.tests));
        Ok(Emitted {
            files: emission::files(&self.loaded.unit, &self.file_name(), suites),
            ..Emitted::default()
        })
    }

    fn program_name(&self, _: &Request) -> String {
        self.path.display().to_string()
    }

    fn is_generated(&self, text: &str) -> bool {
        text.is_empty() || text.starts_with(heapwright_c::emit::GENERATED)
    }

    fn earlier_files(&self, folder: &Path, _: &[Tested<Self>], _: &Request) -> Vec<PathBuf> {
        let name = self.file_name();
        let stem = name.strip_suffix(".c").unwrap_or(&name);
        let endings = ["test", "findings"];
        let files = endings.map(|ending| folder.join(format!("{stem}_{ending}.c")));
        files.into_iter().filter(|file| file.exists()).collect()
    }

    fn check_tools(&self) -> Result<(), Error> {
        match verification::is_there("gcc") || verification::is_there("clang") {
            true => Ok(()),
            false => Err(VerificationError::MissingTool("gcc or clang").into()),
        }
    }

    fn verify(
        &mut self,
        tested: &[Tested<Self>],
        written: &Written,
        _: &Request,
    ) -> Result<Verified, Error> {
        let suites = tested.iter().map(|tested| (&tested.suite, &tested.tests));
        verification::verify(
            &self.loaded.unit,
            &self.path,
            self.flags.words(),
            suites,
            written,
            &Runner::new(&self.options.confinement, self.options.verify_time),
        )
    }

    fn short_name(&self, tested: &[Tested<Self>], index: usize) -> String {
        let tested = tested.get(index);
        tested.map_or(String::new(), |tested| {
            tested.suite.subject.name().to_owned()
        })
    }

    fn test_texts(&self, tested: &[Tested<Self>], _: &Request) -> BTreeMap<String, String> {
        let mut texts = BTreeMap::new();
        for tested in tested {
            for kept in &tested.suite.tests {
                let text = emission::text(&self.loaded.unit, &tested.suite, kept, &tested.tests);
                if let Some(text) = text {
                    texts.insert(kept.name.clone(), text);
                }
            }
        }
        texts
    }

    /// The file takes the place of the class.
    fn function_name(&self, program: &Program, id: FunctionId) -> FunctionName {
        let function = program.function(id);
        let file = source::file_name(program, function.position);
        let signature = words::signature(program, function);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        FunctionName {
            class: stem.to_owned(),
            name: function.name.clone(),
            // C has one function of a name in a file.
            descriptor: String::new(),
            title: signature,
        }
    }

    fn source_folders(&self) -> Vec<PathBuf> {
        vec![PathBuf::from(".")]
    }

    fn propose(&mut self, target: &str, file: &str) -> Result<String, Error> {
        let (path, name) = split(target);
        proposal::propose(&self.loaded.unit, path, name, file, &*self.host)
    }

    fn compared_target(&mut self, text: &str) -> Result<FunctionId, Error> {
        self.by_predicate = true;
        match split(text).1 {
            Some(name) => self.loaded.function(name),
            None => Err(Error::Request(RequestError::WhichFunction {
                kind: FunctionKind::Function,
                file: text.to_owned(),
            })),
        }
    }

    fn subject(&mut self, target: &FunctionId) -> Result<Arc<Subject>, Error> {
        let subject = self.loaded.subject(*target)?;
        let source = self.loaded.unit.function(*target);
        // A step of a larger change may leave it to others to make things valid.
        let is_kept = !source.is_some_and(|source| source.is_static);
        Ok(Arc::new(match self.predicate(*target)? {
            None => subject,
            Some(predicate) => predicate::with_predicate(subject, &predicate, is_kept),
        }))
    }

    fn questions(
        &mut self,
        _: &str,
        notation: Notation,
        source: Source,
    ) -> Result<QuestionFile, Error> {
        let host = Arc::clone(&self.host);
        let mut imported = BTreeSet::new();
        let mut loader = |request: ImportRequest<'_>| {
            let source = host.import(request)?;
            imported.extend(predicates_of(&source.text));
            Ok(source)
        };
        if notation != Notation::Specification {
            return Ok(QuestionFile::read(notation, source, &mut loader)?);
        }
        let declared = environment_of(&self.loaded.unit);
        let specification = read_specification(source, declared, &mut loader)?;
        Ok(QuestionFile::from_specification(specification, imported))
    }
}
