// java.util.TreeMap of JDK 17 to 25, with Integers as keys: every entry owns its key. Values are
// any objects. A black entry has the color `true`.

// A red-black tree of n entries with bh black ones on each way down. Its root has the parent
// `above` and is black or not; the empty tree is. Keys lie strictly between lo and hi.
pred rb(x, above, lo, hi, black, bh, n) :=
    emp & x = null & black = true & bh = 0 & n = 0
  | exists k, v, left, right, a, b, h, m, j. x -> TreeMap$Entry(k, _, left, right, above, black)
        * k -> java.lang.Integer(v) * rb(left, x, lo, v, a, h, m) * rb(right, x, v, hi, b, h, j)
        & lo < v & v < hi & (black | a & b) & bh = h + (black ? 1 : 0) & n = m + j + 1;

// A red-black tree of which `entry` is an entry.
pred rb_with(x, above, lo, hi, black, bh, n, entry) :=
    rb(x, above, lo, hi, black, bh, n) & x = entry & n > 0
  | exists k, v, left, right, m, j. x -> TreeMap$Entry(k, _, left, right, above, false)
        * k -> java.lang.Integer(v) * rb_with(left, x, lo, v, true, bh, m, entry)
        * rb(right, x, v, hi, true, bh, j)
        & lo < v & v < hi & black = false & n = m + j + 1
  | exists k, v, left, right, m, j. x -> TreeMap$Entry(k, _, left, right, above, false)
        * k -> java.lang.Integer(v) * rb(left, x, lo, v, true, bh, m)
        * rb_with(right, x, v, hi, true, bh, j, entry)
        & lo < v & v < hi & black = false & n = m + j + 1
  | exists k, v, left, right, a, b, m, j. x -> TreeMap$Entry(k, _, left, right, above, true)
        * k -> java.lang.Integer(v) * rb_with(left, x, lo, v, a, bh - 1, m, entry)
        * rb(right, x, v, hi, b, bh - 1, j)
        & lo < v & v < hi & black = true & bh > 0 & n = m + j + 1
  | exists k, v, left, right, a, b, m, j. x -> TreeMap$Entry(k, _, left, right, above, true)
        * k -> java.lang.Integer(v) * rb(left, x, lo, v, a, bh - 1, m)
        * rb_with(right, x, v, hi, b, bh - 1, j, entry)
        & lo < v & v < hi & black = true & bh > 0 & n = m + j + 1;

// A tree that is valid if `entry` is taken for a red one, whatever its color is, and if it passes
// for a black one towards its parent: that may be red, and the entry may be the root.
pred rb_inserted(x, above, lo, hi, black, bh, n, entry) :=
    exists k, v, left, right, m, j. x -> TreeMap$Entry(k, _, left, right, above, _)
        * k -> java.lang.Integer(v) * rb(left, x, lo, v, true, bh, m) * rb(right, x, v, hi, true, bh, j)
        & x = entry & lo < v & v < hi & black = true & n = m + j + 1
  | exists k, v, left, right, m, j. x -> TreeMap$Entry(k, _, left, right, above, false)
        * k -> java.lang.Integer(v) * rb_inserted(left, x, lo, v, true, bh, m, entry)
        * rb(right, x, v, hi, true, bh, j)
        & lo < v & v < hi & black = false & n = m + j + 1
  | exists k, v, left, right, m, j. x -> TreeMap$Entry(k, _, left, right, above, false)
        * k -> java.lang.Integer(v) * rb(left, x, lo, v, true, bh, m)
        * rb_inserted(right, x, v, hi, true, bh, j, entry)
        & lo < v & v < hi & black = false & n = m + j + 1
  | exists k, v, left, right, a, b, m, j. x -> TreeMap$Entry(k, _, left, right, above, true)
        * k -> java.lang.Integer(v) * rb_inserted(left, x, lo, v, a, bh - 1, m, entry)
        * rb(right, x, v, hi, b, bh - 1, j)
        & lo < v & v < hi & black = true & bh > 0 & n = m + j + 1
  | exists k, v, left, right, a, b, m, j. x -> TreeMap$Entry(k, _, left, right, above, true)
        * k -> java.lang.Integer(v) * rb(left, x, lo, v, a, bh - 1, m)
        * rb_inserted(right, x, v, hi, b, bh - 1, j, entry)
        & lo < v & v < hi & black = true & bh > 0 & n = m + j + 1;

