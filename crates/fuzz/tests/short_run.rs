//! The short form of `make fuzz`: other texts than the long run, since the seed differs.

use std::path::Path;
use std::time::Duration;

use heapwright_fuzz::run::{Fate, Plan, run};
use heapwright_fuzz::subject::subject;
use heapwright_fuzz::texts::Examples;

#[test]
fn nothing_panics_and_nothing_hangs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["library", "examples", "crates/spec/tests/data"].map(|name| root.join(name));
    let examples = Examples::under(&folders).expect("the examples can be read");
    assert!(examples.len() > 30, "{} examples", examples.len());
    let plan = Plan {
        seed: 2026,
        first: 0,
        count: 20_000,
        jobs: 2,
        // Generous, because other tests may have the machine for themselves.
        limit: Duration::from_secs(30),
        print: false,
    };
    let report = run(&plan, Box::leak(Box::new(examples)), subject);
    assert_eq!(report.failures, []);
    // A run in which nearly everything is rejected at once would show nothing.
    let of = |fate: Fate| report.fates[fate as usize];
    assert!(of(Fate::Accepted) > plan.count / 20, "{report:?}");
    assert!(of(Fate::Decided) > plan.count / 50, "{report:?}");
    assert!(of(Fate::Rejected) > plan.count / 3, "{report:?}");
}
