//! Targets: what the user wants tests for.
//!
//! `pkg.Class` is a class, `pkg.Class#method` the methods of a name (those of the class itself rather
//! than inherited ones, and those that are not private, if there are such),
//! `pkg.Class#method(int,java.lang.Object)` one of several methods with the same name, and `pkg` or `pkg.*` all classes of a package.
//! Nested classes may be written as in source code (`java.util.Map.Entry`), and the types of
//! parameters without their package. Constructors are called `<init>`.

mod callable;
mod resolve;
mod suggest;

use crate::classfile::Class;
use crate::classpath::ClassPathError;
use crate::descriptor::{DescriptorError, Type};
use crate::hierarchy::{DeclaredMethod, LinkError};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use thiserror::Error;

pub use callable::{callable_constructors, callable_methods, offered_functions, offered_methods};

/// A target as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The class or package, with the `.*` taken off.
    pub class: String,
    /// Whether it was said to be a package.
    pub is_package: bool,
    /// The method; absent for all methods.
    pub method: Option<MethodTarget>,
}

/// The part after `#`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodTarget {
    /// The method's name.
    pub name: String,
    /// The types of its parameters, where they were written.
    pub parameters: Option<Vec<Type>>,
}

/// A method to be tested.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub struct TargetMethod {
    /// The class that was named, of which the receiver will be.
    #[serde(with = "crate::stored::by_name")]
    pub class: Arc<Class>,
    /// The method, in the class that declares it: that one or a superclass.
    pub declared: DeclaredMethod,
}

/// Why a target means nothing, or too much.
#[derive(Debug, Clone, Error)]
pub enum TargetError {
    /// It does not look like a target.
    #[error(
        "`{0}` is not a target; write `pkg.Class`, `pkg.Class#method` or \
         `pkg.Class#method(int,java.lang.Object)`"
    )]
    Syntax(String),
    /// A parameter is not a type.
    #[error(transparent)]
    Parameter(#[from] DescriptorError),
    /// There is no such class.
    #[error("{error}{}", suggest(suggestion))]
    UnknownClass {
        /// Where the class was looked for.
        error: ClassPathError,
        /// The class that may have been meant.
        suggestion: Option<String>,
    },
    /// There is no such method.
    #[error(
        "class {class} has no method `{method}`{}",
        suggest_method(suggestion, known)
    )]
    UnknownMethod {
        /// The class.
        class: String,
        /// The method as it was written.
        method: String,
        /// The method that may have been meant.
        suggestion: Option<String>,
        /// The names of the methods that the class itself has.
        known: Vec<String>,
    },
    /// The parameters are those of none of the methods with that name.
    #[error("class {class} has no method `{method}`; it has {}", overloads.join(", "))]
    NoSuchOverload {
        /// The class.
        class: String,
        /// The method as it was written.
        method: String,
        /// The methods with that name.
        overloads: Vec<String>,
    },
    /// The method has nothing to be tested.
    #[error("{0} is abstract; name a class that implements it")]
    Abstract(String),
    /// The method has nothing to be tested.
    #[error("{0} is native and has no bytecode")]
    Native(String),
    /// A class or one of its supertypes cannot be loaded.
    #[error(transparent)]
    Link(#[from] LinkError),
}

impl FromStr for Target {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let syntax = || TargetError::Syntax(text.to_owned());
        let (class, method) = match text.trim().split_once('#') {
            Some((class, method)) => (class.trim(), Some(method.trim())),
            None => (text.trim(), None),
        };
        let (class, is_package) = match class.strip_suffix(".*") {
            Some(package) => (package, true),
            None => (class, false),
        };
        // What is a type and no array is a class name, as far as its characters go.
        if !matches!(class.parse(), Ok(Type::Class(_))) || (is_package && method.is_some()) {
            return Err(syntax());
        }
        let method = match method {
            Some(method) => Some(parse_method(method).ok_or_else(syntax)??),
            None => None,
        };
        Ok(Target {
            class: class.to_owned(),
            is_package,
            method,
        })
    }
}

/// A method's name with or without its parameters; `None` if it is neither.
fn parse_method(text: &str) -> Option<Result<MethodTarget, TargetError>> {
    let (name, parameters) = match text.split_once('(') {
        Some((name, rest)) => (name.trim(), Some(rest.strip_suffix(')')?.trim())),
        None => (text, None),
    };
    if name.is_empty() || name.contains(|c: char| c.is_whitespace() || "#().,;/[".contains(c)) {
        return None;
    }
    let parameters = match parameters {
        Some("") => Ok(Some(Vec::new())),
        Some(list) => list
            .split(',')
            .map(str::parse)
            .collect::<Result<_, _>>()
            .map(Some),
        None => Ok(None),
    };
    let name = name.to_owned();
    Some(
        parameters
            .map(|parameters| MethodTarget { name, parameters })
            .map_err(Into::into),
    )
}

fn suggest(suggestion: &Option<String>) -> String {
    match suggestion {
        Some(name) => format!("; did you mean `{name}`?"),
        None => String::new(),
    }
}

/// So many methods are listed where none is spelled like the one that was named.
const MOST_LISTED: usize = 12;

fn suggest_method(suggestion: &Option<String>, known: &[String]) -> String {
    if suggestion.is_some() || known.is_empty() {
        return suggest(suggestion);
    }
    let listed = known.get(..MOST_LISTED).unwrap_or(known).join(", ");
    let more = match known.len() > MOST_LISTED {
        true => ", ...",
        false => "",
    };
    format!("; it has {listed}{more}")
}

fn signature(declared: &DeclaredMethod) -> String {
    format!("{}{}", declared.method.name, declared.method.descriptor)
}

impl fmt::Display for MethodTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Some(parameters) = &self.parameters {
            let parameters: Vec<_> = parameters.iter().map(Type::to_string).collect();
            write!(f, "({})", parameters.join(","))?;
        }
        Ok(())
    }
}

impl fmt::Display for TargetMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.class.name, signature(&self.declared))
    }
}
