//! Methods whose bodies are not bytecode: native ones, and a few of the JDK that would start up
//! half of a virtual machine.
//!
//! What can be said in the core language is (see `native_bodies`); the rest is a call of an
//! intrinsic function: one that every domain knows, or one with the method's name and descriptor
//! (`java.lang.Thread#start0()V`), which none does.

use heapwright_ir::machine::environment::Environment;
use heapwright_ir::machine::intrinsic::IDENTITY;

use super::mathematics::mathematical;
use super::methods::COPY_OBJECT;
use super::mirrors::Question;
use super::slots::{SlotAccess, slot_access};
use super::surroundings::{Answer, asked, is_out_of_reach};
use crate::descriptor::{Primitive, Type};
use crate::hierarchy::DeclaredMethod;

/// What such a method does.
#[derive(Debug, Clone, Copy)]
pub(super) enum Native {
    /// Nothing, with the default value of its result.
    Default,
    /// Returns this parameter.
    Param(u32),
    /// Returns a number.
    Number(i128),
    /// Asks the class of the receiver for its class object.
    ClassObject,
    /// `System.arraycopy`.
    ArrayCopy,
    /// Calls a method of the first parameter that has no further parameters.
    CallFirst(&'static str),
    /// `~length`, the answer of the vectorised comparison that compared nothing.
    ComplementOfLength,
    /// Whether the receiver is the class object of a primitive type.
    IsPrimitive,
    /// Whether a field of the receiver is not null.
    HasField(&'static str),
    /// Whether a field of the receiver is the second parameter.
    FieldIs(&'static str),
    /// Returns a new object of a class, made by the constructor without parameters.
    Fresh(&'static str),
    /// Asks a class object about its class.
    Ask(Question),
    /// `SharedSecrets.getJavaLangAccess`, which has `System` make its object at first.
    JavaLangAccess,
    /// A method of `Unsafe` that reads or writes a field or an element.
    Slot(SlotAccess),
    /// Returns a box; those of the numbers in this range are always the same.
    Box(i128, i128),
    /// Returns the only thread there is.
    CurrentThread,
    /// `String.intern`.
    Intern,
    /// Returns the empty string.
    EmptyString,
    /// Asks about the environment.
    Environment(Environment, Answer),
    /// Calls this intrinsic function.
    Function(&'static str),
    /// Calls the intrinsic function of its own name.
    Intrinsic,
}

/// Classes whose static initialisers need a running virtual machine.
pub(super) fn skips_initialiser(class: &str) -> bool {
    matches!(
        class,
        "java.lang.ref.Reference"
            | "java.lang.ref.Finalizer"
            | "jdk.internal.misc.VM"
            | "jdk.internal.util.StaticProperty"
    )
}

/// What a method does if it is one of these.
pub(super) fn native(declared: &DeclaredMethod) -> Option<Native> {
    if let Some((part, answer)) = asked(declared) {
        return Some(Native::Environment(part, answer));
    }
    if is_out_of_reach(&declared.class.name, &declared.method.name) {
        return Some(Native::Intrinsic);
    }
    if let Some(function) = mathematical(declared) {
        return Some(Native::Function(function));
    }
    if let Some(access) = slot_access(declared) {
        return Some(Native::Slot(access));
    }
    if let Some((first, last)) = boxed(declared) {
        return Some(Native::Box(first, last));
    }
    let name = format!("{}#{}", declared.class.name, declared.method.name);
    let result = match name.as_str() {
        "java.lang.Object#getClass" => Native::ClassObject,
        "java.lang.Object#clone" => Native::CallFirst(COPY_OBJECT),
        "java.lang.System#arraycopy" => Native::ArrayCopy,
        "java.lang.Class#isHidden"
        | "java.lang.StringUTF16#isBigEndian"
        | "jdk.internal.misc.VM#getSavedProperty"
        | "jdk.internal.misc.VM#initialize"
        | "jdk.internal.misc.CDS#initializeFromArchive"
        | "jdk.internal.misc.CDS#getRandomSeedForDumping"
        | "jdk.internal.misc.CDS#isDumpingClassList0"
        | "jdk.internal.misc.CDS#isDumpingArchive0"
        | "jdk.internal.misc.CDS#isSharingEnabled0"
        | "jdk.internal.misc.CDS#getCDSConfigStatus"
        | "jdk.internal.reflect.Reflection#getCallerClass"
        | "jdk.internal.misc.Unsafe#arrayBaseOffset0"
        | "java.util.concurrent.atomic.AtomicLong#VMSupportsCS8"
        | "jdk.internal.misc.Unsafe#fullFence"
        | "jdk.internal.misc.Unsafe#loadFence"
        | "jdk.internal.misc.Unsafe#storeFence"
        | "jdk.internal.util.Preconditions#outOfBoundsMessage" => Native::Default,
        // What reflection hides, which is asked for only where reflection has found something.
        "jdk.internal.reflect.Reflection#registerFieldsToFilter"
        | "jdk.internal.reflect.Reflection#registerMethodsToFilter" => Native::Default,
        "java.security.AccessController#doPrivileged" => {
            Native::CallFirst("run()Ljava/lang/Object;")
        }
        // `Unsafe` counts elements from 0 by 1: see `slots`.
        "jdk.internal.misc.Unsafe#arrayIndexScale0" => Native::Number(1),
        "java.lang.Class#isPrimitive" => Native::IsPrimitive,
        "java.lang.Class#isArray" => Native::HasField("componentType"),
        "java.lang.ref.Reference#refersTo0" => Native::FieldIs("referent"),
        // There are no properties for the JDK itself.
        "sun.security.action.GetPropertyAction#privilegedGetProperties" => {
            Native::Fresh("java.util.Properties")
        }
        // Those that have to be there are empty.
        "jdk.internal.util.StaticProperty#getProperty" => Native::EmptyString,
        // The digit zero of every locale.
        "java.util.Formatter#getZero" | "java.util.Formatter#zero" => {
            Native::Number(i128::from(b'0'))
        }
        "java.lang.Class#getEnumConstantsShared" => Native::Ask(Question::EnumConstants),
        "java.lang.Class#getSuperclass" => Native::Ask(Question::Superclass),
        "java.lang.Class#isInterface" => Native::Ask(Question::IsInterface),
        "java.lang.Class#getModifiers" => Native::Ask(Question::Modifiers),
        "java.lang.Class#isInstance" => Native::Ask(Question::IsInstance),
        "java.lang.Class#getSimpleName" => Native::Ask(Question::SimpleName),
        "java.lang.Class#getCanonicalName" => Native::Ask(Question::CanonicalName),
        "java.lang.Class#desiredAssertionStatus" => Native::Ask(Question::Assertions),
        "jdk.internal.access.SharedSecrets#getJavaLangAccess" => Native::JavaLangAccess,
        "java.lang.Throwable#fillInStackTrace" => Native::Param(0),
        "java.lang.Object#hashCode" | "java.lang.System#identityHashCode" => {
            Native::Function(IDENTITY)
        }
        "java.lang.Thread#currentThread" | "java.lang.Thread#currentCarrierThread" => {
            Native::CurrentThread
        }
        "java.lang.String#intern" => Native::Intern,
        "java.lang.reflect.Array#newArray" => Native::Ask(Question::NewArray),
        "jdk.internal.util.ArraysSupport#vectorizedMismatch" => Native::ComplementOfLength,
        _ if !declared.method.access.is_native_method() => return None,
        _ if matches!(&*declared.method.name, "registerNatives" | "initIDs") => Native::Default,
        _ => Native::Intrinsic,
    };
    Some(result)
}

/// The numbers whose boxes are always the same, if a method makes boxes: `Integer.valueOf(int)`. The
/// specifications of these methods name the ranges; a virtual machine may be told to have more.
fn boxed(declared: &DeclaredMethod) -> Option<(i128, i128)> {
    let primitive = match &*declared.class.name {
        "java.lang.Byte" => Primitive::Byte,
        "java.lang.Short" => Primitive::Short,
        "java.lang.Character" => Primitive::Char,
        "java.lang.Integer" => Primitive::Int,
        "java.lang.Long" => Primitive::Long,
        _ => return None,
    };
    let is_value_of = &*declared.method.name == "valueOf"
        && declared.method.descriptor.parameters == [Type::Primitive(primitive)];
    let first = match primitive {
        Primitive::Char => 0,
        _ => -128,
    };
    is_value_of.then_some((first, 127))
}
