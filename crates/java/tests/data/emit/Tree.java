package shapes;

import java.util.NoSuchElementException;

/** Inputs for the tests of test emission: heaps are made by the static methods `make*`. */
public class Tree {
    static class Node {
        int value;
        Node left;
        Node right;

        Node(int value) {
            this.value = value;
        }
    }

    enum Color { RED, GREEN }

    record Pair(String name, Integer count) { }

    static class Sealed {
        private final int key;
        private Sealed next;
        double weight = 1.5;

        private Sealed(int key) {
            this.key = key * 2;
        }
    }

    class Inner {
        int depth;

        Inner(int depth) {
            this.depth = depth;
        }
    }

    static class Box<T> {
        T item;
        Object other;
        int[] numbers;
        Object[] items;
        Color color;
    }

    static int calls;
    private static String last;

    Node root;
    private int size;
    Inner inner;

    boolean add(int value) {
        Node node = new Node(value);
        size++;
        if (root == null) {
            root = node;
            return true;
        }
        Node at = root;
        while (true) {
            if (value == at.value) {
                size--;
                return false;
            }
            Node next = value < at.value ? at.left : at.right;
            if (next == null) {
                if (value < at.value) {
                    at.left = node;
                } else {
                    at.right = node;
                }
                return true;
            }
            at = next;
        }
    }

    int first() {
        if (root == null) {
            throw new NoSuchElementException();
        }
        return root.value;
    }

    Node twins() {
        root.left = new Node(7);
        root.right = new Node(7);
        return root;
    }

    private int secret(int[] numbers, String text) {
        numbers[0] = text.length();
        return numbers.length;
    }

    Inner deepen() {
        inner = new Inner(inner.depth + 1);
        return inner;
    }

    static int count(Box<String> box) {
        calls++;
        last = box.item;
        return calls;
    }

    static Pair swap(Pair pair) {
        return new Pair(pair.name() + "!", pair.count() + 1);
    }

    static double half(Sealed sealed) {
        sealed.weight = sealed.key / 2.0;
        return sealed.next.weight;
    }

    static char pick(char[] letters, long at) {
        return letters[(int) at];
    }

    static Object fill(Box<Object> box) {
        box.items[1] = box;
        box.color = Color.GREEN;
        box.other = new long[] {1L, Long.MIN_VALUE};
        return box.other;
    }

    static Tree makeEmpty() {
        return new Tree();
    }

    static Tree makeTree() {
        Tree tree = new Tree();
        tree.add(5);
        tree.add(3);
        tree.inner = tree.new Inner(2);
        return tree;
    }

    static Box<String> makeBox() {
        Box<String> box = new Box<>();
        box.item = "a\"\u00e9\u4e2d";
        box.color = Color.RED;
        return box;
    }

    static Box<Object> makeFull() {
        Box<Object> box = new Box<>();
        box.item = 1000;
        box.other = "x";
        box.numbers = new int[] {1, 2, 3};
        box.items = new Object[8];
        box.items[0] = box.numbers;
        return box;
    }

    static Pair makePair() {
        return new Pair("p", 4);
    }

    static Sealed makeSealed() {
        Sealed one = new Sealed(3);
        one.next = new Sealed(4);
        one.next.next = one;
        return one;
    }

    static char[] makeLetters() {
        return new char[] {'a', '\n', '\''};
    }

    static int[] makeNumbers() {
        return new int[] {9, 8};
    }

    static String makeText() {
        return "text";
    }

    static long makeOne() {
        return 1;
    }

    static int makeSeven() {
        return 7;
    }

    static java.util.TreeMap<String, Integer> makeMap() {
        java.util.TreeMap<String, Integer> map = new java.util.TreeMap<>();
        map.put("b", 2);
        map.put("a", 1);
        return map;
    }

    static Object[] triple(Object[] boxes) {
        boolean same = boxes[0] == boxes[1];
        return new Object[] {new Node(1), new Node(1), new Node(1), same, new int[][] {{1}, null}};
    }

    @SuppressWarnings({"deprecation", "removal"})
    static Object[] makeBoxes() {
        return new Object[] {new Integer(5), new Integer(5), new double[] {-0.0, Double.NaN}};
    }

    static float narrow(Holder holder) throws Exception {
        holder.content = new StringBuilder("s").append(holder.content).toString();
        if (holder.grid.length > 1) {
            throw new Exception();
        }
        return holder.grid[0][0];
    }

    static class Holder {
        Comparable<?> content;
        float[][] grid;
    }

    static Holder makeHolder() {
        Holder holder = new Holder();
        holder.content = 'c';
        holder.grid = new float[][] {{-0.0f, 1e10f}};
        return holder;
    }
}
