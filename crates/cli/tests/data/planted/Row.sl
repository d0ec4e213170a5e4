data Row { Row$Node head; int size; }
data Row$Node { int value; Row$Node next; }

pred nodes(x, n) :=
    emp & x = null & n = 0
  | exists next. x -> Row$Node(_, next) * nodes(next, n - 1) & n > 0;

pre  Row#removeFirst() := nodes(this.head, this.size);
post Row#removeFirst() := nodes(this.head, this.size);

pre  Row#push(value) := nodes(this.head, this.size);
post Row#push(value) := nodes(this.head, this.size);

pre  Row#reverse() := nodes(this.head, this.size);
post Row#reverse() := nodes(this.head, this.size);
