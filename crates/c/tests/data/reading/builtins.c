int f(int x) {
    if (__builtin_expect(x > 1, 0)) __builtin_unreachable();
    _Static_assert(sizeof(int) == 4, "int");
    return __builtin_constant_p(x) + __builtin_types_compatible_p(int, const int) + __builtin_types_compatible_p(int, long) + _Generic(x, long: 1, int: 2) + __builtin_choose_expr(0, 1, x);
}
