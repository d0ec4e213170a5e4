/** Arithmetic at the edges of the types, and conversions between them. */
public class Arithmetic {
    static int mix(int hash, long value) { return hash * 31 + (int) (value ^ (value >>> 32)); }
    static final int[] INTS = {0, 1, -1, 7, -13, 31, 33, -32, 255, 65536, Integer.MAX_VALUE, Integer.MIN_VALUE};
    static final long[] LONGS = {0, 1, -1, 7, -13, 63, 65, -64, 1L << 31, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE};
    static final float[] FLOATS = {0f, -0f, 1f, -1.5f, 3e9f, -3e19f, 1e-45f, Float.MAX_VALUE, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NaN, 0.1f};
    static final double[] DOUBLES = {0d, -0d, 1d, -1.5d, 3e9, -3e19, 4.9e-324, Double.MAX_VALUE, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN, 0.1};
    static int int_add(int a, int b) { return a + b; }
    static int test_int_add() { int h = 1; for (int a : INTS) for (int b : INTS) { h = mix(h, int_add(a, b)); } return h; }
    static long long_add(long a, long b) { return a + b; }
    static int test_long_add() { int h = 1; for (long a : LONGS) for (long b : LONGS) { h = mix(h, long_add(a, b)); } return h; }
    static int int_sub(int a, int b) { return a - b; }
    static int test_int_sub() { int h = 1; for (int a : INTS) for (int b : INTS) { h = mix(h, int_sub(a, b)); } return h; }
    static long long_sub(long a, long b) { return a - b; }
    static int test_long_sub() { int h = 1; for (long a : LONGS) for (long b : LONGS) { h = mix(h, long_sub(a, b)); } return h; }
    static int int_mul(int a, int b) { return a * b; }
    static int test_int_mul() { int h = 1; for (int a : INTS) for (int b : INTS) { h = mix(h, int_mul(a, b)); } return h; }
    static long long_mul(long a, long b) { return a * b; }
    static int test_long_mul() { int h = 1; for (long a : LONGS) for (long b : LONGS) { h = mix(h, long_mul(a, b)); } return h; }
    static int int_and(int a, int b) { return a & b; }
    static int test_int_and() { int h = 1; for (int a : INTS) for (int b : INTS) { h = mix(h, int_and(a, b)); } return h; }
    static long long_and(long a, long b) { return a & b; }
    static int test_long_and() { int h = 1; for (long a : LONGS) for (long b : LONGS) { h = mix(h, long_and(a, b)); } return h; }
    static int int_or(int a, int b) { return a | b; }
    static int test_int_or() { int h = 1; for (int a : INTS) for (int b : INTS) { h = mix(h, int_or(a, b)); } return h; }
    static long long_or(long a, long b) { return a | b; }
    static int test_long_or() { int h = 1; for (long a : LONGS) for (long b : LONGS) { h = mix(h, long_or(a, b)); } return h; }
    static int int_xor(int a, int b) { return a ^ b; }
    static int test_int_xor() { int h = 1; for (int a : INTS) for (int b : INTS) { h = mix(h, int_xor(a, b)); } return h; }
    static long long_xor(long a, long b) { return a ^ b; }
    static int test_long_xor() { int h = 1; for (long a : LONGS) for (long b : LONGS) { h = mix(h, long_xor(a, b)); } return h; }
    static int int_shl(int a, int b) { return a << b; }
    static int test_int_shl() { int h = 1; for (int a : INTS) for (int b : INTS) { h = mix(h, int_shl(a, b)); } return h; }
    static long long_shl(long a, long b) { return a << b; }
    static int test_long_shl() { int h = 1; for (long a : LONGS) for (long b : LONGS) { h = mix(h, long_shl(a, b)); } return h; }
    static int int_shr(int a, int b) { return a >> b; }
    static int test_int_shr() { int h = 1; for (int a : INTS) for (int b : INTS) { h = mix(h, int_shr(a, b)); } return h; }
    static long long_shr(long a, long b) { return a >> b; }
    static int test_long_shr() { int h = 1; for (long a : LONGS) for (long b : LONGS) { h = mix(h, long_shr(a, b)); } return h; }
    static int int_ushr(int a, int b) { return a >>> b; }
    static int test_int_ushr() { int h = 1; for (int a : INTS) for (int b : INTS) { h = mix(h, int_ushr(a, b)); } return h; }
    static long long_ushr(long a, long b) { return a >>> b; }
    static int test_long_ushr() { int h = 1; for (long a : LONGS) for (long b : LONGS) { h = mix(h, long_ushr(a, b)); } return h; }
    static int int_div(int a, int b) { return a / b; }
    static int test_int_div() { int h = 1; for (int a : INTS) for (int b : INTS) { try { h = mix(h, int_div(a, b)); } catch (ArithmeticException e) { h = mix(h, 77); } } return h; }
    static long long_div(long a, long b) { return a / b; }
    static int test_long_div() { int h = 1; for (long a : LONGS) for (long b : LONGS) { try { h = mix(h, long_div(a, b)); } catch (ArithmeticException e) { h = mix(h, 77); } } return h; }
    static int int_rem(int a, int b) { return a % b; }
    static int test_int_rem() { int h = 1; for (int a : INTS) for (int b : INTS) { try { h = mix(h, int_rem(a, b)); } catch (ArithmeticException e) { h = mix(h, 77); } } return h; }
    static long long_rem(long a, long b) { return a % b; }
    static int test_long_rem() { int h = 1; for (long a : LONGS) for (long b : LONGS) { try { h = mix(h, long_rem(a, b)); } catch (ArithmeticException e) { h = mix(h, 77); } } return h; }
    static float float_add(float a, float b) { return a + b; }
    static int test_float_add() { int h = 1; for (float a : FLOATS) for (float b : FLOATS) { h = mix(h, Float.floatToIntBits(float_add(a, b))); } return h; }
    static double double_add(double a, double b) { return a + b; }
    static int test_double_add() { int h = 1; for (double a : DOUBLES) for (double b : DOUBLES) { h = mix(h, Double.doubleToLongBits(double_add(a, b))); } return h; }
    static float float_sub(float a, float b) { return a - b; }
    static int test_float_sub() { int h = 1; for (float a : FLOATS) for (float b : FLOATS) { h = mix(h, Float.floatToIntBits(float_sub(a, b))); } return h; }
    static double double_sub(double a, double b) { return a - b; }
    static int test_double_sub() { int h = 1; for (double a : DOUBLES) for (double b : DOUBLES) { h = mix(h, Double.doubleToLongBits(double_sub(a, b))); } return h; }
    static float float_mul(float a, float b) { return a * b; }
    static int test_float_mul() { int h = 1; for (float a : FLOATS) for (float b : FLOATS) { h = mix(h, Float.floatToIntBits(float_mul(a, b))); } return h; }
    static double double_mul(double a, double b) { return a * b; }
    static int test_double_mul() { int h = 1; for (double a : DOUBLES) for (double b : DOUBLES) { h = mix(h, Double.doubleToLongBits(double_mul(a, b))); } return h; }
    static float float_div(float a, float b) { return a / b; }
    static int test_float_div() { int h = 1; for (float a : FLOATS) for (float b : FLOATS) { h = mix(h, Float.floatToIntBits(float_div(a, b))); } return h; }
    static double double_div(double a, double b) { return a / b; }
    static int test_double_div() { int h = 1; for (double a : DOUBLES) for (double b : DOUBLES) { h = mix(h, Double.doubleToLongBits(double_div(a, b))); } return h; }
    static float float_rem(float a, float b) { return a % b; }
    static int test_float_rem() { int h = 1; for (float a : FLOATS) for (float b : FLOATS) { h = mix(h, Float.floatToIntBits(float_rem(a, b))); } return h; }
    static double double_rem(double a, double b) { return a % b; }
    static int test_double_rem() { int h = 1; for (double a : DOUBLES) for (double b : DOUBLES) { h = mix(h, Double.doubleToLongBits(double_rem(a, b))); } return h; }
    static float float_neg(float a, float b) { return -a - -b; }
    static int test_float_neg() { int h = 1; for (float a : FLOATS) for (float b : FLOATS) { h = mix(h, Float.floatToIntBits(float_neg(a, b))); } return h; }
    static double double_neg(double a, double b) { return -a - -b; }
    static int test_double_neg() { int h = 1; for (double a : DOUBLES) for (double b : DOUBLES) { h = mix(h, Double.doubleToLongBits(double_neg(a, b))); } return h; }
    static int test_int_lt() { int h = 1; for (int a : INTS) for (int b : INTS) { if (a < b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_int_not_lt() { int h = 1; for (int a : INTS) for (int b : INTS) { boolean c = !(a < b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_int_le() { int h = 1; for (int a : INTS) for (int b : INTS) { if (a <= b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_int_not_le() { int h = 1; for (int a : INTS) for (int b : INTS) { boolean c = !(a <= b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_int_gt() { int h = 1; for (int a : INTS) for (int b : INTS) { if (a > b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_int_not_gt() { int h = 1; for (int a : INTS) for (int b : INTS) { boolean c = !(a > b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_int_ge() { int h = 1; for (int a : INTS) for (int b : INTS) { if (a >= b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_int_not_ge() { int h = 1; for (int a : INTS) for (int b : INTS) { boolean c = !(a >= b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_int_eq() { int h = 1; for (int a : INTS) for (int b : INTS) { if (a == b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_int_not_eq() { int h = 1; for (int a : INTS) for (int b : INTS) { boolean c = !(a == b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_int_ne() { int h = 1; for (int a : INTS) for (int b : INTS) { if (a != b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_int_not_ne() { int h = 1; for (int a : INTS) for (int b : INTS) { boolean c = !(a != b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_long_lt() { int h = 1; for (long a : LONGS) for (long b : LONGS) { if (a < b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_long_not_lt() { int h = 1; for (long a : LONGS) for (long b : LONGS) { boolean c = !(a < b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_long_le() { int h = 1; for (long a : LONGS) for (long b : LONGS) { if (a <= b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_long_not_le() { int h = 1; for (long a : LONGS) for (long b : LONGS) { boolean c = !(a <= b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_long_gt() { int h = 1; for (long a : LONGS) for (long b : LONGS) { if (a > b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_long_not_gt() { int h = 1; for (long a : LONGS) for (long b : LONGS) { boolean c = !(a > b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_long_ge() { int h = 1; for (long a : LONGS) for (long b : LONGS) { if (a >= b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_long_not_ge() { int h = 1; for (long a : LONGS) for (long b : LONGS) { boolean c = !(a >= b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_long_eq() { int h = 1; for (long a : LONGS) for (long b : LONGS) { if (a == b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_long_not_eq() { int h = 1; for (long a : LONGS) for (long b : LONGS) { boolean c = !(a == b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_long_ne() { int h = 1; for (long a : LONGS) for (long b : LONGS) { if (a != b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_long_not_ne() { int h = 1; for (long a : LONGS) for (long b : LONGS) { boolean c = !(a != b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_float_lt() { int h = 1; for (float a : FLOATS) for (float b : FLOATS) { if (a < b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_float_not_lt() { int h = 1; for (float a : FLOATS) for (float b : FLOATS) { boolean c = !(a < b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_float_le() { int h = 1; for (float a : FLOATS) for (float b : FLOATS) { if (a <= b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_float_not_le() { int h = 1; for (float a : FLOATS) for (float b : FLOATS) { boolean c = !(a <= b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_float_gt() { int h = 1; for (float a : FLOATS) for (float b : FLOATS) { if (a > b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_float_not_gt() { int h = 1; for (float a : FLOATS) for (float b : FLOATS) { boolean c = !(a > b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_float_ge() { int h = 1; for (float a : FLOATS) for (float b : FLOATS) { if (a >= b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_float_not_ge() { int h = 1; for (float a : FLOATS) for (float b : FLOATS) { boolean c = !(a >= b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_float_eq() { int h = 1; for (float a : FLOATS) for (float b : FLOATS) { if (a == b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_float_not_eq() { int h = 1; for (float a : FLOATS) for (float b : FLOATS) { boolean c = !(a == b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_float_ne() { int h = 1; for (float a : FLOATS) for (float b : FLOATS) { if (a != b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_float_not_ne() { int h = 1; for (float a : FLOATS) for (float b : FLOATS) { boolean c = !(a != b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_double_lt() { int h = 1; for (double a : DOUBLES) for (double b : DOUBLES) { if (a < b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_double_not_lt() { int h = 1; for (double a : DOUBLES) for (double b : DOUBLES) { boolean c = !(a < b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_double_le() { int h = 1; for (double a : DOUBLES) for (double b : DOUBLES) { if (a <= b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_double_not_le() { int h = 1; for (double a : DOUBLES) for (double b : DOUBLES) { boolean c = !(a <= b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_double_gt() { int h = 1; for (double a : DOUBLES) for (double b : DOUBLES) { if (a > b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_double_not_gt() { int h = 1; for (double a : DOUBLES) for (double b : DOUBLES) { boolean c = !(a > b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_double_ge() { int h = 1; for (double a : DOUBLES) for (double b : DOUBLES) { if (a >= b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_double_not_ge() { int h = 1; for (double a : DOUBLES) for (double b : DOUBLES) { boolean c = !(a >= b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_double_eq() { int h = 1; for (double a : DOUBLES) for (double b : DOUBLES) { if (a == b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_double_not_eq() { int h = 1; for (double a : DOUBLES) for (double b : DOUBLES) { boolean c = !(a == b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_double_ne() { int h = 1; for (double a : DOUBLES) for (double b : DOUBLES) { if (a != b) h = mix(h, 3); else h = mix(h, 5); } return h; }
    static int test_double_not_ne() { int h = 1; for (double a : DOUBLES) for (double b : DOUBLES) { boolean c = !(a != b); h = mix(h, c ? 11 : 13); } return h; }
    static int test_int_to_byte() { int h = 1; for (int a : INTS) h = mix(h, (byte) a); return h; }
    static int test_int_to_short() { int h = 1; for (int a : INTS) h = mix(h, (short) a); return h; }
    static int test_int_to_char() { int h = 1; for (int a : INTS) h = mix(h, (char) a); return h; }
    static int test_int_to_int() { int h = 1; for (int a : INTS) h = mix(h, (int) a); return h; }
    static int test_int_to_long() { int h = 1; for (int a : INTS) h = mix(h, (long) a); return h; }
    static int test_int_to_float() { int h = 1; for (int a : INTS) h = mix(h, Float.floatToIntBits((float) a)); return h; }
    static int test_int_to_double() { int h = 1; for (int a : INTS) h = mix(h, Double.doubleToLongBits((double) a)); return h; }
    static int test_long_to_byte() { int h = 1; for (long a : LONGS) h = mix(h, (byte) a); return h; }
    static int test_long_to_short() { int h = 1; for (long a : LONGS) h = mix(h, (short) a); return h; }
    static int test_long_to_char() { int h = 1; for (long a : LONGS) h = mix(h, (char) a); return h; }
    static int test_long_to_int() { int h = 1; for (long a : LONGS) h = mix(h, (int) a); return h; }
    static int test_long_to_long() { int h = 1; for (long a : LONGS) h = mix(h, (long) a); return h; }
    static int test_long_to_float() { int h = 1; for (long a : LONGS) h = mix(h, Float.floatToIntBits((float) a)); return h; }
    static int test_long_to_double() { int h = 1; for (long a : LONGS) h = mix(h, Double.doubleToLongBits((double) a)); return h; }
    static int test_float_to_byte() { int h = 1; for (float a : FLOATS) h = mix(h, (byte) a); return h; }
    static int test_float_to_short() { int h = 1; for (float a : FLOATS) h = mix(h, (short) a); return h; }
    static int test_float_to_char() { int h = 1; for (float a : FLOATS) h = mix(h, (char) a); return h; }
    static int test_float_to_int() { int h = 1; for (float a : FLOATS) h = mix(h, (int) a); return h; }
    static int test_float_to_long() { int h = 1; for (float a : FLOATS) h = mix(h, (long) a); return h; }
    static int test_float_to_float() { int h = 1; for (float a : FLOATS) h = mix(h, Float.floatToIntBits((float) a)); return h; }
    static int test_float_to_double() { int h = 1; for (float a : FLOATS) h = mix(h, Double.doubleToLongBits((double) a)); return h; }
    static int test_double_to_byte() { int h = 1; for (double a : DOUBLES) h = mix(h, (byte) a); return h; }
    static int test_double_to_short() { int h = 1; for (double a : DOUBLES) h = mix(h, (short) a); return h; }
    static int test_double_to_char() { int h = 1; for (double a : DOUBLES) h = mix(h, (char) a); return h; }
    static int test_double_to_int() { int h = 1; for (double a : DOUBLES) h = mix(h, (int) a); return h; }
    static int test_double_to_long() { int h = 1; for (double a : DOUBLES) h = mix(h, (long) a); return h; }
    static int test_double_to_float() { int h = 1; for (double a : DOUBLES) h = mix(h, Float.floatToIntBits((float) a)); return h; }
    static int test_double_to_double() { int h = 1; for (double a : DOUBLES) h = mix(h, Double.doubleToLongBits((double) a)); return h; }
    static byte test_byte_wraps() { byte b = 127; b++; b += 3; b *= 3; return b; }
    static short test_short_wraps() { short s = Short.MAX_VALUE; s++; s -= 7; return s; }
    static char test_char_wraps() { char c = 0; c--; c -= 2; return c; }
    static char test_char_plus() { char c = 'a'; c += 5; return c; }
    static boolean test_booleans() { boolean a = true, b = false; return a & !b ^ (a | b) && (a != b); }
    static int test_pre_and_post_increment() { int i = 5; int j = i++ + ++i * i-- - --i; return i * 1000 + j; }
    static int test_compound_order() { int[] a = {1, 2, 3}; int i = 0; a[i++] += a[i] + i++; return a[0] * 100 + a[1] * 10 + i; }
    static long test_long_locals() { long a = 1; double d = 2.5; long b = 3; d += a; a += b; return a * 10 + (long) d; }
    static float test_float_result() { return 1.1f * 3; }
    static double test_double_result() { return 0.1 + 0.2; }
    static double test_nan_result() { double z = 0; return z / z; }
    static float test_negative_zero() { float z = 0; return -z; }
    static int test_division_of_smallest() { int m = Integer.MIN_VALUE; return m / -1 + m % -1; }
    static int test_division_by_zero() { int z = 0; return 1 / z; }
    static long test_long_remainder_by_zero() { long z = 0; return 1 % z; }
    static int three(long a, long b) { return a < b ? -1 : a == b ? 0 : 1; }
    static int test_three_way() { return three(1, 2) + 3 * three(2, 2) + 9 * three(Long.MAX_VALUE, Long.MIN_VALUE); }
    static int test_bits() { return Integer.bitCount(0x1234567) + Long.numberOfTrailingZeros(1L << 40) + Integer.reverse(3) + Integer.highestOneBit(1000); }
    static int test_math() { return Math.max(3, Math.abs(-7)) + Math.floorMod(-7, 3) * 100 + Math.floorDiv(-7, 3) * 1000; }
    static double test_square_root() { return Math.sqrt(2.0); }
    static int test_exact_overflow() { return Math.addExact(Integer.MAX_VALUE, 1); }
}
