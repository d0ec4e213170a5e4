#include <stddef.h>
struct in { char c; int a[3]; };
struct out { long l; struct in in[2]; };
unsigned long f(void) { return offsetof(struct out, in[1].a[2]); }
int table[offsetof(struct in, a)];
