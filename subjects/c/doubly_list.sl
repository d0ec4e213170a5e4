// Links from `p` on, each of which knows the one before it, and their number.
pred links(p, before, last, n) :=
    emp & p = null & before = last & n = 0
  | exists value, next, m.
    p -> link(value: value, next: next, prev: before) * links(next, p, last, m) & n = m + 1;

pred whole(list) := exists first, last, n.
    list -> list(first: first, last: last, size: n) * links(first, null, last, n);

pre append(list, value) := whole(list);
pre remove_value(list, value) := whole(list);
pre at(list, index) := whole(list);
