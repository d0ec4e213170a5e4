data Node { int value; Node next; }
pred list(x) := emp & x = null;
pred a(x, y) := list(x) & list(y);
pred b(x, y) := list(x) & x != y & (y -> Node() | emp);
