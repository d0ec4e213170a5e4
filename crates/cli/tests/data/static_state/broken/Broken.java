package broken;

/** Its static initialiser throws. */
public class Broken {
    static int[] table = new int[2];
    static int limit = table[2];
    int value;

    static int twice(int x) {
        if (x > limit) {
            return 2 * x;
        }
        return 0;
    }

    static int thrice(int x) {
        return 3 * x;
    }

    int get() {
        return value;
    }
}
