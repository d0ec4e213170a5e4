data subjects.dll.DoublyLinkedList { subjects.dll.DoublyLinkedList$Node header; int size; }
data subjects.dll.DoublyLinkedList$Node {
    Object element;
    subjects.dll.DoublyLinkedList$Node next;
    subjects.dll.DoublyLinkedList$Node previous;
}
