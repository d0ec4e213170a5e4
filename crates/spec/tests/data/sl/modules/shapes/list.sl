data Cell { int value; Cell next; }
pred list(x) := emp & x = null | exists n. x -> Cell(_, n) * list(n);
