pred list(x) := emp & x = null | exists n. x -> cons(_, n) * list(n);

pre second(x) := list(x) & x != null;

pre late(x) := x -> cons(_, _);

pre cut(x) := x -> cons(_, n) * list(n);

pre  first_two_differ(x) := list(x);
post first_two_differ(x) := list(x) & !result;

pre impossible(x) := x -> cons(v, n) * list(n) & v < v;
