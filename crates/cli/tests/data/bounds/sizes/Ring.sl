pred segment(first, before, last, after) :=
    emp & first = after & last = before
  | exists next. first -> Ring$Node(next, before, _)
        * segment(next, first, last, after) & first != after;

pre Ring#page() :=
    exists first, last. this.header -> Ring$Node(first, last, _)
        * segment(first, this.header, last, this.header);
