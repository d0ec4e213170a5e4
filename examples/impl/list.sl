import singly_linked_list;

pre  insert(first, position, x) := list(first);
post insert(first, position, x) := list(result) & result != null;

pre  remove(first, x) := list(first);
post remove(first, x) := list(result);

pre  reverse(first) := list(first);
post reverse(first) := list(result);

pre  append(first, second) := list(first) * list(second);
post append(first, second) := list(result);

pre  contains(first, x) := list(first);
post contains(first, x) := list(first);

pre  length(first) := list(first);
post length(first) := list_of_length(first, n) & result = n;
