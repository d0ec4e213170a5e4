struct bits {
    unsigned a : 3;
    int b : 7;
    unsigned : 2;
    _Bool c : 1;
    unsigned : 0;
    unsigned long d : 33;
    char e;
};
struct bits start = { 1, -2, 1, 3, 4 };
int f(struct bits *p) { p->a++; p->b = -1; return p->d + p->c; }
