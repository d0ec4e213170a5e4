package trial;

import java.util.Objects;

/** Records whose constructors do not accept everything. */
public class Records {
    record Range(int low, int high) {
        Range {
            if (low > high) {
                throw new IllegalArgumentException("empty");
            }
        }
    }

    record Named(String name, Range range) {
        Named {
            Objects.requireNonNull(name);
        }
    }

    record Even(int value) {
        Even(int value) {
            this.value = value & ~1;
        }
    }

    static class Holder {
        Range range;
        Holder next;
    }

    static int width(Range range) {
        if (range.low == 5 && range.high < 10) {
            return range.high - range.low;
        }
        return range.low > range.high ? -1 : 0;
    }

    static boolean covers(Holder holder, int number) {
        while (holder != null) {
            if (holder.range != null && holder.range.low <= number && number <= holder.range.high) {
                return true;
            }
            holder = holder.next;
        }
        return false;
    }

    static String describe(Named named) {
        if (named.name() == null) {
            return "anonymous";
        }
        return named.range() == null ? named.name() : "wide";
    }

    static int half(Even even) {
        if (even.value % 2 != 0) {
            return -1;
        }
        return even.value > 6 ? even.value / 2 : 0;
    }
}
