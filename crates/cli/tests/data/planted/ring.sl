import singly_linked_list;

pre find(first, x) := list(first);
