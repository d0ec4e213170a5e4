//! What inputs of C are: variables of the file, pointers into other objects, arrays of structs,
//! memory that is not there.

use crate::c::{folder, generate};

/// Generates and verifies tests for a file with this text; what was said, and the tests.
fn tests_of(name: &str, code: &str, more: &[&str]) -> (String, String) {
    let out = folder(name);
    let source = out.join("unit.c");
    std::fs::write(&source, code).expect("a file");
    let (text, _) = generate(&source.display().to_string(), &out, more);
    assert!(!text.contains(" fails ("), "{text}");
    assert!(!text.contains("is not confirmed"), "{text}");
    assert!(text.contains("as predicted"), "{text}");
    let tests = std::fs::read_to_string(out.join("unit_test.c")).unwrap_or_default();
    (text, tests)
}

fn is_covered(text: &str, functions: usize) {
    let covered = text.matches(" branches covered").count();
    assert_eq!(covered, functions, "{text}");
    assert!(!text.contains(": not taken: "), "{text}");
}

const GLOBALS: &str = "
struct entry { int key; struct entry *next; };
static struct entry *head;
static int count, table[4];
static struct { int low, high; } bounds = {1, 9};
extern int limit;
const int step = 3;
static int (*order)(int);

static int twice(int n) { return 2 * n; }
static int same(int n) { return n; }

int find(int key) {
    for (struct entry *at = head; at; at = at->next)
        if (at->key == key) return 1;
    return 0;
}

int push(struct entry *added) {
    if (count >= limit) return 0;
    added->next = head;
    head = added;
    count += step;
    return count > 6 ? 2 : 1;
}

int within(int i) {
    if (i < 0 || i > 3) return -1;
    return table[i] >= bounds.low && table[i] <= bounds.high;
}

int ordered(int a) {
    if (order == same) return 1;
    return order && order(a) == 14 ? 2 : 0;
}
int (*const orders[])(int) = {twice, same};
";

/// Variables of the file are inputs, which tests set; constants are none.
#[test]
fn variables_of_the_file_are_inputs() {
    let (text, tests) = tests_of("globals", GLOBALS, &[]);
    is_covered(&text, 4);
    assert!(tests.contains("head = entry1;"), "{tests}");
    assert!(
        tests.contains("memset(&bounds, 0, sizeof bounds);"),
        "{tests}"
    );
    assert!(tests.contains("__typeof__(limit) limit;"), "{tests}");
    assert!(!tests.contains("step = "), "{tests}");
    assert!(tests.contains("CHECK(head == entry1);"), "{tests}");
    // All tests of the file, one after the other, in one run.
    assert!(tests.contains("fork()"), "{tests}");
}

/// Contracts speak of variables by their names.
#[test]
fn contracts_speak_of_variables() {
    let code = "
struct node { int value; struct node *next; };
static struct node *head;
static int count;
struct ring { struct ring *next, *prev; };
static struct ring ring;

/*@ pred list(x) := emp & x = null
      | exists v, n. x -> node(v, n) * list(n) & v > 0; */
/*@ pre list(head) * node -> node(v, n) & count >= 0 & count < 100;
    post list(head) & count = old(count) + 1 */
int add(struct node *node) {
    if (head && head->value <= 0) return 0;
    node->value = 1;
    node->next = head;
    head = node;
    count++;
    return 1;
}

/*@ pre ring -> ring(a, b) & a = ring & b = ring */
int is_empty(void) { return ring.next == &ring && ring.prev == &ring; }
";
    let (text, _) = tests_of("global-contracts", code, &[]);
    assert!(!text.contains("! "), "{text}");
    assert_eq!(text.matches(": not taken: ").count(), 3, "{text}");
    assert_eq!(text.matches("proved unreachable").count(), 3, "{text}");
}

const INTO: &str = "
struct node { int value; struct node *next; };
int scalar(struct node *n, int *out) {
    n->value = 7;
    *out = 5;
    if (n->value == 5) return 1;
    return 0;
}
int element(int a[8], int *p) {
    a[2] = 7;
    *p = 9;
    if (a[2] == 9) return 1;
    return 0;
}
int other_first(int *out, struct node *n) {
    *out = 5;
    n->value = 7;
    if (*out == 7) return 1;
    return 0;
}
int link(struct node *a, struct node **link) {
    a->next = 0;
    *link = a;
    if (a->next == a) return 1;
    return 0;
}
struct pair { int first; short tag; int second; };
int compared(struct pair *p, int *q) {
    if (q == &p->second) return 2;
    p->first = 1;
    *q = 2;
    return p->first == 2;
}
";

