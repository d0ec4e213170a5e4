//! Why a symbolic heap has no model, drawn on a heap.
//!
//! Facts that are not needed for the contradiction are left out one by one, as long as the rest
//! stays contradictory. What remains is a smallest set of facts that exclude each other. All of
//! them but one have a model; it is drawn, with the place marked where the last fact does not hold.

use std::collections::BTreeSet;
use std::time::Duration;

use heapwright_engine::Subject;
use heapwright_logic::{Formula, Model, PredId, Sort, SymbolicHeap, TermId, Terms, Value, VarId};

use crate::labels::Labels;
use crate::picture::Marks;
use crate::{meaning, picture};
use heapwright_solver::asking::{Asker, Reply, Want};
use heapwright_spec::questions::{Question, QuestionFile};

/// Symbolic heaps with more facts are not taken apart: each fact is a question to the solver.
const MOST_FACTS: usize = 40;

/// How long a question may take that only makes a message better.
const PATIENCE: Duration = Duration::from_secs(2);

/// So many disjuncts of a precondition are looked at.
const MOST_DISJUNCTS: usize = 3;

/// One conjunct of a symbolic heap, by its position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fact {
    Cell(usize),
    Instance(usize),
    Pure(usize),
}

/// What is contradictory about a symbolic heap.
pub struct Contradiction {
    /// The predicate that alone is to blame, because no heap satisfies it as it is used here.
    pub blamed: Option<PredId>,
    /// The facts that exclude each other, and below them a heap without the last one.
    pub lines: Vec<String>,
}

/// Finds and draws the contradiction in a disjunct of a question; each question to the solver may
/// take as long as the limit says. Nothing if the disjunct is too large.
pub fn find(
    labels: &dyn Labels,
    input: &mut QuestionFile,
    question: &Question,
    heap: &SymbolicHeap,
    limit: Option<Duration>,
) -> Option<Contradiction> {
    let facts = facts(heap);
    if facts.len() > MOST_FACTS {
        return None;
    }
    let params: Vec<VarId> = question.variables.iter().map(|&(_, id)| id).collect();
    let words = meaning::facts(&mut input.terms, &input.definitions, &params, heap);
    let mut asker = Asker::new(&input.terms, &input.definitions, limit);
    let mut core = core(&mut asker, heap, &facts);
    // A condition that cannot be added is easier to draw than an object or a predicate.
    core.sort_by_key(|fact| (!matches!(fact, Fact::Instance(_)), *fact));
    let word = |fact: &Fact| {
        let position = facts.iter().position(|known| known == fact);
        let word = position.and_then(|position| words.get(position));
        word.cloned().unwrap_or_default()
    };
    let (last, others) = core.split_last()?;
    if others.is_empty() {
        let instance = match *last {
            Fact::Instance(index) => heap.instances.get(index),
            _ => None,
        };
        return Some(Contradiction {
            blamed: instance.map(|instance| instance.predicate),
            lines: vec![format!("no heap at all satisfies this: {}", word(last))],
        });
    }
    let mut lines = vec!["these exclude each other:".to_owned()];
    lines.extend(core.iter().map(|fact| format!("  {}", word(fact))));
    let said = match last {
        Fact::Cell(_) => format!("but another object: {}", word(last)),
        _ => format!("but: {}", word(last)),
    };
    // All other facts show more than those of the contradiction only, if they have a model.
    let all: Vec<Fact> = facts.iter().copied().filter(|fact| fact != last).collect();
    let model = [all.as_slice(), others].into_iter().find_map(|facts| {
        let rest = part(heap, facts);
        match asker.ask(&formula(rest.clone()), Want::Model) {
            Reply::Sat(Some(model)) => Some((rest, model)),
            _ => None,
        }
    });
    if let Some((rest, model)) = model {
        lines.push("without the last of them there is this heap:".to_owned());
        let spoken = spoken_of(&input.terms, heap, *last);
        let drawn = drawn(labels, input, question, &rest, &model, &spoken, &said);
        lines.extend(drawn.lines().map(|line| format!("  {line}")));
    }
    let blamed = None;
    Some(Contradiction { blamed, lines })
}

/// Why no heap satisfies the precondition of a procedure, line by line.
pub fn of_precondition(labels: &dyn Labels, subject: &Subject) -> Vec<String> {
    let formula = subject.precondition.clone().unwrap_or_default();
    let inputs = subject.inputs.iter();
    let question = Question {
        name: None,
        formula,
        variables: inputs
            .map(|input| (input.name.clone(), input.variable))
            .collect(),
        expected: None,
    };
    let mut input = QuestionFile::of(subject.terms.clone(), subject.definitions.clone());
    let mut lines = Vec::new();
    for heap in question.formula.disjuncts.iter().take(MOST_DISJUNCTS) {
        let found = find(labels, &mut input, &question, heap, Some(PATIENCE));
        lines.extend(found.into_iter().flat_map(|found| found.lines));
    }
    lines
}

