// Search trees whose elements lie strictly between two bounds.
pred bst(root, lo, hi) :=
    emp & root = null
  | exists v, left, right. root -> BinaryNode(v, left, right) * bst(left, lo, v) * bst(right, v, hi)
        & lo < v & v < hi;

pre  remove(tree, x) := exists root. tree -> Tree(root) * bst(root, lo, hi);
post remove(tree, x) := exists root. tree -> Tree(root) * bst(root, lo, hi);

pre  remove_from(x, t) := bst(t, lo, hi);
post remove_from(x, t) := bst(result, lo, hi);

pre  find_min(t) := bst(t, lo, hi);
post find_min(t) := bst(t, lo, hi);
