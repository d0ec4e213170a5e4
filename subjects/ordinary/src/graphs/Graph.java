package graphs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/** A directed graph with lengths at its edges. */
public class Graph {
    /** An edge to a node. */
    public static final class Edge {
        private final String target;
        private final int length;

        Edge(String target, int length) {
            this.target = target;
            this.length = length;
        }

        public String target() {
            return target;
        }

        public int length() {
            return length;
        }
    }

    private record Distance(String node, long length) implements Comparable<Distance> {
        @Override
        public int compareTo(Distance other) {
            return Long.compare(length, other.length);
        }
    }

    private final Map<String, List<Edge>> edges = new LinkedHashMap<>();

    public boolean addNode(String name) {
        if (name == null) {
            throw new IllegalArgumentException("a node needs a name");
        }
        if (edges.containsKey(name)) {
            return false;
        }
        edges.put(name, new ArrayList<>());
        return true;
    }

    /** Adds an edge, or makes the one that is there shorter. */
    public void addEdge(String from, String to, int length) {
        if (length < 0) {
            throw new IllegalArgumentException("negative length");
        }
        addNode(from);
        addNode(to);
        List<Edge> known = edges.get(from);
        for (int i = 0; i < known.size(); i++) {
            Edge edge = known.get(i);
            if (edge.target.equals(to)) {
                if (length < edge.length) {
                    known.set(i, new Edge(to, length));
                }
                return;
            }
        }
        known.add(new Edge(to, length));
    }

    public boolean removeNode(String name) {
        if (edges.remove(name) == null) {
            return false;
        }
        for (List<Edge> others : edges.values()) {
            others.removeIf(edge -> edge.target.equals(name));
        }
        return true;
    }

    public List<Edge> edgesOf(String name) {
        List<Edge> known = edges.get(name);
        return known == null ? List.of() : Collections.unmodifiableList(known);
    }

    /** The length of a shortest way; -1 if there is none. */
    public long distance(String from, String to) {
        if (!edges.containsKey(from) || !edges.containsKey(to)) {
            return -1;
        }
        Set<String> done = new HashSet<>();
        PriorityQueue<Distance> waiting = new PriorityQueue<>();
        waiting.add(new Distance(from, 0));
        while (!waiting.isEmpty()) {
            Distance next = waiting.poll();
            if (next.node().equals(to)) {
                return next.length();
            }
            if (!done.add(next.node())) {
                continue;
            }
            for (Edge edge : edges.get(next.node())) {
                if (!done.contains(edge.target)) {
                    waiting.add(new Distance(edge.target, next.length() + edge.length));
                }
            }
        }
        return -1;
    }

    /** The nodes in an order in which all edges lead forward; null if there is a cycle. */
    public List<String> order() {
        Map<String, Integer> incoming = new HashMap<>();
        for (List<Edge> known : edges.values()) {
            for (Edge edge : known) {
                incoming.merge(edge.target, 1, Integer::sum);
            }
        }
        Deque<String> free = new ArrayDeque<>();
        for (String node : edges.keySet()) {
            if (!incoming.containsKey(node)) {
                free.add(node);
            }
        }
        List<String> order = new ArrayList<>();
        while (!free.isEmpty()) {
            String node = free.remove();
            order.add(node);
            for (Edge edge : edges.get(node)) {
                int left = incoming.get(edge.target) - 1;
                if (left == 0) {
                    free.add(edge.target);
                }
                incoming.put(edge.target, left);
            }
        }
        return order.size() == edges.size() ? order : null;
    }

    public boolean reaches(String from, String to) {
        if (!edges.containsKey(from)) {
            return false;
        }
        Deque<String> waiting = new ArrayDeque<>();
        Set<String> seen = new HashSet<>();
        waiting.push(from);
        while (!waiting.isEmpty()) {
            String node = waiting.pop();
            if (node.equals(to)) {
                return true;
            }
            if (seen.add(node)) {
                for (Edge edge : edges.get(node)) {
                    waiting.push(edge.target);
                }
            }
        }
        return false;
    }

    public int size() {
        return edges.size();
    }
}
