//! C, end to end: clang reads, the engine searches, gcc and clang build what comes out and run it.

use crate::common::heapwright;

/// A folder that goes with the test.
pub(crate) fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("c-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

pub(crate) fn generate(file: &str, out: &std::path::Path, more: &[&str]) -> (String, i32) {
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
        let verified = format!("verified with {way}: 6 of 6 tests");
        assert!(text.contains(&verified), "{text}");
    }
    let measured = "branch coverage by llvm-cov: 8 of 8, as predicted\n";
    assert!(text.contains(measured), "{text}");
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
    assert!(text.contains("remove_key_index_out_of_bounds"), "{text}");
    assert!(!text.contains("no sanitizer sees it"), "{text}");
    assert!(!text.contains(" fails ("), "{text}");
}

/// What is not translated is told by name and place, and the other functions are tested.
#[test]
fn what_is_not_translated_is_named() {
    let out = folder("refused");
    let source = out.join("mixed.c");
    let code = "int counter;\nint next(void) { __asm__(\"nop\"); return ++counter; }\nint sign(int n) { return n < 0 ? -1 : n > 0; }\n";
    std::fs::write(&source, code).expect("a file");
    let (text, _) = generate(&source.display().to_string(), &out, &[]);
    assert!(
        text.contains("mixed.c:2: inline assembly cannot be tested yet"),
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
    assert!(text.contains("proved unreachable"), "{text}");
    let (text, code) = generate("examples/c/queue.c#same", &out, &[]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("4 of 4 branches covered"), "{text}");
    assert!(text.contains("p = #1:node(5, null), q = #1"), "{text}");
}

/// The queue of the paper on pointers with a precondition of one line, and its example of two indices
/// that may be the same.
#[test]
fn a_precondition_of_one_line_and_indices_that_may_be_the_same() {
    let out = folder("figure");
    let source = out.join("figure.c");
    let code = "#include <stdlib.h>
struct node { int value; struct node *next; };
struct queue { struct node *head, *tail; };
static void enqueue_tail(struct node *p, struct node *q, int value) { q->value = value; p->next = q; }
//@ pre exists t, v. queue -> queue(t, t) * t -> node(v, null)
void enqueue(struct queue *queue, int value) {
    struct node *added = malloc(sizeof *added);
    added->next = NULL;
    enqueue_tail(queue->tail, added, value);
    queue->tail = added;
}
int alias(int *a, unsigned i, unsigned j) {
    a[i] = 0;
    a[j] = 1;
    if (a[i] == 0) return 0;
    return 1;
}
";
    std::fs::write(&source, code).expect("a source");
    let (text, code) = generate(&source.display().to_string(), &out, &[]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("2 of 2 branches covered"), "{text}");
    assert!(text.contains("a = int[] {5}, i = 0, j = 0"), "{text}");
    let enqueue = text.split("#enqueue(").nth(1).unwrap_or_default();
    let enqueue = enqueue.split("#alias(").next().unwrap_or_default();
    assert!(
        !enqueue.contains("\n! ") && !enqueue.contains("\n~ "),
        "{text}"
    );
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
        assert!(!text.contains("no sanitizer sees it"), "{text}");
        assert!(!text.contains(" fails ("), "{text}");
    }
}

/// Each function with the mark of its failure: `!` for what is wrong with the function, `~` for what
/// comes from an input that nothing has been said about.
const FAILURES: [(&str, char, &str); 14] = [
    (
        "int unchecked(struct node *p) { return p->value; }",
        '~',
        "null dereference",
    ),
    (
        "int checked(struct node *p) { if (!p) return p->value; return 0; }",
        '!',
        "null dereference",
    ),
    (
        "int own_null(struct node *p) { struct node *q = 0; if (p && p->value > 3) q = p; return q->value; }",
        '!',
        "null dereference",
    ),
    (
        "int by_value(struct node *p, struct fixed t) { return p->value ^ t.n; }",
        '~',
        "null dereference",
    ),
    (
        "void promised(struct node *p) { assert(p != 0); }",
        '~',
        "assertion failed",
    ),
    (
        "int own_array(int i) { int a[4] = {0}; return a[i]; }",
        '!',
        "index out of bounds",
    ),
    (
        "int fixed_array(struct fixed *t) { int s = 0; if (t) for (int i = 0; i <= 3; i++) s ^= t->a[i]; return s; }",
        '!',
        "index out of bounds",
    ),
    (
        "int found_index(struct table *t) { return t ? t->a[t->n] : 0; }",
        '~',
        "index out of bounds",
    ),
    (
        "int own_sum(int a, int b) { return a + b; }",
        '!',
        "signed integer overflow",
    ),
    (
        "int found_sum(struct node *p) { return p ? p->value + 1 : 0; }",
        '~',
        "signed integer overflow",
    ),
    (
        "void use_after_free(struct node *p) { if (p) { free(p); p->value = 1; } }",
        '!',
        "use after free",
    ),
    (
        "void shared(struct node *p, struct node *q) { if (p && q) { free(p); q->value = 1; } }",
        '~',
        "use after free",
    ),
    (
        "int lost(void) { char *p = malloc(4); return p != 0; }",
        '!',
        "leak of 1 object",
    ),
    (
        "void left(struct node **p) { if (p && *p) *p = 0; }",
        '~',
        "leak of 1 object",
    ),
];

