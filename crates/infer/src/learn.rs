//! Learning: the candidates that fit, and of the constraints that hold those that keep out heaps which
//! no state was seen to be.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_logic::{CanonicalKey, ClassId, Deadline};

use crate::candidate::Candidate;
use crate::constraints::Constraint;
use crate::negatives::single_changes;
use crate::observed::{Observed, State, key_without};
use crate::references::Rule;
use crate::shape::{Division, FieldKey, links, spanning};
use crate::templates::constraints;
use crate::text;

/// So many sets of owning fields are tried.
const MOST_SHAPES: usize = 8;

/// So many candidates are followed to the end.
const MOST_CANDIDATES: usize = 4;

/// So often models are looked at.
const ROUNDS: usize = 12;

/// What bounds the learning.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Models of up to so many objects are looked at.
    pub objects: usize,
    /// When to be content with what there is.
    pub deadline: Deadline,
}

/// What was learned.
#[derive(Clone, Debug)]
pub struct Learned {
    /// Declarations of predicates, the invariant last.
    pub predicates: String,
    /// The name of the invariant, a predicate on the object.
    pub name: String,
    /// Fields of objects that nothing is said about, as `Class.field`.
    pub free: Vec<String>,
    /// Heaps beside the observed ones that were looked at and are not described.
    pub kept_out: usize,
    /// Heaps that no state was seen to be, but are described: they fit everything that was learned.
    pub unwitnessed: Vec<State>,
    /// Whether all models up to the bound were looked at.
    pub is_complete: bool,
}

/// The models of a specification with up to so many objects, and whether those are all.
pub type Models<'m> = dyn FnMut(&str, &str, usize) -> Option<(Vec<State>, bool)> + 'm;

/// Learns the invariant of a class. `None` if no candidate fits: there is no state, or objects are
/// shared in a way that trees with further references do not describe.
pub fn learn(
    observed: &Observed,
    settings: &Settings,
    class_name: &dyn Fn(ClassId) -> String,
    models: &mut Models<'_>,
) -> Option<Learned> {
    let links = links(&observed.definitions, &observed.states);
    let known: BTreeSet<CanonicalKey> = observed.states.iter().map(State::key).collect();
    let small = observed.closed_to.min(settings.objects);
    let negatives = single_changes(observed, &known, small.min(6));
    let mut best: Option<(Score, Attempt)> = None;
    for candidate in candidates(observed, settings, &links, &negatives) {
        let open = candidate.unexplained();
        let attempt = Attempt::new(
            observed, settings, candidate, &negatives, class_name, models,
        )?;
        let score = (
            open,
            attempt.unwitnessed.len(),
            attempt.chosen.len() + attempt.candidate.classes.len(),
        );
        if best.as_ref().is_none_or(|(known, _)| score < *known) {
            best = Some((score, attempt));
        }
    }
    let (_, attempt) = best?;
    let kept_out: BTreeSet<CanonicalKey> = (attempt.negatives.iter())
        .filter(|state| !attempt.candidate.accepts(observed, state))
        .map(State::key)
        .collect();
    let definitions = &observed.definitions;
    let name = |(class, field): &FieldKey| {
        let field = definitions.fields_of(*class).get(*field);
        let field = field.map_or("", |field| field.name.as_str());
        format!("{}.{field}", class_name(*class))
    };
    Some(Learned {
        predicates: attempt.written.predicates,
        name: attempt.written.name,
        free: attempt.written.free.iter().map(name).collect(),
        kept_out: kept_out.len(),
        unwitnessed: attempt.unwitnessed,
        is_complete: attempt.is_complete,
    })
}

/// References that are left open, models without a witness, and the length of what is said: the less,
/// the better.
type Score = (usize, usize, usize);

/// What came of one candidate.
struct Attempt {
    candidate: Candidate,
    chosen: Vec<Constraint>,
    written: text::Written,
    /// Models that were looked at.
    negatives: Vec<State>,
    unwitnessed: Vec<State>,
    is_complete: bool,
}

impl Attempt {
    fn new(
        observed: &Observed,
        settings: &Settings,
        mut candidate: Candidate,
        negatives: &[State],
        class_name: &dyn Fn(ClassId) -> String,
        models: &mut Models<'_>,
    ) -> Option<Attempt> {
        let mut negatives = negatives.to_vec();
        let all = std::mem::take(&mut candidate.constraints);
        let mut chosen: Vec<Constraint> = Vec::new();
        let mut pruned = false;
        let mut round = 0;
        loop {
            round += 1;
            choose(observed, &candidate, &all, &mut chosen, &negatives);
            candidate.constraints.clone_from(&chosen);
            let written = written(observed, &mut candidate, class_name)?;
            let known = observed.states.iter();
            let known = known.map(|state| key_without(state, &written.free));
            let known: BTreeSet<CanonicalKey> = known.collect();
            let (found, is_complete) =
                models(&written.predicates, &written.name, settings.objects)?;
            let unwitnessed: Vec<State> = (found.into_iter())
                .filter(|state| !known.contains(&key_without(state, &written.free)))
                .collect();
            let before = chosen.len();
            choose(observed, &candidate, &all, &mut chosen, &unwitnessed);
            negatives.extend_from_slice(&unwitnessed);
            let is_stable = chosen.len() == before;
            let is_late = round >= ROUNDS || settings.deadline.is_over();
            if is_stable && pruned || is_late {
                chosen.truncate(before);
                return Some(Attempt {
                    candidate,
                    chosen,
                    written,
                    negatives,
                    unwitnessed,
                    is_complete,
                });
            }
            if is_stable {
                // Without what others imply; models show whether that let something in.
                prune(observed, &mut candidate, &mut chosen, &negatives);
                pruned = true;
            }
        }
    }
}

