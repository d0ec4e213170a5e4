/** Functions of Math with exact results, on many values. */
public class Mathematics {
    static final double[] DOUBLES = {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, -0.49999999999999994, 1e300, -1e300, 4503599627370497.5, 9007199254740993.0, Double.MIN_VALUE, -Double.MIN_VALUE, Double.MAX_VALUE, Double.MIN_NORMAL, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 3.7, -3.2, 1e-310};
    static final float[] FLOATS = {0f, -0f, 0.5f, -0.5f, 1.5f, -2.5f, 0.49999997f, 8388609f, 1e38f, -1e38f, Float.MIN_VALUE, Float.MAX_VALUE, Float.MIN_NORMAL, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 3.7f, -3.2f, 1e-42f};
    interface OnDouble { double of(double x); }
    interface OnDoubles { double of(double x, double y); }
    interface OnFloat { float of(float x); }
    static long all(OnDouble f) { long h = 0; for (double x : DOUBLES) h = h * 31 + Double.doubleToLongBits(f.of(x)); return h; }
    static long all(OnDoubles f) { long h = 0; for (double x : DOUBLES) for (double y : DOUBLES) h = h * 31 + Double.doubleToLongBits(f.of(x, y)); return h; }
    static int allFloats(OnFloat f) { int h = 0; for (float x : FLOATS) h = h * 31 + Float.floatToIntBits(f.of(x)); return h; }
    static long test_sqrt() { return all((double x) -> Math.sqrt(x)); }
    static long test_ceil() { return all((double x) -> Math.ceil(x)); }
    static long test_floor() { return all((double x) -> Math.floor(x)); }
    static long test_rint() { return all((double x) -> Math.rint(x)); }
    static long test_signum() { return all((double x) -> Math.signum(x)); }
    static long test_ulp() { return all((double x) -> Math.ulp(x)); }
    static long test_nextUp() { return all((double x) -> Math.nextUp(x)); }
    static long test_nextDown() { return all((double x) -> Math.nextDown(x)); }
    static long test_abs() { return all((double x) -> Math.abs(x)); }
    static long test_IEEEremainder() { return all((double x, double y) -> Math.IEEEremainder(x, y)); }
    static long test_copySign() { return all((double x, double y) -> Math.copySign(x, y)); }
    static long test_nextAfter() { return all((double x, double y) -> Math.nextAfter(x, y)); }
    static long test_max() { return all((double x, double y) -> Math.max(x, y)); }
    static long test_min() { return all((double x, double y) -> Math.min(x, y)); }
    static long test_strictCopySign() { return all((double x, double y) -> StrictMath.copySign(x, y)); }
    static long test_scalb() { long h = 0; for (int n : new int[] {0, 1, -1, 52, -52, 1000, -1000, -1060, 1100, -1100, 2000, -2000, 2147483647, -2147483648}) { int k = n; h = h * 31 + all((double x) -> Math.scalb(x, k)); } return h; }
    static int test_scalb_float() { int h = 0; for (int n : new int[] {0, 3, -3, 100, -100, -140, 250, -250, 2147483647, -2147483648}) { int k = n; h = h * 31 + allFloats(x -> Math.scalb(x, k)); } return h; }
    static long test_round() { long h = 0; for (double x : DOUBLES) h = h * 31 + Math.round(x); return h; }
    static int test_round_float() { int h = 0; for (float x : FLOATS) h = h * 31 + Math.round(x); return h; }
    static int test_exponents() { int h = 0; for (double x : DOUBLES) h = h * 31 + Math.getExponent(x); for (float x : FLOATS) h = h * 31 + Math.getExponent(x); return h; }
    static long test_fma() { return all((double x, double y) -> Math.fma(x, y, 0.1)); }
    static int test_fma_float() { return allFloats(x -> Math.fma(x, 3.1f, 0.1f)); }
    static int test_signum_float() { return allFloats(x -> Math.signum(x)); }
    static int test_ulp_float() { return allFloats(x -> Math.ulp(x)); }
    static int test_nextUp_float() { return allFloats(x -> Math.nextUp(x)); }
    static int test_nextDown_float() { return allFloats(x -> Math.nextDown(x)); }
    static int test_abs_float() { return allFloats(x -> Math.abs(x)); }
    static int test_copySign_float() { return allFloats(x -> Math.copySign(3f, x)) + allFloats(x -> Math.copySign(x, -0f)); }
    static int test_nextAfter_float() { return allFloats(x -> Math.nextAfter(x, 1e-300)) * 31 + allFloats(x -> Math.nextAfter(x, Double.NEGATIVE_INFINITY)); }
    static long test_bits() { return Double.doubleToRawLongBits(-1.5) ^ Float.floatToRawIntBits(2.5f); }
    static double test_from_bits() { return Double.longBitsToDouble(0x4009_21fb_5444_2d18L) + Float.intBitsToFloat(0x40490fdb); }
    static boolean test_finite() { return Double.isFinite(1e308) && !Double.isFinite(1e308 * 10) && !Float.isFinite(Float.NaN); }
    static double test_degrees() { return Math.toDegrees(1.0) + Math.toRadians(90.0); }
}
