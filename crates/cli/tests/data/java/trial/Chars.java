package trial;

/** Characters, and arithmetic with them. */
public class Chars {
    private char current = 'a';

    public char next() {
        if (current == 'z') {
            current = 'a';
        } else {
            current++;
        }
        return current;
    }

    public static int digit(char c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        if (c >= 'a' && c <= 'f') {
            return c - 'a' + 10;
        }
        return -1;
    }

    public static boolean vowel(char c) {
        switch (c) {
            case 'a':
            case 'e':
            case 'i':
            case 'o':
            case 'u':
                return true;
            default:
                return false;
        }
    }

    public static char rotate(char c, int by) {
        if (!Character.isLetter(c)) {
            return c;
        }
        return (char) (c + by);
    }

    public static String upper(char[] text) {
        for (int i = 0; i < text.length; i++) {
            if (text[i] >= 'a' && text[i] <= 'z') {
                text[i] -= 32;
            }
        }
        return new String(text);
    }

    public static int count(char[] text, char wanted) {
        int count = 0;
        for (char c : text) {
            if (c == wanted) {
                count++;
            }
        }
        return count;
    }

    public static boolean surrogate(char high, char low) {
        return Character.isSurrogatePair(high, low);
    }
}
