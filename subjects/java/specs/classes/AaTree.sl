data subjects.aa.AaTree { subjects.aa.AaTree$Node root; subjects.aa.AaTree$Node sentinel; }
data subjects.aa.AaTree$Node {
    int element;
    subjects.aa.AaTree$Node left;
    subjects.aa.AaTree$Node right;
    int level;
}
