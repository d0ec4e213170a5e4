// Doubly linked lists and segments of them.

data DllNode { int value; DllNode prev; DllNode next; }

// A list that ends with null, in which every `prev` names the node before. The first node's
// `prev` is `before`: null for a whole list.
pred dll(x, before) :=
    emp & x = null
  | exists next. x -> DllNode(_, before, next) * dll(next, x);

// The same with n, the number of nodes.
pred dll_of_length(x, before, n) :=
    emp & x = null & n = 0
  | exists next. x -> DllNode(_, before, next) * dll_of_length(next, x, n - 1) & n > 0;

// The nodes from `first` to `last`, both included. `before` is what the first node's `prev` holds,
// `after` what the last node's `next` holds. The empty segment has first = after, last = before.
pred dll_segment(first, before, last, after) :=
    emp & first = after & last = before
  | exists next. first -> DllNode(_, before, next) * dll_segment(next, first, last, after)
        & first != after;

// The same with n, the number of nodes.
pred dll_segment_of_length(first, before, last, after, n) :=
    emp & first = after & last = before & n = 0
  | exists next. first -> DllNode(_, before, next)
        * dll_segment_of_length(next, first, last, after, n - 1)
        & first != after & n > 0;

// A whole list known by both of its ends; both are null when it is empty.
pred deque(first, last) := dll_segment(first, null, last, null);

// The same with n, the number of nodes.
pred deque_of_length(first, last, n) := dll_segment_of_length(first, null, last, null, n);
