//! Java's types: as class files write them (`[Ljava/lang/String;`), and as people do
//! (`java.lang.String[]`).
//!
//! One spelling of class names serves the whole crate: the binary name with dots, as
//! `Class.getName` gives it (`java.util.Map$Entry`). Internal names with slashes appear only while
//! class files are read and looked up; since neither a dot nor a slash can be part of a simple
//! name, the two spellings translate into each other without loss.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use thiserror::Error;

/// A name of a class, a member or a variable; cheap to copy.
pub type Name = Arc<str>;

/// The type of a field, a variable or an array's elements.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum Type {
    /// One of the eight primitive types.
    Primitive(Primitive),
    /// A class or an interface, by its binary name.
    Class(Name),
    /// An array with these elements.
    Array(Arc<Type>),
}

/// The primitive types.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[allow(missing_docs)]
pub enum Primitive {
    Boolean,
    Byte,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
}

/// The parameters and the result of a method.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodDescriptor {
    /// The types of the parameters, without the receiver.
    pub parameters: Vec<Type>,
    /// The type of the result, if it is not `void`.
    pub result: Option<Type>,
}

/// A text that is no type, no descriptor.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{text}` is not {expected}")]
pub struct DescriptorError {
    /// The text as it was given.
    pub text: String,
    /// What it should have been.
    pub expected: &'static str,
}

/// Arrays have at most this many dimensions (JVMS 4.4.1).
const MOST_DIMENSIONS: usize = 255;

impl Primitive {
    const ALL: [(Primitive, char, &'static str); 8] = [
        (Primitive::Boolean, 'Z', "boolean"),
        (Primitive::Byte, 'B', "byte"),
        (Primitive::Char, 'C', "char"),
        (Primitive::Short, 'S', "short"),
        (Primitive::Int, 'I', "int"),
        (Primitive::Long, 'J', "long"),
        (Primitive::Float, 'F', "float"),
        (Primitive::Double, 'D', "double"),
    ];

    /// The letter of this type in descriptors.
    pub fn letter(self) -> char {
        match self {
            Primitive::Boolean => 'Z',
            Primitive::Byte => 'B',
            Primitive::Char => 'C',
            Primitive::Short => 'S',
            Primitive::Int => 'I',
            Primitive::Long => 'J',
            Primitive::Float => 'F',
            Primitive::Double => 'D',
        }
    }

    /// The name of this type in source code.
    pub fn name(self) -> &'static str {
        let row = Self::ALL
            .iter()
            .find(|(primitive, _, _)| *primitive == self);
        row.map_or("", |(_, _, name)| name)
    }

    fn from_letter(letter: u8) -> Option<Self> {
        let letter = char::from(letter);
        Self::ALL
            .iter()
            .find(|row| row.1 == letter)
            .map(|row| row.0)
    }

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|row| row.2 == name).map(|row| row.0)
    }
}

impl Type {
    /// The class type with this binary name.
    pub fn class(name: &str) -> Type {
        Type::Class(name.into())
    }

    /// The type of arrays of this type.
    pub fn array_of(self) -> Type {
        Type::Array(Arc::new(self))
    }

    /// Reads a field descriptor, such as `I` or `[Ljava/lang/String;`.
    pub fn from_descriptor(text: &str) -> Result<Type, DescriptorError> {
        let error = || DescriptorError {
            text: text.into(),
            expected: "a field descriptor",
        };
        match parse_type(text) {
            Some((ty, "")) => Ok(ty),
            _ => Err(error()),
        }
    }

    /// Reads what a `CONSTANT_Class` entry holds: an internal class name or an array descriptor.
    pub fn from_internal_name(text: &str) -> Result<Type, DescriptorError> {
        if text.starts_with('[') {
            return Type::from_descriptor(text);
        }
        binary_name(text).map(Type::Class)
    }

    /// The descriptor of this type.
    pub fn descriptor(&self) -> String {
        let mut text = String::new();
        self.write_descriptor(&mut text);
        text
    }

    /// Whether values of this type are references.
    pub fn is_reference(&self) -> bool {
        !matches!(self, Type::Primitive(_))
    }

    /// How many local variables or stack slots a value takes in the class file: two for `long` and
    /// `double`, one otherwise.
    pub fn slots(&self) -> u16 {
        match self {
            Type::Primitive(Primitive::Long | Primitive::Double) => 2,
            _ => 1,
        }
    }

    fn write_descriptor(&self, text: &mut String) {
        match self {
            Type::Primitive(primitive) => text.push(primitive.letter()),
            Type::Class(name) => {
                text.push('L');
                text.push_str(&internal_name(name));
                text.push(';');
            }
            Type::Array(element) => {
                text.push('[');
                element.write_descriptor(text);
            }
        }
    }
}

/// The Java name: `int`, `java.util.Map$Entry`, `double[][]`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Primitive(primitive) => f.write_str(primitive.name()),
            Type::Class(name) => f.write_str(name),
            Type::Array(element) => write!(f, "{element}[]"),
        }
    }
}

/// Reads a Java name as `Display` writes it; `...` is accepted for the last `[]`.
impl FromStr for Type {
    type Err = DescriptorError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || DescriptorError {
            text: text.into(),
            expected: "the name of a type",
        };
        let mut element = text.trim();
        let mut dimensions = 0;
        if let Some(rest) = element.strip_suffix("...") {
            (element, dimensions) = (rest.trim_end(), 1);
        }
        while let Some(rest) = element.strip_suffix(']') {
            let rest = rest.trim_end().strip_suffix('[').ok_or_else(error)?;
            (element, dimensions) = (rest.trim_end(), dimensions + 1);
        }
        let forbidden = |c: char| c.is_whitespace() || "/;[]()<>,#".contains(c);
        if dimensions > MOST_DIMENSIONS
            || element.contains(forbidden)
            || element.split('.').any(str::is_empty)
        {
            return Err(error());
        }
        let mut ty = match Primitive::from_name(element) {
            Some(primitive) => Type::Primitive(primitive),
            None => Type::class(element),
        };
        for _ in 0..dimensions {
            ty = ty.array_of();
        }
        Ok(ty)
    }
}

