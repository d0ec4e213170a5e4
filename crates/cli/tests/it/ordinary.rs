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
        run.stdout.contains("inputs are built by public calls"),
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
        !run.stdout.contains("inputs are built by public calls"),
        "{}",
        run.stdout
    );
}

/// A class with what ordinary classes have: a map, a list that is sorted, a listener, an enum, a text
/// that is taken apart.
const SHOP: &str = "package shop;
import java.util.*;
public class Shop {
    public enum State { OPEN, CLOSED }
    public interface Listener { void sold(String name, int left); }
    private final Map<String, Integer> stock = new HashMap<>();
    private final List<Listener> listeners = new ArrayList<>();
    private State state = State.OPEN;
    public void listen(Listener listener) { listeners.add(listener); }
    public void add(String name, int count) { stock.merge(name, count, Integer::sum); }
    public boolean sell(String name) {
        Integer count = stock.get(name);
        if (count == null || count < 1 || state == State.CLOSED) return false;
        stock.put(name, count - 1);
        for (Listener listener : listeners) listener.sold(name, count - 1);
        return true;
    }
    public List<String> names() {
        List<String> names = new ArrayList<>();
        for (String name : stock.keySet()) if (stock.get(name) > 0) names.add(name);
        Collections.sort(names);
        return names;
    }
    public void close() { state = State.CLOSED; }
    public State state() { return state; }
    public static int version(String text) {
        if (!text.startsWith(\"v\")) return -1;
        String[] parts = text.substring(1).split(\"\\\\.\");
        if (parts.length != 3) return -2;
        int number = 0;
        for (String part : parts) {
            int digit = Integer.parseInt(part);
            if (digit > 99) return -3;
            number = number * 100 + digit;
        }
        return number;
    }
}
";

#[test]
fn collections_listeners_enums_and_texts_of_a_class_are_reached_and_told() {
    let project = Project::of_texts("shop", &[("Shop.java", SHOP)]);
    let classes = project.classes();
    let run = generate(&project, "shop.Shop", &[]);
    let text = project.read("out/shop/ShopTest.java");
    check(&run, &text);
    let together = "20 of 20   20 of 20";
    assert!(run.stdout.contains(together), "{}", run.stdout);
    assert!(text.contains("assertEquals(Shop.State.CLOSED, "), "{text}");
    assert!(
        text.contains("Shop.Listener listener = (x, x2) -> { "),
        "{text}"
    );
    // What a map holds is what people want to see, and what compilers write has no mutants.
    let told = heapwright(&["generate", "shop.Shop", "-c", &classes]).stdout;
    assert!(told.contains("Shop({\""), "{told}");
    assert!(!told.contains("HashMap("), "{told}");
    assert!(!told.contains("`CLOSED = ...`"), "{told}");
}
