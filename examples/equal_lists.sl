// Two lists of the same length, taken apart in step.

data Node { int value; Node next; }

pred equal_lists(x, y) :=
    emp & x = null & y = null
  | exists a, b. x -> Node(_, a) * y -> Node(_, b) * equal_lists(a, b);
