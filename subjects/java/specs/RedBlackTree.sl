// A red-black tree of n entries with bh black ones on each way down. Its root has the parent
// `above` and is red or not; the empty tree is not. Keys lie strictly between lo and hi.
pred rb(x, above, lo, hi, red, bh, n) :=
    emp & x = null & red = false & bh = 0 & n = 0
  | exists k, left, right, m, j. x -> RedBlackTree$Entry(k, _, left, right, above, true)
        * rb(left, x, lo, k, false, bh, m) * rb(right, x, k, hi, false, bh, j)
        & lo < k & k < hi & red = true & n = m + j + 1
  | exists k, left, right, a, b, m, j. x -> RedBlackTree$Entry(k, _, left, right, above, false)
        * rb(left, x, lo, k, a, bh - 1, m) * rb(right, x, k, hi, b, bh - 1, j)
        & lo < k & k < hi & red = false & bh > 0 & n = m + j + 1;

// A red-black tree of which `entry` is an entry.
pred rb_with(x, above, lo, hi, red, bh, n, entry) :=
    rb(x, above, lo, hi, red, bh, n) & x = entry & n > 0
  | exists k, left, right, m, j. x -> RedBlackTree$Entry(k, _, left, right, above, true)
        * rb_with(left, x, lo, k, false, bh, m, entry) * rb(right, x, k, hi, false, bh, j)
        & lo < k & k < hi & red = true & n = m + j + 1
  | exists k, left, right, m, j. x -> RedBlackTree$Entry(k, _, left, right, above, true)
        * rb(left, x, lo, k, false, bh, m) * rb_with(right, x, k, hi, false, bh, j, entry)
        & lo < k & k < hi & red = true & n = m + j + 1
  | exists k, left, right, a, b, m, j. x -> RedBlackTree$Entry(k, _, left, right, above, false)
        * rb_with(left, x, lo, k, a, bh - 1, m, entry) * rb(right, x, k, hi, b, bh - 1, j)
        & lo < k & k < hi & red = false & bh > 0 & n = m + j + 1
  | exists k, left, right, a, b, m, j. x -> RedBlackTree$Entry(k, _, left, right, above, false)
        * rb(left, x, lo, k, a, bh - 1, m) * rb_with(right, x, k, hi, b, bh - 1, j, entry)
        & lo < k & k < hi & red = false & bh > 0 & n = m + j + 1;

// A tree that is valid but for the red `entry`, which passes for a black one towards its parent:
// that may be red, and the entry may be the root.
pred rb_inserted(x, above, lo, hi, red, bh, n, entry) :=
    rb(x, above, lo, hi, true, bh, n) & x = entry
  | exists k, left, right, m, j. x -> RedBlackTree$Entry(k, _, left, right, above, true)
        * rb_inserted(left, x, lo, k, false, bh, m, entry) * rb(right, x, k, hi, false, bh, j)
        & lo < k & k < hi & red = true & n = m + j + 1
  | exists k, left, right, m, j. x -> RedBlackTree$Entry(k, _, left, right, above, true)
        * rb(left, x, lo, k, false, bh, m) * rb_inserted(right, x, k, hi, false, bh, j, entry)
        & lo < k & k < hi & red = true & n = m + j + 1
  | exists k, left, right, a, b, m, j. x -> RedBlackTree$Entry(k, _, left, right, above, false)
        * rb_inserted(left, x, lo, k, a, bh - 1, m, entry) * rb(right, x, k, hi, b, bh - 1, j)
        & lo < k & k < hi & red = false & bh > 0 & n = m + j + 1
  | exists k, left, right, a, b, m, j. x -> RedBlackTree$Entry(k, _, left, right, above, false)
        * rb(left, x, lo, k, a, bh - 1, m) * rb_inserted(right, x, k, hi, b, bh - 1, j, entry)
        & lo < k & k < hi & red = false & bh > 0 & n = m + j + 1;

// A tree that is valid but for the subtree `entry`, maybe an empty one, below `parent`: it has one
// black entry less than the bh on all ways down that the others have. It may be red below a red
// parent, since it will become black.
pred rb_deleted(x, above, lo, hi, red, bh, n, entry, parent) :=
    exists c. rb(x, above, lo, hi, c, bh - 1, n) & x = entry & above = parent & bh > 0
  | exists k, left, right, m, j. x -> RedBlackTree$Entry(k, _, left, right, above, true)
        * rb_deleted(left, x, lo, k, false, bh, m, entry, parent)
        * rb(right, x, k, hi, false, bh, j)
        & lo < k & k < hi & red = true & n = m + j + 1
  | exists k, left, right, m, j. x -> RedBlackTree$Entry(k, _, left, right, above, true)
        * rb(left, x, lo, k, false, bh, m)
        * rb_deleted(right, x, k, hi, false, bh, j, entry, parent)
        & lo < k & k < hi & red = true & n = m + j + 1
  | exists k, left, right, a, b, m, j. x -> RedBlackTree$Entry(k, _, left, right, above, false)
        * rb_deleted(left, x, lo, k, a, bh - 1, m, entry, parent)
        * rb(right, x, k, hi, b, bh - 1, j)
        & lo < k & k < hi & red = false & bh > 0 & n = m + j + 1
  | exists k, left, right, a, b, m, j. x -> RedBlackTree$Entry(k, _, left, right, above, false)
        * rb(left, x, lo, k, a, bh - 1, m)
        * rb_deleted(right, x, k, hi, b, bh - 1, j, entry, parent)
        & lo < k & k < hi & red = false & bh > 0 & n = m + j + 1;

