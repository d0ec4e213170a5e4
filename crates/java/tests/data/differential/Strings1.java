/** Strings, builders and boxing. */
public class Strings1 {
    static String test_literal() { return "hello"; }
    static String test_unicode() { return "gr\u00fc\u00df \u4f60\u597d \ud83d\ude00"; }
    static boolean test_interned() { String a = "abc", b = "abc"; return a == b; }
    static int test_length() { return "hello".length() + "\u4f60\u597d".length() * 10; }
    static char test_char_at() { return "hello".charAt(1); }
    static char test_char_at_wide() { return "h\u4f60llo".charAt(1); }
    static int test_char_at_outside() { return "hello".charAt(5); }
    static boolean test_equals() { return "ab".equals(new String("ab")) && !"ab".equals("ac") && "AB".equalsIgnoreCase("ab"); }
    static int test_hash() { return "hello world".hashCode() + "\u4f60".hashCode(); }
    static int test_compare() { return "apple".compareTo("banana") * 100 + "b".compareTo("a") + "ab".compareTo("abc"); }
    static String test_builder() { StringBuilder b = new StringBuilder(); for (int i = 0; i < 12; i++) b.append(i).append(','); b.setLength(b.length() - 1); return b.reverse().toString(); }
    static String test_builder_insert() { return new StringBuilder("ace").insert(1, 'b').insert(3, "d").deleteCharAt(0).append(true).append(-12345678901L).append('x').append((Object) null).toString(); }
    static String test_concatenation() { int i = -7; long l = Long.MIN_VALUE; char c = 'z'; boolean b = true; Object o = null; byte y = -3; String s = "s"; return "i" + i + l + c + b + o + y + s + s; }
    static String test_concatenation_assignment() { String s = ""; for (int i = 0; i < 5; i++) s += i; s += "\u4f60"; return s; }
    static String test_substring() { return "hello world".substring(3, 8) + "abc".substring(1); }
    static int test_index_of() { return "hello".indexOf('l') + "hello".lastIndexOf('l') * 10 + "hello".indexOf("lo") * 100 + "hello".indexOf('z') * 1000; }
    static boolean test_contains() { return "hello".contains("ell") && "hello".startsWith("he") && "hello".endsWith("lo") && !"".contains("a") && "".isEmpty(); }
    static String test_replace() { return "banana".replace('a', 'o') + "banana".replace("an", "<>"); }
    static String test_case() { return "MiXed".toUpperCase() + "MiXed".toLowerCase(); }
    static String test_trim() { return "[" + "  a b ".trim() + "]" + "x".repeat(3); }
    static String test_char_array() { char[] c = "hello".toCharArray(); c[0] = 'J'; return new String(c) + String.valueOf(c, 1, 2); }
    static String test_value_of() { return String.valueOf(3) + String.valueOf(true) + String.valueOf('c') + Integer.toString(-255, 16) + Integer.toHexString(-1) + Long.toString(1L << 50) + Integer.toBinaryString(10); }
    static int test_parse() { return Integer.parseInt("-1234") + (int) Long.parseLong("99") + Integer.parseInt("ff", 16); }
    static int test_parse_error() { return Integer.parseInt("12x"); }
    static int test_string_switch() { int n = 0; for (String s : new String[] {"one", "two", "three", "Aa", "BB"}) switch (s) { case "one": n += 1; break; case "three": n += 10; break; case "Aa": n += 100; break; case "BB": n += 1000; break; default: n += 10000; } return n; }
    static int test_boxing() { Integer a = 5; Integer b = a + 2; Long l = 3L; Character c = 'a'; Boolean z = true; return a + b + l.intValue() + c + (z ? 1 : 0); }
    static boolean test_integer_cache() { Integer a = 127, b = 127, c = 1000, d = 1000; return a == b && c != d && c.equals(d); }
    static int test_unboxing_null() { Integer a = null; return a; }
    static int test_compare_boxed() { return Integer.compare(3, 5) + Integer.valueOf(7).compareTo(2) * 10 + Boolean.compare(true, false) * 100; }
    static boolean test_character() { return Character.isDigit('7') && Character.isLetter('x') && !Character.isLetter('1') && Character.toUpperCase('q') == 'Q' && Character.getNumericValue('8') == 8; }
    static String test_join() { return String.join("-", "a", "b", "c"); }
    static String test_split() { String r = ""; for (String s : "a,b,,c".split(",")) r += "[" + s + "]"; return r; }
    static String test_double_text() { return "" + 1.5 + 0.1f + 1e100 + Double.NaN + (0.1 + 0.2); }
    static String test_to_string() { Object o = new Object() { public String toString() { return "me"; } }; return "it is " + o; }
    static int test_code_points() { return "a\ud83d\ude00b".codePointCount(0, 4) + "a\ud83d\ude00b".codePointAt(1); }
    static String join(String a, String b) { return a + b; }
    static boolean test_intern_literal() { return join("in", "tern") != "intern" && join("in", "tern").intern() == "intern"; }
    static boolean test_intern_others() { String a = join("un", "seen" + (char) 65); String b = join("uns", "een" + (char) 65); return a != b && a.intern() == b.intern() && a.intern().equals(b) && join("other", a).intern() != a.intern(); }
    static boolean test_intern_wide() { return join("\u4e2d", "\u6587").intern() == "\u4e2d\u6587" && join("-", "N").intern() != "\u4e2d"; }
    static boolean test_intern_itself() { return "abc".intern() == "abc" && "".intern() == ""; }
}
