/** A class of the default package. */
class Loose {
    int weight;
    Loose[] parts;

    int total() {
        int total = weight;
        if (parts != null) {
            for (Loose part : parts) {
                total += part.weight;
            }
        }
        return total;
    }

    static Loose heavier(Loose a, Loose b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.weight >= b.weight ? a : b;
    }

    boolean inside(Loose other) {
        for (Loose part : other.parts) {
            if (part == this) {
                return true;
            }
        }
        return false;
    }
}
