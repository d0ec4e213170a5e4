data subjects.tll.LinkedLeafTree { subjects.tll.LinkedLeafTree$Node root; }
data subjects.tll.LinkedLeafTree$Node {
    int value;
    subjects.tll.LinkedLeafTree$Node left;
    subjects.tll.LinkedLeafTree$Node right;
    subjects.tll.LinkedLeafTree$Node parent;
    subjects.tll.LinkedLeafTree$Node next;
}