/// A pointer to a number may lead into a struct or an array, whichever of the two comes first.
#[test]
fn pointers_to_numbers_lead_into_objects() {
    let (text, tests) = tests_of("interior", INTO, &[]);
    is_covered(&text, 5);
    for place in [
        "&node1->value",
        "&array1[2]",
        "&node1->next",
        "&pair1->second",
    ] {
        assert!(tests.contains(place), "{place}: {tests}");
    }
}

const ARRAYS: &str = "
struct slot { int id; unsigned hits; };
struct pool { int used; struct slot slots[3]; struct slot *last; };
int last(struct pool *p) {
    if (p->last == &p->slots[2]) return 1;
    if (p->last && p->last->id == 77) {
        p->slots[0].id = 5;
        if (p->last->id == 5) return 2;
    }
    return 0;
}
int total(struct slot *p, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += p[i].id;
    if (n == 3 && sum == 42) return 1;
    return 0;
}
int copied(struct pool *p) {
    struct pool copy = *p;
    if (copy.slots[1].id == 9) return 1;
    return 0;
}
";

/// Structs in arrays have any contents, and other pointers may lead to them.
#[test]
fn arrays_of_structs_have_any_contents() {
    let (text, tests) = tests_of("struct-arrays", ARRAYS, &[]);
    is_covered(&text, 3);
    assert!(tests.contains("= &pool1->slots[2];"), "{tests}");
    assert!(
        tests.contains("struct slot *array1 = calloc(3, "),
        "{tests}"
    );
}

const PAYLOAD: &str = "
struct person { int age; char initial; };
struct item { void *data; struct item *next; };
int adults(struct item *list) {
    int count = 0;
    for (; list; list = list->next) {
        struct person *person = list->data;
        if (person && person->age >= 18) count++;
    }
    return count == 2;
}
int has(struct item *list, void *data) {
    for (; list; list = list->next)
        if (list->data == data) return 1;
    return 0;
}
";

/// What a `void *` leads to has the type that it is used with.
#[test]
fn payloads_have_the_type_that_they_are_used_with() {
    let (text, tests) = tests_of("payload", PAYLOAD, &[]);
    is_covered(&text, 2);
    assert!(tests.contains("struct person *person1"), "{tests}");
}

const FAILING: &str = "
#include <stdlib.h>
#include <string.h>
struct pair { char *a, *b; };
struct pair *make(const char *text) {
    struct pair *pair = malloc(sizeof *pair);
    if (!pair) return NULL;
    pair->a = strdup(text);
    if (!pair->a) {
        free(pair);
        return NULL;
    }
    pair->b = calloc(1, 8);
    if (!pair->b) {
        free(pair->a);
        free(pair);
        return NULL;
    }
    return pair;
}
";

/// Allocations fail where the user wants to see that.
#[test]
fn allocations_fail_on_demand() {
    let (text, tests) = tests_of("malloc-fails", FAILING, &["--malloc-fails"]);
    assert!(text.contains("6 of 6 branches covered"), "{text}");
    assert!(tests.contains("failing_allocation = 3;"), "{tests}");
    let (text, _) = tests_of("malloc-works", FAILING, &[]);
    assert!(text.contains("3 of 6 branches covered"), "{text}");
}

