/** The headings of a text: each has headings below it, the first of which it knows. */
public class Outline {
    /** A heading. */
    public static class Heading {
        int level;
        boolean folded;
        Heading parent;
        Heading child;
        Heading next;

        Heading(int level, Heading parent) {
            this.level = level;
            this.parent = parent;
        }
    }

    private Heading root;
    private int count;

    /** Adds a heading behind the last one of a level, below the last one of the level above. */
    public boolean add(int level) {
        if (level < 1) {
            throw new IllegalArgumentException("levels begin with 1");
        }
        if (level == 1) {
            if (root != null) {
                return false;
            }
            root = new Heading(1, null);
            count = 1;
            return true;
        }
        Heading above = root;
        for (int at = 1; above != null && at < level - 1; at++) {
            above = last(above.child);
        }
        if (above == null) {
            return false;
        }
        Heading heading = new Heading(level, above);
        if (above.child == null) {
            above.child = heading;
        } else {
            last(above.child).next = heading;
        }
        count++;
        return true;
    }

    private static Heading last(Heading first) {
        Heading last = first;
        while (last != null && last.next != null) {
            last = last.next;
        }
        return last;
    }

    /** How many headings are to be seen: those below a folded one are not. */
    public int visible() {
        return visible(root);
    }

    private static int visible(Heading first) {
        int sum = 0;
        for (Heading heading = first; heading != null; heading = heading.next) {
            sum++;
            if (!heading.folded) {
                sum += visible(heading.child);
            }
        }
        return sum;
    }

    /** Folds the heading with a number, counted in the order of the text from 0. */
    public boolean fold(int number) {
        Heading heading = root;
        for (int i = 0; heading != null && i < number; i++) {
            heading = following(heading);
        }
        if (heading == null || heading.child == null) {
            return false;
        }
        heading.folded = true;
        return true;
    }

    private static Heading following(Heading heading) {
        if (heading.child != null) {
            return heading.child;
        }
        while (heading != null && heading.next == null) {
            heading = heading.parent;
        }
        return heading == null ? null : heading.next;
    }

    /** Whether parents and levels are right, and so is the number of headings. */
    boolean repOk() {
        if (root == null) {
            return count == 0;
        }
        return root.level == 1 && root.parent == null && root.next == null
                && below(root, 1, count) == count;
    }

    /** The number of headings at and below one, or more than `most` if something is wrong. */
    private static int below(Heading heading, int level, int most) {
        int sum = 1;
        for (Heading child = heading.child; child != null; child = child.next) {
            if (child.parent != heading || child.level != level + 1 || sum >= most) {
                return most + 1;
            }
            sum += below(child, level + 1, most - sum);
        }
        return sum;
    }
}
