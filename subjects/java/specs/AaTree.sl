// The node that stands for every empty subtree.
pred sentinel(none) := none -> AaTree$Node(_, none, none, 0);

// An AA tree of level k whose elements lie strictly between two bounds. A left child is one level
// below its parent; a right child is, too, or a horizontal link leads to it.
pred aa(x, none, lo, hi, k) :=
    emp & x = none & k = 0
  | exists v, left, right. x -> AaTree$Node(v, left, right, k)
        * aa(left, none, lo, v, k - 1) * aa(right, none, v, hi, k - 1)
        & lo < v & v < hi & k > 0
  | exists v, left, right. x -> AaTree$Node(v, left, right, k)
        * aa(left, none, lo, v, k - 1) * aa_flat(right, none, v, hi, k)
        & lo < v & v < hi & k > 0;

// A node both of whose children are one level below.
pred aa_flat(x, none, lo, hi, k) :=
    exists v, left, right. x -> AaTree$Node(v, left, right, k)
        * aa(left, none, lo, v, k - 1) * aa(right, none, v, hi, k - 1)
        & lo < v & v < hi & k > 0;

// A tree that an insertion into its left subtree may leave: the left child has come up to the
// level of its parent.
pred aa_left_link(x, none, lo, hi, k) :=
    exists v, left, right. x -> AaTree$Node(v, left, right, k)
        * aa_flat(left, none, lo, v, k) * aa(right, none, v, hi, k - 1)
        & lo < v & v < hi
  | exists v, left, right. x -> AaTree$Node(v, left, right, k)
        * aa_flat(left, none, lo, v, k) * aa_flat(right, none, v, hi, k)
        & lo < v & v < hi;

// A tree that an insertion into its right subtree may leave: three nodes on one level.
pred aa_two_links(x, none, lo, hi, k) :=
    exists v, left, right, w, below, last. x -> AaTree$Node(v, left, right, k)
        * right -> AaTree$Node(w, below, last, k) * aa(left, none, lo, v, k - 1)
        * aa(below, none, v, w, k - 1) * aa_flat(last, none, w, hi, k)
        & lo < v & v < w & k > 0;

// A tree that a removal may leave: one of its subtrees is one level lower than it has to be.
pred aa_gap(x, none, lo, hi, k) :=
    exists v, left, right. x -> AaTree$Node(v, left, right, k)
        * aa(left, none, lo, v, k - 2) * aa(right, none, v, hi, k - 1)
        & lo < v & v < hi & k > 1
  | exists v, left, right. x -> AaTree$Node(v, left, right, k)
        * aa(left, none, lo, v, k - 2) * aa_flat(right, none, v, hi, k)
        & lo < v & v < hi & k > 1
  | exists v, left, right. x -> AaTree$Node(v, left, right, k)
        * aa(left, none, lo, v, k - 1) * aa(right, none, v, hi, k - 2)
        & lo < v & v < hi & k > 1;

pre  AaTree#isEmpty() := sentinel(this.sentinel) * aa(this.root, this.sentinel, lo, hi, k);
post AaTree#isEmpty() := sentinel(this.sentinel) * aa(this.root, this.sentinel, lo, hi, k)
    & result = (k = 0);

pre  AaTree#makeEmpty() := sentinel(this.sentinel) * aa(this.root, this.sentinel, lo, hi, k);
post AaTree#makeEmpty() := sentinel(this.sentinel) & this.root = this.sentinel;

pre  AaTree#insert(x) := sentinel(this.sentinel) * aa(this.root, this.sentinel, lo, hi, k);
post AaTree#insert(x) := sentinel(this.sentinel) * aa(this.root, this.sentinel, lo, hi, k)
    & lo < x < hi & k > 0;

pre  AaTree#remove(x) := sentinel(this.sentinel) * aa(this.root, this.sentinel, lo, hi, k);
post AaTree#remove(x) := sentinel(this.sentinel) * aa(this.root, this.sentinel, lo, hi, k);

pre  AaTree#contains(x) := sentinel(this.sentinel) * aa(this.root, this.sentinel, lo, hi, k);
post AaTree#contains(x) := sentinel(this.sentinel) * aa(this.root, this.sentinel, lo, hi, k);

pre  AaTree#findMin() := sentinel(this.sentinel) * aa(this.root, this.sentinel, lo, hi, k);
post AaTree#findMin() := sentinel(this.sentinel) * aa(this.root, this.sentinel, result - 1, hi, k)
    & k > 0;
post AaTree#findMin() throws java.util.NoSuchElementException :=
    sentinel(this.sentinel) & this.root = this.sentinel;

pre  AaTree#findMax() := sentinel(this.sentinel) * aa(this.root, this.sentinel, lo, hi, k);
post AaTree#findMax() := sentinel(this.sentinel) * aa(this.root, this.sentinel, lo, result + 1, k)
    & k > 0;
post AaTree#findMax() throws java.util.NoSuchElementException :=
    sentinel(this.sentinel) & this.root = this.sentinel;

// The methods on subtrees are called with the whole tree.
pre  AaTree#insert(x, t) := sentinel(this.sentinel) * aa(t, this.sentinel, lo, hi, k)
    & this.root = t;
post AaTree#insert(x, t) := sentinel(this.sentinel) * aa(result, this.sentinel, lo, hi, k)
    & lo < x < hi & k > 0;

pre  AaTree#remove(x, t) := sentinel(this.sentinel) * aa(t, this.sentinel, lo, hi, k)
    & this.root = t;
post AaTree#remove(x, t) := sentinel(s) * aa(result, s, lo, hi, k) & s = old(this.sentinel);

pre  AaTree#findMax(AaTree$Node t) := sentinel(this.sentinel) * aa(t, this.sentinel, lo, hi, k)
    & this.root = t & k > 0;
post AaTree#findMax(AaTree$Node t) := sentinel(this.sentinel) * aa(t, this.sentinel, lo, hi, k);

pre  AaTree#lower(t) :=
    sentinel(this.sentinel) * aa(t, this.sentinel, lo, hi, k) & this.root = t & k > 0
  | sentinel(this.sentinel) * aa_gap(t, this.sentinel, lo, hi, k) & this.root = t;
post AaTree#lower(t) := sentinel(this.sentinel) * aa(result, this.sentinel, lo, hi, k);

pre  AaTree#skew(t) :=
    sentinel(this.sentinel) * aa(t, this.sentinel, lo, hi, k) & this.root = t
  | sentinel(this.sentinel) * aa_left_link(t, this.sentinel, lo, hi, k) & this.root = t;
post AaTree#skew(t) :=
    sentinel(this.sentinel) * aa(result, this.sentinel, lo, hi, k)
  | sentinel(this.sentinel) * aa_two_links(result, this.sentinel, lo, hi, k);

pre  AaTree#split(t) :=
    sentinel(this.sentinel) * aa(t, this.sentinel, lo, hi, k) & this.root = t & k > 0
  | sentinel(this.sentinel) * aa_two_links(t, this.sentinel, lo, hi, k) & this.root = t;
post AaTree#split(t) := sentinel(this.sentinel) * aa(result, this.sentinel, lo, hi, k);
