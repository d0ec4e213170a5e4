/* Expressions as a tree of tagged unions. */
#include <stdlib.h>

enum kind { NUMBER, VARIABLE, NEGATED, SUM, PRODUCT };

struct expression {
    enum kind kind;
    union {
        int number;
        char variable;
        struct expression *operand;
        struct {
            struct expression *left, *right;
        } pair;
    } as;
};

/* How many nodes there are. */
int size(const struct expression *e) {
    switch (e->kind) {
    case NUMBER:
    case VARIABLE:
        return 1;
    case NEGATED:
        return 1 + size(e->as.operand);
    default:
        return 1 + size(e->as.pair.left) + size(e->as.pair.right);
    }
}

/* The value of an expression, with one value for all variables. */
unsigned value(const struct expression *e, unsigned variable) {
    switch (e->kind) {
    case NUMBER:
        return (unsigned)e->as.number;
    case VARIABLE:
        return variable;
    case NEGATED:
        return -value(e->as.operand, variable);
    case SUM:
        return value(e->as.pair.left, variable) + value(e->as.pair.right, variable);
    case PRODUCT:
        return value(e->as.pair.left, variable) * value(e->as.pair.right, variable);
    }
    return 0;
}

/* Whether an expression is a certain number. */
int is_number(const struct expression *e, int number) {
    return e != NULL && e->kind == NUMBER && e->as.number == number;
}

/* A sum, or one operand if the other one is zero. */
struct expression *sum(struct expression *left, struct expression *right) {
    if (is_number(left, 0)) {
        return right;
    }
    if (is_number(right, 0)) {
        return left;
    }
    struct expression *e = malloc(sizeof *e);
    if (e) {
        e->kind = SUM;
        e->as.pair.left = left;
        e->as.pair.right = right;
    }
    return e;
}
