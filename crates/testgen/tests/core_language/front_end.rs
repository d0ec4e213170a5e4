//! The core language as a front end.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use heapwright_engine::sequences::{
    Argument, DataType, Operation, Record, SequenceBounds, explore as explore_calls, report,
};
use heapwright_engine::{
    ExploreError, NothingMore, Options, Progress, Report, SourceLine, Subject, explore,
};
use heapwright_explain::{compact, words};
use heapwright_ir::machine::concrete::Value;
use heapwright_ir::{FunctionId, Program, parse};
use heapwright_logic::{ClassId, Sort};
use heapwright_spec::library::import_module;
use heapwright_spec::questions::{Notation, QuestionFile};
use heapwright_spec::{Environment, Signature, Source, Specification, read_specification};
use heapwright_testgen::names::Naming;
use heapwright_testgen::report::FunctionName;
use heapwright_testgen::{
    Emitted, Error, Event, Explored, Frontend, FunctionKind, Language, Procedural, Request,
    RequestError, SequenceError, SourceFile, Suite, Targets, Tested, VerificationError, Verified,
    Written, reach,
};

/// A program of the core language. Functions whose first parameter is an object are operations of its
/// class; `init` makes one.
pub struct CoreTests {
    program: Program,
    specification: Option<Specification>,
    predicate: Option<String>,
}

impl CoreTests {
    /// A program, and what is known about its functions.
    pub fn new(text: &str, specification: Option<&str>) -> CoreTests {
        let program = parse(text).expect("a program");
        let specification = specification.map(|text| {
            let source = Source {
                name: "core.sl".to_owned(),
                text: text.to_owned(),
            };
            let read = read_specification(source, environment(&program), &mut import_module);
            read.expect("a specification")
        });
        CoreTests {
            program,
            specification,
            predicate: None,
        }
    }

    /// A function says which inputs are valid.
    pub fn with_predicate(mut self, name: &str) -> CoreTests {
        self.predicate = Some(name.to_owned());
        self
    }

    fn function(&self, name: &str) -> Result<FunctionId, Error> {
        let known = self.program.function_named(name);
        known.ok_or_else(|| {
            Error::Request(RequestError::NoFunction {
                kind: FunctionKind::Function,
                name: name.to_owned(),
                known: Vec::new(),
            })
        })
    }

    fn receiver(&self, function: FunctionId) -> Option<ClassId> {
        let first = self.program.function(function).registers.first()?;
        match first.sort {
            Sort::Ref(class) => Some(class),
            _ => None,
        }
    }

    fn explored(&self, subject: Arc<Subject>, report: Report) -> Explored<()> {
        Explored {
            function: subject.function,
            subject,
            report,
            entry: (),
            any_heap: None,
            naming: Naming::Snake,
            title: None,
            specification: None,
            check: None,
        }
    }
}

fn environment(program: &Program) -> Environment {
    let signatures = program.functions.iter().map(|function| Signature {
        class: None,
        has_receiver: false,
        method: function.name.clone(),
        params: (function.registers.iter().take(function.params as usize))
            .map(|register| register.sort)
            .collect(),
        names: Vec::new(),
        result: function.result,
    });
    Environment {
        definitions: program.definitions.clone(),
        signatures: signatures.collect(),
        ..Environment::default()
    }
}

impl Frontend for CoreTests {
    type Target = FunctionId;
    type Entry = ();
    type Tests = ();

