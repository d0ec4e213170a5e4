//! Types with arguments: what a parameter that is declared `Comparable<String>` can be given.
//!
//! Virtual machines do not know the arguments of types, and neither does the translated program.
//! Compilers do: an `Integer` is a `Comparable`, but a call with one where a `Comparable<String>`
//! is expected does not compile. Signatures (JVMS 4.7.9.1) say what was declared.

use std::fmt;

use rustc_hash::FxHashMap;

use super::Hierarchy;

/// Supertypes nest no deeper than this in anything that a compiler accepted.
const DEEPEST: usize = 64;

/// A type of a signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GenericType {
    /// A primitive type.
    Primitive,
    /// A type variable.
    Variable(String),
    /// An array.
    Array(Box<GenericType>),
    /// A class with its arguments; one without any may be raw.
    Class {
        /// Its name, with dots.
        name: String,
        /// What is written for its type parameters.
        arguments: Vec<TypeArgument>,
    },
}

/// What is written for a type parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeArgument {
    /// `?`
    Any,
    /// A type.
    Exactly(GenericType),
    /// `? extends` a type.
    Extends(GenericType),
    /// `? super` a type.
    Super(GenericType),
}

impl GenericType {
    /// The type of a field, from its signature.
    pub fn of_field(signature: &str) -> Option<GenericType> {
        let mut reader = Reader(signature);
        reader.ty(0)
    }

    /// The types of the parameters of a method, from its signature.
    pub fn of_parameters(signature: &str) -> Option<Vec<GenericType>> {
        let mut reader = Reader(signature);
        reader.type_parameters()?;
        reader.skip('(').then_some(())?;
        let mut found = Vec::new();
        while !reader.skip(')') {
            found.push(reader.ty(0)?);
        }
        Some(found)
    }

    /// The type of the result of a method, from its signature; `None` if it has none.
    pub fn of_result(signature: &str) -> Option<GenericType> {
        let (_, result) = signature.rsplit_once(')')?;
        let end = result.find('^').unwrap_or(result.len());
        Reader(result.get(..end)?).ty(0)
    }

    /// The names of the type parameters that the signature of a class or method declares.
    pub fn parameters_of(signature: &str) -> Vec<String> {
        Reader(signature).type_parameters().unwrap_or_default()
    }

    /// The classes among its arguments.
    pub fn argument_classes(&self) -> impl Iterator<Item = &str> {
        let arguments = match self {
            GenericType::Class { arguments, .. } => &arguments[..],
            _ => &[],
        };
        arguments.iter().filter_map(|argument| match argument {
            TypeArgument::Exactly(GenericType::Class { name, .. })
            | TypeArgument::Extends(GenericType::Class { name, .. })
            | TypeArgument::Super(GenericType::Class { name, .. }) => Some(name.as_str()),
            _ => None,
        })
    }
}

impl fmt::Display for GenericType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GenericType::Primitive => write!(f, "a number"),
            GenericType::Variable(name) => write!(f, "{name}"),
            GenericType::Array(element) => write!(f, "{element}[]"),
            GenericType::Class { name, arguments } => {
                write!(f, "{name}")?;
                for (index, argument) in arguments.iter().enumerate() {
                    let before = if index == 0 { "<" } else { ", " };
                    match argument {
                        TypeArgument::Any => write!(f, "{before}?")?,
                        TypeArgument::Exactly(ty) => write!(f, "{before}{ty}")?,
                        TypeArgument::Extends(ty) => write!(f, "{before}? extends {ty}")?,
                        TypeArgument::Super(ty) => write!(f, "{before}? super {ty}")?,
                    }
                }
                match arguments.is_empty() {
                    true => Ok(()),
                    false => write!(f, ">"),
                }
            }
        }
    }
}

