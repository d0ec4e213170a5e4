//! The SMT-LIB reader on broken and hostile input: an answer, always, and soon.

mod smtlib_support;

use std::fmt::Write;
use std::time::{Duration, Instant};

use heapwright_spec::{SpecError, smtlib};
use proptest::prelude::*;
use smtlib_support::mutations_survive;

fn read(text: &str) -> Result<(), SpecError> {
    smtlib::read("mutated.smt2", text).map(drop)
}

fn survives(text: &str) {
    smtlib_support::survives(&read, text);
}

#[test]
fn mutated_scripts_get_an_answer() {
    mutations_survive(["smtlib/ok", "smtlib/err"], "smt2", 400, &read);
}

proptest! {
    #[test]
    fn any_text_gets_an_answer(text in any::<String>()) {
        survives(&text);
    }

    #[test]
    fn any_soup_of_tokens_gets_an_answer(
        tokens in prop::collection::vec(prop::sample::select(TOKENS), 0..60),
    ) {
        let prelude = "(declare-sort R 0)(declare-datatype C ((c (n R) (i Int))))
            (declare-heap (R C))(declare-const x R)(declare-const k Int)
            (define-fun-rec p ((a R)) Bool (or (= a nil) (pto a (c a 1))))\n";
        survives(&format!("{prelude}(assert {}", tokens.join(" ")));
    }
}

const TOKENS: &[&str] = &[
    "(",
    "(",
    "(",
    ")",
    ")",
    ")",
    "and",
    "or",
    "not",
    "sep",
    "pto",
    "emp",
    "nil",
    "x",
    "k",
    "p",
    "c",
    "1",
    "0",
    "=",
    "distinct",
    "+",
    "-",
    "*",
    "div",
    "let",
    "((y",
    "exists",
    "((z R))",
    "ite",
    "=>",
    "(check-sat)",
    "(assert",
    "(push 1)",
    "(pop 1)",
    "true",
    "false",
    "(_ emp R C)",
    "(as nil R)",
    "<",
    ":named",
    "\"s\"",
    "|q|",
    "!",
    "y",
];

fn error_of(text: &str) -> String {
    let start = Instant::now();
    let error = smtlib::read("hostile.smt2", text).expect_err("it is rejected");
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "it took {:?}",
        start.elapsed()
    );
    error.to_string()
}

#[test]
fn deep_nesting_is_an_error_and_not_a_stack_overflow() {
    let deep = "(".repeat(100_000);
    assert!(error_of(&deep).contains("nest deeper than 1000 levels"));
    let closed = format!(
        "(assert {}true{})",
        "(not ".repeat(100_000),
        ")".repeat(100_000)
    );
    assert!(error_of(&closed).contains("nest deeper"));
}

/// The deepest nesting allowed fits into the smallest stack that threads usually get.
#[test]
fn nesting_up_to_the_limit_is_read() {
    for (open, close) in [
        ("(not ", ")"),
        ("(and p (or q ", "))"),
        ("(let ((p q)) ", ")"),
        ("(exists ((k Int)) ", ")"),
        ("(ite p q ", ")"),
        ("(=> p ", ")"),
        ("(sep p ", ")"),
    ] {
        let levels = 998 / open.matches('(').count().min(2);
        let levels = if open.starts_with("(let") {
            990
        } else {
            levels
        };
        let text = format!(
            "(declare-const p Bool)(declare-const q Bool)(assert {}p{})(check-sat)",
            open.repeat(levels),
            close.repeat(levels)
        );
        let script = smtlib::read("deep.smt2", &text);
        assert!(
            script.is_ok_and(|script| script.queries.len() == 1),
            "{open}"
        );
    }
}

/// A short script that describes an enormous formula is refused, whatever the device.
#[test]
fn exponential_formulas_are_refused() {
    let prelude = "(declare-sort R 0)(declare-datatype C ((c (n R))))(declare-heap (R C))
        (declare-const x R)(declare-const p Bool)(declare-const k Int)";
    let (mut heaps, mut terms, mut macros, mut choices) =
        (String::new(), String::new(), String::new(), String::new());
    for i in 0..60 {
        let j = i + 1;
        let _ = write!(heaps, "(let ((h{j} (sep h{i} h{i}))) ");
        let _ = write!(
            terms,
            "(let ((b{j} (or (and b{i} p) (not (and b{i} (< k {i})))))) "
        );
        let _ = write!(
            macros,
            "(define-fun f{j} ((n Int)) Int (* (f{i} n) (f{i} (* n n))))"
        );
        let _ = write!(
            choices,
            "(or (pto x (c x)) (exists ((y R)) (pto y (c x)))) "
        );
    }
    let close = ")".repeat(60);
    for text in [
        format!("{prelude}(assert (let ((h0 (pto x (c x)))) {heaps} h60{close}))(check-sat)"),
        format!("{prelude}(assert (let ((b0 p)) {terms} b60{close}))(check-sat)"),
        format!(
            "{prelude}(define-fun f0 ((n Int)) Int n){macros}(assert (= 1 (f60 k)))(check-sat)"
        ),
        format!("{prelude}(assert (sep {choices}))(check-sat)"),
    ] {
        let message = error_of(&text);
        assert!(
            message.contains("too large") || message.contains("disjuncts"),
            "{message}"
        );
    }
}

/// Sharing by `let` costs nothing where nothing is written out.
#[test]
fn shared_terms_stay_shared() {
    let mut text = "(declare-const k0 Int)(assert (let ((a0 k0)) ".to_owned();
    for i in 0..100 {
        let _ = write!(text, "(let ((a{} (+ a{i} a{i}))) ", i + 1);
    }
    let _ = write!(text, "(= a100 1){}))(check-sat)", ")".repeat(100));
    let script = smtlib::read("shared.smt2", &text).expect("a sum with one large coefficient");
    assert_eq!(script.queries.len(), 1);
}

#[test]
fn wide_formulas_are_read_quickly() {
    let mut text = "(declare-const p Bool)".to_owned();
    let names: Vec<_> = (0..5000).map(|i| format!("v{i}")).collect();
    for name in &names {
        let _ = write!(text, "(declare-const {name} Int)");
    }
    let _ = write!(text, "(assert (= 0 (+ {})))", names.join(" "));
    for name in &names {
        let _ = write!(text, "(assert (or p (< {name} 0)))");
    }
    text.push_str("(check-sat)");
    let start = Instant::now();
    let script = smtlib::read("wide.smt2", &text).expect("a large script");
    assert_eq!(script.queries[0].formula.disjuncts[0].pure.len(), 5001);
    assert!(
        start.elapsed() < Duration::from_secs(5),
        "it took {:?}",
        start.elapsed()
    );
}
