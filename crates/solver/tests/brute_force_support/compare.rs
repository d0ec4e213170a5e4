//! Asks the solver and the brute force the same question, and compares the answers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use heapwright_logic::{
    Budget, Failure, Formula, Loc, Model, Value as SolverValue, find_derivation, verify,
};
use heapwright_solver::{Answer, Config, Reason, Solver, Verdict};
use heapwright_spec::{Environment, Source, Specification, no_imports, read_specification};

use super::isomorphism::{Key, key};
use super::satisfaction::Checker;
use super::semantics::{Heap, Value};
use super::system::*;
use super::unfolding::{Bounds, End, Found, models};

/// What came of a comparison that went well.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Agreement {
    /// Both have a model.
    Sat,
    /// The solver has a model; the brute force did not look far enough to find one.
    SatBeyond,
    /// Neither has a model.
    Unsat,
    /// The solver does not know, the brute force has a model.
    UnknownSat,
    /// The solver does not know, the brute force has no model.
    UnknownUnsat,
}

/// A system as the solver sees it.
pub struct Subject {
    specification: Specification,
    formula: Formula,
}

impl Subject {
    pub fn read(system: &System) -> Result<Subject, String> {
        let source = Source {
            name: "random.sl".to_owned(),
            text: system.to_string(),
        };
        let specification = read_specification(source, Environment::default(), &mut no_imports)
            .map_err(|error| format!("the specification is rejected: {error}"))?;
        let definitions = &specification.definitions;
        let question = definitions
            .predicate_named("question")
            .ok_or("no question")?;
        let disjuncts = definitions.predicate(question).disjuncts.clone();
        Ok(Subject {
            formula: Formula { disjuncts },
            specification,
        })
    }

    fn free(&self) -> &[heapwright_logic::VarId] {
        let definitions = &self.specification.definitions;
        match definitions.predicate_named("question") {
            Some(question) => &definitions.predicate(question).params,
            None => &[],
        }
    }

    fn solver(&mut self, config: Config) -> Solver {
        let Specification {
            terms, definitions, ..
        } = &mut self.specification;
        Solver::new(terms, definitions, config)
    }

    /// A model in the terms of the brute force, with the number of dangling references and all
    /// integers of its derivation.
    fn translate(&self, model: &Model) -> (Found, usize, Vec<i64>) {
        let mut cells: BTreeMap<Loc, Value> = BTreeMap::new();
        for (index, &loc) in model.heap.cells.keys().enumerate() {
            cells.insert(loc, Value::Cell(index));
        }
        let mut dangling = 0;
        // Variables that the formula does not use may have any value, so there must be one.
        let mut integers = vec![0];
        let mut value = |value: SolverValue| match value {
            SolverValue::Null => Value::Null,
            SolverValue::Ref(loc) => *cells.entry(loc).or_insert_with(|| {
                dangling += 1;
                Value::Dangling(dangling - 1)
            }),
            SolverValue::Int(number) => {
                let number = i64::try_from(number).expect("a small number");
                integers.push(number);
                Value::Int(number)
            }
            other => panic!("no such value in these systems: {other}"),
        };
        let definitions = &self.specification.definitions;
        let class = |id| {
            let name = &definitions.class(id).name;
            name[1..]
                .parse()
                .expect("classes are called C and a number")
        };
        let heap = Heap {
            cells: (model.heap.cells.values())
                .map(|cell| {
                    let fields = cell.fields.iter().map(|&field| value(field)).collect();
                    (class(cell.class), fields)
                })
                .collect(),
        };
        let stack = (self.free().iter())
            .map(|variable| match model.stack.get(variable) {
                Some(&content) => value(content),
                // What the formula does not mention can be anything.
                None => match self.specification.terms.variable(*variable).sort.is_ref() {
                    true => Value::Null,
                    false => Value::Int(0),
                },
            })
            .collect();
        for step in &model.derivation.steps {
            for &content in &step.exists {
                value(content);
            }
        }
        integers.sort_unstable();
        integers.dedup();
        (Found { stack, heap }, dangling, integers)
    }
}

