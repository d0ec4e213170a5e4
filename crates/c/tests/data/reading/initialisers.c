struct p { int x, y; };
struct q { struct p a[2]; union { int i; float f; } u; char name[4]; };
struct q one = { .u.f = 1.0f, .a[1].y = 3, .name = "ab" };
int some[5] = { [3] = 1, 2 };
int range[6] = { [1 ... 3] = 7 };
int zero[3] = {};
int open[] = { 1, 2, 3 };
struct p points[] = { { 1 }, { .y = 2 } };
int scalar = { 4 };
const char *const names[2] = { "a" };
void f(int n) { struct p l = { n, n + 1 }; struct p m = l; int a[4] = { n }; }
