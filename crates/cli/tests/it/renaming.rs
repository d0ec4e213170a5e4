//! The shape library for classes and structs with other names.

use std::fs;

use crate::common::{Run, heapwright};
use heapwright_testgen::temporary::Temporary;

/// Tests for a C file with contracts in its comments.
fn generate(name: &str, text: &str) -> Run {
    let folder = Temporary::named(&std::env::temp_dir(), &format!("renaming-{name}"));
    fs::create_dir_all(folder.path()).expect("a folder");
    let source = folder.path().join("unit.c");
    fs::write(&source, text).expect("a source");
    heapwright(&["generate", &source.display().to_string()])
}

fn finds_nothing(run: &Run) {
    assert_eq!((run.code, &*run.stderr), (0, ""), "{}", run.stdout);
    assert!(!run.stdout.contains("\n! "), "{}", run.stdout);
    assert!(!run.stdout.contains("not taken"), "{}", run.stdout);
}

#[test]
fn structs_stand_for_the_classes_of_the_library() {
    let run = generate(
        "lists",
        "
struct node { int key; struct node *link; };
/*@ import sorted_list with ListNode = node(value: key, next: link); */
/*@ pre sorted_list(list, 0) & list != null;
    post list -> node(key: result) * sorted_list(_, result) */
int least(const struct node *list) { return list->key; }
/*@ pre strictly_sorted_list(list, 0) */
int has(const struct node *list, int key) {
    while (list && list->key < key) list = list->link;
    return list && list->key == key;
}
",
    );
    assert!(
        run.stdout.contains("postcondition checked"),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains("\n! "), "{}", run.stdout);
}

#[test]
fn a_module_is_imported_for_several_structs() {
    let run = generate(
        "several",
        "
#include <stddef.h>
typedef struct job_s { const char *name; struct job_s *following; } Job, *JobList;
struct user { struct user *next; };
/*@ import singly_linked_list as jobs with ListNode = Job(next: following); */
/*@ import singly_linked_list as users with ListNode = struct user; */
/*@ pre jobs.list(j) * users.list(u) */
int both(JobList j, struct user *u) {
    int n = 0;
    while (j && u) { j = j->following; u = u->next; n++; }
    return n;
}
",
    );
    finds_nothing(&run);
}

#[test]
fn colours_are_numbers_and_links_are_inside() {
    let run = generate(
        "colours",
        "
#include <stddef.h>
enum colour { RED, BLACK };
struct entry { int key; enum colour colour; struct { struct entry *smaller, *larger; } side; };
/*@ import red_black_tree with
      RbNode = entry(value: key, red: colour(true: 0, false: 1),
                     left: side.smaller, right: side.larger); */
/*@ pre red_black_tree(t, lo, hi, bh) */
int starts_black(const struct entry *t) {
    if (t == NULL) return 1;
    if (t->side.smaller && t->side.smaller->colour == RED) return 2;
    return t->colour == BLACK ? 3 : 4;
}
",
    );
    assert_eq!((run.code, &*run.stderr), (0, ""), "{}", run.stdout);
    // The root is black.
    assert!(run.stdout.contains("proved unreachable"), "{}", run.stdout);
}

#[test]
fn a_name_of_typedef_is_the_struct_that_the_library_means() {
    let run = generate(
        "typedef",
        "
typedef struct node { int value; struct node *next; } ListNode;
/*@ import singly_linked_list; */
/*@ pre list(l) */
int length(ListNode *l) { int n = 0; for (; l; l = l->next) n++; return n; }
/*@ pre l -> ListNode(value: v) * list(_) & v > 0 */
int positive(const ListNode *l) { return l->value > 0; }
",
    );
    assert_eq!((run.code, &*run.stderr), (0, ""), "{}", run.stdout);
    let run = generate(
        "unnamed",
        "
struct item;
typedef struct { struct item *first; int size; } ListHead;
typedef struct item { ListHead inner; struct item *next; } Item;
/*@ pred items(x) := emp & x = null
      | exists n, i. x -> Item(next: n, inner: i) * i -> Item.inner(first: null, outer: x) * items(n); */
/*@ pre exists f. h -> ListHead(first: f) * items(f) */
int count(ListHead *h) { int n = 0; for (Item *i = h->first; i; i = i->next) n++; return n; }
",
    );
    assert_eq!((run.code, &*run.stderr), (0, ""), "{}", run.stdout);
}

#[test]
fn mistakes_in_an_import_are_told() {
    let run = generate(
        "mistakes",
        "
struct node { double key; struct node *link; };
/*@ import sorted_list with ListNode = node(value: key, next: link); */
/*@ pre sorted_list(list, 0) */
int least(const struct node *list) { return list != 0; }
",
    );
    assert_eq!(run.code, 1, "{}", run.stdout);
    for expected in [
        "`key` cannot stand for `value`",
        "expected: an integer",
        "leave `value` out",
    ] {
        assert!(run.stderr.contains(expected), "{expected}: {}", run.stderr);
    }
    let run = generate(
        "left-out",
        "
struct node { double key; struct node *link; };
/*@ import sorted_list with ListNode = node(next: link); */
/*@ pre sorted_list(list, 0) */
int least(const struct node *list) { return list != 0; }
",
    );
    assert_eq!(run.code, 1, "{}", run.stdout);
    let expected = "it looks at `value` of `ListNode`: say which field of `node` that is";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
}
