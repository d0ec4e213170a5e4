package trial;

/** Loops: with labels, long, endless; and deep recursion. */
public class Loops {
    static int labels(int[][] rows, int wanted) {
        int steps = 0;
        search:
        for (int[] row : rows) {
            for (int x : row) {
                steps++;
                if (x < 0) {
                    continue search;
                }
                if (x == wanted) {
                    break search;
                }
            }
        }
        return steps;
    }

    static int collatz(int n) {
        int steps = 0;
        while (n != 1) {
            n = n % 2 == 0 ? n / 2 : 3 * n + 1;
            steps++;
        }
        return steps;
    }

    static void endless(boolean flag) {
        while (flag) {
            flag |= false;
        }
    }

    static int longRunning(int n) {
        int x = 0;
        for (int i = 0; i < 1_000_000; i++) {
            x += i ^ n;
        }
        return x > 0 ? 1 : 0;
    }

    static int deep(int n) {
        return n <= 0 ? 0 : 1 + deep(n - 1);
    }

    static int bottomless(int n) {
        return bottomless(n + 1) + 1;
    }

    static int ackermann(int m, int n) {
        if (m == 0) {
            return n + 1;
        }
        return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }

    static int huge(int n) {
        int[] values = new int[n];
        if (n > 5) {
            values[5] = 1;
        }
        return values.length;
    }

    static int countdown(int from) {
        int steps = 0;
        do {
            steps++;
        } while (from-- > 0);
        return steps;
    }

    static long gcd(long a, long b) {
        while (b != 0) {
            long rest = a % b;
            a = b;
            b = rest;
        }
        return a;
    }
}
