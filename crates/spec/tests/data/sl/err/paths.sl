data Node { int value; Node next; }
data Pair { int value; Node first; }
pred list(x) := emp & x = null;
pre a(x) := list(x) & x.next = null;
pre b(x) := x.value = 1;
pre c(int x) := x.value = 1;
pre d(x) := x.next = y & y.next = null & list(y);
pre e(x) := y.next = null;
post f() := result.next = null;
pred g(x) := exists y. x -> Node(_, y) & y.value = 3;
pre h(x) := x = y & list(y) & x.value = 3;
pre i(x: Node) := x.value.next = null;
