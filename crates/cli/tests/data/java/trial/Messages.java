package trial;

/** Code that looks at the messages of exceptions that the virtual machine makes. */
public class Messages {
    static String divide(int a, int b) {
        try {
            return a / b > 3 ? "large" : "small";
        } catch (ArithmeticException e) {
            return e.getMessage() == null ? "none" : e.getMessage();
        }
    }

    static int element(int[] values, int index) {
        try {
            return values[index];
        } catch (ArrayIndexOutOfBoundsException e) {
            return e.getMessage().endsWith("length 2") ? -2 : -1;
        }
    }

    static String third(int[] values) {
        try {
            return values[3] == 0 ? "zero" : "other";
        } catch (ArrayIndexOutOfBoundsException e) {
            if (e.getMessage().equals("Index 3 out of bounds for length 1")) {
                return "single";
            }
            return e.getMessage();
        }
    }

    static String nothing(Object object) {
        try {
            return object.equals("") ? "empty" : "other";
        } catch (NullPointerException e) {
            return e.getMessage();
        }
    }

    static String put(Object[] values, Object value) {
        try {
            values[0] = value;
            return "fine";
        } catch (ArrayStoreException e) {
            return e.getMessage();
        }
    }
}
