#include <assert.h>
int f(int *p) { assert(p != 0 && *p > 1); return *p; }
