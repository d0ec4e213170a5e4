//! Names of tests: after what a test finds, or after what it is the first to cover.
//!
//! A name depends on the source text of conditions, not on the number of a test, so most tests
//! keep their names when tests are generated again.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_engine::{Outcome, Subject, Test};
use heapwright_ir::machine::{Edge, Successor};

use crate::camel_case::{camel_case, candidates, nulls};
use crate::findings::Finding;
use heapwright_explain::words;

/// Longer names are cut.
const LONGEST: usize = 80;

/// How names are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Naming {
    /// `remove_t_is_nil`: the procedure, or the file of a whole program, and what is special.
    Snake,
    /// `remove_tIsNull`, as Java does: a prefix, and what is special.
    Camel {
        /// What stands for the method.
        prefix: String,
    },
}

/// A test that needs a name.
#[derive(Clone, Copy)]
pub struct Unnamed<'t> {
    /// The test.
    pub test: &'t Test,
    /// What it shows to be wrong.
    pub findings: &'t [Finding],
    /// Whether its run is known not to end.
    pub never_ends: bool,
}

/// Names for tests of one procedure, in order. No two names that `taken` has seen are equal.
pub fn name_tests<'t>(
    subject: &Subject,
    tests: impl IntoIterator<Item = Unnamed<'t>>,
    naming: &Naming,
    taken: &mut Taken,
) -> Vec<String> {
    let prefix = prefix(subject);
    let mut covered = BTreeSet::new();
    let mut known_nulls = BTreeSet::new();
    let mut names = Vec::new();
    for unnamed in tests {
        let Unnamed {
            test, never_ends, ..
        } = unnamed;
        let name = match naming {
            Naming::Snake => {
                let feature = match never_ends {
                    true => "never_ends".to_owned(),
                    false => feature(subject, &unnamed, &covered),
                };
                let mut name = format!("{prefix}_{feature}");
                // All characters are ASCII, so every index is a boundary.
                name.truncate(LONGEST);
                taken.unique(name.trim_end_matches('_'))
            }
            Naming::Camel { prefix } => {
                let candidates = candidates(subject, &unnamed, &covered, &known_nulls);
                known_nulls.extend(nulls(subject, test));
                let candidates = candidates.iter().map(|words| camel_case(prefix, words));
                taken.first_free(candidates)
            }
        };
        names.push(name);
        covered.extend(test.run.trail.iter().copied());
    }
    names
}

/// The name of the procedure; for a whole program that of its file.
fn prefix(subject: &Subject) -> String {
    let file = subject.program.files.first();
    let stem = file.and_then(|file| std::path::Path::new(&file.name).file_stem());
    let name = match stem {
        Some(stem) if !subject.outputs.is_empty() => stem.to_string_lossy().into_owned(),
        _ => simple_name(subject.name()).to_owned(),
    };
    let name = identifier(&name);
    match name.chars().next() {
        Some(first) if !first.is_ascii_digit() => name,
        _ => format!("test_{name}"),
    }
}

/// The name of a function without its class and its parameters: `pkg.Tree#insert(int)`.
fn simple_name(name: &str) -> &str {
    let name = name.split('(').next().unwrap_or(name);
    name.rsplit(['.', '#']).next().unwrap_or(name)
}

/// What is special about a test that comes after others, which covered some edges.
fn feature(subject: &Subject, unnamed: &Unnamed<'_>, covered: &BTreeSet<Edge>) -> String {
    let program = &subject.program;
    let test = unnamed.test;
    if let Some(finding) = unnamed.findings.first() {
        return match finding {
            Finding::Fault(_) => identifier(&words::outcome(program, &test.run.outcome)),
            Finding::Leak(_) => "leak".to_owned(),
            Finding::Postcondition { .. } => "postcondition_violated".to_owned(),
            Finding::Invariant(_) => "invariant_broken".to_owned(),
            Finding::Endless(_) => "does_not_end".to_owned(),
        };
    }
    if let Outcome::OutOfBudget { budget, .. } = test.run.outcome {
        return format!("out_of_{}", identifier(budget.name()));
    }
    // Nobody has written the conditions of functions that the front end made up.
    let is_written = |edge: &&Edge| {
        let function = program.functions.get(edge.function.index());
        function.is_some_and(|function| !function.synthetic)
    };
    let trail: Vec<&Edge> = test.run.trail.iter().filter(is_written).collect();
    let new = trail.iter().rev().find(|edge| !covered.contains(edge));
    match new.or(trail.last()) {
        Some(&&edge) => edge_feature(subject, edge),
        None => identifier(&words::outcome(program, &test.run.outcome)),
    }
}

