data A { int x; }
data B { int y; }
pred p(x) := x -> A(1) | x -> B(2);
pred q(x) := emp & x = null;
check q(x) * q(y) & x.x = 1 & y.y = 2;
