// Trees whose leaves form a list, and whose nodes know their parents.

data LeafNode { int value; LeafNode left; LeafNode right; LeafNode parent; LeafNode next; }

// A tree of at least one node, in which an inner node has two children and a null `next`. The
// leaves are linked through `next` from left to right: `first` is the leftmost leaf, and the
// rightmost one's `next` is `after`, null for a whole tree. The root's `parent` is `above`.
pred linked_leaves(x, above, first, after) :=
    x -> LeafNode(_, null, null, above, after) & x = first
  | exists left, right, middle. x -> LeafNode(_, left, right, above, null)
        * linked_leaves(left, x, first, middle) * linked_leaves(right, x, middle, after);

// The same with n, the number of leaves.
pred linked_leaves_of_size(x, above, first, after, n) :=
    x -> LeafNode(_, null, null, above, after) & x = first & n = 1
  | exists left, right, middle, m, k. x -> LeafNode(_, left, right, above, null)
        * linked_leaves_of_size(left, x, first, middle, m)
        * linked_leaves_of_size(right, x, middle, after, k)
        & n = m + k;
