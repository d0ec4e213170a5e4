//! Tests that are written out are correct programs, pass on the program that they were written
//! for, and fail on another one and with another expectation.
//!
//! `UPDATE_EXPECT=1 cargo test --test emit` rewrites the expected texts; review the difference.

mod common;

use std::ops::ControlFlow;
use std::path::Path;

use common::cases::{case, passes, reachable_key, run};
use common::checked_run::{Example, Numbers};
use heapwright_impl::emit::{
    EmitError, Ending, Expectation, Property, Target, TestCase, TestParts, emit, emit_suite,
};
use heapwright_impl::{ImplProgram, read_program};
use heapwright_ir::FaultKind;
use heapwright_ir::machine::{Budget, MachineOutcome};
use heapwright_logic::{Cell, ClassId, Heap, IntType, Loc, Model, Sort, Terms, Value, read_heap};
use heapwright_solver::{Config, Solver};
use heapwright_spec::{Contract, ContractKind};
use proptest::prelude::*;

fn procedure(name: &str) -> Target {
    Target::Procedure(name.to_owned())
}

fn read(text: &str) -> ImplProgram {
    read_program("program.impl", text).unwrap_or_else(|error| panic!("{error}"))
}

/// An input from JSON, with the stack in the order of the inputs.
fn input(program: &ImplProgram, target: &Target, json: &str) -> (Vec<Value>, Heap) {
    let code = &program.program;
    let inputs: Vec<(String, Sort)> = match target {
        Target::Main => {
            let inputs = &program.entry.as_ref().unwrap().inputs;
            inputs.iter().map(|v| (v.name.clone(), v.sort)).collect()
        }
        Target::Procedure(name) => {
            let function = code.function(code.function_named(name).unwrap());
            let params = function.registers.iter().take(function.params as usize);
            params
                .map(|register| (register.name.clone().unwrap(), register.sort))
                .collect()
        }
    };
    let mut terms = Terms::new();
    let variables: Vec<_> = (inputs.iter())
        .map(|(name, sort)| terms.declare(name.as_str(), *sort))
        .collect();
    let lookup = |name: &str| {
        let position = inputs.iter().position(|(input, _)| input == name);
        position.map(|index| variables[index])
    };
    let (stack, heap) = read_heap(&terms, &code.definitions, json, lookup)
        .unwrap_or_else(|error| panic!("{error}"));
    let values = variables.iter().map(|variable| stack[variable]).collect();
    (values, heap)
}

fn case_of<'p>(program: &'p ImplProgram, target: Target, json: &str) -> TestCase<'p> {
    let (inputs, heap) = input(program, &target, json);
    case(program, target, &inputs, &heap).unwrap()
}

/// The programs of `tests/data/emit`, each with an input. The first line says what is tested.
#[test]
fn tests_read_as_expected() {
    for path in common::programs(&Path::new(common::DATA).join("emit")) {
        let program = common::read(&path).unwrap_or_else(|text| panic!("{text}"));
        let text = &program.program.files[0].text;
        let (first, _) = text.split_once('\n').unwrap();
        let target = match first.strip_prefix("// test of ").unwrap() {
            "the statements" => Target::Main,
            name => procedure(name),
        };
        let json = std::fs::read_to_string(path.with_extension("json")).unwrap();
        let mut case = case_of(&program, target, &json);
        case.name = format!("{}_1", path.file_stem().unwrap().to_string_lossy());
        case.comments = vec!["covers what this file is there for".to_owned()];
        let test = emit(&case).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(passes(&test), "{test}");
        common::expect(&path, &test);
        // A test can be taken out of its text, and put around the same program again.
        let parts = TestParts::read(&test).unwrap();
        let own = TestParts::of(&case).unwrap();
        let again = own.with_program("program.impl", text).unwrap();
        assert_eq!(parts.with_program("program.impl", text).unwrap(), again);
        assert!(passes(&again), "{again}");
    }
}

/// Inputs that a precondition allows.
fn inputs(example: &Example, contract: &Contract) -> Vec<Model> {
    let mut terms = example.specification.terms.clone();
    let definitions = &example.specification.definitions;
    let mut solver = Solver::new(&mut terms, definitions, Config::default());
    let mut models = Vec::new();
    for heap in &contract.formula.disjuncts {
        let mut found = 0;
        let mut visit = |enumerated: &mut heapwright_solver::enumerate::Enumerated<'_>| {
            models.push(enumerated.model().unwrap());
            found += 1;
            match found < 12 {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        };
        let enumerated = solver.enumerate(&mut terms, heap, 0..=4, &mut visit);
        enumerated.unwrap();
    }
    models
}

