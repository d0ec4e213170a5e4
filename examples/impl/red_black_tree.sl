import red_black_tree;

// A tree object with a valid tree; nothing is missing between two operations.
pred valid(tree, lo, hi) :=
    exists root, bh. tree -> RbTree(root, false) * red_black_tree(root, lo, hi, bh);

// A red node with exactly one red child: what an insertion may leave behind.
pred red_pair(x, lo, hi, bh) :=
    exists v, left, right. x -> RbNode(v, true, left, right)
        * red_black(left, lo, v, true, bh) * red_black(right, v, hi, false, bh) & lo < v < hi
  | exists v, left, right. x -> RbNode(v, true, left, right)
        * red_black(left, lo, v, false, bh) * red_black(right, v, hi, true, bh) & lo < v < hi;

pred after_insertion(x, lo, hi, bh) :=
    exists red. red_black(x, lo, hi, red, bh)
  | red_pair(x, lo, hi, bh);

pre  insert(tree, x) := valid(tree, lo, hi);
post insert(tree, x) := valid(tree, lo, hi);

pre  remove(tree, x) := valid(tree, lo, hi);
post remove(tree, x) := valid(tree, lo, hi);

pre  contains(tree, x) := valid(tree, lo, hi);
post contains(tree, x) := valid(tree, lo, hi);

pre  is_red(t) := red_black(t, lo, hi, red, bh);
post is_red(t) := red_black(t, lo, hi, red, bh) & result = red;

pre  insert_into(t, x) := red_black(t, lo, hi, red, bh);
post insert_into(t, x) := after_insertion(result, lo, hi, bh);

// A black node above what an insertion left, or a red one above a valid black subtree.
pre  balance_left(t) :=
    exists left, right. t -> RbNode(v, false, left, right) * after_insertion(left, lo, v, bh)
        * red_black(right, v, hi, red, bh) & lo < v < hi
  | exists left, right. t -> RbNode(v, true, left, right) * red_black(left, lo, v, red, bh)
        * red_black(right, v, hi, false, bh) & lo < v < hi;
post balance_left(t) := after_insertion(result, lo, hi, bh);

pre  balance_right(t) :=
    exists left, right. t -> RbNode(v, false, left, right) * red_black(left, lo, v, red, bh)
        * after_insertion(right, v, hi, bh) & lo < v < hi
  | exists left, right. t -> RbNode(v, true, left, right) * red_black(left, lo, v, false, bh)
        * red_black(right, v, hi, red, bh) & lo < v < hi;
post balance_right(t) := after_insertion(result, lo, hi, bh);

pre  remove_from(tree, t, x) := tree -> RbTree(_, _) * red_black(t, lo, hi, red, bh);
post remove_from(tree, t, x) := tree -> RbTree(_, _) * red_black(result, lo, hi, red, bh);

pre  min(t) := red_black(t, lo, hi, red, bh) & t != null;
post min(t) := red_black(t, lo, hi, red, bh) & result = lo + 1;

// Nodes whose left or right subtree has one black node less on every way down than the other.
pred lacks_left(t, lo, hi, bh) :=
    exists v, left, right, red. t -> RbNode(v, false, left, right)
        * red_black(left, lo, v, false, bh - 1) * red_black(right, v, hi, red, bh)
        & lo < v < hi & bh > 0
  | exists v, left, right. t -> RbNode(v, true, left, right)
        * red_black(left, lo, v, false, bh - 1) * red_black(right, v, hi, false, bh)
        & lo < v < hi & bh > 0;

pred lacks_right(t, lo, hi, bh) :=
    exists v, left, right, red. t -> RbNode(v, false, left, right)
        * red_black(left, lo, v, red, bh) * red_black(right, v, hi, false, bh - 1)
        & lo < v < hi & bh > 0
  | exists v, left, right. t -> RbNode(v, true, left, right)
        * red_black(left, lo, v, false, bh) * red_black(right, v, hi, false, bh - 1)
        & lo < v < hi & bh > 0;

pre  repair_left(tree, t) :=
    tree -> RbTree(_, true) * lacks_left(t, lo, hi, bh)
  | tree -> RbTree(_, false) * red_black(t, lo, hi, red, bh) & t != null;
post repair_left(tree, t) := tree -> RbTree(_, _) * red_black(result, lo, hi, red, bh);

pre  repair_right(tree, t) :=
    tree -> RbTree(_, true) * lacks_right(t, lo, hi, bh)
  | tree -> RbTree(_, false) * red_black(t, lo, hi, red, bh) & t != null;
post repair_right(tree, t) := tree -> RbTree(_, _) * red_black(result, lo, hi, red, bh);
