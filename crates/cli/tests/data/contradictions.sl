// Mistakes that `check` draws.

data Node { int value; Node left; Node right; }
data Tree { Node root; int size; }

// The subtrees overlap with the root: `x` is handed on instead of a child.
pred overlapping(x) :=
    emp & x = null
  | exists l, r. x -> Node(_, l, r) * overlapping(l) * nonempty(x);

pred nonempty(x) := exists l, r. x -> Node(_, l, r);

// The bounds are the wrong way round.
pred bst(x, lo, hi) :=
    emp & x = null
  | exists v, l, r. x -> Node(v, l, r) * bst(l, lo, v) * bst(r, v, hi) & v < lo & v > lo;

// The child is the node itself, which is another object than the node.
pred circle(x) := exists l, r. x -> Node(_, l, r) * l -> Node(_, null, null) & l = x;

// No way to end.
pred endless(x) := exists l. x -> Node(_, l, null) * endless(l);

pre Tree#insert(k) := bst(this.root, 0, 9) & this.size < 0 & this.size = 3;
pre Tree#last() := endless(this.root);
pre Tree#first() := endless(this.root);
post Tree#first() := bst(this.root, 0, 9) & result != null & result = null;
