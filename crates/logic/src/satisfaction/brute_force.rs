//! The satisfaction relation a second way: every disjunct, every assignment, every split of the
//! heap. Only for tiny heaps, and only as good as its domain: the random formulas bound their
//! quantified integers so that nothing outside matters.

use std::cell::RefCell;
use std::collections::HashMap;

use proptest::prelude::*;

use crate::eval::same_value;
use crate::test_support::World;
use crate::*;

const INTEGERS: [Value; 4] = [Value::Int(0), Value::Int(1), Value::Int(2), Value::Int(3)];

struct BruteForce<'a> {
    world: &'a World,
    heap: &'a Heap,
    /// What is known about instances: their meaning depends on arguments and cells only.
    known: RefCell<HashMap<Key, bool>>,
}

/// An instance: predicate, arguments and cells.
type Key = (PredId, Assignment, Vec<Loc>);

type Assignment = Vec<(VarId, Value)>;

impl BruteForce<'_> {
    fn domain(&self, variable: VarId) -> Vec<Value> {
        match self.world.terms.variable(variable).sort {
            Sort::Ref(_) => {
                // The addresses that heaps and stacks use, whether allocated or not, and two more
                // so that quantified references can dangle apart from each other.
                let addresses = [1, 2, 3, 7, 8, 9].map(|loc| Value::Ref(Loc(loc)));
                addresses.into_iter().chain([Value::Null]).collect()
            }
            _ => INTEGERS.to_vec(),
        }
    }

    /// Whether exactly the cells `part` satisfy one of the disjuncts.
    fn satisfies(&self, disjuncts: &[SymbolicHeap], outer: &Assignment, part: &[Loc]) -> bool {
        disjuncts.iter().any(|heap| {
            let mut assignments = vec![outer.clone()];
            for &variable in &heap.exists {
                assignments = (assignments.iter())
                    .flat_map(|assignment| {
                        self.domain(variable).into_iter().map(|value| {
                            let mut extended = assignment.clone();
                            extended.push((variable, value));
                            extended
                        })
                    })
                    .collect();
            }
            (assignments.iter()).any(|assignment| self.heap_holds(heap, assignment, part))
        })
    }

    fn value(&self, term: TermId, assignment: &Assignment) -> Value {
        let lookup = |variable| assignment.iter().find(|e| e.0 == variable).map(|e| e.1);
        evaluate(&self.world.terms, term, lookup).unwrap()
    }

    fn heap_holds(&self, heap: &SymbolicHeap, assignment: &Assignment, part: &[Loc]) -> bool {
        let mut rest = part.to_vec();
        for cell in &heap.points_to {
            let Value::Ref(loc) = self.value(cell.source, assignment) else {
                return false;
            };
            let Some(at) = rest.iter().position(|&other| other == loc) else {
                return false;
            };
            rest.remove(at);
            let fields = &self.heap.cells[&loc].fields;
            let equal = (cell.fields.iter().zip(fields))
                .all(|(&term, &field)| same_value(self.value(term, assignment), field));
            if !equal {
                return false;
            }
        }
        (heap.pure.iter()).all(|&term| self.value(term, assignment) == Value::Bool(true))
            && self.split(&heap.instances, assignment, &rest)
    }

    fn split(&self, instances: &[Instance], assignment: &Assignment, part: &[Loc]) -> bool {
        let Some((first, others)) = instances.split_first() else {
            return part.is_empty();
        };
        let predicate = self.world.definitions.predicate(first.predicate);
        let arguments = first.args.iter().map(|&arg| self.value(arg, assignment));
        let bound: Assignment = predicate.params.iter().copied().zip(arguments).collect();
        (0..1u32 << part.len()).any(|mask| {
            let (mut inside, mut outside) = (Vec::new(), Vec::new());
            for (index, &loc) in part.iter().enumerate() {
                match mask >> index & 1 {
                    1 => inside.push(loc),
                    _ => outside.push(loc),
                }
            }
            self.instance_holds(first.predicate, &bound, &inside)
                && self.split(others, assignment, &outside)
        })
    }

    fn instance_holds(&self, predicate: PredId, bound: &Assignment, part: &[Loc]) -> bool {
        let key = (predicate, bound.clone(), part.to_vec());
        if let Some(&known) = self.known.borrow().get(&key) {
            return known;
        }
        let disjuncts = &self.world.definitions.predicate(predicate).disjuncts;
        let holds = self.satisfies(disjuncts, bound, part);
        self.known.borrow_mut().insert(key, holds);
        holds
    }
}

