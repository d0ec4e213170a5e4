package demo;

public class Tally {
    static int count;

    static int next() {
        count = count + 1;
        return count;
    }
}
