/* A ring of characters of a fixed size. */
#include <stdbool.h>
#include <stddef.h>

#ifdef __HEAPWRIGHT__
void hw_assume(int condition);
#else
#define hw_assume(condition) ((void)0)
#endif

#define RING 8

struct ring {
    unsigned char data[RING];
    unsigned read, written;
};

static bool ring_valid(const struct ring *ring) {
    hw_assume(ring != NULL);
    return ring->written - ring->read <= RING;
}

/* How many characters wait. */
unsigned ring_used(const struct ring *ring) {
    return ring_valid(ring) ? ring->written - ring->read : 0;
}

/* Adds a character. */
bool ring_put(struct ring *ring, unsigned char c) {
    if (!ring_valid(ring) || ring_used(ring) == RING) {
        return false;
    }
    ring->data[ring->written++ % RING] = c;
    return true;
}

/* Takes a character, or -1. */
int ring_get(struct ring *ring) {
    if (ring_used(ring) == 0) {
        return -1;
    }
    return ring->data[ring->read++ % RING];
}

/* The distance to the next character of this kind, or -1. */
int ring_search(const struct ring *ring, unsigned char c) {
    unsigned used = ring_used(ring);
    for (unsigned i = 0; i < used; i++) {
        if (ring->data[(ring->read + i) % RING] == c) {
            return (int)i;
        }
    }
    return -1;
}
