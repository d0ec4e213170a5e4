typedef unsigned long size;
typedef size *sizes[2];
sizes all;
size f(size a) {
    typedef struct node { struct node *next; size value; } node, *link;
    node n = { 0, a };
    link l = &n;
    { typedef int node; node x = 1; a += x; }
    return l->next->value;
}
