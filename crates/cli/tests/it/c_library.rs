//! C: the end of a program, functions of the library, and what accesses demand of memory.

use crate::c::{folder, generate};

/// Generates and verifies tests for a file with this text; what was said.
fn said(name: &str, code: &str, more: &[&str]) -> String {
    let out = folder(name);
    let source = out.join("unit.c");
    std::fs::write(&source, code).expect("a file");
    let (text, _) = generate(&source.display().to_string(), &out, more);
    assert!(!text.contains(" fails ("), "{text}");
    assert!(!text.contains("left the path"), "{text}");
    // What is right behind an array without elements is seen by none.
    assert!(!text.contains("no sanitizer sees it\n"), "{text}");
    text
}

/// What was said about one function.
fn about<'t>(text: &'t str, function: &str) -> &'t str {
    let part = text
        .split(&format!("#{function}("))
        .nth(1)
        .unwrap_or_default();
    part.split("unit.c#").next().unwrap_or_default()
}

/// A call of `exit` ends the test, which sees the status and what was changed before; nothing is wrong
/// with it, and what the program has not freed is no leak.
#[test]
fn a_program_may_end_itself() {
    let code = "#include <stdio.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static void die(const char *message) {
    fprintf(stderr, \"%s\\n\", message);
    exit(EXIT_FAILURE);
}
int first(struct node *list) {
    if (!list) die(\"empty\");
    return list->value;
}
struct node *push(struct node *list, int value) {
    struct node *added = malloc(sizeof *added);
    if (value < 0) exit(value == -7 ? 7 : 2);
    added->value = value;
    added->next = list;
    return added;
}
void mark(struct node *node) {
    node->value = 5;
    _Exit(3);
}
";
    let text = said("exit", code, &[]);
    assert!(
        about(&text, "first").contains("exits with status 1"),
        "{text}"
    );
    assert!(
        !about(&text, "first").contains("null_dereference"),
        "{text}"
    );
    let push = about(&text, "push");
    assert!(push.contains("exits with status 7"), "{text}");
    assert!(push.contains("exits with status 2"), "{text}");
    assert!(push.contains("4 of 4 branches covered"), "{text}");
    assert!(!push.contains("leak"), "{text}");
    assert!(
        about(&text, "mark").contains("exits with status 3"),
        "{text}"
    );
    assert!(text.contains("as predicted"), "{text}");
    let tests = std::fs::read_to_string(folder_of("exit").join("unit_test.c")).expect("tests");
    assert!(tests.contains("CHECK_EXIT(3, mark(node1));"), "{tests}");
    assert!(tests.contains("CHECK(node1->value == 5);"), "{tests}");
}

fn folder_of(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("c-{name}"))
}

const ALIGNMENT: &str = "#include <stdlib.h>
#include <string.h>
long split(void) {
    char *room = malloc(16);
    if (!room) return 0;
    memset(room, 0, 16);
    long value = *(long *)(room + 4);
    free(room);
    return value;
}
int fits(void) {
    char *room = malloc(16);
    if (!room) return 0;
    memset(room, 0, 16);
    int value = *(int *)(room + 4);
    free(room);
    return value;
}
struct inner { int a; };
struct __attribute__((packed)) packed { char kind; int size; short items[2]; struct inner inner; };
int whole(struct packed *p) {
    if (p->size == 4) return 1;
    if (p->items[1] == 7) return 2;
    p->items[0] = 3;
    p->inner.a = 9;
    return p->inner.a == p->size;
}
typedef int unaligned_int __attribute__((aligned(1)));
int named(const char *bytes, int count) {
    if (count < 5) return -1;
    return *(const unaligned_int *)(bytes + 1) == 7;
}
int taken(struct packed *p) {
    int *size = &p->size;
    return *size == 4;
}
";

/// An address that is no multiple of what is read there is found, and clang's sanitizer agrees; packed
/// structs and types that ask for less alignment are none of that.
#[test]
fn addresses_have_to_be_aligned() {
    let text = said("alignment", ALIGNMENT, &[]);
    let split = about(&text, "split");
    assert!(split.contains("! split_misaligned_access"), "{text}");
    assert!(
        text.contains("findings confirmed by sanitizers: 1 of 1"),
        "{text}"
    );
    for function in ["fits", "whole", "named"] {
        assert!(!about(&text, function).contains("misaligned"), "{text}");
    }
    assert!(
        about(&text, "whole").contains("4 of 4 branches covered"),
        "{text}"
    );
    // Nobody says where a packed struct of the input lies.
    assert!(
        about(&text, "taken").contains("~ taken_misaligned_access"),
        "{text}"
    );
}

const TRUTH: &str = "#include <stdbool.h>
#include <string.h>
struct flags { bool on; int level; };
int filled(int level) {
    struct flags flags;
    memset(&flags, 5, sizeof flags);
    return flags.on ? level : 0;
}
int copied(unsigned char byte) {
    bool on;
    memcpy(&on, &byte, 1);
    return on ? 1 : 2;
}
int checked(unsigned char byte) {
    bool on;
    if (byte > 1) return 3;
    memcpy(&on, &byte, 1);
    return on ? 1 : 2;
}
int given(struct flags *flags) { return flags->on; }
";

