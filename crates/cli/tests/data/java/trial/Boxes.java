package trial;

import java.util.Objects;

/** Boxed values. */
public class Boxes {
    Integer count;
    Long wide;
    Boolean flag;
    Character sign;

    public int add(Integer x) {
        if (count == null) {
            count = 0;
        }
        count += x;
        return count;
    }

    public boolean identical(Integer a, Integer b) {
        return a == b;
    }

    public boolean equal(Integer a, Integer b) {
        return a.equals(b);
    }

    public boolean flip() {
        if (flag == null) {
            flag = true;
        } else if (flag) {
            flag = Boolean.FALSE;
        } else {
            flag = null;
        }
        return flag != null;
    }

    public static String classify(Object x) {
        if (x instanceof Integer) {
            return (Integer) x > 10 ? "large" : "small";
        }
        if (x instanceof Long) {
            return "long " + x;
        }
        if (x instanceof Character) {
            return "char";
        }
        if (x instanceof Double d && d.isNaN()) {
            return "nan";
        }
        return x == null ? "null" : "other";
    }

    public Long widen() {
        return wide != null ? wide + 1 : Long.valueOf(sign);
    }

    public static int sum(Integer... values) {
        int sum = 0;
        for (Integer value : values) {
            sum += value;
        }
        return sum;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Boxes b && Objects.equals(count, b.count) && flag == b.flag;
    }

    @Override
    public int hashCode() {
        return Objects.hash(count, wide);
    }
}