/// The disjuncts that no heap satisfies of predicates that the precondition of a procedure speaks
/// of, as far as their names are wanted, with the reasons line by line. A disjunct that has no model
/// only because another predicate has none is left out.
pub fn of_predicates(
    labels: &dyn Labels,
    subject: &Subject,
    mut is_wanted: impl FnMut(&str) -> bool,
) -> Vec<(String, Vec<String>)> {
    let mut input = QuestionFile::of(subject.terms.clone(), subject.definitions.clone());
    let mut found = Vec::new();
    for predicate in spoken_predicates(subject) {
        let name = subject.definitions.predicate(predicate).name.clone();
        if !is_wanted(&name) {
            continue;
        }
        for (number, question) in (1..).zip(input.disjuncts(predicate)) {
            let answer = {
                let mut asker = Asker::new(&input.terms, &input.definitions, Some(PATIENCE));
                asker.ask(&question.formula, Want::Verdict)
            };
            if answer != Reply::Unsat {
                continue;
            }
            for heap in &question.formula.disjuncts {
                let why = find(labels, &mut input, &question, heap, Some(PATIENCE));
                if why.as_ref().is_none_or(|why| why.blamed.is_none()) {
                    let lines = why.map_or_else(Vec::new, |why| why.lines);
                    found.push((format!("disjunct {number} of `{name}`"), lines));
                }
            }
        }
    }
    found
}

/// The predicates that a precondition mentions, and those that their definitions mention.
fn spoken_predicates(subject: &Subject) -> Vec<PredId> {
    let disjuncts = subject.precondition.iter();
    let disjuncts = disjuncts.flat_map(|formula| &formula.disjuncts);
    let mut waiting: Vec<PredId> = (disjuncts.flat_map(|heap| &heap.instances))
        .map(|instance| instance.predicate)
        .collect();
    let mut spoken = BTreeSet::new();
    while let Some(predicate) = waiting.pop() {
        if spoken.insert(predicate) {
            let disjuncts = subject.definitions.predicate(predicate).disjuncts.iter();
            let instances = disjuncts.flat_map(|heap| &heap.instances);
            waiting.extend(instances.map(|instance| instance.predicate));
        }
    }
    spoken.into_iter().collect()
}

/// Draws what is there of a disjunct without its predicate instances, marked with the first
/// instance that is missing. For disjuncts that only a predicate without models is to blame for.
pub fn draw_without_instances(
    labels: &dyn Labels,
    input: &mut QuestionFile,
    question: &Question,
    heap: &SymbolicHeap,
    limit: Option<Duration>,
) -> Vec<String> {
    let facts = facts(heap);
    let params: Vec<VarId> = question.variables.iter().map(|&(_, id)| id).collect();
    let words = meaning::facts(&mut input.terms, &input.definitions, &params, heap);
    let is_instance = |fact: &Fact| matches!(fact, Fact::Instance(_));
    let Some(first) = facts.iter().position(is_instance) else {
        return Vec::new();
    };
    let others: Vec<Fact> = facts
        .iter()
        .copied()
        .filter(|fact| !is_instance(fact))
        .collect();
    let rest = part(heap, &others);
    let answer = {
        let mut asker = Asker::new(&input.terms, &input.definitions, limit);
        asker.ask(&formula(rest.clone()), Want::Model)
    };
    let Reply::Sat(Some(model)) = answer else {
        return Vec::new();
    };
    let said = words.get(first).cloned().unwrap_or_default();
    let said = format!("and so on without an end: {said}");
    let fact = facts.get(first).copied().unwrap_or(Fact::Instance(0));
    let spoken = spoken_of(&input.terms, heap, fact);
    let drawn = drawn(labels, input, question, &rest, &model, &spoken, &said);
    drawn.lines().map(str::to_owned).collect()
}

/// A model with a mark where something is said about some of its variables.
fn drawn(
    labels: &dyn Labels,
    input: &QuestionFile,
    question: &Question,
    rest: &SymbolicHeap,
    model: &Model,
    spoken: &BTreeSet<VarId>,
    said: &str,
) -> String {
    let scene = Scene {
        terms: &input.terms,
        question,
        rest,
        model,
    };
    let marks = scene.marks(spoken, said);
    let roots = input.roots(question, model);
    picture::draw_marked(labels, &input.definitions, &roots, &model.heap, &marks)
}

