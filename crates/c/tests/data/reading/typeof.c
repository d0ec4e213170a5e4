struct list { struct list *next; };
struct item { int key; struct list link; };
#define container_of(ptr, type, member) ({ const typeof(((type *)0)->member) *m = (ptr); (type *)((char *)m - __builtin_offsetof(type, member)); })
int f(struct list *l, struct item *items) {
    struct item *i = container_of(l, struct item, link);
    typeof(*items) *p = items, **q = &p;
    typeof(i->key) k = 1;
    typeof(&items[0].link) *r = 0;
    __auto_type a = i;
    return k + (*q)->key + a->key + (r == 0);
}
