//! ImpL as a front end of test generation: programs in, programs that test them out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use heapwright_engine::{
    ExploreError, Input, Options, Progress, SourceLine, Subject, explore, replay,
};
use heapwright_explain::{source, words};
use heapwright_impl::emit::Expectation;
use heapwright_impl::read_program;
use heapwright_ir::{FunctionId, Program};
use heapwright_spec::Source;
use heapwright_spec::questions::{Notation, QuestionFile};
use heapwright_testgen::host::Host;
use heapwright_testgen::names::{Naming, Taken};
use heapwright_testgen::report::{FunctionName, test_statements};
use heapwright_testgen::specified::{SpecificationChoice, split};
use heapwright_testgen::{
    Cause, Emitted, Error, Explored, Frontend, FunctionKind, Language, Procedural, Request,
    RequestError, Suite, Targets, Tested, VerificationError, Verified, Written, reach,
};

use crate::compare::meets;
use crate::emission;
use crate::loaded::{Loaded, procedure_named};
use crate::proposal;

/// ImpL, with a program of it.
pub struct ImplTests {
    host: Arc<dyn Host>,
    choice: SpecificationChoice,
    /// The procedure that says which inputs are valid.
    predicate: Option<String>,
    path: PathBuf,
    loaded: Loaded,
}

impl ImplTests {
    /// Tests for the program that a target names, `FILE` or `FILE#NAME`.
    pub fn open(
        target: &str,
        choice: SpecificationChoice,
        predicate: Option<String>,
        host: Arc<dyn Host>,
    ) -> Result<ImplTests, Error> {
        let (path, _) = split(target);
        Ok(ImplTests {
            loaded: Loaded::read(path, &choice, &*host)?,
            path: path.to_owned(),
            host,
            choice,
            predicate,
        })
    }

    /// The suite of all tests of a program is named after its file.
    fn suite_name(&self) -> String {
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        format!("{stem}_suite")
    }
}

impl Frontend for ImplTests {
    type Target = FunctionId;
    type Entry = ();
    type Tests = ();

    fn language(&self) -> &'static dyn Language {
        &Procedural
    }

    fn targets(&mut self, request: &Request) -> Result<Targets<FunctionId>, Error> {
        let [target] = &request.targets[..] else {
            let advice = "several targets are for Java; name one program at a time";
            return Err(RequestError::SeveralPrograms { advice }.into());
        };
        let (_, name) = split(target);
        let mut tested = self.loaded.targets(name)?;
        if let Some(predicate) = &self.predicate {
            let program = &self.loaded.read.program;
            tested.retain(|&id| program.function(id).name != *predicate);
        }
        if tested.is_empty() {
            return Err(Error::Request(RequestError::NothingToTest {
                name: self.path.display().to_string(),
                lack: "neither statements nor procedures to be tested",
                reasons: Vec::new(),
            }));
        }
        // What is wrong with a contract is told before anything is searched for.
        for &function in &tested {
            self.subject(&function)?;
        }
        if let Some(text) = &request.reach {
            reach::place(&self.loaded.read.program, text)?;
        }
        Ok(Targets {
            tested,
            complaints: Vec::new(),
            unusable: Vec::new(),
        })
    }

    fn target_name(&self, target: &FunctionId) -> String {
        self.loaded.read.program.function(*target).name.clone()
    }

    fn reserved_names(&self) -> Taken {
        Taken::with(self.suite_name())
    }

    fn place(&mut self, _: &FunctionId, text: &str) -> Result<Option<SourceLine>, Error> {
        reach::place(&self.loaded.read.program, text).map(Some)
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
        let specification = self.loaded.specification_file.as_deref();
        Ok(Emitted {
            files: emission::programs(
                &self.loaded.read,
                specification,
                suites,
                &self.suite_name(),
            )?,
            ..Emitted::default()
        })
    }

    fn program_name(&self, _: &Request) -> String {
        self.path.display().to_string()
    }

    /// There is one for each test.
    fn lists_files(&self) -> bool {
        false
    }

    fn is_generated(&self, text: &str) -> bool {
        text.is_empty() || text.starts_with(emission::GENERATED)
    }

    fn earlier_files(&self, folder: &Path, tested: &[Tested<Self>], _: &Request) -> Vec<PathBuf> {
        let names: BTreeSet<&str> = (tested.iter())
            .map(|tested| tested.suite.subject.name())
            .collect();
        emission::earlier_findings(folder, &names)
    }

    fn check_tools(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Runs every program once more, from its text, and looks whether it ends as it says.
    fn verify(
        &mut self,
        _: &[Tested<Self>],
        written: &Written,
        request: &Request,
    ) -> Result<Verified, Error> {
        let (mut all, mut wrong) = (0, Vec::new());
        for path in written.files.iter().chain(&written.findings) {
            let text = self.host.read(path)?;
            let name = path.display();
            let unreadable = |source: Cause| {
                let file = path.to_owned();
                VerificationError::Unreadable { file, source }
            };
            let expected = Expectation::read(&text).map_err(|error| unreadable(error.into()))?;
            let Some(expected) = expected else {
                continue;
            };
            all += 1;
            let read = read_program(&name.to_string(), &text);
            let read = read.map_err(|error| unreadable(error.into()))?;
            let Some(entry) = &read.entry else {
                continue;
            };
            let subject = Subject::new(&read.program, entry.function, None);
            let subject = subject.map_err(|error| unreadable(error.into()))?;
            let run = replay(&subject, &Input::default(), request.options.budgets)
                .map_err(|error| unreadable(error.into()))?;
            if !meets(expected, &run.outcome) {
                let found = words::outcome_at(&read.program, &run.outcome);
                wrong.push(format!("  {name}: expected {expected}, but {found}\n"));
            }
        }
        let tests = words::count(all, "program", "programs");
        let good = all - wrong.len() as u64;
        Ok(Verified {
            text: format!(
                "\nverified: {good} of {tests} ended as expected\n{}",
                wrong.concat()
            ),
            is_as_predicted: wrong.is_empty(),
        })
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
                let specification = self.loaded.specification_file.as_deref();
                let read = &self.loaded.read;
                let program = emission::program(read, specification, &tested.suite, kept);
                if let Some(Ok(text)) = program {
                    texts.insert(kept.name.clone(), test_statements(&text));
                }
            }
        }
        texts
    }

    /// The file takes the place of the class.
    fn function_name(&self, program: &Program, id: FunctionId) -> FunctionName {
        let function = program.function(id);
        let file = source::file_name(program, function.position);
        let file = file.strip_prefix("./").unwrap_or(file);
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

    fn propose(&mut self, target: &str, file: &str) -> Result<String, Error> {
        let (path, name) = split(target);
        proposal::propose(&self.loaded.read.program, path, name, file, &*self.host)
    }

    fn compared_target(&mut self, text: &str) -> Result<FunctionId, Error> {
        let (path, name) = split(text);
        if path != self.path {
            self.loaded = Loaded::read(path, &self.choice, &*self.host)?;
            self.path = path.to_owned();
        }
        let program = &self.loaded.read.program;
        match name {
            Some(name) => Ok(procedure_named(program, name)?),
            None => Err(Error::Request(RequestError::WhichFunction {
                kind: FunctionKind::Procedure,
                file: text.to_owned(),
            })),
        }
    }

    fn subject(&mut self, target: &FunctionId) -> Result<Arc<Subject>, Error> {
        let subject = self.loaded.subject(*target)?;
        Ok(Arc::new(match &self.predicate {
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
