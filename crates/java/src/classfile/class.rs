//! A class as its class file describes it, ready to be translated.

use super::access::Access;
use super::annotation::Annotation;
use super::constant::Constant;
use super::instruction::{Instruction, Local, Pc};
use crate::descriptor::{MethodDescriptor, Name, Type, package_of};
use std::sync::Arc;
use thiserror::Error;

/// The name of constructors in class files.
pub const CONSTRUCTOR: &str = "<init>";

/// The name of static initialisers in class files.
pub const STATIC_INITIALISER: &str = "<clinit>";

/// A class, an interface, or a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// The binary name, `java.util.Map$Entry`.
    pub name: Name,
    /// The superclass; absent for `java.lang.Object` and modules only. An interface's is Object.
    pub superclass: Option<Name>,
    /// The interfaces that are named after `implements`, or after `extends` of an interface.
    pub interfaces: Vec<Name>,
    /// Modifiers, of a nested class those that the class file format has for all classes.
    pub access: Access,
    /// The declared fields, in the order of the class file, which is that of the source.
    pub fields: Vec<Arc<Field>>,
    /// The declared methods, constructors and static initialiser.
    pub methods: Vec<Arc<Method>>,
    /// The major version of the class file: 52 for Java 8, 61 for Java 17, 69 for Java 25.
    pub version: u16,
    /// The name of the source file, without folders.
    pub source_file: Option<Name>,
    /// Type parameters and generic supertypes, as class files write them.
    pub signature: Option<Name>,
    /// All nested classes that the class file speaks of, this class among them if it is one.
    pub inner_classes: Vec<InnerClass>,
    /// The class and, if any, the method around a local or anonymous class.
    pub enclosing_method: Option<EnclosingMethod>,
    /// The components of a record; absent when the class is none.
    pub record: Option<Vec<RecordComponent>>,
    /// The class that heads the nest of classes which see each other's private members; absent
    /// when it is this class.
    pub nest_host: Option<Name>,
    /// The permitted direct subclasses of a sealed class; absent when the class is not sealed.
    pub permitted_subclasses: Option<Vec<Name>>,
    /// Annotations.
    pub annotations: Vec<Annotation>,
}

/// A field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The field's name.
    pub name: Name,
    /// The field's type.
    pub ty: Type,
    /// Modifiers.
    pub access: Access,
    /// What a static field holds before the static initialiser runs, if not its type's default.
    pub constant: Option<Constant>,
    /// The generic type, as class files write it.
    pub signature: Option<Name>,
    /// Annotations.
    pub annotations: Vec<Annotation>,
}

/// A method, a constructor or a static initialiser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Method {
    /// The name: [`CONSTRUCTOR`] for constructors, [`STATIC_INITIALISER`] for static initialisers.
    pub name: Name,
    /// Parameters and result.
    pub descriptor: Arc<MethodDescriptor>,
    /// Modifiers.
    pub access: Access,
    /// The body; absent for abstract and native methods. [`Method::body`] is what translators use.
    pub code: Option<Code>,
    /// The exceptions after `throws`.
    pub exceptions: Vec<Name>,
    /// The generic type, as class files write it.
    pub signature: Option<Name>,
    /// The names of the parameters, where the compiler was asked to keep them (`-parameters`).
    pub parameter_names: Vec<Option<Name>>,
    /// Annotations.
    pub annotations: Vec<Annotation>,
}

/// The body of a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// How many slots the operand stack needs at most.
    pub max_stack: u16,
    /// How many slots the local variables take, parameters included.
    pub max_locals: u16,
    /// The instructions by position, ascending; never empty.
    pub instructions: Vec<(Pc, Instruction)>,
    /// The exception handlers; the first that fits is taken.
    pub handlers: Vec<Handler>,
    /// Where source lines begin, ascending by position; empty without debug information. A position
    /// may occur more than once.
    pub lines: Vec<(Pc, u16)>,
    /// The names of local variables, where the compiler kept them (`-g`).
    pub variables: Vec<Variable>,
}

/// An entry of the exception table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handler {
    /// The first instruction that is covered.
    pub start: Pc,
    /// The position after the last instruction that is covered; the code's length at most, so
    /// there need not be an instruction.
    pub end: Pc,
    /// The first instruction of the handler.
    pub target: Pc,
    /// The class of exceptions that are caught; absent for all.
    pub class: Option<Name>,
}

/// A local variable with its name, in a range of the code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// From here the variable has a value.
    pub start: Pc,
    /// The position after the range, which may be the code's length.
    pub end: Pc,
    /// Its name in the source.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// Its slot.
    pub local: Local,
}

/// What the class file says about a nested class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InnerClass {
    /// The nested class.
    pub name: Name,
    /// The class that it is a member of; absent for local and anonymous classes.
    pub outer: Option<Name>,
    /// The name in the source; absent for anonymous classes.
    pub simple_name: Option<Name>,
    /// Its modifiers in the source, among them `static`, `private` and `protected`.
    pub access: Access,
}

