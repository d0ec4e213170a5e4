data subjects.gantt.TaskNode { subjects.gantt.NodeState state; }
data subjects.gantt.NodeState {
    int level;
    int incoming;
    int outgoing;
    subjects.gantt.NodeState backup;
}
data subjects.gantt.GraphTransaction {
    boolean running;
    subjects.gantt.GraphTransaction$Touched touched;
}
data subjects.gantt.GraphTransaction$Touched {
    subjects.gantt.TaskNode node;
    subjects.gantt.GraphTransaction$Touched next;
}
