//! What can be asked about a file of any notation: satisfiability of its questions, models of its
//! predicates, the meaning of its contracts.

use std::collections::BTreeSet;
use std::path::Path;

use heapwright_logic::{
    Class, Definitions, Formula, Instance, Model, PredId, SymbolicHeap, Terms, Value, VarId,
    unfold_with,
};

use crate::diagnostic::{Diagnostic, FileId, SourceMap, did_you_mean};
use crate::error::SpecError;
use crate::load::{ImportRequest, Loader, Source, read_formula, read_specification};
use crate::smtlib::{self, Status};
use crate::specification::{ContractKind, Environment, Specification};
use crate::starfinder;
use crate::syntax::ast::Declaration;
use crate::syntax::parse_file;

/// A file, understood.
#[derive(Debug)]
pub struct QuestionFile {
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
    pub package: Option<String>,
    /// What is accepted but probably not meant.
    pub warnings: Vec<Diagnostic>,
    /// The texts that the warnings are about.
    pub sources: SourceMap,
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

/// How a file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// The specification language: `.sl`.
    Specification,
    /// StarFinder's predicates: `.pred`.
    StarFinder,
    /// SMT-LIB with separation logic: `.smt2`.
    Smtlib,
}

impl Notation {
    /// The notation that the name of a file promises.
    pub fn of(path: &Path) -> Option<Notation> {
        match path.extension()?.to_str()? {
            "sl" => Some(Notation::Specification),
            "pred" => Some(Notation::StarFinder),
            "smt2" => Some(Notation::Smtlib),
            _ => None,
        }
    }
}

