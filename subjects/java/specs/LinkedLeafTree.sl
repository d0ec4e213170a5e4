// A tree whose inner nodes have two children. About parents and links of leaves nothing is said.
pred unlinked(x) :=
    x -> LinkedLeafTree$Node(_, null, null, _, _)
  | exists left, right. x -> LinkedLeafTree$Node(_, left, right, _, _)
        * unlinked(left) * unlinked(right);

// The same with parents, `above` being the root's one, and with linked leaves, of which `first` is
// the leftmost one, and `after` what the rightmost one is linked to.
pred linked(x, above, first, after) :=
    x -> LinkedLeafTree$Node(_, null, null, above, after) & x = first
  | exists left, right, middle. x -> LinkedLeafTree$Node(_, left, right, above, null)
        * linked(left, x, first, middle) * linked(right, x, middle, after);

// The same, of which `leaf` is one of the leaves.
pred linked_with(x, above, first, after, leaf) :=
    x -> LinkedLeafTree$Node(_, null, null, above, after) & x = first & x = leaf
  | exists left, right, middle. x -> LinkedLeafTree$Node(_, left, right, above, null)
        * linked_with(left, x, first, middle, leaf) * linked(right, x, middle, after)
  | exists left, right, middle. x -> LinkedLeafTree$Node(_, left, right, above, null)
        * linked(left, x, first, middle) * linked_with(right, x, middle, after, leaf);

pre  LinkedLeafTree#linkLeaves() := this.root = null | unlinked(this.root);
post LinkedLeafTree#linkLeaves() := this.root = null | linked(this.root, null, first, null);

pre  LinkedLeafTree#setTree(t, parent, after) := unlinked(t);
post LinkedLeafTree#setTree(t, parent, after) := linked(t, parent, result, after);

pre  LinkedLeafTree#splitLeaf(leaf, value) := linked_with(this.root, null, first, null, leaf);
post LinkedLeafTree#splitLeaf(leaf, value) := linked(this.root, null, first, null);
