/* A doubly linked list with both ends. */
#include <stdbool.h>
#include <stdlib.h>

struct link {
    long value;
    struct link *next, *prev;
};

struct list {
    struct link *first, *last;
    size_t size;
};

/* Adds a value at the end. */
bool append(struct list *list, long value) {
    struct link *link = calloc(1, sizeof *link);
    if (!link) {
        return false;
    }
    link->value = value;
    link->prev = list->last;
    if (list->last) {
        list->last->next = link;
    } else {
        list->first = link;
    }
    list->last = link;
    list->size++;
    return true;
}

static void unlink_one(struct list *list, struct link *link) {
    if (link->prev) {
        link->prev->next = link->next;
    } else {
        list->first = link->next;
    }
    if (link->next) {
        link->next->prev = link->prev;
    } else {
        list->last = link->prev;
    }
    list->size--;
}

/* Removes the first link with a value. */
bool remove_value(struct list *list, long value) {
    for (struct link *link = list->first; link; link = link->next) {
        if (link->value == value) {
            unlink_one(list, link);
            free(link);
            return true;
        }
    }
    return false;
}

/* Takes the last value off, if there is one. */
bool pop(struct list *list, long *value) {
    struct link *last = list->last;
    if (!last) {
        return false;
    }
    *value = last->value;
    unlink_one(list, last);
    free(last);
    return true;
}

/* The link at an index, from the nearer end. */
struct link *at(struct list *list, size_t index) {
    if (index >= list->size) {
        return NULL;
    }
    struct link *link;
    if (index < list->size / 2) {
        for (link = list->first; index > 0; index--) {
            link = link->next;
        }
    } else {
        link = list->last;
        for (size_t i = list->size - 1; i > index; i--) {
            link = link->prev;
        }
    }
    return link;
}
