package text;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A text with markers that move along, and with undo. */
public class TextBuffer {
    /** A place in the text. */
    public static final class Marker {
        private int position;
        private final boolean sticky;

        private Marker(int position, boolean sticky) {
            this.position = position;
            this.sticky = sticky;
        }

        public int position() {
            return position;
        }

        /** Whether what is inserted at the marker comes behind it. */
        public boolean isSticky() {
            return sticky;
        }
    }

    private static final class Edit {
        final int position;
        final String removed;
        final String inserted;

        Edit(int position, String removed, String inserted) {
            this.position = position;
            this.removed = removed;
            this.inserted = inserted;
        }
    }

    private final StringBuilder content = new StringBuilder();
    private final List<Marker> markers = new ArrayList<>();
    private final Deque<Edit> undo = new ArrayDeque<>();
    private final Deque<Edit> redo = new ArrayDeque<>();

    public TextBuffer() {}

    public TextBuffer(String text) {
        if (text != null) {
            content.append(text);
        }
    }

    public void insert(int position, String text) {
        replace(position, position, text);
    }

    public void delete(int from, int to) {
        replace(from, to, "");
    }

    public void replace(int from, int to, String text) {
        if (from < 0 || from > to || to > content.length()) {
            throw new IndexOutOfBoundsException(from + " to " + to);
        }
        if (from == to && text.isEmpty()) {
            return;
        }
        Edit edit = new Edit(from, content.substring(from, to), text);
        apply(edit.position, edit.removed, edit.inserted);
        undo.push(edit);
        redo.clear();
    }

    private void apply(int position, String removed, String inserted) {
        int end = position + removed.length();
        content.replace(position, end, inserted);
        for (Marker marker : markers) {
            if (marker.position > end || marker.position == end && end > position) {
                marker.position += inserted.length() - removed.length();
            } else if (marker.position > position) {
                marker.position = position;
            } else if (marker.position == position && !marker.sticky) {
                marker.position += inserted.length();
            }
        }
    }

    public boolean undo() {
        Edit edit = undo.poll();
        if (edit == null) {
            return false;
        }
        apply(edit.position, edit.inserted, edit.removed);
        redo.push(edit);
        return true;
    }

    public boolean redo() {
        if (redo.isEmpty()) {
            return false;
        }
        Edit edit = redo.pop();
        apply(edit.position, edit.removed, edit.inserted);
        undo.push(edit);
        return true;
    }

    public Marker mark(int position, boolean sticky) {
        if (position < 0 || position > content.length()) {
            throw new IndexOutOfBoundsException("no place for a marker: " + position);
        }
        Marker marker = new Marker(position, sticky);
        markers.add(marker);
        return marker;
    }

    public boolean unmark(Marker marker) {
        return markers.remove(marker);
    }

    /** The line that a place is in, from 1. */
    public int lineOf(int position) {
        int line = 1;
        for (int i = 0; i < position && i < content.length(); i++) {
            if (content.charAt(i) == '\n') {
                line++;
            }
        }
        return line;
    }

    /** Where a word begins the next time; -1 if it does not. */
    public int find(String word, int from) {
        if (word.isEmpty()) {
            return -1;
        }
        for (int i = Math.max(from, 0); i + word.length() <= content.length(); i++) {
            int same = 0;
            while (same < word.length() && content.charAt(i + same) == word.charAt(same)) {
                same++;
            }
            if (same == word.length()) {
                return i;
            }
        }
        return -1;
    }

    public int length() {
        return content.length();
    }

    @Override
    public String toString() {
        return content.toString();
    }
}
