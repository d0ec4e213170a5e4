// AVL trees of height h whose elements lie strictly between two bounds: both subtrees of height
// h - 1, or one of them lower by one.
pred avl(x, lo, hi, h) :=
    emp & x = null & h = 0
  | exists v, left, right. x -> AvlNode(v, left, right, h)
        * avl(left, lo, v, h - 1) * avl(right, v, hi, h - 1) & lo < v & v < hi & h > 0
  | exists v, left, right. x -> AvlNode(v, left, right, h)
        * avl(left, lo, v, h - 1) * avl(right, v, hi, h - 2) & lo < v & v < hi & h > 1
  | exists v, left, right. x -> AvlNode(v, left, right, h)
        * avl(left, lo, v, h - 2) * avl(right, v, hi, h - 1) & lo < v & v < hi & h > 1;

// A node whose own height may be out of date, above two AVL trees of heights a and b.
pred node(x, lo, hi, a, b) :=
    exists v, left, right. x -> AvlNode(v, left, right, _)
        * avl(left, lo, v, a) * avl(right, v, hi, b) & lo < v & v < hi;

// The same with heights that rotations may repair: they differ by at most two.
pred unbalanced(x, lo, hi) := exists a, b. node(x, lo, hi, a, b) & a - b <= 2 & b - a <= 2;

// A search tree with any heights: what a rotation makes of a node that did not need it.
pred ordered(x, lo, hi) :=
    emp & x = null
  | exists v, left, right. x -> AvlNode(v, left, right, _)
        * ordered(left, lo, v) * ordered(right, v, hi) & lo < v & v < hi;

pre  AvlTree#isEmpty() := avl(this.root, lo, hi, h);
post AvlTree#isEmpty() := avl(this.root, lo, hi, h) & result = (h = 0);

pre  AvlTree#makeEmpty() := avl(this.root, lo, hi, h);
post AvlTree#makeEmpty() := this.root = null;

pre  AvlTree#height() := avl(this.root, lo, hi, h);
post AvlTree#height() := avl(this.root, lo, hi, result);

pre  AvlTree#insert(x) := avl(this.root, lo, hi, h);
post AvlTree#insert(x) := avl(this.root, lo, hi, h) & lo < x < hi & h > 0;

pre  AvlTree#remove(x) := avl(this.root, lo, hi, h);
post AvlTree#remove(x) := avl(this.root, lo, hi, h);

pre  AvlTree#contains(x) := avl(this.root, lo, hi, h);
post AvlTree#contains(x) := avl(this.root, lo, hi, h);

pre  AvlTree#findMin() := avl(this.root, lo, hi, h);
post AvlTree#findMin() := avl(this.root, result - 1, hi, h) & h > 0;
post AvlTree#findMin() throws java.util.NoSuchElementException := this.root = null;

pre  AvlTree#findMax() := avl(this.root, lo, hi, h);
post AvlTree#findMax() := avl(this.root, lo, result + 1, h) & h > 0;
post AvlTree#findMax() throws java.util.NoSuchElementException := this.root = null;

pre  AvlTree#insert(x, t) := this -> AvlTree() * avl(t, lo, hi, h);
post AvlTree#insert(x, t) := this -> AvlTree() * avl(result, lo, hi, h) & lo < x < hi & h > 0;

pre  AvlTree#remove(x, t) := this -> AvlTree() * avl(t, lo, hi, h);
post AvlTree#remove(x, t) := this -> AvlTree() * avl(result, lo, hi, h);

pre  AvlTree#findMin(AvlNode t) := this -> AvlTree() * avl(t, lo, hi, h) & h > 0;
post AvlTree#findMin(AvlNode t) := this -> AvlTree() * avl(t, lo, hi, h);

pre  AvlTree#balance(t) := unbalanced(t, lo, hi);
post AvlTree#balance(t) := avl(result, lo, hi, h);

pre  AvlTree#height(AvlNode t) := avl(t, lo, hi, h);
post AvlTree#height(AvlNode t) := avl(t, lo, hi, result);

pre  AvlTree#rotateWithLeftChild(t) :=
    exists v, left, right. t -> AvlNode(v, left, right, _) * node(left, lo, v, a, b)
        * avl(right, v, hi, c) & v < hi;
post AvlTree#rotateWithLeftChild(t) := ordered(result, lo, hi);

pre  AvlTree#rotateWithRightChild(t) :=
    exists v, left, right. t -> AvlNode(v, left, right, _) * avl(left, lo, v, a)
        * node(right, v, hi, b, c) & lo < v;
post AvlTree#rotateWithRightChild(t) := ordered(result, lo, hi);

pre  AvlTree#doubleWithLeftChild(t) :=
    exists v, left, right, w, far, near. t -> AvlNode(v, left, right, _)
        * left -> AvlNode(w, far, near, _) * avl(far, lo, w, a) * node(near, w, v, b, c)
        * avl(right, v, hi, d) & lo < w & v < hi;
post AvlTree#doubleWithLeftChild(t) := ordered(result, lo, hi);

pre  AvlTree#doubleWithRightChild(t) :=
    exists v, left, right, w, near, far. t -> AvlNode(v, left, right, _) * avl(left, lo, v, a)
        * right -> AvlNode(w, near, far, _) * node(near, v, w, b, c) * avl(far, w, hi, d)
        & lo < v & w < hi;
post AvlTree#doubleWithRightChild(t) := ordered(result, lo, hi);