/// A disjunct of `p(x, y, n)` over `Cell(item, next)`.
fn disjunct() -> impl Strategy<Value = String> {
    let reference = || prop_oneof![Just("x"), Just("y"), Just("t"), Just("u"), Just("null")];
    let number = || {
        prop_oneof![
            Just("n"),
            Just("d"),
            Just("m"),
            Just("0"),
            Just("1"),
            Just("2")
        ]
    };
    let instance =
        (reference(), reference(), number()).prop_map(|(a, b, k)| format!(" * p({a}, {b}, {k})"));
    let pure = prop_oneof![
        3 => (reference(), prop_oneof![Just("="), Just("!=")], reference())
            .prop_map(|(a, op, b)| format!(" & {a} {op} {b}")),
        3 => (number(), prop_oneof![Just("="), Just("!="), Just("<="), Just("<")], number(),
              prop_oneof![Just(""), Just(" + 1")])
            .prop_map(|(a, op, b, plus)| format!(" & {a} {op} {b}{plus}")),
        1 => (number(), number(), number())
            .prop_map(|(a, b, c)| format!(" & {a} = max({b}, {c})")),
        1 => (number(), number(), reference(), reference())
            .prop_map(|(a, b, r, s)| format!(" & {a} < {b} || {r} = {s}")),
    ];
    let bounded = "& 0 <= m & m <= 3 & 0 <= d & d <= 3";
    let cell = (
        prop_oneof![3 => Just("x"), 1 => Just("y"), 1 => Just("t")],
        prop_oneof![3 => Just("t"), 1 => Just("u"), 1 => Just("y"), 1 => Just("null")],
        proptest::collection::vec(instance, 0..3),
        proptest::collection::vec(pure.clone(), 0..3),
    );
    prop_oneof![
        // Recursion only next to a cell, so that every derivation is finite.
        2 => cell.prop_map(move |(source, next, instances, pure)| format!(
            "exists d: integer, t: Cell, u: Cell, m: integer. {source} -> Cell(d, {next}){} {bounded}{}",
            instances.concat(), pure.concat()
        )),
        1 => proptest::collection::vec(pure, 0..3).prop_map(move |pure| format!(
            "exists d: integer, t: Cell, u: Cell, m: integer. emp {bounded}{}", pure.concat()
        )),
    ]
}

fn reference() -> impl Strategy<Value = Value> {
    prop_oneof![
        2 => Just(Value::Null),
        6 => (1u32..4).prop_map(|loc| Value::Ref(Loc(loc))),
        1 => Just(Value::Ref(Loc(7))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]
    #[test]
    fn both_ways_agree(
        disjuncts in proptest::collection::vec(disjunct(), 1..4),
        items in proptest::collection::vec((0i128..4, reference()), 0..3),
        roots in (reference(), reference(), 0i128..4),
    ) {
        let mut world = World::default();
        world.class("Cell { item: int, next: Cell }");
        let texts: Vec<&str> = disjuncts.iter().map(String::as_str).collect();
        world.predicate("p(x: Cell, y: Cell, n: integer)", &texts);
        world.declare("a: Cell, b: Cell, k: integer");
        let formula = world.formula(&["p(a, b, k)"]);
        let class = world.definitions.class_named("Cell").unwrap();
        let heap = Heap {
            cells: (items.iter().enumerate())
                .map(|(index, &(item, next))| {
                    let fields = vec![Value::Int(item), next];
                    (Loc(index as u32 + 1), Cell { class, fields })
                })
                .collect(),
        };
        let stack: Stack = [
            (world.variable("a"), roots.0),
            (world.variable("b"), roots.1),
            (world.variable("k"), Value::Int(roots.2)),
        ].into_iter().collect();
        let outer: Assignment = stack.iter().map(|(&variable, &value)| (variable, value)).collect();
        let all: Vec<Loc> = heap.cells.keys().copied().collect();
        let expected = BruteForce { world: &world, heap: &heap, known: RefCell::default() }
            .satisfies(&formula.disjuncts, &outer, &all);
        let (terms, definitions) = (&world.terms, &world.definitions);
        let budget = Budget { steps: 100_000 };
        match find_derivation(terms, definitions, &formula, &stack, &heap, budget) {
            Ok(witness) => {
                prop_assert!(expected, "{:?}", disjuncts);
                let model = Model { stack: witness.stack, heap, derivation: witness.derivation };
                prop_assert_eq!(verify(terms, definitions, &formula, &model), Ok(()));
            }
            Err(Failure::Unsatisfied { reason }) => prop_assert!(!expected, "{}", reason),
            Err(other) => prop_assert!(false, "{}", other),
        }
    }
}