impl Hierarchy<'_> {
    /// Whether a compiler lets an object of a class stand where a type with arguments is expected,
    /// given that the class is below the bare type. Where a class does not say what its supertypes
    /// are given, or it depends on a type variable, it does, with a warning at most.
    pub fn conforms(self, class: &str, expected: &GenericType) -> bool {
        let GenericType::Class { name, arguments } = expected else {
            return true;
        };
        match self.type_arguments(class, name) {
            Some(found) if found.len() == arguments.len() => (found.iter().zip(arguments))
                .all(|(found, expected)| self.is_contained(found, expected)),
            _ => true,
        }
    }

    /// What a class gives the type parameters of one of its supertypes. `None` if it does not say.
    pub(crate) fn type_arguments(self, class: &str, supertype: &str) -> Option<Vec<GenericType>> {
        let mut waiting = vec![(class.to_owned(), FxHashMap::default(), 0)];
        let mut next = 0;
        while let Some((class, given, depth)) = waiting.get(next).cloned() {
            next += 1;
            if depth > DEEPEST || waiting.len() > 4 * DEEPEST {
                return None;
            }
            let loaded = self.load(&class).ok()?;
            let Some(signature) = loaded.signature.as_deref() else {
                let above = loaded.superclass.iter().chain(&loaded.interfaces);
                waiting
                    .extend(above.map(|name| (name.to_string(), FxHashMap::default(), depth + 1)));
                continue;
            };
            let mut reader = Reader(signature);
            reader.type_parameters()?;
            while !reader.0.is_empty() {
                let GenericType::Class { name, arguments } = reader.ty(0)? else {
                    return None;
                };
                let arguments: Option<Vec<GenericType>> = (arguments.into_iter())
                    .map(|argument| match argument {
                        TypeArgument::Exactly(ty) => Some(substitute(ty, &given)),
                        _ => None,
                    })
                    .collect();
                let arguments = arguments?;
                if name == supertype {
                    return (!arguments.is_empty()).then_some(arguments);
                }
                let parameters = self.load(&name).ok()?;
                let parameters = parameters.signature.as_deref().map(Reader);
                let parameters = parameters.and_then(|mut reader| reader.type_parameters());
                let inner = parameters.unwrap_or_default().into_iter().zip(arguments);
                waiting.push((name, inner.collect(), depth + 1));
            }
        }
        None
    }

    fn is_contained(self, found: &GenericType, expected: &TypeArgument) -> bool {
        let below = |lower: &GenericType, upper: &GenericType| match (lower, upper) {
            (GenericType::Class { name: lower, .. }, GenericType::Class { name: upper, .. }) => {
                self.is_subclass(lower, upper).unwrap_or(true)
            }
            _ => true,
        };
        match expected {
            TypeArgument::Any => true,
            TypeArgument::Extends(bound) => below(found, bound),
            TypeArgument::Super(bound) => below(bound, found),
            TypeArgument::Exactly(expected) => self.is_same(found, expected),
        }
    }

    /// Whether two types can be the same, whatever their variables stand for.
    fn is_same(self, found: &GenericType, expected: &GenericType) -> bool {
        match (found, expected) {
            (GenericType::Variable(_), _) | (_, GenericType::Variable(_)) => true,
            (GenericType::Array(found), GenericType::Array(expected)) => {
                self.is_same(found, expected)
            }
            (
                GenericType::Class { name, arguments },
                GenericType::Class {
                    name: other,
                    arguments: others,
                },
            ) => {
                let same = |(found, expected): (&TypeArgument, &TypeArgument)| match found {
                    TypeArgument::Exactly(found) => self.is_contained(found, expected),
                    _ => true,
                };
                name == other && arguments.iter().zip(others).all(same)
            }
            (found, expected) => found == expected,
        }
    }
}

fn substitute(ty: GenericType, given: &FxHashMap<String, GenericType>) -> GenericType {
    match ty {
        GenericType::Variable(name) => match given.get(&name) {
            Some(known) => known.clone(),
            None => GenericType::Variable(name),
        },
        GenericType::Array(element) => GenericType::Array(Box::new(substitute(*element, given))),
        GenericType::Class { name, arguments } => GenericType::Class {
            name,
            arguments: (arguments.into_iter())
                .map(|argument| match argument {
                    TypeArgument::Exactly(ty) => TypeArgument::Exactly(substitute(ty, given)),
                    other => other,
                })
                .collect(),
        },
        GenericType::Primitive => GenericType::Primitive,
    }
}

