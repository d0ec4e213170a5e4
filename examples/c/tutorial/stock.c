/* A shop's stock: a list of goods, sorted by number, each at most once. */
#include <stdlib.h>

struct good {
    int number;
    int pieces;
    struct good *next;
};

/* How many pieces of a good there are. */
int pieces_of(const struct good *stock, int number) {
    while (stock->number < number) {
        stock = stock->next;
    }
    return stock->number == number ? stock->pieces : 0;
}

/* Takes a good out of the stock, and returns what is left of the list. */
struct good *discard(struct good *stock, int number) {
    struct good *before = NULL;
    for (struct good *good = stock; good != NULL; good = good->next) {
        if (good->number == number) {
            free(good);
            if (before == NULL) {
                return good->next;
            }
            before->next = good->next;
            return stock;
        }
        before = good;
    }
    return stock;
}
