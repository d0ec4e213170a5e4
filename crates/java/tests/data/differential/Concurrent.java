import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/** Atomic variables, locks and concurrent collections, as far as one thread sees them. */
public class Concurrent {
    static int test_atomicInteger() {
        AtomicInteger n = new AtomicInteger(5);
        n.incrementAndGet();
        n.addAndGet(10);
        boolean first = n.compareAndSet(16, 20);
        boolean second = n.compareAndSet(16, 30);
        return n.getAndUpdate(x -> x * 2) + n.get() + (first ? 1000 : 0) + (second ? 5000 : 0);
    }

    static long test_atomicLong() {
        AtomicLong n = new AtomicLong(1L << 40);
        n.getAndIncrement();
        n.accumulateAndGet(3, Long::sum);
        return n.get();
    }

    static String test_atomicReference() {
        AtomicReference<String> r = new AtomicReference<>("a");
        boolean first = r.compareAndSet("b", "c");
        boolean second = r.compareAndSet("a", "d");
        return first + " " + second + " " + r.getAndSet(null) + " " + r.get();
    }

    static boolean test_atomicBoolean() {
        AtomicBoolean b = new AtomicBoolean();
        return b.compareAndSet(false, true) && b.get() && b.getAndSet(false) && !b.get();
    }

    static int test_lock() {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        lock.lock();
        int held = lock.getHoldCount();
        boolean mine = lock.isHeldByCurrentThread();
        lock.unlock();
        lock.unlock();
        return held * 10 + (mine ? 1 : 0) + (lock.isLocked() ? 100 : 0);
    }

    static void test_unlockWithoutLock() {
        new ReentrantLock().unlock();
    }

    static int test_concurrentHashMap() {
        ConcurrentHashMap<Integer, String> map = new ConcurrentHashMap<>();
        for (int i = 0; i < 40; i++) {
            map.put(i * 17, "v" + i);
        }
        map.remove(17);
        map.putIfAbsent(34, "other");
        map.computeIfAbsent(5, k -> "five");
        map.merge(34, "!", String::concat);
        return map.size() * 1000 + map.get(34).length() * 10 + (map.containsKey(17) ? 1 : 0);
    }

    static String test_concurrentLinkedQueue() {
        ConcurrentLinkedQueue<String> queue = new ConcurrentLinkedQueue<>();
        queue.add("a");
        queue.add("b");
        return queue.poll() + queue.poll() + queue.poll() + queue.isEmpty();
    }

    static int test_copyOnWrite() {
        List<Integer> list = new CopyOnWriteArrayList<>(List.of(1, 2));
        list.add(3);
        int sum = 0;
        for (int n : list) {
            sum += n;
            list.add(n);
        }
        return sum * 10 + list.size();
    }

    static boolean test_sameThread() {
        return Thread.currentThread() == Thread.currentThread();
    }

    static int test_synchronized() {
        Object lock = new Object();
        synchronized (lock) {
            return 7;
        }
    }

    static int test_threadLocal() {
        ThreadLocal<Integer> local = ThreadLocal.withInitial(() -> 4);
        int first = local.get();
        local.set(9);
        return first * 10 + local.get();
    }

    static boolean test_identityHashIsKept() {
        Object o = new Object();
        return o.hashCode() == System.identityHashCode(o) && System.identityHashCode(null) == 0;
    }

    static int test_objectsAsKeys() {
        Map<Object, Integer> map = new HashMap<>();
        Object a = new Object();
        map.put(a, 1);
        for (int i = 0; i < 20; i++) {
            map.put(new Object(), i);
        }
        map.put(a, 50);
        return map.size() * 100 + map.get(a) + (map.containsKey(new Object()) ? 1 : 0);
    }

    static int test_identityMap() {
        Map<String, Integer> map = new IdentityHashMap<>();
        map.put(new String("a"), 1);
        map.put(new String("a"), 2);
        map.put("a", 3);
        map.put("a", 4);
        return map.size() * 10 + map.get("a");
    }

    static long test_elapsed() {
        return System.nanoTime() >= 0 || System.nanoTime() < 0 ? 1 : 0;
    }

    static int test_newArray() {
        String[] strings = (String[]) Array.newInstance(String.class, 3);
        int[] ints = (int[]) Array.newInstance(int.class, 2);
        return strings.length * 10 + ints.length;
    }

    static Object newArray(Class<?> type, int length) {
        return Array.newInstance(type, length);
    }

    static void test_newArrayOfNull() {
        newArray(null, 1);
    }

    static void test_newArrayNegative() {
        newArray(String.class, -1);
    }

    static String test_toArray() {
        List<String> list = new ArrayList<>(List.of("x", "y"));
        String[] array = list.toArray(new String[0]);
        return array.getClass().getSimpleName() + Arrays.toString(array);
    }

    static String test_copyOfRange() {
        Integer[] numbers = {1, 2, 3};
        return Arrays.toString(Arrays.copyOfRange(numbers, 1, 5));
    }

    static boolean test_stackTraceIsAnArray() {
        return new RuntimeException("x").getStackTrace() != null;
    }
}
