/* A circular list whose links are inside of its items. */
#include <stddef.h>
#include <stdlib.h>

struct list_head {
    struct list_head *next, *prev;
};

struct item {
    int key;
    struct list_head link;
};

#define container_of(pointer, type, member) \
    ((type *)((char *)(pointer) - offsetof(type, member)))

/* The number of items with a key above a limit. */
int count_above(struct list_head *head, int limit) {
    int count = 0;
    for (struct list_head *p = head->next; p != head; p = p->next) {
        struct item *item = container_of(p, struct item, link);
        if (item->key > limit) {
            count++;
        }
    }
    return count;
}

/* Adds a new item behind the head. */
struct item *push(struct list_head *head, int key) {
    struct item *item = malloc(sizeof *item);
    item->key = key;
    item->link.next = head->next;
    item->link.prev = head;
    head->next->prev = &item->link;
    head->next = &item->link;
    return item;
}

/* Removes the first item with a key, and frees it. */
int remove_key(struct list_head *head, int key) {
    struct item *item;
    for (item = container_of(head->next, struct item, link); &item->link != head;
         item = container_of(item->link.next, struct item, link)) {
        if (item->key == key) {
            item->link.prev->next = item->link.next;
            item->link.next->prev = item->link.prev;
            free(item);
            return 1;
        }
    }
    return 0;
}
