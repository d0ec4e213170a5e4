data subjects.sll.SinglyLinkedList { subjects.sll.SinglyLinkedList$Node head; int size; }
data subjects.sll.SinglyLinkedList$Node { int value; subjects.sll.SinglyLinkedList$Node next; }
