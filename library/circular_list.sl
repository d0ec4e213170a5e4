// Circular lists: following `next` from any node visits all of them and comes back.

import singly_linked_list;
import doubly_linked_list;

// A circular singly linked list of at least one node, known by the node x.
pred circular_list(x) :=
    exists next. x -> ListNode(_, next) * list_segment(next, x);

// The same with n, the number of nodes.
pred circular_list_of_length(x, n) :=
    exists next. x -> ListNode(_, next) * list_segment_of_length(next, x, n - 1);

// A circular doubly linked list of at least one node. A list with a sentinel is of this kind, x
// being the sentinel.
pred circular_dll(x) :=
    exists prev, next. x -> DllNode(_, prev, next) * dll_segment(next, x, prev, x);

// The same with n, the number of nodes.
pred circular_dll_of_length(x, n) :=
    exists prev, next. x -> DllNode(_, prev, next)
        * dll_segment_of_length(next, x, prev, x, n - 1);
