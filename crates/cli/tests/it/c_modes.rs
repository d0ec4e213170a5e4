//! C in the modes that Java has: predicates in C, sequences of calls, specifications of structs.

use std::path::{Path, PathBuf};

use crate::common::heapwright;

/// A folder with source files that goes with the test.
struct Sources {
    folder: PathBuf,
}

impl Sources {
    fn new(name: &str, files: &[(&str, &str)]) -> Sources {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("c-modes-{name}"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        for (name, text) in files {
            std::fs::write(folder.join(name), text).expect("a file");
        }
        Sources { folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.join(name)).expect("a file")
    }

    /// Generates and verifies tests; everything that was said, and the exit code.
    fn verified(&self, target: &str, more: &[&str]) -> (String, i32) {
        let (target, out) = (self.path(target), self.path("out"));
        let arguments = [&["generate", &target, "--out", &out, "--verify"], more].concat();
        let run = heapwright(&arguments);
        (format!("{}{}", run.stdout, run.stderr), run.code)
    }
}

/// A list with a count; `pop` forgets to count for one value.
const COUNTED: &str = r"
#include <stdlib.h>
struct node { int value; struct node *next; };
struct list { struct node *head; int size; };

int rep_ok(struct list *l) {
    int n = 0;
    if (!l) return 0;
    for (struct node *p = l->head; p; p = p->next)
        if (++n > l->size) return 0;
    return n == l->size;
}

int pop(struct list *l) {
    if (l->size == 0) return -1;
    struct node *n = l->head;
    int v = n->value;
    l->head = n->next;
    if (v != 7) l->size--;
    free(n);
    return v;
}

void list_free(struct list *l) {
    while (l->head) {
        struct node *n = l->head->next;
        free(l->head);
        l->head = n;
    }
    free(l);
}
";

/// A function that returns an int says which structs are valid; one that breaks it is found, and the
/// real program agrees. What was freed need not be valid.
#[test]
fn a_function_says_which_structs_are_valid() {
    let sources = Sources::new("counted", &[("counted.c", COUNTED)]);
    for mode in ["repok", "whitebox"] {
        let (text, code) = sources.verified("counted.c", &["--mode", mode]);
        assert_eq!(code, 4, "{text}");
        assert!(text.contains("4 of 4 branches covered"), "{text}");
        assert!(text.contains("pop_invariant_broken"), "{text}");
        assert!(
            text.contains("findings confirmed by sanitizers: 1 of 1"),
            "{text}"
        );
        assert!(!text.contains("! list_free"), "{text}");
        assert!(!text.contains(" fails ("), "{text}");
        let tests = sources.read("out/counted_test.c");
        assert!(tests.contains("CHECK_VALID(rep_ok(list1));"), "{tests}");
    }
}

/// Links inside of items, and a head inside of a queue: the items are those that the code looks for.
const QUEUE: &str = r"
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
struct list_head { struct list_head *next, *prev; };
#define container_of(p, T, m) ((T *)((char *)(p) - offsetof(T, m)))
struct item { int key; struct list_head link; };
struct queue { struct list_head items; int count; };

bool queue_valid(const struct queue *q) {
    int n = 0;
    const struct list_head *p = &q->items;
    for (;;) {
        if (!p->next || p->next->prev != p) return false;
        p = p->next;
        if (p == &q->items) break;
        if (++n > q->count) return false;
    }
    return n == q->count;
}

void queue_init(struct queue *q) { q->items.next = q->items.prev = &q->items; q->count = 0; }

void queue_add(struct queue *q, struct item *i) {
    struct list_head *last = q->items.prev;
    i->link.prev = last;
    i->link.next = &q->items;
    last->next = &i->link;
    q->items.prev = &i->link;
    q->count++;
}

struct item *queue_take(struct queue *q) {
    struct list_head *f = q->items.next;
    if (f == &q->items) return NULL;
    f->next->prev = f->prev;
    f->prev->next = f->next;
    q->count--;
    return container_of(f, struct item, link);
}

int queue_positive(struct queue *q) {
    int s = 0;
    for (struct list_head *p = q->items.next; p != &q->items; p = p->next)
        if (container_of(p, struct item, link)->key > 0) s++;
    return s;
}
";

/// Structs inside of structs, and the way from one to the other, in predicates.
#[test]
fn predicates_follow_links_inside_of_items() {
    let sources = Sources::new("links", &[("links.c", QUEUE)]);
    for (mode, function) in [
        ("whitebox", "links.c#queue_positive"),
        ("repok", "links.c#queue_take"),
    ] {
        let more = ["--mode", mode, "--repok", "queue_valid", "--scope", "3"];
        let (text, code) = sources.verified(function, &more);
        assert_eq!(code, 0, "{text}");
        let all = text.contains("4 of 4 branches") || text.contains("2 of 2 branches");
        assert!(all, "{text}");
        let tests = sources.read("out/links_test.c");
        assert!(tests.contains("->link.next = &queue1->items;"), "{tests}");
    }
}

/// Arrays inside of structs, symbolic indices, bytes and strings in predicates.
const RING: &str = r#"
#include <stdbool.h>
#include <string.h>
#define CAP 3
struct ring { char data[CAP]; unsigned head, count; char tag[4]; };

bool ring_ok(const struct ring *r) {
    if (r->head >= CAP || r->count > CAP) return false;
    for (unsigned i = 0; i < r->count; i++)
        if (r->data[(r->head + i) % CAP] == 0) return false;
    return strcmp(r->tag, "ok") == 0;
}

char ring_pop(struct ring *r) {
    if (r->count == 0) return 0;
    char c = r->data[r->head];
    r->head = (r->head + 1) % CAP;
    r->count--;
    return c;
}
"#;

#[test]
fn predicates_look_into_arrays_and_strings() {
    let sources = Sources::new("ring", &[("ring.c", RING)]);
    let (text, code) = sources.verified("ring.c", &["--mode", "whitebox"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("2 of 2 branches covered"), "{text}");
    assert!(!text.contains("cannot be followed"), "{text}");
    let tests = sources.read("out/ring_test.c");
    assert!(tests.contains("ring1->tag[0] = 111;"), "{tests}");
}

/// Functions of the file as operations: what makes a struct, what works on it, and what ends it.
const TREE: &str = r"
#include <stdlib.h>
struct node { int key; struct node *left, *right; };
struct tree { struct node *root; int size; };

struct tree *tree_new(void) { return calloc(1, sizeof(struct tree)); }

static void free_nodes(struct node *n) {
    if (!n) return;
    free_nodes(n->left);
    free_nodes(n->right);
    free(n);
}

void tree_free(struct tree *t) { free_nodes(t->root); free(t); }

int tree_insert(struct tree *t, int key) {
    struct node **link = &t->root;
    while (*link) {
        if ((*link)->key == key) return 0;
        link = key < (*link)->key ? &(*link)->left : &(*link)->right;
    }
    *link = calloc(1, sizeof **link);
    (*link)->key = key;
    t->size++;
    return 1;
}

int tree_depth(const struct tree *t, int key) {
    int depth = 0;
    for (const struct node *n = t->root; n; depth++) {
        if (n->key == key) return depth;
        n = key < n->key ? n->left : n->right;
    }
    return -1;
}
";

/// Tests that consist of calls: all branches of a tree, no leak, and no call on what is freed.
#[test]
fn sequences_of_calls_test_a_tree() {
    let sources = Sources::new("tree", &[("tree.c", TREE)]);
    let (text, code) = sources.verified("tree.c", &["--mode", "sequences"]);
    assert_eq!(code, 0, "{text}");
    assert_eq!(text.matches("6 of 6 branches covered").count(), 2, "{text}");
    let measured = "branch coverage by llvm-cov: 14 of 14, as predicted";
    assert!(text.contains(measured), "{text}");
    assert!(text.contains("clang with its sanitizers"), "{text}");
    assert!(
        !text.contains(" fails (") && !text.contains("\n! "),
        "{text}"
    );
    let tests = sources.read("out/tree_test.c");
    assert!(
        tests.contains("struct tree *tree1 = tree_new();"),
        "{tests}"
    );
    for test in tests.split("static void ").skip(1) {
        assert!(test.matches("tree_free(tree1)").count() <= 1, "{test}");
        assert!(!test.contains("->root ="), "no field is set: {test}");
    }
}

/// Storage that a function fills, and items that the test makes.
#[test]
fn sequences_begin_with_storage_that_is_initialised() {
    let sources = Sources::new("queue", &[("queue.c", QUEUE)]);
    let (text, code) = sources.verified("queue.c#queue_take", &["--mode", "sequences"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("2 of 2 branches covered"), "{text}");
    let tests = sources.read("out/queue_test.c");
    let calls = "    queue_init(queue1);\n    struct item *item1 = calloc(1, sizeof *item1);\n    \
        queue_add(queue1, item1);\n    struct item *result = queue_take(queue1);\n";
    assert!(tests.contains(calls), "{tests}");
}

/// A file without a predicate, and a name that is none.
#[test]
fn predicates_that_are_missing_are_told() {
    let sources = Sources::new("missing", &[("tree.c", TREE)]);
    let tree = sources.path("tree.c");
    let run = heapwright(&["generate", &tree, "--mode", "repok"]);
    let advice = "name a function that returns an int or a bool with --repok";
    assert!(run.stderr.contains(advice), "{}", run.stderr);
    let run = heapwright(&["generate", &tree, "--repok", "tree_neww"]);
    let nearest = "there is no function `tree_neww` with a body; did you mean `tree_new`?";
    assert!(run.stderr.contains(nearest), "{}", run.stderr);
    let run = heapwright(&["generate", &tree, "--repok", "tree_new"]);
    assert!(run.stderr.contains("truth value"), "{}", run.stderr);
}

/// A buffer whose capacity is that of its memory, which only the tool can tell.
const BUFFER: &str = r#"
#include <stdbool.h>
#include <stdlib.h>
#include "heapwright.h"
typedef struct buffer { char *data; size_t len, cap; } buffer;

bool buffer_valid(const buffer *b) {
    if (!b->data) return b->len == 0 && b->cap == 0;
    return b->len <= b->cap && b->cap > 0 && b->cap <= hw_size(b->data);
}

bool buffer_put(buffer *b, char c) {
    if (b->len == b->cap) return false;
    b->data[b->len++] = c;
    return true;
}
"#;

#[test]
fn a_predicate_can_tell_how_long_memory_is() {
    let header = std::fs::read_to_string(crate::common::root().join("examples/c/heapwright.h"));
    let header = header.expect("the header");
    let files = [("buffer.c", BUFFER), ("heapwright.h", header.as_str())];
    let sources = Sources::new("buffer", &files);
    let (text, code) = sources.verified("buffer.c", &["--mode", "whitebox"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("2 of 2 branches covered"), "{text}");
    assert!(text.contains("verified with gcc: 2 of 2"), "{text}");
}

/// A specification beside its C file knows the structs, in every command; and it is compared with the
/// predicate in C.
#[test]
fn a_specification_is_compared_with_a_function() {
    let spec = "pred nodes(x, n) := emp & x = null & n = 0\n  \
        | exists y. x -> node(next: y) * nodes(y, n - 1) & n > 0;\n\
        pred valid(x) := exists h, n. x -> list(head: h, size: n) * nodes(h, n);\n\
        pre pop(l) := valid(l);\n";
    let wrong = spec.replace("n - 1) & n > 0", "n - 1) & n > 0 & n < 2");
    let files = [
        ("counted.c", COUNTED),
        ("counted.sl", spec),
        ("wrong.sl", &wrong),
    ];
    let sources = Sources::new("compared", &files);
    let target = sources.path("counted.c#pop");
    let right = heapwright(&["check", "--repok", &target]);
    assert_eq!(right.code, 0, "{}{}", right.stdout, right.stderr);
    let wrong = sources.path("wrong.sl");
    let run = heapwright(&["check", "--repok", &target, "--spec", &wrong]);
    assert_eq!(run.code, 4, "{}{}", run.stdout, run.stderr);
    let beside = sources.path("counted.sl");
    let explained = heapwright(&["explain", &beside]);
    assert_eq!(explained.code, 0, "{}", explained.stderr);
    let source = sources.path("counted.c");
    let named = heapwright(&["check", "--spec", &wrong, "--class", &source]);
    assert_eq!(named.code, 0, "{}{}", named.stdout, named.stderr);
    let listed = heapwright(&["enumerate", &beside, "--pred", "valid", "x", "--size", "3"]);
    assert!(!listed.stderr.contains("unknown"), "{}", listed.stderr);
}

/// Specifications as C programmers write them: structs inside of cells, `&x.link`, `p->next`, tags
/// and names of `typedef`, and a contract in a comment.
const NOTATION: &str = r"
#include <stddef.h>
typedef struct link_s { struct link_s *next, *prev; } link_t;
typedef struct { int key; link_t link; } item_t;

/*@ pred ring(first, before, head) := emp & first = head
      | exists x, n. x -> struct item_t(link: (next: n, prev: before))
          * ring(n, &x.link, head) & first = &x->link; */

/*@ pre exists last. head -> link_t(next: f, prev: last) * ring(f, head, head) & head->next = f;
    post result >= 0 */
int length(link_t *head) {
    int n = 0;
    for (link_t *p = head->next; p != head; p = p->next) n++;
    return n;
}

/*@ pre x -> item_t(link.next: n, link.prev: null) & n = null */
int first_key(item_t *x) { return x->link.next ? 0 : x->key; }
";

#[test]
fn specifications_may_be_written_as_in_c() {
    let wrong = "pre length(struct link_s *head) := head -> link_t(nxt: null);\n";
    let pointer = "pre length(head) := exists n. head -> link_t(next: n) & n = &head.next;\n";
    let files = [
        ("notation.c", NOTATION),
        ("wrong.sl", wrong),
        ("pointer.sl", pointer),
    ];
    let sources = Sources::new("notation", &files);
    let (text, code) = sources.verified("notation.c", &[]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("2 of 2 branches covered"), "{text}");
    let tests = sources.read("out/notation_test.c");
    assert!(tests.contains("->link"), "{tests}");
    let source = sources.path("notation.c");
    let complaints = [
        (
            "wrong.sl",
            "class `link_s` has no field `nxt`",
            "did you mean `next`?",
        ),
        (
            "pointer.sl",
            "`&` is for structs inside of others",
            "x.next",
        ),
    ];
    for (file, message, help) in complaints {
        let file = sources.path(file);
        let run = heapwright(&["generate", &source, "--spec", &file]);
        assert!(run.stderr.contains(message), "{}", run.stderr);
        assert!(run.stderr.contains(help), "{}", run.stderr);
        assert!(run.stderr.contains(".sl:1:"), "{}", run.stderr);
    }
}