/// A byte that is neither 0 nor 1 is no truth value.
#[test]
fn truth_values_are_zero_or_one() {
    let text = said("truth", TRUTH, &[]);
    assert!(
        about(&text, "filled").contains("! filled_truth_value_that_is"),
        "{text}"
    );
    assert!(
        about(&text, "copied").contains("! copied_truth_value_that_is"),
        "{text}"
    );
    assert!(!about(&text, "checked").contains("! "), "{text}");
    assert!(
        about(&text, "checked").contains("4 of 4 branches covered"),
        "{text}"
    );
    assert!(!about(&text, "given").contains("truth_value"), "{text}");
    assert!(
        text.contains("findings confirmed by sanitizers: 2 of 2"),
        "{text}"
    );
}

/// A result that was never set is a finding; a function that ends without a `return` is none.
#[test]
fn results_have_to_be_set() {
    let code = "int bad(int x) {
    int r;
    if (x > 0) r = 1;
    return r;
}
int falls(int x) {
    if (x) return 3;
}
";
    let text = said("unset-result", code, &[]);
    assert!(
        about(&text, "bad").contains("! bad_use_of_an_uninitialised_value"),
        "{text}"
    );
    assert!(!about(&text, "falls").contains("! "), "{text}");
    assert!(
        text.contains("findings confirmed by sanitizers: 1 of 1"),
        "{text}"
    );
}

const UNIONS: &str = "#include <stddef.h>
struct expr {
    int kind;
    union {
        int number;
        struct { struct expr *left, *right; } pair;
        struct expr *one;
        const char *name;
        double real;
    } u;
};
int eval(struct expr *e) {
    switch (e->kind) {
    case 0: return e->u.number == 7;
    case 1: return e->u.pair.left == e->u.pair.right;
    case 2: return e->u.one != NULL && e->u.one->kind == 5;
    case 3: return e->u.name ? e->u.name[0] == 'x' : 4;
    case 4: return e->u.real > 2.5 ? 7 : 8;
    default: return -1;
    }
}
union value { long number; struct expr *pointer; };
int of_union(union value *value, int is_pointer) {
    if (is_pointer) return value->pointer ? value->pointer->kind == 3 : 5;
    return value->number == 9;
}
void relink(struct expr *e) {
    if (e->kind == 1) {
        struct expr *left = e->u.pair.left;
        e->u.pair.left = e->u.pair.right;
        e->u.pair.right = left;
    }
}
";

/// The pointer of a union is what the program takes it for: null, or any object.
#[test]
fn unions_of_inputs_hold_pointers() {
    let text = said("unions", UNIONS, &[]);
    assert!(
        about(&text, "eval").contains("14 of 14 branches covered"),
        "{text}"
    );
    assert!(
        about(&text, "of_union").contains("4 of 4 branches covered"),
        "{text}"
    );
    assert!(!text.contains("cannot be followed"), "{text}");
    let tests = std::fs::read_to_string(folder_of("unions").join("unit_test.c")).expect("tests");
    assert!(tests.contains("->u.pair.left = "), "{tests}");
}

const TAGS: &str = "#include <stddef.h>
#include <stdint.h>
struct rb { unsigned long parent_color; struct rb *left, *right; };
#define PARENT(r) ((struct rb *)((r)->parent_color & ~3UL))
int where(struct rb *r) {
    struct rb *parent = PARENT(r);
    if (!parent) return (r->parent_color & 1) ? 1 : 2;
    if (parent->left == r) return (r->parent_color & 1) ? 3 : 4;
    return PARENT(parent) == r ? 5 : 6;
}
void set_parent(struct rb *r, struct rb *parent) {
    r->parent_color = (r->parent_color & 3) | (unsigned long)parent;
}
int is_parent(struct rb *r, struct rb *parent) { return PARENT(r) == parent; }
struct slot { uintptr_t word; };
int tagged(struct slot *slot) {
    if (slot->word & 1) return -1;
    int *value = (int *)slot->word;
    return value ? *value == 5 : 2;
}
";

/// A number that the program makes a pointer of is null, or an object, with a tag in its low bits.
#[test]
fn numbers_of_inputs_hold_pointers_with_tags() {
    let text = said("tags", TAGS, &[]);
    assert!(
        about(&text, "where").contains("10 of 10 branches covered"),
        "{text}"
    );
    assert!(
        about(&text, "tagged").contains("4 of 4 branches covered"),
        "{text}"
    );
    let tests = std::fs::read_to_string(folder_of("tags").join("unit_test.c")).expect("tests");
    assert!(
        tests.contains("->parent_color = (unsigned long)((unsigned long)"),
        "{tests}"
    );
    assert!(!text.contains("wild_pointer"), "{text}");
}

