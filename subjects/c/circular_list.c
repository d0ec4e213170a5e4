/* Tasks in a circular list, whose links are inside of the tasks. */
#include <stddef.h>
#include <stdlib.h>

struct list_head {
    struct list_head *next, *prev;
};

struct task {
    int priority;
    unsigned ticks;
    struct list_head link;
};

#define container_of(pointer, type, member) \
    ((type *)((char *)(pointer) - offsetof(type, member)))
#define list_entry(pointer, type, member) container_of(pointer, type, member)
#define list_for_each(position, head) \
    for (position = (head)->next; position != (head); position = position->next)
#define list_for_each_entry(position, head, member)                            \
    for (position = list_entry((head)->next, __typeof__(*position), member);   \
         &position->member != (head);                                          \
         position = list_entry(position->member.next, __typeof__(*position), member))
#define list_for_each_safe(position, following, head)                    \
    for (position = (head)->next, following = position->next; position != (head); \
         position = following, following = position->next)

static void list_insert(struct list_head *added, struct list_head *before, struct list_head *after) {
    after->prev = added;
    added->next = after;
    added->prev = before;
    before->next = added;
}

static void list_remove(struct list_head *link) {
    link->next->prev = link->prev;
    link->prev->next = link->next;
    link->next = link->prev = link;
}

/* How many tasks there are. */
int task_count(struct list_head *head) {
    int count = 0;
    struct list_head *p;
    list_for_each(p, head) count++;
    return count;
}

/* The task with the highest priority, the first of several. */
struct task *task_first(struct list_head *head) {
    struct task *best = NULL, *task;
    list_for_each_entry(task, head, link) {
        if (best == NULL || task->priority > best->priority) {
            best = task;
        }
    }
    return best;
}

/* Adds a task behind all with at least its priority. */
struct task *task_add(struct list_head *head, int priority) {
    struct task *added = malloc(sizeof *added);
    if (!added) {
        return NULL;
    }
    added->priority = priority;
    added->ticks = 0;
    struct list_head *p;
    list_for_each(p, head) {
        if (list_entry(p, struct task, link)->priority < priority) {
            break;
        }
    }
    list_insert(&added->link, p->prev, p);
    return added;
}

/* Frees all tasks that have had too many ticks. */
int task_expire(struct list_head *head, unsigned limit) {
    int expired = 0;
    struct list_head *p, *following;
    list_for_each_safe(p, following, head) {
        struct task *task = list_entry(p, struct task, link);
        if (++task->ticks > limit) {
            list_remove(p);
            free(task);
            expired++;
        }
    }
    return expired;
}
