// Items from `p` on up to the head, each linked to the one before it.
pred items(p, before, head, last) :=
    emp & p = head & before = last
  | exists next, item, key.
        p -> item.link(next: next, prev: before, outer: item) * item -> item(key: key, link: p)
        * items(next, p, head, last);

pre count_above(head, limit) := exists first, last. head -> list_head(next: first, prev: last) * items(first, head, head, last);
pre push(head, key) := exists first, last. head -> list_head(next: first, prev: last) * items(first, head, head, last);
pre remove_key(head, key) := exists first, last. head -> list_head(next: first, prev: last) * items(first, head, head, last);
