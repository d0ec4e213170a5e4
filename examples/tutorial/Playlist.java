import java.util.NoSuchElementException;

/** Songs, by number, in the order in which they are played. */
public class Playlist {
    /** A song and its neighbours. */
    static class Node {
        int song;
        Node prev;
        Node next;

        Node(int song) {
            this.song = song;
        }
    }

    Node first;
    Node last;
    int size;

    /** Puts a song behind all others. */
    public void add(int song) {
        Node node = new Node(song);
        node.prev = last;
        if (last == null) {
            first = node;
        } else {
            last.next = node;
        }
        last = node;
        size++;
    }

    /** Takes a song out. Says whether it was there. */
    public boolean remove(int song) {
        Node node = first;
        while (node != null && node.song != song) {
            node = node.next;
        }
        if (node == null) {
            return false;
        }
        if (node.prev == null) {
            first = node.next;
        } else {
            node.prev.next = node.next;
        }
        if (node.next == null) {
            last = node.prev;
        } else {
            node.next.prev = node.prev;
        }
        size--;
        return true;
    }

    /** The song that is played first. */
    public int firstSong() {
        if (first == null) {
            throw new NoSuchElementException("no songs");
        }
        if (size == 0) {
            throw new IllegalStateException("the size is wrong");
        }
        return first.song;
    }

    /** The song that is played last. */
    public int lastSong() {
        if (size == 0) {
            throw new NoSuchElementException("no songs");
        }
        if (last == null) {
            throw new IllegalStateException("songs without a last one");
        }
        return last.song;
    }

    /** Whether this is a list: both directions agree, and the size is right. */
    boolean repOk() {
        int count = 0;
        Node before = null;
        for (Node node = first; node != null; node = node.next) {
            if (node.prev != before) {
                return false;
            }
            before = node;
            count++;
        }
        return last == before && size == count;
    }
}
