data Tree { int key; List children; }
data List { Tree tree; List next; }
pred tree(t, n) := exists c, m. t -> Tree(_, c) * forest(c, m) & n = m + 1;
pred forest(l, n) := emp & l = null & n = 0
  | exists t, r, a, b. l -> List(t, r) * tree(t, a) * forest(r, b) & n = a + b;
pred unknown(x, y) := emp & x = y;
pred unused(x) := emp;