// A tree that is valid but for the subtree at `entry`, which has one black entry less than the bh
// on all ways down that the others have. It may be red below a red parent, since it will become
// black.
pred rb_deleted(x, above, lo, hi, black, bh, n, entry) :=
    exists c. rb(x, above, lo, hi, c, bh - 1, n) & x = entry & black = true & bh > 0 & n > 0
  | exists k, v, left, right, m, j. x -> TreeMap$Entry(k, _, left, right, above, false)
        * k -> java.lang.Integer(v) * rb_deleted(left, x, lo, v, true, bh, m, entry)
        * rb(right, x, v, hi, true, bh, j)
        & lo < v & v < hi & black = false & n = m + j + 1
  | exists k, v, left, right, m, j. x -> TreeMap$Entry(k, _, left, right, above, false)
        * k -> java.lang.Integer(v) * rb(left, x, lo, v, true, bh, m)
        * rb_deleted(right, x, v, hi, true, bh, j, entry)
        & lo < v & v < hi & black = false & n = m + j + 1
  | exists k, v, left, right, a, b, m, j. x -> TreeMap$Entry(k, _, left, right, above, true)
        * k -> java.lang.Integer(v) * rb_deleted(left, x, lo, v, a, bh - 1, m, entry)
        * rb(right, x, v, hi, b, bh - 1, j)
        & lo < v & v < hi & black = true & bh > 0 & n = m + j + 1
  | exists k, v, left, right, a, b, m, j. x -> TreeMap$Entry(k, _, left, right, above, true)
        * k -> java.lang.Integer(v) * rb(left, x, lo, v, a, bh - 1, m)
        * rb_deleted(right, x, v, hi, b, bh - 1, j, entry)
        & lo < v & v < hi & black = true & bh > 0 & n = m + j + 1;

// A tree that is valid if `entry`, a black one without children, counts as `count` black ones. An entry
// that is about to leave the tree counts as one before the others are rearranged, and as none
// afterwards.
pred rb_leaf(x, above, lo, hi, black, bh, n, entry, count) :=
    exists k, v. x -> TreeMap$Entry(k, _, null, null, above, true) * k -> java.lang.Integer(v)
        & x = entry & lo < v & v < hi & black = true & bh = count & n = 1
  | exists k, v, left, right, m, j. x -> TreeMap$Entry(k, _, left, right, above, false)
        * k -> java.lang.Integer(v) * rb_leaf(left, x, lo, v, true, bh, m, entry, count)
        * rb(right, x, v, hi, true, bh, j)
        & lo < v & v < hi & black = false & n = m + j + 1
  | exists k, v, left, right, m, j. x -> TreeMap$Entry(k, _, left, right, above, false)
        * k -> java.lang.Integer(v) * rb(left, x, lo, v, true, bh, m)
        * rb_leaf(right, x, v, hi, true, bh, j, entry, count)
        & lo < v & v < hi & black = false & n = m + j + 1
  | exists k, v, left, right, a, b, m, j. x -> TreeMap$Entry(k, _, left, right, above, true)
        * k -> java.lang.Integer(v) * rb_leaf(left, x, lo, v, a, bh - 1, m, entry, count)
        * rb(right, x, v, hi, b, bh - 1, j)
        & lo < v & v < hi & black = true & bh > 0 & n = m + j + 1
  | exists k, v, left, right, a, b, m, j. x -> TreeMap$Entry(k, _, left, right, above, true)
        * k -> java.lang.Integer(v) * rb(left, x, lo, v, a, bh - 1, m)
        * rb_leaf(right, x, v, hi, b, bh - 1, j, entry, count)
        & lo < v & v < hi & black = true & bh > 0 & n = m + j + 1;

// A search tree with parents and any colors.
pred search_tree(x, above, lo, hi) :=
    emp & x = null
  | exists k, v, left, right. x -> TreeMap$Entry(k, _, left, right, above, _) * k -> java.lang.Integer(v)
        * search_tree(left, x, lo, v) * search_tree(right, x, v, hi) & lo < v & v < hi;

// The same, of which `entry` is an entry with the children `left` and `right`.
pred search_tree_with(x, above, lo, hi, entry, left, right) :=
    exists k, v. x -> TreeMap$Entry(k, _, left, right, above, _) * k -> java.lang.Integer(v)
        * search_tree(left, x, lo, v) * search_tree(right, x, v, hi)
        & lo < v & v < hi & x = entry
  | exists k, v, l, r. x -> TreeMap$Entry(k, _, l, r, above, _) * k -> java.lang.Integer(v)
        * search_tree_with(l, x, lo, v, entry, left, right) * search_tree(r, x, v, hi)
        & lo < v & v < hi
  | exists k, v, l, r. x -> TreeMap$Entry(k, _, l, r, above, _) * k -> java.lang.Integer(v)
        * search_tree(l, x, lo, v) * search_tree_with(r, x, v, hi, entry, left, right)
        & lo < v & v < hi;

