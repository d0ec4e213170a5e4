/* A queue, and a test of it with assumptions of its own: for pointers to nodes of one type, being the
 * same or different is all that matters. */
#include <assert.h>
#include <stdlib.h>

#ifdef __HEAPWRIGHT__
void hw_assume(int condition);
#else
#define hw_assume(condition) ((void)0)
#endif

struct node {
    int value;
    struct node *next;
};

struct queue {
    struct node *head, *tail;
};

void enqueue_tail(struct node *p, struct node *q, int value) {
    q->value = value;
    p->next = q;
}

void enqueue(struct queue *queue, int value) {
    struct node *added = malloc(sizeof *added);
    added->next = NULL;
    enqueue_tail(queue->tail, added, value);
    queue->tail = added;
}

void test(struct node *p, struct node *q, int value) {
    hw_assume(p != NULL && q != NULL && p != q);
    hw_assume(p->next == NULL && q->next == NULL);
    enqueue_tail(p, q, value);
    assert(p->next->value == value);
}

/* Two parameters may be the same node. */
int same(struct node *p, struct node *q) {
    if (p == NULL || q == NULL) return -1;
    p->value = 1;
    q->value = 2;
    return p->value == 2;
}

/* A pointer to a pointer: the first node with a value goes. */
int remove_value(struct node **list, int value) {
    while (*list != NULL) {
        struct node *node = *list;
        if (node->value == value) {
            *list = node->next;
            free(node);
            return 1;
        }
        list = &node->next;
    }
    return 0;
}