/// Without a precondition, failures on arbitrary inputs are listed apart and do not set the exit
/// code; other failures do.
#[test]
fn failures_on_arbitrary_inputs_are_listed_apart() {
    let out = folder("arbitrary");
    let head = "#include <assert.h>\n#include <stdlib.h>\nstruct node { int value; struct node *next; };\nstruct table { int a[3]; int n; };\nstruct fixed { int n; int a[3]; };\n";
    for mark in ['~', '!'] {
        let of_mark = FAILURES.iter().filter(|known| known.1 == mark);
        let lines: Vec<&str> = of_mark.clone().map(|known| known.0).collect();
        let source = out.join("marked.c");
        std::fs::write(&source, format!("{head}{}\n", lines.join("\n"))).expect("a source");
        let (text, code) = generate(&source.display().to_string(), &out, &[]);
        assert_eq!(code, if mark == '!' { 4 } else { 0 }, "{text}");
        for (line, _, words) in of_mark {
            let name = line.split('(').next().unwrap_or(line);
            let name = name.rsplit([' ', '*']).next().unwrap_or(name);
            let section = text.split(&format!("marked.c#{name}(")).nth(1);
            let section = section.and_then(|text| text.split("marked.c#").next());
            let section = section.unwrap_or_else(|| panic!("{name} in {text}"));
            let failing: Vec<&str> = section.split("\n! ").skip(1).collect();
            let apart: Vec<&str> = section.split("\n~ ").skip(1).collect();
            let (found, others) = match mark {
                '!' => (failing, apart),
                _ => (apart, failing),
            };
            assert!(found.iter().any(|test| test.contains(words)), "{section}");
            assert!(mark == '!' || others.is_empty(), "{section}");
        }
        assert!(!text.contains("not confirmed by a tool"), "{text}");
    }
}

/// What depends on a value that was never set is found, and the memory sanitizer sees it.
#[test]
fn values_that_were_never_set() {
    let out = folder("unset");
    let source = out.join("unset.c");
    let code = "int f(int a) {\n    int x;\n    if (a > 3) x = 1;\n    if (x) return 1;\n    return 2;\n}\n";
    std::fs::write(&source, code).expect("a source");
    let (text, _) = generate(&source.display().to_string(), &out, &[]);
    assert!(text.contains("f_use_of_an_uninitialised_value"), "{text}");
    assert!(
        text.contains("findings confirmed by sanitizers: 1 of 1"),
        "{text}"
    );
    assert!(!text.contains("unreachable"), "{text}");
}

/// Branches of the subjects that no test takes, by what stands in their line.
const GAPS: &[(&str, &str)] = &[
    // The allocation of memory never fails.
    ("circular_list", "if (!added) {"),
    ("doubly_list", "if (!link) {"),
    ("growing_array", "if (!data) {"),
    ("hash_table", "if (!entry) {"),
    ("search_tree", "if (*root == NULL) {"),
    ("singly_list", "if (node == NULL) {"),
    ("skip_list", "if (!added) {"),
    ("string_buffer", "if (!text) {"),
    ("expression", "if (e) {"),
    // No input takes these, but what depends on memory is never called infeasible.
    ("string_buffer", "if (text->length >= text->room) {"),
    (
        "growing_array",
        "size_t capacity = points->capacity ? 2 * points->capacity : 4;",
    ),
    // The allocation of memory never fails.
    ("strings", "if (result != NULL) {"),
    // It takes a tree of eight nodes.
    ("red_black", "if (inner != &tree->nil) {"),
    // Assumptions rule these out, in the functions that make them.
    (
        "hash_table",
        "if (bucket_of(entry->key) != i || ++count > table->size) {",
    ),
    (
        "skip_list",
        "return ascends(list, 0) && ascends(list, 1) && ascends(list, 2);",
    ),
    (
        "skip_list",
        "while (node && node->next[level] && node->key < node->next[level]->key) {",
    ),
    ("skip_list", "return !node || !node->next[level];"),
    // A caller has looked before, which no proof sees.
    (
        "ring_buffer",
        "return ring_valid(ring) ? ring->written - ring->read : 0;",
    ),
    // The tree is valid afterwards.
    (
        "red_black",
        "return tree->root->colour == BLACK && black_height(tree, tree->root) >= 0;",
    ),
    (
        "red_black",
        "return left < 0 || left != right ? -1 : left + (node->colour == BLACK);",
    ),
    (
        "red_black",
        "if (node->colour == RED && (node->left->colour == RED || node->right->colour == RED)) {",
    ),
];

