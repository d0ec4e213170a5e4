package subs;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.Writer;
import java.util.EventObject;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.TimerTask;

/** Subclasses of other classes of the JDK. */
class Others {
    static class Task extends TimerTask {
        boolean ran;
        int count;

        public void run() {
            if (count > 2) {
                ran = true;
            }
            count++;
        }

        boolean stop() {
            if (ran) {
                return cancel();
            }
            return true;
        }
    }

    static class Signal extends EventObject {
        int code;

        Signal(Object source, int code) {
            super(source);
            this.code = code;
        }

        boolean isRed() {
            return code == 42;
        }

        boolean isFromText() {
            return getSource() instanceof String;
        }
    }

    static class Ones extends Reader {
        int left;

        public int read(char[] buffer, int from, int length) {
            if (left <= 0) {
                return -1;
            }
            left--;
            buffer[from] = '1';
            return 1;
        }

        public void close() {
            left = 0;
        }

        int next() throws IOException {
            synchronized (lock) {
                int read = read();
                return read < 0 ? -5 : read;
            }
        }
    }

    static class Lengths extends Writer {
        int total;

        public void write(char[] text, int from, int length) {
            if (length > 2) {
                total += length;
            }
        }

        public void flush() {}

        public void close() {
            total = -1;
        }
    }

    static class Sevens extends InputStream {
        int left;

        public int read() {
            if (left == 0) {
                return -1;
            }
            left--;
            return 7;
        }
    }

    static class Whole extends Number {
        int value;

        public int intValue() {
            return value;
        }

        public long longValue() {
            return value;
        }

        public float floatValue() {
            return value;
        }

        public double doubleValue() {
            return value < 0 ? -1 : value;
        }
    }

    static class Texts implements Iterator<String> {
        int next;
        String[] texts;

        public boolean hasNext() {
            return texts != null && next < texts.length;
        }

        public String next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return texts[next++];
        }
    }

    static class Keyed implements Comparable<Keyed> {
        int key;

        public int compareTo(Keyed other) {
            if (key < other.key) {
                return -1;
            }
            return key == other.key ? 0 : 1;
        }
    }

    static class Problem extends Exception {
        int code;

        Problem(String message) {
            super(message);
        }

        boolean isBad() {
            return code > 3;
        }
    }
}
