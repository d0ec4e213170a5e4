package help;

import shapes.Node;

/** The same by objects, behind an interface. */
public interface Marker {
    void set(Node node);

    /** Sets the mark. */
    final class Plain implements Marker {
        @Override
        public void set(Node node) {
            node.mark = true;
        }
    }
}