impl MethodDescriptor {
    /// Reads a method descriptor, such as `(ILjava/lang/Object;)V`.
    pub fn parse(text: &str) -> Result<Self, DescriptorError> {
        Self::parse_parts(text).ok_or_else(|| DescriptorError {
            text: text.into(),
            expected: "a method descriptor",
        })
    }

    fn parse_parts(text: &str) -> Option<Self> {
        let mut rest = text.strip_prefix('(')?;
        let mut parameters = Vec::new();
        while !rest.starts_with(')') {
            let (parameter, after) = parse_type(rest)?;
            parameters.push(parameter);
            rest = after;
        }
        let result = match rest.strip_prefix(')')? {
            "V" => None,
            result => Some(Type::from_descriptor(result).ok()?),
        };
        Some(MethodDescriptor { parameters, result })
    }

    /// The descriptor as class files write it.
    pub fn descriptor(&self) -> String {
        let mut text = String::from("(");
        for parameter in &self.parameters {
            parameter.write_descriptor(&mut text);
        }
        text.push(')');
        match &self.result {
            Some(result) => result.write_descriptor(&mut text),
            None => text.push('V'),
        }
        text
    }

    /// How many local variables the parameters take, without the receiver.
    pub fn parameter_slots(&self) -> usize {
        self.parameters
            .iter()
            .map(|parameter| usize::from(parameter.slots()))
            .sum()
    }
}

/// The parameters as in a target: `(int,java.lang.Object)`.
impl fmt::Display for MethodDescriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (index, parameter) in self.parameters.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{parameter}")?;
        }
        f.write_str(")")
    }
}

/// The internal name (`java/util/Map$Entry`) of a class with this binary name.
pub fn internal_name(binary: &str) -> String {
    binary.replace('.', "/")
}

/// The binary name (`java.util.Map$Entry`) of a class with this internal name.
pub fn binary_name(internal: &str) -> Result<Name, DescriptorError> {
    let forbidden = |c: char| matches!(c, '.' | ';' | '[');
    if internal.contains(forbidden) || internal.split('/').any(str::is_empty) {
        return Err(DescriptorError {
            text: internal.into(),
            expected: "the name of a class",
        });
    }
    Ok(internal.replace('/', ".").into())
}

/// The package of a class; empty for the unnamed package.
pub fn package_of(class: &str) -> &str {
    class.rsplit_once('.').map_or("", |(package, _)| package)
}

/// One field type at the beginning of a text, and the rest.
fn parse_type(text: &str) -> Option<(Type, &str)> {
    let element = text.trim_start_matches('[');
    let dimensions = text.len() - element.len();
    if dimensions > MOST_DIMENSIONS {
        return None;
    }
    let (mut ty, rest) = match element.as_bytes().first()? {
        b'L' => {
            let (name, rest) = element.get(1..)?.split_once(';')?;
            (Type::Class(binary_name(name).ok()?), rest)
        }
        &letter => (
            Type::Primitive(Primitive::from_letter(letter)?),
            element.get(1..)?,
        ),
    };
    for _ in 0..dimensions {
        ty = ty.array_of();
    }
    Some((ty, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_descriptors_and_java_names_say_the_same() {
        for (descriptor, name) in [
            ("Z", "boolean"),
            ("B", "byte"),
            ("C", "char"),
            ("S", "short"),
            ("I", "int"),
            ("J", "long"),
            ("F", "float"),
            ("D", "double"),
            ("Ljava/util/Map$Entry;", "java.util.Map$Entry"),
            ("[[I", "int[][]"),
            ("[LTree;", "Tree[]"),
        ] {
            let ty = Type::from_descriptor(descriptor).unwrap();
            assert_eq!(ty.descriptor(), descriptor);
            assert_eq!(ty.to_string(), name);
            assert_eq!(name.parse(), Ok(ty));
        }
        assert_eq!("int [ ] ...".parse(), Type::from_descriptor("[[I"));
    }

    #[test]
    fn method_descriptors_round_trip() {
        let descriptor = MethodDescriptor::parse("(IJ[Ljava/lang/Object;)V").unwrap();
        assert_eq!(descriptor.descriptor(), "(IJ[Ljava/lang/Object;)V");
        assert_eq!(descriptor.to_string(), "(int,long,java.lang.Object[])");
        assert_eq!(descriptor.parameter_slots(), 4);
        assert_eq!(MethodDescriptor::parse("()D").unwrap().descriptor(), "()D");
    }

    #[test]
    fn malformed_descriptors_are_refused() {
        let deep = "[".repeat(256) + "I";
        for text in [
            "",
            "V",
            "[",
            "L;",
            "Ljava",
            "Ljava.lang.Object;",
            "La//b;",
            "II",
            "[V",
            &deep,
        ] {
            assert!(Type::from_descriptor(text).is_err(), "{text}");
        }
        for text in ["", "()", "(V)V", "(I", "()VV", "I", "(é)V"] {
            assert!(MethodDescriptor::parse(text).is_err(), "{text}");
        }
        for text in [
            "",
            "int]",
            "a..b",
            "java/lang/Object",
            "List<String>",
            "a b",
        ] {
            assert!(text.parse::<Type>().is_err(), "{text}");
        }
    }
}
