data Node { int value; Node next; }
data Other { boolean flag; float f; double d; }
pred list(x, n) := emp & x = null & n = 0;
pred a(x) := exists v, y. x -> Node(v, y) & v = null;
pred b(x) := exists v, y. x -> Node(v, y) & y < 3;
pred c(x) := exists f. x -> Other(flag: f) & f = 0;
pred d(x, y) := x -> Node(1, null) * y -> Other() & x = y;
pred e(x) := exists f, d. x -> Other(f: f, d: d) & f < d;
pred g(n: int) := exists d. emp & n = 1.5;
pred h(x) := list(3, x) * list(x, 3);
pred i(n: int) := emp & n;
pred j(n) := emp & !n & n > 2;
pred k(x) := x -> Node(true, 7);
pred l(n: int) := n -> Node(1, null);
