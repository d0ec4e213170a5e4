pred valid(x) := exists f, n. x -> List(first: f, size: n) & n > 0;
pred empty(x) := x -> List(first: null, size: 0);
pre List#add(n) := valid(this);
