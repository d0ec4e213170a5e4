data Node { int value; Node left, right; boolean red }
pred named(x) := exists l. x -> Node(left: l, red: true) * named(l) | emp & x = null;
pred wild(x) := x -> Node(_, _, _, _);
pred empty(x) := x -> Node();
pred mixed(x, v) := x -> Node(v, left: null);
pred truth(x) := exists b. x -> Node(red: b, right: null) & !b;
