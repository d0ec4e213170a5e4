package demo;

public class Endless {
    static int spin(int n) {
        while (n > 5) {
            n = n + 0;
        }
        return n;
    }
}
