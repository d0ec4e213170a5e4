/* A skip list with up to three levels. */
#include <stdlib.h>

#ifdef __HEAPWRIGHT__
void hw_assume(int condition);
#else
#define hw_assume(condition) ((void)0)
#endif

#define LEVELS 3

struct skip_node {
    int key;
    struct skip_node *next[LEVELS];
};

struct skip_list {
    struct skip_node head;
    int levels;
};

/* Whether the keys of a level ascend, which also says that it ends. */
static int ascends(const struct skip_list *list, int level) {
    const struct skip_node *node = list->head.next[level];
    while (node && node->next[level] && node->key < node->next[level]->key) {
        node = node->next[level];
    }
    return !node || !node->next[level];
}

static int valid(const struct skip_list *list) {
    return ascends(list, 0) && ascends(list, 1) && ascends(list, 2);
}

/* The node with a key. */
struct skip_node *skip_find(struct skip_list *list, int key) {
    hw_assume(list != NULL && valid(list));
    struct skip_node *node = &list->head;
    for (int level = LEVELS - 1; level >= 0; level--) {
        while (node->next[level] && node->next[level]->key < key) {
            node = node->next[level];
        }
    }
    node = node->next[0];
    return node && node->key == key ? node : NULL;
}

/* Adds a key on some levels. */
int skip_insert(struct skip_list *list, int key, int levels) {
    hw_assume(list != NULL && valid(list));
    struct skip_node *before[LEVELS];
    struct skip_node *node = &list->head;
    if (levels < 1 || levels > LEVELS) {
        return -1;
    }
    for (int level = LEVELS - 1; level >= 0; level--) {
        while (node->next[level] && node->next[level]->key < key) {
            node = node->next[level];
        }
        before[level] = node;
    }
    struct skip_node *added = calloc(1, sizeof *added);
    if (!added) {
        return -1;
    }
    added->key = key;
    for (int level = 0; level < levels; level++) {
        added->next[level] = before[level]->next[level];
        before[level]->next[level] = added;
    }
    if (levels > list->levels) {
        list->levels = levels;
    }
    return 1;
}

/* How many nodes are on a level. */
int skip_count(const struct skip_list *list, unsigned level) {
    hw_assume(list != NULL && valid(list));
    int count = 0;
    if (level >= LEVELS) {
        return 0;
    }
    for (const struct skip_node *node = list->head.next[level]; node; node = node->next[level]) {
        count++;
    }
    return count;
}