const BYTES: &str = "#include <stdlib.h>
#include <string.h>
void *copy(const void *from, unsigned size) {
    if (size > 16) return NULL;
    void *to = malloc(size);
    if (!to) return NULL;
    memcpy(to, from, size);
    return to;
}
struct item { int key; void *payload; };
int load(struct item *item) {
    int value;
    if (!item->payload) return 0;
    memcpy(&value, item->payload, sizeof value);
    if (value == 3) return 1;
    return 2;
}
";

/// A pointer to nothing in particular leads to bytes where bytes are copied.
#[test]
fn pointers_to_nothing_in_particular_lead_to_bytes() {
    let text = said("bytes", BYTES, &[]);
    let load = about(&text, "load");
    assert!(load.contains("4 of 4 branches covered"), "{text}");
    assert!(about(&text, "copy").contains("result = "), "{text}");
}

/// What is only shown is read all the same, as far as it is a string; what `printf` returns is known.
#[test]
fn shown_strings_are_read() {
    let code = "#include <stdio.h>
struct named { const char *name; int number; };
void show(const struct named *one) { printf(\"%d %s\\n\", one->number, one->name); }
int width(int number) {
    int written = printf(\"%d\\n\", number);
    return written > 2;
}
";
    let text = said("shown", code, &[]);
    assert!(
        about(&text, "show").contains("~ show_index_out_of_bounds"),
        "{text}"
    );
    assert!(!text.contains("cannot be followed"), "{text}");
}

/// Structs may have any name, and one inside of a function that of another one.
#[test]
fn names_of_structs_are_free() {
    let code = "struct exit { int value; struct exit *next; };
struct tagged { long bits; struct exit *of; };
int inner(struct exit *e, struct tagged *t, int n) {
    struct tagged { char small; } own = {1};
    if (n > 3) return own.small;
    if (e && t && t->of == e && e->value == t->bits) return 7;
    return 0;
}
";
    let text = said("free-names", code, &[]);
    assert!(
        about(&text, "inner").contains("10 of 10 branches covered"),
        "{text}"
    );
}

/// What lies in a packed struct gets its first value wherever it lies, as compilers do it.
#[test]
fn initialisers_know_what_is_packed() {
    let code = "
#pragma pack(push, 1)
struct inner { long wide; struct { int at; int few : 5; } plain; short row[2]; };
#pragma pack(pop)
struct outer { char first; struct inner inner; int last; };
static struct outer shared = {1, {2, {3, 4}, {5, 6}}, 7};
int sum(int change) {
    struct outer own = {1, {2, {3, 4}, {5, change}}, 7};
    int all = own.first + (int)own.inner.wide + own.inner.plain.at + own.inner.plain.few;
    all += own.inner.row[0] + own.inner.row[1] + own.last;
    return all == 28 ? 1 : 0;
}
int kept(void) {
    shared.inner.plain.at++;
    return shared.inner.plain.at;
}
";
    let text = said("packed-values", code, &[]);
    assert!(!text.contains("misaligned"), "{text}");
    assert!(!text.contains(": not taken: "), "{text}");
}

/// A union without a name has a place in a struct that is inside of another one.
#[test]
fn unions_without_a_name_lie_inside_of_structs() {
    let code = "
struct variant { int tag; union { long number; struct cell *list; }; };
struct cell { struct variant head; struct cell *next; };
long first(struct variant *v) {
    if (v->tag == 1) return v->number;
    if (v->tag == 2 && v->list) return v->list->head.number;
    return 0;
}
";
    let text = said("variants", code, &[]);
    assert!(!text.contains("does not compile"), "{text}");
    assert!(text.contains("as predicted"), "{text}");
}

/// Objects that would take all memory are refused by name, and disturb nothing else.
#[test]
fn objects_may_be_too_large() {
    let code = "
struct big { int n; struct big *next; char text[50000000]; };
struct holder { struct big *big; int n; };
static struct big shared;
static long wide[1 << 23];
int of(struct big *p) { return p->n == 3; }
int local(int i) { struct big own; own.n = i; return own.n == 5; }
int global(int i) { return wide[i] == 5; }
int field(void) { return shared.n == 2; }
int beside(struct holder *h) { return h->n == 3 ? 1 : 2; }
";
    let text = said("large", code, &[]);
    assert_eq!(
        text.matches("an object of 50000016 bytes").count(),
        3,
        "{text}"
    );
    assert!(text.contains("an object of 67108864 bytes"), "{text}");
    assert!(
        about(&text, "beside").contains("branches covered"),
        "{text}"
    );
}

/// A result that leads to an array inside of a struct leads to the struct, which the test frees.
#[test]
fn results_lead_into_structs() {
    let code = "#include <stdlib.h>
struct text { unsigned length; char letters[]; };
char *make(unsigned n) {
    if (n > 3) return NULL;
    struct text *made = malloc(sizeof *made + n + 1);
    if (!made) return NULL;
    made->length = n;
    for (unsigned i = 0; i <= n; i++) made->letters[i] = 0;
    return made->letters;
}
";
    let text = said("into", code, &[]);
    assert!(text.contains("as predicted"), "{text}");
    assert!(!about(&text, "make").contains("! "), "{text}");
}
