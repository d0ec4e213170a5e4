package sizes;

/** Strings of up to twelve characters, in parameters and in fields. */
public class Texts {
    String name;
    int age;

    static int length(String text) {
        return text.length() == 6 ? 1 : 0;
    }

    static int twelve(String text) {
        return text.length() == 12 ? 1 : 0;
    }

    static int equal(String text) {
        return text.equals("hello-world") ? 1 : 0;
    }

    static int reversed(String text) {
        return "hello-worlds".equals(text) ? 1 : 0;
    }

    static int starts(String text) {
        return text.startsWith("abcdef") ? 1 : 0;
    }

    static int startsLonger(String text) {
        if (text.startsWith("abcdef") && text.length() == 9) {
            return 1;
        }
        return 0;
    }

    static int ends(String text) {
        return text.endsWith("abcdef") ? 1 : 0;
    }

    static int weekday(String text) {
        switch (text) {
            case "a":
                return 1;
            case "monday":
                return 2;
            case "wednesday":
                return 3;
            case "twelve-chars":
                return 4;
            default:
                return 0;
        }
    }

    static int at(String text) {
        if (text.length() > 11 && text.charAt(11) == 'x') {
            return 1;
        }
        return 0;
    }

    static int empty(String text) {
        return text.isEmpty() ? 1 : 0;
    }

    static int both(String user, String password) {
        if (user.equals("username") && password.equals("password")) {
            return 1;
        }
        return 0;
    }

    static int contains(String text) {
        return text.contains("needle") ? 1 : 0;
    }

    int field() {
        if (name.equals("administrator") && age > 3) {
            return 1;
        }
        return 0;
    }

    int kind() {
        switch (name) {
            case "alpha":
                return 1;
            case "beta-gamma":
                return 2;
            default:
                return 0;
        }
    }
}
