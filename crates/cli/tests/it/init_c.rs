//! `init` on C files and ImpL programs: every proposal is accepted by the commands that it recommends,
//! and tests from it find nothing in functions that are right.

use std::fs;
use std::path::Path;

use crate::common::{Run, heapwright, root};
use heapwright_testgen::temporary::Temporary;

/// A folder with a source file.
struct Project {
    folder: Temporary,
    source: String,
}

impl Project {
    fn new(name: &str, text: &str) -> Project {
        let folder = Temporary::named(&std::env::temp_dir(), &format!("init-c-{name}"));
        fs::create_dir_all(folder.path()).expect("a folder");
        let source = folder.path().join("unit.c");
        fs::write(&source, text).expect("a source");
        let source = source.display().to_string();
        Project { folder, source }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// Proposes a specification beside the source, and looks whether it is accepted and says this.
    fn propose(&self, of: &str, says: &[&str]) -> String {
        let file = self.path("unit.sl");
        let target = format!("{}{of}", self.source);
        let run = heapwright(&["init", &target, "--out", &file, "--force"]);
        assert_eq!((run.code, &*run.stderr), (0, ""), "{}", run.stdout);
        let text = fs::read_to_string(&file).expect("the proposal");
        for expected in says {
            assert!(text.contains(expected), "{expected} is missing in\n{text}");
        }
        let run = heapwright(&["explain", &file]);
        assert_eq!((run.code, &*run.stderr), (0, ""), "{text}");
        text
    }

    /// Tests from the specification beside the source.
    fn generate(&self, function: &str) -> Run {
        heapwright(&["generate", &format!("{}{function}", self.source)])
    }

    /// Proposes a specification, and generates tests from it that find nothing.
    fn check(&self, says: &[&str]) {
        let text = self.propose("", says);
        let run = self.generate("");
        assert_eq!((run.code, &*run.stderr), (0, ""), "{}\n{text}", run.stdout);
        assert!(!run.stdout.contains("\n! "), "{}\n{text}", run.stdout);
    }
}

const TIMERS: &str = "
#include <stddef.h>
#include <stdlib.h>
struct list_head { struct list_head *next, *prev; };
#define list_entry(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
static void list_init(struct list_head *list) { list->next = list; list->prev = list; }
static void list_add(struct list_head *new, struct list_head *head) {
    new->next = head; new->prev = head->prev; head->prev->next = new; head->prev = new;
}
static void list_del(struct list_head *entry) { entry->next->prev = entry->prev; entry->prev->next = entry->next; }
struct timer { int expires; struct list_head entry; };
struct wheel { int now; struct list_head pending; };
void wheel_init(struct wheel *w) { w->now = 0; list_init(&w->pending); }
void wheel_add(struct wheel *w, struct timer *t) { list_add(&t->entry, &w->pending); }
int wheel_tick(struct wheel *w, int now) {
    int fired = 0;
    struct list_head *p = w->pending.next;
    while (p != &w->pending) {
        struct list_head *next = p->next;
        struct timer *t = list_entry(p, struct timer, entry);
        if (t->expires <= now) { list_del(p); free(t); fired++; }
        p = next;
    }
    w->now = now;
    return fired;
}
";

#[test]
fn a_circular_list_whose_links_are_inside_of_its_items() {
    let project = Project::new("timers", TIMERS);
    project.check(&[
        "-> timer.entry(next: next, prev: before, outer: timer) * timer -> timer(entry: first)",
        "pending -> wheel.pending(next: first_node, prev: last_node, outer: x)",
        "pre  wheel_init(w) := w -> wheel(pending.next: null, pending.prev: null);",
        "pre  wheel_add(w, t) := valid_wheel(w) * t -> timer(entry.next: null, entry.prev: null);",
        "// pre  list_del(entry) := ...;",
    ]);
    let text = project.propose("#wheel", &["for struct wheel of unit.c"]);
    assert!(
        text.contains("pre  wheel_tick(w, now) := valid(w);"),
        "{text}"
    );
    let run = heapwright(&["init", &format!("{}#whel", project.source)]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains("did you mean `wheel`?"),
        "{}",
        run.stderr
    );
}

#[test]
fn links_that_macros_declare() {
    let text = "
#include <stdlib.h>
#define SLIST_ENTRY(type) struct { struct type *sle_next; }
struct job { int id; SLIST_ENTRY(job) link; };
struct jobs { struct job *slh_first; };
void jobs_push(struct jobs *l, struct job *j) { j->link.sle_next = l->slh_first; l->slh_first = j; }
int jobs_remove(struct jobs *l, int id) {
    struct job *before = NULL, *j = l->slh_first;
    while (j && j->id != id) { before = j; j = j->link.sle_next; }
    if (!j) return 0;
    if (before) before->link.sle_next = j->link.sle_next; else l->slh_first = j->link.sle_next;
    free(j);
    return 1;
}
";
    Project::new("macros", text).check(&[
        "x -> job(link.sle_next: sle_next) * list(sle_next)",
        "pre  jobs_push(l, j) := valid(l) * j -> job(link.sle_next: null);",
    ]);
}

#[test]
fn ordered_trees_by_the_names_of_typedef() {
    let text = "
#include <stddef.h>
typedef struct tnode { int k; struct tnode *l, *r; } TNode;
typedef struct { TNode *root; unsigned n; } Tree;
int tree_has(const Tree *t, int k) {
    const TNode *p = t->root;
    while (p) { if (k == p->k) return 1; p = k < p->k ? p->l : p->r; }
    return 0;
}
int tree_depth(const TNode *p) {
    if (!p) return 0;
    int a = tree_depth(p->l), b = tree_depth(p->r);
    return 1 + (a > b ? a : b);
}
";
    Project::new("tree", text).check(&[
        "x -> tnode(k: k, l: l, r: r)",
        "lo < k & k < hi & n = n1 + n2 + 1",
        "x -> Tree(root: root, n: n)",
        "pre  tree_depth(p) := ",
    ]);
}

#[test]
fn a_sentinel_inside_of_the_tree() {
    let text = "
struct node { int key; struct node *left, *right; };
struct set { struct node nil; struct node *root; unsigned count; };
void set_init(struct set *s) { s->nil.left = s->nil.right = &s->nil; s->root = &s->nil; s->count = 0; }
int set_add(struct set *s, struct node *z) {
    struct node **p = &s->root;
    while (*p != &s->nil) {
        if ((*p)->key == z->key) return 0;
        p = z->key < (*p)->key ? &(*p)->left : &(*p)->right;
    }
    z->left = z->right = &s->nil;
    *p = z;
    s->count++;
    return 1;
}
";
    Project::new("sentinel", text).check(&[
        "nil_ -> set.nil(left: nil_, right: nil_, outer: x)",
        "pre  set_add(s, z) := valid(s) * z -> node(left: null, right: null);",
    ]);
}

#[test]
fn lists_in_both_directions_rings_and_variables() {
    let text = "
#include <stddef.h>
typedef struct _List List;
struct _List { void *data; List *next; List *prev; };
struct player { int score; struct player *next; };
struct game { struct player *current; };
static struct player *waiting;
unsigned list_length(List *list) { unsigned n = 0; while (list) { n++; list = list->next; } return n; }
int game_count(struct game *g) {
    if (!g->current) return 0;
    int n = 1;
    for (struct player *p = g->current->next; p != g->current; p = p->next) n++;
    return n;
}
int is_waiting(void) { return waiting != NULL; }
";
    Project::new("shapes", text).check(&[
        "x -> _List(next: next, prev: before) * list(next, x)",
        "(emp & current = null",
        "current -> player(next: first_node) * segment(first_node, current)",
        "pre  is_waiting() := ",
    ]);
}

#[test]
fn what_is_not_said_is_named() {
    let text = "
#include <stddef.h>
struct entry { int key, height; struct entry *left, *right; };
struct table { unsigned size; struct entry *buckets[4]; struct entry *root; };
int entries(struct table *t) { return t->root != NULL && t->root->left != NULL; }
int first(struct entry **p, int *out) { *out = *p != NULL; return *out; }
";
    let project = Project::new("unsaid", text);
    let text = project.propose(
        "",
        &["//   table.buckets\n", "Nothing is said about `height`"],
    );
    // A pointer to a pointer has no class that could be described.
    assert!(!text.contains("first("), "{text}");
}

#[test]
fn every_subject_in_c_and_every_program_of_impl_has_a_proposal() {
    let out = Temporary::named(&std::env::temp_dir(), "init-subjects");
    fs::create_dir_all(out.path()).expect("a folder");
    let mut count = 0;
    for folder in [
        "subjects/c",
        "subjects/c/headers",
        "examples/c",
        "examples/impl",
    ] {
        for entry in fs::read_dir(root().join(folder)).expect("a folder") {
            let source = entry.expect("an entry").path();
            let ending = source.extension().and_then(|ending| ending.to_str());
            let Some(ending @ ("c" | "impl")) = ending else {
                continue;
            };
            let source = source.display().to_string();
            let file = out.path().join("proposal.sl").display().to_string();
            let run = heapwright(&["init", &source, "--out", &file, "--force"]);
            assert_eq!((run.code, &*run.stderr), (0, ""), "{source}");
            let class: &[&str] = match ending {
                "c" => &["--class", &source],
                _ => &[],
            };
            let run = heapwright(&[&["explain", &file], class].concat());
            assert_eq!((run.code, &*run.stderr), (0, ""), "{source}");
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
}

#[test]
fn a_program_of_impl_is_tested_with_its_proposal() {
    let source = root().join("examples/impl/tree_remove.impl");
    let out = Temporary::named(&std::env::temp_dir(), "init-impl");
    fs::create_dir_all(out.path()).expect("a folder");
    let file = out.path().join("tree.sl").display().to_string();
    let source = source.display().to_string();
    let run = heapwright(&["init", &source, "--out", &file]);
    assert_eq!((run.code, &*run.stderr), (0, ""), "{}", run.stdout);
    let text = fs::read_to_string(Path::new(&file)).expect("the proposal");
    assert!(text.contains("data BinaryNode {"), "{text}");
    let target = format!("{source}#find_min");
    let run = heapwright(&["generate", &target, "--spec", &file]);
    assert_eq!((run.code, &*run.stderr), (0, ""), "{}\n{text}", run.stdout);
}
