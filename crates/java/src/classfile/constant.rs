//! Constants and references, with the indices into the constant pool resolved.

use super::modified_utf8::JavaString;
use crate::descriptor::{MethodDescriptor, Name, Type};
use std::sync::Arc;

/// A constant that an instruction loads, a field starts with, or a bootstrap method is given.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Constant {
    /// The null reference; only `aconst_null` gives it.
    Null,
    /// A 32-bit integer.
    Int(i32),
    /// A 64-bit integer.
    Long(i64),
    /// The bits of a float, so that every NaN stays the one that it is.
    Float(u32),
    /// The bits of a double.
    Double(u64),
    /// A string.
    String(JavaString),
    /// A class or an array type. (Mirrors of primitive types are fields or dynamic constants.)
    Class(Type),
    /// A method handle.
    MethodHandle(Arc<MethodHandle>),
    /// A method type.
    MethodType(Arc<MethodDescriptor>),
    /// A constant that a bootstrap method computes.
    Dynamic(Arc<DynamicConstant>),
}

/// A reference to a field.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct FieldReference {
    /// The class in which the search for the field begins.
    pub class: Name,
    /// The field's name.
    pub name: Name,
    /// The field's type.
    pub ty: Type,
}

/// A reference to a method.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MethodReference {
    /// The class, interface or array type in which the search for the method begins.
    pub class: Type,
    /// The method's name.
    pub name: Name,
    /// Its parameters and result.
    pub descriptor: Arc<MethodDescriptor>,
    /// Whether the reference says that `class` is an interface.
    pub is_interface: bool,
}

/// What a method handle does when it is invoked (JVMS table 5.4.3.5-A).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum MethodHandle {
    /// Reads a field of an object.
    GetField(Arc<FieldReference>),
    /// Reads a static field.
    GetStatic(Arc<FieldReference>),
    /// Writes a field of an object.
    PutField(Arc<FieldReference>),
    /// Writes a static field.
    PutStatic(Arc<FieldReference>),
    /// Calls a method of a class, selected by the receiver.
    InvokeVirtual(Arc<MethodReference>),
    /// Calls a static method.
    InvokeStatic(Arc<MethodReference>),
    /// Calls exactly this method.
    InvokeSpecial(Arc<MethodReference>),
    /// Creates an object and calls this constructor.
    NewInvokeSpecial(Arc<MethodReference>),
    /// Calls a method of an interface, selected by the receiver.
    InvokeInterface(Arc<MethodReference>),
}

/// A bootstrap method with its static arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Bootstrap {
    /// The method that is asked.
    pub method: Arc<MethodHandle>,
    /// What it is given beyond the name and the type.
    pub arguments: Vec<Constant>,
}

/// A constant that a bootstrap method computes (`CONSTANT_Dynamic`).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DynamicConstant {
    /// The name that the bootstrap method is given.
    pub name: Name,
    /// The constant's type.
    pub ty: Type,
    /// Who computes it.
    pub bootstrap: Arc<Bootstrap>,
}

/// A call site that a bootstrap method links (`invokedynamic`).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DynamicCall {
    /// The name that the bootstrap method is given.
    pub name: Name,
    /// What the call site takes and gives.
    pub descriptor: Arc<MethodDescriptor>,
    /// Who links it.
    pub bootstrap: Arc<Bootstrap>,
}
