/* Timers in a ring whose links are inside of them, as the Linux kernel keeps its lists. */
#include <stddef.h>

struct link {
    struct link *next, *prev;
};

struct timer {
    int due;
    struct link link;
};

#define timer_of(pointer) ((struct timer *)((char *)(pointer)-offsetof(struct timer, link)))

/* Puts a timer in front of the first one that is due later. */
void timer_add(struct link *ring, struct timer *timer) {
    struct link *at = ring->next;
    while (at != ring && timer_of(at)->due <= timer->due) {
        at = at->next;
    }
    timer->link.next = at;
    timer->link.prev = at->prev;
    at->prev->next = &timer->link;
    at->prev = &timer->link;
}

/* Takes the first timer off if it is due by now, and returns it. */
struct timer *timer_next(struct link *ring, int now) {
    struct link *first = ring->next;
    if (first == ring || timer_of(first)->due > now) {
        return NULL;
    }
    ring->next = first->next;
    first->next->prev = ring;
    first->next = first;
    first->prev = first;
    return timer_of(first);
}
