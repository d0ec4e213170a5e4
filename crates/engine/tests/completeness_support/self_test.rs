//! Brute force itself: how many inputs there are, and how many paths programs have of which
//! that is known.

use std::collections::BTreeSet;

use heapwright_ir::FaultKind;

use super::heaps::{Bounds, FULL, Reads};
use super::paths::{Collector, End, Paths};
use super::program::{Record, Signature, program};
use super::sample::{Allowed, Sample};
use super::specifications::{
    CASES, Case, DOUBLY, LIST, MARKED, ONE, ONE_AND_NUMBER, TREE, TWO, TWO_AND_NUMBER,
};

/// Bounds for comparisons with something slower.
const SMALL: Bounds = Bounds {
    cells: 2,
    lowest: -1,
    highest: 1,
};

fn signature(
    records: &'static [Record],
    params: &'static [(&'static str, &'static str)],
) -> Signature {
    Signature { records, params }
}

#[test]
fn lists_are_counted_by_a_formula() {
    for cells in 0..=4 {
        for highest in 0..=2i128 {
            let bounds = Bounds {
                cells,
                lowest: 0,
                highest,
            };
            let sample = Sample::empty(&signature(LIST, ONE));
            // A chain of k cells, of which the last one leads to null or to one of the k.
            let values = highest as usize + 1;
            let chains = (1..=cells).map(|k| (k + 1) * values.pow(k as u32));
            let expected = 1 + chains.sum::<usize>();
            assert_eq!(sample.space(bounds).count(), expected);
        }
    }
    let sample = Sample::empty(&signature(LIST, ONE_AND_NUMBER));
    assert_eq!(
        sample.space(FULL).count(),
        5 * (1 + 2 * 5 + 3 * 25 + 4 * 125)
    );
}

/// The inputs that can be reached from their arguments have no symmetries, so each stands for
/// k! ways to number its k cells; and numbered heaps are easily counted.
#[test]
fn shapes_are_as_many_as_numbered_ones_suggest() {
    for records in [LIST, DOUBLY] {
        for params in [ONE, TWO] {
            let sample = Sample::empty(&signature(records, params));
            let fields = records[0].fields.len() - 1;
            let mut expected = 0;
            let mut factorial = 1;
            for cells in 0..=3 {
                factorial *= cells.max(1);
                let numbered = numbered_heaps(params.len(), fields, cells);
                assert_eq!(numbered % factorial, 0);
                expected += numbered / factorial;
                let bounds = Bounds {
                    cells,
                    lowest: 0,
                    highest: 0,
                };
                assert_eq!(sample.space(bounds).count(), expected);
            }
        }
    }
}

/// All ways to fill the arguments and the fields of numbered cells with references that reach
/// every cell. Reference 0 is null.
fn numbered_heaps(arguments: usize, fields: usize, cells: usize) -> usize {
    let slots = arguments + fields * cells;
    let all = (cells + 1).pow(slots as u32);
    let reaches_all = |number: &usize| {
        let reference = |slot: usize| number / (cells + 1).pow(slot as u32) % (cells + 1);
        let mut pending: Vec<usize> = (0..arguments).map(reference).collect();
        let mut reached = vec![false; cells + 1];
        while let Some(next) = pending.pop() {
            if next != 0 && !reached[next] {
                reached[next] = true;
                let first = arguments + (next - 1) * fields;
                pending.extend((first..first + fields).map(reference));
            }
        }
        reached.iter().skip(1).all(|&reached| reached)
    };
    (0..all).filter(reaches_all).count()
}

