package demo;

public class Recursion {
    static int count(boolean deep) {
        return deep ? down(9000) : 0;
    }

    private static int down(int n) {
        return n == 0 ? 0 : down(n - 1) + 1;
    }
}
