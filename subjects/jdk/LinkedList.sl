// java.util.LinkedList of JDK 17 to 25. Elements are any objects.

// The n nodes from `first` to `last`; before the first one comes `before`, behind the last one
// `after`.
pred segment(first, before, last, after, n) :=
    emp & first = after & last = before & n = 0
  | exists next. first -> LinkedList$Node(_, next, before)
        * segment(next, first, last, after, n - 1) & first != after & n > 0;

// A list of n elements.
pred list(l, n) :=
    exists first, last. l -> LinkedList(size: n, first: first, last: last)
        * segment(first, null, last, null, n);

// The same, with `node` in the place `index`.
pred list_with(l, n, node, index) :=
    exists first, last, previous, next, m. l -> LinkedList(size: n, first: first, last: last)
        * segment(first, null, previous, node, index) * node -> LinkedList$Node(_, next, previous)
        * segment(next, node, last, null, m) & n = index + m + 1;

// An iterator over a list of n elements, in front of the element in the place `index`. The last
// element that it returned is the one behind it, the one in front of it, or gone.
pred iterator(i, n, index) :=
    exists l, first, last, previous, next, returned, m.
        i -> LinkedList$ListItr(lastReturned: returned, next: next, nextIndex: index, this$0: l)
        * l -> LinkedList(size: n, first: first, last: last)
        * segment(first, null, previous, next, index) * segment(next, previous, last, null, m)
        & n = index + m & (returned = null | returned = previous | returned = next);

pre  LinkedList#size() := list(this, n);
post LinkedList#size() :=
    list(this, n) & n = old(this.size) & result = n;

pre  LinkedList#getFirst() := list(this, n);
post LinkedList#getFirst() :=
    list(this, n) & n = old(this.size) & n > 0;

pre  LinkedList#getLast() := list(this, n);
post LinkedList#getLast() :=
    list(this, n) & n = old(this.size) & n > 0;

pre  LinkedList#removeFirst() := list(this, n);
post LinkedList#removeFirst() :=
    list(this, n) & n = old(this.size) - 1;

pre  LinkedList#removeLast() := list(this, n);
post LinkedList#removeLast() :=
    list(this, n) & n = old(this.size) - 1;

pre  LinkedList#addFirst(e) := list(this, n);
post LinkedList#addFirst(e) :=
    list(this, n) & n = old(this.size) + 1;

pre  LinkedList#addLast(e) := list(this, n);
post LinkedList#addLast(e) :=
    list(this, n) & n = old(this.size) + 1;

pre  LinkedList#contains(o) := list(this, n);
post LinkedList#contains(o) :=
    list(this, n) & n = old(this.size);

pre  LinkedList#add(Object e) := list(this, n);
post LinkedList#add(Object e) :=
    list(this, n) & n = old(this.size) + 1 & result;

pre  LinkedList#remove(Object o) := list(this, n);
post LinkedList#remove(Object o) :=
    list(this, n) & n = old(this.size) - (result ? 1 : 0);

pre  LinkedList#clear() := list(this, n);
post LinkedList#clear() :=
    list(this, 0);

pre  LinkedList#get(index) := list(this, n);
post LinkedList#get(index) :=
    list(this, n) & n = old(this.size) & 0 <= index < n;

pre  LinkedList#set(index, element) := list(this, n);
post LinkedList#set(index, element) :=
    list(this, n) & n = old(this.size) & 0 <= index < n;

pre  LinkedList#add(int index, Object element) := list(this, n);
post LinkedList#add(int index, Object element) :=
    list(this, n) & n = old(this.size) + 1 & 0 <= index < n;

pre  LinkedList#remove(int index) := list(this, n);
post LinkedList#remove(int index) :=
    list(this, n) & n = old(this.size) - 1 & 0 <= index <= n;

pre  LinkedList#indexOf(o) := list(this, n);
post LinkedList#indexOf(o) :=
    list(this, n) & n = old(this.size) & -1 <= result < n;

pre  LinkedList#lastIndexOf(o) := list(this, n);
post LinkedList#lastIndexOf(o) :=
    list(this, n) & n = old(this.size) & -1 <= result < n;

pre  LinkedList#peek() := list(this, n);
post LinkedList#peek() :=
    list(this, n) & n = old(this.size);

pre  LinkedList#element() := list(this, n);
post LinkedList#element() :=
    list(this, n) & n = old(this.size) & n > 0;

pre  LinkedList#poll() := list(this, n);
post LinkedList#poll() :=
    list(this, n) & old(this.size) - 1 <= n <= old(this.size);

pre  LinkedList#remove() := list(this, n);
post LinkedList#remove() :=
    list(this, n) & n = old(this.size) - 1;

pre  LinkedList#offer(e) := list(this, n);
post LinkedList#offer(e) :=
    list(this, n) & n = old(this.size) + 1 & result;

pre  LinkedList#offerFirst(e) := list(this, n);
post LinkedList#offerFirst(e) :=
    list(this, n) & n = old(this.size) + 1 & result;

pre  LinkedList#offerLast(e) := list(this, n);
post LinkedList#offerLast(e) :=
    list(this, n) & n = old(this.size) + 1 & result;

pre  LinkedList#peekFirst() := list(this, n);
post LinkedList#peekFirst() :=
    list(this, n) & n = old(this.size);

