// Questions for `heapwright solve`: one answer for each `check`.

import search_tree;
import red_black_tree;

// A tree that holds 10 left of 20.
check two_values :=
    root -> TreeNode(20, l, r) * l -> TreeNode(10, null, null) * search_tree(r, 20, hi);

// There is no value strictly between 10 and 11.
check no_room := search_tree(root, 10, 11) & root != null;

// The largest red-black tree of black height 1 has three nodes, so there is none of four.
check three_nodes := red_black_tree_of_size(root, lo, hi, 1, 3);
check four_nodes := red_black_tree_of_size(root, lo, hi, 1, 4);
