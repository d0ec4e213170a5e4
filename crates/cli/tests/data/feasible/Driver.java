import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/** Runs the witnesses of the classes that it is given, and prints what they return. */
public class Driver {
    public static void main(String[] names) throws Exception {
        for (String name : names) {
            int dot = name.lastIndexOf('.');
            String witness = name.substring(0, dot) + ".witness" + name.substring(dot);
            for (Method method : Class.forName(name).getDeclaredMethods()) {
                if (!Modifier.isPublic(method.getModifiers()) || method.isSynthetic()) {
                    continue;
                }
                String shown = name + "#" + method.getName();
                try {
                    Method run = Class.forName(witness).getDeclaredMethod(method.getName());
                    run.setAccessible(true);
                    System.out.println(shown + " " + run.invoke(null));
                } catch (ReflectiveOperationException problem) {
                    System.out.println(shown + " " + problem + " " + problem.getCause());
                }
            }
        }
    }
}
