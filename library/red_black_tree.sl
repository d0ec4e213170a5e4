// Red-black trees: search trees whose colours keep them balanced.

data RbNode { int value; bool red; RbNode left; RbNode right; }
data RbParentNode {
    int value; bool red; RbParentNode left; RbParentNode right; RbParentNode parent;
}

// A tree whose root has any colour. `red` says whether the root is a red node; the empty tree
// counts as black. `bh` is the number of black nodes on each way down, the same for all of them.
// A red node has black children only. All values lie strictly between lo and hi.
pred red_black(x, lo, hi, red, bh) :=
    emp & x = null & red = false & bh = 0
  | exists v, left, right. x -> RbNode(v, true, left, right)
        * red_black(left, lo, v, false, bh) * red_black(right, v, hi, false, bh)
        & lo < v & v < hi & red = true
  | exists v, left, right, a, b. x -> RbNode(v, false, left, right)
        * red_black(left, lo, v, a, bh - 1) * red_black(right, v, hi, b, bh - 1)
        & lo < v & v < hi & red = false & bh > 0;

// A whole red-black tree: empty, or with a black root.
pred red_black_tree(x, lo, hi, bh) := red_black(x, lo, hi, false, bh);

// Any colour of the root, with n, the number of nodes.
pred red_black_of_size(x, lo, hi, red, bh, n) :=
    emp & x = null & red = false & bh = 0 & n = 0
  | exists v, left, right, m, k. x -> RbNode(v, true, left, right)
        * red_black_of_size(left, lo, v, false, bh, m)
        * red_black_of_size(right, v, hi, false, bh, k)
        & lo < v & v < hi & red = true & n = m + k + 1
  | exists v, left, right, a, b, m, k. x -> RbNode(v, false, left, right)
        * red_black_of_size(left, lo, v, a, bh - 1, m)
        * red_black_of_size(right, v, hi, b, bh - 1, k)
        & lo < v & v < hi & red = false & bh > 0 & n = m + k + 1;

// A whole red-black tree with n, the number of nodes.
pred red_black_tree_of_size(x, lo, hi, bh, n) := red_black_of_size(x, lo, hi, false, bh, n);

// Any colour of the root, with parents: the root's `parent` is `above`.
pred parent_red_black(x, above, lo, hi, red, bh) :=
    emp & x = null & red = false & bh = 0
  | exists v, left, right. x -> RbParentNode(v, true, left, right, above)
        * parent_red_black(left, x, lo, v, false, bh)
        * parent_red_black(right, x, v, hi, false, bh)
        & lo < v & v < hi & red = true
  | exists v, left, right, a, b. x -> RbParentNode(v, false, left, right, above)
        * parent_red_black(left, x, lo, v, a, bh - 1)
        * parent_red_black(right, x, v, hi, b, bh - 1)
        & lo < v & v < hi & red = false & bh > 0;

// A whole red-black tree with parents, as in java.util.TreeMap.
pred parent_red_black_tree(x, lo, hi, bh) := parent_red_black(x, null, lo, hi, false, bh);
