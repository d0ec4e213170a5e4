/* Lists of utlist.h: tasks that wait, by priority. */
#include <stdlib.h>
#include <utlist.h>

struct task {
    int priority;
    struct task *prev, *next;
};

static int by_priority(const struct task *a, const struct task *b) {
    return a->priority < b->priority ? -1 : a->priority > b->priority;
}

/* Adds a task behind all others. */
int submit(struct task **waiting, int priority) {
    if (waiting == NULL || priority < 0) {
        return 0;
    }
    struct task *task = malloc(sizeof *task);
    if (task == NULL) {
        return 0;
    }
    task->priority = priority;
    DL_APPEND(*waiting, task);
    return 1;
}

/* Takes the first task with at least a priority. */
struct task *pick(struct task **waiting, int least) {
    if (waiting == NULL) {
        return NULL;
    }
    struct task *task;
    DL_FOREACH(*waiting, task) {
        if (task->priority >= least) {
            DL_DELETE(*waiting, task);
            return task;
        }
    }
    return NULL;
}

/* Removes all tasks below a priority from a list that ends with null. */
int drop(struct task **waiting, int least) {
    int dropped = 0;
    if (waiting == NULL) {
        return 0;
    }
    struct task *task, *next;
    DL_FOREACH_SAFE(*waiting, task, next) {
        if (task->priority < least) {
            DL_DELETE(*waiting, task);
            free(task);
            dropped++;
        }
    }
    return dropped;
}

/* The smaller of two priorities. */
int smaller(const struct task *a, const struct task *b) {
    if (a == NULL || b == NULL) {
        return -1;
    }
    return by_priority(a, b) <= 0 ? a->priority : b->priority;
}
