struct n { struct n *next; int v; };
int f(struct n *p) { int r = 0; for (struct n *q = p, *t; q && (t = q->next, 1); q = t) r += q->v; return r; }
