import search_tree with TreeNode = SearchTree$Node(value: value, left: left, right: right);

pre SearchTree#add(value) := search_tree(this.root, lo, hi);
post SearchTree#add(value) := search_tree(this.root, lo, hi);

pre SearchTree#removeLeast() := search_tree(this.root, lo, hi);
post SearchTree#removeLeast() := search_tree(this.root, result, hi);

pre SearchTree#ceiling(limit) := search_tree(this.root, lo, hi);
post SearchTree#ceiling(limit) := search_tree(this.root, lo, hi) & result >= limit;
