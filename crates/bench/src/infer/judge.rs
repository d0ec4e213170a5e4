//! The judge: whether two specifications describe the same heaps. It shares no code with the learner:
//! models come from the enumerator, verdicts from the satisfaction checker.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Instant;

use heapwright_logic::{
    Budget, ClassId, Definitions, Failure, Heap, Loc, Sort, Stack, Value, canonical_key,
    find_derivation,
};
use heapwright_solver::{Config, Solver};
use heapwright_spec::questions::{Question, QuestionFile};

/// So many models of one specification are compared.
const MOST_MODELS: usize = 4_000;

/// So many heaps are compared that differ from a model in one field.
const MOST_CHANGED: usize = 30_000;

/// A description of one object.
pub struct Described {
    /// The definitions.
    pub file: QuestionFile,
    /// What holds of the object, its first variable.
    pub question: Question,
}

/// What a comparison showed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verdict {
    /// Models of the written specification.
    pub models: usize,
    /// Models of the inferred one.
    pub inferred_models: usize,
    /// Heaps that were compared, changed ones included.
    pub heaps: usize,
    /// Heaps that only the written specification accepts.
    pub lost: usize,
    /// Heaps that only the inferred one accepts.
    pub added: usize,
    /// Heaps that one of them could not be decided on.
    pub undecided: usize,
    /// Whether not all models or changes were looked at.
    pub is_cut: bool,
}

impl Verdict {
    /// Whether no difference was found.
    pub fn is_exact(&self) -> bool {
        self.lost == 0 && self.added == 0 && self.undecided == 0 && self.models > 0
    }
}

/// Compares two specifications on all models of up to so many objects, and on all heaps that differ
/// from a model in one field.
pub fn compare(
    written: &Described,
    inferred: &Described,
    objects: u32,
    deadline: Instant,
) -> Verdict {
    let mut verdict = Verdict::default();
    let first = models(written, objects, deadline, &mut verdict.is_cut);
    let second = models(inferred, objects, deadline, &mut verdict.is_cut);
    verdict.models = first.len();
    verdict.inferred_models = second.len();
    let mut seen = BTreeSet::new();
    let definitions = &written.file.definitions;
    let mut changed = 0;
    for (root, heap) in first.iter().chain(&second) {
        judge(written, inferred, *root, heap, &mut seen, &mut verdict);
        for heap in changes(definitions, heap) {
            if changed >= MOST_CHANGED || Instant::now() > deadline {
                verdict.is_cut = true;
                break;
            }
            let Some(heap) = reachable(&heap, *root) else {
                continue;
            };
            let compared = verdict.heaps;
            judge(written, inferred, *root, &heap, &mut seen, &mut verdict);
            changed += verdict.heaps - compared;
        }
    }
    verdict
}

fn judge(
    written: &Described,
    inferred: &Described,
    root: Loc,
    heap: &Heap,
    seen: &mut BTreeSet<Vec<u8>>,
    verdict: &mut Verdict,
) {
    if !seen.insert(canonical_key(&[Value::Ref(root)], heap)) {
        return;
    }
    verdict.heaps += 1;
    match (written.accepts(root, heap), inferred.accepts(root, heap)) {
        (Some(true), Some(false)) => verdict.lost += 1,
        (Some(false), Some(true)) => verdict.added += 1,
        (Some(_), Some(_)) => {}
        _ => verdict.undecided += 1,
    }
}

impl Described {
    /// Whether a heap is described; `None` if the checker does not find out.
    pub fn accepts(&self, root: Loc, heap: &Heap) -> Option<bool> {
        let (_, variable) = self.question.variables.first()?;
        let stack = Stack::from([(*variable, Value::Ref(root))]);
        let (terms, definitions) = (&self.file.terms, &self.file.definitions);
        let formula = &self.question.formula;
        let budget = Budget { steps: 200_000 };
        match find_derivation(terms, definitions, formula, &stack, heap, budget) {
            Ok(_) => Some(true),
            Err(Failure::Unsatisfied { .. }) => Some(false),
            Err(_) => None,
        }
    }
}

/// The models of up to so many objects.
fn models(
    described: &Described,
    objects: u32,
    deadline: Instant,
    is_cut: &mut bool,
) -> Vec<(Loc, Heap)> {
    let mut terms = described.file.terms.clone();
    let config = Config::default();
    let mut solver = Solver::new(&mut terms, &described.file.definitions, config);
    let mut found = Vec::new();
    let Some((_, variable)) = described.question.variables.first() else {
        return found;
    };
    for disjunct in &described.question.formula.disjuncts {
        let enumerated = solver.enumerate(&mut terms, disjunct, 1..=objects, &mut |model| {
            if found.len() >= MOST_MODELS || Instant::now() > deadline {
                return ControlFlow::Break(());
            }
            match model.model() {
                Ok(model) => match model.stack.get(variable) {
                    Some(Value::Ref(root)) => found.push((*root, model.heap)),
                    _ => *is_cut = true,
                },
                Err(_) => *is_cut = true,
            }
            ControlFlow::Continue(())
        });
        *is_cut |= !enumerated.is_ok_and(|one| !one.stopped);
    }
    found
}

/// All heaps with another value in one field.
fn changes(definitions: &Definitions, heap: &Heap) -> Vec<Heap> {
    let numbers: BTreeSet<i128> = (heap.cells.values())
        .flat_map(|cell| &cell.fields)
        .filter_map(|value| match value {
            Value::Int(number) => Some(*number),
            _ => None,
        })
        .collect();
    let mut changed = Vec::new();
    for (&loc, cell) in &heap.cells {
        let fields = definitions.fields_of(cell.class).iter().zip(&cell.fields);
        for (index, (field, &old)) in fields.enumerate() {
            let values: Vec<Value> = match field.sort {
                Sort::Ref(class) if class != ClassId::ANY => {
                    let fitting = heap.cells.iter();
                    let fitting =
                        fitting.filter(|(_, cell)| definitions.is_subclass(cell.class, class));
                    let fitting = fitting.map(|(&loc, _)| Value::Ref(loc));
                    fitting.chain([Value::Null]).collect()
                }
                // An object that is not described, and none.
                Sort::Ref(_) => vec![Value::Null, Value::Ref(Loc(u32::MAX))],
                Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
                sort if sort.is_integer() => {
                    let near = numbers.iter().flat_map(|near| [near - 1, *near, near + 1]);
                    near.map(Value::Int).collect()
                }
                _ => Vec::new(),
            };
            for value in values {
                if value == old || !value.has_sort(field.sort) {
                    continue;
                }
                let mut other = heap.clone();
                let place = other.cells.get_mut(&loc);
                if let Some(place) = place.and_then(|cell| cell.fields.get_mut(index)) {
                    *place = value;
                    changed.push(other);
                }
            }
        }
    }
    changed
}

/// The part of a heap that the object reaches.
fn reachable(heap: &Heap, root: Loc) -> Option<Heap> {
    let mut reached = BTreeSet::from([root]);
    let mut pending = vec![root];
    while let Some(loc) = pending.pop() {
        for value in &heap.cells.get(&loc)?.fields {
            if let Value::Ref(next) = value
                && heap.cells.contains_key(next)
                && reached.insert(*next)
            {
                pending.push(*next);
            }
        }
    }
    let mut heap = heap.clone();
    heap.cells.retain(|loc, _| reached.contains(loc));
    Some(heap)
}
