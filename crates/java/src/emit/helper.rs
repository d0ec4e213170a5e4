//! The reflective methods at the end of a test class.

/// One of the methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Helper {
    /// Reads a field of an object, by name.
    Get,
    /// Reads a field that a class declares; a static one if the object is null.
    GetDeclared,
    /// Writes a field of an object, by name.
    Set,
    /// Writes a field that a class declares; a static one if the object is null.
    SetDeclared,
    /// Makes an object without a constructor.
    Make,
    /// Calls a method.
    Call,
    /// Calls a constructor.
    Create,
    /// A class by its binary name.
    Type,
    /// Asserts that objects are different ones.
    Distinct,
    /// Finds a field.
    Field,
    /// Remembers what is in objects.
    Keep,
}

impl Helper {
    /// All, in the order in which they are written.
    pub const ALL: [Helper; 11] = [
        Helper::Get,
        Helper::GetDeclared,
        Helper::Set,
        Helper::SetDeclared,
        Helper::Make,
        Helper::Call,
        Helper::Create,
        Helper::Type,
        Helper::Distinct,
        Helper::Field,
        Helper::Keep,
    ];

    /// The method that this one calls.
    pub fn needs(self) -> Option<Helper> {
        match self {
            Helper::Get => Some(Helper::GetDeclared),
            Helper::Set => Some(Helper::SetDeclared),
            Helper::GetDeclared | Helper::SetDeclared => Some(Helper::Field),
            _ => None,
        }
    }

    /// The method as it is written, indented.
    pub fn text(self) -> &'static str {
        match self {
            Helper::Get => {
                r#"    private static Object get(Object object, String name) {
        return get(object, object.getClass(), name);
    }
"#
            }
            Helper::GetDeclared => {
                r#"    private static Object get(Object object, Class<?> type, String name) {
        try {
            return field(type, name).get(object);
        } catch (ReflectiveOperationException problem) {
            throw new AssertionError(problem);
        }
    }
"#
            }
            Helper::Set => {
                r#"    private static void set(Object object, String name, Object value) {
        set(object, object.getClass(), name, value);
    }
"#
            }
            Helper::SetDeclared => {
                r#"    private static void set(Object object, Class<?> type, String name, Object value) {
        try {
            field(type, name).set(object, value);
        } catch (ReflectiveOperationException problem) {
            throw new AssertionError(problem);
        }
    }
"#
            }
            Helper::Make => {
                r#"    /** An object of a class, made without a constructor. */
    private static <T> T make(Class<T> type) {
        try {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            java.lang.reflect.Field instance = unsafe.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            java.lang.reflect.Method allocate = unsafe.getMethod("allocateInstance", Class.class);
            return type.cast(allocate.invoke(instance.get(null), type));
        } catch (ReflectiveOperationException problem) {
            throw new AssertionError(problem);
        }
    }
"#
            }
            Helper::Call => {
                r#"    private static Object call(Object object, Class<?> type, String name, Class<?>[] parameters,
            Object... arguments) throws Throwable {
        java.lang.reflect.Method method = type.getDeclaredMethod(name, parameters);
        method.setAccessible(true);
        try {
            return method.invoke(object, arguments);
        } catch (java.lang.reflect.InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
"#
            }
            Helper::Create => {
                r#"    private static Object create(Class<?> type, Class<?>[] parameters, Object... arguments)
            throws Throwable {
        java.lang.reflect.Constructor<?> constructor = type.getDeclaredConstructor(parameters);
        constructor.setAccessible(true);
        try {
            return constructor.newInstance(arguments);
        } catch (java.lang.reflect.InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
"#
            }
            Helper::Type => {
                r#"    private static Class<?> type(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException problem) {
            throw new AssertionError(problem);
        }
    }
"#
            }
            Helper::Distinct => {
                r#"    /** Asserts that no object is given twice. */
    private static void distinct(Object... objects) {
        for (int i = 0; i < objects.length; i++) {
            for (int j = 0; j < i; j++) {
                assertNotSame(objects[i], objects[j]);
            }
        }
    }
"#
            }
            Helper::Field => {
                r#"    private static java.lang.reflect.Field field(Class<?> type, String name)
            throws NoSuchFieldException {
        for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
            for (java.lang.reflect.Field field : declaring.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    return field;
                }
            }
        }
        throw new NoSuchFieldException(name);
    }
"#
            }
            Helper::Keep => KEEP,
        }
    }
}

