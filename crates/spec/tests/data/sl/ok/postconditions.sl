data Node { int value; Node next; }
data List { Node head; int size; }
pred list(x, n) := emp & x = null & n = 0 | exists y, m. x -> Node(_, y) * list(y, m) & n = m + 1;
pre  List#pop() := list(this.head, n) & this.size = n & n > 0;
post List#pop() := list(this.head, n) & this.size = old(this.size) - 1 & result = old(head.value);
post List#pop() throws java.lang.IllegalStateException := list(this.head, n) & this.size = old(size);
post List#<init>() := this -> List(null, 0);
post length(Node x) := list(x, result) & result = old(x.next.value + 1);
