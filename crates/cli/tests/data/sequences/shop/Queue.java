package shop;

/** A queue of words. Taking the last one leaves `last` behind: a mistake. */
public class Queue {
    private static class Item {
        final String word;
        Item next;

        Item(String word) {
            this.word = word;
        }
    }

    private static int made;

    private Item first;
    private Item last;
    private int size;
    private int changes;

    public Queue() {
        made++;
    }

    /** How many queues there are. */
    public static int made() {
        return made;
    }

    /** Which queue it is. */
    public int number() {
        return made;
    }

    /** Adds a word. */
    public Queue add(String word) {
        if (word == null) {
            throw new IllegalArgumentException("a word is needed");
        }
        Item item = new Item(word);
        if (first == null) {
            first = item;
        } else {
            last.next = item;
        }
        last = item;
        size++;
        changes++;
        return this;
    }

    /** Takes the first word; null if there is none. */
    public String take() {
        if (first == null) {
            return null;
        }
        String word = first.word;
        first = first.next;
        size--;
        changes++;
        return word;
    }

    /** The number of words. */
    public int size() {
        return size;
    }

    /** Whether the queue is in order. */
    public boolean repOk() {
        Item found = null;
        int count = 0;
        for (Item item = first; item != null; item = item.next) {
            found = item;
            count++;
        }
        return found == last && count == size;
    }
}
