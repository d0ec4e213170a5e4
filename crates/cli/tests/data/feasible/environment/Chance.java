package environment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

public class Chance {
    public static boolean isHigh() {
        if (Math.random() > 0.9) {
            return true;
        }
        return false;
    }

    public static boolean isSeven() {
        if (new Random().nextInt(10) == 7) {
            return true;
        }
        return false;
    }

    public static boolean isLocallyOdd() {
        if (ThreadLocalRandom.current().nextInt(10) % 2 == 1) {
            return true;
        }
        return false;
    }

    public static boolean hasUniqueName() {
        if (UUID.randomUUID().toString().charAt(0) == '7') {
            return true;
        }
        return false;
    }

    public static boolean isShuffled() {
        List<Integer> list = new ArrayList<>();
        list.add(1);
        list.add(2);
        list.add(3);
        Collections.shuffle(list);
        if (list.get(0) == 3) {
            return true;
        }
        return false;
    }

    public static boolean beginsWithSecond() {
        for (String name : Set.of("a", "b")) {
            if (name.equals("b")) {
                return true;
            }
            return false;
        }
        return false;
    }
}