fn facts(heap: &SymbolicHeap) -> Vec<Fact> {
    let cells = (0..heap.points_to.len()).map(Fact::Cell);
    let instances = (0..heap.instances.len()).map(Fact::Instance);
    let pure = (0..heap.pure.len()).map(Fact::Pure);
    cells.chain(instances).chain(pure).collect()
}

/// A smallest contradictory part of the facts, as far as the solver can tell. Leaving out a fact
/// only ever allows more heaps, so what is needed once is needed always.
fn core(asker: &mut Asker<'_>, heap: &SymbolicHeap, facts: &[Fact]) -> Vec<Fact> {
    let mut core = facts.to_vec();
    // Predicates go first, since they hide what they say.
    let mut order = facts.to_vec();
    order.sort_by_key(|fact| (!matches!(fact, Fact::Instance(_)), std::cmp::Reverse(*fact)));
    for fact in order {
        let rest: Vec<Fact> = core
            .iter()
            .copied()
            .filter(|&known| known != fact)
            .collect();
        let question = formula(part(heap, &rest));
        if asker.ask(&question, Want::Verdict) == Reply::Unsat {
            core = rest;
        }
    }
    core
}

/// The symbolic heap with some of its facts only.
fn part(heap: &SymbolicHeap, facts: &[Fact]) -> SymbolicHeap {
    let mut part = SymbolicHeap {
        exists: heap.exists.clone(),
        ..SymbolicHeap::emp()
    };
    for fact in facts {
        match *fact {
            Fact::Cell(index) => part.points_to.extend(heap.points_to.get(index).cloned()),
            Fact::Instance(index) => part.instances.extend(heap.instances.get(index).cloned()),
            Fact::Pure(index) => part.pure.extend(heap.pure.get(index).copied()),
        }
    }
    part
}

fn formula(heap: SymbolicHeap) -> Formula {
    Formula {
        disjuncts: vec![heap],
    }
}

/// The variables that a fact speaks of.
fn spoken_of(terms: &Terms, heap: &SymbolicHeap, fact: Fact) -> BTreeSet<VarId> {
    let is_reference = |&arg: &TermId| matches!(terms.sort(arg), Sort::Ref(_));
    let spoken: Option<TermId> = match fact {
        Fact::Cell(index) => heap.points_to.get(index).map(|cell| cell.source),
        Fact::Instance(index) => (heap.instances.get(index))
            .and_then(|instance| instance.args.iter().copied().find(is_reference)),
        Fact::Pure(index) => heap.pure.get(index).copied(),
    };
    let subterms = terms.subterms(spoken);
    subterms.filter_map(|term| terms.as_var(term)).collect()
}

/// A model of what is left without a fact.
struct Scene<'a> {
    terms: &'a Terms,
    question: &'a Question,
    rest: &'a SymbolicHeap,
    model: &'a Model,
}

impl Scene<'_> {
    /// Marks one place that a fact speaks of: an object, one with such a number in a field, or a
    /// root.
    fn marks(&self, spoken: &BTreeSet<VarId>, said: &str) -> Marks {
        let objects = spoken.iter().filter_map(|&variable| self.value(variable));
        let holders = (self.rest.points_to.iter())
            .filter(|cell| {
                let mut fields = cell.fields.iter();
                fields.any(|&field| {
                    let content = self.terms.as_var(field);
                    content.is_some_and(|content| spoken.contains(&content))
                })
            })
            .filter_map(|cell| self.value(self.terms.as_var(cell.source)?));
        let place = (objects.chain(holders)).find_map(|value| match value {
            Value::Ref(loc) if self.model.heap.cells.contains_key(&loc) => Some(loc),
            _ => None,
        });
        let mut marks = Marks::default();
        match place {
            Some(loc) => {
                marks.objects.insert(loc, said.to_owned());
            }
            None => {
                let mut named = self.question.variables.iter();
                let root = named.find(|(_, variable)| spoken.contains(variable));
                marks.roots = root
                    .map(|(name, _)| (name.clone(), said.to_owned()))
                    .into_iter()
                    .collect();
            }
        }
        marks
    }

    /// The value of a free or quantified variable.
    fn value(&self, variable: VarId) -> Option<Value> {
        if let Some(&value) = self.model.stack.get(&variable) {
            return Some(value);
        }
        let mut quantified = self.rest.exists.iter();
        let position = quantified.position(|&known| known == variable)?;
        let step = self.model.derivation.steps.first()?;
        step.exists.get(position).copied()
    }
}
