/** Assertions are on in the code under test, and off in the JDK. */
public class Assertions {
    static int calls;
    static boolean called() { calls++; return true; }
    static int positive(int n) { assert n > 0 : "not positive: " + n; return n; }
    static int test_holds() { return positive(3); }
    static int test_fails() { return positive(-3); }
    static String test_message() { try { positive(-4); return "none"; } catch (AssertionError e) { return e.getMessage(); } }
    static String test_plain() { try { assert calls < 0; return "none"; } catch (AssertionError e) { return "caught " + e.getMessage(); } }
    static int test_evaluated() { calls = 0; assert called(); return calls; }
    static class Nested { static int check(int n) { assert n != 5; return n; } }
    static int test_nested() { return Nested.check(5); }
    interface Checks { default int half(int n) { assert n % 2 == 0; return n / 2; } }
    static int test_in_interface() { return new Checks() { }.half(3); }
}
