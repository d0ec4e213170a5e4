// Binary trees without order.

data TreeNode { int value; TreeNode left; TreeNode right; }

// Any binary tree, the empty one included.
pred binary_tree(x) :=
    emp & x = null
  | exists left, right. x -> TreeNode(_, left, right) * binary_tree(left) * binary_tree(right);

// The same with n, the number of nodes.
pred binary_tree_of_size(x, n) :=
    emp & x = null & n = 0
  | exists left, right, m, k. x -> TreeNode(_, left, right)
        * binary_tree_of_size(left, m) * binary_tree_of_size(right, k)
        & n = m + k + 1;

// The same with h, the number of nodes on the longest way down.
pred binary_tree_of_height(x, h) :=
    emp & x = null & h = 0
  | exists left, right, k. x -> TreeNode(_, left, right)
        * binary_tree_of_height(left, h - 1) * binary_tree_of_height(right, k)
        & k <= h - 1
  | exists left, right, k. x -> TreeNode(_, left, right)
        * binary_tree_of_height(left, k) * binary_tree_of_height(right, h - 1)
        & k < h - 1;

// The tree of height h in which every way down has h nodes.
pred perfect_tree(x, h) :=
    emp & x = null & h = 0
  | exists left, right. x -> TreeNode(_, left, right)
        * perfect_tree(left, h - 1) * perfect_tree(right, h - 1) & h > 0;
