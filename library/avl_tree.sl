// AVL trees: search trees in which the heights of two siblings differ by at most one.

import binary_tree;

data AvlNode { int value; int height; AvlNode left; AvlNode right; }

// All values lie strictly between lo and hi; h is the height, which no node stores. The three ways
// to build a tree of height h: both subtrees of height h - 1, or one of them lower by one.
pred avl_tree(x, lo, hi, h) :=
    emp & x = null & h = 0
  | exists v, left, right. x -> TreeNode(v, left, right)
        * avl_tree(left, lo, v, h - 1) * avl_tree(right, v, hi, h - 1)
        & lo < v & v < hi & h > 0
  | exists v, left, right. x -> TreeNode(v, left, right)
        * avl_tree(left, lo, v, h - 1) * avl_tree(right, v, hi, h - 2)
        & lo < v & v < hi & h > 1
  | exists v, left, right. x -> TreeNode(v, left, right)
        * avl_tree(left, lo, v, h - 2) * avl_tree(right, v, hi, h - 1)
        & lo < v & v < hi & h > 1;

// The same with n, the number of nodes.
pred avl_tree_of_size(x, lo, hi, h, n) :=
    emp & x = null & h = 0 & n = 0
  | exists v, left, right, m, k. x -> TreeNode(v, left, right)
        * avl_tree_of_size(left, lo, v, h - 1, m) * avl_tree_of_size(right, v, hi, h - 1, k)
        & lo < v & v < hi & h > 0 & n = m + k + 1
  | exists v, left, right, m, k. x -> TreeNode(v, left, right)
        * avl_tree_of_size(left, lo, v, h - 1, m) * avl_tree_of_size(right, v, hi, h - 2, k)
        & lo < v & v < hi & h > 1 & n = m + k + 1
  | exists v, left, right, m, k. x -> TreeNode(v, left, right)
        * avl_tree_of_size(left, lo, v, h - 2, m) * avl_tree_of_size(right, v, hi, h - 1, k)
        & lo < v & v < hi & h > 1 & n = m + k + 1;

// AVL trees as programs keep them: every node stores the height of the tree below it, itself
// included.
pred stored_avl_tree(x, lo, hi, h) :=
    emp & x = null & h = 0
  | exists v, left, right, a, b. x -> AvlNode(v, h, left, right)
        * stored_avl_tree(left, lo, v, a) * stored_avl_tree(right, v, hi, b)
        & lo < v & v < hi & a - b <= 1 & b - a <= 1
        & (a >= b & h = a + 1 || a < b & h = b + 1);
