import search_tree;

pre  insert(t, x) := search_tree(t, lo, hi);
post insert(t, x) := search_tree(result, lo, hi) & result != null;

pre  remove(t, x) := search_tree(t, lo, hi);
post remove(t, x) := search_tree(result, lo, hi);

pre  contains(t, x) := search_tree(t, lo, hi);
post contains(t, x) := search_tree(t, lo, hi);

pre  min(t) := search_tree(t, lo, hi) & t != null;
post min(t) := search_tree(t, lo, hi) & result = lo + 1;
