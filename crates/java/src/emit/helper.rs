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
}

impl Helper {
    /// All, in the order in which they are written.
    pub const ALL: [Helper; 10] = [
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
        }
    }
}
