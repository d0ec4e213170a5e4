data subjects.math.MathTraversals {}
data subjects.math.MathTraversals$IntNode { int elem; subjects.math.MathTraversals$IntNode next; }
data subjects.math.MathTraversals$DoubleNode {
    double elem;
    subjects.math.MathTraversals$DoubleNode next;
}
