enum e { A = 3, B };
struct s { int a, b; };
int f(unsigned char c, enum e e) {
    switch (c) {
    case 1 ... 3: return 1;
    case 'a': case 5 + 2:
        c++;
    case __builtin_offsetof(struct s, b): break;
    default: return 2;
    }
    switch (e) { case A: return 3; case B: __attribute__((fallthrough)); case sizeof(int) * 2: return 4; }
    return 0;
}
int g(int x) { switch (x) { case -1: return 1; case 0xffffffff - 1: return 2; } return 0; }
