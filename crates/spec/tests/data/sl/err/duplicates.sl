data Node { int value; int value; }
data Node { int x; }
data Sub extends Node { int value; }
pred p(x, x) := emp;
pred p(y) := exists v, v. emp & v = 1;
pre f(a) := emp;
pre f(b) := emp;
post f(a) := emp;
post f(a) throws E := emp;
post f(a) throws E := emp;
pred q(x) := x -> Node(value: 1, value: 2);
pred min(x) := emp;
data int { }
