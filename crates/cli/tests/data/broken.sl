import singly_linked_lists;

data Node { int value; Node next; }

pred list(x) := emp & x = nul | x -> Nod(_, n) * list(n);
pred list(y) := emp;
