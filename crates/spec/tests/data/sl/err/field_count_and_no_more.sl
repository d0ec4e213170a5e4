data Node { int song; Node prev; Node next; }
pred list(first, before, last, n) :=
    emp & first = null & last = before & n = 0
  | exists next. first -> Node(before, next) * list(next, first, last, n - 1) & n > 0;
