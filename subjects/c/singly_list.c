/* A sorted, singly linked list of numbers. */
#include <stddef.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

/* The number of nodes. */
int length(const struct node *list) {
    int count = 0;
    for (; list != NULL; list = list->next) {
        count++;
    }
    return count;
}

/* Adds a value in its place, and returns the new list. */
struct node *insert(struct node *list, int value) {
    struct node **place = &list;
    while (*place != NULL && (*place)->value < value) {
        place = &(*place)->next;
    }
    struct node *node = malloc(sizeof *node);
    if (node == NULL) {
        return list;
    }
    node->value = value;
    node->next = *place;
    *place = node;
    return list;
}

/* Removes all nodes with a value, and returns how many there were. */
int remove_all(struct node **list, int value) {
    int removed = 0;
    while (*list != NULL) {
        struct node *node = *list;
        if (node->value == value) {
            *list = node->next;
            free(node);
            removed++;
        } else {
            list = &node->next;
        }
    }
    return removed;
}

/* Turns the list around. */
struct node *reverse(struct node *list) {
    struct node *result = NULL;
    while (list != NULL) {
        struct node *next = list->next;
        list->next = result;
        result = list;
        list = next;
    }
    return result;
}

/* Frees the whole list. */
void destroy(struct node *list) {
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}
