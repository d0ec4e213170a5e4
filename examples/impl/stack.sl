import singly_linked_list;

pred sized_stack(stack, n) := exists top. stack -> Stack(top, n) * list_of_length(top, n);

pre  push(stack, x) := sized_stack(stack, n) & n < 2147483647;
post push(stack, x) := sized_stack(stack, n) & n = old(stack.size) + 1;

pre  pop(stack) := sized_stack(stack, n) & n > 0;
post pop(stack) := sized_stack(stack, n) & n = old(stack.size) - 1;

pre  is_empty(stack) := sized_stack(stack, n);
post is_empty(stack) := sized_stack(stack, n);

pre  clear(stack) := sized_stack(stack, n);
post clear(stack) := sized_stack(stack, 0);
