package environment;

public class Bits {
    public static boolean hasPayload(float number) {
        if (Float.floatToRawIntBits(number) == 0x7fc00001) {
            return true;
        }
        return false;
    }

    public static boolean hasLongPayload(double number) {
        if (Double.doubleToRawLongBits(number) == 0x7ff8000000000123L) {
            return true;
        }
        return false;
    }

    public static boolean isOther(float number) {
        if (number != number && Float.floatToRawIntBits(number) != Float.floatToIntBits(number)) {
            return true;
        }
        return false;
    }

    public static boolean isUnchecked(int number) {
        assert number > 0 : number;
        if (number < 0) {
            return true;
        }
        return false;
    }

    private static int half(int number) {
        assert number % 2 == 0;
        return number / 2;
    }

    public static boolean isRounded(int number) {
        if (half(number) * 2 != number) {
            return true;
        }
        return false;
    }
}
