import java.util.*;

/** Collections of the JDK. */
public class Collections1 {
    static int digest(Iterable<Integer> xs) { int h = 7; for (int x : xs) h = h * 31 + x; return h; }
    static int test_array_list() { List<Integer> l = new ArrayList<>(); for (int i = 0; i < 30; i++) l.add(i * i % 17); l.remove(3); l.remove(Integer.valueOf(4)); l.add(2, 99); l.set(0, -1); return digest(l) + l.size() + l.indexOf(99); }
    static int test_array_list_bounds() { List<Integer> l = new ArrayList<>(); l.add(1); return l.get(1); }
    static int test_linked_list() { LinkedList<Integer> l = new LinkedList<>(); for (int i = 0; i < 10; i++) { l.addFirst(i); l.addLast(-i); } l.removeFirst(); l.pollLast(); l.add(5, 77); l.remove(Integer.valueOf(3)); return digest(l) + l.getFirst() + l.peekLast(); }
    static int test_linked_list_empty() { return new LinkedList<Integer>().getFirst(); }
    static int test_tree_map() { TreeMap<Integer, Integer> m = new TreeMap<>(); for (int i = 0; i < 100; i++) m.put(i * 37 % 101, i); for (int i = 0; i < 50; i++) m.remove(i * 2); return digest(m.keySet()) + digest(m.values()) + m.firstKey() + m.lastKey() + m.size() + m.floorKey(50) + m.ceilingKey(50); }
    static String test_tree_map_strings() { TreeMap<String, Integer> m = new TreeMap<>(); for (String s : "the quick brown fox jumps over the lazy dog".split(" ")) m.merge(s, 1, Integer::sum); return m.toString(); }
    static int test_tree_map_null() { new TreeMap<String, String>().put(null, ""); return 0; }
    static int test_tree_set() { TreeSet<Integer> s = new TreeSet<>(Comparator.reverseOrder()); for (int i = 0; i < 20; i++) s.add(i * 7 % 13); return digest(s) + s.first(); }
    static int test_hash_map() { Map<String, Integer> m = new HashMap<>(); for (int i = 0; i < 50; i++) m.put("k" + i % 20, i); int t = 0; for (Map.Entry<String, Integer> e : m.entrySet()) t += e.getKey().length() * e.getValue(); return t + m.size() + m.get("k7") + m.getOrDefault("zz", 5); }
    static boolean test_hash_set() { Set<Integer> s = new HashSet<>(Arrays.asList(1, 2, 3, 2)); return s.size() == 3 && s.contains(2) && !s.contains(9) && s.remove(1); }
    static int test_array_deque() { ArrayDeque<Integer> d = new ArrayDeque<>(); for (int i = 0; i < 40; i++) { d.addLast(i); if (i % 3 == 0) d.addFirst(-i); if (i % 4 == 0) d.pollFirst(); } return digest(d) + d.size(); }
    static int test_priority_queue() { PriorityQueue<Integer> q = new PriorityQueue<>(); for (int i = 0; i < 20; i++) q.add(i * 7 % 23); int h = 1; while (!q.isEmpty()) h = h * 31 + q.poll(); return h; }
    static int test_sort() { List<Integer> l = new ArrayList<>(); for (int i = 0; i < 50; i++) l.add(i * 37 % 53); Collections.sort(l); return digest(l); }
    static int test_sort_array() { int[] a = new int[60]; for (int i = 0; i < 60; i++) a[i] = i * 41 % 61; Arrays.sort(a); int h = 1; for (int x : a) h = h * 31 + x; return h + Arrays.binarySearch(a, 17); }
    static int test_concurrent_modification() { List<Integer> l = new ArrayList<>(Arrays.asList(1, 2, 3)); for (Integer x : l) l.remove(x); return 0; }
    static int test_iterator_remove() { List<Integer> l = new LinkedList<>(Arrays.asList(1, 2, 3, 4)); for (Iterator<Integer> i = l.iterator(); i.hasNext();) if (i.next() % 2 == 0) i.remove(); return digest(l); }
    static int test_unmodifiable() { Collections.unmodifiableList(new ArrayList<Integer>()).add(1); return 0; }
    static String test_list_text() { return Arrays.asList(1, null, "x").toString() + Arrays.toString(new int[] {1, 2}); }
    static boolean test_list_equals() { return new ArrayList<>(Arrays.asList(1, 2)).equals(new LinkedList<>(Arrays.asList(1, 2))) && Arrays.asList(1, 2).hashCode() == new LinkedList<>(Arrays.asList(1, 2)).hashCode(); }
    static int test_stack() { Stack<Integer> s = new Stack<>(); s.push(1); s.push(2); return s.pop() * 10 + s.peek(); }
    static int test_empty_stack() { return new Stack<Integer>().pop(); }
    static int test_bit_set() { BitSet b = new BitSet(); b.set(3); b.set(70); return b.cardinality() + b.nextSetBit(4); }
    static int test_linked_hash_map() { Map<Integer, Integer> m = new LinkedHashMap<>(); for (int i = 10; i > 0; i--) m.put(i, i * i); return digest(m.keySet()); }
    static boolean test_optional() { return Optional.of(3).isPresent() && Objects.equals(Optional.empty(), Optional.empty()) && Objects.hash(1, 2) == 31 * (31 + 1) + 2; }
    static int test_require_non_null() { Objects.requireNonNull(null); return 0; }
    static int test_list_of() { return digest(List.of(1, 2, 3)) + List.of(5).size(); }
    enum Day { MONDAY, TUESDAY, SUNDAY }
    static int test_enum_map() { EnumMap<Day, Integer> m = new EnumMap<>(Day.class); m.put(Day.SUNDAY, 3); m.put(Day.MONDAY, 1); return digest(m.values()) + m.size(); }
    static int test_enum_set() { EnumSet<Day> s = EnumSet.of(Day.TUESDAY); s.add(Day.MONDAY); return s.size() * 10 + (s.contains(Day.SUNDAY) ? 1 : 0) + EnumSet.complementOf(s).size() * 100; }
    static int test_concurrent_hash_map() { Map<String, Integer> m = new java.util.concurrent.ConcurrentHashMap<>(); for (int i = 0; i < 40; i++) m.merge("k" + i % 7, i, Integer::sum); int t = 0; for (int v : m.values()) t += v; return t + m.size(); }
    static int test_atomic() { java.util.concurrent.atomic.AtomicInteger a = new java.util.concurrent.atomic.AtomicInteger(3); a.incrementAndGet(); a.compareAndSet(4, 10); return a.getAndAdd(5) * 100 + a.get(); }
    static int test_stream() { return Arrays.asList(1, 2, 3, 4, 5).stream().filter(x -> x % 2 == 1).mapToInt(x -> x * x).sum(); }
    static String test_collect() { return Arrays.asList("b", "a", "c").stream().sorted().collect(java.util.stream.Collectors.joining(",")); }
    static int test_sub_list() { List<Integer> l = new ArrayList<>(Arrays.asList(1, 2, 3, 4, 5)); l.subList(1, 3).clear(); return digest(l); }
    static int test_tree_map_views() { TreeMap<Integer, String> m = new TreeMap<>(); for (int i = 0; i < 10; i++) m.put(i, "v" + i); m.headMap(3).clear(); m.tailMap(8, true).remove(9); return digest(m.descendingKeySet()) + m.subMap(4, 7).size(); }
    static int test_list_iterator() { ListIterator<Integer> i = new LinkedList<>(Arrays.asList(1, 2, 3)).listIterator(); i.next(); i.add(9); i.next(); i.set(8); return i.previousIndex() * 10 + i.previous(); }
    static boolean test_hash_collisions() { Map<String, Integer> m = new HashMap<>(); String[] a = {"AaAa", "BBBB", "AaBB", "BBAa"}; for (int i = 0; i < 4; i++) m.put(a[i], i); return m.get("BBAa") == 3 && m.size() == 4; }
    static int test_reverse_and_shuffle() { List<Integer> l = new ArrayList<>(Arrays.asList(1, 2, 3, 4)); Collections.reverse(l); Collections.swap(l, 0, 2); return digest(l) + Collections.max(l) * 100 + Collections.frequency(l, 3); }
    static int test_random() { Random r = new Random(42); return r.nextInt(1000) + r.nextInt(1000); }
    static int test_arrays_fill() { int[] a = new int[5]; Arrays.fill(a, 3); int[] b = Arrays.copyOf(a, 8); return Arrays.hashCode(b) + (Arrays.equals(a, b) ? 1 : 0) + Arrays.asList(1, 2).indexOf(2); }
    static String test_format() { return String.format("%d-%s", 5, "x"); }
}
