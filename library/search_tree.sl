// Search trees: values grow from left to right, none occurs twice.

import binary_tree;

// All values lie strictly between lo and hi.
pred search_tree(x, lo, hi) :=
    emp & x = null
  | exists v, left, right. x -> TreeNode(v, left, right)
        * search_tree(left, lo, v) * search_tree(right, v, hi)
        & lo < v & v < hi;

// The same with n, the number of nodes.
pred search_tree_of_size(x, lo, hi, n) :=
    emp & x = null & n = 0
  | exists v, left, right, m, k. x -> TreeNode(v, left, right)
        * search_tree_of_size(left, lo, v, m) * search_tree_of_size(right, v, hi, k)
        & lo < v & v < hi & n = m + k + 1;
