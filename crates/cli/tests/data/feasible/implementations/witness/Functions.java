package implementations.witness;

class Functions {
    static boolean changes() {
        int[] count = {0};
        return implementations.Functions.changes(() -> count[0]++);
    }

    static boolean isInconsistent() {
        return implementations.Functions.isInconsistent(String::compareTo);
    }

    static boolean tellsApart() {
        return implementations.Functions.tellsApart(number -> number == 1);
    }

    static boolean isIncreasing() {
        return implementations.Functions.isIncreasing(number -> number);
    }

    static boolean isNotSymmetric() {
        return implementations.Functions.isNotSymmetric((a, b) -> a - b, 1, 2);
    }

    static boolean runs() {
        int[] cell = {0};
        return implementations.Functions.runs(() -> cell[0] = 5, cell);
    }

    static boolean throwsSomething() {
        return implementations.Functions.throwsSomething(() -> {
            throw new IllegalStateException();
        });
    }

    static boolean ends() {
        int[] count = {0};
        return implementations.Functions.ends(new java.util.Iterator<String>() {
            @Override
            public boolean hasNext() {
                return count[0]++ == 0;
            }

            @Override
            public String next() {
                return "";
            }
        });
    }

    static boolean maps() {
        return implementations.Functions.maps(object -> object, 1);
    }

    static boolean isEqualToAll() {
        return implementations.Functions.isEqualToAll(new Object() {
            @Override
            public boolean equals(Object other) {
                return true;
            }

            @Override
            public int hashCode() {
                return 0;
            }
        });
    }

    static boolean isOrdered() {
        Comparable<String> comparable = text -> text.equals("a") ? 77 : -1;
        return implementations.Functions.isOrdered(comparable);
    }

    static boolean hasCharacters() {
        int[] count = {0};
        return implementations.Functions.hasCharacters(new CharSequence() {
            @Override
            public int length() {
                return 1;
            }

            @Override
            public char charAt(int index) {
                return count[0]++ == 0 ? 'x' : 'y';
            }

            @Override
            public CharSequence subSequence(int start, int end) {
                return this;
            }
        });
    }
}
