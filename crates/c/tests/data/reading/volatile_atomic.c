#include <stdatomic.h>
volatile int v;
_Atomic int a;
_Atomic(long) *b;
int f(volatile int *restrict p) { return *p + v + a + *b; }
