//! Access flags of classes, fields and methods (JVMS 4.1, 4.5, 4.6).

/// The flags as they stand in the class file. Some bits mean different things on classes, fields
/// and methods, so each question names what it is asked about where that matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Access(pub u16);

impl Access {
    fn has(self, bit: u16) -> bool {
        self.0 & bit != 0
    }

    /// `public`.
    pub fn is_public(self) -> bool {
        self.has(0x0001)
    }

    /// `private`.
    pub fn is_private(self) -> bool {
        self.has(0x0002)
    }

    /// `protected`.
    pub fn is_protected(self) -> bool {
        self.has(0x0004)
    }

    /// None of public, protected and private: visible in the package.
    pub fn is_package_private(self) -> bool {
        !self.has(0x0007)
    }

    /// `static`.
    pub fn is_static(self) -> bool {
        self.has(0x0008)
    }

    /// `final`.
    pub fn is_final(self) -> bool {
        self.has(0x0010)
    }

    /// `synchronized`, of a method.
    pub fn is_synchronized_method(self) -> bool {
        self.has(0x0020)
    }

    /// Whether `invokespecial` in this class searches the superclasses (all compilers set it).
    pub fn has_super_semantics(self) -> bool {
        self.has(0x0020)
    }

    /// Whether a method was made by the compiler to bridge between erased types.
    pub fn is_bridge_method(self) -> bool {
        self.has(0x0040)
    }

    /// `volatile`, of a field.
    pub fn is_volatile_field(self) -> bool {
        self.has(0x0040)
    }

    /// Whether a method takes a variable number of arguments.
    pub fn is_varargs_method(self) -> bool {
        self.has(0x0080)
    }

    /// `transient`, of a field.
    pub fn is_transient_field(self) -> bool {
        self.has(0x0080)
    }

    /// `native`, of a method.
    pub fn is_native_method(self) -> bool {
        self.has(0x0100)
    }

    /// Whether a class is an interface.
    pub fn is_interface(self) -> bool {
        self.has(0x0200)
    }

    /// `abstract`.
    pub fn is_abstract(self) -> bool {
        self.has(0x0400)
    }

    /// Made by the compiler, absent from the source.
    pub fn is_synthetic(self) -> bool {
        self.has(0x1000)
    }

    /// Whether a class is an annotation type.
    pub fn is_annotation(self) -> bool {
        self.has(0x2000)
    }

    /// Whether a class is an enum, or a field one of its constants.
    pub fn is_enum(self) -> bool {
        self.has(0x4000)
    }

    /// Whether the class file describes a module and not a class.
    pub fn is_module(self) -> bool {
        self.has(0x8000)
    }
}
