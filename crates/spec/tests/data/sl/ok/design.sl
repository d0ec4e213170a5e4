data Node { int value; Node left; Node right; }            // for Java and C taken from the code

pred bst(root, lo, hi) :=
    emp & root = null
  | exists v, l, r. root -> Node(v, l, r) * bst(l, lo, v) * bst(r, v, hi) & lo < v & v < hi;

pre  Tree#remove(x)  := bst(this.root, lo, hi);
post Tree#remove(x)  := bst(this.root, lo, hi);            // becomes an assertion in the test