/// Another expectation: one field of one object has another value, which may make an object
/// shared, lost, or part of a cycle.
fn mutated(ending: &Ending, numbers: &mut Numbers) -> Option<Ending> {
    let Ending::Returned {
        result,
        outputs,
        heap,
    } = ending
    else {
        return None;
    };
    let mut heap = heap.clone();
    let choose = |numbers: &mut Numbers, count: usize| numbers.below(count as u64) as usize;
    let locations: Vec<(Loc, ClassId)> = (heap.cells.iter())
        .map(|(&loc, cell)| (loc, cell.class))
        .collect();
    if locations.is_empty() {
        return None;
    }
    let (loc, class) = locations[choose(numbers, locations.len())];
    let cell = heap.cells.get_mut(&loc)?;
    let field = choose(numbers, cell.fields.len());
    cell.fields[field] = match cell.fields[field] {
        Value::Int(value) => Value::Int(value ^ 1),
        Value::Bool(value) => Value::Bool(!value),
        Value::Null | Value::Ref(_) if numbers.below(3) == 0 => Value::Null,
        Value::Null | Value::Ref(_) => {
            let same: Vec<_> = locations.iter().filter(|other| other.1 == class).collect();
            Value::Ref(same[choose(numbers, same.len())].0)
        }
        other => other,
    };
    Some(Ending::Returned {
        result: *result,
        outputs: outputs.clone(),
        heap,
    })
}

/// What the check of a procedure starts from, with the heap behind it.
fn after<'a>(case: &TestCase<'_>, ending: &'a Ending) -> Option<(Vec<Value>, &'a Heap)> {
    let Ending::Returned {
        result,
        outputs,
        heap,
    } = ending
    else {
        return None;
    };
    let arguments = match case.target {
        Target::Main => &[][..],
        Target::Procedure(_) => &case.inputs,
    };
    let roots = (result.iter()).chain(outputs).chain(arguments);
    Some((roots.copied().collect(), heap))
}

#[test]
fn tests_of_the_examples_pass_and_accept_nothing_else() {
    let mut numbers = Numbers(7);
    let (mut accepted, mut rejected) = (0, 0);
    for path in common::examples() {
        let example = Example::at(&path);
        let text = &example.read.program.files[0].text;
        let mut suite = Vec::new();
        for contract in &example.specification.contracts {
            if contract.kind != ContractKind::Pre {
                continue;
            }
            let target = match contract.method.as_str() {
                "main" => Target::Main,
                name => procedure(name),
            };
            for model in inputs(&example, contract) {
                let values: Vec<Value> = (contract.params.iter())
                    .map(|param| {
                        let sort = example.specification.terms.variable(*param).sort;
                        let open = Value::default_of(sort);
                        model.stack.get(param).copied().unwrap_or(open)
                    })
                    .collect();
                let Some(case) = case(&example.read, target.clone(), &values, &model.heap) else {
                    continue;
                };
                let test = emit(&case).unwrap_or_else(|error| panic!("{error}"));
                assert!(passes(&test), "{test}");
                let parts = TestParts::read(&test).unwrap();
                let again = parts.with_program("program.impl", text).unwrap();
                assert!(passes(&again), "{again}");
                for _ in 0..3 {
                    let Some(ending) = mutated(&case.ending, &mut numbers) else {
                        continue;
                    };
                    let mut other = case.clone();
                    other.ending = ending;
                    // An object of another struct does not fit.
                    let Ok(test) = emit(&other) else { continue };
                    let key = |ending| {
                        let (roots, heap) = after(&case, ending).unwrap();
                        reachable_key(&roots, heap)
                    };
                    let same = key(&case.ending) == key(&other.ending);
                    assert_eq!(passes(&test), same, "{test}");
                    accepted += usize::from(same);
                    rejected += usize::from(!same);
                }
                if target != Target::Main && matches!(case.ending, Ending::Returned { .. }) {
                    suite.push(case);
                }
            }
        }
        if !suite.is_empty() {
            let test = emit_suite(&suite).unwrap_or_else(|error| panic!("{error}"));
            assert!(passes(&test), "{test}");
        }
    }
    assert!(accepted > 100 && rejected > 500, "{accepted} {rejected}");
}

const PAIR: &str = "struct N { int v; N a; N b; }\nN x; N y; x := x; y := y";

/// Heaps of up to four objects with two references each, and two roots.
fn heap() -> impl Strategy<Value = (Vec<Value>, Heap)> {
    let reference = || {
        prop_oneof![
            1 => Just(Value::Null),
            3 => (0u32..4).prop_map(|loc| Value::Ref(Loc(loc)))
        ]
    };
    let cell = (0i128..2, reference(), reference()).prop_map(|(value, a, b)| Cell {
        class: ClassId(1),
        fields: vec![Value::Int(value), a, b],
    });
    let roots = prop::collection::vec(reference(), 2);
    (roots, prop::collection::vec(cell, 4)).prop_map(|(roots, cells)| {
        let cells = (0u32..).map(Loc).zip(cells).collect();
        (roots, Heap { cells })
    })
}

