package subjects.math;

/**
 * Walks along lists that look for an element about which a function of java.lang.Math says
 * something particular. Most of these functions are beyond any decision procedure.
 */
public class MathTraversals {
    /** A list of integers. */
    static class IntNode {
        int elem;
        IntNode next;
    }

    /** A list of floating-point numbers. */
    static class DoubleNode {
        double elem;
        DoubleNode next;
    }

    private MathTraversals() {}

    /** Whether there is an element with Math.abs(elem) == 17. */
    public static boolean withAbs(IntNode root) {
        while (root != null) {
            if (Math.abs(root.elem) == 17) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.acos(elem) == 0. */
    public static boolean withAcos(IntNode root) {
        while (root != null) {
            if (Math.acos(root.elem) == 0) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.asin(elem) &gt; 1. */
    public static boolean withAsin(IntNode root) {
        while (root != null) {
            if (Math.asin(root.elem) > 1) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.atan(elem) &gt; 1.5. */
    public static boolean withAtan(IntNode root) {
        while (root != null) {
            if (Math.atan(root.elem) > 1.5) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.cbrt(elem) == 3. */
    public static boolean withCbrt(IntNode root) {
        while (root != null) {
            if (Math.cbrt(root.elem) == 3) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.cos(elem) == 1. */
    public static boolean withCos(IntNode root) {
        while (root != null) {
            if (Math.cos(root.elem) == 1) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.cosh(elem) &gt; 1000. */
    public static boolean withCosh(IntNode root) {
        while (root != null) {
            if (Math.cosh(root.elem) > 1000) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.exp(elem) &lt; 0.001. */
    public static boolean withExp(IntNode root) {
        while (root != null) {
            if (Math.exp(root.elem) < 0.001) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.expm1(elem) &gt; 100. */
    public static boolean withExpm1(IntNode root) {
        while (root != null) {
            if (Math.expm1(root.elem) > 100) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.floorDiv(elem, 7) == -3. */
    public static boolean withFloorDiv(IntNode root) {
        while (root != null) {
            if (Math.floorDiv(root.elem, 7) == -3) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.floorMod(elem, 7) == 5. */
    public static boolean withFloorMod(IntNode root) {
        while (root != null) {
            if (Math.floorMod(root.elem, 7) == 5) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.hypot(elem, 5) == 13. */
    public static boolean withHypot(IntNode root) {
        while (root != null) {
            if (Math.hypot(root.elem, 5) == 13) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.log(elem) &gt; 3. */
    public static boolean withLog(IntNode root) {
        while (root != null) {
            if (Math.log(root.elem) > 3) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.log10(elem) == 1. */
    public static boolean withLog10(IntNode root) {
        while (root != null) {
            if (Math.log10(root.elem) == 1) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.log1p(elem) &lt; 0. */
    public static boolean withLog1p(IntNode root) {
        while (root != null) {
            if (Math.log1p(root.elem) < 0) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.max(elem, 20) &gt; 20. */
    public static boolean withMax(IntNode root) {
        while (root != null) {
            if (Math.max(root.elem, 20) > 20) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.min(elem, -20) &lt; -20. */
    public static boolean withMin(IntNode root) {
        while (root != null) {
            if (Math.min(root.elem, -20) < -20) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.pow(elem, 3) == -125. */
    public static boolean withPow(IntNode root) {
        while (root != null) {
            if (Math.pow(root.elem, 3) == -125) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.signum(elem) == -1. */
    public static boolean withSignum(IntNode root) {
        while (root != null) {
            if (Math.signum(root.elem) == -1) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.sin(elem) &gt; 0.99. */
    public static boolean withSin(IntNode root) {
        while (root != null) {
            if (Math.sin(root.elem) > 0.99) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.sqrt(elem) == 5. */
    public static boolean withSqrt(IntNode root) {
        while (root != null) {
            if (Math.sqrt(root.elem) == 5) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.tan(elem) &lt; -10. */
    public static boolean withTan(IntNode root) {
        while (root != null) {
            if (Math.tan(root.elem) < -10) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.atan2(elem, -1) &gt; 3. */
    public static boolean withAtan2(DoubleNode root) {
        while (root != null) {
            if (Math.atan2(root.elem, -1) > 3) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.ceil(elem) == 3. */
    public static boolean withCeil(DoubleNode root) {
        while (root != null) {
            if (Math.ceil(root.elem) == 3) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.floor(elem) == -3. */
    public static boolean withFloor(DoubleNode root) {
        while (root != null) {
            if (Math.floor(root.elem) == -3) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.rint(elem) == 2. */
    public static boolean withRint(DoubleNode root) {
        while (root != null) {
            if (Math.rint(root.elem) == 2) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.round(elem) == 10. */
    public static boolean withRound(DoubleNode root) {
        while (root != null) {
            if (Math.round(root.elem) == 10) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.sinh(elem) &lt; -50. */
    public static boolean withSinh(DoubleNode root) {
        while (root != null) {
            if (Math.sinh(root.elem) < -50) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.tanh(elem) &gt; 0.9. */
    public static boolean withTanh(DoubleNode root) {
        while (root != null) {
            if (Math.tanh(root.elem) > 0.9) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.toDegrees(elem) &gt; 180. */
    public static boolean withToDegrees(DoubleNode root) {
        while (root != null) {
            if (Math.toDegrees(root.elem) > 180) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.toRadians(elem) &lt; -0.5. */
    public static boolean withToRadians(DoubleNode root) {
        while (root != null) {
            if (Math.toRadians(root.elem) < -0.5) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether there is an element with Math.ulp(elem) &gt; 1. */
    public static boolean withUlp(DoubleNode root) {
        while (root != null) {
            if (Math.ulp(root.elem) > 1) {
                return true;
            }
            root = root.next;
        }
        return false;
    }

    /** Whether a list of integers ends. */
    static boolean repOK(IntNode root) {
        IntNode slow = root;
        for (IntNode fast = root; fast != null && fast.next != null; ) {
            slow = slow.next;
            fast = fast.next.next;
            if (slow == fast) {
                return false;
            }
        }
        return true;
    }

    /** Whether a list of floating-point numbers ends. */
    static boolean repOK(DoubleNode root) {
        DoubleNode slow = root;
        for (DoubleNode fast = root; fast != null && fast.next != null; ) {
            slow = slow.next;
            fast = fast.next.next;
            if (slow == fast) {
                return false;
            }
        }
        return true;
    }
}
