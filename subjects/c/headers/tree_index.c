/* Trees of tree.h: an index of numbers. */
#include <stddef.h>
#include <bsd/sys/cdefs.h>
#ifndef __unused
#define __unused __attribute__((__unused__))
#endif
#include <bsd/sys/tree.h>

struct entry {
    int key;
    RB_ENTRY(entry) link;
};

static int compare(struct entry *a, struct entry *b) {
    return a->key < b->key ? -1 : a->key > b->key;
}

RB_HEAD(index, entry);
RB_GENERATE_STATIC(index, entry, link, compare)

/* How many of four keys differ, by a red-black tree. */
int distinct(int a, int b, int c, int d) {
    struct entry entries[4] = {{.key = a}, {.key = b}, {.key = c}, {.key = d}};
    struct index index = RB_INITIALIZER(&index);
    int count = 0;
    for (int i = 0; i < 4; i++) {
        if (RB_INSERT(index, &index, &entries[i]) == NULL) {
            count++;
        }
    }
    return count;
}

/* The second smallest of three keys, or the only one. */
int second(int a, int b, int c) {
    struct entry entries[3] = {{.key = a}, {.key = b}, {.key = c}};
    struct index index = RB_INITIALIZER(&index);
    for (int i = 0; i < 3; i++) {
        RB_INSERT(index, &index, &entries[i]);
    }
    struct entry *least = RB_MIN(index, &index), *next;
    next = RB_NEXT(index, &index, least);
    if (next == NULL) {
        return least->key;
    }
    RB_REMOVE(index, &index, least);
    return RB_MIN(index, &index) == next ? next->key : 0;
}

/* Whether a key is in a tree. */
int has(struct index *index, int key) {
    struct entry wanted = {.key = key};
    return index != NULL && RB_FIND(index, index, &wanted) != NULL;
}
