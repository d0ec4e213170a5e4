typedef struct { int a; } A;
typedef struct { A a; struct { A *b; } in; } *B;
static struct { int n; A list[2]; } table;
static union { int i; char c[4]; } bytes[2];
int f(A *a, B b) {
    struct { char c; int d; } local = { 1, 2 };
    return a->a + b->a.a + b->in.b->a + table.list[1].a + bytes[0].c[3] + local.d;
}
