// A search tree, and what its `remove` may rely on.

data Node { int value; Node left; Node right; }

// All values lie strictly between lo and hi.
pred bst(root, lo, hi) :=
    emp & root = null
  | exists v, l, r. root -> Node(v, l, r) * bst(l, lo, v) * bst(r, v, hi) & lo < v & v < hi;

data Tree { Node root; }

pre  Tree#remove(x) := exists r, lo, hi. this -> Tree(r) * bst(r, lo, hi);
post Tree#remove(x) := exists r, lo, hi. this -> Tree(r) * bst(r, lo, hi);
