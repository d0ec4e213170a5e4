// Search trees whose elements lie strictly between two bounds.
pred bst(x, lo, hi) :=
    emp & x = null
  | exists v, left, right. x -> BinaryNode(v, left, right) * bst(left, lo, v) * bst(right, v, hi)
        & lo < v & v < hi;

pre  BinarySearchTree#isEmpty() := bst(this.root, lo, hi);
post BinarySearchTree#isEmpty() := bst(this.root, lo, hi) & result = (this.root = null);

pre  BinarySearchTree#makeEmpty() := bst(this.root, lo, hi);
post BinarySearchTree#makeEmpty() := this.root = null;

pre  BinarySearchTree#insert(x) := bst(this.root, lo, hi);
post BinarySearchTree#insert(x) := bst(this.root, lo, hi) & lo < x < hi & this.root != null;

pre  BinarySearchTree#remove(x) := bst(this.root, lo, hi);
post BinarySearchTree#remove(x) := bst(this.root, lo, hi);

pre  BinarySearchTree#contains(x) := bst(this.root, lo, hi);
post BinarySearchTree#contains(x) := bst(this.root, lo, hi);

pre  BinarySearchTree#findMin() := bst(this.root, lo, hi);
post BinarySearchTree#findMin() := bst(this.root, result - 1, hi) & this.root != null;
post BinarySearchTree#findMin() throws java.util.NoSuchElementException := this.root = null;

pre  BinarySearchTree#findMax() := bst(this.root, lo, hi);
post BinarySearchTree#findMax() := bst(this.root, lo, result + 1) & this.root != null;
post BinarySearchTree#findMax() throws java.util.NoSuchElementException := this.root = null;

pre  BinarySearchTree#removeMin() := bst(this.root, lo, hi);
post BinarySearchTree#removeMin() := bst(this.root, result, hi);
post BinarySearchTree#removeMin() throws java.util.NoSuchElementException := this.root = null;

pre  BinarySearchTree#insert(x, t) := this -> BinarySearchTree() * bst(t, lo, hi);
post BinarySearchTree#insert(x, t) :=
    this -> BinarySearchTree() * bst(result, lo, hi) & lo < x < hi & result != null;

pre  BinarySearchTree#remove(x, t) := this -> BinarySearchTree() * bst(t, lo, hi);
post BinarySearchTree#remove(x, t) := this -> BinarySearchTree() * bst(result, lo, hi);

pre  BinarySearchTree#find(x, t) := this -> BinarySearchTree() * bst(t, lo, hi);
post BinarySearchTree#find(x, t) := this -> BinarySearchTree() * bst(t, lo, hi);

pre  BinarySearchTree#findMin(BinaryNode t) := this -> BinarySearchTree() * bst(t, lo, hi);
post BinarySearchTree#findMin(BinaryNode t) := this -> BinarySearchTree() * bst(t, lo, hi);

pre  BinarySearchTree#findMax(BinaryNode t) := this -> BinarySearchTree() * bst(t, lo, hi);
post BinarySearchTree#findMax(BinaryNode t) := this -> BinarySearchTree() * bst(t, lo, hi);
