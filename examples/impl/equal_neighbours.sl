// Lists in which two neighbours are equal; without such neighbours the program runs off the end.

pred any_list(x) :=
    emp & x = nil
  | exists next. x -> cons(_, next) * any_list(next);

pred equal_neighbours(x) :=
    exists v, next, rest. x -> cons(v, next) * next -> cons(v, rest) * any_list(rest)
  | exists next. x -> cons(_, next) * equal_neighbours(next);

pre main(x) := equal_neighbours(x);
