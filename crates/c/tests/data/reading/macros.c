#include <stddef.h>
#define TWICE(x) ((x) + (x))
#define NODE(t) struct { t *first; struct { t *last; } in; }
struct n { NODE(struct n) a, b; NODE(int) c; };
int f(struct n *n, int y) { if (n == NULL) return TWICE(y); return *n->c.in.last + (n->a.first == n->b.in.last); }
