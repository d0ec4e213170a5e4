//! The native methods that a concrete run needs and the core language cannot express.
//!
//! `Unsafe` finds fields and elements by numbers. Here such a number is the position in the list
//! of fields or elements, which is all that the JDK's own code needs.

use heapwright_ir::machine::concrete::{Concrete, IntrinsicFn, Memory, Value};
use heapwright_ir::machine::{Address, Intrinsic};

use super::math_intrinsics;

/// The functions by name.
const INTRINSICS: [(&str, IntrinsicFn); 4] = [
    ("java.lang.Object#hashCode()I", identity_hash),
    (
        "java.lang.System#identityHashCode(Ljava/lang/Object;)I",
        identity_hash,
    ),
    ("java.lang.System#nanoTime()J", zero),
    ("java.lang.System#currentTimeMillis()J", zero),
];

/// Provides the native methods of the JDK that concrete runs know.
pub fn provide_intrinsics(domain: &mut Concrete<'_>) {
    for (name, function) in natives() {
        domain.provide(name, function);
    }
    math_intrinsics::provide(domain);
}

/// The native methods of the JDK that concrete runs know, by name.
pub fn natives() -> Vec<(String, IntrinsicFn)> {
    let mut natives: Vec<(String, IntrinsicFn)> = (INTRINSICS.iter())
        .map(|&(name, function)| (name.to_owned(), function))
        .collect();
    for (name, ty) in [
        ("Reference", "Ljava/lang/Object;"),
        ("Int", "I"),
        ("Long", "J"),
    ] {
        let place = "Ljava/lang/Object;J";
        let unsafe_class = "jdk.internal.misc.Unsafe";
        for kind in ["", "Volatile"] {
            let get = format!("{unsafe_class}#get{name}{kind}({place}){ty}");
            natives.push((get, unsafe_get));
            let put = format!("{unsafe_class}#put{name}{kind}({place}{ty})V");
            natives.push((put, unsafe_put));
        }
        let swap = format!("{unsafe_class}#compareAndSet{name}({place}{ty}{ty})Z");
        natives.push((swap, unsafe_compare_and_set));
    }
    natives
}

fn returned(value: Value) -> Intrinsic<Value> {
    Intrinsic::Returned(Some(value))
}

/// Any number will do, as long as an object keeps it.
fn identity_hash(_: &mut Memory, args: &[Value]) -> Intrinsic<Value> {
    match args {
        [Value::Pointer(address)] => {
            let hash = address.object.0.wrapping_add(1).wrapping_mul(0x9e37_79b1) >> 7;
            returned(Value::Int(hash.into()))
        }
        [Value::Null] => returned(Value::Int(0)),
        _ => Intrinsic::Unknown,
    }
}

/// Time stands still: runs are functions of their input.
fn zero(_: &mut Memory, _: &[Value]) -> Intrinsic<Value> {
    returned(Value::Int(0))
}

/// The field or element that `Unsafe` means.
fn unsafe_slot<'m>(
    memory: &'m mut Memory,
    object: &Value,
    position: &Value,
) -> Option<&'m mut Value> {
    let (Value::Pointer(Address { object, .. }), Value::Int(position)) = (object, position) else {
        return None;
    };
    let position = usize::try_from(*position).ok()?;
    let object = memory.object_mut(*object).ok()?;
    object.contents.get_mut(position)
}

fn unsafe_get(memory: &mut Memory, args: &[Value]) -> Intrinsic<Value> {
    match args {
        [_, object, position] => match unsafe_slot(memory, object, position) {
            Some(slot) => returned(*slot),
            None => Intrinsic::Unknown,
        },
        _ => Intrinsic::Unknown,
    }
}

fn unsafe_put(memory: &mut Memory, args: &[Value]) -> Intrinsic<Value> {
    match args {
        [_, object, position, value] => match unsafe_slot(memory, object, position) {
            Some(slot) => {
                *slot = *value;
                Intrinsic::Returned(None)
            }
            None => Intrinsic::Unknown,
        },
        _ => Intrinsic::Unknown,
    }
}

fn unsafe_compare_and_set(memory: &mut Memory, args: &[Value]) -> Intrinsic<Value> {
    match args {
        [_, object, position, expected, value] => match unsafe_slot(memory, object, position) {
            Some(slot) => {
                let same = *slot == *expected;
                if same {
                    *slot = *value;
                }
                returned(Value::Bool(same))
            }
            None => Intrinsic::Unknown,
        },
        _ => Intrinsic::Unknown,
    }
}
