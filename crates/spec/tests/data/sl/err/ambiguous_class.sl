data a.Node { int value; }
data b.Node { int value; }
pred p(x) := x -> Node(1);
