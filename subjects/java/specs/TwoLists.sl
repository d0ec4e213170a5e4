// The n nodes from `first` to `last`; before the first one comes `before`, behind the last one
// `after`.
pred segment(first, before, last, after, n) :=
    emp & first = after & last = before & n = 0
  | exists next. first -> IntList$Node(_, next, before)
        * segment(next, first, last, after, n - 1) & first != after & n > 0;

// A list object with its header and n further nodes.
pred int_list(list, n) :=
    exists header, first, last. list -> IntList(header, n)
        * header -> IntList$Node(_, first, last) * segment(first, header, last, header, n);

pre  TwoLists#equalAfterRemoval(first, second, x, n) := int_list(first, a) * int_list(second, b);
post TwoLists#equalAfterRemoval(first, second, x, n) :=
    int_list(first, a) * int_list(second, b) & (result => a = b);
post TwoLists#equalAfterRemoval(first, second, x, n) throws java.util.NoSuchElementException :=
    int_list(first, a) * int_list(second, b) & n >= a;
