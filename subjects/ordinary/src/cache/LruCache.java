package cache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A cache that forgets what was not used for the longest time. */
public class LruCache<K, V> {
    private static class Node<K, V> {
        final K key;
        V value;
        Node<K, V> newer;
        Node<K, V> older;

        Node(K key, V value) {
            this.key = key;
            this.value = value;
        }
    }

    private final int capacity;
    private final Map<K, Node<K, V>> nodes = new HashMap<>();
    private Node<K, V> newest;
    private Node<K, V> oldest;
    private int hits;
    private int misses;

    public LruCache(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.capacity = capacity;
    }

    public V get(K key) {
        Node<K, V> node = nodes.get(key);
        if (node == null) {
            misses++;
            return null;
        }
        hits++;
        touch(node);
        return node.value;
    }

    /** Puts a value, and returns the one before. */
    public V put(K key, V value) {
        if (key == null) {
            throw new NullPointerException("key");
        }
        Node<K, V> node = nodes.get(key);
        if (node != null) {
            V before = node.value;
            node.value = value;
            touch(node);
            return before;
        }
        if (nodes.size() == capacity) {
            Node<K, V> last = oldest;
            unlink(last);
            nodes.remove(last.key);
        }
        node = new Node<>(key, value);
        nodes.put(key, node);
        link(node);
        return null;
    }

    public V getOrLoad(K key, Function<K, V> loader) {
        V known = get(key);
        if (known != null) {
            return known;
        }
        V loaded = loader.apply(key);
        if (loaded != null) {
            put(key, loaded);
        }
        return loaded;
    }

    public boolean remove(K key) {
        Node<K, V> node = nodes.remove(key);
        if (node == null) {
            return false;
        }
        unlink(node);
        return true;
    }

    public int size() {
        return nodes.size();
    }

    public double hitRate() {
        int all = hits + misses;
        return all == 0 ? 0.0 : (double) hits / all;
    }

    /** The keys, those that were used last first. */
    public List<K> keys() {
        List<K> keys = new ArrayList<>();
        for (Node<K, V> node = newest; node != null; node = node.older) {
            keys.add(node.key);
        }
        return keys;
    }

    public void clear() {
        nodes.clear();
        newest = null;
        oldest = null;
    }

    private void touch(Node<K, V> node) {
        if (node != newest) {
            unlink(node);
            link(node);
        }
    }

    private void link(Node<K, V> node) {
        node.older = newest;
        node.newer = null;
        if (newest != null) {
            newest.newer = node;
        } else {
            oldest = node;
        }
        newest = node;
    }

    private void unlink(Node<K, V> node) {
        if (node.newer != null) {
            node.newer.older = node.older;
        } else {
            newest = node.older;
        }
        if (node.older != null) {
            node.older.newer = node.newer;
        } else {
            oldest = node.newer;
        }
    }
}
