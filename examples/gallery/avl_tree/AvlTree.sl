import avl_tree with AvlNode = AvlTree$Node(value: value, height: height, left: left, right: right);

pre AvlTree#add(int value) := stored_avl_tree(this.root, lo, hi, h);
post AvlTree#add(int value) := stored_avl_tree(this.root, lo, hi, h);
