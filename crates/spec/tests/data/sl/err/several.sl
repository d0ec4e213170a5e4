data Node { int value; Node next; }
pred list(x) := emp & x = nul
  | exists n. x -> Node(_, n) * list(n);
pred bad(x) := list(y) * lisst(x) & z > 0;
pred broken(x) := emp & & x;
pre f(x) := broken(x) * bad(x, 1);