/// A heap, and one that is nearly the same: the objects have other names, and perhaps one field
/// has another value.
fn neighbours() -> impl Strategy<Value = [(Vec<Value>, Heap); 2]> {
    let change = (any::<bool>(), 0u32..4, 0usize..3, 0u32..5);
    (heap(), 0u32..4, change).prop_map(|((roots, heap), shift, (change, loc, field, to))| {
        let mut other = heap.clone();
        let fields = &mut other.cells.get_mut(&Loc(loc)).unwrap().fields;
        fields[field] = match (change, field, to) {
            (false, ..) => fields[field],
            (true, 0, _) => Value::Int(i128::from(to % 2)),
            (true, _, 4) => Value::Null,
            (true, _, to) => Value::Ref(Loc(to)),
        };
        let rename = |value: Value| match value {
            Value::Ref(loc) => Value::Ref(Loc((loc.0 + shift) % 4)),
            other => other,
        };
        let cells = other.cells.into_iter().map(|(loc, mut cell)| {
            (cell.fields.iter_mut()).for_each(|field| *field = rename(*field));
            (Loc((loc.0 + shift) % 4), cell)
        });
        let other = Heap {
            cells: cells.collect(),
        };
        let other_roots = roots.iter().map(|&root| rename(root)).collect();
        [(roots, heap), (other_roots, other)]
    })
}

