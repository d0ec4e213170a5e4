/** What the exceptions say that the virtual machine makes. */
public class FaultMessages {
    interface Body { void run(); }
    static int zero() { return 0; }
    static String of(Body body) { try { body.run(); return "none"; } catch (RuntimeException e) { return e.getMessage(); } }
    static String test_division() { return of(() -> { int a = 1 / zero(); }); }
    static String test_remainder() { return of(() -> { long a = 1L % zero(); }); }
    static String test_index() { int[] a = new int[3]; return of(() -> { a[5] = 1; }); }
    static String test_negative_index() { String[] a = {}; return of(() -> { a[zero() - 7] = null; }); }
    static String test_read() { byte[] a = {1}; return of(() -> { int b = a[zero() - 12]; }); }
    static String test_rows() { int[][] a = new int[2][1]; return of(() -> { a[1][1234567890] = 1; }); }
    static String test_negative_length() { return of(() -> { Object o = new long[zero() - 3]; }); }
    static String test_smallest_length() { return of(() -> { Object o = new Object[Integer.MIN_VALUE + zero()]; }); }
    static String test_element() { Object[] a = new String[1]; return of(() -> { a[0] = Integer.valueOf(1); }); }
    static String test_element_array() { Object[] a = new String[1]; return of(() -> { a[0] = new int[1][2]; }); }
    static String test_to_string() { try { return "" + 1 / zero(); } catch (ArithmeticException e) { return e.toString(); } }
    static String test_localized() { try { return "" + new int[zero() - 1]; } catch (ArithmeticException e) { return ""; } catch (Exception e) { return e.getLocalizedMessage(); } finally { zero(); } }
    static String test_nested_length() { try { return "" + new int[1][zero() - 1]; } catch (NegativeArraySizeException e) { return e.getClass().getName(); } }
    static String test_copy() { try { System.arraycopy(new int[1], 0, new int[1], 0, 2); return ""; } catch (Exception e) { return e.getClass().getName(); } }
    static String test_class() { try { return "" + 1 / zero(); } catch (Exception e) { return e.getClass().getName() + (e.getClass() == ArithmeticException.class) + e.getClass().getSuperclass().getName(); } }
    static String test_rethrown() { try { try { return "" + 1 / zero(); } finally { zero(); } } catch (Exception e) { return e.getMessage(); } }
    static String test_wrapped() { try { try { return "" + new int[] {3}[zero() + 1]; } catch (RuntimeException e) { throw new IllegalStateException(e); } } catch (IllegalStateException e) { return e.getMessage(); } }
    static int test_escaping() { return new int[] {3, 4}[zero() + 2] / zero(); }
    static boolean test_same() { try { return 1 / zero() == 0; } catch (ArithmeticException e) { return e instanceof ArithmeticException && e.getCause() == null && e.equals(e); } }
    static String test_made() { try { throw new ArithmeticException(); } catch (ArithmeticException e) { return e.getMessage() + new ArrayIndexOutOfBoundsException(4).getMessage(); } }
}
