package implementations.witness;

class Shapes {
    static boolean isSeven() {
        return implementations.Shapes.isSeven(() -> 7);
    }

    static boolean grows() {
        int[] count = {0};
        return implementations.Shapes.grows(() -> count[0]++);
    }

    static boolean isUnknown() {
        return implementations.Shapes.isUnknown(() -> 0);
    }

    static boolean hasLarge() {
        return implementations.Shapes.hasLarge(new implementations.Shapes.Shape[] {() -> 101});
    }

    static boolean areDifferent() {
        return implementations.Shapes.areDifferent(new implementations.Shapes.Pair() {
            @Override
            public int first() {
                return 1;
            }

            @Override
            public int second() {
                return 2;
            }
        });
    }

    static boolean isFour() {
        return implementations.Shapes.isFour(new Rectangle());
    }

    static boolean isBig() {
        return implementations.Shapes.isBig(new Rectangle());
    }

    static boolean holdsSeven() throws ReflectiveOperationException {
        var shapes = new implementations.Shapes();
        var field = implementations.Shapes.class.getDeclaredField("shape");
        field.setAccessible(true);
        implementations.Shapes.Shape seven = () -> 7;
        field.set(shapes, seven);
        return implementations.Shapes.holdsSeven(shapes);
    }

    static boolean isNoTriangle() {
        return implementations.Shapes.isNoTriangle(new Rectangle());
    }

    private static class Rectangle extends implementations.Shapes.Figure {
        @Override
        public int corners() {
            return 4;
        }

        @Override
        public int size() {
            return 2;
        }
    }
}
