/** The order of static initialisation. */
public class Statics1 {
    static StringBuilder log = new StringBuilder();
    static int note(String s, int v) { log.append(s); return v; }
    static class Base { static int b = note("b", 1); static { note("B", 0); } static int twice() { return 2 * b; } }
    static class Derived extends Base { static int d = note("d", b + 1); static final int CONSTANT = 5; static final String TEXT = "text"; static final Integer BOXED = note("x", 6); }
    static class Lazy { static int l = note("l", 3); static void touch() { } }
    static class Cycle1 { static int x = Cycle2.y + 1; } static class Cycle2 { static int y = Cycle1.x + 1; }
    interface Marker { int M = note("m", 9); } static class Marked implements Marker { static int k = note("k", 1); }
    interface Defaulted { int D = note("D", 2); default void f() { } } static class UsesDefault implements Defaulted { static int u = note("u", 1); }
    static class Holder { static final int[] ARRAY = {1, 2, 3}; static int count; static int next() { return ++count; } }
    static String test_superclass_first() { log = new StringBuilder(); int v = Derived.d; return log.toString() + v; }
    static int test_cycle() { return Cycle1.x * 10 + Cycle2.y; }
    static String test_interface_not_initialised() { log = new StringBuilder(); int k = Marked.k; return log.toString() + k; }
    static String test_interface_with_default() { log = new StringBuilder(); int u = UsesDefault.u; return log.toString() + u; }
    static String test_static_call() { log = new StringBuilder(); Lazy.touch(); Lazy.touch(); return log.toString(); }
    static int test_array_constant() { return Holder.ARRAY[1] + Holder.ARRAY.length; }
    static int test_counter() { int a = Holder.next(); int b = Holder.next(); return b - a; }
    static class ByNew { static String s = "n"; String t = s + "t"; }
    static String test_new_initialises() { return new ByNew().t; }
    static long big = 1L << 40; static double half = 0.5; static boolean flag; static byte small = (byte) 200; static char letter = 'q';
    static double test_static_types() { flag = !flag; small++; letter++; return big * half + small + letter; }
    static class Fails { static int a = note("f", 1); static int b = Integer.parseInt("x"); static int c = note("F", 2); static int get() { return a; } }
    static class BelowFails extends Fails2 { static int d = note("g", 1); } static class Fails2 { static { if (log != null) throw new IllegalStateException("stop"); } }
    static class FailsByError { static int e = fail(); static int fail() { throw new AssertionError("e"); } }
    static class FailsByFault { static int[] none; static int e = none.length; }
    static int test_initialiser_throws() { return Fails.b; }
    static String use(Runnable r) { try { r.run(); return "fine"; } catch (ExceptionInInitializerError e) { return "first " + e.getCause().getClass().getName() + e.getMessage(); } catch (NoClassDefFoundError e) { return "later " + e.getMessage(); } catch (Error e) { return "error " + e.getMessage(); } }
    static class FailsAgain { static int b = Integer.parseInt("x"); static int get() { return 1; } }
    static String test_initialiser_throws_again() { return use(() -> FailsAgain.get()) + use(() -> new FailsAgain()) + use(() -> FailsAgain.b++); }
    static String test_initialiser_of_superclass() { return use(() -> note("", BelowFails.d)) + use(() -> note("", BelowFails.d)) + use(() -> new Fails2()); }
    static String test_initialiser_error() { return use(() -> note("", FailsByError.e)) + use(() -> note("", FailsByError.e)); }
    static String test_initialiser_fault() { return use(() -> note("", FailsByFault.e)) + use(() -> note("", FailsByFault.e)); }
}
