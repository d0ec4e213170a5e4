package environment;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.WeakHashMap;

/** What the garbage collector decides, and where standard output goes. */
public class Memory {
    public static boolean isCleared(Runnable between) {
        WeakReference<int[]> reference = new WeakReference<>(new int[3]);
        between.run();
        if (reference.get() == null) {
            return true;
        }
        return false;
    }

    public static boolean refersToNothing(Runnable between) {
        WeakReference<int[]> reference = new WeakReference<>(new int[3]);
        between.run();
        if (reference.refersTo(null)) {
            return true;
        }
        return false;
    }

    public static boolean isQueued(Runnable between) {
        ReferenceQueue<int[]> queue = new ReferenceQueue<>();
        WeakReference<int[]> reference = new WeakReference<>(new int[3], queue);
        between.run();
        if (queue.poll() == reference) {
            return true;
        }
        return false;
    }

    public static boolean isForgotten(Runnable between) {
        WeakHashMap<int[], String> map = new WeakHashMap<>();
        map.put(new int[3], "a");
        between.run();
        if (map.isEmpty()) {
            return true;
        }
        return false;
    }

    public static boolean isBroken() {
        if (System.out.checkError()) {
            return true;
        }
        return false;
    }
}