/// Asks whether there is a model.
pub fn satisfiability(system: &System, bounds: &Bounds) -> Result<Agreement, String> {
    let mut subject = Subject::read(system)?;
    // A solver that hardly looks at heaps has to argue.
    let mut arguing = subject.solver(Config {
        cells: 1,
        attempts: 2,
        ..Config::default()
    });
    let mut solver = subject.solver(Config::default());
    let terms = &mut subject.specification.terms;
    let verdict = solver.verdict(terms, &subject.formula);
    match (&verdict, arguing.verdict(terms, &subject.formula)) {
        (_, Verdict::Unknown(_)) | (Verdict::Unknown(_), _) => {}
        (verdict, argued) if *verdict == argued => {}
        (verdict, argued) => return Err(format!("verdict {verdict:?} but argued {argued:?}")),
    }
    let answer = solver.check(terms, &subject.formula);
    let agree = matches!(
        (&verdict, &answer),
        (Verdict::Sat, Answer::Sat(_))
            | (Verdict::Unsat, Answer::Unsat)
            | (Verdict::Unknown(_), Answer::Unknown(_))
    );
    if let Answer::Unknown(reason @ Reason::InvalidModel(_)) = &answer {
        return Err(format!("check: {reason}"));
    }
    if !agree {
        return Err(format!("verdict {verdict:?} but answer {answer:?}"));
    }
    if let Answer::Sat(model) = &answer {
        confirm(system, &subject, model)?;
    }
    let mut found = None;
    models(system, bounds, &mut |model| {
        found = Some(model);
        ControlFlow::Break(())
    });
    if let Some(model) = &found {
        confirm_own(system, model, bounds)?;
    }
    Ok(match (answer, found) {
        (Answer::Sat(_), Some(_)) => Agreement::Sat,
        (Answer::Sat(_), None) => Agreement::SatBeyond,
        (Answer::Unsat, None) => Agreement::Unsat,
        (Answer::Unsat, Some(model)) => {
            return Err(format!("unsat, but there is a model: {model:?}"));
        }
        (Answer::Unknown(reason), _) if system.is_shape_only() => {
            return Err(format!("unknown without numbers: {reason}"));
        }
        (Answer::Unknown(_), Some(_)) => Agreement::UnknownSat,
        (Answer::Unknown(_), None) => Agreement::UnknownUnsat,
    })
}

/// Whether a model of the solver is one, by all the other means.
fn confirm(system: &System, subject: &Subject, model: &Model) -> Result<(), String> {
    let Specification {
        terms, definitions, ..
    } = &subject.specification;
    if let Err(violation) = verify(terms, definitions, &subject.formula, model) {
        return Err(format!("the model is rejected: {violation}\n{model:?}"));
    }
    let budget = Budget { steps: 2_000 };
    let formula = &subject.formula;
    match find_derivation(
        terms,
        definitions,
        formula,
        &model.stack,
        &model.heap,
        budget,
    ) {
        Ok(_) | Err(Failure::Undecided { .. } | Failure::Budget { .. }) => {}
        Err(failure) => {
            return Err(format!("the model has no derivation: {failure}\n{model:?}"));
        }
    }
    if model.heap.cells.len() > 4 {
        return Ok(());
    }
    let (found, dangling, integers) = subject.translate(model);
    let mut checker = Checker::new(system, &found.heap, dangling, &integers, 200_000);
    match checker.holds(&found.stack) {
        Some(false) => Err(format!("brute force rejects the model {model:?}")),
        Some(true) | None => Ok(()),
    }
}

/// The two ways of the brute force must agree with each other, too.
fn confirm_own(system: &System, model: &Found, bounds: &Bounds) -> Result<(), String> {
    let mut checker = Checker::new(system, &model.heap, 6, &bounds.integers, 100_000);
    match checker.holds(&model.stack) {
        Some(false) => Err(format!("brute force disagrees with itself on {model:?}")),
        Some(true) | None => Ok(()),
    }
}

