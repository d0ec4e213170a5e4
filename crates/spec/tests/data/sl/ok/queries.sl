data Node { int value; Node next; }
pred list(x, n) := emp & x = null & n = 0 | exists y, m. x -> Node(_, y) * list(y, m) & n = m + 1;
check list(x, 3);
check two := list(x, n) * list(y, n) & n > 1;
check alternatives := list(x, 1) & x != null | emp & x = null;
check path := x.next = y & y.value = 2;
check false;
check true;
check emp;
check exists x. list(x, 2);