// A search tree with parents and any colours.
pred search_tree(x, above, lo, hi) :=
    emp & x = null
  | exists k, left, right. x -> RedBlackTree$Entry(k, _, left, right, above, _)
        * search_tree(left, x, lo, k) * search_tree(right, x, k, hi) & lo < k & k < hi;

// The same, of which `entry` is an entry with the children `left` and `right`.
pred search_tree_with(x, above, lo, hi, entry, left, right) :=
    exists k. x -> RedBlackTree$Entry(k, _, left, right, above, _)
        * search_tree(left, x, lo, k) * search_tree(right, x, k, hi)
        & lo < k & k < hi & x = entry
  | exists k, l, r. x -> RedBlackTree$Entry(k, _, l, r, above, _)
        * search_tree_with(l, x, lo, k, entry, left, right) * search_tree(r, x, k, hi)
        & lo < k & k < hi
  | exists k, l, r. x -> RedBlackTree$Entry(k, _, l, r, above, _)
        * search_tree(l, x, lo, k) * search_tree_with(r, x, k, hi, entry, left, right)
        & lo < k & k < hi;

pre  RedBlackTree#size() := rb(this.root, null, lo, hi, false, bh, this.size);
post RedBlackTree#size() := rb(this.root, null, lo, hi, false, bh, result) & result = this.size;

pre  RedBlackTree#isEmpty() := rb(this.root, null, lo, hi, false, bh, this.size);
post RedBlackTree#isEmpty() :=
    rb(this.root, null, lo, hi, false, bh, this.size) & result = (this.size = 0);

pre  RedBlackTree#clear() := rb(this.root, null, lo, hi, false, bh, this.size);
post RedBlackTree#clear() := this.root = null & this.size = 0;

pre  RedBlackTree#get(key) := rb(this.root, null, lo, hi, false, bh, this.size);
post RedBlackTree#get(key) := rb(this.root, null, lo, hi, false, bh, this.size);

pre  RedBlackTree#containsKey(key) := rb(this.root, null, lo, hi, false, bh, this.size);
post RedBlackTree#containsKey(key) := rb(this.root, null, lo, hi, false, bh, this.size);

pre  RedBlackTree#firstKey() := rb(this.root, null, lo, hi, false, bh, this.size);
post RedBlackTree#firstKey() :=
    rb(this.root, null, result - 1, hi, false, bh, this.size) & this.size > 0;
post RedBlackTree#firstKey() throws java.util.NoSuchElementException :=
    this.root = null & this.size = 0;

pre  RedBlackTree#lastKey() := rb(this.root, null, lo, hi, false, bh, this.size);
post RedBlackTree#lastKey() :=
    rb(this.root, null, lo, result + 1, false, bh, this.size) & this.size > 0;
post RedBlackTree#lastKey() throws java.util.NoSuchElementException :=
    this.root = null & this.size = 0;

pre  RedBlackTree#put(key, value) := rb(this.root, null, lo, hi, false, bh, this.size);
post RedBlackTree#put(key, value) := rb(this.root, null, lo, hi, false, bh, this.size)
    & lo < key < hi & old(this.size) <= this.size <= old(this.size) + 1 & this.size > 0;

pre  RedBlackTree#remove(key) := rb(this.root, null, lo, hi, false, bh, this.size);
post RedBlackTree#remove(key) := rb(this.root, null, lo, hi, false, bh, this.size)
    & old(this.size) - 1 <= this.size <= old(this.size);

pre  RedBlackTree#getEntry(key) := rb(this.root, null, lo, hi, false, bh, this.size);
post RedBlackTree#getEntry(key) :=
    rb(this.root, null, lo, hi, false, bh, this.size) & result = null
  | rb_with(this.root, null, lo, hi, false, bh, this.size, result);

// These two take any entry of any tree, or null.
pre  RedBlackTree#successor(entry) :=
    emp & entry = null
  | rb_with(root, null, lo, hi, false, bh, n, entry);

pre  RedBlackTree#predecessor(entry) :=
    emp & entry = null
  | rb_with(root, null, lo, hi, false, bh, n, entry);

pre  RedBlackTree#deleteEntry(entry) :=
    rb_with(this.root, null, lo, hi, false, bh, this.size, entry);
post RedBlackTree#deleteEntry(entry) :=
    rb(this.root, null, lo, hi, false, bh, this.size) & this.size = old(this.size) - 1;

// A rotation needs a child; it keeps the order, and has nothing to do with colours.
pre  RedBlackTree#rotateLeft(entry) :=
    search_tree_with(this.root, null, lo, hi, entry, left, right) & right != null;
post RedBlackTree#rotateLeft(entry) := search_tree(this.root, null, lo, hi);

pre  RedBlackTree#rotateRight(entry) :=
    search_tree_with(this.root, null, lo, hi, entry, left, right) & left != null;
post RedBlackTree#rotateRight(entry) := search_tree(this.root, null, lo, hi);

pre  RedBlackTree#fixAfterInsertion(x) :=
    rb_inserted(this.root, null, lo, hi, false, bh, this.size, x);
post RedBlackTree#fixAfterInsertion(x) := rb(this.root, null, lo, hi, false, bh, this.size);

pre  RedBlackTree#fixAfterDeletion(x, parent) :=
    rb_deleted(this.root, null, lo, hi, false, bh, this.size, x, parent);
post RedBlackTree#fixAfterDeletion(x, parent) := rb(this.root, null, lo, hi, false, bh, this.size);
