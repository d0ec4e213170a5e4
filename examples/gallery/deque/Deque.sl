import doubly_linked_list with DllNode = Deque$Node(value: value, prev: prev, next: next);

pre Deque#addFirst(value) := deque_of_length(this.first, this.last, this.size) & this.size < 1000;
post Deque#addFirst(value) :=
    deque_of_length(this.first, this.last, this.size) & this.size = old(this.size) + 1;

pre Deque#removeLast() := deque_of_length(this.first, this.last, this.size);
post Deque#removeLast() :=
    deque_of_length(this.first, this.last, this.size) & this.size = old(this.size) - 1;

pre Deque#rotate(steps) := deque_of_length(this.first, this.last, this.size) & steps >= 0;
post Deque#rotate(steps) :=
    deque_of_length(this.first, this.last, this.size) & this.size = old(this.size);
