// Questions as symbolic execution asks them: cells that a path has touched, instances that it
// has not, and what its branches compared. Each name ends with the answer.

import search_tree;
import red_black_tree;

// Searching x: three nodes deep, five comparisons.
check bst_left_right_sat :=
    root -> TreeNode(v, l, r) * l -> TreeNode(w, a, b) * b -> TreeNode(u, c, d)
    * search_tree(r, v, hi) * search_tree(a, lo, w) * search_tree(c, w, u) * search_tree(d, u, v)
    & lo < v & v < hi & lo < w & w < v & w < u & u < v
    & x < v & x > w & x < u & c = null & d != null;

check bst_found_sat :=
    root -> TreeNode(v, l, r) * r -> TreeNode(w, a, b) * a -> TreeNode(u, c, d)
    * search_tree(l, lo, v) * search_tree(b, w, hi) * search_tree(c, v, u) * search_tree(d, u, w)
    & lo < v & v < hi & v < w & w < hi & v < u & u < w
    & x > v & x < w & x = u & c != null & d != null;

check bst_wrong_side_unsat :=
    root -> TreeNode(v, l, r) * l -> TreeNode(w, a, b) * b -> TreeNode(u, c, d)
    * search_tree(r, v, hi) * search_tree(a, lo, w) * search_tree(c, w, u) * search_tree(d, u, v)
    & lo < v & v < hi & lo < w & w < v & w < u & u < v
    & x < v & x < w & x > u & c = null & d = null;

check bst_no_room_unsat :=
    root -> TreeNode(v, l, r) * l -> TreeNode(w, a, b)
    * search_tree(r, v, hi) * search_tree(a, lo, w) * search_tree(b, w, v)
    & lo < v & v < hi & lo < w & w < v
    & v = w + 1 & b != null & x < v & x > w - 3 & x != w;

// Red-black trees with size and black height.
check rb_size_sat := red_black_of_size(x, lo, hi, red, bh, n) & n = 5 & bh = 2 & red = false;

check rb_touched_sat :=
    x -> RbNode(v, false, l, r) * l -> RbNode(w, true, a, b)
    * red_black_of_size(r, v, hi, rr, 1, m)
    * red_black_of_size(a, lo, w, false, 1, i) * red_black_of_size(b, w, v, false, 1, j)
    & lo < v & v < hi & lo < w & w < v & n = m + i + j + 2 & n = 6 & k < v & k > w;

check rb_too_small_unsat := red_black_of_size(x, lo, hi, red, bh, n) & n = 5 & bh = 4;

check rb_too_large_unsat := red_black_of_size(x, lo, hi, red, bh, n) & n = 8 & bh = 1;

check rb_red_red_unsat :=
    x -> RbNode(v, true, l, r)
    * red_black_of_size(l, lo, v, false, bh, i) * red_black_of_size(r, v, hi, false, bh, j)
    & lo < v & v < hi & i + j = 1;
