// A list of n nodes that ends with null.
pred list(x, n) :=
    emp & x = null & n = 0
  | exists next. x -> SinglyLinkedList$Node(_, next) * list(next, n - 1) & n > 0;

pre  SinglyLinkedList#isEmpty() := list(this.head, this.size);
post SinglyLinkedList#isEmpty() := list(this.head, this.size) & result = (this.size = 0);

pre  SinglyLinkedList#size() := list(this.head, this.size);
post SinglyLinkedList#size() := list(this.head, this.size) & result = this.size;

pre  SinglyLinkedList#clear() := list(this.head, this.size);
post SinglyLinkedList#clear() := list(this.head, this.size) & this.size = 0;

pre  SinglyLinkedList#addFirst(value) := list(this.head, this.size);
post SinglyLinkedList#addFirst(value) := exists next. this -> SinglyLinkedList(head, n)
    * head -> SinglyLinkedList$Node(value, next) * list(next, n - 1) & n = old(this.size) + 1;

pre  SinglyLinkedList#addLast(value) := list(this.head, this.size);
post SinglyLinkedList#addLast(value) := list(this.head, this.size) & this.size = old(this.size) + 1;

pre  SinglyLinkedList#insertAt(index, value) := list(this.head, this.size);
post SinglyLinkedList#insertAt(index, value) :=
    list(this.head, this.size) & this.size = old(this.size) + 1 & 0 <= index < this.size;
post SinglyLinkedList#insertAt(index, value) throws java.lang.IndexOutOfBoundsException :=
    list(this.head, this.size) & this.size = old(this.size) & (index < 0 | index > this.size);

pre  SinglyLinkedList#get(index) := list(this.head, this.size);
post SinglyLinkedList#get(index) := list(this.head, this.size) & 0 <= index < this.size;
post SinglyLinkedList#get(index) throws java.lang.IndexOutOfBoundsException :=
    list(this.head, this.size) & (index < 0 | index >= this.size);

pre  SinglyLinkedList#contains(value) := list(this.head, this.size);
post SinglyLinkedList#contains(value) := list(this.head, this.size);

pre  SinglyLinkedList#indexOf(value) := list(this.head, this.size);
post SinglyLinkedList#indexOf(value) := list(this.head, this.size) & -1 <= result < this.size;

pre  SinglyLinkedList#removeFirst() := list(this.head, this.size);
post SinglyLinkedList#removeFirst() :=
    list(this.head, this.size) & this.size = old(this.size) - 1 & result = old(this.head.value);
post SinglyLinkedList#removeFirst() throws java.util.NoSuchElementException :=
    list(this.head, this.size) & this.size = 0;

pre  SinglyLinkedList#remove(value) := list(this.head, this.size);
post SinglyLinkedList#remove(value) :=
    list(this.head, this.size) & this.size = old(this.size) - (result ? 1 : 0);

pre  SinglyLinkedList#reverse() := list(this.head, this.size);
post SinglyLinkedList#reverse() := list(this.head, this.size) & this.size = old(this.size);
