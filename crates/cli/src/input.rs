//! Reading input files: whatever the notation, the result is the same.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use heapwright_java::contracts::read_for;
use heapwright_java::descriptor::package_of;
use heapwright_logic::{Class, Definitions, Formula, Instance, PredId, SymbolicHeap, Terms, VarId};
use heapwright_spec::diagnostic::{
    Diagnostic, FileId, Severity, SourceMap, Span, Style, did_you_mean, render_all,
};
use heapwright_spec::smtlib::{self, Status};
use heapwright_spec::starfinder;
use heapwright_spec::syntax::ast::Declaration;
use heapwright_spec::syntax::parse_file;
use heapwright_spec::{
    ContractKind, Environment, ImportRequest, Source, SpecError, Specification, read_formula,
    read_specification,
};

use crate::failure::{Failure, read};
use crate::java::{Choice, JavaProgram, Specifications};
use crate::{library, project};

/// A file, understood.
#[derive(Debug)]
pub struct Input {
    /// The store of all terms.
    pub terms: Terms,
    /// Classes and predicates.
    pub definitions: Definitions,
    /// What the file asks, in order.
    pub questions: Vec<Question>,
    /// The preconditions and postconditions of the file, in order.
    pub contracts: Vec<Question>,
    /// The names of the predicates that the file imports instead of defining them itself.
    imported: BTreeSet<String>,
    /// The package of the code that the file is about, if it is about code.
    package: Option<String>,
}

/// A formula whose satisfiability is asked.
#[derive(Clone, Debug)]
pub struct Question {
    /// What to call it, where it has a name.
    pub name: Option<String>,
    /// The formula.
    pub formula: Formula,
    /// The variables whose values are of interest, in order.
    pub variables: Vec<(String, VarId)>,
    /// The answer that the file itself expects.
    pub expected: Option<Status>,
}

/// How the name of a file says what it holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Notation {
    Specification,
    StarFinder,
    Smtlib,
}

impl Notation {
    fn of(path: &Path) -> Result<Notation, Failure> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension {
            Some("sl") => Ok(Notation::Specification),
            Some("pred") => Ok(Notation::StarFinder),
            Some("smt2") => Ok(Notation::Smtlib),
            _ => Err(Failure::Unfit(format!(
                "cannot tell what {} holds: its name should end in .sl, .pred or .smt2",
                path.display()
            ))),
        }
    }
}

impl Input {
    /// Reads a file, or a module of the library where a bare name is given that no file has.
    /// Warnings go to standard error.
    pub fn load(path: &Path) -> Result<Input, Failure> {
        project::trust_beside(path);
        let name = library::plain(path).display().to_string();
        if let (Some(source), false) = (library::module(&name), path.exists()) {
            return Input::from_source(source);
        }
        let notation = Notation::of(path)?;
        let text = read(path)?;
        match notation {
            Notation::Smtlib => {
                let script = smtlib::read(&name, &text).map_err(rejected)?;
                Ok(Input::from_script(script))
            }
            Notation::Specification => Input::from_source(Source { name, text }),
            Notation::StarFinder => {
                let file = starfinder::read(&name, &text).map_err(rejected)?;
                warn(&file.sources, &file.warnings);
                Ok(Input::from_starfinder(file))
            }
        }
    }

    /// Definitions that come from elsewhere, without any questions.
    pub fn of(terms: Terms, definitions: Definitions) -> Input {
        Input {
            terms,
            definitions,
            questions: Vec::new(),
            contracts: Vec::new(),
            imported: BTreeSet::new(),
            package: None,
        }
    }

    /// Reads a file; if it is the specification of a Java class that is named, with the classes of
    /// the code.
    pub fn load_for(
        path: &Path,
        class: Option<&str>,
        jdk: Option<&Path>,
        class_path: &[PathBuf],
    ) -> Result<Input, Failure> {
        match class {
            None => Input::load(path).map_err(with_class_hint),
            Some(class) => Input::load_for_class(path, class, jdk, class_path),
        }
    }