/// A test that sets up one heap and expects another.
fn confront(found: &(Vec<Value>, Heap), expected: &(Vec<Value>, Heap)) -> String {
    let program = read(PAIR);
    let case = TestCase {
        program: &program,
        target: Target::Main,
        name: "pair".to_owned(),
        comments: Vec::new(),
        inputs: found.0.clone(),
        before: found.1.clone(),
        ending: Ending::Returned {
            result: None,
            outputs: expected.0.clone(),
            heap: expected.1.clone(),
        },
    };
    emit(&case).unwrap_or_else(|error| panic!("{error}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn checks_accept_exactly_isomorphic_heaps(pair in neighbours()) {
        let test = confront(&pair[0], &pair[1]);
        let same = reachable_key(&pair[0].0, &pair[0].1) == reachable_key(&pair[1].0, &pair[1].1);
        prop_assert_eq!(passes(&test), same, "{}", test);
    }

    #[test]
    fn unrelated_heaps_are_told_apart(a in heap(), b in heap()) {
        let test = confront(&a, &b);
        let same = reachable_key(&a.0, &a.1) == reachable_key(&b.0, &b.1);
        prop_assert_eq!(passes(&test), same, "{}", test);
    }

    /// Texts that are tests only in part are refused, or give tests that can be run.
    #[test]
    fn damaged_tests_are_refused_or_run(a in heap(), cut in 0usize..40, count in 0usize..6) {
        let test = confront(&a, &a);
        let kept = test.lines().enumerate().filter(|(at, _)| !(cut..cut + count).contains(at));
        let damaged: String = kept.map(|(_, line)| format!("{line}\n")).collect();
        let around = TestParts::read(&damaged).and_then(|parts| parts.with_program("p.impl", PAIR));
        match around {
            // Panics if this is not a program without inputs.
            Ok(test) => drop(run(&test)),
            Err(error) => prop_assert!(count > 0, "{error}"),
        }
    }

    /// A check that accepts too much does not matter here: what was built is looked at directly.
    #[test]
    fn setups_build_the_input(a in heap()) {
        let (outcome, heap) = run(&confront(&a, &a));
        prop_assert_eq!(outcome, MachineOutcome::Returned(None));
        // Everything that was made can be reached from the roots, so their images are found by
        // trying: some choice of roots makes the heaps isomorphic.
        let values = || std::iter::once(Value::Null).chain(heap.cells.keys().map(|&loc| Value::Ref(loc)));
        let wanted = reachable_key(&a.0, &a.1);
        let mut choices = values().flat_map(|x| values().map(move |y| [x, y]));
        prop_assert!(choices.any(|roots| reachable_key(&roots, &heap) == wanted));
    }
}

/// Every heap passes the check of itself and of no other.
#[test]
fn small_differences_are_noticed() {
    let heaps = [
        ("two equal leaves", &[(1, 2, 3), (2, 0, 0), (2, 0, 0)][..]),
        ("another value", &[(1, 2, 3), (2, 0, 0), (3, 0, 0)]),
        ("the leaves are one", &[(1, 2, 2), (2, 0, 0)]),
        ("one leaf is missing", &[(1, 2, 0), (2, 0, 0)]),
        ("the other leaf is missing", &[(1, 0, 2), (2, 0, 0)]),
        (
            "there is one more",
            &[(1, 2, 3), (2, 4, 0), (2, 0, 0), (2, 0, 0)],
        ),
        (
            "the new one is shared",
            &[(1, 2, 3), (2, 4, 0), (2, 4, 0), (2, 0, 0)],
        ),
        ("cyclic instead of nil", &[(1, 2, 3), (2, 1, 0), (2, 0, 0)]),
        ("both cyclic", &[(1, 2, 3), (2, 1, 0), (2, 1, 0)]),
        ("cyclic in themselves", &[(1, 2, 3), (2, 2, 0), (2, 3, 0)]),
        ("cyclic in each other", &[(1, 2, 3), (2, 3, 0), (2, 2, 0)]),
        ("cyclic in one of them", &[(1, 2, 3), (2, 3, 0), (2, 3, 0)]),
        ("nothing at all", &[]),
    ];
    let built: Vec<_> = (heaps.iter())
        .map(|(_, cells)| {
            let reference = |to: u32| match to {
                0 => Value::Null,
                to => Value::Ref(Loc(to)),
            };
            let objects = (1u32..).zip(*cells).map(|(loc, &(value, a, b))| {
                let fields = vec![Value::Int(value), reference(a), reference(b)];
                let class = ClassId(1);
                (Loc(loc), Cell { class, fields })
            });
            let heap = Heap {
                cells: objects.collect(),
            };
            let root = reference(u32::from(!cells.is_empty()));
            (vec![root, root], heap)
        })
        .collect();
    for ((found_name, _), found) in heaps.iter().zip(&built) {
        for ((expected_name, _), expected) in heaps.iter().zip(&built) {
            let test = confront(found, expected);
            let same = found_name == expected_name;
            assert_eq!(
                passes(&test),
                same,
                "{found_name} for {expected_name}:\n{test}"
            );
        }
    }
}

/// Each of these changes is noticed by the test of one run.
#[test]
fn changed_programs_fail() {
    const LIST: &str = r##"{ "stack": { "first": "#1", "x": 2, "position": 1 }, "objects": {
        "#1": { "class": "ListNode", "value": 1, "next": "#2" },
        "#2": { "class": "ListNode", "value": 2, "next": "#3" },
        "#3": { "class": "ListNode", "value": 2, "next": null } } }"##;
    let list = |names: &[&str]| {
        let mut json = LIST.to_owned();
        for name in ["x", "position"] {
            if !names.contains(&name) {
                let value = if name == "x" { 2 } else { 1 };
                json = json.replace(&format!(", \"{name}\": {value}"), "");
            }
        }
        json
    };
    let tree = r##"{ "stack": { "t": "#1", "x": -1 }, "objects": {
        "#1": { "class": "TreeNode", "value": 5, "left": "#2", "right": null },
        "#2": { "class": "TreeNode", "value": 3, "left": null, "right": null } } }"##;
    let stack = r##"{ "stack": { "stack": "#1" }, "objects": {
        "#1": { "class": "Stack", "top": "#2", "size": 1 },
        "#2": { "class": "ListNode", "value": 3, "next": null } } }"##;
    let removal = list(&["x"]);
    let insertion = list(&["x", "position"]);
    let plain = list(&[]);
    let changes = [
        (
            "list.impl",
            "remove",
            &removal,
            ("first.value == x", "first.value /= x"),
        ),
        (
            "list.impl",
            "remove",
            &removal,
            ("before.next := before.next.next", "skip"),
        ),
        (
            "list.impl",
            "insert",
            &insertion,
            ("new ListNode(x, before.next)", "new ListNode(x, nil)"),
        ),
        (
            "list.impl",
            "insert",
            &insertion,
            ("new ListNode(x, before.next)", "new ListNode(x, first)"),
        ),
        (
            "list.impl",
            "reverse",
            &plain,
            ("ListNode reversed := nil", "ListNode reversed := first"),
        ),
        (
            "list.impl",
            "length",
            &plain,
            ("int count := 0", "int count := 1"),
        ),
        (
            "search_tree.impl",
            "insert",
            &tree.to_owned(),
            (
                "new TreeNode(x, nil, nil)",
                "new TreeNode(x, new TreeNode(x, nil, nil), nil)",
            ),
        ),
        (
            "search_tree.impl",
            "insert",
            &tree.to_owned(),
            ("x < t.value", "x > t.value"),
        ),
        (
            "search_tree.impl",
            "contains",
            &tree.to_owned(),
            ("return t /= nil", "return t == nil"),
        ),
        (
            "stack.impl",
            "pop",
            &stack.to_owned(),
            ("stack.size - 1", "stack.size + 1"),
        ),
        (
            "stack.impl",
            "pop",
            &stack.to_owned(),
            ("stack.top := node.next", "skip"),
        ),
        (
            "stack.impl",
            "clear",
            &stack.to_owned(),
            ("assert stack.size == 0", "stack.size := 1"),
        ),
    ];
    for (example, name, json, (old, new)) in changes {
        let program = common::example(example);
        let case = case_of(&program, procedure(name), json);
        let test = emit(&case).unwrap();
        assert!(passes(&test), "{test}");
        let text = &program.program.files[0].text;
        assert!(text.contains(old), "{example}: {old}");
        let changed = text.replace(old, new);
        let parts = TestParts::read(&test).unwrap();
        let test = parts.with_program(example, &changed).unwrap();
        assert!(!passes(&test), "{test}");
    }
}

