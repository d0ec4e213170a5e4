// Binary trees whose nodes know their parents.

data ParentNode { int value; ParentNode left; ParentNode right; ParentNode parent; }

// Any binary tree, in which every `parent` names the node above. The root's `parent` is `above`:
// null for a whole tree.
pred parent_tree(x, above) :=
    emp & x = null
  | exists left, right. x -> ParentNode(_, left, right, above)
        * parent_tree(left, x) * parent_tree(right, x);

// The same with n, the number of nodes.
pred parent_tree_of_size(x, above, n) :=
    emp & x = null & n = 0
  | exists left, right, m, k. x -> ParentNode(_, left, right, above)
        * parent_tree_of_size(left, x, m) * parent_tree_of_size(right, x, k)
        & n = m + k + 1;

// A search tree with parents: values grow from left to right and lie strictly between lo and hi.
pred parent_search_tree(x, above, lo, hi) :=
    emp & x = null
  | exists v, left, right. x -> ParentNode(v, left, right, above)
        * parent_search_tree(left, x, lo, v) * parent_search_tree(right, x, v, hi)
        & lo < v & v < hi;
