data A { int x; }
data B extends A { A other; }
data pkg.C$D extends B { long z; }
pred both(A a, n: int, long m, o: integer, Object any) := a -> A(n) & m = o & any = null;
pred use(x, y, k) := both(x, k, 3, k, y) * both(null, 5000000000, 3, 4, x);
pred sub(x: A) := exists y. x -> B(1, y) | x -> A(_);
pred deep(x) := exists a: A, b: int, B c. x -> D(x: b, other: a, z: 1) & c = a & b > 0;
pred wide(x) := x -> A() | x -> B();
