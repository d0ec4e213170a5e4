import red_black_tree
    with RbNode = RedBlackTree$Node(value: value, red: red, left: left, right: right);

pre RedBlackTree#add(int value) := red_black_tree(this.root, lo, hi, bh);
post RedBlackTree#add(int value) := red_black_tree(this.root, lo, hi, bh);
