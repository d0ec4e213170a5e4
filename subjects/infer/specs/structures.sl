// What the objects of the classes beside are, written by hand. `bench infer` compares it with what is
// inferred; nobody else reads it.

pred sorted(x, low) :=
    emp & x = null
  | exists v, next. x -> SortedList$Node(v, next) * sorted(next, v) & low < v;
pred sorted_list(o) := exists first, low. o -> SortedList(first) * sorted(first, low);

pred by_priority(x, low, n) :=
    emp & x = null & n = 0
  | exists v, next. x -> PriorityList$Node(next, v) * by_priority(next, v, n - 1) & low <= v & n > 0;
pred priority_list(o) := exists head, n, low. o -> PriorityList(head, n) * by_priority(head, low, n);

pred links(x, before, last) :=
    emp & x = null & last = before
  | exists next. x -> Deque$Link(_, before, next) * links(next, x, last);
pred deque(o) := exists front, back. o -> Deque(front, back) * links(front, null, back);

pred cells(x, last, n) :=
    x -> Queue$Cell(_, null) & last = x & n = 1
  | exists next. x -> Queue$Cell(_, next) * cells(next, last, n - 1) & n > 1;
pred queue(o) :=
    o -> Queue(null, null, 0)
  | exists head, tail, n. o -> Queue(head, tail, n) * cells(head, tail, n);

pred circle(x, first) :=
    x -> Ring$Node(_, first)
  | exists next. x -> Ring$Node(_, next) * circle(next, first);
pred ring(o) :=
    o -> Ring(null)
  | exists current. o -> Ring(current) * circle(current, current);

pred rest(x) := emp & x = null | exists next. x -> HeaderList$Node(_, next) * rest(next);
pred header_list(o) :=
    exists header, next. o -> HeaderList(header) * header -> HeaderList$Node(null, next) * rest(next);

pred below(x, parent, low, high) :=
    emp & x = null
  | exists l, r, k. x -> ParentTree$Node(parent, l, r, k)
        * below(l, x, low, k) * below(r, x, k, high) & low < k & k < high;
pred parent_tree(o) := exists top, low, high. o -> ParentTree(top) * below(top, null, low, high);

pred sized(x, low, high, n) :=
    emp & x = null & n = 0
  | exists k, l, r, a, b. x -> SizedTree$Node(k, n, l, r) * sized(l, low, k, a) * sized(r, k, high, b)
        & low < k & k < high & n = a + b + 1;
pred sized_tree(o) := exists root, low, high, n. o -> SizedTree(root) * sized(root, low, high, n);

pred leftist(x, low, rank) :=
    emp & x = null & rank = 0
  | exists k, l, r, a. x -> LeftistHeap$Node(k, rank, l, r) * leftist(l, k, a) * leftist(r, k, rank - 1)
        & low <= k & a >= rank - 1 & rank > 0;
pred leftist_heap(o) := exists root, low, rank. o -> LeftistHeap(root) * leftist(root, low, rank);

// A binomial tree of degree d, and the smaller ones behind it.
pred children(x, low, d) :=
    emp & x = null & d = -1
  | exists k, child, sibling. x -> BinomialHeap$Node(k, d, child, sibling)
        * children(child, k, d - 1) * children(sibling, low, d - 1) & low <= k & d >= 0;
pred trees(x, least) :=
    emp & x = null
  | exists k, d, child, sibling. x -> BinomialHeap$Node(k, d, child, sibling)
        * children(child, k, d - 1) * trees(sibling, d) & d > least & d >= 0;
pred binomial_heap(o) := exists first. o -> BinomialHeap(first) * trees(first, -1);

pred items(x) := emp & x = null | exists next. x -> ListOfLists$Item(_, next) * items(next);
pred rows(x) :=
    emp & x = null
  | exists items, below. x -> ListOfLists$Row(items, below) * items(items) * rows(below);
pred list_of_lists(o) := exists first. o -> ListOfLists(first) * rows(first);

pred linked(x, above, first, after) :=
    x -> LinkedLeaves$Node(null, null, above, after) & x = first
  | exists left, right, middle. x -> LinkedLeaves$Node(left, right, above, null)
        * linked(left, x, first, middle) * linked(right, x, middle, after);
pred linked_leaves(o) := exists root, first. o -> LinkedLeaves(root) * linked(root, null, first, null);

pred heap(x, low, n) :=
    emp & x = null & n = 0
  | exists l, r, k, a, b. x -> SkewHeap$Tree(l, r, k) * heap(l, k, a) * heap(r, k, b)
        & low <= k & n = a + b + 1 & (l = null => r = null);
pred skew_heap(o) := exists root, n, low. o -> SkewHeap(root, n) * heap(root, low, n);
