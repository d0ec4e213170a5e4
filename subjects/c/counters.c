/* Counters in variables of the file. */
#include <stddef.h>

#define SLOTS 3

struct slot {
    int id;
    unsigned hits;
};

int limit = 2;
static struct slot slots[SLOTS];
static int used;
static struct slot *last;

/* The slot of an id, which is found or taken. */
static struct slot *slot_of(int id) {
    for (int i = 0; i < used; i++) {
        if (slots[i].id == id) {
            return &slots[i];
        }
    }
    if (used == SLOTS) {
        return NULL;
    }
    slots[used].id = id;
    slots[used].hits = 0;
    return &slots[used++];
}

/* Counts one event: 0 if there is no slot left. */
int hit(int id) {
    struct slot *slot = last != NULL && last->id == id ? last : slot_of(id);
    if (slot == NULL) {
        return 0;
    }
    slot->hits++;
    last = slot;
    return 1;
}

/* Whether an id has reached the limit. */
int is_busy(int id) {
    for (int i = 0; i < used; i++) {
        if (slots[i].id == id && slots[i].hits >= (unsigned)limit) {
            return 1;
        }
    }
    return 0;
}

/* A number that is new with each call. */
int ticket(void) {
    static int next = 1;
    if (next > limit) {
        next = 0;
    }
    return next++;
}

/* Three events, and whether one of them was too much. */
int three(int a, int b, int c) {
    hit(a);
    hit(b);
    hit(c);
    return is_busy(a);
}