    fn language(&self) -> &'static dyn Language {
        &Procedural
    }

    fn targets(&mut self, request: &Request) -> Result<Targets<FunctionId>, Error> {
        let named = request.targets.iter().map(|name| self.function(name));
        Ok(Targets {
            tested: named.collect::<Result<_, _>>()?,
            complaints: Vec::new(),
            unusable: Vec::new(),
        })
    }

    fn target_name(&self, target: &FunctionId) -> String {
        self.program.function(*target).name.clone()
    }

    fn place(&mut self, _: &FunctionId, text: &str) -> Result<Option<SourceLine>, Error> {
        reach::place(&self.program, text).map(Some)
    }

    fn explore(
        &mut self,
        target: &FunctionId,
        options: &Options,
        observer: &mut dyn FnMut(&Progress),
    ) -> Result<Result<Explored<()>, ExploreError>, Error> {
        let subject = self.subject(target)?;
        let explored = explore(&subject, options, observer);
        Ok(explored.map(|report| self.explored(subject, report)))
    }

    fn advice_without_predicate(&self, _: &FunctionId) -> String {
        "name a function".to_owned()
    }

    fn sequences(
        &mut self,
        targets: &[FunctionId],
        request: &Request,
        _: &mut dyn FnMut(Event<'_>),
    ) -> Result<Vec<(FunctionId, Explored<()>)>, Error> {
        let Some(class) = targets.first().and_then(|&first| self.receiver(first)) else {
            return Err(SequenceError::NoLastCall.into());
        };
        let all = (0..self.program.functions.len() as u32).map(FunctionId);
        let predicate = self.predicate.clone().unwrap_or_default();
        let operation = |function: FunctionId| Operation {
            function,
            domains: (self.program.function(function).registers.iter())
                .take(self.program.function(function).params as usize)
                .skip(1)
                .map(|_| (0..2).map(|n| Argument::Value(Value::Int(n))).collect())
                .collect(),
            probes: Vec::new(),
            builds: true,
            tested: targets.contains(&function),
            gives: false,
        };
        let name = |&id: &FunctionId| self.program.function(id).name.as_str();
        let (constructors, operations): (Vec<FunctionId>, Vec<FunctionId>) = all
            .filter(|&id| self.receiver(id) == Some(class) && name(&id) != predicate)
            .partition(|id| name(id) == "init");
        let data_type = DataType {
            class,
            initialisers: Vec::new(),
            own: BTreeSet::new(),
            constructors: constructors.into_iter().map(operation).collect(),
            operations: operations.iter().copied().map(operation).collect(),
            ignored: request.sequences.ignored.clone(),
            invariant: self.program.function_named(&predicate),
        };
        let bounds = SequenceBounds {
            length: Some(request.sequences.length.unwrap_or(3)),
            record: Record::Paths,
            ..SequenceBounds::default()
        };
        let program = Arc::new(self.program.clone());
        let mut nothing = NothingMore;
        let found = explore_calls(program, &mut nothing, &data_type, &bounds, &mut |_| ());
        let mut explored = Vec::new();
        for &target in targets {
            let subject = self.subject(&target)?;
            let position = operations.iter().position(|&known| known == target);
            let Some(position) = position else { continue };
            let (report, _) = report(&subject, &data_type, &found, position, &[], &bounds);
            explored.push((target, self.explored(subject, report)));
        }
        Ok(explored)
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

    /// One file with a line for each test.
    fn emit(&mut self, tested: &[Tested<Self>], request: &Request) -> Result<Emitted, Error> {
        let texts = self.test_texts(tested, request);
        Ok(Emitted {
            files: vec![SourceFile {
                path: "tests.txt".to_owned(),
                tests: texts.len(),
                text: texts.into_values().collect(),
                has_findings: false,
            }],
            ..Emitted::default()
        })
    }

    fn is_generated(&self, _: &str) -> bool {
        true
    }

    fn earlier_files(&self, _: &Path, _: &[Tested<Self>], _: &Request) -> Vec<PathBuf> {
        Vec::new()
    }

    fn check_tools(&self) -> Result<(), Error> {
        Ok(())
    }

    fn verify(&mut self, _: &[Tested<Self>], _: &Written, _: &Request) -> Result<Verified, Error> {
        Err(VerificationError::MissingTool("another interpreter").into())
    }

    fn short_name(&self, tested: &[Tested<Self>], index: usize) -> String {
        self.target_name(&tested[index].target)
    }

    fn test_texts(&self, tested: &[Tested<Self>], _: &Request) -> BTreeMap<String, String> {
        let tests = tested.iter().flat_map(|tested| {
            let suite = &tested.suite;
            suite.tests.iter().map(move |kept| {
                let test = suite.test(kept);
                let (definitions, heap) = (&suite.subject.definitions, &test.input.heap);
                let roots = suite.arguments(test);
                let input = compact::terms(suite.language, definitions, &roots, heap);
                let end = words::outcome(&suite.subject.program, &test.run.outcome);
                (
                    kept.name.clone(),
                    format!("{}: {input}: {end}\n", kept.name),
                )
            })
        });
        tests.collect()
    }

    fn function_name(&self, program: &Program, id: FunctionId) -> FunctionName {
        let name = program.function(id).name.clone();
        FunctionName {
            class: String::new(),
            descriptor: String::new(),
            title: name.clone(),
            name,
        }
    }

    fn source_folders(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Every reference of the class is a list of what it refers to.
    fn propose(&mut self, class: &str, _: &str) -> Result<String, Error> {
        let definitions = &self.program.definitions;
        let id = definitions.class_named(class);
        let id = id.ok_or_else(|| RequestError::NoClass(class.to_owned()))?;
        let fields = &definitions.class(id).fields;
        let names: Vec<String> = fields.iter().map(|field| field.name.clone()).collect();
        let lists = fields.iter().filter_map(|field| match field.sort {
            Sort::Ref(_) => Some(format!(" * chain({})", field.name)),
            _ => None,
        });
        let lists: String = lists.collect();
        let inner = fields.iter().find_map(|field| match field.sort {
            Sort::Ref(inner) => Some(definitions.class(inner).name.clone()),
            _ => None,
        });
        let inner = inner.unwrap_or_else(|| class.to_owned());
        let operations = (0..self.program.functions.len() as u32).map(FunctionId);
        let contracts = operations.filter(|&function| self.receiver(function) == Some(id));
        let contracts: String = contracts
            .map(|function| {
                format!(
                    "pre {}(l) := exists {}. l -> {class}({}){lists};\n",
                    self.program.function(function).name,
                    names.join(", "),
                    names.join(", ")
                )
            })
            .collect();
        Ok(format!(
            "pred chain(x) := emp & x = null | exists n. x -> {inner}(n) * chain(n);\n{contracts}"
        ))
    }

    fn compared_target(&mut self, text: &str) -> Result<FunctionId, Error> {
        self.function(text)
    }

    fn subject(&mut self, target: &FunctionId) -> Result<Arc<Subject>, Error> {
        let subject = Subject::new(&self.program, *target, self.specification.as_ref())?;
        Ok(Arc::new(match &self.predicate {
            Some(name) => subject.with_predicate(name).map_err(Error::code)?,
            None => subject,
        }))
    }

    fn questions(
        &mut self,
        _: &str,
        notation: Notation,
        source: Source,
    ) -> Result<QuestionFile, Error> {
        Ok(QuestionFile::read(notation, source, &mut import_module)?)
    }
}
