package subjects.sll;

import static subjects.Check.outcome;
import static subjects.Check.same;
import static subjects.Check.that;

import java.util.Collections;
import java.util.LinkedList;
import java.util.Random;

/** Random operations on a singly linked list and on a list of java.util. */
public final class SinglyLinkedListCheck {
    private SinglyLinkedListCheck() {}

    /** Ends with an error at the first difference. */
    public static void main(String[] arguments) {
        Random random = new Random(1);
        for (int round = 0; round < 2000; round++) {
            SinglyLinkedList list = new SinglyLinkedList();
            LinkedList<Integer> oracle = new LinkedList<>();
            for (int step = 0; step < 30; step++) {
                int x = random.nextInt(6);
                int index = random.nextInt(8) - 1;
                switch (random.nextInt(13)) {
                    case 0: case 1: list.addFirst(x); oracle.addFirst(x); break;
                    case 2: case 3: list.addLast(x); oracle.addLast(x); break;
                    case 4:
                        same(outcome(() -> { list.insertAt(index, x); return 0; }),
                            outcome(() -> { oracle.add(index, x); return 0; }), "insertAt");
                        break;
                    case 5:
                        same(outcome(() -> list.get(index)),
                            outcome(() -> oracle.get(index)), "get");
                        break;
                    case 6: same(list.contains(x), oracle.contains(x), "contains"); break;
                    case 7: same(list.indexOf(x), oracle.indexOf(x), "indexOf"); break;
                    case 8:
                        same(outcome(list::removeFirst),
                            outcome(oracle::removeFirst), "removeFirst");
                        break;
                    case 9: same(list.remove(x), oracle.removeFirstOccurrence(x), "remove"); break;
                    case 10: list.reverse(); Collections.reverse(oracle); break;
                    case 11: same(list.isEmpty(), oracle.isEmpty(), "isEmpty"); break;
                    default: if (random.nextInt(8) == 0) { list.clear(); oracle.clear(); }
                }
                that(list.repOK(), "repOK");
                same(list.size(), oracle.size(), "size");
                int i = 0;
                for (SinglyLinkedList.Node node = list.head; node != null; node = node.next) {
                    same(node.value, oracle.get(i++), "element");
                }
            }
        }
        SinglyLinkedList broken = new SinglyLinkedList();
        broken.addFirst(1);
        broken.head.next = broken.head;
        that(!broken.repOK(), "cycle");
        broken.head.next = null;
        broken.size = 2;
        that(!broken.repOK(), "size");
        System.out.println("SinglyLinkedList: ok");
    }
}
