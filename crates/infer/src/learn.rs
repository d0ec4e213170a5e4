//! Learning: the candidates that fit, and of the constraints that hold those that keep out heaps which
//! no state was seen to be.

use std::collections::BTreeSet;

use heapwright_logic::{CanonicalKey, ClassId};

use crate::candidate::Candidate;
use crate::constraints::Constraint;
use crate::negatives::single_changes;
use crate::observed::{Observed, State};
use crate::references::Rule;
use crate::shape::{Division, FieldKey, links, spanning};
use crate::templates::constraints;
use crate::text;

/// So many sets of owning fields are tried.
const MOST_SHAPES: usize = 8;

/// So often models are looked at.
const ROUNDS: usize = 12;

/// What bounds the learning.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Models of up to so many objects are looked at.
    pub objects: usize,
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
    let mut negatives = single_changes(observed, &known, small.min(6));
    let mut candidate = best(observed, &links, &negatives)?;
    let all = std::mem::take(&mut candidate.constraints);
    let abstracted = observed.states.iter().map(State::key_without_values);
    let abstracted: BTreeSet<CanonicalKey> = abstracted.collect();
    let mut chosen: Vec<Constraint> = Vec::new();
    let mut pruned = false;
    let mut round = 0;
    let (written, unwitnessed, is_complete) = loop {
        round += 1;
        choose(observed, &candidate, &all, &mut chosen, &negatives);
        candidate.constraints.clone_from(&chosen);
        let written = written(observed, &mut candidate, class_name)?;
        let (found, is_complete) = models(&written.predicates, &written.name, settings.objects)?;
        let unwitnessed: Vec<State> = (found.into_iter())
            .filter(|state| !abstracted.contains(&state.key_without_values()))
            .collect();
        let before = chosen.len();
        choose(observed, &candidate, &all, &mut chosen, &unwitnessed);
        negatives.extend_from_slice(&unwitnessed);
        let is_stable = chosen.len() == before;
        if is_stable && pruned || round >= ROUNDS {
            break (written, unwitnessed, is_complete && is_stable);
        }
        if is_stable {
            // Without what others imply; models show whether that let something in.
            prune(observed, &mut candidate, &mut chosen, &negatives);
            pruned = true;
        }
    };
    let kept_out = (negatives.iter())
        .filter(|state| !candidate.accepts(observed, state))
        .count();
    Some(Learned {
        predicates: written.predicates,
        name: written.name,
        free: written.free,
        kept_out,
        unwitnessed,
        is_complete,
    })
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

/// The candidate that leaves the fewest references open, and of those the one that accepts the fewest
/// heaps beside the observed ones; with all constraints that hold.
fn best(
    observed: &Observed,
    links: &std::collections::BTreeMap<FieldKey, ClassId>,
    negatives: &[State],
) -> Option<Candidate> {
    let shapes = spanning(&observed.states, links, MOST_SHAPES);
    let divisions = [
        Division::Class,
        Division::BelowRoot,
        Division::Continued,
        Division::Field,
    ];
    let mut best: Option<((usize, usize, usize), Candidate)> = None;
    for owning in &shapes {
        for division in divisions {
            let Some(mut candidate) = Candidate::new(observed, links, owning, division) else {
                continue;
            };
            let open = candidate.unexplained();
            if best
                .as_ref()
                .is_some_and(|((known, _, _), _)| open > *known)
            {
                continue;
            }
            let trees: Option<Vec<_>> = (observed.states.iter())
                .map(|state| candidate.parse(observed, state))
                .collect();
            let Some(trees) = trees else { continue };
            let shape = &candidate.shape;
            let held = constraints(&observed.definitions, shape, &trees, links);
            candidate.constraints = held;
            let accepted = negatives.iter();
            let accepted = accepted.filter(|state| candidate.accepts(observed, state));
            let score = (open, accepted.count(), candidate.classes.len());
            if best.as_ref().is_none_or(|(known, _)| score < *known) {
                best = Some((score, candidate));
            }
        }
    }
    best.map(|(_, candidate)| candidate)
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
