package nasty;

/** Methods whose search takes for ever, each in its own way. */
public class Nasty {
    static class Node {
        int key;
        Node left, right, next;
    }

    /** Questions about products and bits that no solver answers soon. */
    static int hash(int[] words, int seed) {
        int h = seed;
        for (int i = 0; i < words.length; i++) {
            int k = words[i] * 0xcc9e2d51;
            k = (k << 15) | (k >>> 17);
            h ^= k * 0x1b873593;
            h = ((h << 13) | (h >>> 19)) * 5 + 0xe6546b64;
        }
        h ^= h >>> 16;
        h *= 0x85ebca6b;
        h ^= h >>> 13;
        h *= 0xc2b2ae35;
        h ^= h >>> 16;
        if (h == 0x12345678) {
            return 1;
        }
        return h * h == seed * h + 7919 ? 2 : 3;
    }

    /** Deep recursion on a tree that grows. */
    static int recursion(Node n, int depth) {
        if (n == null) {
            return depth * depth == 1_000_003 ? -1 : 0;
        }
        return recursion(n.left, depth + n.key) + recursion(n.right, depth - n.key) + 1;
    }

    /** A loop that never ends, and allocates nothing. */
    static int loop(long x, long y) {
        int steps = 0;
        while (x != y || x > 10) {
            x = (x % 2 == 0) ? x + 3 : x - 1;
            y = y + 1;
            steps++;
        }
        return steps > 1_000_000 && x * x == y + 7 ? 1 : 2;
    }

    /** Floats that only a search finds, mostly in vain. */
    static int floats(double[] a, double x) {
        double sum = 0;
        for (double d : a) {
            sum += Math.sin(d * x) * Math.exp(d) / (1 + x * x);
            if (sum * sum * sum == Math.cbrt(sum) + 0.25) {
                return 1;
            }
        }
        return sum == Math.PI * Math.E ? 2 : 3;
    }

    /** Strings and arrays of any length. */
    static int strings(String s, String t, char[] c) {
        int found = 0;
        for (int i = 0; i < s.length(); i++) {
            for (int j = 0; j < t.length(); j++) {
                if (s.charAt(i) * 31 + t.charAt(j) == c[(i * 7 + j) % c.length] * 17) {
                    found++;
                }
            }
        }
        return found > 40 && s.hashCode() == t.hashCode() ? 1 : 2;
    }
}
