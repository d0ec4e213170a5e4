data Node { int value; Node next; }
pred p(root, lo) := exists next. root -> Node(v, nxt) & low < 3;
