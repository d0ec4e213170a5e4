typedef int (*compare)(const void *, const void *);
int apply(compare f, int (*table[3])(int)) {
    int (*(*get)(void))(int) = 0;
    return f(0, 0) + (*f)(0, 0) + table[1](2) + get()(3);
}
int any();
int none(void);
int many(int, ...);
int use(void) { return any(1) + none() + many(1, 2) + (&none)() + (*none)(); }
