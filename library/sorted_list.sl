// Sorted lists and segments of them.

import singly_linked_list;

// A list whose values never decrease and are at least lo.
pred sorted_list(x, lo) :=
    emp & x = null
  | exists v, next. x -> ListNode(v, next) * sorted_list(next, v) & lo <= v;

// The same with n, the number of nodes.
pred sorted_list_of_length(x, lo, n) :=
    emp & x = null & n = 0
  | exists v, next. x -> ListNode(v, next) * sorted_list_of_length(next, v, n - 1)
        & lo <= v & n > 0;

// A list whose values grow from node to node and are greater than lo: a set without duplicates.
pred strictly_sorted_list(x, lo) :=
    emp & x = null
  | exists v, next. x -> ListNode(v, next) * strictly_sorted_list(next, v) & lo < v;

// The same with n, the number of nodes.
pred strictly_sorted_list_of_length(x, lo, n) :=
    emp & x = null & n = 0
  | exists v, next. x -> ListNode(v, next) * strictly_sorted_list_of_length(next, v, n - 1)
        & lo < v & n > 0;

// The nodes from x up to, but not including, y; their values never decrease and lie between lo and
// hi, both included.
pred sorted_list_segment(x, y, lo, hi) :=
    emp & x = y & lo <= hi
  | exists v, next. x -> ListNode(v, next) * sorted_list_segment(next, y, v, hi)
        & x != y & lo <= v;

// The same with n, the number of nodes.
pred sorted_list_segment_of_length(x, y, lo, hi, n) :=
    emp & x = y & lo <= hi & n = 0
  | exists v, next. x -> ListNode(v, next) * sorted_list_segment_of_length(next, y, v, hi, n - 1)
        & x != y & lo <= v & n > 0;
