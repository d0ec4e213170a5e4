data Node { int value; Node next; }
pred loop(x) := loop(x) | emp & x = null;
pred one(x) := exists y, z. x -> Node(_, z);
pred some(x) := exists v. (x -> Node(v, null) | emp & x = null);
pred even(x) := odd(x);
pred odd(x) := even(x) | emp & x = null;
