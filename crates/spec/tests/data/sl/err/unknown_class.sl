data Node { int value; Nod next; }
pred p(x) := x -> Nodee(1, null);
pred q(x: strin) := emp;
data B extends Missing { }
pre Noode#m() := emp;
