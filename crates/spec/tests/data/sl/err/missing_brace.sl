data Node { int song; Node prev; Node next; 
pred list(first) := emp & first = null | exists n. first -> Node(_, _, n) * list(n);
pre f(x) := list(x);
