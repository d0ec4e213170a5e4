import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Runs the test methods of the classes that are named, and prints what they return or throw. */
public class Driver {
    public static void main(String[] arguments) throws Exception {
        for (String name : arguments) {
            for (Method method : Class.forName(name).getDeclaredMethods()) {
                if (method.getName().startsWith("test_")) {
                    method.setAccessible(true);
                    System.out.println(name + "." + method.getName() + " = " + run(method));
                }
            }
        }
    }

    private static String run(Method method) throws Exception {
        try {
            Object result = method.invoke(null);
            if (result == null) {
                return method.getReturnType() == void.class ? "void" : "null";
            } else if (result instanceof Character) {
                return "char " + (int) (Character) result;
            } else if (result instanceof Float) {
                return "float " + Integer.toHexString(Float.floatToIntBits((Float) result));
            } else if (result instanceof Double) {
                return "double " + Long.toHexString(Double.doubleToLongBits((Double) result));
            } else if (result instanceof String) {
                return "string" + text((String) result);
            }
            return result.toString();
        } catch (InvocationTargetException wrapped) {
            return "throws " + wrapped.getCause().getClass().getName();
        }
    }

    private static String text(String string) {
        StringBuilder out = new StringBuilder(string.isEmpty() ? "" : " ");
        for (char c : string.toCharArray()) {
            if (c >= ' ' && c <= '~') {
                out.append(c);
            } else {
                out.append(String.format("\\u%04x", (int) c));
            }
        }
        return out.toString();
    }
}
