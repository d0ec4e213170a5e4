// A subtree with keys between two bounds, its colour (RED is 0, BLACK is 1) and its black height.
pred subtree(t, parent, end, low, high, colour, n) :=
    emp & t = end & colour = 1 & n = 0
  | exists left, right, key, a, b, m.
    t -> rb_node(left: left, right: right, parent: parent, colour: 1, key: key)
    * subtree(left, t, end, low, key, a, m) * subtree(right, t, end, key, high, b, m)
    & low < key & key < high & colour = 1 & n = m + 1
  | exists left, right, key.
    t -> rb_node(left: left, right: right, parent: parent, colour: 0, key: key)
    * subtree(left, t, end, low, key, 1, n) * subtree(right, t, end, key, high, 1, n)
    & low < key & key < high & colour = 0;

pred whole(tree) := exists root, end, low, high, n, key.
    tree -> rb_tree(root: root, nil: end)
    * end -> rb_tree.nil(left: end, right: end, parent: end, colour: 1, key: key, outer: tree)
    * subtree(root, end, end, low, high, 1, n);

pre rb_find(tree, key) := whole(tree);
pre rb_insert(tree, z) := exists left, right, parent, colour, key.
    whole(tree) * z -> rb_node(left: left, right: right, parent: parent, colour: colour, key: key);
pre rb_add(tree, z) := exists left, right, parent, colour, key.
    whole(tree) * z -> rb_node(left: left, right: right, parent: parent, colour: colour, key: key);
