data Node { int value; Node next; }
pred p(x) := x -> Node(valeu: 1);
pre f(x: Node) := x.nxt = null;
post f(x: Node) := emp & old(x.nexxt) = null;
