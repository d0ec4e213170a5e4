import java.util.*;
import java.util.function.*;

/** Lambda expressions, method references and records. */
public class Lambdas {
    interface IntOp { int apply(int a, int b); default IntOp twice() { return (a, b) -> apply(apply(a, b), b); } }
    static int run(IntOp op) { return op.apply(7, 3); }
    static int test_plain() { return run((a, b) -> a - b) + run(Math::max) * 10; }
    static int test_capture() { int k = 5; long l = 3; String s = "abc"; return run((a, b) -> a * k + b * (int) l + s.length()); }
    static int test_default() { IntOp op = (a, b) -> a * b; return op.twice().apply(2, 3); }
    int field = 4;
    int viaThis() { IntOp op = (a, b) -> a + b + field; field++; return op.apply(1, 2); }
    static int test_this() { return new Lambdas().viaThis(); }
    static int test_function() { Function<Integer, Integer> f = x -> x + 1; Function<Integer, Integer> g = f.andThen(x -> x * 2).compose(x -> x - 3); return g.apply(10); }
    static int test_unboxing_reference() { BinaryOperator<Integer> f = Integer::sum; Comparator<Integer> c = Integer::compare; ToLongFunction<Integer> w = Integer::intValue; return f.apply(2, 3) + c.compare(5, 2) * 10 + (int) w.applyAsLong(4) * 100; }
    static int test_constructor_reference() { Supplier<List<Integer>> s = ArrayList::new; List<Integer> l = s.get(); l.add(3); Function<String, Lambdas> f = Lambdas::new; return l.size() + f.apply("xyz").field; }
    Lambdas() { }
    Lambdas(String s) { field = s.length(); }
    static int test_bound_reference() { String s = "hello"; IntSupplier n = s::length; Function<String, Boolean> e = "a"::equals; return n.getAsInt() + (e.apply("a") ? 10 : 20); }
    static int test_unbound_reference() { Function<String, Integer> f = String::length; BiFunction<String, String, Integer> g = String::compareTo; return f.apply("four") + (g.apply("a", "b") < 0 ? 10 : 20); }
    static int test_array_reference() { IntFunction<int[]> f = int[]::new; return f.apply(3).length; }
    static int test_runnable() { int[] box = {1}; Runnable r = () -> box[0] += 41; r.run(); return box[0]; }
    static int test_void_from_value() { List<Integer> l = new ArrayList<>(); Consumer<Integer> c = l::add; c.accept(5); return l.get(0); }
    static int test_bad_cast_in_lambda() { @SuppressWarnings({"unchecked", "rawtypes"}) Function<Object, Object> f = (Function) (Function<String, Integer>) s -> s.length(); f.apply(3); return 0; }
    static int test_for_each() { int[] sum = {0}; Arrays.asList(1, 2, 3).forEach(x -> sum[0] += x); return sum[0]; }
    static int test_comparator() { List<String> l = new ArrayList<>(Arrays.asList("ccc", "a", "bb")); l.sort(Comparator.comparing(String::length)); return l.get(0).length() * 100 + l.get(2).length(); }
    static int test_remove_if() { List<Integer> l = new ArrayList<>(Arrays.asList(1, 2, 3, 4)); l.removeIf(x -> x % 2 == 0); return l.size() * 10 + l.get(1); }
    static int test_compute() { Map<String, Integer> m = new TreeMap<>(); m.computeIfAbsent("a", k -> k.length()); m.computeIfPresent("a", (k, v) -> v + 1); return m.get("a"); }
    static int counter(int n) { IntSupplier[] all = new IntSupplier[n]; for (int i = 0; i < n; i++) { int j = i; all[i] = () -> j * j; } int s = 0; for (IntSupplier a : all) s += a.getAsInt(); return s; }
    static int test_many_closures() { return counter(6); }
    record Point(int x, int y) { int sum() { return x + y; } }
    record Mixed(long l, double d, char c, boolean b, String s, Point p) { }
    static Mixed mixed(String s) { return new Mixed(1L << 40, -0.0, 'x', true, s, new Point(1, 2)); }
    static String test_record_text() { return new Point(-1, 7).toString() + mixed(null).p(); }
    static int test_record_hash() { return new Point(3, 4).hashCode() * 7 + mixed("t").hashCode(); }
    static boolean test_record_equals() { return new Point(1, 2).equals(new Point(1, 2)) && !new Point(1, 2).equals(new Point(1, 3)) && !new Point(1, 2).equals("x") && mixed(null).equals(mixed(null)) && !mixed("a").equals(mixed(null)); }
    static int test_record_in_map() { Map<Point, Integer> m = new HashMap<>(); m.put(new Point(1, 1), 5); return m.get(new Point(1, 1)); }
    static int test_record() { Point p = new Point(3, 4); return p.sum() * 10 + p.x(); }
}
