data Ring { Ring$Node head; }
data Ring$Node { int value; Ring$Node next; }

pred list(x) :=
    emp & x = null
  | exists next. x -> Ring$Node(_, next) * list(next);

pre Ring#contains(value) := list(this.head);
pre Ring#sum(n) := list(this.head);
pre Ring#slow(n) := list(this.head);
pre Ring#length() := list(this.head);
pre Ring#pause() := list(this.head);
