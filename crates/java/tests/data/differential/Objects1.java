/** Objects: fields, constructors, inheritance, interfaces, inner classes. */
public class Objects1 {
    static abstract class Shape { static int made; String name() { return "shape"; } abstract int area(); int twice() { return 2 * area(); } Shape() { made++; } }
    static class Square extends Shape { int side; Square(int side) { this.side = side; } int area() { return side * side; } String name() { return "square"; } }
    static class Rectangle extends Square { int other; Rectangle(int a, int b) { super(a); other = b; } int area() { return side * other; } String name() { return "rectangle of " + super.name(); } }
    interface Named { int CONSTANT = 42; String name(); default String greet() { return "hello " + name(); } static int helper() { return 17; } }
    interface Loud extends Named { default String greet() { return Named.super.greet() + "!"; } }
    static class Dog implements Loud { public String name() { return "dog"; } }
    static class Quiet extends Dog implements Named { public String greet() { return super.greet().length() + name(); } }
    static int test_virtual() { Shape s = new Rectangle(3, 4); return s.twice() + new Square(2).twice(); }
    static String test_super() { Shape s = new Rectangle(1, 2); return s.name(); }
    static int test_static_count() { int before = Shape.made; new Square(1); new Rectangle(1, 1); return Shape.made - before; }
    static String test_default_method() { Named n = new Dog(); return n.greet(); }
    static String test_default_overridden() { Named n = new Quiet(); return n.greet(); }
    static int test_interface_static() { return Named.helper() + Named.CONSTANT; }
    static boolean test_instance_of() { Object o = new Quiet(); return o instanceof Named && o instanceof Loud && o instanceof Dog && !(o instanceof Shape) && !(null instanceof Object); }
    static int over(int x) { return 1; } static int over(long x) { return 2; } static int over(Object x) { return 3; } static int over(Integer x) { return 4; } static int over(String s) { return 5; }
    static int test_overloads() { byte b = 1; return over(b) + over(1L) * 10 + over((Object) "s") * 100 + over("s") * 1000 + over('c') * 10000; }
    static class Hidden { int x = 1; static int s = 5; int get() { return x; } } static class Hiding extends Hidden { int x = 2; static int s = 6; int both() { return super.x * 10 + x; } }
    static int test_hidden_fields() { Hiding h = new Hiding(); ((Hidden) h).x = 7; return h.both() * 100 + h.get() * 10 + Hidden.s + Hiding.s; }
    class Inner { int k = base * 2; int outer() { return base + k; } class Deeper { int all() { return base + k + 1; } } }
    int base = 21;
    static int test_inner() { Objects1 o = new Objects1(); Inner i = o.new Inner(); o.base = 1; return i.outer() * 100 + i.new Deeper().all(); }
    static int test_anonymous() { final int n = 5; Shape s = new Shape() { int area() { return n * 3; } }; return s.twice(); }
    static int test_local_class() { int k = 4; class Adder { int add(int x) { return x + k; } } return new Adder().add(3); }
    private static int privately(int x) { return x + 1; }
    static class Nested { private int secret = 8; private int get() { return privately(secret); } }
    static int test_private_access() { Nested n = new Nested(); n.secret++; return n.get() * 10 + n.secret; }
    static class Node<T extends Comparable<T>> { T value; Node<T> left, right; Node(T value) { this.value = value; } void insert(T v) { if (v.compareTo(value) < 0) { if (left == null) left = new Node<>(v); else left.insert(v); } else { if (right == null) right = new Node<>(v); else right.insert(v); } } int depth() { return 1 + Math.max(left == null ? 0 : left.depth(), right == null ? 0 : right.depth()); } int count() { return 1 + (left == null ? 0 : left.count()) + (right == null ? 0 : right.count()); } }
    static class Num implements Comparable<Num> { final int n; Num(int n) { this.n = n; } public int compareTo(Num o) { return n < o.n ? -1 : n > o.n ? 1 : 0; } @Override public boolean equals(Object o) { return o instanceof Num && ((Num) o).n == n; } @Override public int hashCode() { return n; } @Override public String toString() { return "Num" + n; } }
    static int test_bridge_methods() { Node<Num> root = new Node<>(new Num(50)); for (int i = 0; i < 20; i++) root.insert(new Num(i * 37 % 101)); return root.depth() * 100 + root.count(); }
    static boolean test_equals() { return new Num(3).equals(new Num(3)) && !new Num(3).equals("3") && new Object().equals(null) == false; }
    static class Init { int a = 1; int b; { b = a + 1; } Init() { this(10); b *= 3; } Init(int k) { a += k; } { a *= 2; } }
    static int test_initialisers() { Init i = new Init(); return i.a * 100 + i.b; }
    static class Early { Early() { hook(); } void hook() { } } static class Late extends Early { int x = 5; int seen; void hook() { seen = x; x = 9; } }
    static int test_virtual_call_in_constructor() { Late l = new Late(); return l.x * 10 + l.seen; }
    static class Fields { byte b; short s; char c; boolean z; int i; long j; float f; double d; Object o; }
    static int test_field_types() { Fields f = new Fields(); f.b = (byte) 300; f.s = (short) 70000; f.c = (char) -1; f.z = true; f.i = -5; f.j = 1L << 33; f.f = 1.5f; f.d = 2.5; f.b++; f.s--; f.c++; f.j++; return f.b + f.s + f.c + (f.z ? 1 : 0) + f.i + (int) (f.j >> 30) + (int) (f.f * f.d) + (f.o == null ? 1000 : 0); }
    static boolean test_get_class() { Object a = new Square(1), b = new Square(2), c = new Rectangle(1, 1); return a.getClass() == b.getClass() && a.getClass() != c.getClass() && c.getClass() == Rectangle.class && new int[0].getClass() == int[].class; }
    static String test_class_name() { return new Square(1).getClass().getName() + new String[0].getClass().getName() + int[][].class.getName(); }
    static boolean test_identity() { Object a = new Object(), b = new Object(); return a != b && a == a && !a.equals(b) && a.hashCode() == a.hashCode(); }
    enum Colour { RED, GREEN { int weight() { return 7; } }, BLUE; int weight() { return ordinal() + 1; } }
    static int test_enum() { int n = 0; for (Colour c : Colour.values()) n = n * 10 + c.weight(); return n; }
    static String test_enum_names() { return Colour.BLUE.name() + Colour.GREEN + Colour.BLUE.compareTo(Colour.RED); }
    static int test_enum_switch() { int n = 0; for (Colour c : Colour.values()) switch (c) { case RED: n += 1; break; case BLUE: n += 100; break; default: n += 10; } return n; }
    static int test_enum_value_of() { return Colour.valueOf("BLUE").ordinal(); }
    static boolean test_generic_array() { Comparable<?>[] a = new Num[] {new Num(1)}; return a[0] instanceof Num; }
    static int test_pattern() { Object o = new Num(4); if (o instanceof Num m && m.n > 3) return m.n; return 0; }
    static class Copied implements Cloneable { int n = 3; int[] a = {1}; Copied copy() throws CloneNotSupportedException { return (Copied) clone(); } }
    static class NotCopied { Object copy() throws CloneNotSupportedException { return clone(); } }
    static int test_clone() throws Exception { Copied a = new Copied(); a.n = 8; Copied b = a.copy(); b.n++; b.a[0] = 5; return a.n * 100 + b.n * 10 + a.a[0]; }
    static int test_clone_not_supported() throws Exception { new NotCopied().copy(); return 0; }
    static boolean test_class_questions() { return Square.class.getSuperclass() == Shape.class && Named.class.isInterface() && !Dog.class.isInterface() && Shape.class.isInstance(new Square(1)) && !Dog.class.isInstance("x") && int.class.isPrimitive() && int[].class.isArray(); }
    static int test_many_locals_reused() { int s = 0; { int a = 1; s += a; } { String a = "xyz"; s += a.length(); } { double a = 2.5; s += (int) (a * 2); } { Object a = null; s += a == null ? 100 : 0; } return s; }
    static int parameter(int a, boolean b, byte c, char d, long e, Object f) { a++; b = !b; c += 1; d++; e *= 2; f = f == null ? "null" : f; return a + (b ? 1 : 0) + c + d + (int) e + f.toString().length(); }
    static int test_assigned_parameters() { return parameter(1, true, (byte) 127, 'a', 5L, null); }
}
