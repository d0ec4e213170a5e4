data Node { int value; Node next; }
pred p(x', $y, _z, größe) := exists x''. x' -> Node(größe, x'') & x'' = $y & _z = 'b' & größe = '\'';
