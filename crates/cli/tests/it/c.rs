//! C, end to end: clang reads, the engine searches, gcc and clang build what comes out and run it.

use crate::common::heapwright;

/// A folder that goes with the test.
fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("c-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn generate(file: &str, out: &std::path::Path, more: &[&str]) -> (String, i32) {
    let out = out.display().to_string();
    let arguments = [&["generate", file, "--out", &out, "--verify"], more].concat();
    let run = heapwright(&arguments);
    (format!("{}{}", run.stdout, run.stderr), run.code)
}

const LIST: &str = "examples/c/intrusive_list.c";

/// A list whose links are in its items: valid inputs only, and all ways to build the tests agree.
#[test]
fn links_inside_of_items_follow_their_specification() {
    let out = folder("specified");
    let (text, code) = generate(LIST, &out, &[]);
    assert_eq!(code, 0, "{text}");
    assert_eq!(text.matches("4 of 4 branches covered").count(), 2, "{text}");
    for way in [
        "gcc",
        "gcc with its sanitizers",
        "clang with its sanitizers",
    ] {
        let verified = format!("verified with {way}: 4 of 4 tests");
        assert!(text.contains(&verified), "{text}");
    }
    let tests = std::fs::read_to_string(out.join("intrusive_list_test.c")).expect("tests");
    assert!(tests.contains("->link.next = &"), "{tests}");
}

/// Without a specification a link may stand alone, and then it is in no item: that is found when the
/// item is read, and the sanitizers agree.
#[test]
fn a_link_that_is_in_no_item_is_found_when_the_item_is_used() {
    let out = folder("unspecified");
    let (text, _) = generate(&format!("{LIST}#remove_key"), &out, &["--no-spec"]);
    assert!(text.contains("4 of 4 branches covered"), "{text}");
    assert!(text.contains("remove_key_assertion_failed"), "{text}");
    assert!(!text.contains("passes, but shows a mistake"), "{text}");
    assert!(!text.contains(" fails ("), "{text}");
}

/// What is not translated is told by name and place, and the other functions are tested.
#[test]
fn what_is_not_translated_is_named() {
    let out = folder("refused");
    let source = out.join("mixed.c");
    let code = "int counter;\nint next(void) { return ++counter; }\nint sign(int n) { return n < 0 ? -1 : n > 0; }\n";
    std::fs::write(&source, code).expect("a file");
    let (text, _) = generate(&source.display().to_string(), &out, &[]);
    assert!(
        text.contains("mixed.c:2: the global variable counter cannot be tested yet"),
        "{text}"
    );
    assert!(text.contains("verified with gcc"), "{text}");
    let broken = out.join("broken.c");
    std::fs::write(&broken, "int f( { return 0; }\n").expect("a file");
    let (text, code) = generate(&broken.display().to_string(), &out, &[]);
    assert_eq!(code, 1, "{text}");
    assert!(
        text.contains("clang does not accept") && text.contains("error:"),
        "{text}"
    );
}

/// Nodes of one type are the same or different, and nothing else has to be said: all branches, and no
/// false finding.
#[test]
fn a_queue_with_assumptions_of_its_own() {
    let out = folder("queue");
    let (text, code) = generate("examples/c/queue.c#test", &out, &[]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("1 of 2 branches covered"), "{text}");
    assert!(text.contains("proved infeasible"), "{text}");
    let (text, code) = generate("examples/c/queue.c#same", &out, &[]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("4 of 4 branches covered"), "{text}");
    assert!(text.contains("p = #1:node(0, null), q = #1"), "{text}");
}

/// A pointer to a pointer leads to a variable or to a field. What is found without a specification,
/// leaks among it, the sanitizers find, too.
#[test]
fn pointers_to_pointers_and_leaks() {
    let out = folder("pointers");
    let (text, _) = generate("examples/c/queue.c#remove_value", &out, &[]);
    assert!(text.contains("4 of 4 branches covered"), "{text}");
    assert!(text.contains("index out of bounds"), "{text}");
    let (leak, _) = generate("examples/c/queue.c#enqueue", &out, &[]);
    assert!(leak.contains("enqueue_leak"), "{leak}");
    for text in [text, leak] {
        assert!(!text.contains("passes, but shows a mistake"), "{text}");
        assert!(!text.contains(" fails ("), "{text}");
    }
}
