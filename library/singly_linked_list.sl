// Singly linked lists and segments of them.

data ListNode { int value; ListNode next; }

// A list that ends with null: following `next` from x never comes back to a node.
pred list(x) :=
    emp & x = null
  | exists next. x -> ListNode(_, next) * list(next);

// The same with n, the number of nodes.
pred list_of_length(x, n) :=
    emp & x = null & n = 0
  | exists next. x -> ListNode(_, next) * list_of_length(next, n - 1) & n > 0;

// The nodes from x up to, but not including, y. When x = y there are none: a segment is never a
// cycle, although y may well be a node outside of it.
pred list_segment(x, y) :=
    emp & x = y
  | exists next. x -> ListNode(_, next) * list_segment(next, y) & x != y;

// The same with n, the number of nodes.
pred list_segment_of_length(x, y, n) :=
    emp & x = y & n = 0
  | exists next. x -> ListNode(_, next) * list_segment_of_length(next, y, n - 1) & x != y & n > 0;
