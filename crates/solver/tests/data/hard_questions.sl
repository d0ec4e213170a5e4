// Questions that a solver can get wrong, each with its answer at the end of its name; `possible`
// means that it must not be refuted.

import red_black_tree;
import circular_list;
import doubly_linked_list;
import sorted_list;
import search_tree;

// Larger than what is searched heap by heap.
check list_sat := list_of_length(x, 41);
check long_list_sat := list_of_length(x, n) & n > 100;
check deque_sat := deque_of_length(x, y, 44);
check circle_sat := circular_list_of_length(x, 44);
check sorted_sat := sorted_list_of_length(x, 0, 50);
check red_black_sat := red_black_tree_of_size(x, lo, hi, bh, 41);
check negative_unsat := list_of_length(x, n) & n < 0;
check bounds_unsat := search_tree(x, 0, 1) & x != null;

check perfect_sat := perfect_tree(x, 8);
check odd_unsat := perfect_tree(x, h) * list_of_length(y, h) & 2 * h = 5;

// A boolean that is handed down.
pred flagged(x, bool b, n) :=
    emp & x = null & b & n = 0
  | exists l, r, i, j. x -> TreeNode(_, l, r) * flagged(l, b, i) * flagged(r, b, j) & n = i + j + 1;
check flagged_sat := flagged(x, true, 100);
check flagged_unsat := flagged(x, false, 3);

// A predicate inside another, whose sizes the outer one does not tell.
data Outer { ListNode list; Outer next; }
pred outer(x, k) :=
    emp & x = null & k = 0
  | exists l, n. x -> Outer(l, n) * list_of_length(l, 50) * outer(n, k - 1) & k > 0;
check outer_possible := outer(x, 1);

// Recursion without cells.
pred countdown(x, n) := emp & x = null & n = 0 | countdown(x, n - 1) & n > 0;
check countdown_sat := countdown(x, 5);

// Fields have ranges.
data Small { byte value; }
check fits_sat := x -> Small(127);
check overflows_unsat := x -> Small(128);
