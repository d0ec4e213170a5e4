//! Which of the runs that leave something wrong behind do so for different reasons.
//!
//! Two bugs may break the same clause. They are told apart as fault localisation does it: what only
//! failing runs execute is suspicious. If one line or branch is executed by all of them and by no run
//! that is well, there is no reason to assume more than one cause; otherwise as few suspicious lines
//! and branches as possible explain the failures, one cause each. Failures about which nothing is
//! suspicious have one cause, whatever it is.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_ir::machine::Edge;
use rustc_hash::FxHashSet;

use crate::report::{Outcome, Test, Verification};

/// More causes than this are taken together: the same bug shows in many places.
const MOST: usize = 8;

/// Something that a run executes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Executed {
    Line(u32, u32),
    Branch(Edge),
}

/// Whether a run left something wrong behind.
pub(crate) fn leaves_wrong(test: &Test) -> bool {
    let violated =
        |verdict: &Option<Verification>| matches!(verdict, Some(Verification::Violated(_)));
    let run = &test.run;
    violated(&run.postcondition) || violated(&run.invariant) || !run.leaks.is_empty()
}

/// The causes of tests that leave something wrong behind, as numbers.
pub fn causes<'t>(tests: impl Iterator<Item = (usize, &'t Test)>) -> BTreeMap<usize, usize> {
    let ends = |test: &Test| matches!(test.run.outcome, Outcome::Returned | Outcome::Threw { .. });
    let (wrong, well): (Vec<_>, Vec<_>) = tests
        .filter(|(_, test)| ends(test))
        .partition(|(_, test)| leaves_wrong(test));
    if wrong.len() < 2 {
        return wrong.into_iter().map(|(index, _)| (index, 0)).collect();
    }
    let innocent: FxHashSet<Executed> = well.iter().flat_map(|(_, test)| executed(test)).collect();
    let mut open: BTreeMap<usize, BTreeSet<Executed>> = BTreeMap::new();
    let mut found = BTreeMap::new();
    for (index, test) in wrong {
        let suspicious: BTreeSet<Executed> = executed(test)
            .filter(|element| !innocent.contains(element))
            .collect();
        match suspicious.is_empty() {
            true => drop(found.insert(index, 0)),
            false => drop(open.insert(index, suspicious)),
        }
    }
    let mut cause = usize::from(!found.is_empty());
    while !open.is_empty() {
        let mut counts: BTreeMap<Executed, usize> = BTreeMap::new();
        for element in open.values().flatten() {
            *counts.entry(*element).or_default() += 1;
        }
        let most = counts.values().copied().max().unwrap_or_default();
        let best = counts.iter().find(|(_, count)| **count == most);
        let Some((&best, _)) = best else {
            break;
        };
        open.retain(|index, suspicious| {
            let explained = suspicious.contains(&best);
            if explained {
                found.insert(*index, cause);
            }
            !explained
        });
        cause = (cause + 1).min(MOST);
    }
    found
}

fn executed(test: &Test) -> impl Iterator<Item = Executed> {
    let lines = test.run.lines.iter();
    let lines = lines.map(|line| Executed::Line(line.file, line.line));
    lines.chain(test.run.edges().map(Executed::Branch))
}

/// A reason why something does not hold without what differs from heap to heap: values in
/// parentheses, objects and numbers. Lines of the source stay.
pub fn clause(reason: &str) -> String {
    let line = reason.lines().next().unwrap_or_default();
    let (line, place) = match line.rsplit_once(" at ") {
        Some((line, place)) if place.contains(':') => (line, place),
        _ => (line, ""),
    };
    let mut depth = 0_u32;
    let mut clause = String::new();
    for c in line.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '#' | '-' | '0'..='9' => {}
            c if depth == 0 => clause.push(c),
            _ => {}
        }
    }
    clause + place
}

#[cfg(test)]
mod tests {
    use super::clause;

    #[test]
    fn clauses_do_not_depend_on_values() {
        let one = "in nodes(#2, null, 1): disjunct 2 needs n = m + 1 (n = 0, m = 3)";
        let other = "in nodes(#7, #3, 12): disjunct 2 needs n = m + 1 (n = 9, m = -3)";
        assert_eq!(clause(one), clause(other));
        assert_ne!(
            clause(one),
            clause("in nodes(#2, null, 1): needs prev = null")
        );
        let at = |line| clause(&format!("the predicate returns false at Tree.java:{line}"));
        assert_ne!(at(12), at(13));
    }
}
