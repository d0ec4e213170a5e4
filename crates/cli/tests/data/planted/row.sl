import singly_linked_list;

pre  same(first, count) := list_of_length(first, count);
post same(first, count) := list_of_length(result, count);

pre  size_after_push(first, count) := list_of_length(first, count);
post size_after_push(first, count) := list_of_length(first, count) & result = count + 1;
