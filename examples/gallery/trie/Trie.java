/** A set of words, one letter to a node; words that begin alike share nodes. */
public class Trie {
    static class Node {
        char letter;
        boolean ends;
        Node below;
        Node beside;

        Node(char letter, Node beside) {
            this.letter = letter;
            this.beside = beside;
        }
    }

    Node first;

    /** Whether a word was added. */
    public boolean contains(char[] word) {
        Node level = first;
        for (int i = 0; i < word.length; i++) {
            Node node = level;
            while (node != null && node.letter < word[i]) {
                node = node.beside;
            }
            if (node == null || node.letter != word[i]) {
                return false;
            }
            if (i == word.length - 1) {
                return node.ends;
            }
            level = node.below;
        }
        return false;
    }

    /** The number of words. */
    public int size() {
        return size(first);
    }

    private static int size(Node node) {
        if (node == null) {
            return 0;
        }
        return (node.ends ? 1 : 0) + size(node.below) + size(node.beside);
    }

    /** Adds a word of one letter. */
    public void add(char letter) {
        Node before = null;
        Node node = first;
        while (node != null && node.letter < letter) {
            before = node;
            node = node.beside;
        }
        if (node == null || node.letter != letter) {
            node = new Node(letter, node);
            if (before == null) {
                first = node;
            } else {
                before.beside = node;
            }
        }
        node.ends = true;
    }
}