#[test]
fn preconditions_allow_as_many_inputs_as_formulas_say() {
    // There are five numbers: in -2..2, and as the number of arguments of that type.
    let sum = |term: fn(usize) -> usize, most: usize| -> usize {
        (0..=most).map(|k| term(k) * 5usize.pow(k as u32)).sum()
    };
    let catalan = |k: usize| [1, 1, 2, 5, 14][k];
    let expected = [
        ("list", 5 * sum(|_| 1, 3)),
        // The second argument: null, a node of the list, or a chain of others that ends with
        // null, in the list, or in itself.
        ("list and anything", sum(|k| (k + 1) * (k + 1), 3)),
        // Either the segment ends with null, or with a chain of others as above.
        ("segment", sum(|k| 1 + k * (k + 1), 3)),
        ("two lists", sum(|k| k + 1, 3)),
        ("list of at least one node", 5 * (sum(|_| 1, 3) - 1)),
        ("cell with anything in it", 5481 - 586),
        ("circle", 5 * (sum(|_| 1, 3) - 1)),
        ("lasso", sum(|k| k, 3)),
        ("shared tail", sum(|k| (k + 1) * (k + 2) / 2, 3)),
        ("one list or two", 5 * (586 + sum(|k| k, 3))),
        // Multisets and sets of the five numbers.
        ("sorted list", 5 * (1 + 5 + 15 + 35)),
        ("sorted list from a number on", 56 + 35 + 20 + 10 + 4),
        ("equally long lists", 1 + 25),
        ("list of a given length", 1 + 5 + 25),
        ("number in the first node", 4 * sum(|_| 1, 2)),
        ("marks", 1 + 10 + 100 + 1000),
        ("marked list", 1 + 7 + 49 + 343),
        ("doubly linked list", 5 * sum(|_| 1, 3)),
        ("deque", sum(|_| 1, 3)),
        ("doubly linked circle", sum(|_| 1, 3) - 1),
        (
            "tree",
            5 * (1 + 5 * catalan(1) + 25 * catalan(2) + 125 * catalan(3)),
        ),
        (
            "two trees",
            1 + 5 * catalan(2) + 25 * catalan(3) + 125 * catalan(4),
        ),
        (
            "search tree",
            5 * (1 + 5 * catalan(1) + 10 * catalan(2) + 10 * catalan(3)),
        ),
        ("holder of a list", 5 * 5 * sum(|_| 1, 2)),
        ("holder that counts", sum(|k| (k + 1) * (k + 1), 2)),
        ("queue", sum(|k| (k + 1) * (k + 1), 2)),
    ];
    for (name, expected) in expected {
        let allowed = Allowed::new(Case::named(name));
        assert_eq!(allowed.inputs.len(), expected, "{name}");
    }
}

/// Looking at the shape first loses nothing.
#[test]
fn preconditions_imply_their_shapes() {
    for case in CASES {
        let sample = Sample::empty(&case.signature);
        let space = sample.space(SMALL);
        assert_eq!(
            case.inputs(&space),
            case.inputs_by_formula(&space),
            "{}",
            case.name
        );
    }
}

/// Leaving out inputs that differ in what is not read leaves out no path.
#[test]
fn paths_do_not_depend_on_what_is_not_read() {
    let signatures = [
        signature(LIST, TWO_AND_NUMBER),
        signature(MARKED, ONE_AND_NUMBER),
        signature(TREE, ONE),
        Case::named("queue").signature,
    ];
    let mut left_out = 0;
    for signature in signatures {
        for seed in 0..12 {
            let sample = Sample::random(&signature, None, seed);
            let mut all = Collector::new(&sample.read.program, sample.target);
            let mut some = Collector::new(&sample.read.program, sample.target);
            let bounds = Bounds { cells: 3, ..SMALL };
            let space = sample.space(bounds);
            space.each(&mut |input| {
                all.run(input);
                Reads::ALL
            });
            space.each(&mut |input| some.run(input));
            let paths = |paths: Paths| paths.into_keys().collect::<Vec<_>>();
            assert_eq!(paths(some.paths), paths(all.paths), "{}", sample.text);
            left_out += all.runs - some.runs;
        }
    }
    assert!(left_out > 0);
}

