/** Exceptions through several frames, finally, nested try. */
public class Exceptions {
    static class A extends RuntimeException { int code; A(int code) { this.code = code; } }
    static class B extends A { B(int code) { super(code * 2); } }
    static class Checked extends Exception { Checked(String message) { super(message); } }
    static int trace;
    static void note(int n) { trace = trace * 10 + n; }
    static void thrower(int depth, int kind) { if (depth > 0) { thrower(depth - 1, kind); note(9); } else if (kind == 0) throw new A(5); else if (kind == 1) throw new B(5); }
    static int catching(int kind) { try { thrower(3, kind); return 0; } catch (B e) { return 100 + e.code; } catch (A e) { return 200 + e.code; } }
    static int test_class_a() { return catching(0); }
    static int test_class_b() { return catching(1); }
    static int test_no_exception() { trace = 0; return catching(2) + trace; }
    static int test_uncaught() { throw new B(1); }
    static int finallyOrder(boolean fail) { trace = 0; try { note(1); if (fail) throw new A(1); note(2); } catch (A e) { note(3); } finally { note(4); } note(5); return trace; }
    static int test_finally_normal() { return finallyOrder(false); }
    static int test_finally_exception() { return finallyOrder(true); }
    @SuppressWarnings("finally")
    static int returning() { try { throw new A(1); } finally { return 7; } }
    static int test_finally_returns() { return returning(); }
    static int value() { int x = 1; try { return x; } finally { x = 2; } }
    static int test_finally_keeps_value() { return value(); }
    static int nested() {
        trace = 0;
        try {
            try { thrower(1, 0); } finally { note(1); try { thrower(0, 1); } catch (B e) { note(2); } finally { note(3); } }
        } catch (A e) { note(4); return trace * 100 + e.code; }
        return trace;
    }
    static int test_nested() { return nested(); }
    static int rethrow() { try { try { thrower(0, 1); } catch (A e) { throw e; } } catch (B e) { return e.code; } return -1; }
    static int test_rethrow() { return rethrow(); }
    static int loop() { int n = 0; for (int i = 0; i < 5; i++) { try { if (i == 1) continue; if (i == 3) break; n += 10; } finally { n += 1; } } return n; }
    static int test_loop_and_finally() { return loop(); }
    static int test_null_field() { A a = null; return a.code; }
    static int test_null_call() { String s = null; return s.length(); }
    static int test_null_private_call() { Exceptions e = null; return e.secret(); }
    private int secret() { return 3; }
    static int test_throw_null() { RuntimeException e = null; throw e; }
    static int test_catch_fault() { int[] a = new int[1]; int n = 0; try { a[1] = 1; } catch (ArrayIndexOutOfBoundsException e) { n += 1; } try { n = n / 0; } catch (RuntimeException e) { n += 10; } try { Object o = "s"; n += ((Integer) o); } catch (ClassCastException e) { n += 100; } try { a = null; n += a[0]; } catch (NullPointerException | IllegalStateException e) { n += 1000; } return n; }
    static int test_locals_in_handler() { int x = 1; try { x = 2; thrower(0, 0); x = 3; } catch (A e) { return x; } return 0; }
    static String test_message() { try { throw new Checked("hello"); } catch (Checked e) { return e.getMessage(); } }
    static String test_cause() { try { try { thrower(0, 0); } catch (A e) { throw new IllegalStateException("outer", e); } } catch (IllegalStateException e) { return e.getMessage() + (e.getCause() instanceof A); } return ""; }
    static class Resource implements AutoCloseable { final int id; Resource(int id) { this.id = id; note(id); } public void close() { note(id + 5); } }
    static int test_resources() { trace = 0; try (Resource a = new Resource(1); Resource b = new Resource(2)) { note(3); } return trace; }
    static int test_resources_with_exception() { trace = 0; try (Resource a = new Resource(1); Resource b = new Resource(2)) { thrower(0, 0); } catch (A e) { note(4); } return trace; }
    static int test_synchronized() { Object lock = new Object(); int n = 0; synchronized (lock) { n++; } try { synchronized (lock) { n += 10; thrower(0, 0); } } catch (A e) { n += 100; } return n; }
    static int test_synchronized_on_null() { Object lock = null; synchronized (lock) { return 1; } }
    static int test_assert_is_off() { int n = 1; assert n == 2; return n; }
    static int test_class_cast() { Object o = 1; return ((String) o).length(); }
    static int test_stack_kept_over_call() { return 1 + catching(0) * (2 + catching(1)); }
    static int tryInExpression() { int y = 5; int z = y + (y > 3 ? catching(1) : 0); return z; }
    static int test_try_in_expression() { return tryInExpression(); }
}