    /// Reads a specification of a Java class, with the classes of the code.
    pub fn load_for_class(
        path: &Path,
        class: &str,
        jdk: Option<&Path>,
        class_path: &[PathBuf],
    ) -> Result<Input, Failure> {
        project::trust_beside(path);
        let nothing = Specifications::new(Choice::None, None);
        let mut program = JavaProgram::open(jdk, class_path, nothing)?;
        let class = program.class(class)?;
        let source = Source {
            name: library::plain(path).display().to_string(),
            text: read(path)?,
        };
        let mut imported = BTreeSet::new();
        let mut loader = |request: ImportRequest<'_>| {
            let source = library::import(request)?;
            imported.extend(predicates_of(&source.text));
            Ok(source)
        };
        let tested = [std::sync::Arc::clone(&class)];
        let read =
            read_for(&mut program.world, &class, &tested, source, &mut loader).map_err(rejected)?;
        let specification = read.specification;
        warn(&specification.sources, &specification.warnings);
        let mut input = Input::from_specification(specification, imported);
        input.package = Some(class.package().to_owned());
        Ok(input)
    }

    /// Whether a class belongs to what the file is about: any, or those of the package.
    pub fn is_own(&self, class: &Class) -> bool {
        let package = self.package.as_ref();
        package.is_none_or(|package| package_of(&class.name) == package)
    }

    /// A predicate by its name.
    pub fn predicate(&self, name: &str) -> Result<PredId, Failure> {
        self.definitions.predicate_named(name).ok_or_else(|| {
            let known = self.definitions.predicates();
            let names = known.map(|(_, predicate)| predicate.name.as_str());
            let hint = did_you_mean(name, names).map_or(String::new(), |hint| format!("; {hint}"));
            Failure::Unfit(format!("there is no predicate `{name}`{hint}"))
        })
    }

    /// A formula over the definitions of the file; the names that it leaves free are its
    /// variables.
    pub fn formula(&mut self, text: &str) -> Result<Question, Failure> {
        let environment = Environment {
            terms: std::mem::take(&mut self.terms),
            definitions: std::mem::take(&mut self.definitions),
            signatures: Vec::new(),
            packages: Vec::new(),
            tested: Vec::new(),
        };
        let (environment, query) = read_formula(text, environment, &[]).map_err(rejected)?;
        self.terms = environment.terms;
        self.definitions = environment.definitions;
        Ok(Question {
            name: Some(text.to_owned()),
            formula: query.formula,
            variables: self.named(&query.variables),
            expected: None,
        })
    }

    /// The predicate applied to its own parameters.
    pub fn instance(&mut self, predicate: PredId) -> Question {
        let definition = self.definitions.predicate(predicate);
        let args = (definition.params.iter())
            .map(|&param| self.terms.var(param))
            .collect();
        let heap = SymbolicHeap {
            instances: vec![Instance { predicate, args }],
            ..SymbolicHeap::emp()
        };
        Question {
            name: Some(definition.name.clone()),
            formula: Formula {
                disjuncts: vec![heap],
            },
            variables: self.named(&definition.params),
            expected: None,
        }
    }

    fn named(&self, variables: &[VarId]) -> Vec<(String, VarId)> {
        let name = |variable: VarId| self.terms.variable(variable).name.clone();
        variables.iter().map(|&id| (name(id), id)).collect()
    }

    /// The predicates that the file defines itself.
    pub fn own_predicates(&self) -> Vec<PredId> {
        let all = self.definitions.predicates();
        all.filter(|(_, predicate)| !self.imported.contains(&predicate.name))
            .map(|(id, _)| id)
            .collect()
    }

    fn from_source(source: Source) -> Result<Input, Failure> {
        let mut imported = BTreeSet::new();
        let mut loader = |request: ImportRequest<'_>| {
            let source = library::import(request)?;
            imported.extend(predicates_of(&source.text));
            Ok(source)
        };
        let environment = Environment::default();
        let specification =
            read_specification(source, environment, &mut loader).map_err(rejected)?;
        warn(&specification.sources, &specification.warnings);
        Ok(Input::from_specification(specification, imported))
    }

    /// The questions of a specification are its `check`s; where there are none, whether each
    /// precondition can be met.
    fn from_specification(specification: Specification, imported: BTreeSet<String>) -> Input {
        let terms = specification.terms;
        let specification_asks_nothing = specification.queries.is_empty();
        let named = |variable: VarId| (terms.variable(variable).name.clone(), variable);
        let mut questions: Vec<Question> = (specification.queries.into_iter())
            .map(|query| Question {
                name: query.name,
                formula: query.formula,
                variables: query.variables.into_iter().map(named).collect(),
                expected: None,
            })
            .collect();
        let definitions = &specification.definitions;
        let mut contracts = Vec::new();
        for contract in specification.contracts {
            let variables = contract.this.into_iter().chain(contract.params);
            let mut question = Question {
                name: Some(contract.method.clone()),
                formula: contract.formula,
                variables: variables.map(named).collect(),
                expected: None,
            };
            if contract.kind == ContractKind::Pre && specification_asks_nothing {
                questions.push(question.clone());
            }
            let kind = match contract.kind {
                ContractKind::Pre => "precondition",
                ContractKind::Post => "postcondition",
            };
            let class = contract.class.map_or(String::new(), |class| {
                format!("{}#", definitions.class(class).name)
            });
            question.variables.extend(contract.result.map(named));
            let throws = (contract.throws.as_ref())
                .map_or(String::new(), |name| format!(" when it throws {name}"));
            question.name = Some(format!("{kind} of {class}{}{throws}", contract.method));
            contracts.push(question);
        }
        Input {
            contracts,
            terms,
            definitions: specification.definitions,
            questions,
            imported,
            package: None,
        }
    }

    fn from_script(script: smtlib::Script) -> Input {
        let name = |variable: VarId| (script.terms.variable(variable).name.clone(), variable);
        let questions = (script.queries.into_iter())
            .map(|query| Question {
                name: None,
                formula: query.formula,
                variables: query.constants.into_iter().map(name).collect(),
                expected: query.expected,
            })
            .collect();
        Input {
            terms: script.terms,
            definitions: script.definitions,
            contracts: Vec::new(),
            questions,
            imported: BTreeSet::default(),
            package: None,
        }
    }

    /// Asks whether each precondition can be met.
    fn from_starfinder(file: starfinder::PredicateFile) -> Input {
        let questions: Vec<Question> = (file.preconditions.into_iter())
            .map(|precondition| Question {
                name: Some(precondition.method),
                formula: precondition.formula,
                variables: precondition.names,
                expected: None,
            })
            .collect();
        let contract = |question: &Question| Question {
            name: (question.name.as_ref()).map(|method| format!("precondition of {method}")),
            ..question.clone()
        };
        Input {
            contracts: questions.iter().map(contract).collect(),
            terms: file.terms,
            definitions: file.definitions,
            questions,
            imported: BTreeSet::default(),
            package: None,
        }
    }
}

