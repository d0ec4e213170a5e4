void *next(void *p, const void *q) { (void)q; return p + 1; }
int f(char *c) { return *(int *)(c + 4) + sizeof(void); }
