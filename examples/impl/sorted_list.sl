import sorted_list;

pre  insert(first, x) := sorted_list(first, lo);
post insert(first, x) := sorted_list(result, lo) & result != null;

pre  remove(first, x) := sorted_list(first, lo);
post remove(first, x) := sorted_list(result, lo);

pre  merge(a, b) := sorted_list(a, lo) * sorted_list(b, k);
post merge(a, b) := sorted_list(result, lo);
