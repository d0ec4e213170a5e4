struct s { int outer; };
int f(struct s *a) {
    struct s { char inner; } b = { 1 };
    { struct s { long deep; } c = { 2 }; b.inner = c.deep; }
    return a->outer + b.inner;
}
int g(struct s *a) { return a->outer; }
