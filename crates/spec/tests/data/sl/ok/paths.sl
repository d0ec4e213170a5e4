data Node { int value; Node next; }
data List { Node head; int size; }
pred list(x, n) := emp & x = null & n = 0 | exists y, m. x -> Node(_, y) * list(y, m) & n = m + 1;
pre List#add(int v) := this -> List(h, n) * list(h, n) & this.size < 10 & this.head != null;
pre List#get(int i) := list(this.head, n) & this.size = n & 0 <= i < n;
pre List#bare(i) := list(head, size);
pre List#deep(x) := this.head.next.value = 3 & this.head.next.next = null & x = this.head;
pre List#given(x) := this -> List(head: h) * h -> Node(4, null) & this.head.value = x;
pre walk(Node x, y) := x.next = y & y -> Node(1, x) & x.next.next = x;
pred param(x: Node) := x.value = 3 & x.next = null;