/// A refactored program passes, whatever its new variables are called (Fig. 7 of the paper).
#[test]
fn refactored_programs_pass() {
    let program = read("struct N { N a; N b; } y := x; y.a := x.b; z := y.a;");
    let json = r##"{ "stack": { "x": "#1" }, "objects": {
        "#1": { "class": "N", "a": "#2", "b": "#3" },
        "#2": { "class": "N", "a": "#3", "b": "#2" },
        "#3": { "class": "N", "a": "#3", "b": "#2" } } }"##;
    let case = case_of(&program, Target::Main, json);
    let test = emit(&case).unwrap();
    assert!(passes(&test), "{test}");
    assert!(test.contains("n1") && test.contains("found1"), "{test}");
    let parts = TestParts::read(&test).unwrap();
    assert_eq!(parts, TestParts::of(&case).unwrap());
    let refactored = "struct N { N a; N b; }
        N x; N n1 := x; N found1 := n1.b; n1.a := found1; z := found1; y := x; found2 := 3;";
    let test = parts.with_program("refactored.impl", refactored).unwrap();
    assert!(passes(&test), "{test}");
    let wrong = refactored.replace("z := found1", "z := n1");
    let test = parts.with_program("wrong.impl", &wrong).unwrap();
    assert!(!passes(&test), "{test}");
    let incomplete = parts.with_program("incomplete.impl", "struct N { N a; N b; } N x; y := x");
    assert!(
        matches!(&incomplete, Err(EmitError::NoValue(names)) if names == &["z"]),
        "{incomplete:?}"
    );
    let needy = refactored.replace("found2 := 3", "found2 := n");
    let needy = parts.with_program("needy.impl", &needy);
    assert!(
        matches!(&needy, Err(EmitError::NoValue(names)) if names == &["n"]),
        "{needy:?}"
    );
    let other = parts.with_program("other.impl", "proc f() {}");
    assert!(matches!(other, Err(EmitError::NoStatements)), "{other:?}");
    let broken = parts.with_program("broken.impl", "x := ");
    assert!(matches!(broken, Err(EmitError::Rejected(_))), "{broken:?}");
}

/// `return` outside of procedures ends the program under test, but not the test.
#[test]
fn returns_do_not_skip_the_check() {
    let text = "list b; // the list\nstruct list { int value; list next; }
        if b == nil then { n := -1; return }
        n := 0; int k := 5;
        while (true) {
            int double; if b == nil then return else double := 2 * b.value;
            n := n + double; { b := b.next; if n > 10 then { k := 1; return } }
            k := k + 1
        }";
    let program = read(text);
    let names: Vec<_> = (program.entry.as_ref().unwrap().inputs.iter())
        .map(|input| input.name.as_str())
        .collect();
    assert_eq!(names, ["b", "k"]);
    for (values, n, k) in [
        (&[][..], -1, 9),
        (&[1][..], 2, 6),
        (&[1, 2, 3, 4][..], 12, 1),
        (&[6][..], 12, 1),
    ] {
        let count = values.len() as u32;
        let next = |loc: u32| match loc < count {
            true => Value::Ref(Loc(loc + 1)),
            false => Value::Null,
        };
        let cells = (1u32..).zip(values).map(|(loc, &value)| {
            let fields = vec![Value::Int(value), next(loc)];
            let class = ClassId(1);
            (Loc(loc), Cell { class, fields })
        });
        let heap = Heap {
            cells: cells.collect(),
        };
        let inputs = [next(0), Value::Int(9)];
        let mut case = case(&program, Target::Main, &inputs, &heap).unwrap();
        let test = emit(&case).unwrap();
        assert!(passes(&test), "{test}");
        assert!(test.contains(&format!("n == {n}")), "{test}");
        assert!(test.contains(&format!("k == {k}")), "{test}");
        let Ending::Returned { outputs, .. } = &mut case.ending else {
            panic!("{:?}", case.ending);
        };
        let last = outputs.last_mut().unwrap();
        *last = Value::Int(77);
        let test = emit(&case).unwrap();
        assert!(!passes(&test), "{test}");
    }
}