const LIBRARY: &str = "
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int label(int n) {
    char text[8];
    int length = snprintf(text, sizeof text, \"<%d:%s>\", n, n < 0 ? \"low\" : \"ok\");
    if (length >= (int)sizeof text) return -1;
    if (strcmp(text, \"<42:ok>\") == 0) return 1;
    return 0;
}
int port(const char *text) {
    char *end;
    long number = strtol(text, &end, 10);
    if (*end != 0 || end == text) return -1;
    return number > 5 ? 1 : 0;
}
";

/// Numbers become text and text becomes numbers.
#[test]
fn the_library_formats_and_reads_numbers() {
    let (text, _) = tests_of("library", LIBRARY, &[]);
    is_covered(&text, 2);
}

const ROWS: &str = "
#include <stdlib.h>
struct matrix { int rows; int cell[2][3]; int after; };
static int board[3][3];
struct point { int x, y; };
int diagonal(struct matrix *m) { return m->cell[0][0] + m->cell[1][1] == 7; }
int winner(void) {
    for (int i = 0; i < 3; i++)
        if (board[i][0] != 0 && board[i][0] == board[i][1] && board[i][1] == board[i][2]) return 1;
    return 0;
}
int row(struct matrix *m, unsigned char i) {
    if (m == NULL) return 0;
    return m->cell[0][i];
}
struct point *made(int n) {
    if (n < 2 || n > 3) return NULL;
    struct point *points = malloc(n * sizeof *points);
    for (int i = 0; i < n; i++) points[i] = (struct point){i, n};
    return points;
}
";

/// Arrays of arrays are set and checked by one index, and an index that leaves a row is found.
#[test]
fn rows_of_arrays_have_their_own_bounds() {
    let (text, tests) = tests_of("rows", ROWS, &[]);
    is_covered(&text, 3);
    assert!(text.contains("! row_index_out_of_bounds"), "{text}");
    assert!(tests.contains("((int *)board)["), "{tests}");
    assert!(tests.contains("((int *)matrix1->cell)["), "{tests}");
    assert!(
        tests.contains("CHECK((&new1[1])->x == 1);") || tests.contains("new1[1].x == 1"),
        "{tests}"
    );
}

/// Pointers are ordered inside of one array, and two null pointers are, too.
#[test]
fn pointers_have_an_order() {
    let code = "
int order(int *from, int *to) {
    if (to < from) return 1;
    return from != to ? 2 : 0;
}
";
    let (text, tests) = tests_of("order", code, &[]);
    is_covered(&text, 1);
    assert!(!text.contains("left the path"), "{text}");
    assert!(tests.contains("&array1["), "{tests}");
}

const HEADER: &str = "
#include <stdlib.h>
#include <string.h>
struct header { unsigned length, room; char text[]; };
#define HEADER(s) ((struct header *)((s) - sizeof(struct header)))

char *add(char *s, char c) {
    struct header *h = HEADER(s);
    if (h->length >= h->room) return NULL;
    s[h->length++] = c;
    return s;
}

int ends_with(const char *s, char c) {
    const struct header *h = (const struct header *)s - 1;
    return h->length > 0 && h->length <= h->room && s[h->length - 1] == c;
}

void forget(char *s) {
    if (s) free(HEADER(s));
}
";

/// A pointer to a text whose header is in front of it leads into a struct with both.
#[test]
fn texts_have_their_header_in_front_of_them() {
    let (text, tests) = tests_of("header", HEADER, &[]);
    is_covered(&text, 3);
    assert!(!text.contains("not confirmed by a tool"), "{text}");
    assert!(tests.contains("add(header1->text, "), "{tests}");
    assert!(tests.contains("forget(header1->text)"), "{tests}");
}

const ADDRESSES: &str = "
struct node { unsigned long parent_colour; struct node *left, *right; };
#define PARENT(n) ((struct node *)((n)->parent_colour & ~3ul))

int is_alone(const struct node *n) {
    return n->parent_colour == (unsigned long)n;
}

const struct node *next(const struct node *n) {
    if (n->parent_colour == (unsigned long)n) return 0;
    if (n->right) {
        n = n->right;
        while (n->left) n = n->left;
        return n;
    }
    const struct node *parent;
    while ((parent = PARENT(n)) && n == parent->right) n = parent;
    return parent;
}
";

/// A number is equal to the address of an object where it holds that, and nowhere else.
#[test]
fn numbers_are_compared_with_addresses() {
    let (text, tests) = tests_of("addresses", ADDRESSES, &[]);
    is_covered(&text, 1);
    assert!(
        tests.contains("->parent_colour = (unsigned long)node1"),
        "{tests}"
    );
}

/// What is changed in an input to find other tests leaves the elements of arrays where they are.
#[test]
fn elements_stay_in_their_array() {
    let code = "
struct event { long when; int id; };
static void swap(struct event *a, struct event *b) { struct event t = *a; *a = *b; *b = t; }
void sift_up(struct event *e, int i) {
    while (i > 0) {
        int parent = (i - 1) / 2;
        if (e[parent].when <= e[i].when) break;
        swap(&e[parent], &e[i]);
        i = parent;
    }
}
";
    let (text, tests) = tests_of("elements", code, &[]);
    assert!(!text.contains(": not taken: "), "{text}");
    assert!(tests.contains("calloc(2, sizeof *array1)"), "{tests}");
}

/// Nobody can say which further arguments a function wants, so only its calls are tested.
#[test]
fn functions_with_further_arguments_are_tested_by_their_calls() {
    let code = "
#include <stdarg.h>
static int sum(int n, ...) {
    va_list list;
    int total = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++) total += va_arg(list, int) > 0;
    va_end(list);
    return total;
}
int both(int a, int b) { return sum(2, a, b) == 2; }
int either(int a, int b) { return sum(2, a > 0, b > 0) > 0 ? 1 : 0; }
";
    let (text, tests) = tests_of("further", code, &[]);
    assert!(
        text.contains("unit.c:3: a function with further arguments"),
        "{text}"
    );
    assert!(tests.contains("either("), "{tests}");
    assert!(!tests.contains(" sum("), "{tests}");
}
