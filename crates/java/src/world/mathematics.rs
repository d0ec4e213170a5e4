//! Mathematical functions: methods of `Math` and `StrictMath` that are intrinsic functions of the
//! core language instead of bytecode, so that nobody has to walk through their bit tricks.
//!
//! `math.sin` is the function on doubles, `math.abs.float` the one on floats. Functions on
//! integers stay bytecode, and so do `max` and `min`.

use crate::hierarchy::DeclaredMethod;

/// Functions of `Math` on doubles: method, descriptor and intrinsic function.
const DOUBLES: [(&str, &str, &str); 34] = [
    ("sin", "(D)D", "math.sin"),
    ("cos", "(D)D", "math.cos"),
    ("tan", "(D)D", "math.tan"),
    ("asin", "(D)D", "math.asin"),
    ("acos", "(D)D", "math.acos"),
    ("atan", "(D)D", "math.atan"),
    ("atan2", "(DD)D", "math.atan2"),
    ("sinh", "(D)D", "math.sinh"),
    ("cosh", "(D)D", "math.cosh"),
    ("tanh", "(D)D", "math.tanh"),
    ("exp", "(D)D", "math.exp"),
    ("expm1", "(D)D", "math.expm1"),
    ("log", "(D)D", "math.log"),
    ("log10", "(D)D", "math.log10"),
    ("log1p", "(D)D", "math.log1p"),
    ("pow", "(DD)D", "math.pow"),
    ("cbrt", "(D)D", "math.cbrt"),
    ("hypot", "(DD)D", "math.hypot"),
    ("sqrt", "(D)D", "math.sqrt"),
    ("IEEEremainder", "(DD)D", "math.ieee_remainder"),
    ("ceil", "(D)D", "math.ceil"),
    ("floor", "(D)D", "math.floor"),
    ("rint", "(D)D", "math.rint"),
    ("signum", "(D)D", "math.signum"),
    ("ulp", "(D)D", "math.ulp"),
    ("copySign", "(DD)D", "math.copy_sign"),
    ("nextUp", "(D)D", "math.next_up"),
    ("nextDown", "(D)D", "math.next_down"),
    ("nextAfter", "(DD)D", "math.next_after"),
    ("scalb", "(DI)D", "math.scalb"),
    ("getExponent", "(D)I", "math.get_exponent"),
    ("round", "(D)J", "math.round"),
    ("fma", "(DDD)D", "math.fma"),
    ("abs", "(D)D", "math.abs"),
];

/// Functions of `Math` on floats.
const FLOATS: [(&str, &str, &str); 11] = [
    ("signum", "(F)F", "math.signum.float"),
    ("ulp", "(F)F", "math.ulp.float"),
    ("copySign", "(FF)F", "math.copy_sign.float"),
    ("nextUp", "(F)F", "math.next_up.float"),
    ("nextDown", "(F)F", "math.next_down.float"),
    ("nextAfter", "(FD)F", "math.next_after.float"),
    ("scalb", "(FI)F", "math.scalb.float"),
    ("getExponent", "(F)I", "math.get_exponent.float"),
    ("round", "(F)I", "math.round.float"),
    ("fma", "(FFF)F", "math.fma.float"),
    ("abs", "(F)F", "math.abs.float"),
];

/// Numbers from their bits; the other way round the environment has a say.
const BITS: [(&str, &str, &str); 2] = [
    (
        "java.lang.Double",
        "longBitsToDouble",
        "math.bits_to_double",
    ),
    ("java.lang.Float", "intBitsToFloat", "math.bits_to_float"),
];

/// The intrinsic function that a method is, if it is one.
pub(super) fn mathematical(declared: &DeclaredMethod) -> Option<&'static str> {
    let (class, name) = (&*declared.class.name, &*declared.method.name);
    match class {
        // The strict one takes every NaN as positive, and says so in bytecode.
        "java.lang.StrictMath" if name == "copySign" => None,
        "java.lang.Math" | "java.lang.StrictMath" => {
            let descriptor = declared.method.descriptor.descriptor();
            let mut rows = DOUBLES.iter().chain(&FLOATS);
            let row = rows.find(|row| row.0 == name && row.1 == descriptor);
            row.map(|row| row.2)
        }
        "java.lang.Double" | "java.lang.Float" => {
            let row = BITS.iter().find(|row| row.0 == class && row.1 == name);
            row.map(|row| row.2)
        }
        _ => None,
    }
}
