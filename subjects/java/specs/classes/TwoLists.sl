data subjects.sushi.TwoLists {}
data subjects.sushi.IntList { subjects.sushi.IntList$Node header; int size; }
data subjects.sushi.IntList$Node {
    int element;
    subjects.sushi.IntList$Node next;
    subjects.sushi.IntList$Node previous;
}