pre  LinkedList#peekLast() := list(this, n);
post LinkedList#peekLast() :=
    list(this, n) & n = old(this.size);

pre  LinkedList#pollFirst() := list(this, n);
post LinkedList#pollFirst() :=
    list(this, n) & old(this.size) - 1 <= n <= old(this.size);

pre  LinkedList#pollLast() := list(this, n);
post LinkedList#pollLast() :=
    list(this, n) & old(this.size) - 1 <= n <= old(this.size);

pre  LinkedList#push(e) := list(this, n);
post LinkedList#push(e) :=
    list(this, n) & n = old(this.size) + 1;

pre  LinkedList#pop() := list(this, n);
post LinkedList#pop() :=
    list(this, n) & n = old(this.size) - 1;

pre  LinkedList#removeFirstOccurrence(o) := list(this, n);
post LinkedList#removeFirstOccurrence(o) :=
    list(this, n) & n = old(this.size) - (result ? 1 : 0);

pre  LinkedList#removeLastOccurrence(o) := list(this, n);
post LinkedList#removeLastOccurrence(o) :=
    list(this, n) & n = old(this.size) - (result ? 1 : 0);

pre  LinkedList#toArray() := list(this, n);
post LinkedList#toArray() :=
    list(this, n) & n = old(this.size);

pre  LinkedList#listIterator(int index) := list(this, n);
post LinkedList#listIterator(int index) :=
    list(this, n) & n = old(this.size) & 0 <= index <= n;

pre  LinkedList#linkFirst(e) := list(this, n);
post LinkedList#linkFirst(e) :=
    list(this, n) & n = old(this.size) + 1;

pre  LinkedList#linkLast(e) := list(this, n);
post LinkedList#linkLast(e) :=
    list(this, n) & n = old(this.size) + 1;

pre  LinkedList#isElementIndex(index) := list(this, n);
post LinkedList#isElementIndex(index) :=
    list(this, n) & n = old(this.size) & result = (0 <= index & index < n);

pre  LinkedList#isPositionIndex(index) := list(this, n);
post LinkedList#isPositionIndex(index) :=
    list(this, n) & n = old(this.size) & result = (0 <= index & index <= n);

pre  LinkedList#checkElementIndex(index) := list(this, n);
post LinkedList#checkElementIndex(index) :=
    list(this, n) & n = old(this.size) & 0 <= index < n;

pre  LinkedList#checkPositionIndex(index) := list(this, n);
post LinkedList#checkPositionIndex(index) :=
    list(this, n) & n = old(this.size) & 0 <= index <= n;

// These trust their callers.
pre  LinkedList#node(index) := list(this, n) & 0 <= index < n;
post LinkedList#node(index) :=
    list_with(this, n, result, index) & n = old(this.size);

pre  LinkedList#linkBefore(e, succ) := list_with(this, n, succ, index);
post LinkedList#linkBefore(e, succ) :=
    list(this, n) & n = old(this.size) + 1;

pre  LinkedList#unlink(x) := list_with(this, n, x, index);
post LinkedList#unlink(x) :=
    list(this, n) & n = old(this.size) - 1;

pre  LinkedList#unlinkFirst(f) := list_with(this, n, f, 0);
post LinkedList#unlinkFirst(f) :=
    list(this, n) & n = old(this.size) - 1;

pre  LinkedList#unlinkLast(l) := list_with(this, n, l, n - 1);
post LinkedList#unlinkLast(l) :=
    list(this, n) & n = old(this.size) - 1;

// A list may have changed since its iterator was made.
pre  LinkedList$ListItr#hasNext() := iterator(this, n, index);
post LinkedList$ListItr#hasNext() :=
    iterator(this, n, index) & result = (index < n);

pre  LinkedList$ListItr#next() := iterator(this, n, index);
post LinkedList$ListItr#next() :=
    iterator(this, n, index) & index = old(this.nextIndex) + 1;

pre  LinkedList$ListItr#hasPrevious() := iterator(this, n, index);
post LinkedList$ListItr#hasPrevious() :=
    iterator(this, n, index) & result = (index > 0);

pre  LinkedList$ListItr#previous() := iterator(this, n, index);
post LinkedList$ListItr#previous() :=
    iterator(this, n, index) & index = old(this.nextIndex) - 1;

pre  LinkedList$ListItr#nextIndex() := iterator(this, n, index);
post LinkedList$ListItr#nextIndex() :=
    iterator(this, n, index) & result = index;

pre  LinkedList$ListItr#previousIndex() := iterator(this, n, index);
post LinkedList$ListItr#previousIndex() :=
    iterator(this, n, index) & result = index - 1;

pre  LinkedList$ListItr#remove() := iterator(this, n, index);
post LinkedList$ListItr#remove() :=
    iterator(this, n, index);

pre  LinkedList$ListItr#set(e) := iterator(this, n, index);
post LinkedList$ListItr#set(e) :=
    iterator(this, n, index);

pre  LinkedList$ListItr#add(e) := iterator(this, n, index);
post LinkedList$ListItr#add(e) :=
    iterator(this, n, index) & index = old(this.nextIndex) + 1;

pre  LinkedList$ListItr#checkForComodification() := iterator(this, n, index);
post LinkedList$ListItr#checkForComodification() :=
    iterator(this, n, index);