// The natural order of the keys: none is given, or one that is reversed twice.
pred natural(c: Object) :=
    emp & c = null
  | exists d: Object. c -> java.util.Collections$ReverseComparator2(cmp: d)
        * d -> java.util.Collections$ReverseComparator();

// The set of the entries of a map, which is made when somebody asks for it.
pred view(s, t) :=
    emp & s = null
  | s -> TreeMap$EntrySet(this$0: t);

// A map of n entries.
pred map(t, n) :=
    exists c, root, s, bh, lo, hi. t -> TreeMap(comparator: c, root: root, size: n, entrySet: s)
        * natural(c) * view(s, t) * rb(root, null, lo, hi, true, bh, n);

// A map with one entry, of which nobody knows what its key is.
pred only(t, key, value) :=
    exists c, root, s. t -> TreeMap(comparator: c, root: root, size: 1, entrySet: s)
        * natural(c) * view(s, t) * root -> TreeMap$Entry(key, value, null, null, null, true);

pre  TreeMap#size() := map(this, n);
post TreeMap#size() :=
    map(this, n) & n = old(this.size);

pre  TreeMap#get(key) := map(this, n);
post TreeMap#get(key) :=
    map(this, n) & n = old(this.size);

pre  TreeMap#containsKey(key) := map(this, n);
post TreeMap#containsKey(key) :=
    map(this, n) & n = old(this.size);

pre  TreeMap#containsValue(value) := map(this, n);
post TreeMap#containsValue(value) :=
    map(this, n) & n = old(this.size);

pre  TreeMap#getEntry(key) := map(this, n);
post TreeMap#getEntry(key) :=
    map(this, n) & n = old(this.size);

pre  TreeMap#getEntryUsingComparator(key) := map(this, n);
post TreeMap#getEntryUsingComparator(key) :=
    map(this, n) & n = old(this.size);

pre  TreeMap#firstKey() := map(this, n);
post TreeMap#firstKey() :=
    map(this, n) & n = old(this.size);

pre  TreeMap#lastKey() := map(this, n);
post TreeMap#lastKey() :=
    map(this, n) & n = old(this.size);

pre  TreeMap#firstEntry() := map(this, n);
post TreeMap#firstEntry() :=
    map(this, n) & n = old(this.size);

pre  TreeMap#lastEntry() := map(this, n);
post TreeMap#lastEntry() :=
    map(this, n) & n = old(this.size);

pre  TreeMap#getFirstEntry() := map(this, n);
post TreeMap#getFirstEntry() :=
    map(this, n) & n = old(this.size);

pre  TreeMap#getLastEntry() := map(this, n);
post TreeMap#getLastEntry() :=
    map(this, n) & n = old(this.size);

pre  TreeMap#getCeilingEntry(key) := map(this, n);
post TreeMap#getCeilingEntry(key) :=
    map(this, n) & n = old(this.size);

pre  TreeMap#getFloorEntry(key) := map(this, n);
post TreeMap#getFloorEntry(key) :=
    map(this, n) & n = old(this.size);

pre  TreeMap#getHigherEntry(key) := map(this, n);
post TreeMap#getHigherEntry(key) :=
    map(this, n) & n = old(this.size);

pre  TreeMap#getLowerEntry(key) := map(this, n);
post TreeMap#getLowerEntry(key) :=
    map(this, n) & n = old(this.size);

pre  TreeMap#ceilingEntry(key) := map(this, n);
post TreeMap#ceilingEntry(key) :=
    map(this, n) & n = old(this.size);

pre  TreeMap#ceilingKey(key) := map(this, n);
post TreeMap#ceilingKey(key) :=
    map(this, n) & n = old(this.size);

pre  TreeMap#floorEntry(key) := map(this, n);
post TreeMap#floorEntry(key) :=
    map(this, n) & n = old(this.size);

pre  TreeMap#floorKey(key) := map(this, n);
post TreeMap#floorKey(key) :=
    map(this, n) & n = old(this.size);

pre  TreeMap#higherEntry(key) := map(this, n);
post TreeMap#higherEntry(key) :=
    map(this, n) & n = old(this.size);

pre  TreeMap#higherKey(key) := map(this, n);
post TreeMap#higherKey(key) :=
    map(this, n) & n = old(this.size);

pre  TreeMap#lowerEntry(key) := map(this, n);
post TreeMap#lowerEntry(key) :=
    map(this, n) & n = old(this.size);

pre  TreeMap#lowerKey(key) := map(this, n);
post TreeMap#lowerKey(key) :=
    map(this, n) & n = old(this.size);

// A key that is no Integer can become the only one: it is compared with itself alone.
pre  TreeMap#put(Object key, Object value) := map(this, n);
post TreeMap#put(Object key, Object value) :=
    map(this, n) & n > 0 & old(this.size) <= n <= old(this.size) + 1
  | only(this, key, value) & old(this.size) = 0;

