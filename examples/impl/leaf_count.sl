import linked_leaves;

pre  leaf_count(root) := linked_leaves(root, null, first, null);
post leaf_count(root) := linked_leaves_of_size(root, null, first, null, n) & result = n;

pre  count_below(node) := linked_leaves(node, above, first, after);
post count_below(node) := linked_leaves_of_size(node, above, first, after, n) & result = n;
