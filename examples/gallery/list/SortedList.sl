import sorted_list with ListNode = SortedList$Node(value: value, next: next);

pre SortedList#add(value) := sorted_list(this.first, lo);
post SortedList#add(value) := sorted_list(this.first, lo);

pre SortedList#removeAll(value) := sorted_list(this.first, lo);
post SortedList#removeAll(value) := sorted_list(this.first, lo);

pre SortedList#reverse() := sorted_list(this.first, lo);
