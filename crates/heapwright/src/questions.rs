//! Specifications, and what can be asked about them.

use std::ops::ControlFlow;
use std::path::Path;

use heapwright_explain::{PlainLabels, picture};
use heapwright_logic::{
    Budget, Definitions, Failure, Heap, Model, Value, find_derivation, read_heap,
};
use heapwright_solver::asking::{Asker, Reply, Want};
use heapwright_solver::{Config, Solver};
use heapwright_spec::library::{import_module, module};
use heapwright_spec::questions::{Notation, Question, QuestionFile};
use heapwright_spec::{Source, SpecError};
use heapwright_testgen::host::{Host, QuietHost};

use crate::Error;

/// A specification that questions can be asked about.
#[derive(Debug)]
pub struct Questions {
    file: QuestionFile,
}

/// A question of a specification, answered.
#[derive(Clone, PartialEq, Debug)]
pub struct Answered {
    /// The name of the question, if it has one.
    pub name: Option<String>,
    /// The answer.
    pub answer: Answer,
}

/// The answer to a question.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// There is a heap; this is a smallest one. The satisfaction checker has verified it.
    Satisfiable(ShownHeap),
    /// There is none.
    Unsatisfiable,
    /// The question was not decided, for this reason.
    Unknown(String),
}

/// A heap with names for some of its values.
#[derive(Clone, Debug)]
pub struct ShownHeap {
    /// The names, in the order of the question.
    pub roots: Vec<(String, Value)>,
    /// The objects.
    pub heap: Heap,
    definitions: Box<Definitions>,
}

impl PartialEq for ShownHeap {
    fn eq(&self, other: &ShownHeap) -> bool {
        (&self.roots, &self.heap) == (&other.roots, &other.heap)
    }
}

impl ShownHeap {
    /// How many objects there are.
    pub fn objects(&self) -> usize {
        self.heap.cells.len()
    }

    /// The heap drawn as text.
    pub fn picture(&self) -> String {
        picture::draw(&PlainLabels, &self.definitions, &self.roots, &self.heap)
    }
}

/// Whether a heap satisfies a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Satisfaction {
    /// It does.
    Satisfied,
    /// It does not, for this reason.
    Violated(String),
    /// Nobody knows, for this reason.
    Undecided(String),
}

impl Questions {
    /// Reads a specification in the language of `.sl` files, which may import modules of the library.
    pub fn read(text: &str) -> Result<Questions, Error> {
        let source = Source {
            name: "<text>".to_owned(),
            text: text.to_owned(),
        };
        Ok(Questions::of(QuestionFile::read(
            Notation::Specification,
            source,
            &mut import_module,
        ))?)
    }

    /// Reads a file: a `.sl`, `.pred` or `.smt2` one, with what it imports.
    pub fn open(path: impl AsRef<Path>) -> Result<Questions, Error> {
        let path = path.as_ref();
        let host = QuietHost::default();
        let source = Source {
            name: path.display().to_string(),
            text: host.read(path)?,
        };
        let notation = Notation::of(path).unwrap_or(Notation::Specification);
        let read = QuestionFile::read(notation, source, &mut |request| host.import(request));
        Ok(Questions::of(read)?)
    }

    /// A module of the library of shapes, by its name.
    pub fn module(name: &str) -> Result<Questions, Error> {
        let source = module(name).ok_or_else(|| Error::Module(name.to_owned()))?;
        let read = QuestionFile::read(Notation::Specification, source, &mut import_module);
        Ok(Questions::of(read)?)
    }

    fn of(file: Result<QuestionFile, SpecError>) -> Result<Questions, SpecError> {
        Ok(Questions { file: file? })
    }

    /// The file behind it, with its terms, classes and predicates.
    pub fn file(&self) -> &QuestionFile {
        &self.file
    }

    /// Answers every question of the specification: its `check`s; where there are none, whether each
    /// precondition can be met.
    pub fn solve(&mut self) -> Vec<Answered> {
        let questions = self.file.questions.clone();
        let mut asker = Asker::new(&self.file.terms, &self.file.definitions, None);
        let replies: Vec<Reply> = (questions.iter())
            .map(|question| asker.ask(&question.formula, Want::Model))
            .collect();
        (questions.iter().zip(replies))
            .map(|(question, reply)| Answered {
                name: question.name.clone(),
                answer: self.answer(question, reply),
            })
            .collect()
    }

    /// Whether a formula over the definitions can be satisfied.
    pub fn ask(&mut self, formula: &str) -> Result<Answer, Error> {
        let question = self.file.formula(formula)?;
        let mut asker = Asker::new(&self.file.terms, &self.file.definitions, None);
        let reply = asker.ask(&question.formula, Want::Model);
        Ok(self.answer(&question, reply))
    }

    fn answer(&self, question: &Question, reply: Reply) -> Answer {
        match reply {
            Reply::Sat(Some(model)) => Answer::Satisfiable(self.shown(question, *model)),
            Reply::Sat(None) => Answer::Unknown("no heap was built".to_owned()),
            Reply::Unsat => Answer::Unsatisfiable,
            Reply::Unknown(reason) => Answer::Unknown(reason),
        }
    }

    fn shown(&self, question: &Question, model: Model) -> ShownHeap {
        ShownHeap {
            roots: self.file.roots(question, &model),
            heap: model.heap,
            definitions: Box::new(self.file.definitions.clone()),
        }
    }

    /// All models of a predicate with a number of objects, up to isomorphism.
    pub fn enumerate(&mut self, predicate: &str, objects: u32) -> Result<Vec<ShownHeap>, Error> {
        let predicate = self.file.predicate(predicate)?;
        let question = self.file.instance(predicate);
        let definitions = self.file.definitions.clone();
        let mut solver = Solver::new(&mut self.file.terms, &definitions, Config::default());
        let mut models = Vec::new();
        let mut failed = None;
        for heap in &question.formula.disjuncts {
            let terms = &mut self.file.terms;
            let found = solver.enumerate(terms, heap, objects..=objects, &mut |found| {
                match found.model() {
                    Ok(model) => models.push(model),
                    Err(reason) => {
                        failed = Some(reason.to_string());
                        return ControlFlow::Break(());
                    }
                }
                ControlFlow::Continue(())
            });
            found.map_err(|reason| Error::Enumeration(reason.to_string()))?;
        }
        match failed {
            Some(reason) => Err(Error::Enumeration(reason)),
            None => Ok((models.into_iter())
                .map(|model| self.shown(&question, model))
                .collect()),
        }
    }

    /// Whether a heap, given as JSON, satisfies a formula over the definitions. Integers that the heap
    /// leaves open are found.
    pub fn check(&mut self, heap: &str, formula: &str) -> Result<Satisfaction, Error> {
        let question = self.file.formula(formula)?;
        let variable = |name: &str| {
            let mut known = question.variables.iter();
            known.find(|(known, _)| known == name).map(|&(_, id)| id)
        };
        let (terms, definitions) = (&self.file.terms, &self.file.definitions);
        let (stack, heap) = read_heap(terms, definitions, heap, variable)?;
        let formula = &question.formula;
        let found = find_derivation(
            terms,
            definitions,
            formula,
            &stack,
            &heap,
            Budget::default(),
        );
        Ok(match found {
            Ok(_) => Satisfaction::Satisfied,
            Err(Failure::Unsatisfied { reason }) => Satisfaction::Violated(reason.to_string()),
            Err(other) => Satisfaction::Undecided(other.to_string()),
        })
    }
}
