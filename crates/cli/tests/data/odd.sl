// Predicates that nobody would write on purpose, for `explain`.

data Node { int value; bool flag; Node next; Node other; }

// No condition at all.
pred anything() := emp;

// A circle of two, and a reference that leads anywhere.
pred pair(x) :=
    exists y, v. x -> Node(v, true, y, _) * y -> Node(v, _, x, null) & v % 2 = 0;

// Numbers without a role, and alternatives.
pred numbers(n, flag) :=
    exists a, b. emp & n = a * b & a > 1 & b > 1 & !flag
  | emp & (n = 0 & flag || n < 5 || !(n = 7) & n > 6);

// Two lists that meet at a node that no field leads to.
pred meeting(x, y) := exists m. path(x, m) * path(y, m) & x != y;

pred path(x, y) :=
    emp & x = y
  | exists next. x -> Node(_, _, next, x) * path(next, y) & x != y;

// No heap has this shape.
pred never(x) := x -> Node(_, _, _, _) * x -> Node(_, _, _, _) | never(x);

// Contradictory numbers.
pred contradictory(x, n) :=
    emp & x = null & n > 3 & n < 2
  | exists next. x -> Node(n, _, next, _) * contradictory(next, n - 1) & x = null
  | emp & x = null & n = 9;

// Longer paths than anybody wants to read.
pred chain(x) :=
    exists a, b, c, d, e. x -> Node(_, _, a, null) * a -> Node(_, _, b, x) * b -> Node(_, _, c, a)
        * c -> Node(_, _, d, b) * d -> Node(_, _, e, c) * path(e, null);
