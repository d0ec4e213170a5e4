/* A program that uses every construct that is read, in the way that ordinary code does. */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define container_of(ptr, type, member) \
    ({ \
        const typeof(((type *)0)->member) *inner_ = (ptr); \
        (type *)((char *)inner_ - offsetof(type, member)); \
    })
#define list_for_each_entry(pos, head, member) \
    for (pos = container_of((head)->next, typeof(*pos), member); &pos->member != (head); \
         pos = container_of(pos->member.next, typeof(*pos), member))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MAX(a, b) \
    ({ \
        typeof(a) a_ = (a); \
        typeof(b) b_ = (b); \
        a_ > b_ ? a_ : b_; \
    })
#define likely(x) __builtin_expect(!!(x), 1)

/* Lists whose links are inside of their items. */
struct list_head {
    struct list_head *next, *prev;
};

struct item {
    int key;
    struct list_head link;
    char name[8];
};

static void list_init(struct list_head *head) {
    head->next = head->prev = head;
}

static void list_add(struct list_head *entry, struct list_head *head) {
    entry->next = head->next;
    entry->prev = head;
    head->next->prev = entry;
    head->next = entry;
}

/*@ ensures result >= 0 */
int list_length(struct list_head *head) {
    int length = 0;
    struct item *pos;
    list_for_each_entry(pos, head, link) {
        if (pos->key < 0)
            continue;
        length++;
    }
    return length;
}

/* Trees with tagged unions. */
typedef enum { NUMBER, SUM, PRODUCT, NEGATION } kind;

typedef struct expression expression;
struct expression {
    kind kind;
    union {
        long number;
        struct {
            expression *left, *right;
        };
        expression *operand;
    };
};

long evaluate(const expression *e) {
    switch (e->kind) {
    case NUMBER:
        return e->number;
    case SUM:
        return evaluate(e->left) + evaluate(e->right);
    case PRODUCT: {
        long left = evaluate(e->left);
        return left ? left * evaluate(e->right) : 0;
    }
    case NEGATION:
        return -evaluate(e->operand);
    default:
        assert(!"kind");
        abort();
    }
}

static expression *number(long value) {
    expression *e = malloc(sizeof *e);
    if (!e)
        return NULL;
    *e = (expression){ .kind = NUMBER, .number = value };
    return e;
}

/* Red-black trees with the colour in the pointer. */
struct node {
    uintptr_t parent_color;
    struct node *child[2];
    int value;
};

static inline struct node *parent_of(const struct node *n) {
    return (struct node *)(n->parent_color & ~(uintptr_t)1);
}

static inline bool is_red(const struct node *n) {
    return n && (n->parent_color & 1u) != 0;
}

void rotate(struct node **root, struct node *n, int side) {
    struct node *up = n->child[!side];
    n->child[!side] = up->child[side];
    if (up->child[side])
        up->child[side]->parent_color = (uintptr_t)n | is_red(up->child[side]);
    struct node *parent = parent_of(n);
    if (!parent)
        *root = up;
    else
        parent->child[parent->child[1] == n] = up;
    up->child[side] = n;
}

/* Flags in bits, and packed messages. */
struct flags {
    unsigned ready : 1;
    unsigned : 3;
    signed level : 4;
    bool done : 1;
};

struct message {
    uint8_t type;
    uint32_t length;
    uint16_t checksum;
} __attribute__((packed));

struct buffer {
    size_t capacity, used;
    unsigned char bytes[];
};

_Static_assert(sizeof(struct message) == 7, "messages have no padding");

struct buffer *append(struct buffer *b, const void *data, size_t n) {
    if (b->used + n > b->capacity) {
        size_t capacity = MAX(b->capacity * 2, b->used + n);
        struct buffer *larger = realloc(b, sizeof(struct buffer) + capacity);
        if (larger == NULL) {
            errno = ENOMEM;
            return NULL;
        }
        b = larger;
        b->capacity = capacity;
    }
    memcpy(b->bytes + b->used, data, n);
    b->used += n;
    return b;
}

int set_level(struct flags *f, int level) {
    f->ready |= 1;
    f->level = level;
    f->done = !f->done;
    return f->level++ + f->ready;
}

