package trial;

/** Enums, and switches over them. */
public class Enums {
    enum Light {
        RED(3), GREEN(2) {
            @Override
            boolean go() {
                return true;
            }
        },
        AMBER(1);

        final int seconds;

        Light(int seconds) {
            this.seconds = seconds;
        }

        boolean go() {
            return false;
        }
    }

    private Light light = Light.RED;
    private int waited;

    public boolean tick() {
        if (++waited < light.seconds) {
            return false;
        }
        waited = 0;
        switch (light) {
            case RED:
                light = Light.GREEN;
                break;
            case GREEN:
                light = Light.AMBER;
                break;
            default:
                light = Light.RED;
        }
        return true;
    }

    static int wait(Light light) {
        return switch (light) {
            case RED -> 30;
            case GREEN -> 0;
            case AMBER -> 5;
        };
    }

    static Light later(Light light) {
        return Light.values()[(light.ordinal() + 1) % Light.values().length];
    }

    static boolean mayGo(Light light) {
        return light != null && light.go();
    }

    static Light named(String name) {
        return Light.valueOf(name);
    }

    static int compare(Light a, Light b) {
        return a.compareTo(b) > 0 ? 1 : 0;
    }
}