/// What came of comparing two enumerations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Counted {
    /// The same models.
    Exactly,
    /// The brute force was cut short; all that it found was enumerated.
    AtLeast,
    /// References are left open by the question: the enumeration gives representatives, all of
    /// which are models.
    Representatives,
    /// The brute force was cut short by its budget.
    Skipped,
    /// The solver gave up.
    Unknown,
}

/// Compares the models of the question's first disjunct with `size` cells.
pub fn enumeration(system: &System, size: usize, bounds: &Bounds) -> Result<Counted, String> {
    let ranked = !system.is_shape_only();
    let roots = |stack: &[Value]| -> Vec<Value> {
        (stack.iter().zip(&system.question.params))
            .filter(|(_, sort)| sort.is_ref())
            .map(|(&value, _)| value)
            .collect()
    };
    let mut expected: BTreeMap<Key, Found> = BTreeMap::new();
    let mut determined = true;
    let end = models(system, bounds, &mut |found| {
        if found.heap.cells.len() == size {
            let mut values = found.heap.cells.iter().flat_map(|(_, fields)| fields);
            let roots = roots(&found.stack);
            determined &= !(values.any(is_dangling) || roots.iter().any(is_dangling));
            expected.insert(key(&roots, &found.heap, ranked), found);
        }
        ControlFlow::Continue(())
    });
    if end == End::Budget {
        return Ok(Counted::Skipped);
    }
    let mut subject = Subject::read(system)?;
    let mut solver = subject.solver(Config::default());
    let [question] = &subject.formula.disjuncts[..] else {
        // The reader may split a disjunct in two, which are then enumerated apart.
        return Ok(Counted::Skipped);
    };
    let question = question.clone();
    let terms = &mut subject.specification.terms;
    let mut found_models = Vec::new();
    let sizes = size as u32..=size as u32;
    let result = solver.enumerate(terms, &question, sizes, &mut |found| {
        found_models.push(found.model());
        match found_models.len() < 100_000 {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    let counted = match result {
        Ok(counted) => counted,
        // Where a predicate calls itself next to no cell, there is no end of derivations.
        Err(Reason::TooManyFacts) if system.recurs_without_cells() => {
            return Ok(Counted::Unknown);
        }
        Err(reason) if !ranked => return Err(format!("enumeration without numbers: {reason}")),
        Err(_) => return Ok(Counted::Unknown),
    };
    if counted.representatives > 0 && !ranked {
        return Err(format!("{} representatives", counted.representatives));
    }
    if counted.models != found_models.len() as u64 {
        return Err(format!(
            "{} models counted, {} visited",
            counted.models,
            found_models.len()
        ));
    }
    let mut enumerated: BTreeSet<Key> = BTreeSet::new();
    for model in found_models {
        let model = model.map_err(|reason| format!("no model was built: {reason}"))?;
        confirm(system, &subject, &model).map_err(|error| format!("enumerated: {error}"))?;
        let (found, _, _) = subject.translate(&model);
        let key = key(&roots(&found.stack), &found.heap, ranked);
        if !enumerated.insert(key) {
            return Err(format!("enumerated twice: {found:?}"));
        }
    }
    if !determined {
        return match enumerated.is_empty() {
            true => Err(format!(
                "nothing enumerated, but there is {:?}",
                expected.values().next()
            )),
            false => Ok(Counted::Representatives),
        };
    }
    let missing = expected.iter().find(|(key, _)| !enumerated.contains(*key));
    if let Some((_, missing)) = missing {
        return Err(format!("not enumerated: {missing:?}"));
    }
    match end {
        End::Complete { cut: false } if enumerated.len() != expected.len() => Err(format!(
            "{} models of size {size}, but {} enumerated",
            expected.len(),
            enumerated.len()
        )),
        End::Complete { cut: false } => Ok(Counted::Exactly),
        _ => Ok(Counted::AtLeast),
    }
}

fn is_dangling(value: &Value) -> bool {
    matches!(value, Value::Dangling(_))
}
