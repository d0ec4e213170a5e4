data Node { int value; Node next; }
pred a(x) := x -> Node(value: 1, null);
pred b(x) := x -> Node(1, value: 2);
pred c(x) := x -> Node(1);
