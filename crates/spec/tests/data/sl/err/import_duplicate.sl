import shapes.list;
pred list(x) := emp;
data Cell { int x; }
