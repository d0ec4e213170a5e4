typedef int vector __attribute__((vector_size(16)));
int f(int n, vector v) {
    int a[n];
    unsigned long s = sizeof(a);
    __asm__("nop");
    void *p = &&out;
    goto *p;
out:
    return s;
}
long double wide(long double x, __int128 y, _Complex double z) { return x; }
