data Node { int value; Node next; }
pred list(x) := emp & x = null | exists n. x -> Node(_, n) * lsit(n);
check Node(x);
