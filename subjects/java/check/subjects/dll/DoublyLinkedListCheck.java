package subjects.dll;

import static subjects.Check.outcome;
import static subjects.Check.same;
import static subjects.Check.that;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedList;
import java.util.Random;

/** Random operations on a doubly linked list and on the one of java.util. */
public final class DoublyLinkedListCheck {
    private DoublyLinkedListCheck() {}

    /** Ends with an error at the first difference. */
    public static void main(String[] arguments) {
        Random random = new Random(3);
        for (int round = 0; round < 2000; round++) {
            DoublyLinkedList list = new DoublyLinkedList();
            LinkedList<Object> oracle = new LinkedList<>();
            for (int step = 0; step < 40; step++) {
                Object x = random.nextInt(5) == 0 ? null : (Object) random.nextInt(4);
                int index = random.nextInt(8) - 1;
                switch (random.nextInt(20)) {
                    case 0: case 1: same(list.add(x), oracle.add(x), "add"); break;
                    case 2: list.addFirst(x); oracle.addFirst(x); break;
                    case 3: list.addLast(x); oracle.addLast(x); break;
                    case 4: case 5:
                        same(outcome(() -> { list.addAt(index, x); return 0; }),
                            outcome(() -> { oracle.add(index, x); return 0; }), "addAt");
                        break;
                    case 6:
                        same(outcome(list::getFirst), outcome(oracle::getFirst), "getFirst");
                        break;
                    case 7:
                        same(outcome(list::getLast), outcome(oracle::getLast), "getLast");
                        break;
                    case 8:
                        same(outcome(() -> list.get(index)),
                            outcome(() -> oracle.get(index)), "get");
                        break;
                    case 9:
                        same(outcome(() -> list.set(index, x)),
                            outcome(() -> oracle.set(index, x)), "set");
                        break;
                    case 10:
                        same(outcome(list::removeFirst),
                            outcome(oracle::removeFirst), "removeFirst");
                        break;
                    case 11:
                        same(outcome(list::removeLast), outcome(oracle::removeLast), "removeLast");
                        break;
                    case 12:
                        same(outcome(() -> list.remove(index)),
                            outcome(() -> oracle.remove(index)), "remove(int)");
                        break;
                    case 13: same(list.remove(x), oracle.remove(x), "remove(Object)"); break;
                    case 14: same(list.contains(x), oracle.contains(x), "contains"); break;
                    case 15: same(list.indexOf(x), oracle.indexOf(x), "indexOf"); break;
                    case 16: same(list.lastIndexOf(x), oracle.lastIndexOf(x), "lastIndexOf"); break;
                    case 17: list.reverse(); Collections.reverse(oracle); break;
                    case 18: if (random.nextInt(8) == 0) { list.clear(); oracle.clear(); } break;
                    default: same(list.isEmpty(), oracle.isEmpty(), "isEmpty");
                }
                that(list.repOK(), "repOK");
                same(list.size(), oracle.size(), "size");
                that(Arrays.equals(list.toArray(), oracle.toArray()), "toArray");
            }
        }
        DoublyLinkedList broken = new DoublyLinkedList();
        broken.add(1);
        broken.size = 3;
        that(!broken.repOK(), "size");
        broken.size = 1;
        that(broken.repOK(), "repaired");
        broken.header.next.previous = broken.header.next;
        that(!broken.repOK(), "previous");
        System.out.println("DoublyLinkedList: ok");
    }
}
