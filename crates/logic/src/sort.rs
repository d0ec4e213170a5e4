//! Sorts: what kind of value a term stands for.
//!
//! Integers have one meaning throughout, the mathematical one.
//! A machine type only says which range a variable lives in; wrap-around is
//! written explicitly with [`Term::Wrap`](crate::Term::Wrap), so the arithmetic of a
//! specification is exact while that of a program is bit-precise.

use std::fmt;

/// Identifies a class (or struct) in [`Definitions`](crate::Definitions).
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct ClassId(pub u32);

impl ClassId {
    /// The class of `null` and of references about which nothing is declared.
    pub const ANY: ClassId = ClassId(0);

    /// Position in the table of classes.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The integer types of the languages under test.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub enum IntType {
    /// 8 bits, signed.
    I8,
    /// 16 bits, signed.
    I16,
    /// 32 bits, signed.
    I32,
    /// 64 bits, signed.
    I64,
    /// 8 bits, unsigned.
    U8,
    /// 16 bits, unsigned.
    U16,
    /// 32 bits, unsigned.
    U32,
    /// 64 bits, unsigned.
    U64,
    /// A UTF-16 code unit: 16 bits, unsigned, printed as a character.
    Char,
}

impl IntType {
    /// Every integer type, in declaration order.
    pub const ALL: [IntType; 9] = [
        IntType::I8,
        IntType::I16,
        IntType::I32,
        IntType::I64,
        IntType::U8,
        IntType::U16,
        IntType::U32,
        IntType::U64,
        IntType::Char,
    ];

    /// Width in bits.
    pub fn bits(self) -> u32 {
        match self {
            IntType::I8 | IntType::U8 => 8,
            IntType::I16 | IntType::U16 | IntType::Char => 16,
            IntType::I32 | IntType::U32 => 32,
            IntType::I64 | IntType::U64 => 64,
        }
    }

    /// Whether the type has negative values.
    pub fn signed(self) -> bool {
        matches!(
            self,
            IntType::I8 | IntType::I16 | IntType::I32 | IntType::I64
        )
    }

    /// Smallest value.
    pub fn min(self) -> i128 {
        if self.signed() {
            -(1i128 << (self.bits() - 1))
        } else {
            0
        }
    }

    /// Largest value.
    pub fn max(self) -> i128 {
        if self.signed() {
            (1i128 << (self.bits() - 1)) - 1
        } else {
            (1i128 << self.bits()) - 1
        }
    }

    /// Whether `value` lies in the type's range.
    pub fn contains(self, value: i128) -> bool {
        (self.min()..=self.max()).contains(&value)
    }

    /// The value of this type that is congruent to `value` modulo 2^bits.
    pub fn wrap(self, value: i128) -> i128 {
        // Nearly always nothing is to be done, and a division of this width takes long.
        if (self.min()..=self.max()).contains(&value) {
            return value;
        }
        let modulus = 1i128 << self.bits();
        let low = value.rem_euclid(modulus);
        if low > self.max() { low - modulus } else { low }
    }

    /// The name used in specifications.
    pub fn name(self) -> &'static str {
        match self {
            IntType::I8 => "byte",
            IntType::I16 => "short",
            IntType::I32 => "int",
            IntType::I64 => "long",
            IntType::U8 => "ubyte",
            IntType::U16 => "ushort",
            IntType::U32 => "uint",
            IntType::U64 => "ulong",
            IntType::Char => "char",
        }
    }
}

/// The two IEEE 754 formats.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub enum FloatType {
    /// binary32.
    Single,
    /// binary64.
    Double,
}

/// The sort of a term.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Mathematical integers: sizes, heights, bounds and other ghosts.
    Int,
    /// Integers of a machine type.
    Machine(IntType),
    /// IEEE floating point.
    Float(FloatType),
    /// References to objects of a class or its subclasses, or null.
    Ref(ClassId),
}

impl Sort {
    /// Mathematical or machine integer.
    pub fn is_integer(self) -> bool {
        matches!(self, Sort::Int | Sort::Machine(_))
    }

    /// A reference of any class.
    pub fn is_ref(self) -> bool {
        matches!(self, Sort::Ref(_))
    }

    /// Whether terms of the two sorts may be compared with `=`.
    /// Classes are compared by the type checker of the specification, not here.
    pub fn comparable(self, other: Sort) -> bool {
        self == other
            || (self.is_integer() && other.is_integer())
            || (self.is_ref() && other.is_ref())
    }
}

impl fmt::Display for IntType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_agrees_with_the_machine() {
        for value in [
            0,
            1,
            -1,
            127,
            128,
            255,
            256,
            -129,
            1 << 40,
            -(1 << 40),
            i64::MAX as i128,
        ] {
            assert_eq!(IntType::I8.wrap(value), value as i8 as i128);
            assert_eq!(IntType::U8.wrap(value), value as u8 as i128);
            assert_eq!(IntType::I32.wrap(value), value as i32 as i128);
            assert_eq!(IntType::Char.wrap(value), value as u16 as i128);
            assert_eq!(IntType::I64.wrap(value), value as i64 as i128);
            assert_eq!(IntType::U64.wrap(value), value as u64 as i128);
        }
    }
}
