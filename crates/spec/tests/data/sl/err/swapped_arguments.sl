data Node { int song; Node prev; Node next; }
pred list(first, before, last, n) :=
    emp & first = 0 & last = before & n = null
  | exists next. first -> Node(before, _, next) * list(next, n - 1, last, first) & n > 0;
