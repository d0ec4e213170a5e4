package trial;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A graph of objects with arrays of edges. */
public class Graph {
    static class Vertex {
        Vertex[] edges;
        boolean marked;
        int label;

        int degree() {
            return edges == null ? 0 : edges.length;
        }
    }

    Vertex start;
    List<Vertex> order = new ArrayList<>();

    int mark() {
        return mark(start);
    }

    private int mark(Vertex vertex) {
        if (vertex == null || vertex.marked) {
            return 0;
        }
        vertex.marked = true;
        int count = 1;
        if (vertex.edges != null) {
            for (Vertex other : vertex.edges) {
                count += mark(other);
            }
        }
        return count;
    }

    boolean reaches(Vertex wanted) {
        Deque<Vertex> open = new ArrayDeque<>();
        Set<Vertex> seen = new HashSet<>();
        open.add(start);
        while (!open.isEmpty()) {
            Vertex vertex = open.poll();
            if (vertex == wanted) {
                return true;
            }
            if (seen.add(vertex) && vertex.edges != null) {
                for (Vertex other : vertex.edges) {
                    open.add(other);
                }
            }
        }
        return false;
    }

    static boolean loops(Vertex vertex) {
        for (Vertex other : vertex.edges) {
            if (other == vertex) {
                return true;
            }
        }
        return false;
    }

    Vertex join(Vertex a, Vertex b) {
        Vertex joined = new Vertex();
        joined.label = a.label + b.label;
        joined.edges = new Vertex[] {a, b};
        order.add(joined);
        if (a == b) {
            joined.marked = true;
        }
        return joined;
    }
}
