// AA trees: red-black trees in which only right children may be red, with levels in place of
// colours.

data AaNode { int value; int level; AaNode left; AaNode right; }

// A tree whose root has level k; the empty tree has level 0. A left child is one level below its
// parent. A right child is one level below, or on the same level: then it is a horizontal link,
// and the next right child must be lower. All values lie strictly between lo and hi.
pred aa_tree(x, lo, hi, k) :=
    emp & x = null & k = 0
  | exists v, left, right. x -> AaNode(v, k, left, right)
        * aa_tree(left, lo, v, k - 1) * aa_tree(right, v, hi, k - 1)
        & lo < v & v < hi & k > 0
  | exists v, left, right. x -> AaNode(v, k, left, right)
        * aa_tree(left, lo, v, k - 1) * aa_horizontal(right, v, hi, k)
        & lo < v & v < hi & k > 0;

// What a horizontal link leads to: a node both of whose children are one level below.
pred aa_horizontal(x, lo, hi, k) :=
    exists v, left, right. x -> AaNode(v, k, left, right)
        * aa_tree(left, lo, v, k - 1) * aa_tree(right, v, hi, k - 1)
        & lo < v & v < hi & k > 0;

// The same two with n, the number of nodes.
pred aa_tree_of_size(x, lo, hi, k, n) :=
    emp & x = null & k = 0 & n = 0
  | exists v, left, right, m, j. x -> AaNode(v, k, left, right)
        * aa_tree_of_size(left, lo, v, k - 1, m) * aa_tree_of_size(right, v, hi, k - 1, j)
        & lo < v & v < hi & k > 0 & n = m + j + 1
  | exists v, left, right, m, j. x -> AaNode(v, k, left, right)
        * aa_tree_of_size(left, lo, v, k - 1, m) * aa_horizontal_of_size(right, v, hi, k, j)
        & lo < v & v < hi & k > 0 & n = m + j + 1;

pred aa_horizontal_of_size(x, lo, hi, k, n) :=
    exists v, left, right, m, j. x -> AaNode(v, k, left, right)
        * aa_tree_of_size(left, lo, v, k - 1, m) * aa_tree_of_size(right, v, hi, k - 1, j)
        & lo < v & v < hi & k > 0 & n = m + j + 1;
