//! Classes without a specification: tests are straight lists of public calls.

use crate::common::project::Project;
use crate::common::{Run, heapwright};

fn compiled(test: &str, sources: &[&str]) -> Project {
    let sources: Vec<String> = (sources.iter())
        .map(|source| format!("subjects/ordinary/src/{source}.java"))
        .collect();
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    Project::of_files(&format!("ordinary-{test}"), &sources)
}

fn generate(project: &Project, target: &str, more: &[&str]) -> Run {
    let (classes, out) = (project.classes(), project.path("out"));
    let usual = [
        "generate", target, "-c", &classes, "--out", &out, "--verify",
    ];
    heapwright(&[&usual, more].concat())
}

/// Everything passes, and nothing looks into an object.
fn check(run: &Run, text: &str) {
    let all = format!("{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("verified on Java"), "{all}");
    assert!(
        run.stdout.contains("inputs are made by public calls"),
        "{all}"
    );
    for wrong in ["does not compile", "not written", "fails"] {
        assert!(!run.stdout.contains(wrong), "{all}");
    }
    assert!(
        !text.contains("reflect") && !text.contains("add-opens"),
        "{text}"
    );
}

#[test]
fn a_cache_with_a_map_is_covered_by_calls() {
    let project = compiled("cache", &["cache/LruCache"]);
    let run = generate(&project, "cache.LruCache", &[]);
    let text = project.read("out/cache/LruCacheTest.java");
    check(&run, &text);
    // Every branch, those of private methods as well.
    for method in ["put", "get", "remove", "getOrLoad"] {
        assert!(
            run.stdout.contains(&format!("LruCache#{method}(")),
            "{}",
            run.stdout
        );
    }
    let together = "28 of 28   28 of 28";
    assert!(run.stdout.contains(together), "{}", run.stdout);
    assert!(
        text.contains("new LruCache(") && text.contains("cache2.put("),
        "{text}"
    );
    // A constructor is tested like a method.
    let refused = "assertThrows(IllegalArgumentException.class, () -> new LruCache(";
    assert!(text.contains(refused), "{text}");
}

#[test]
fn nested_objects_are_tested_through_what_gives_them() {
    let project = compiled("text", &["text/TextBuffer"]);
    let run = generate(&project, "text.TextBuffer", &[]);
    let text = project.read("out/text/TextBufferTest.java");
    check(&run, &text);
    assert!(text.contains(".mark("), "{text}");
    assert!(text.contains(".position()"), "{text}");
}

#[test]
fn the_same_tests_every_time() {
    let project = compiled(
        "again",
        &["orders/Side", "orders/Order", "orders/OrderBook"],
    );
    generate(&project, "orders.OrderBook", &[]);
    let first = project.read("out/orders/OrderBookTest.java");
    generate(&project, "orders.OrderBook", &[]);
    assert_eq!(first, project.read("out/orders/OrderBookTest.java"));
}

#[test]
fn every_heap_is_an_input_if_that_is_asked_for() {
    let project = compiled("heap", &["cache/LruCache"]);
    let run = generate(&project, "cache.LruCache", &["--any-heap"]);
    let told = "no precondition: any object graph is allowed";
    assert!(run.stdout.contains(told), "{}", run.stdout);
    assert!(
        !run.stdout.contains("inputs are made by public calls"),
        "{}",
        run.stdout
    );
}
