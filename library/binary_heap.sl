// Binary heaps as linked trees.

import binary_tree;

// A tree of any shape in which no value is greater than its parent's; all are at most hi.
pred max_heap(x, hi) :=
    emp & x = null
  | exists v, left, right. x -> TreeNode(v, left, right)
        * max_heap(left, v) * max_heap(right, v) & v <= hi;

// A tree of any shape in which no value is smaller than its parent's; all are at least lo.
pred min_heap(x, lo) :=
    emp & x = null
  | exists v, left, right. x -> TreeNode(v, left, right)
        * min_heap(left, v) * min_heap(right, v) & lo <= v;

// Heaps of the complete shape: every level but the last is full, and the last one is filled from
// the left; h is the height. Either the last level reaches into the right subtree, then the left
// one is perfect of height h - 1; or it does not, then the right one is perfect of height h - 2.
pred complete_max_heap(x, hi, h) :=
    emp & x = null & h = 0
  | exists v, left, right. x -> TreeNode(v, left, right)
        * perfect_max_heap(left, v, h - 1) * complete_max_heap(right, v, h - 1)
        & v <= hi & h > 0
  | exists v, left, right. x -> TreeNode(v, left, right)
        * complete_max_heap(left, v, h - 1) * perfect_max_heap(right, v, h - 2)
        & v <= hi & h > 1;

// A max-heap in which every way down has h nodes.
pred perfect_max_heap(x, hi, h) :=
    emp & x = null & h = 0
  | exists v, left, right. x -> TreeNode(v, left, right)
        * perfect_max_heap(left, v, h - 1) * perfect_max_heap(right, v, h - 1)
        & v <= hi & h > 0;

// The same two with the smallest value at the root.
pred complete_min_heap(x, lo, h) :=
    emp & x = null & h = 0
  | exists v, left, right. x -> TreeNode(v, left, right)
        * perfect_min_heap(left, v, h - 1) * complete_min_heap(right, v, h - 1)
        & lo <= v & h > 0
  | exists v, left, right. x -> TreeNode(v, left, right)
        * complete_min_heap(left, v, h - 1) * perfect_min_heap(right, v, h - 2)
        & lo <= v & h > 1;

pred perfect_min_heap(x, lo, h) :=
    emp & x = null & h = 0
  | exists v, left, right. x -> TreeNode(v, left, right)
        * perfect_min_heap(left, v, h - 1) * perfect_min_heap(right, v, h - 1)
        & lo <= v & h > 0;
