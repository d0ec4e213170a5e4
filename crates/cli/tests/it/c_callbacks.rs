//! C: functions that tests give to the source, fields of a few bits, and memory that nobody has.

use crate::c::{folder, generate};

/// Generates and verifies tests for a file with this text; what was said, and the tests.
fn tests_of(name: &str, code: &str) -> (String, String) {
    let out = folder(name);
    let source = out.join("unit.c");
    std::fs::write(&source, code).expect("a file");
    let (text, _) = generate(&source.display().to_string(), &out, &[]);
    assert!(!text.contains(" fails ("), "{text}");
    assert!(!text.contains("no sanitizer sees it"), "{text}");
    assert!(text.contains("as predicted"), "{text}");
    let tests = std::fs::read_to_string(out.join("unit_test.c")).unwrap_or_default();
    (text, tests)
}

/// Where no function of the file has the type, tests define one that returns what the path needs, with
/// the qualifiers of the source, or one that orders numbers.
#[test]
fn tests_define_the_functions_that_pointers_lead_to() {
    let code = "
typedef struct entry { const void *key; struct entry *next; } entry;
struct set {
    entry *first;
    int (*compare)(const void *, const void *);
    unsigned (*hash)(const char *text, unsigned seed);
    entry *(*make)(void);
};
int has(struct set *set, const void *key) {
    for (entry *at = set->first; at; at = at->next) {
        int order = set->compare(key, at->key);
        if (order == 0) return 1;
        if (order < 0) return 0;
    }
    return -1;
}
int bucket(struct set *set, const char *text) {
    unsigned hash = set->hash(text, 7);
    return hash % 4 == 3 ? 1 : 0;
}
int fill(struct set *set, void (*done)(struct set *)) {
    if (set->first) return 0;
    set->first = set->make();
    if (!set->first) return -1;
    if (done) done(set);
    return 1;
}
";
    let (text, tests) = tests_of("callbacks", code);
    assert!(!text.contains(": not taken: "), "{text}");
    let defined = [
        "static int compare_numbers(const void *a, const void *b) {",
        "(const char *p1, unsigned int p2) { return",
        "(void) { return function",
        "(struct set *p1) {}",
    ];
    for defined in defined {
        assert!(tests.contains(defined), "{defined}: {tests}");
    }
}

/// Other files have other functions, so what those of this file cannot do is no proof.
#[test]
fn functions_of_this_file_prove_nothing_about_others() {
    let code = "
struct shape { double (*area)(const struct shape *); struct shape *inner; };
static double unit(const struct shape *shape) { return shape ? 1 : 0; }
double (*const known)(const struct shape *) = unit;
int is_large(const struct shape *shape) {
    if (!shape || !shape->area) return 0;
    return shape->area(shape) > 2 ? 1 : 0;
}
";
    let (text, tests) = tests_of("others", code);
    assert!(!text.contains("proved infeasible"), "{text}");
    assert!(
        tests.contains("(const struct shape *p1) { return"),
        "{tests}"
    );
}

/// Numbers of inputs fit into their fields, whether a branch or a mutant asks for others.
#[test]
fn fields_of_a_few_bits_hold_what_fits() {
    let code = "
struct packed { char c; unsigned end : 1; unsigned two : 2; signed s : 3; struct packed *next; };
int f(struct packed *p) {
    if (p->two > 5) return 1;
    if (p->s > 3) return 2;
    if (p->s == -4 && p->two == 3 && p->next) return p->next->end;
    return 3;
}
/*@ pred all(p) := emp & p = null | exists n. p -> packed(next: n) * all(n); */
/*@ pre all(p) */
int any(struct packed *p) {
    int n = 0;
    for (; p; p = p->next) {
        if (p->end > 1) return -1;
        n += p->end;
    }
    return n;
}
";
    let (text, _) = tests_of("bits", code);
    assert_eq!(text.matches("not taken: ").count(), 3, "{text}");
    for never in ["p->two > 5", "p->s > 3", "p->end > 1"] {
        assert!(
            text.contains(&format!("not taken: `{never}` is true")),
            "{never}: {text}"
        );
    }
    assert_eq!(text.matches("proved unreachable").count(), 2, "{text}");
}

/// A number of bytes that no number can express is not there, and no bytes at all free the memory.
#[test]
fn memory_that_nobody_has_is_null() {
    let code = "#include <stdlib.h>
struct table { long *slots; unsigned long count; };
int grow(struct table *table) {
    long *slots = calloc(table->count, sizeof *slots);
    if (!slots) return -1;
    free(slots);
    return 0;
}
int resize(unsigned long count) {
    char *old = malloc(4);
    char *data = realloc(old, count);
    if (!data) return -1;
    free(data);
    return 0;
}
";
    let (text, _) = tests_of("nobody", code);
    assert!(!text.contains("! "), "{text}");
    assert!(!text.contains(": not taken: "), "{text}");
}