#[test]
fn many_returns_are_too_many() {
    for (count, accepted) in [(40, true), (2_000, false)] {
        let program = read(&"x := x + 1; if x > 20 then return; ".repeat(count));
        let case = case(&program, Target::Main, &[Value::Int(0)], &Heap::default()).unwrap();
        match emit(&case) {
            Ok(test) => assert!(
                accepted && passes(&test) && test.contains("x == 21"),
                "{test}"
            ),
            Err(error) => assert!(!accepted && matches!(error, EmitError::TooManyReturns)),
        }
    }
}

#[test]
fn faults_are_expected_in_their_line() {
    let program = common::example("stack.impl");
    let json = r##"{ "stack": { "stack": "#1" }, "objects": {
        "#1": { "class": "Stack", "top": null, "size": 0 } } }"##;
    let case = case_of(&program, procedure("pop"), json);
    let test = emit(&case).unwrap();
    let Some(Expectation::Fault { kind, line }) = Expectation::read(&test).unwrap() else {
        panic!("{test}");
    };
    assert_eq!(kind, FaultKind::AssertionFailed);
    let line = test.lines().nth(line.unwrap() as usize - 1).unwrap();
    assert_eq!(line.trim(), "assert stack.top /= nil;");
    assert!(passes(&test), "{test}");
    assert!(!test.contains("check phase"), "{test}");
    // Another fault, the same fault in another line, or none at all are something else.
    for (old, new, same) in [
        ("\n    assert stack.top /= nil;", "\n    skip;", false),
        (
            "\n    assert stack.top /= nil;",
            "\n\n    assert stack.top /= nil;",
            false,
        ),
        ("stack.size := stack.size - 1;", "skip;", true),
    ] {
        let changed = test.replace(old, new);
        assert_eq!(passes(&changed), same, "{changed}");
    }
    let text = &program.program.files[0].text;
    let parts = TestParts::read(&test).unwrap();
    let later = format!("// one\n// two\n{text}");
    let moved = parts.with_program("stack.impl", &later).unwrap();
    assert!(passes(&moved), "{moved}");
    let fixed = text.replace(
        "assert stack.top /= nil;",
        "if (stack.top == nil) then return 0;",
    );
    let fixed = parts.with_program("stack.impl", &fixed).unwrap();
    assert!(!passes(&fixed), "{fixed}");
}

#[test]
fn statements_go_wrong_in_their_line() {
    let text = "// first\nstruct T { T t; }\n\n// second\nT x; T y :=\n x; y := y.t;\n\nproc f() {}\n\
                // third\nx := /* the\n place */ y.t.t; y := x";
    let program = read(text);
    let json = r##"{ "stack": { "x": "#1" }, "objects": { "#1": { "class": "T", "t": null } } }"##;
    let case = case_of(&program, Target::Main, json);
    let test = emit(&case).unwrap();
    assert!(passes(&test), "{test}");
    let Some(Expectation::Fault { kind, line }) = Expectation::read(&test).unwrap() else {
        panic!("{test}");
    };
    assert_eq!(kind, FaultKind::NullDereference);
    let line = test.lines().nth(line.unwrap() as usize - 1).unwrap();
    assert_eq!(line, " place */ y.t.t; y := x;");
}

#[test]
fn endless_runs_are_expected_to_run_out_of_steps() {
    let program = read("while (x.tail /= nil) { x := x.tail }");
    let json = r##"{ "stack": { "x": "#1" }, "objects": {
        "#1": { "class": "cons", "head": 0, "tail": "#1" } } }"##;
    let case = case_of(&program, Target::Main, json);
    assert_eq!(case.ending, Ending::OutOfBudget(Budget::Steps));
    let test = emit(&case).unwrap();
    assert!(passes(&test), "{test}");
    let ends = TestParts::read(&test)
        .unwrap()
        .with_program("p.impl", "x := x.tail")
        .unwrap();
    assert!(!passes(&ends), "{ends}");
}

