import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** Runs the tests of the classes that it is given in several orders, one after the other. */
public class Orders {
    public static void main(String[] names) throws Exception {
        for (String name : names) {
            Class<?> type = Class.forName(name);
            List<Method> tests = annotated(type, "Test");
            tests.sort(Comparator.comparing(Method::getName));
            for (int round = 0; round < 4; round++) {
                for (Method test : tests) {
                    String problem = run(type, test);
                    System.out.println(name + "#" + test.getName() + " " + problem);
                }
                switch (round) {
                    case 0 -> Collections.reverse(tests);
                    default -> Collections.shuffle(tests, new Random(round));
                }
            }
        }
    }

    static String run(Class<?> type, Method test) throws Exception {
        var constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        Object object = constructor.newInstance();
        String problem = "passes";
        List<Method> steps = new ArrayList<>(annotated(type, "BeforeEach"));
        steps.add(test);
        steps.addAll(annotated(type, "AfterEach"));
        for (Method step : steps) {
            step.setAccessible(true);
            try {
                step.invoke(object);
            } catch (InvocationTargetException thrown) {
                problem = "fails: " + thrown.getCause();
            }
        }
        return problem;
    }

    static List<Method> annotated(Class<?> type, String annotation) {
        List<Method> found = new ArrayList<>();
        for (Method method : type.getDeclaredMethods()) {
            for (Annotation known : method.getAnnotations()) {
                if (known.annotationType().getSimpleName().equals(annotation)) {
                    found.add(method);
                }
            }
        }
        return found;
    }
}
