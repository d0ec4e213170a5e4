import avl_tree;

pre  insert(t, x) := stored_avl_tree(t, lo, hi, h);
post insert(t, x) := stored_avl_tree(result, lo, hi, h) & result != null;

pre  remove(t, x) := stored_avl_tree(t, lo, hi, h);
post remove(t, x) := stored_avl_tree(result, lo, hi, h);

pre  min(t) := stored_avl_tree(t, lo, hi, h) & t != null;
post min(t) := stored_avl_tree(t, lo, hi, h) & result = lo + 1;

pre  height(t) := stored_avl_tree(t, lo, hi, h);
post height(t) := stored_avl_tree(t, lo, hi, h) & result = h;

// A node whose own height may be wrong, above two trees whose heights differ by at most two.
pred unbalanced(t, lo, hi) := exists v, left, right, a, b. t -> AvlNode(v, _, left, right)
    * stored_avl_tree(left, lo, v, a) * stored_avl_tree(right, v, hi, b)
    & lo < v < hi & a - b <= 2 & b - a <= 2;

pre  update_height(t) := unbalanced(t, lo, hi);
post update_height(t) := exists left, right. t -> AvlNode(v, h, left, right)
    * stored_avl_tree(left, lo, v, a) * stored_avl_tree(right, v, hi, b)
    & h = max(a, b) + 1;

pre  rebalance(t) := unbalanced(t, lo, hi);
post rebalance(t) := stored_avl_tree(result, lo, hi, h);

// A rotation needs a child on one side and keeps the order of the values.
pred ordered(t, lo, hi) :=
    emp & t = null
  | exists v, left, right. t -> AvlNode(v, _, left, right) * ordered(left, lo, v)
        * ordered(right, v, hi) & lo < v < hi;

pre  rotate_left(t) := exists left, right, below, beyond.
    t -> AvlNode(v, _, left, right) * right -> AvlNode(w, _, below, beyond)
    * stored_avl_tree(left, lo, v, a) * stored_avl_tree(below, v, w, b)
    * stored_avl_tree(beyond, w, hi, c) & lo < v < w < hi;
post rotate_left(t) := ordered(result, lo, hi);

pre  rotate_right(t) := exists left, right, below, beyond.
    t -> AvlNode(v, _, left, right) * left -> AvlNode(w, _, below, beyond)
    * stored_avl_tree(below, lo, w, a) * stored_avl_tree(beyond, w, v, b)
    * stored_avl_tree(right, v, hi, c) & lo < w < v < hi;
post rotate_right(t) := ordered(result, lo, hi);