#[test]
fn every_type_has_its_extreme_values() {
    let mut fields = String::new();
    let mut values = Vec::new();
    for ty in IntType::ALL {
        for (end, value) in [("min", ty.min()), ("max", ty.max())] {
            fields.push_str(&format!("{ty} {ty}_{end}; "));
            values.push(Value::Int(value));
        }
    }
    let text = format!(
        "struct all {{ bool yes; bool no; {fields}}}
         proc same(all a, long l, ulong u, bool b) returns all {{ return a; }}"
    );
    let program = read(&text);
    let mut contents = vec![Value::Bool(true), Value::Bool(false)];
    contents.extend(values);
    let heap = |fields: &[Value]| {
        let cell = Cell {
            class: ClassId(1),
            fields: fields.to_vec(),
        };
        Heap {
            cells: [(Loc(1), cell)].into(),
        }
    };
    let inputs = [
        Value::Ref(Loc(1)),
        Value::Int(IntType::I64.min()),
        Value::Int(IntType::U64.max()),
        Value::Bool(true),
    ];
    let case = case(&program, procedure("same"), &inputs, &heap(&contents)).unwrap();
    assert!(passes(&emit(&case).unwrap()));
    for index in 0..contents.len() {
        let mut contents = contents.clone();
        contents[index] = match contents[index] {
            Value::Bool(value) => Value::Bool(!value),
            Value::Int(value) if value > 0 => Value::Int(value - 1),
            Value::Int(value) => Value::Int(value + 1),
            other => panic!("{other}"),
        };
        let mut other = case.clone();
        other.ending = Ending::Returned {
            result: Some(Value::Ref(Loc(1))),
            outputs: Vec::new(),
            heap: heap(&contents),
        };
        let test = emit(&other).unwrap();
        assert!(!passes(&test), "{test}");
    }
}

#[test]
fn freed_objects_are_not_looked_into() {
    let text = "struct N { int v; N next; }
        proc drop(N first, N second) returns N { N n := first.next; free n; free second; return n; }";
    let program = read(text);
    let json = r##"{ "stack": { "first": "#1", "second": "#3" }, "objects": {
        "#1": { "class": "N", "v": 1, "next": "#2" },
        "#2": { "class": "N", "v": 2, "next": null },
        "#3": { "class": "N", "v": 2, "next": null } } }"##;
    let case = case_of(&program, procedure("drop"), json);
    let test = emit(&case).unwrap();
    assert!(passes(&test), "{test}");
    assert!(test.contains("first.next == result"), "{test}");
    for (old, new) in [("return n", "return second"), ("return n", "return first")] {
        let changed = text.replace(old, new);
        let parts = TestParts::of(&case).unwrap();
        let test = parts.with_program("p.impl", &changed).unwrap();
        assert!(!passes(&test), "{test}");
    }
}

#[test]
fn long_lists_are_no_problem() {
    let program = common::example("list.impl");
    let length = 600;
    let cells = (1..=length).map(|loc| {
        let next = match loc < length {
            true => Value::Ref(Loc(loc + 1)),
            false => Value::Null,
        };
        let fields = vec![Value::Int(7), next];
        let class = ClassId(1);
        (Loc(loc), Cell { class, fields })
    });
    let heap = Heap {
        cells: cells.collect(),
    };
    let input = [Value::Ref(Loc(1))];
    let case = case(&program, procedure("reverse"), &input, &heap).unwrap();
    let test = emit(&case).unwrap();
    assert!(passes(&test));
    // All are equal, but the end of the list tells them apart.
    assert!(!test.contains("/= found"), "{test}");
}

#[test]
fn suites_run_all_tests_and_refuse_what_they_cannot_run() {
    let program = common::example("stack.impl");
    let full = r##"{ "stack": { "stack": "#1" }, "objects": {
        "#1": { "class": "Stack", "top": "#2", "size": 1 },
        "#2": { "class": "ListNode", "value": 3, "next": null } } }"##;
    let empty = r##"{ "stack": { "stack": "#1" }, "objects": {
        "#1": { "class": "Stack", "top": null, "size": 0 } } }"##;
    let mut cases = Vec::new();
    for (name, json) in [("pop", full), ("clear", full), ("is_empty", empty)] {
        let mut case = case_of(&program, procedure(name), json);
        case.name = name.to_owned();
        case.comments = vec![format!("covers {name}")];
        cases.push(case);
    }
    let suite = emit_suite(&cases).unwrap();
    assert!(passes(&suite), "{suite}");
    common::expect(&Path::new(common::DATA).join("suite/stack"), &suite);
    for index in 0..cases.len() {
        let mut wrong = cases.clone();
        let Ending::Returned { heap, .. } = &mut wrong[index].ending else {
            panic!("{:?}", wrong[index].ending);
        };
        heap.cells.get_mut(&Loc(1)).unwrap().fields[1] = Value::Int(5);
        let suite = emit_suite(&wrong).unwrap();
        assert!(!passes(&suite), "{suite}");
    }
    let refused = |case: TestCase<'_>| {
        let result = emit_suite(&[case]);
        assert!(
            matches!(result, Err(EmitError::NotForSuites(..))),
            "{result:?}"
        );
    };
    refused(case_of(&program, procedure("pop"), empty));
    let statements = read("x := 1");
    refused(case(&statements, Target::Main, &[], &Heap::default()).unwrap());
    assert_eq!(emit_suite(&[]).unwrap(), "");
}