/// What is wrong with what a run says of a subject.
fn complaints(stem: &str, text: &str, specified: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    let mut function = "";
    let lines: Vec<&str> = text.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        if let Some((_, rest)) = line.split_once(".c#") {
            function = rest.split('(').next().unwrap_or(rest);
        }
        let is_specified = specified.iter().any(|name| name == function);
        if line.starts_with("! ") && is_specified {
            found.push(format!("a finding with a specification: {line}"));
        }
        let is_unseen = line.ends_with("no sanitizer sees it");
        if line.contains(" fails (") || is_unseen {
            found.push((*line).to_owned());
        }
        if line.contains(": not taken: ") {
            let source = lines.get(index + 1).map_or("", |line| line.trim());
            let verdict = lines.get(index + 2).map_or("", |line| line.trim());
            let holds = line.contains("`assert(") && line.ends_with("is false");
            let is_known = holds || GAPS.contains(&(stem, source));
            if !verdict.starts_with("proved unreachable") && !is_known {
                found.push(format!("not covered: {source} ({verdict})"));
            }
        }
    }
    if text.matches("tests end as predicted").count() != 3 {
        found.push("not verified in three ways".to_owned());
    }
    let measured = lines
        .iter()
        .find(|line| line.starts_with("branch coverage by llvm-cov"));
    if !measured.is_some_and(|line| line.ends_with("as predicted")) {
        found.push(format!(
            "coverage that llvm-cov does not measure: {measured:?}"
        ));
    }
    if !text.contains("branch coverage by gcov: ") {
        found.push("no coverage by gcov".to_owned());
    }
    found
}

