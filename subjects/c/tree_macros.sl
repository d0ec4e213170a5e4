// A tree of words whose lengths lie between two bounds.
pred words(t, low, high) :=
    emp & t = null
  | exists length, first, entry, left, right.
    t -> word(length: length, first: first, by_length: entry)
    * entry -> word.by_length(left: left, right: right, outer: t)
    * words(left, low, length) * words(right, length, high) & low < length & length < high;

pred whole(t) := exists low, high. words(t, low, high);

pre has_length(root, length) := whole(root);
pre with_word(root, added) := exists length, first, entry, left, right.
    whole(root) * added -> word(length: length, first: first, by_length: entry)
    * entry -> word.by_length(left: left, right: right, outer: added);
pre longest(root) := whole(root);
