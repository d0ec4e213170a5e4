//! Large and deeply nested inputs: an answer in good time, never a stack overflow.

use std::time::{Duration, Instant};

use heapwright_spec::{
    Environment, Source, SpecError, Specification, no_imports, read_specification,
};

const PRELUDE: &str = "data Node { int value; Node next; }\n\
                       pred list(x) := emp & x = null | exists n. x -> Node(_, n) * list(n);\n";

/// Far more than any of these needs, and far less than anything quadratic would take.
const PATIENCE: Duration = Duration::from_secs(30);

fn read(text: String) -> Result<Specification, SpecError> {
    let started = Instant::now();
    let source = Source {
        name: "large.sl".to_owned(),
        text: format!("{PRELUDE}{text}"),
    };
    let result = read_specification(source, Environment::default(), &mut no_imports);
    let needed = started.elapsed();
    assert!(needed < PATIENCE, "took {needed:?}");
    result
}

fn numbered(count: usize, separator: &str, item: impl Fn(usize) -> String) -> String {
    let items: Vec<_> = (0..count).map(item).collect();
    items.join(separator)
}

#[test]
fn many_declarations() {
    let text = numbered(30_000, "\n", |i| {
        format!("pred p{i}(x) := list(x) & x != null;")
    });
    assert_eq!(read(text).unwrap().definitions.predicates().count(), 30_001);
}

#[test]
fn many_disjuncts_conjuncts_and_cells() {
    let disjuncts = numbered(30_000, " | ", |i| format!("list(x) & n = {i}"));
    let cells = numbered(30_000, " * ", |i| format!("x{i} -> Node({i}, x{})", i + 1));
    let conditions = numbered(50_000, " & ", |i| format!("a{i} < {i}"));
    let text = format!("check {disjuncts};\ncheck {cells};\ncheck emp & {conditions};");
    let queries = read(text).unwrap().queries;
    assert_eq!(queries[0].formula.disjuncts.len(), 30_000);
    assert_eq!(queries[1].formula.disjuncts[0].points_to.len(), 30_000);
    assert_eq!(queries[2].formula.disjuncts[0].pure.len(), 50_000);
}

#[test]
fn long_sums_and_quantifiers() {
    let sum = numbered(50_000, " + ", |i| format!("a{i}"));
    let binders = numbered(50_000, ", ", |i| format!("a{i}"));
    let text = format!("check exists {binders}. emp & {sum} = 1;");
    let queries = read(text).unwrap().queries;
    assert_eq!(queries[0].formula.disjuncts[0].exists.len(), 50_000);
}

#[test]
fn long_paths() {
    let path = "x".to_owned() + &".next".repeat(20_000);
    let starts = numbered(20_000, " & ", |i| format!("y{i}.next = null"));
    let lists = numbered(20_000, " * ", |i| format!("list(z{i})"));
    let text = format!("check {path} = null;\ncheck {lists} & {starts};");
    let queries = read(text).unwrap().queries;
    assert_eq!(queries[0].formula.disjuncts[0].points_to.len(), 20_000);
    assert_eq!(queries[1].formula.disjuncts[0].points_to.len(), 20_000);
}

#[test]
fn nested_conditions_do_not_double() {
    let mut condition = "a = 1".to_owned();
    for _ in 0..60 {
        condition = format!("({condition} ? b = 2 : c = 3)");
    }
    let specification = read(format!("check emp & {condition};")).unwrap();
    assert!(specification.terms.len() < 1_000);
}

#[test]
fn the_deepest_allowed_nesting_is_accepted() {
    for (open, close) in [
        ("(", ")"),
        ("!(", ")"),
        ("(x = 1 & ", ")"),
        ("(x = 1 => ", ")"),
    ] {
        let depth = 90;
        let text = format!(
            "check emp & {}true{};",
            open.repeat(depth),
            close.repeat(depth)
        );
        assert!(read(text).is_ok(), "{open}");
    }
}

#[test]
fn deeper_nesting_is_an_error() {
    let openings = [
        "(",
        "!",
        "-",
        "!(",
        "f(",
        "exists x. ",
        "exists x. (",
        "x = 1 => ",
        "x ? y : ",
        "old(",
        "x -> Node(",
        "x -> Node(value: ",
        "min(",
        "ite(",
        "(emp | ",
        "{",
        "/* ",
        "'",
        "\"",
    ];
    for open in openings {
        let text = format!("check {}", open.repeat(100_000));
        let error = read(text).expect_err(open);
        assert!(error.diagnostics().iter().any(|d| d.is_error()), "{open}");
    }
}

#[test]
fn many_errors_are_cut_off() {
    let text = numbered(30_000, "\n", |i| format!("check unknown{i}(x) & y.z;"));
    let error = read(text).unwrap_err();
    assert_eq!(error.diagnostics().len(), 100);
    let text = "\\'".repeat(200_000) + &"@ ☃ ".repeat(100_000);
    assert_eq!(read(text).unwrap_err().diagnostics().len(), 100);
}
