package broken;

/** What it calls cannot be initialised. */
public class Careless {
    static int ask(int x) {
        if (x > 3) {
            return Broken.twice(x);
        }
        return 1;
    }

    static int again(int x) {
        return Broken.thrice(x);
    }
}
