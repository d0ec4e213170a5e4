/** Functions whose results may differ in the last places. */
public class Transcendental {
    static double test_sin_0() { return Math.sin(1.0); }
    static double test_sin_1() { return Math.sin(1e10); }
    static double test_sin_2() { return Math.sin(-0.0); }
    static double test_cos_0() { return Math.cos(1.0); }
    static double test_cos_1() { return Math.cos(Double.POSITIVE_INFINITY); }
    static double test_tan_0() { return Math.tan(0.7); }
    static double test_asin_0() { return Math.asin(0.3); }
    static double test_asin_1() { return Math.asin(2.0); }
    static double test_acos_0() { return Math.acos(-0.4); }
    static double test_atan_0() { return Math.atan(5.0); }
    static double test_sinh_0() { return Math.sinh(1.5); }
    static double test_cosh_0() { return Math.cosh(-2.5); }
    static double test_tanh_0() { return Math.tanh(0.2); }
    static double test_exp_0() { return Math.exp(3.3); }
    static double test_exp_1() { return Math.exp(-800.0); }
    static double test_expm1_0() { return Math.expm1(1e-9); }
    static double test_log_0() { return Math.log(10.0); }
    static double test_log_1() { return Math.log(-1.0); }
    static double test_log_2() { return Math.log(0.0); }
    static double test_log10_0() { return Math.log10(1000.0); }
    static double test_log10_1() { return Math.log10(7.0); }
    static double test_log1p_0() { return Math.log1p(-0.5); }
    static double test_cbrt_0() { return Math.cbrt(-27.0); }
    static double test_cbrt_1() { return Math.cbrt(2.0); }
    static double test_atan2_0() { return Math.atan2(-1.0, -2.0); }
    static double test_atan2_1() { return Math.atan2(0.0, -0.0); }
    static double test_pow_0() { return Math.pow(2.5, 3.5); }
    static double test_pow_1() { return Math.pow(1.0, Double.NaN); }
    static double test_pow_2() { return Math.pow(-1.0, Double.POSITIVE_INFINITY); }
    static double test_pow_3() { return Math.pow(-2.0, 3.0); }
    static double test_pow_4() { return Math.pow(0.0, -1.0); }
    static double test_pow_5() { return Math.pow(Double.NaN, 0.0); }
    static double test_pow_6() { return Math.pow(-8.0, 1.0 / 3.0); }
    static double test_hypot_0() { return Math.hypot(3.0, 4.5); }
    static double test_hypot_1() { return Math.hypot(Double.NaN, Double.NEGATIVE_INFINITY); }
    static double test_strict_sin() { return StrictMath.sin(2.0); }
    static double test_strict_pow() { return StrictMath.pow(1.1, 40.0); }
    static double test_spiral() { double sum = 0; for (int i = 1; i < 40; i++) sum = Math.max(sum, Math.sin(i) * Math.exp(-i / 10.0)); return sum; }
}