/// What is left of a signature. Every method returns `None` where it is none.
struct Reader<'s>(&'s str);

impl Reader<'_> {
    fn skip(&mut self, expected: char) -> bool {
        match self.0.strip_prefix(expected) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    /// Everything before the first of some characters, which is not taken.
    fn until(&mut self, ends: &[char]) -> Option<String> {
        let end = self.0.find(ends)?;
        let (text, rest) = self.0.split_at(end);
        self.0 = rest;
        Some(text.to_owned())
    }

    /// The names of the type parameters, if any are declared.
    fn type_parameters(&mut self) -> Option<Vec<String>> {
        let mut names = Vec::new();
        if !self.skip('<') {
            return Some(names);
        }
        while !self.skip('>') {
            names.push(self.until(&[':'])?);
            while self.skip(':') {
                // A class bound may be left out.
                if !self.0.starts_with([':', '>']) {
                    self.ty(0)?;
                }
            }
        }
        Some(names)
    }

    fn ty(&mut self, depth: usize) -> Option<GenericType> {
        if depth > DEEPEST {
            return None;
        }
        if self.skip('[') {
            return Some(GenericType::Array(Box::new(self.ty(depth + 1)?)));
        }
        if self.skip('T') {
            let name = self.until(&[';'])?;
            self.skip(';');
            return Some(GenericType::Variable(name));
        }
        if !self.skip('L') {
            let primitive = self.0.chars().next()?;
            self.skip(primitive);
            return "BCDFIJSZ"
                .contains(primitive)
                .then_some(GenericType::Primitive);
        }
        let mut name = self.until(&['<', '.', ';'])?.replace('/', ".");
        let mut arguments = self.arguments(depth)?;
        // The arguments of the classes around do not count.
        while self.skip('.') {
            name.push('$');
            name.push_str(&self.until(&['<', '.', ';'])?);
            arguments = self.arguments(depth)?;
        }
        self.skip(';')
            .then_some(GenericType::Class { name, arguments })
    }

    fn arguments(&mut self, depth: usize) -> Option<Vec<TypeArgument>> {
        let mut found = Vec::new();
        if !self.skip('<') {
            return Some(found);
        }
        while !self.skip('>') {
            found.push(match () {
                () if self.skip('*') => TypeArgument::Any,
                () if self.skip('+') => TypeArgument::Extends(self.ty(depth + 1)?),
                () if self.skip('-') => TypeArgument::Super(self.ty(depth + 1)?),
                () => TypeArgument::Exactly(self.ty(depth + 1)?),
            });
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_read() {
        let class = |name: &str| GenericType::Class {
            name: name.to_owned(),
            arguments: Vec::new(),
        };
        let text = "<T::Ljava/lang/Comparable<-TT;>;>(TT;ILjava/util/Map<*+Ljava/lang/Number;>.Entry<[J>;)V";
        let expected = vec![
            GenericType::Variable("T".to_owned()),
            GenericType::Primitive,
            GenericType::Class {
                name: "java.util.Map$Entry".to_owned(),
                arguments: vec![TypeArgument::Exactly(GenericType::Array(Box::new(
                    GenericType::Primitive,
                )))],
            },
        ];
        assert_eq!(GenericType::of_parameters(text), Some(expected));
        assert_eq!(
            GenericType::of_field("Ljava/lang/Comparable<-Ljava/lang/String;>;"),
            Some(GenericType::Class {
                name: "java.lang.Comparable".to_owned(),
                arguments: vec![TypeArgument::Super(class("java.lang.String"))],
            })
        );
        for broken in ["", "L", "Ljava/lang/List<", "<T:(", "(Q)V", "(TT"] {
            assert_eq!(GenericType::of_parameters(broken), None, "{broken}");
        }
    }
}