pre  TreeMap#put(Object key, Object value, boolean replaceOld) := map(this, n);
post TreeMap#put(Object key, Object value, boolean replaceOld) :=
    map(this, n) & n > 0 & old(this.size) <= n <= old(this.size) + 1
  | only(this, key, value) & old(this.size) = 0;

pre  TreeMap#putIfAbsent(key, value) := map(this, n);
post TreeMap#putIfAbsent(key, value) :=
    map(this, n) & n > 0 & old(this.size) <= n <= old(this.size) + 1
  | only(this, key, value) & old(this.size) = 0;

pre  TreeMap#replace(Object key, Object value) := map(this, n);
post TreeMap#replace(Object key, Object value) :=
    map(this, n) & n = old(this.size);

pre  TreeMap#replace(Object key, Object old_value, Object new_value) := map(this, n);
post TreeMap#replace(Object key, Object old_value, Object new_value) :=
    map(this, n) & n = old(this.size);

pre  TreeMap#remove(key) := map(this, n);
post TreeMap#remove(key) :=
    map(this, n) & old(this.size) - 1 <= n <= old(this.size);

pre  TreeMap#pollFirstEntry() := map(this, n);
post TreeMap#pollFirstEntry() :=
    map(this, n) & old(this.size) - 1 <= n <= old(this.size);

pre  TreeMap#pollLastEntry() := map(this, n);
post TreeMap#pollLastEntry() :=
    map(this, n) & old(this.size) - 1 <= n <= old(this.size);

pre  TreeMap#clear() := map(this, n);
post TreeMap#clear() :=
    map(this, 0);

// What follows has nothing to do with the order of the keys, so the comparator is left open.

pre  TreeMap#deleteEntry(p) := rb_with(this.root, null, lo, hi, true, bh, this.size, p);
post TreeMap#deleteEntry(p) :=
    rb(this.root, null, lo, hi, true, bh, this.size) & this.size = old(this.size) - 1;

// A rotation needs a child; it keeps the order, and has nothing to do with colors.
pre  TreeMap#rotateLeft(p) := emp & p = null
  | search_tree_with(this.root, null, lo, hi, p, left, right) & right != null;
post TreeMap#rotateLeft(p) :=
    search_tree(this.root, null, lo, hi)
  | emp & p = null;

pre  TreeMap#rotateRight(p) := emp & p = null
  | search_tree_with(this.root, null, lo, hi, p, left, right) & left != null;
post TreeMap#rotateRight(p) :=
    search_tree(this.root, null, lo, hi)
  | emp & p = null;

pre  TreeMap#fixAfterInsertion(x) := rb_inserted(this.root, null, lo, hi, true, bh, this.size, x);
post TreeMap#fixAfterInsertion(x) :=
    rb(this.root, null, lo, hi, true, bh, this.size);

// The entry that took the place of a deleted black one, or the entry that is to be deleted next.
pre  TreeMap#fixAfterDeletion(x) := rb_deleted(this.root, null, lo, hi, true, bh, this.size, x)
  | rb_leaf(this.root, null, lo, hi, true, bh, this.size, x, 1);
post TreeMap#fixAfterDeletion(x) :=
    rb(this.root, null, lo, hi, true, bh, this.size)
  | rb_leaf(this.root, null, lo, hi, true, bh, this.size, x, 0);

// These take any entry of any tree, or null.
pre  TreeMap#successor(t) :=
    emp & t = null | rb_with(root, null, lo, hi, true, bh, n, t);

pre  TreeMap#predecessor(t) :=
    emp & t = null | rb_with(root, null, lo, hi, true, bh, n, t);

pre  TreeMap#colorOf(p) :=
    emp & p = null | rb_with(root, null, lo, hi, true, bh, n, p);

pre  TreeMap#parentOf(p) :=
    emp & p = null | rb_with(root, null, lo, hi, true, bh, n, p);

pre  TreeMap#leftOf(p) :=
    emp & p = null | rb_with(root, null, lo, hi, true, bh, n, p);

pre  TreeMap#rightOf(p) :=
    emp & p = null | rb_with(root, null, lo, hi, true, bh, n, p);

pre  TreeMap#exportEntry(e) :=
    emp & e = null | rb_with(root, null, lo, hi, true, bh, n, e);

pre  TreeMap#keyOrNull(e) :=
    emp & e = null | rb_with(root, null, lo, hi, true, bh, n, e);

pre  TreeMap#key(e) :=
    emp & e = null | rb_with(root, null, lo, hi, true, bh, n, e);

pre  TreeMap#setColor(p, c) :=
    emp & p = null | rb_with(root, null, lo, hi, true, bh, n, p);
