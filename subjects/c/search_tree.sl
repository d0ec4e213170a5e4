// A tree with keys in order between two bounds.
pred ordered(t, low, high) :=
    emp & t = null
  | exists key, left, right.
    t -> tree(key: key, left: left, right: right)
    * ordered(left, low, key) * ordered(right, key, high) & low < key & key < high;

pred whole(t) := exists low, high. ordered(t, low, high);

pre contains(t, key) := whole(t);
pre remove_key(t, key) := whole(t);
pre height(t) := whole(t);
