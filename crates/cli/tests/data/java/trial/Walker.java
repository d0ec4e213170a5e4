package trial;

/** Interfaces with default and static methods. */
public interface Walker {
    int step(int position);

    default int walk(int from, int steps) {
        int position = from;
        for (int i = 0; i < steps; i++) {
            position = step(position);
        }
        return position;
    }

    static Walker forward() {
        return position -> position + 1;
    }

    static int meet(Walker a, Walker b, int start) {
        int x = a.step(start);
        int y = b.step(start);
        if (x == y) {
            return x;
        }
        return x < y ? -1 : 1;
    }

    /** Goes in one direction. */
    class Straight implements Walker {
        int direction;

        @Override
        public int step(int position) {
            return position + direction;
        }
    }

    /** Turns at walls. */
    class Bouncing extends Straight {
        int wall = 10;

        @Override
        public int step(int position) {
            int next = super.step(position);
            if (next >= wall || next < 0) {
                direction = -direction;
                return position;
            }
            return next;
        }
    }
}
