// Questions as symbolic execution asks them: cells that a path has touched, instances that it
// has not, and what its branches compared. Each name ends with the answer.

import search_tree;
import red_black_tree;
import avl_tree;

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

// AVL trees that store their heights: four nodes down the left side.
check avl_left_sat :=
    t -> AvlNode(v, h, left, right) * left -> AvlNode(v1, a, left1, right1)
    * left1 -> AvlNode(v2, a1, left2, right2) * left2 -> AvlNode(v3, a2, left3, right3)
    * stored_avl_tree(right, v, hi, b) * stored_avl_tree(right1, v1, v, b1)
    * stored_avl_tree(right2, v2, v1, b2) * stored_avl_tree(left3, lo, v3, a3)
    * stored_avl_tree(right3, v3, v2, b3)
    & t != null & lo < v & v < hi & a <= b + 1 & b <= a + 1
    & (h = b + 1 & a < b || b <= a & h = a + 1) & x < v
    & left != null & lo < v1 & v1 < v & a1 <= b1 + 1 & b1 <= a1 + 1
    & (a = b1 + 1 & a1 < b1 || b1 <= a1 & a = a1 + 1) & x < v1
    & left1 != null & lo < v2 & v2 < v1 & a2 <= b2 + 1 & b2 <= a2 + 1
    & (a1 = b2 + 1 & a2 < b2 || b2 <= a2 & a1 = a2 + 1) & x < v2
    & left2 != null & lo < v3 & v3 < v2 & a3 <= b3 + 1 & b3 <= a3 + 1
    & (a2 = b3 + 1 & a3 < b3 || b3 <= a3 & a2 = a3 + 1);

// Five nodes, and a sixth: no tree has fewer than twenty.
check avl_deep_sat :=
    t -> AvlNode(v, h, left, right) * left -> AvlNode(v1, a, left1, right1)
    * left1 -> AvlNode(v2, a1, left2, right2) * left2 -> AvlNode(v3, a2, left3, right3)
    * left3 -> AvlNode(v4, a3, left4, right4)
    * stored_avl_tree(right, v, hi, b) * stored_avl_tree(right1, v1, v, b1)
    * stored_avl_tree(right2, v2, v1, b2) * stored_avl_tree(right3, v3, v2, b3)
    * stored_avl_tree(left4, lo, v4, a4) * stored_avl_tree(right4, v4, v3, b4)
    & lo < v & v < hi & a <= b + 1 & b <= a + 1
    & (h = b + 1 & a < b || b <= a & h = a + 1) & x < v
    & lo < v1 & v1 < v & a1 <= b1 + 1 & b1 <= a1 + 1
    & (a = b1 + 1 & a1 < b1 || b1 <= a1 & a = a1 + 1) & x < v1
    & lo < v2 & v2 < v1 & a2 <= b2 + 1 & b2 <= a2 + 1
    & (a1 = b2 + 1 & a2 < b2 || b2 <= a2 & a1 = a2 + 1) & x < v2
    & lo < v3 & v3 < v2 & a3 <= b3 + 1 & b3 <= a3 + 1
    & (a2 = b3 + 1 & a3 < b3 || b3 <= a3 & a2 = a3 + 1) & x < v3
    & lo < v4 & v4 < v3 & a4 <= b4 + 1 & b4 <= a4 + 1
    & (a3 = b4 + 1 & a4 < b4 || b4 <= a4 & a3 = a4 + 1) & x < v4 & left4 != null;

// A balance computed by the program, which could overflow only if a height were negative.
check avl_balance_unsat :=
    t -> AvlNode(v, h, left, right) * right -> AvlNode(v1, b, left1, right1)
    * stored_avl_tree(left, lo, v, a) * stored_avl_tree(left1, v, v1, a1)
    * stored_avl_tree(right1, v1, hi, b1)
    & t != null & lo < v & v < hi & a <= b + 1 & b <= a + 1
    & (h = b + 1 & a < b || b <= a & h = a + 1) & x < v & left = null & right != null
    & v < v1 & v1 < hi & a1 <= b1 + 1 & b1 <= a1 + 1
    & (b = b1 + 1 & a1 < b1 || b1 <= a1 & b = a1 + 1) & 2 <= int(-b);

// Two balances that contradict each other.
check avl_balances_unsat :=
    t -> AvlNode(v, h, left, right) * left -> AvlNode(v1, a, left1, right1)
    * left1 -> AvlNode(v2, a1, left2, right2) * left2 -> AvlNode(v3, a2, left3, right3)
    * stored_avl_tree(right, v, hi, b) * stored_avl_tree(right1, v1, v, b1)
    * stored_avl_tree(right2, v2, v1, b2) * stored_avl_tree(left3, lo, v3, a3)
    * stored_avl_tree(right3, v3, v2, b3)
    & lo < v & v < hi & a <= b + 1 & b <= a + 1
    & (h = b + 1 & a < b || b <= a & h = a + 1) & x < v
    & lo < v1 & v1 < v & a1 <= b1 + 1 & b1 <= a1 + 1
    & (a = b1 + 1 & a1 < b1 || b1 <= a1 & a = a1 + 1) & x < v1
    & lo < v2 & v2 < v1 & a2 <= b2 + 1 & b2 <= a2 + 1
    & (a1 = b2 + 1 & a2 < b2 || b2 <= a2 & a1 = a2 + 1) & x < v2
    & lo < v3 & v3 < v2 & a3 <= b3 + 1 & b3 <= a3 + 1
    & (a2 = b3 + 1 & a3 < b3 || b3 <= a3 & a2 = a3 + 1)
    & int(a - a1) <= 1 & int(a - a1) <= -2;
