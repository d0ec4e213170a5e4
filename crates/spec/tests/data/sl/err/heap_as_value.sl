data Node { int value; Node next; }
pred list(x) := emp & x = null;
pred a(x) := !list(x);
pred b(x, y) := list(x) => y = 1;
pred c(x, n) := emp & n = 2 * list(x);
pred d(x, n) := emp & x = null * list(x);
pred e(x, n) := emp & (n = 1 => exists m. n = 2 * m);
pred f(x) := list(list(x));
pred g(x, n) := emp & n = min(1, list(x));
pred h(x, b) := emp & (b ? list(x) : emp);
