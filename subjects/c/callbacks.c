/* Functions by name in a table, and functions as arguments. */
#include <stddef.h>
#include <stdlib.h>

typedef int (*operation)(int, int);
typedef int (*order)(const void *, const void *);

static int least(int a, int b) { return a < b ? a : b; }
static int greatest(int a, int b) { return a > b ? a : b; }
static int first(int a, int b) { return (void)b, a; }

static const struct {
    char letter;
    operation run;
} table[] = {{'l', least}, {'g', greatest}, {'f', first}};

/* Runs the operation of a letter. */
int run(char letter, int a, int b) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].letter == letter) {
            return table[i].run(a, b);
        }
    }
    return -1;
}

/* Combines the values of an array. */
int fold(operation combine, int a, int b, int c) {
    int values[] = {a, b, c}, result = values[0];
    for (int i = 1; i < 3; i++) {
        result = combine(result, values[i]);
    }
    return result;
}

static int ascending(const void *p, const void *q) {
    int a = *(const int *)p, b = *(const int *)q;
    return (a > b) - (a < b);
}

/* The middle one of three values. */
int median(int a, int b, int c) {
    int values[3] = {a, b, c};
    qsort(values, 3, sizeof values[0], ascending);
    return values[1];
}

/* Whether an order puts two numbers the right way round. */
int in_order(order compare, int a, int b) {
    if (compare == NULL) {
        compare = ascending;
    }
    return compare(&a, &b) <= 0;
}
