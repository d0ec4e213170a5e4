//! The models of a specification, and whether it accepts a heap: by the solver's enumeration and the
//! satisfaction checker.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use heapwright_logic::{Budget, Deadline, Failure, Formula, Stack, Terms, Value, find_derivation};
use heapwright_solver::{Config, Solver};
use heapwright_spec::questions::{Question, QuestionFile};

use crate::observed::State;
use crate::shape::FieldKey;

/// The models of a question with up to so many objects, as states of its first variable, with keys in
/// some fields. The flag says whether those are all.
pub fn models(
    file: &QuestionFile,
    question: &Question,
    keyed: &BTreeSet<FieldKey>,
    objects: u32,
    most: usize,
    deadline: &Deadline,
) -> (Vec<State>, bool) {
    let mut terms: Terms = file.terms.clone();
    let mut solver = Solver::new(&mut terms, &file.definitions, Config::default());
    let Some((_, root)) = question.variables.first() else {
        return (Vec::new(), false);
    };
    let mut found: BTreeMap<Vec<u8>, State> = BTreeMap::new();
    let mut is_complete = true;
    for heap in &question.formula.disjuncts {
        let enumerated = solver.enumerate(&mut terms, heap, 1..=objects, &mut |model| {
            if found.len() >= most || deadline.is_over() {
                return ControlFlow::Break(());
            }
            if let Ok(model) = model.model()
                && let Some(Value::Ref(root)) = model.stack.get(root)
            {
                let state = State {
                    heap: model.heap,
                    root: *root,
                };
                let state = state.raised(keyed);
                found.entry(state.key()).or_insert(state);
            } else {
                is_complete = false;
            }
            ControlFlow::Continue(())
        });
        is_complete &= enumerated.is_ok_and(|one| !one.stopped);
    }
    (found.into_values().collect(), is_complete)
}

/// Whether a heap satisfies a question about its root; `None` if that was not found out.
pub fn accepts(file: &QuestionFile, question: &Question, state: &State) -> Option<bool> {
    let (_, variable) = question.variables.first()?;
    let stack = Stack::from([(*variable, Value::Ref(state.root))]);
    let formula: &Formula = &question.formula;
    let (terms, definitions) = (&file.terms, &file.definitions);
    let budget = Budget { steps: 300_000 };
    match find_derivation(terms, definitions, formula, &stack, &state.heap, budget) {
        Ok(_) => Some(true),
        Err(Failure::Unsatisfied { .. }) => Some(false),
        Err(_) => None,
    }
}
