package broken;

/** Its static initialiser throws an error, which only the first use of the class sees. */
public class Failing {
    static final int LIMIT = check(1);

    static int check(int x) {
        throw new AssertionError("never");
    }
}
