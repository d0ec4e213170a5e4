// The timers from p on up to the ring's own link, each linked to the one before it, and due in this
// order.
pred timers(p, before, ring, last, due) :=
    emp & p = ring & before = last
  | exists next, timer, d.
        p -> timer.link(next: next, prev: before, outer: timer) * timer -> timer(due: d, link: p)
        * timers(next, p, ring, last, d) & due <= d;

pre timer_add(ring, timer) :=
    exists first, last. ring -> link(next: first, prev: last)
        * timers(first, ring, ring, last, due)
        * timer.link -> timer.link(outer: timer) * timer -> timer(due: d);

pre timer_next(ring, now) :=
    exists first, last. ring -> link(next: first, prev: last)
        * timers(first, ring, ring, last, due);
