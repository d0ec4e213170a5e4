/* The stock again, with what the functions promise. */
#include <stdlib.h>

struct good {
    int number;
    int pieces;
    struct good *next;
};

/*@ pred sorted(x, least) := emp & x = null
      | exists n, p, y. x -> good(n, p, y) * sorted(y, n + 1) & n >= least & p >= 0; */

/* How many pieces of a good there are. */
/*@ pre sorted(stock, 0);
    post sorted(stock, 0) & result >= 0 */
int pieces_of(const struct good *stock, int number) {
    while (stock != NULL && stock->number < number) {
        stock = stock->next;
    }
    return stock != NULL && stock->number == number ? stock->pieces : 0;
}

/* Takes a good out of the stock, and returns what is left of the list. */
/*@ pre sorted(stock, 0);
    post sorted(result, 0) */
struct good *discard(struct good *stock, int number) {
    struct good *before = NULL;
    for (struct good *good = stock; good != NULL; good = good->next) {
        if (good->number == number) {
            struct good *next = good->next;
            free(good);
            if (before == NULL) {
                return next;
            }
            before->next = next;
            return stock;
        }
        before = good;
    }
    return stock;
}

/* Adds pieces of a good, which may be new. */
/*@ pre sorted(stock, 0) & number >= 0 & pieces > 0;
    post sorted(result, 0) */
struct good *store(struct good *stock, int number, int pieces) {
    if (stock == NULL || stock->number > number) {
        struct good *good = malloc(sizeof *good);
        if (good == NULL) {
            return stock;
        }
        good->number = number;
        good->pieces = pieces;
        good->next = stock;
        return good;
    }
    if (stock->number == number) {
        stock->pieces += pieces;
        return stock;
    }
    stock->next = store(stock->next, number, pieces);
    return stock;
}
