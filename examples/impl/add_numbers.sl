// Two numbers with the same number of digits, all of them less than 5.
pred equally_long(a, b) :=
    emp & a = null & b = null
  | exists v, w, next, other. a -> Digit(v, next) * b -> Digit(w, other)
        * equally_long(next, other) & 0 <= v < 5 & 0 <= w < 5;

// A number of which every digit is the sum of those of two others.
pred sum(a, b, c) :=
    emp & a = null & b = null & c = null
  | exists v, w, next, other, further. a -> Digit(v, next) * b -> Digit(w, other)
        * c -> Digit(v + w, further) * sum(next, other, further);

pre  add(x, y) := equally_long(x, y);
post add(x, y) := sum(x, y, result);
