data Node { int value Node next; }
pred p(x := emp;
pred q(x) = emp;
pred r(x) := emp & ;
pred s(x) := (emp & x = null;
pred t(x) := exists v x -> Node(v);
pred u(x) := x -> ;
pred v(x) := emp emp;
foo bar;
pred w(x) := emp
pred y(x) := emp;
perd z(x) := emp;
check old(x, y);
check x.y(z);
pred null(x) := emp;
pred last(x) := emp