/// The names of the predicates that a text defines; errors in it are reported elsewhere.
fn predicates_of(text: &str) -> Vec<String> {
    let parsed = parse_file(FileId(0), text);
    (parsed.file.declarations.into_iter())
        .filter_map(|declaration| match declaration {
            Declaration::Predicate(predicate) => Some(predicate.name.text),
            _ => None,
        })
        .collect()
}

/// The errors of a rejected input, rendered for standard error.
pub fn rejected(error: SpecError) -> Failure {
    let SpecError::Rejected(rejected) = error;
    Failure::Diagnostics(rendered(&rejected.sources, &rejected.diagnostics, style()))
}

/// Diagnostics as text. Nothing is quoted from files outside of the project: whoever wrote the
/// file that leads there decides neither what is read aloud nor what a log shows.
pub fn rendered(sources: &SourceMap, diagnostics: &[Diagnostic], style: Style) -> String {
    let is_foreign = |span: Span| !project::is_quotable(Path::new(sources.name(span.file)));
    let mut shown: Vec<Diagnostic> = Vec::new();
    for diagnostic in diagnostics {
        let notes = diagnostic.notes.iter().filter_map(|(span, _)| *span);
        let mut spans = diagnostic.span.into_iter().chain(notes);
        let Some(span) = spans.find(|span| is_foreign(*span)) else {
            shown.push(diagnostic.clone());
            continue;
        };
        let (line, column) = sources.line_column(span);
        let file = sources.name(span.file);
        let problem = match diagnostic.severity {
            Severity::Error => "an error",
            Severity::Warning => "something to be warned of",
        };
        shown.push(Diagnostic {
            severity: diagnostic.severity,
            message: format!(
                "there is {problem} at {file}:{line}:{column}; the file is outside of the project, \
                 so nothing of it is shown"
            ),
            span: None,
            label: None,
            expected: None,
            help: Vec::new(),
            notes: Vec::new(),
        });
    }
    render_all(sources, &shown, style)
}

/// Adds what to do about classes that a file does not declare, because its code does.
pub fn with_class_hint(failure: Failure) -> Failure {
    match failure {
        Failure::Diagnostics(text)
            if text.contains("unknown class") || text.contains("the fields of class") =>
        {
            Failure::Diagnostics(format!(
                "{text}\nIf this is the specification of a Java class, name the class, and the \
                 fields are taken from the code: --class pkg.Class -c CLASSPATH\n"
            ))
        }
        failure => failure,
    }
}

/// Shows what is accepted but probably not meant.
pub fn warn(sources: &SourceMap, warnings: &[Diagnostic]) {
    if !warnings.is_empty() {
        let _ = writeln!(io::stderr(), "{}", rendered(sources, warnings, style()));
    }
}

/// Colours on a terminal, plain text in a pipe.
pub fn style() -> Style {
    if io::stderr().is_terminal() {
        Style::Coloured
    } else {
        Style::Plain
    }
}