/// Where a local or anonymous class stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnclosingMethod {
    /// The class around it.
    pub class: Name,
    /// The method around it; absent in initialisers.
    pub method: Option<(Name, Arc<MethodDescriptor>)>,
}

/// A component of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordComponent {
    /// Its name, which is also that of the field and the accessor.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// The generic type, as class files write it.
    pub signature: Option<Name>,
    /// Annotations.
    pub annotations: Vec<Annotation>,
}

/// Why a method has no body that could be translated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoBody {
    /// The method is abstract.
    #[error("the method is abstract")]
    Abstract,
    /// The method is native.
    #[error("the method is native")]
    Native,
    /// The body uses `jsr` or `ret`, the instructions that class files of Java 7 and later must
    /// not have.
    #[error(
        "the instruction at {0} calls or leaves a subroutine (`jsr`, `ret`), which only compilers \
         older than Java 6 wrote; compile the source again with a newer one"
    )]
    Subroutine(Pc),
}

impl Class {
    /// The package; empty for the unnamed one.
    pub fn package(&self) -> &str {
        package_of(&self.name)
    }

    /// The class as a type.
    pub fn ty(&self) -> Type {
        Type::Class(self.name.clone())
    }

    /// The declared field with this name and type.
    pub fn field(&self, name: &str, ty: &Type) -> Option<&Arc<Field>> {
        self.fields
            .iter()
            .find(|field| *field.name == *name && field.ty == *ty)
    }

    /// The declared method with this name and descriptor.
    pub fn method(&self, name: &str, descriptor: &MethodDescriptor) -> Option<&Arc<Method>> {
        (self.methods.iter())
            .find(|method| *method.name == *name && *method.descriptor == *descriptor)
    }

    /// The static initialiser. Other methods of that name mean nothing, as for a virtual machine.
    pub fn static_initialiser(&self) -> Option<&Arc<Method>> {
        self.methods.iter().find(|method| {
            let descriptor = &method.descriptor;
            *method.name == *STATIC_INITIALISER
                && method.access.is_static()
                && descriptor.parameters.is_empty()
                && descriptor.result.is_none()
        })
    }

    /// What the class file says about this class as a nested class.
    pub fn as_inner_class(&self) -> Option<&InnerClass> {
        self.inner_classes
            .iter()
            .find(|inner| inner.name == self.name)
    }

    /// The name in the source, without package and enclosing classes; empty for anonymous classes.
    pub fn simple_name(&self) -> &str {
        match self.as_inner_class() {
            Some(inner) => inner.simple_name.as_deref().unwrap_or(""),
            None => self
                .name
                .rsplit_once('.')
                .map_or(&*self.name, |(_, simple)| simple),
        }
    }
}

impl Method {
    /// The name of a parameter, if the class file has it: from the table of parameters or from
    /// that of the local variables.
    pub fn parameter_name(&self, index: usize) -> Option<&str> {
        if let Some(Some(name)) = self.parameter_names.get(index) {
            return Some(name);
        }
        let before = self.descriptor.parameters.get(..index)?;
        let receiver = u16::from(!self.access.is_static());
        let slot = before.iter().map(Type::slots).sum::<u16>() + receiver;
        let variables = &self.code.as_ref()?.variables;
        let first = |variable: &&Variable| variable.local == Local(slot) && variable.start == Pc(0);
        let variable = variables.iter().find(first)?;
        Some(&variable.name)
    }

    /// The body, or why there is none to translate.
    pub fn body(&self) -> Result<&Code, NoBody> {
        let Some(code) = &self.code else {
            return Err(match self.access.is_native_method() {
                true => NoBody::Native,
                false => NoBody::Abstract,
            });
        };
        let subroutine = code.instructions.iter().find(|(_, instruction)| {
            matches!(
                instruction,
                Instruction::JumpSubroutine(_) | Instruction::ReturnFromSubroutine(_)
            )
        });
        match subroutine {
            Some((pc, _)) => Err(NoBody::Subroutine(*pc)),
            None => Ok(code),
        }
    }

    /// Whether the method is a constructor.
    pub fn is_constructor(&self) -> bool {
        *self.name == *CONSTRUCTOR
    }
}

impl Code {
    /// The source line of an instruction.
    pub fn line(&self, pc: Pc) -> Option<u16> {
        let after = self.lines.partition_point(|&(start, _)| start <= pc);
        self.lines.get(..after)?.last().map(|&(_, line)| line)
    }

    /// The local variable that a slot holds at an instruction. A variable's range begins after the
    /// instruction that stores its first value, so a store asks at the next instruction.
    pub fn variable(&self, local: Local, pc: Pc) -> Option<&Variable> {
        (self.variables.iter())
            .find(|variable| variable.local == local && variable.start <= pc && pc < variable.end)
    }

    /// The index of the instruction at a position.
    pub fn index_of(&self, pc: Pc) -> Option<usize> {
        self.instructions
            .binary_search_by_key(&pc, |(at, _)| *at)
            .ok()
    }
}