/// What is known when an edge is taken.
pub fn edge_feature(subject: &Subject, edge: Edge) -> String {
    let program = &subject.program;
    let function = program.functions.get(edge.function.index());
    let block = function.and_then(|function| function.blocks.get(edge.block.index()));
    let position = block.map(|block| block.position).unwrap_or_default();
    if let Some(fact) = words::fact_of(program, edge, position) {
        // Everybody knows whose field it is.
        return holding(&fact.replace("this.", ""), true);
    }
    match (words::condition_of(program, edge, position), edge.successor) {
        (Some(condition), Successor::Jump(number @ 0..=1)) if !words::is_switch(program, edge) => {
            holding(&condition, number == 0)
        }
        _ => identifier(&words::edge(program, edge, position)),
    }
}

/// The two sides of a comparison when it holds and when it does not.
const COMPARISONS: [(&str, &str, &str); 7] = [
    ("==", "is", "is_not"),
    ("/=", "is_not", "is"),
    ("!=", "is_not", "is"),
    ("<=", "at_most", "above"),
    (">=", "at_least", "below"),
    ("<", "below", "at_least"),
    (">", "above", "at_most"),
];

/// `t.left == nil` that does not hold becomes `t_left_is_not_nil`.
fn holding(condition: &str, holds: bool) -> String {
    let condition = &condition.replace("->", ".");
    for (operator, positive, negative) in COMPARISONS {
        if let Some((left, right)) = condition.split_once(operator) {
            let relation = if holds { positive } else { negative };
            return [&identifier(left), relation, &identifier(right)].join("_");
        }
    }
    let (condition, holds) = match condition.strip_prefix('!') {
        Some(rest) => (rest, !holds),
        None => (condition.as_str(), holds),
    };
    let condition = identifier(condition);
    if holds {
        condition
    } else {
        format!("not_{condition}")
    }
}

/// Words of plain letters and digits joined by `_`.
pub fn identifier(text: &str) -> String {
    let mut spelled = String::new();
    // The arrow of C leads to a field, as a dot does; what is counted up or down is that thing.
    let text = text.replace("->", ".").replace("++", "").replace("--", "");
    let mut before = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let is_operand = |known: char| known.is_ascii_alphanumeric() || "_)]".contains(known);
        // What a pointer leads to is not a product.
        let is_prefix = !before.is_some_and(is_operand) && characters.peek() != Some(&' ');
        if !character.is_whitespace() {
            before = Some(character);
        }
        match character {
            '*' if is_prefix => spelled.push(' '),
            '+' => spelled.push_str(" plus "),
            '-' => spelled.push_str(" minus "),
            '*' => spelled.push_str(" times "),
            '/' => spelled.push_str(" by "),
            '%' => spelled.push_str(" modulo "),
            '!' => spelled.push_str(" not "),
            _ if character.is_ascii_alphanumeric() || character == '_' => spelled.push(character),
            _ => spelled.push(' '),
        }
    }
    spelled.split_whitespace().collect::<Vec<_>>().join("_")
}

/// The names that somebody has.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    names: BTreeSet<String>,
    /// The number to be tried next behind a name.
    next: BTreeMap<String, u64>,
}

impl Taken {
    /// One name is taken from the beginning.
    pub fn with(name: String) -> Taken {
        Taken {
            names: BTreeSet::from([name]),
            next: BTreeMap::new(),
        }
    }

    /// The first name that nobody has yet, or the first of all with a number behind it.
    fn first_free(&mut self, names: impl IntoIterator<Item = String>) -> String {
        let names: Vec<String> = names.into_iter().collect();
        let free = names.iter().find(|name| !self.names.contains(*name));
        let name = free.or(names.first()).cloned().unwrap_or_default();
        self.unique(&name)
    }

