package trial;

/** Strings as parameters and fields. */
public class Strings {
    private String name;
    String[] words;

    public static int command(String text) {
        switch (text) {
            case "start":
                return 1;
            case "stop":
                return 2;
            case "pause":
                return 3;
            default:
                return text.length();
        }
    }

    public static boolean palindrome(String text) {
        for (int i = 0, j = text.length() - 1; i < j; i++, j--) {
            if (text.charAt(i) != text.charAt(j)) {
                return false;
            }
        }
        return true;
    }

    public String greet(String greeting) {
        if (name == null || name.isEmpty()) {
            return greeting + "!";
        }
        return greeting + ", " + name + (name.length() > 2 ? '.' : '!');
    }

    public static String after(String text, String mark) {
        int at = text.indexOf(mark);
        return at < 0 ? text : text.substring(at + mark.length());
    }

    public static int order(String a, String b) {
        int order = a.compareTo(b);
        if (order < 0) {
            return -1;
        }
        return order > 0 ? 1 : 0;
    }

    public boolean rename(String wanted) {
        if (wanted.equals(name)) {
            return false;
        }
        name = wanted;
        return true;
    }

    public int longest() {
        int longest = 0;
        for (String word : words) {
            if (word != null && word.length() > longest) {
                longest = word.length();
            }
        }
        return longest;
    }

    public static int parse(String text) {
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                throw new NumberFormatException(text);
            }
            value = value * 10 + (c - '0');
        }
        return value;
    }

    public static boolean same(String a, String b) {
        return a == b || a != null && a.equalsIgnoreCase(b);
    }

    public static boolean prefixed(Object x) {
        return x instanceof String s && s.startsWith("ab") && s.endsWith("c");
    }
}
