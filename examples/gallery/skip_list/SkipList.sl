// The nodes between two stops of the express lane: from x up to, but not including, end. Their
// values grow, lie above lo, and hi is the last of them, or lo.
pred local(x, end, lo, hi) :=
    emp & x = end & hi = lo
  | exists v, next. x -> SkipList$Node(v, next, null) * local(next, end, v, hi) & lo < v & x != end;

// What follows a stop: the nodes from x on up to the next stop, and the same from there. Null as the
// next stop means that there is none.
pred lanes(x, stop, lo) :=
    exists hi. local(x, null, lo, hi) & stop = null
  | exists v, next, further, hi. local(x, stop, lo, hi) * stop -> SkipList$Node(v, next, further)
        * lanes(next, further, v) & hi < v;

// A list behind its head, whose own value does not matter.
pred skip_list(head) :=
    exists next, stop, lo. head -> SkipList$Node(_, next, stop) * lanes(next, stop, lo);

pre SkipList#contains(value) := skip_list(this.head);

pre SkipList#add(value) := skip_list(this.head);
post SkipList#add(value) := skip_list(this.head);

pre SkipList#level() := skip_list(this.head);
post SkipList#level() := skip_list(this.head);
