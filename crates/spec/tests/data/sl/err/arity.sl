data Node { int value; Node next; }
pred list(x, n) := exists v. x -> Node(v) & n = min(1);
pred two(x) := list(x) * list(x, 1, 2) * x -> Node(1, null, 3);
pred none() := emp;
check none(1) * list();
