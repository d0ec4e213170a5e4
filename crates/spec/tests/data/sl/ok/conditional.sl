data Node { int color; Node next; }
pred height(x, h) := emp & x = null & h = 1
  | exists c, n, k. x -> Node(c, n) * height(n, k) & h = k + (c = 1 ? 1 : 0) & 0 <= c <= 1;
pred pick(x, y, b: bool) := height(ite(b, x, y), 2);