/* Tables, strings and pointers to functions. */
typedef int (*operation)(int, int);

static int add(int a, int b) {
    return a + b;
}

static int shift(int a, int b) {
    return b >= 0 ? a << (b & 31) : a >> (-b & 31);
}

static const struct {
    const char *name;
    operation run;
    int weights[2][3];
} operations[] = {
    { "add", add, { { 1, 2 }, { [2] = 3 } } },
    { .run = &shift, .name = "shift" },
    [4] = { .weights[1] = { 7 } },
};

operation find(const char *name) {
    for (size_t i = 0; i < ARRAY_SIZE(operations); ++i) {
        if (operations[i].name && strcmp(operations[i].name, name) == 0)
            return operations[i].run;
    }
    return (operation)0;
}

int compute(const char *name, int a, int b) {
    operation run = find(name);
    return run ? run(a, b) + (*run)(b, a) + (**run)(a, a) : -1;
}

static int compare(const void *a, const void *b) {
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

void sort(int *numbers, size_t n) {
    qsort(numbers, n, sizeof numbers[0], compare);
}

/* Varargs. */
int total(int count, ...) {
    va_list arguments;
    int sum = 0;
    va_start(arguments, count);
    while (count-- > 0)
        sum += va_arg(arguments, int);
    va_end(arguments);
    return sum;
}

/* Control flow. */
int parse(const char *text, long *result) {
    long value = 0;
    bool negative = false;
    const char *p = text;
again:
    switch (*p) {
    case ' ':
    case '\t':
        p++;
        goto again;
    case '-':
        negative = true;
        /* falls through */
    case '+':
        p++;
        break;
    case '0' ... '9':
        break;
    default:
        goto wrong;
    }
    do {
        if (!isdigit((unsigned char)*p))
            goto wrong;
        if (value > (LONG_MAX - (*p - '0')) / 10)
            goto wrong;
        value = value * 10 + (*p - '0');
    } while (*++p);
    *result = negative ? -value : value;
    return 0;
wrong:
    *result = 0;
    return -1;
}

/* Numbers of all sizes. */
double numbers(signed char c, unsigned short s, unsigned u, long long l, float f, double d) {
    c += 1;
    s <<= 2;
    u = ~u ^ 0x80000000u;
    l -= c * 2;
    f = f / 3 + c;
    d *= f;
    l = l ?: 1;
    u = (c++, s--, u + c);
    return d > 1e10 || f != f ? (double)l : -d + u % 7 + (s > c && likely(u));
}

/* Matrices, and structs as values. */
struct point {
    double x, y;
};

static int grid[4][5];

struct point middle(struct point a, struct point b) {
    struct point m = { .y = (a.y + b.y) / 2 };
    m.x = (a.x + b.x) / 2;
    return m;
}

int trace(int (*rows)[5], int *const columns[2]) {
    int sum = 0;
    for (int i = 0, j = 4; i < 4 && j >= 0; i++, j--)
        sum += rows[i][j] + grid[i][j] + *(*(rows + i) + 1) + columns[i % 2][j] + 1 [columns[0]];
    return sum + (int)middle((struct point){ 1, 2 }, (struct point){ 0 }).x;
}

/* Things that live as long as the program, and what is visible in blocks only. */
extern int elsewhere;
static int calls;

int count(void) {
    static int own = 3;
    extern int elsewhere;
    int calls = own++;
    {
        struct local {
            int calls;
            struct local *self;
        } local = { calls, &local };
        typedef struct local *link;
        enum { STEP = 2 };
        link l = local.self;
        calls += l->calls * STEP;
    }
    return calls + elsewhere;
}

int main(int argc, char **argv) {
    struct list_head head;
    struct item items[2] = { { .key = 1, .name = "one" }, { .key = 2 } };
    list_init(&head);
    for (unsigned i = 0; i < 2; i++)
        list_add(&items[i].link, &head);
    long value;
    if (argc > 1 && parse(argv[1], &value) == 0)
        printf("%ld %d %s\n", value, list_length(&head), __func__);
    expression *e = number(calls);
    expression twice = { SUM, .left = e, .right = e };
    value = evaluate(&twice);
    free(e);
    return value == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
