/** A directed graph: a list of nodes, and a list of edges between them. */
public class Graph {
    static class Node {
        int id;
        boolean seen;
        Node next;
    }

    static class Edge {
        Node from;
        Node to;
        Edge next;
    }

    Node nodes;
    Edge edges;

    /** Whether a way leads from one node to another. */
    public boolean reaches(int from, int to) {
        Node begin = find(from);
        Node end = find(to);
        if (begin == null || end == null) {
            return false;
        }
        for (Node node = nodes; node != null; node = node.next) {
            node.seen = false;
        }
        return search(begin, end);
    }

    private boolean search(Node from, Node to) {
        if (from == to) {
            return true;
        }
        from.seen = true;
        for (Edge edge = edges; edge != null; edge = edge.next) {
            if (edge.from == from && !edge.to.seen && search(edge.to, to)) {
                return true;
            }
        }
        return false;
    }

    /** Takes a node without edges out. Says whether there was one. */
    public boolean remove(int id) {
        Node gone = find(id);
        if (gone == null) {
            return false;
        }
        for (Edge edge = edges; edge != null; edge = edge.next) {
            if (edge.from == gone || edge.to == gone) {
                return false;
            }
        }
        if (nodes == gone) {
            nodes = gone.next;
        } else {
            Node before = nodes;
            while (before.next != gone) {
                before = before.next;
            }
            before.next = gone.next;
        }
        return true;
    }

    private Node find(int id) {
        Node node = nodes;
        while (node != null && node.id != id) {
            node = node.next;
        }
        return node;
    }

    /**
     * Both lists end, the nodes have different numbers, and every edge leads from one of them to
     * one of them.
     */
    boolean repOk() {
        for (Node node = nodes; node != null; node = node.next) {
            for (Node earlier = nodes; earlier != node; earlier = earlier.next) {
                if (earlier.id == node.id) {
                    return false;
                }
            }
            if (node.next == node) {
                return false;
            }
        }
        for (Edge edge = edges; edge != null; edge = edge.next) {
            if (!isNode(edge.from) || !isNode(edge.to)) {
                return false;
            }
            Edge earlier = edges;
            while (earlier != edge && earlier != edge.next) {
                earlier = earlier.next;
            }
            if (earlier == edge.next) {
                return false;
            }
        }
        return true;
    }

    private boolean isNode(Node wanted) {
        Node node = nodes;
        while (node != null && node != wanted) {
            node = node.next;
        }
        return node != null;
    }
}
