package statics.witness;

import java.lang.reflect.Method;

class Objects {
    static boolean isUsed() throws ReflectiveOperationException {
        Class<?> color = Class.forName("statics.Objects$Color");
        Object red = color.getEnumConstants()[0];
        Method use = statics.Objects.class.getMethod("isUsed", color);
        use.invoke(null, red);
        return (boolean) use.invoke(null, red);
    }

    static boolean isLabelled() {
        statics.Objects.isLabelled();
        return statics.Objects.isLabelled();
    }

    static boolean isBoxed() {
        statics.Objects.isBoxed();
        return statics.Objects.isBoxed();
    }

    static boolean isInside() {
        statics.Objects.isInside();
        return statics.Objects.isInside();
    }

    static boolean isHidden() {
        statics.Objects.isHidden();
        return statics.Objects.isHidden();
    }

    static boolean isNil() throws ReflectiveOperationException {
        Class<?> box = Class.forName("statics.Objects$Box");
        java.lang.reflect.Field nil = statics.Objects.class.getDeclaredField("NIL");
        nil.setAccessible(true);
        return (boolean) statics.Objects.class.getMethod("isNil", box).invoke(null, nil.get(null));
    }

    static boolean isLinked() {
        statics.Objects.isLinked();
        return statics.Objects.isLinked();
    }

    static boolean isPaired() {
        statics.Objects.isPaired();
        return statics.Objects.isPaired();
    }

    static boolean isInTable() {
        statics.Objects.isInTable(1);
        return statics.Objects.isInTable(1);
    }

    static boolean isCurrent() throws ReflectiveOperationException {
        Method make = statics.Objects.class.getDeclaredMethod("makeCurrent");
        make.setAccessible(true);
        make.invoke(null);
        return statics.Objects.isCurrent();
    }

    static boolean isCalled() {
        statics.Objects.isCalled();
        statics.Objects.isCalled();
        return statics.Objects.isCalled();
    }
}
