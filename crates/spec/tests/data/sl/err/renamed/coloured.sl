import "renamed/keyed.sl";

data Coloured { int key; bool red; Coloured left; Coloured right; }

// Red nodes have black children; the root is red if `red` says so.
pred coloured(x, red) :=
    emp & x = null & red = false
  | exists l, r. x -> Coloured(_, true, l, r) * coloured(l, false) * coloured(r, false) & red = true
  | exists l, r, a, b. x -> Coloured(_, false, l, r) * coloured(l, a) * coloured(r, b) & red = false;

// A class that an import may leave out.
pred of_keys(x) := exists k. x -> Keyed(k) & k > 0;
