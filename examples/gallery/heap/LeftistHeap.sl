// No value is smaller than the one above it, and all are at least lo. The rank of a node is the
// number of nodes on the way down along `right`; the left subtree has at least the rank of the
// right one.
pred heap(x, lo, rank) :=
    emp & x = null & rank = 0
  | exists v, left, right, a, b. x -> LeftistHeap$Node(v, rank, left, right)
        * heap(left, v, a) * heap(right, v, b)
        & lo <= v & a >= b & rank = b + 1;

pre LeftistHeap#add(value) := heap(this.root, lo, rank);
post LeftistHeap#add(value) := heap(this.root, lo, rank);

pre LeftistHeap#poll() := heap(this.root, lo, rank);
post LeftistHeap#poll() := heap(this.root, result, rank);
