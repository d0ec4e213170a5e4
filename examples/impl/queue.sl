import singly_linked_list;

// Both ends are null, or the list from the first node ends with the last one.
pred queue_ends(first, last) :=
    emp & first = null & last = null
  | filled_queue(first, last);

pred filled_queue(first, last) := list_segment(first, last) * last -> ListNode(_, null);

pre  enqueue(queue, x) := exists first, last. queue -> Queue(first, last) * queue_ends(first, last);
post enqueue(queue, x) := exists first, last. queue -> Queue(first, last)
    * list_segment(first, last) * last -> ListNode(x, null);

pre  dequeue(queue) := exists first, last. queue -> Queue(first, last) * filled_queue(first, last);
post dequeue(queue) := exists first, last. queue -> Queue(first, last) * queue_ends(first, last);
