pred chain(first) :=
    emp & first = null
  | exists next. first -> Chain(next, _) * chain(next);

pre Chain#twelve(first) := chain(first);
pre Chain#twenty(first) := chain(first);
pre Chain#thirty(first) := chain(first);