impl QuestionFile {
    /// Reads a text.
    pub fn read(
        notation: Notation,
        source: Source,
        loader: &mut Loader<'_>,
    ) -> Result<QuestionFile, SpecError> {
        let Source { name, text } = &source;
        match notation {
            Notation::Smtlib => Ok(QuestionFile::from_script(smtlib::read(name, text)?)),
            Notation::StarFinder => {
                Ok(QuestionFile::from_starfinder(starfinder::read(name, text)?))
            }
            Notation::Specification => {
                let mut imported = BTreeSet::new();
                let mut loader = |request: ImportRequest<'_>| {
                    let source = loader(request)?;
                    imported.extend(predicates_of(&source.text));
                    Ok(source)
                };
                let environment = Environment::default();
                let specification = read_specification(source, environment, &mut loader)?;
                Ok(QuestionFile::from_specification(specification, imported))
            }
        }
    }

    /// Definitions that come from elsewhere, without any questions.
    pub fn of(terms: Terms, definitions: Definitions) -> QuestionFile {
        QuestionFile {
            terms,
            definitions,
            questions: Vec::new(),
            contracts: Vec::new(),
            imported: BTreeSet::new(),
            package: None,
            warnings: Vec::new(),
            sources: SourceMap::new(),
        }
    }

    /// Whether a class belongs to what the file is about: any, or those of the package.
    pub fn is_own(&self, class: &Class) -> bool {
        let package_of = |name: &str| {
            name.rsplit_once('.')
                .map_or("", |(package, _)| package)
                .to_owned()
        };
        let package = self.package.as_ref();
        package.is_none_or(|package| package_of(&class.name) == *package)
    }

    /// A predicate by its name. The error is what to say where there is none.
    pub fn predicate(&self, name: &str) -> Result<PredId, UnknownPredicate> {
        self.definitions.predicate_named(name).ok_or_else(|| {
            let known = self.definitions.predicates();
            let names = known.map(|(_, predicate)| predicate.name.as_str());
            UnknownPredicate {
                name: name.to_owned(),
                hint: did_you_mean(name, names).map_or(String::new(), |hint| format!("; {hint}")),
            }
        })
    }

    /// A formula over the definitions of the file; the names that it leaves free are its
    /// variables.
    pub fn formula(&mut self, text: &str) -> Result<Question, SpecError> {
        let environment = Environment {
            terms: std::mem::take(&mut self.terms),
            definitions: std::mem::take(&mut self.definitions),
            signatures: Vec::new(),
            packages: Vec::new(),
            tested: Vec::new(),
            statics: Vec::new(),
            aliases: Vec::new(),
        };
        let (environment, query) = read_formula(text, environment, &[])?;
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

    /// Each disjunct of a predicate as a question of its own.
    pub fn disjuncts(&mut self, predicate: PredId) -> Vec<Question> {
        let definition = self.definitions.predicate(predicate);
        let args = (definition.params.iter())
            .map(|&param| self.terms.var(param))
            .collect();
        let instance = Instance { predicate, args };
        let variables = self.named(&definition.params);
        (0..definition.disjuncts.len())
            .map(|disjunct| {
                let heap = unfold_with(&mut self.terms, definition, disjunct, &instance);
                Question {
                    name: Some(definition.name.clone()),
                    formula: Formula {
                        disjuncts: vec![heap],
                    },
                    variables: variables.clone(),
                    expected: None,
                }
            })
            .collect()
    }

    /// The variables that a question is about, with their values in a model. Those that the question
    /// does not mention may have any value, and are left out.
    pub fn roots(&self, question: &Question, model: &Model) -> Vec<(String, Value)> {
        let mut roots = Vec::new();
        for (name, variable) in &question.variables {
            if let Some(&value) = model.stack.get(variable) {
                roots.push((name.clone(), value));
            }
        }
        let named = |variable| {
            let mut variables = question.variables.iter();
            variables.any(|&(_, known)| known == variable)
        };
        for (&variable, &value) in &model.stack {
            if !named(variable) {
                roots.push((self.terms.variable(variable).name.clone(), value));
            }
        }
        roots
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

    /// The questions of a specification are its `check`s; where there are none, whether each
    /// precondition can be met. The imported predicates are not its own.
    pub fn from_specification(
        specification: Specification,
        imported: BTreeSet<String>,
    ) -> QuestionFile {
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
            let statics = contract.statics.iter().map(|value| value.variable);
            let variables = contract.this.into_iter().chain(contract.params);
            let variables = variables.chain(statics);
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
        QuestionFile {
            contracts,
            terms,
            definitions: specification.definitions,
            questions,
            imported,
            package: None,
            warnings: specification.warnings,
            sources: specification.sources,
        }
    }

    /// Its questions are those of the script.
    fn from_script(script: smtlib::Script) -> QuestionFile {
        let name = |variable: VarId| (script.terms.variable(variable).name.clone(), variable);
        let questions = (script.queries.into_iter())
            .map(|query| Question {
                name: None,
                formula: query.formula,
                variables: query.constants.into_iter().map(name).collect(),
                expected: query.expected,
            })
            .collect();
        QuestionFile {
            terms: script.terms,
            definitions: script.definitions,
            contracts: Vec::new(),
            questions,
            imported: BTreeSet::default(),
            package: None,
            warnings: Vec::new(),
            sources: SourceMap::new(),
        }
    }

    /// Asks whether each precondition can be met.
    fn from_starfinder(file: starfinder::PredicateFile) -> QuestionFile {
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
        QuestionFile {
            contracts: questions.iter().map(contract).collect(),
            terms: file.terms,
            definitions: file.definitions,
            questions,
            imported: BTreeSet::default(),
            package: None,
            warnings: file.warnings,
            sources: file.sources,
        }
    }
}

/// There is no predicate of a name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no predicate `{name}`{hint}")]
pub struct UnknownPredicate {
    /// The name.
    pub name: String,
    /// A name that may have been meant.
    hint: String,
}

/// The names of the predicates that a text defines; errors in it are reported elsewhere.
pub fn predicates_of(text: &str) -> Vec<String> {
    let parsed = parse_file(FileId(0), text);
    (parsed.file.declarations.into_iter())
        .filter_map(|declaration| match declaration {
            Declaration::Predicate(predicate) => Some(predicate.name.text),
            _ => None,
        })
        .collect()
}
