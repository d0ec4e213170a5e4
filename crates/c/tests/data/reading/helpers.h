static inline int deeper(int x) { return x + 1; }
static inline int helper(int x) { return deeper(x); }
static inline int unused(int x) { return x; }
