/* A pool of cells, the free ones of which are chained by their indices. */
#include <stddef.h>

#ifdef __HEAPWRIGHT__
void hw_assume(int condition);
#else
#define hw_assume(condition) ((void)0)
#endif
#define CELLS 4
#define NONE (-1)

struct cell {
    int next;
    int payload;
};

struct pool {
    int free;
    struct cell cells[CELLS];
};

/* All cells are free. */
void pool_init(struct pool *pool) {
    hw_assume(pool != NULL);
    for (int i = 0; i < CELLS; i++) {
        pool->cells[i].next = i + 1 < CELLS ? i + 1 : NONE;
    }
    pool->free = 0;
}

/* Takes a cell, and returns its index. */
int pool_take(struct pool *pool, int payload) {
    hw_assume(pool != NULL && pool->free >= NONE && pool->free <= CELLS);
    int index = pool->free;
    if (index < 0 || index >= CELLS) {
        return NONE;
    }
    pool->free = pool->cells[index].next;
    pool->cells[index].payload = payload;
    return index;
}

/* Gives a cell back. */
int pool_give(struct pool *pool, int index) {
    hw_assume(pool != NULL && pool->free >= NONE && pool->free <= CELLS);
    if (index < 0 || index >= CELLS) {
        return 0;
    }
    pool->cells[index].next = pool->free;
    pool->free = index;
    return 1;
}

/* The number of free cells, or -1 if the chain is broken. */
int pool_free(const struct pool *pool) {
    hw_assume(pool != NULL && pool->free >= NONE && pool->free <= CELLS);
    int count = 0;
    for (int i = pool->free; i != NONE; i = pool->cells[i].next) {
        if (i < 0 || i >= CELLS || count == CELLS) {
            return -1;
        }
        count++;
    }
    return count;
}
