// The n nodes from `first` to `last`; before the first one comes `before`, behind the last one
// `after`.
pred segment(first, before, last, after, n) :=
    emp & first = after & last = before & n = 0
  | exists next. first -> DoublyLinkedList$Node(_, next, before)
        * segment(next, first, last, after, n - 1) & first != after & n > 0;

// A circle of n nodes and a header, which holds no element.
pred circle(header, n) :=
    exists first, last. header -> DoublyLinkedList$Node(null, first, last)
        * segment(first, header, last, header, n);

pre  DoublyLinkedList#size() := circle(this.header, this.size);
post DoublyLinkedList#size() := circle(this.header, this.size) & result = this.size;

pre  DoublyLinkedList#isEmpty() := circle(this.header, this.size);
post DoublyLinkedList#isEmpty() := circle(this.header, this.size) & result = (this.size = 0);

pre  DoublyLinkedList#add(element) := circle(this.header, this.size);
post DoublyLinkedList#add(element) :=
    circle(this.header, this.size) & this.size = old(this.size) + 1 & result;

pre  DoublyLinkedList#addFirst(element) := circle(this.header, this.size);
post DoublyLinkedList#addFirst(element) :=
    circle(this.header, this.size) & this.size = old(this.size) + 1;

pre  DoublyLinkedList#addLast(element) := circle(this.header, this.size);
post DoublyLinkedList#addLast(element) :=
    circle(this.header, this.size) & this.size = old(this.size) + 1;

pre  DoublyLinkedList#addAt(index, element) := circle(this.header, this.size);
post DoublyLinkedList#addAt(index, element) :=
    circle(this.header, this.size) & this.size = old(this.size) + 1 & 0 <= index < this.size;
post DoublyLinkedList#addAt(index, element) throws java.lang.IndexOutOfBoundsException :=
    circle(this.header, this.size) & this.size = old(this.size) & (index < 0 | index > this.size);

pre  DoublyLinkedList#getFirst() := circle(this.header, this.size);
post DoublyLinkedList#getFirst() :=
    exists header, first, last, next. this -> DoublyLinkedList(header, n)
    * header -> DoublyLinkedList$Node(null, first, last)
    * first -> DoublyLinkedList$Node(result, next, header)
    * segment(next, first, last, header, n - 1);
post DoublyLinkedList#getFirst() throws java.util.NoSuchElementException :=
    circle(this.header, this.size) & this.size = 0;

pre  DoublyLinkedList#getLast() := circle(this.header, this.size);
post DoublyLinkedList#getLast() := circle(this.header, this.size) & this.size = old(this.size);
post DoublyLinkedList#getLast() throws java.util.NoSuchElementException :=
    circle(this.header, this.size) & this.size = 0;

pre  DoublyLinkedList#get(index) := circle(this.header, this.size);
post DoublyLinkedList#get(index) :=
    circle(this.header, this.size) & this.size = old(this.size) & 0 <= index < this.size;
post DoublyLinkedList#get(index) throws java.lang.IndexOutOfBoundsException :=
    circle(this.header, this.size) & this.size = old(this.size) & (index < 0 | index >= this.size);

pre  DoublyLinkedList#set(index, element) := circle(this.header, this.size);
post DoublyLinkedList#set(index, element) :=
    circle(this.header, this.size) & this.size = old(this.size) & 0 <= index < this.size;
post DoublyLinkedList#set(index, element) throws java.lang.IndexOutOfBoundsException :=
    circle(this.header, this.size) & this.size = old(this.size) & (index < 0 | index >= this.size);

pre  DoublyLinkedList#removeFirst() := circle(this.header, this.size);
post DoublyLinkedList#removeFirst() :=
    circle(this.header, this.size) & this.size = old(this.size) - 1;
post DoublyLinkedList#removeFirst() throws java.util.NoSuchElementException :=
    circle(this.header, this.size) & this.size = 0;

pre  DoublyLinkedList#removeLast() := circle(this.header, this.size);
post DoublyLinkedList#removeLast() :=
    circle(this.header, this.size) & this.size = old(this.size) - 1;
post DoublyLinkedList#removeLast() throws java.util.NoSuchElementException :=
    circle(this.header, this.size) & this.size = 0;

pre  DoublyLinkedList#remove(int index) := circle(this.header, this.size);
post DoublyLinkedList#remove(int index) :=
    circle(this.header, this.size) & this.size = old(this.size) - 1 & 0 <= index <= this.size;
post DoublyLinkedList#remove(int index) throws java.lang.IndexOutOfBoundsException :=
    circle(this.header, this.size) & this.size = old(this.size) & (index < 0 | index >= this.size);

pre  DoublyLinkedList#remove(Object element) := circle(this.header, this.size);
post DoublyLinkedList#remove(Object element) :=
    circle(this.header, this.size) & this.size = old(this.size) - (result ? 1 : 0);

pre  DoublyLinkedList#contains(element) := circle(this.header, this.size);
post DoublyLinkedList#contains(element) :=
    circle(this.header, this.size) & this.size = old(this.size);

pre  DoublyLinkedList#indexOf(element) := circle(this.header, this.size);
post DoublyLinkedList#indexOf(element) :=
    circle(this.header, this.size) & this.size = old(this.size) & -1 <= result < this.size;

pre  DoublyLinkedList#lastIndexOf(element) := circle(this.header, this.size);
post DoublyLinkedList#lastIndexOf(element) :=
    circle(this.header, this.size) & this.size = old(this.size) & -1 <= result < this.size;

pre  DoublyLinkedList#clear() := circle(this.header, this.size);
post DoublyLinkedList#clear() := circle(this.header, this.size) & this.size = 0;

pre  DoublyLinkedList#toArray() := circle(this.header, this.size);
post DoublyLinkedList#toArray() := circle(this.header, this.size) & this.size = old(this.size);

pre  DoublyLinkedList#reverse() := circle(this.header, this.size);
post DoublyLinkedList#reverse() := circle(this.header, this.size) & this.size = old(this.size);
