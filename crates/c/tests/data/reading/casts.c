long widen(int x, unsigned char c, float f) {
    void *p = &x;
    int *q = p;
    const int *r = q;
    _Bool b = x;
    long l = (long)p;
    q = (int *)l;
    f = x + 1.5;
    (void)r;
    return c + (int)f + b;
}
