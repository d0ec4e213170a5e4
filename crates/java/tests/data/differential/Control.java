/** Jumps, loops, switches and recursion. */
public class Control {
    static int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
    static int test_gcd() { return gcd(1071, 462); }
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static int test_fib() { return fib(15); }
    static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
    static int test_ackermann() { return ackermann(2, 6); }
    static boolean even(int n) { return n == 0 || odd(n - 1); }
    static boolean odd(int n) { return n != 0 && even(n - 1); }
    static boolean test_mutual() { return even(100); }
    static int table(int i) { switch (i) { case 1: return 10; case 2: return 20; case 3: case 4: return 34; case 7: i++; default: return i; } }
    static int test_table_switch() { int s = 0; for (int i = -1; i < 9; i++) s = s * 3 + table(i); return s; }
    static int lookup(int i) { switch (i) { case -1000: return 1; case 0: return 2; case 99999: return 3; case Integer.MIN_VALUE: return 4; case Integer.MAX_VALUE: return 5; } return 6; }
    static int test_lookup_switch() { return lookup(-1000) + 7 * (lookup(0) + 7 * (lookup(99999) + 7 * (lookup(Integer.MIN_VALUE) + 7 * (lookup(Integer.MAX_VALUE) + 7 * lookup(5))))); }
    static int fall(int i) { int r = 0; switch (i) { case 0: r += 1; case 1: r += 10; break; case 2: r += 100; default: r += 1000; } return r; }
    static int test_fall_through() { return fall(0) + fall(1) * 3 + fall(2) * 7 + fall(3) * 11; }
    static int test_labels() {
        int n = 0;
        outer:
        for (int i = 0; i < 10; i++) {
            for (int j = 0; j < 10; j++) {
                if (j == i) continue outer;
                if (i * j > 40) break outer;
                n += i + j;
            }
        }
        return n;
    }
    static int test_while() { int n = 27, steps = 0; while (n != 1) { n = (n & 1) == 0 ? n / 2 : 3 * n + 1; steps++; } return steps; }
    static int test_do() { int i = 0; do { i += 3; } while (i < 10); return i; }
    static int test_conditional_on_stack() { int a = 3; int b = 10 + (a > 2 ? a < 4 ? 7 : 8 : 9) * (a == 3 ? 2 : 1); return b; }
    static int sum(int... xs) { int s = 0; for (int x : xs) s += x; return s; }
    static int test_varargs() { return sum() + sum(1) * 10 + sum(1, 2, 3) * 100; }
    static boolean called;
    static boolean note() { called = true; return true; }
    static boolean test_short_circuit() { called = false; boolean r = false && note() || true | false; return r && !called; }
    static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }
    static int test_deep() { return deep(1000); }
    static int endless(int n) { return endless(n + 1) + 1; }
    static boolean test_stack_overflow() { try { endless(0); return false; } catch (StackOverflowError e) { return true; } }
    static long test_sieve() {
        boolean[] composite = new boolean[200];
        long sum = 0;
        for (int i = 2; i < composite.length; i++) {
            if (composite[i]) continue;
            sum += i;
            for (int j = i * i; j < composite.length; j += i) composite[j] = true;
        }
        return sum;
    }
    static int test_nested_ternary_with_longs() { long x = 5; int y = x > 3L ? x > 4L ? 1 : 2 : 3; return y; }
    static int newSwitch(int k) { return switch (k) { case 1, 2 -> 12; case 3 -> { int t = k * 2; yield t; } default -> -1; }; }
    static int test_switch_expression() { return newSwitch(1) * 100 + newSwitch(3) * 10 + newSwitch(9); }
    static int test_char_switch() { int n = 0; for (char c = 'a'; c < 'g'; c++) switch (c) { case 'b': n += 1; break; case 'e': n += 10; } return n; }
}
