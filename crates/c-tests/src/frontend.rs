//! C as a front end of test generation.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use heapwright_c::clang::Flags;
use heapwright_engine::{ExploreError, Options, Place, Progress, Subject, explore};
use heapwright_explain::{source, words};
use heapwright_ir::{FunctionId, Program};
use heapwright_spec::Source;
use heapwright_spec::questions::{Notation, QuestionFile};
use heapwright_testgen::host::Host;
use heapwright_testgen::names::{Naming, Taken};
use heapwright_testgen::report::FunctionName;
use heapwright_testgen::specified::{SpecificationChoice, split};
use heapwright_testgen::{
    Emitted, Error, Explored, Frontend, FunctionKind, Language, Procedural, Request, RequestError,
    Suite, Targets, Tested, VerificationError, Verified, Written, reach,
};

use crate::emission;
use crate::flags::{self, CompileCommands};
use crate::unit::Loaded;
use crate::verification;

/// What the user says about a C file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct COptions {
    /// Flags for compilers: folders of headers, macros, the standard.
    pub flags: Vec<String>,
    /// Where the build's flags for the file are.
    pub compile_commands: CompileCommands,
    /// Where the specification comes from.
    pub specification: SpecificationChoice,
    /// The function that says which inputs are valid.
    pub predicate: Option<String>,
}

/// C, with a source file.
pub struct CTests {
    host: Arc<dyn Host>,
    options: COptions,
    flags: Flags,
    path: PathBuf,
    loaded: Loaded,
}

impl CTests {
    /// Tests for the file that a target names, `FILE.c` or `FILE.c#FUNCTION`.
    pub fn open(target: &str, options: COptions, host: Arc<dyn Host>) -> Result<CTests, Error> {
        let (path, _) = split(target);
        let flags = flags::of(path, &options.flags, &options.compile_commands, &*host)?;
        Ok(CTests {
            loaded: Loaded::read(path, &flags, &options.specification, &*host)?,
            flags,
            path: path.to_owned(),
            host,
            options,
        })
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

impl Frontend for CTests {
    type Target = FunctionId;
    type Entry = ();
    type Tests = ();

    fn language(&self) -> &'static dyn Language {
        &Procedural
    }

    fn targets(&mut self, request: &Request) -> Result<Targets<FunctionId>, Error> {
        let mut tested = Vec::new();
        let mut complaints = Vec::new();
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
                if self.options.predicate.as_ref() == Some(own) && name.is_none() {
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

    fn place(&mut self, _: &FunctionId, text: &str) -> Result<Option<Place>, Error> {
        reach::place(self.program(), text).map(Some)
    }

    fn explore(
        &mut self,
        target: &FunctionId,
        options: &Options,
        observer: &mut dyn FnMut(&Progress),
    ) -> Result<Result<Explored<()>, ExploreError>, Error> {
        let subject = self.subject(target)?;
        let explored = explore(&subject, options, observer);
        Ok(explored.map(|report| Explored {
            function: subject.function,
            subject,
            report,
            entry: (),
            any_heap: None,
            naming: Naming::Snake,
            title: None,
            specification: self.loaded.specification_file.clone(),
            check: None,
        }))
    }

    fn advice_without_predicate(&self, _: &FunctionId) -> String {
        "name one with --repok".to_owned()
    }

    fn tests(
        &mut self,
        _: &FunctionId,
        _: &mut Suite,
        _: (),
        _: &Request,
    ) -> Result<((), Vec<String>), Error> {
        Ok(((), Vec::new()))
    }

    fn emit(&mut self, tested: &[Tested<Self>], _: &Request) -> Result<Emitted, Error> {
        let suites = tested.iter().map(|tested| &tested.suite);
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
        let suites = tested.iter().map(|tested| &tested.suite);
        verification::verify(
            &self.loaded.unit,
            &self.path,
            self.flags.words(),
            suites,
            written,
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
                if let Some(text) = emission::text(&self.loaded.unit, &tested.suite, kept) {
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
        let descriptor = signature.strip_prefix(&function.name);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        FunctionName {
            class: stem.to_owned(),
            name: function.name.clone(),
            descriptor: descriptor.unwrap_or_default().to_owned(),
            title: signature,
        }
    }

    fn source_folders(&self) -> Vec<PathBuf> {
        vec![PathBuf::from(".")]
    }

    fn propose(&mut self, class: &str, _: &str) -> Result<String, Error> {
        Err(Error::Request(RequestError::NoProposal {
            class: class.to_owned(),
            file: "a C file",
        }))
    }

    fn compared_target(&mut self, text: &str) -> Result<FunctionId, Error> {
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
        Ok(Arc::new(match &self.options.predicate {
            None => subject,
            Some(predicate) => (subject.with_predicate(predicate))
                .map_err(|error| RequestError::Predicate(error.into()))?,
        }))
    }

    fn questions(
        &mut self,
        _: &str,
        notation: Notation,
        source: Source,
    ) -> Result<QuestionFile, Error> {
        let host = Arc::clone(&self.host);
        Ok(QuestionFile::read(notation, source, &mut |request| {
            host.import(request)
        })?)
    }
}