    /// The name itself, or the first with a number behind it that nobody has yet.
    pub(crate) fn unique(&mut self, name: &str) -> String {
        let mut found = name.to_owned();
        while !self.names.insert(found.clone()) {
            let number = self.next.entry(name.to_owned()).or_insert(2);
            found = format!("{name}_{number}");
            *number += 1;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::findings;
    use crate::language::Procedural;
    use crate::test_support::{Example, edge, returned};
    use heapwright_engine::Verification;
    use heapwright_engine::Violation;
    use heapwright_ir::{FaultKind, Position};
    use heapwright_logic::Value;

    /// Names tests, of which none is known never to end unless it is said.
    fn named(tests: &[(&Test, bool)], naming: &Naming, taken: &mut Taken) -> Vec<String> {
        let subject = Example::new().subject();
        let found: Vec<Vec<Finding>> = (tests.iter())
            .map(|(test, _)| findings(&Procedural, &subject, test))
            .collect();
        let unnamed = (tests.iter().zip(&found)).map(|(&(test, never_ends), findings)| Unnamed {
            test,
            findings,
            never_ends,
        });
        name_tests(&subject, unnamed, naming, taken)
    }

    fn ending(tests: &[Test]) -> Vec<(&Test, bool)> {
        tests.iter().map(|test| (test, false)).collect()
    }

    #[test]
    fn conditions_become_words() {
        let check = |text, holds, expected| assert_eq!(holding(text, holds), expected);
        check("t == nil", true, "t_is_nil");
        check("t.left /= nil", false, "t_left_is_nil");
        check("x < t.element", true, "x_below_t_element");
        check("x <= t.element", false, "x_above_t_element");
        check("f(a, b) + 1 >= -2", true, "f_a_b_plus_1_at_least_minus_2");
        check("p->next->key > n->key", true, "p_next_key_above_n_key");
        check("p->is_red", false, "not_p_is_red");
        check("found", false, "not_found");
        check("!found", true, "not_found");
        check("!found", false, "found");
        check("node->next->key >= 3", true, "node_next_key_at_least_3");
        check("(*p)->key > -a", false, "p_key_at_most_minus_a");
        check("++count > a * *b", true, "count_above_a_times_b");
    }

    #[test]
    fn tests_are_named_after_what_they_are_the_first_to_cover() {
        let tests = [
            returned(&[edge(0, 0)]),
            returned(&[edge(0, 1)]),
            returned(&[edge(0, 1)]),
            returned(&[]),
        ];
        let mut taken = Taken::default();
        let names = named(&ending(&tests), &Naming::Snake, &mut taken);
        let expected = [
            "first_x_is_nil",
            "first_x_is_not_nil",
            "first_x_is_not_nil_2",
            "first_returned",
        ];
        assert_eq!(names, expected);
        // Another procedure of the same name part does not get the same names.
        let again = named(&ending(&tests[..1]), &Naming::Snake, &mut taken);
        assert_eq!(again, ["first_x_is_nil_2"]);
    }

    #[test]
    fn names_of_java_tell_tests_apart_by_more_than_numbers() {
        let naming = Naming::Camel {
            prefix: "first".to_owned(),
        };
        let mut other = returned(&[edge(0, 1)]);
        other.run.result = Some(Value::Int(-5));
        let mut violated = returned(&[edge(0, 1)]);
        violated.run.postcondition = Some(Verification::Violated(Violation::IllFormed(
            "no list".to_owned(),
        )));
        let tests = [
            returned(&[edge(0, 0)]),
            returned(&[edge(0, 1)]),
            other.clone(),
            other,
            returned(&[]),
            violated.clone(),
            violated,
        ];
        let names = named(&ending(&tests), &naming, &mut Taken::default());
        let expected = [
            "first_xIsNil",
            "first_xIsNotNil",
            "first_xIsNotNilReturnsMinus5",
            "first_xIsNotNil_2",
            "first_returns",
            "first_violatesPostcondition",
            "first_violatesPostconditionWhenXIsNotNil",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn findings_come_before_coverage() {
        let mut fault = returned(&[edge(0, 0)]);
        fault.run.outcome = Outcome::Fault {
            kind: FaultKind::NullDereference,
            position: Position::default(),
        };
        let mut violated = returned(&[edge(0, 1)]);
        violated.run.postcondition = Some(Verification::Violated(Violation::IllFormed(
            "no list".to_owned(),
        )));
        let mut taken = Taken::default();
        let tests = [(&fault, false), (&violated, false), (&violated, true)];
        let names = named(&tests, &Naming::Snake, &mut taken);
        let expected = [
            "first_null_dereference",
            "first_postcondition_violated",
            "first_never_ends",
        ];
        assert_eq!(names, expected);
    }
}
