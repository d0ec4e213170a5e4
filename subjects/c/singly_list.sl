// Nodes from `p` on up to the null pointer.
pred nodes(p) :=
    emp & p = null
  | exists value, next. p -> node(value: value, next: next) * nodes(next);

pre length(list) := nodes(list);
pre insert(list, value) := nodes(list);
pre reverse(list) := nodes(list);
pre destroy(list) := nodes(list);
