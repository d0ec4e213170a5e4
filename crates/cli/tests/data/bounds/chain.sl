pred chain(first) :=
    emp & first = null
  | exists next. first -> Node(_, next) * chain(next);

pre twelve(first) := chain(first);
pre twenty(first) := chain(first);
pre thirty(first) := chain(first);