#[test]
fn known_programs_have_their_paths() {
    // A precondition, or none, the parameters, what the program does, and how many paths it has.
    let programs = [
        ("", ONE, "return 0", 1),
        ("", ONE, "return p.next.value", 3),
        ("", ONE, "if (p == p.next) then return 1; return 2", 3),
        ("", TWO, "if (p == q) then return 1; return 2", 2),
        // A number that is too large for these inputs.
        (
            "",
            ONE_AND_NUMBER,
            "if (p.value + n == 5) then return 1; return 2",
            2,
        ),
        (
            "",
            ONE_AND_NUMBER,
            "if (p.value + n == 4) then return 1; return 2",
            3,
        ),
        ("", ONE, "assume p /= nil; return p.value", 1),
        ("", ONE, "assert p /= nil; return p.value", 2),
        // A node, the same node under another name, and no node at all.
        (
            "",
            TWO,
            "p.value := 1; q.value := 2; if (p.value == 1) then return 1; return 2",
            4,
        ),
        (
            "two lists",
            TWO,
            "p.value := 1; q.value := 2; if (p.value == 1) then return 1",
            3,
        ),
        // Freed by one name and used by another.
        ("", TWO, "free p; return q.value", 4),
        ("two lists", TWO, "free p; return q.value", 3),
        ("list and anything", TWO, "free p; return q.value", 4),
        // How many nodes there are: up to three.
        (
            "",
            ONE,
            "int k := 0; while (k < 3 && p /= nil) { p := p.next; k := k + 1 }",
            4,
        ),
        (
            "",
            ONE,
            "int k := 0; while (k < 4 && p /= nil) { p := p.next; k := k + 1 }",
            5,
        ),
        (
            "list",
            ONE_AND_NUMBER,
            "int k := 0; while (k < 4 && p /= nil) { p := p.next; k := k + 1 }",
            4,
        ),
        (
            "list of at least one node",
            ONE_AND_NUMBER,
            "int k := 0; while (k < 4 && p /= nil) { p := p.next; k := k + 1 }",
            3,
        ),
        (
            "circle",
            ONE_AND_NUMBER,
            "int k := 0; while (k < 4 && p /= nil) { p := p.next; k := k + 1 }",
            1,
        ),
        // A list that is in order, and one that need not be.
        (
            "sorted list",
            ONE_AND_NUMBER,
            "if (p.value > p.next.value) then return 1",
            3,
        ),
        (
            "list",
            ONE_AND_NUMBER,
            "if (p.value > p.next.value) then return 1",
            4,
        ),
        // The frame: the other argument may be a node of the list, or one that leads into it.
        (
            "list and anything",
            TWO,
            "if (q == nil) then return 0; if (q.next == p) then return 1",
            3,
        ),
        (
            "segment",
            TWO,
            "if (p == nil) then return 0; if (p == q) then return 1",
            3,
        ),
        (
            "segment",
            TWO,
            "if (p.next == q) then return 1; if (p == q) then return 2",
            4,
        ),
    ];
    for (precondition, params, body, expected) in programs {
        let case = (!precondition.is_empty()).then(|| Case::named(precondition));
        let text = Sample::empty(&signature(LIST, params)).text;
        let text = text.replace("return 0 }", &format!("{body}; return 0 }}"));
        let sample = Sample::new(text, case);
        let paths = match case {
            None => sample.paths(),
            Some(case) => sample.paths_of(&Allowed::new(case).inputs),
        };
        assert_eq!(paths.len(), expected, "{}", sample.text);
    }
}

/// What a comparison complains about.
#[test]
fn missing_paths_and_wrong_inputs_are_noticed() {
    let case = Case::named("list");
    let sample = Sample::new(
        "struct Node { int value; Node next; }
         proc target(Node p, int n) returns int {
            if (p == nil) then return 0;
            return p.next.value
         }"
        .to_owned(),
        Some(case),
    );
    let allowed = Allowed::new(case).inputs;
    let expected = sample.paths_of(&allowed);
    assert_eq!(expected.len(), 3);
    let witnesses: Vec<_> = expected.values().cloned().collect();
    assert!(sample.compare(&expected, &witnesses).is_empty());
    for left_out in 0..3 {
        let mut some = witnesses.clone();
        some.remove(left_out);
        let complaints = sample.compare(&expected, &some);
        assert_eq!(complaints.len(), 1, "{complaints:?}");
        assert!(complaints[0].starts_with("not found"), "{complaints:?}");
    }
    // A list that bites its tail.
    let circle = Allowed::within(Case::named("circle"), SMALL)
        .inputs
        .remove(0);
    let inputs: Vec<_> = witnesses.into_iter().chain([circle]).collect();
    let complaints = sample.compare(&expected, &inputs);
    assert_eq!(complaints.len(), 1, "{complaints:?}");
    assert!(complaints[0].starts_with("not allowed"), "{complaints:?}");
}

/// The generator makes programs of all kinds, and none that the front end rejects.
#[test]
fn random_programs_are_worth_the_trouble() {
    let mut text = String::new();
    let mut ends = BTreeSet::new();
    for case in CASES {
        for (seed, (sample, paths)) in (0..).zip(Allowed::within(case, SMALL).samples(0, 6)) {
            assert_eq!(heapwright_ir::verify(&sample.read.program), Ok(()));
            text.push_str(&sample.text);
            ends.extend(paths.into_keys().map(|path| match path.end {
                End::Returned => None,
                End::Fault(kind, _) => Some(kind),
                End::AssumptionFailed(_) => panic!("such runs are of no interest"),
            }));
            let texts = [seed, seed].map(|seed| program(&case.signature, seed));
            assert_eq!(texts[0], texts[1]);
        }
    }
    for part in [
        "if (",
        "else",
        "while (",
        "assert",
        "assume",
        "free",
        "return",
        "new ",
        "helper(",
        ".next.next",
        "depth - 1",
        "&&",
        "||",
        "!(",
        "== nil",
        "/= nil",
        " + ",
        " - ",
    ] {
        assert!(text.contains(part), "{part}");
    }
    let expected = [
        None,
        Some(FaultKind::NullDereference),
        Some(FaultKind::UseAfterFree),
        Some(FaultKind::InvalidFree),
        Some(FaultKind::AssertionFailed),
    ];
    assert_eq!(ends, BTreeSet::from(expected));
}