/// Walks through what a static field leads to, and remembers it. What is met last is put back first,
/// because sets and maps need elements that are what they were.
const KEEP: &str = r#"    /** Remembers what is in an object and in all objects behind it, for restoreStatics(). */
    @SuppressWarnings({"rawtypes", "unchecked"})
    private void keep(Object root) {
        java.util.Set<Object> seen =
                java.util.Collections.newSetFromMap(new java.util.IdentityHashMap<>());
        java.util.ArrayDeque<Object> waiting = new java.util.ArrayDeque<>();
        java.util.function.Consumer<Object> meet = object -> {
            if (object != null && seen.add(object)) {
                waiting.add(object);
            }
        };
        meet.accept(root);
        while (!waiting.isEmpty()) {
            Object object = waiting.poll();
            if (object.getClass().isArray()) {
                int length = java.lang.reflect.Array.getLength(object);
                Class<?> element = object.getClass().getComponentType();
                Object copy = java.lang.reflect.Array.newInstance(element, length);
                System.arraycopy(object, 0, copy, 0, length);
                kept.push(() -> System.arraycopy(copy, 0, object, 0, length));
                if (copy instanceof Object[]) {
                    java.util.Arrays.asList((Object[]) copy).forEach(meet);
                }
            } else if (object instanceof java.util.Collection && isOfJdk(object.getClass())) {
                java.util.Collection all = (java.util.Collection) object;
                java.util.List copy = new java.util.ArrayList(all);
                kept.push(() -> {
                    if (!isSame(copy, new java.util.ArrayList(all))) {
                        try {
                            all.clear();
                            all.addAll(copy);
                        } catch (UnsupportedOperationException hasFixedSize) {
                            java.util.Collections.copy((java.util.List) all, copy);
                        }
                    }
                });
                copy.forEach(meet);
            } else if (object instanceof java.util.Map && isOfJdk(object.getClass())) {
                java.util.Map map = (java.util.Map) object;
                java.util.List keys = new java.util.ArrayList(map.keySet());
                java.util.List values = new java.util.ArrayList(map.values());
                kept.push(() -> {
                    if (!isSame(keys, new java.util.ArrayList(map.keySet()))
                            || !isSame(values, new java.util.ArrayList(map.values()))) {
                        map.clear();
                        for (int i = 0; i < keys.size(); i++) {
                            map.put(keys.get(i), values.get(i));
                        }
                    }
                });
                keys.forEach(meet);
                values.forEach(meet);
            } else if (object instanceof ThreadLocal) {
                ((ThreadLocal) object).remove();
                kept.push(((ThreadLocal) object)::remove);
            } else if (object instanceof StringBuilder) {
                String text = object.toString();
                kept.push(() -> ((StringBuilder) object).replace(
                        0, ((StringBuilder) object).length(), text));
            } else if (object instanceof StringBuffer) {
                String text = object.toString();
                kept.push(() -> ((StringBuffer) object).replace(
                        0, ((StringBuffer) object).length(), text));
            } else if (object instanceof java.util.concurrent.atomic.AtomicInteger) {
                int value = ((java.util.concurrent.atomic.AtomicInteger) object).get();
                kept.push(() -> ((java.util.concurrent.atomic.AtomicInteger) object).set(value));
            } else if (object instanceof java.util.concurrent.atomic.AtomicLong) {
                long value = ((java.util.concurrent.atomic.AtomicLong) object).get();
                kept.push(() -> ((java.util.concurrent.atomic.AtomicLong) object).set(value));
            } else if (object instanceof java.util.concurrent.atomic.AtomicBoolean) {
                boolean value = ((java.util.concurrent.atomic.AtomicBoolean) object).get();
                kept.push(() -> ((java.util.concurrent.atomic.AtomicBoolean) object).set(value));
            } else if (object instanceof java.util.concurrent.atomic.AtomicReference) {
                Object value = ((java.util.concurrent.atomic.AtomicReference) object).get();
                kept.push(() -> ((java.util.concurrent.atomic.AtomicReference) object).set(value));
                meet.accept(value);
            }
            Class<?> type = object.getClass();
            while (type != null && !isOfJdk(type)) {
                for (java.lang.reflect.Field field : type.getDeclaredFields()) {
                    int modifiers = field.getModifiers();
                    if (java.lang.reflect.Modifier.isStatic(modifiers)) {
                        continue;
                    }
                    try {
                        field.setAccessible(true);
                        Object value = field.get(object);
                        if (!java.lang.reflect.Modifier.isFinal(modifiers)) {
                            kept.push(() -> {
                                try {
                                    field.set(object, value);
                                } catch (IllegalAccessException problem) {
                                    throw new AssertionError(problem);
                                }
                            });
                        }
                        if (!field.getType().isPrimitive()) {
                            meet.accept(value);
                        }
                    } catch (IllegalAccessException problem) {
                        throw new AssertionError(problem);
                    }
                }
                type = type.getSuperclass();
            }
        }
    }

    private static boolean isOfJdk(Class<?> type) {
        return type.getName().matches("(java|javax|jdk|sun)[.].*");
    }

    /** Whether lists have the same objects, however these compare. */
    private static boolean isSame(java.util.List<?> one, java.util.List<?> other) {
        for (int i = 0; i < one.size() && i < other.size(); i++) {
            if (one.get(i) != other.get(i)) {
                return false;
            }
        }
        return one.size() == other.size();
    }
"#;