/// Runs all subjects, and tells what is wrong with any.
fn run_subjects(name: &str, is_specified: bool) {
    let folder = folder(name);
    let subjects = crate::common::root().join("subjects/c");
    let entries = std::fs::read_dir(&subjects).expect("the subjects");
    let files = entries.map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    assert!(files.len() >= 15, "{files:?}");
    let mut wrong = Vec::new();
    for file in files {
        let specification = std::fs::read_to_string(file.with_extension("sl")).ok();
        if specification.is_none() && !is_specified {
            continue;
        }
        let stem = file.file_stem().expect("a name").to_string_lossy();
        let specified = (specification.iter().flat_map(|text| text.lines()))
            .filter(|_| is_specified)
            .filter_map(|line| line.strip_prefix("pre ")?.split_once('(').map(|pre| pre.0));
        let specified: Vec<String> = specified.map(str::to_owned).collect();
        // Trees of more nodes take long.
        let mut more = match &*stem {
            "red_black" => vec!["--max-objects", "6"],
            _ => Vec::new(),
        };
        if !is_specified {
            more.push("--no-spec");
        }
        let (text, _) = generate(&format!("subjects/c/{stem}.c"), &folder, &more);
        let complaints = complaints(&stem, &text, &specified);
        wrong.extend(complaints.iter().map(|what| format!("{stem}: {what}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every subject, with its specification if it has one.
#[test]
fn subjects_follow_their_specifications() {
    run_subjects("subjects", true);
}

/// Every subject with a specification, without it.
#[test]
fn subjects_without_their_specifications() {
    run_subjects("subjects-unspecified", false);
}

/// Flags come from the command line and from the build, and all compilers get them.
#[test]
fn flags_are_given_by_hand_and_by_the_build() {
    let out = folder("flags");
    std::fs::create_dir_all(out.join("include")).expect("a folder");
    std::fs::write(out.join("include/limit.h"), "#define LIMIT 5\n").expect("a header");
    let source = out.join("a.c");
    let code = "#include \"limit.h\"\nint f(int n) { return n > LIMIT + X; }\n";
    std::fs::write(&source, code).expect("a source");
    let (source, include) = (
        source.display().to_string(),
        out.join("include").display().to_string(),
    );
    let (text, code) = generate(&source, &out, &["--", "-I", &include, "-DX=1"]);
    assert_eq!(code, 0, "{text}");
    assert_eq!(text.matches("tests end as predicted").count(), 3, "{text}");
    let (text, code) = generate(&source, &out, &["--", "-O2"]);
    assert_eq!(code, 1, "{text}");
    assert!(
        text.starts_with("the flag -O2 is not passed on to clang; those that are: -I"),
        "{text}"
    );
    let commands = out.join("commands.json");
    let folder = out.display();
    let entry = format!(
        r#"[{{"directory": "{folder}", "file": "a.c", "command": "cc -O2 -Iinclude -DX=2 -c a.c"}}]"#
    );
    std::fs::write(&commands, entry).expect("a file");
    let commands = commands.display().to_string();
    let (text, code) = generate(&source, &out, &["--compile-commands", &commands]);
    assert_eq!(code, 0, "{text}");
    std::fs::write(&commands, "[]").expect("a file");
    let (text, code) = generate(&source, &out, &["--compile-commands", &commands]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("it has no entry for "), "{text}");
    let run = heapwright(&["generate", "a.B", "--", "-DX"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("are for C files"), "{}", run.stderr);
}

/// What a build tool wrote into the project is found.
#[test]
fn compile_commands_of_the_project_are_found() {
    let out = folder("project");
    for name in ["src", "build"] {
        std::fs::create_dir_all(out.join(name)).expect("a folder");
    }
    std::fs::write(out.join("heapwright.toml"), "targets = ['src/a.c']\n").expect("a file");
    std::fs::write(out.join("src/a.c"), "int f(int n) { return n > X; }\n").expect("a source");
    let folder = out.display();
    let entry = format!(
        r#"[{{"directory": "{folder}", "file": "src/a.c", "arguments": ["cc", "-DX=2", "src/a.c"]}}]"#
    );
    std::fs::write(out.join("build/compile_commands.json"), entry).expect("a file");
    let config = out.join("heapwright.toml").display().to_string();
    let run = heapwright(&["generate", "-q", "--config", &config]);
    assert_eq!((run.code, &*run.stderr), (0, ""), "{}", run.stdout);
}

/// A function with every kind of condition: what tests cover is what llvm-cov counts.
#[test]
fn coverage_is_that_of_llvm_cov() {
    let out = folder("coverage");
    let source = out.join("ways.c");
    let code = "#define MAX(a, b) ((a) > (b) ? (a) : (b))
static int classify(int a, int b) {
    if (a > 0 && b < 3) return 1;
    while (a < 2) a++;
    switch (b) {
    case 1: return 2;
    case 2:
    case 5 ... 7: a++; break;
    default: a--;
    }
    switch (a) { case 7: return 9; }
    do { a--; } while (a > 5);
    return MAX(a, b) + !(a == 3
        || b);
}
int call(int a, int b) { return classify(a, b) ?: 3; }
";
    std::fs::write(&source, code).expect("a source");
    let bounds = ["--time", "20"];
    let (text, _) = generate(&source.display().to_string(), &out, &bounds);
    assert!(text.contains("branch coverage by llvm-cov: "), "{text}");
    assert!(text.contains(", as predicted\n"), "{text}");
}

/// Contracts may stand in comments of the source, and messages about them point there.
#[test]
fn contracts_stand_in_comments() {
    let out = folder("contracts");
    let source = out.join("list.c");
    let code = "struct node { int value; struct node *next; };
/*@ pred list(x) := emp & x = null
      | exists v, n. x -> node(v, n) * list(n); */

/*@ pre list(p) & p != null;
    post p -> node(v, n) * list(n) & result = v */
int first(struct node *p) { return p->value; }

//@ pre list(p)
int length(struct node *p) { int n = 0; for (; p; p = p->next) n++; return n; }
";
    std::fs::write(&source, code).expect("a source");
    let name = source.display().to_string();
    let (text, code_of) = generate(&name, &out, &[]);
    assert_eq!(code_of, 0, "{text}");
    assert!(text.contains("postcondition checked on"), "{text}");
    let (text, _) = generate(&name, &out, &["--no-spec"]);
    assert!(text.contains("null dereference"), "{text}");
    std::fs::write(&source, code.replace("pre list(p) &", "pre lost(p) &")).expect("a source");
    let (text, code_of) = generate(&name, &out, &[]);
    assert_eq!(code_of, 1, "{text}");
    assert!(text.contains("list.c:5:9"), "{text}");
}
