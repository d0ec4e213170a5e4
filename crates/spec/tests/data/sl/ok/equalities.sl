// Paths are resolved through equalities of the same disjunct.
data Node { int value; Node next; }
pre f(x, y) := x = y & y -> Node(3, null) & x.value > 2;
pre g(x) := x -> Node(x.value, x.next);
pre h(x) := x -> Node(x.value + 1, null);
