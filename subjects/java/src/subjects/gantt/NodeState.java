package subjects.gantt;

/** What a task knows about its place in the graph, and the state that it had before. */
class NodeState {
    int level;
    int incoming;
    int outgoing;
    NodeState backup;

    NodeState(int level, int incoming, int outgoing, NodeState backup) {
        this.level = level;
        this.incoming = incoming;
        this.outgoing = outgoing;
        this.backup = backup;
    }
}