#[test]
fn what_does_not_fit_is_refused() {
    let program = common::example("list.impl");
    let json = r##"{ "stack": { "first": "#1", "x": 1 }, "objects": {
        "#1": { "class": "ListNode", "value": 1, "next": null } } }"##;
    let good = case_of(&program, procedure("remove"), json);
    assert!(emit(&good).is_ok());
    let refused = |change: &dyn Fn(&mut TestCase<'_>)| {
        let mut case = good.clone();
        change(&mut case);
        emit(&case).unwrap_err().to_string()
    };
    let messages = [
        refused(&|case| case.target = procedure("removal")),
        refused(&|case| case.target = Target::Main),
        refused(&|case| case.inputs.truncate(1)),
        refused(&|case| case.inputs[1] = Value::Null),
        refused(&|case| case.inputs[1] = Value::Int(1 << 40)),
        refused(&|case| case.inputs[0] = Value::Ref(Loc(9))),
        refused(&|case| {
            case.before
                .cells
                .get_mut(&Loc(1))
                .unwrap()
                .fields
                .truncate(1)
        }),
        refused(&|case| case.before.cells.get_mut(&Loc(1)).unwrap().class = ClassId(9)),
        refused(&|case| case.before.cells.get_mut(&Loc(1)).unwrap().class = ClassId::ANY),
        refused(&|case| {
            case.ending = Ending::Returned {
                result: Some(Value::Int(1)),
                outputs: Vec::new(),
                heap: Heap::default(),
            }
        }),
        refused(&|case| {
            case.ending = Ending::Returned {
                result: None,
                outputs: vec![Value::Null],
                heap: Heap::default(),
            }
        }),
    ];
    assert_eq!(
        messages,
        [
            "the program has no procedure `removal`",
            "the program has no statements outside of procedures",
            "inputs: 2 values expected, 1 given",
            "`x` has a value of another type",
            "`x` has a value of another type",
            "the input refers to #9, where there is no object",
            "the cell #1 does not have the fields of its struct",
            "the cell #1 does not have the fields of its struct",
            "the cell #1 does not have the fields of its struct",
            "`result` has a value of another type",
            "outputs: 0 values expected, 1 given",
        ]
    );
    // The statements of a test are the function `main`, so a procedure cannot be called like that.
    let main = read("proc main() {}");
    let main = case(&main, procedure("main"), &[], &Heap::default()).unwrap();
    assert!(matches!(emit(&main), Err(EmitError::Rejected(_))));
    let text = emit(&good).unwrap();
    for missing in [
        "//! test: test\n",
        "//! target: remove\n",
        "//! setup phase\n",
    ] {
        let result = TestParts::read(&text.replace(missing, ""));
        assert!(
            matches!(result, Err(EmitError::NotATest(_))),
            "{missing}: {result:?}"
        );
    }
}

/// A test for a run that should have ended otherwise says what it is for and asserts nothing of what
/// was wrong.
#[test]
fn wrong_results_are_not_asserted() {
    let text = "struct Node { int value; Node next; }
        proc push(Node list) returns Node { return list; }";
    let program = read(text);
    let json = r##"{"stack": {"list": "#1"}, "objects": {"#1": {"class": "Node", "value": 1, "next": null}}}"##;
    let mut case = case_of(&program, procedure("push"), json);
    let property = Property {
        specification: "push.sl".to_owned(),
        input: json.to_owned(),
    };
    case.ending = Ending::Wrong {
        property: Some(property.clone()),
    };
    let test = emit(&case).expect("a test");
    let expectation = Expectation::read(&test).expect("an expectation");
    assert_eq!(expectation, Some(Expectation::Returned), "{test}");
    assert!(!test.contains("assert"), "{test}");
    let parts = TestParts::read(&test).expect("parts");
    assert_eq!(parts.property, Some(property));
    let other = text.replace("return list", "return new Node(2, list)");
    let changed = parts.with_program("other.impl", &other).expect("a test");
    assert!(
        changed.contains("//! postcondition: push.sl\n//! input: {"),
        "{changed}"
    );
    let alone = TestParts::program_of(&changed).expect("a program");
    assert!(!alone.contains("setup"), "{alone}");
    assert_eq!(alone.lines().count(), changed.lines().count());
    assert!(read(&alone).entry.is_none(), "{alone}");
}
