data Node { int value; Node next; }
pred p(x) := emp & x = null;
pred star_and_times(x, y, n, m) := p(x) * p(y) & n = 2 * m;
pred pure_first(x) := exists v, n. x != null & x -> Node(v, n) * p(n);
pred chained(x, lo, hi) := exists v. x -> Node(v, null) & lo < v <= hi & hi = lo + 4 - 1 * 2;
pred distributed(x, y) := (p(x) | exists v. x -> Node(v, x)) * p(y);
pred pure_or(a, b) := emp & (a = 1 | b = 2 & a = 3);
pred implied(a, b, c) := emp & (a = 1 => b = 2 => c = 3);
pred lifted(x) := exists v. x -> Node(v, null) & (exists w. v = 2 * w);
pred shadowed(x) := exists v. x -> Node(v, null) & (exists v. v = 7 & v > 0) & v < 9;
pred grouped(a, b, c) := emp & a - (b - c) = (a + b) * 3 & -(a) < 4;
pred in_star(x, n) := p(x) * (n = 2);
