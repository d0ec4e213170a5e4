/** Switches over strings and enums, and nested exits. */
public class Switches {
    enum Colour { RED, GREEN, BLUE { @Override int weight() { return 7; } }; int weight() { return ordinal(); } }
    static int byName(String s) { switch (s) { case "one": return 1; case "Aa": return 2; case "BB": return 3; case "": return 4; default: return 0; } }
    static int test_string_switch() { return byName("one") + 10 * byName("Aa") + 100 * byName("BB") + 1000 * byName("") + byName("C#"); }
    static int test_string_switch_null() { return byName(null); }
    static String arrow(String s) { return switch (s) { case "x", "y" -> "axis"; case "z" -> { String t = s + s; yield t; } default -> "none"; }; }
    static String test_string_arrow() { return arrow("y") + arrow("z") + arrow("q"); }
    static int byColour(Colour c) { switch (c) { case RED: return 1; case BLUE: return 3; default: return 2; } }
    static int test_enum_switch() { return byColour(Colour.RED) + 10 * byColour(Colour.GREEN) + 100 * byColour(Colour.BLUE); }
    static int test_enum_switch_null() { return byColour(null); }
    static int exhaustive(Colour c) { return switch (c) { case RED -> 4; case GREEN -> 5; case BLUE -> 6; }; }
    static int test_exhaustive() { int sum = 0; for (Colour c : Colour.values()) sum = sum * 10 + exhaustive(c); return sum; }
    static int test_constant_body() { return Colour.BLUE.weight() * 10 + Colour.GREEN.weight(); }
    static String test_value_of() { return Colour.valueOf("GREEN").name(); }
    static String test_value_of_unknown() { return Colour.valueOf("PINK").name(); }
    static int fallThrough(int n) { int r = 0; switch (n) { case 1: r += 1; case 2: r += 10; break; case 100000: r += 100; default: r += 1000; } return r; }
    static int test_fall_through() { return fallThrough(1) + fallThrough(2) + fallThrough(100000) + fallThrough(-5); }
    static int nested(int n) { int r = 0; try { try { if (n == 0) return 1; if (n == 1) throw new IllegalStateException(); r = 2; } finally { r += 10; if (n == 3) return r; } } catch (IllegalStateException e) { r += 100; } finally { r += 1000; } return r; }
    static int test_nested_finally() { return nested(0) + 7 * nested(1) + 11 * nested(2) + 13 * nested(3); }
    @SuppressWarnings("finally") static int override() { try { throw new RuntimeException(); } finally { return 5; } }
    static int test_finally_overrides() { return override(); }
    static int labelled() { int n = 0; outer: for (int i = 0; i < 5; i++) { for (int j = 0; j < 5; j++) { try { if (j == 3) continue outer; if (i == 3) break outer; n += i * j; } finally { n += 100; } } } return n; }
    static int test_labelled() { return labelled(); }
    static class Noisy implements AutoCloseable { final String name; Noisy(String name) { this.name = name; log.append('+').append(name); } @Override public void close() { log.append('-').append(name); if (name.equals("b")) throw new IllegalStateException(name); } }
    static StringBuilder log = new StringBuilder();
    static String test_resources() { log = new StringBuilder(); try (Noisy a = new Noisy("a"); Noisy b = new Noisy("b")) { log.append('!'); } catch (IllegalStateException e) { log.append('c').append(e.getMessage()); } return log.toString(); }
    static String test_suppressed() { log = new StringBuilder(); try (Noisy b = new Noisy("b")) { throw new RuntimeException("first"); } catch (RuntimeException e) { return e.getMessage() + log.length(); } }
    static String test_text_functions() { return "  a,b;c ".trim().replace(',', ';').toUpperCase() + "x".repeat(3) + "abc".indexOf("c") + "abcabc".lastIndexOf('b') + "AbC".equalsIgnoreCase("aBc"); }
    static String test_join() { return String.join("-", "p", "q", "r") + "a/b/c".substring(2, 4) + "hello".contains("ell") + "hello".startsWith("he", 0) + "hello".chars().sum(); }
    static int test_compare() { return "apple".compareTo("banana") * 100 + "a".compareTo("abc") + "B".compareToIgnoreCase("a"); }
    static String test_strip() { return "\t x \n".strip() + "|" + "  y".stripLeading() + "|" + "".isBlank() + "|" + "ab".charAt(1); }
    static String test_simple_names() { return Colour.class.getSimpleName() + int[][].class.getSimpleName() + String.class.getSimpleName() + new Object() { }.getClass().getSimpleName() + long.class.getSimpleName(); }
    static String test_names() { return Colour.class.getName() + Colour.class.getCanonicalName() + String[].class.getName() + String[].class.getCanonicalName(); }
}
