//! The StarFinder reader on broken and hostile input.

mod smtlib_support;

use std::time::{Duration, Instant};

use heapwright_spec::{SpecError, starfinder};
use proptest::prelude::*;
use smtlib_support::mutations_survive;

fn read(text: &str) -> Result<(), SpecError> {
    starfinder::read("mutated.pred", text).map(drop)
}

fn survives(text: &str) {
    smtlib_support::survives(&read, text);
}

#[test]
fn mutated_files_get_an_answer() {
    mutations_survive(["starfinder/ok", "starfinder/err"], "pred", 600, &read);
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
        survives(&format!("data N {{ int v; N n }}; pred p(x) == {}", tokens.join(" ")));
    }
}

const TOKENS: &[&str] = &[
    "x",
    "y",
    "p(x)",
    "p(y)",
    "x::N<v,n>",
    "x::M<_,y>",
    "null",
    "=",
    "!=",
    "<",
    ">=",
    "&",
    "*",
    "||",
    "(",
    ")",
    "+",
    "-",
    "**",
    "/",
    "0",
    "1",
    "2.5",
    ";",
    "pred q(a,b) ==",
    "pre m ==",
    "emp",
    "data M { boolean b; N n }",
    "q(x,1)",
    "_",
    "true",
    "this_f",
    ",",
    "v",
    "n",
];

#[test]
fn deep_nesting_and_long_chains_are_no_problem() {
    let start = Instant::now();
    let deep = format!(
        "pred p(x) == {}x{} = 1",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    let error = starfinder::read("deep.pred", &deep).expect_err("it nests too deep");
    assert!(error.to_string().contains("nest deeper than 200 levels"));
    let long = format!("pred p(x) == x = 1{}", " + y - 2".repeat(50_000));
    let file = starfinder::read("long.pred", &long).expect("a long sum");
    assert_eq!(file.definitions.predicates().count(), 1);
    let names: Vec<_> = (0..3000).map(|i| format!("v{i}")).collect();
    let wide = format!("pred p(x) == x = {}", names.join(" + "));
    assert!(starfinder::read("wide.pred", &wide).is_ok());
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "it took {:?}",
        start.elapsed()
    );
}