/// The text of a candidate. References that it cannot say are left open.
fn written(
    observed: &Observed,
    candidate: &mut Candidate,
    class_name: &dyn Fn(ClassId) -> String,
) -> Option<text::Written> {
    loop {
        match text::write(observed, candidate, class_name) {
            Ok(written) => return Some(written),
            Err(rule) => match candidate.rules.get_mut(&rule) {
                Some(known) if *known != Rule::Anything => *known = Rule::Anything,
                _ => return None,
            },
        }
    }
}

/// The candidates that leave the fewest references open, and of those the ones that accept the fewest
/// heaps beside the observed ones; with all constraints that hold.
fn candidates(
    observed: &Observed,
    settings: &Settings,
    links: &BTreeMap<FieldKey, ClassId>,
    negatives: &[State],
) -> Vec<Candidate> {
    let shapes = spanning(&observed.states, links, MOST_SHAPES);
    let divisions = [
        Division::Class,
        Division::Singles,
        Division::BelowRoot,
        Division::Continued,
        Division::Field,
    ];
    let mut best: Vec<Candidate> = Vec::new();
    let mut score = (usize::MAX, usize::MAX);
    for owning in &shapes {
        for division in divisions {
            if settings.deadline.is_over() && !best.is_empty() {
                return best;
            }
            let Some(mut candidate) = Candidate::new(observed, links, owning, division) else {
                continue;
            };
            let open = candidate.unexplained();
            if open > score.0 {
                continue;
            }
            let trees: Option<Vec<_>> = (observed.states.iter())
                .map(|state| candidate.parse(observed, state))
                .collect();
            let Some(trees) = trees else { continue };
            let shape = &candidate.shape;
            let held = constraints(observed, shape, &trees, links);
            candidate.constraints = held;
            let accepted = negatives.iter();
            let accepted = accepted.filter(|state| candidate.accepts(observed, state));
            let own = (open, accepted.count());
            if own < score {
                best.clear();
                score = own;
            }
            if own == score && best.len() < MOST_CANDIDATES {
                best.push(candidate);
            }
        }
    }
    best
}

/// Adds constraints until none of the heaps is accepted that some constraint keeps out.
fn choose(
    observed: &Observed,
    candidate: &Candidate,
    all: &[Constraint],
    chosen: &mut Vec<Constraint>,
    negatives: &[State],
) {
    for state in negatives {
        let Some(tree) = candidate.parse(observed, state) else {
            continue;
        };
        let mut measured = crate::constraints::Measured::new(&tree);
        if chosen.iter().all(|constraint| measured.holds(constraint)) {
            let refuting = all.iter().find(|constraint| !measured.holds(constraint));
            chosen.extend(refuting.cloned());
        }
    }
}

/// Drops constraints that keep nothing out that the others let in, the least telling first.
fn prune(
    observed: &Observed,
    candidate: &mut Candidate,
    chosen: &mut Vec<Constraint>,
    negatives: &[State],
) {
    candidate.constraints.clear();
    let parsed: Vec<_> = (negatives.iter())
        .filter_map(|state| candidate.parse(observed, state))
        .collect();
    // For each heap, which of the constraints keep it out.
    let refuted: Vec<Vec<bool>> = (parsed.iter())
        .map(|tree| {
            let mut measured = crate::constraints::Measured::new(tree);
            let held = chosen.iter().map(|constraint| !measured.holds(constraint));
            held.collect()
        })
        .collect();
    let mut kept = vec![true; chosen.len()];
    let order: Vec<usize> = by_rank(chosen);
    for &index in order.iter().rev() {
        let is_needed = refuted.iter().any(|refuted| {
            let others = refuted.iter().zip(&kept).enumerate();
            let mut others =
                others.filter(|(other, (refutes, kept))| *other != index && **refutes && **kept);
            refuted.get(index) == Some(&true) && others.next().is_none()
        });
        if let Some(kept) = kept.get_mut(index) {
            *kept = is_needed;
        }
    }
    let mut index = 0;
    chosen.retain(|_| {
        index += 1;
        kept.get(index - 1).copied().unwrap_or(true)
    });
    chosen.sort();
}

fn by_rank(chosen: &[Constraint]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..chosen.len()).collect();
    order.sort_by_key(|index| {
        chosen.get(*index).map_or(0, |constraint| {
            crate::templates::rank(&constraint.condition)
        })
    });
    order
}
