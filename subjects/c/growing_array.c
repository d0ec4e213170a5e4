/* An array of points that grows. */
#include <stdlib.h>
#include <string.h>

struct point {
    int x, y;
};

struct points {
    struct point *data;
    size_t size, capacity;
};

/* Adds a point, with more room if there is none left. */
int points_add(struct points *points, int x, int y) {
    if (points->size == points->capacity) {
        size_t capacity = points->capacity ? 2 * points->capacity : 4;
        struct point *data = realloc(points->data, capacity * sizeof *data);
        if (!data) {
            return -1;
        }
        points->data = data;
        points->capacity = capacity;
    }
    points->data[points->size].x = x;
    points->data[points->size].y = y;
    points->size++;
    return 0;
}

/* The index of a point, or -1. */
long points_find(const struct points *points, struct point wanted) {
    for (size_t i = 0; i < points->size; i++) {
        const struct point *point = &points->data[i];
        if (point->x == wanted.x && point->y == wanted.y) {
            return (long)i;
        }
    }
    return -1;
}

/* Removes the point at an index. */
int points_remove(struct points *points, size_t index) {
    if (index >= points->size) {
        return 0;
    }
    memmove(points->data + index, points->data + index + 1,
            (points->size - index - 1) * sizeof *points->data);
    points->size--;
    return 1;
}

/* Three points in a local array, and the one that is farthest to the right. */
int rightmost(int a, int b, int c) {
    struct points points = {NULL, 0, 0};
    points_add(&points, a, 1);
    points_add(&points, b, 2);
    points_add(&points, c, 3);
    struct point *best = points.data;
    for (struct point *p = points.data; p < points.data + points.size; p++) {
        if (p->x > best->x) {
            best = p;
        }
    }
    int y = best->y;
    free(points.data);
    return y;
}
