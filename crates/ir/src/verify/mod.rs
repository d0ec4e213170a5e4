//! The verifier: what every other part may take for granted about a program.
//!
//! Front ends are expected to produce programs without any of these errors, so an error is a bug
//! of a front end, or a slip in a program that was written as text. All errors are reported, not
//! only the first one; globals are looked at only if there is nothing wrong with the classes, and
//! functions only if there is nothing wrong with either.
//!
//! # Classes
//!
//! - There is one [`ClassInfo`](crate::ClassInfo) per class of the definitions, and the names of
//!   classes are unique, but for that of [`ClassId::ANY`], which no text refers to.
//! - Superclasses, interfaces, the classes of fields and of array elements exist, as do the
//!   functions of methods. No class is its own ancestor.
//! - A class begins with the fields of its superclass. [`ClassId::ANY`] has no fields, no
//!   superclass and no interfaces.
//! - A layout is empty or has one entry per field, and if the size of the objects is known
//!   (not 0), no field reaches beyond it. Fields may overlap.
//! - Elements of arrays are not mathematical integers. Array classes have no fields.
//! - The function of a method has a parameter for the receiver that fits objects of the class.
//! - A fault throws an exception of a class of which there are objects, and not of an array.
//!
//! # Globals
//!
//! - Names are unique.
//! - The class exists. It need not be one of which there are other objects.
//! - There is a length if and only if the class is an array class.
//!
//! # Functions
//!
//! - Names are unique. There is at least one block, and at least as many registers as parameters.
//! - Registers and results are not mathematical integers, and their classes exist.
//! - Registers, blocks, functions, globals, classes and fields that an operation, a jump or a
//!   handler mentions exist. Positions with a line are in a file that exists.
//! - A register that is read was written before on every path from the entry, the exceptional
//!   ones included: a handler may be entered from the point before each operation of its block
//!   that may end in a fault. Blocks that cannot be reached may read anything.
//!
//! # Sorts
//!
//! A value *fits* a place if both have the same sort; if both are references and the class of the
//! value is a subtype of that of the place; or if both are references and one of the classes is
//! [`ClassId::ANY`], about which nothing is known. Null fits every reference. A global is a
//! reference of its class.
//!
//! - Integer constants are in the range of their type.
//! - `Move`: the value fits the register, or both are references and the class of the register is
//!   a subtype of that of the value. Code that knows more about an object than its declaration
//!   says, after a type test, moves it to a register of the class that it knows.
//! - `Unary`: operand and result are both truth values for `Not`, of one integer or float sort for
//!   `Neg`, and of one integer sort for `Complement`. `Convert` goes from truth values, integers or
//!   floats to the sort that it names, which is again one of these.
//! - `Binary`: operands and result have the sort that the operation names, but the amount of a
//!   shift may be of any integer type. Floats have only `Add`, `Sub`, `Mul`, `Div` and `Rem`,
//!   truth values only `And`, `Or` and `Xor`. Operands of a comparison have one scalar sort or are
//!   two references of any classes; only integers and floats have an order. The result is a truth
//!   value.
//! - `New` is for classes of which there are objects, and that are not arrays; `NewArray` for
//!   array classes; the reference fits the register.
//! - `Load` and `Store`: the object fits the class that is named, the content of the field fits
//!   the register, the value fits the field.
//! - `LoadElement`, `StoreElement`, `Length`, `ElementAddress`: the array is of an array class or
//!   of [`ClassId::ANY`]; with an array class, the element fits the register, or the value the
//!   element. Indices and lengths are of any integer type.
//! - `FieldAddress`, `ElementAddress`: the result is a reference of any class.
//! - `Free`, `InstanceOf`, `CheckCast`: the operand is a reference of any class.
//! - `Call` of a function: as many arguments as parameters, each of which fits; a result is only
//!   taken from a function that has one, and fits. A virtual call has a receiver, a reference; if
//!   the class of the receiver has the method, arguments and result fit it as well. Intrinsic
//!   functions take anything.
//! - Conditions of `Assert`, `Assume` and `Branch` are truth values.
//! - The value of a `Switch` is an integer; its cases are different from each other and in range.
//! - `Return` has a value if and only if the function has a result, which it fits.
//! - What is thrown is a reference. The register of a handler is a reference that the class of
//!   the handler fits, if it names one.

mod assignment;
mod classes;
mod functions;
mod globals;
mod operations;
mod uses;
mod violation;

use heapwright_logic::{ClassId, Sort};

pub use violation::{ProgramPart, VerifyError, Violation};

use crate::function::FunctionId;
use crate::program::Program;

/// Checks everything that the module promises.
pub fn verify(program: &Program) -> Result<(), Vec<VerifyError>> {
    let mut checker = Checker {
        program,
        classes: program.definitions.classes().count(),
        errors: Vec::new(),
    };
    checker.check_classes();
    if checker.errors.is_empty() {
        checker.check_globals();
    }
    if checker.errors.is_empty() {
        checker.check_functions();
    }
    match checker.errors.is_empty() {
        true => Ok(()),
        false => Err(checker.errors),
    }
}

/// Checks one function of a program; of the rest it takes for granted what the module promises.
pub fn verify_function(program: &Program, id: FunctionId) -> Result<(), Vec<VerifyError>> {
    let mut checker = Checker {
        program,
        classes: program.definitions.classes().count(),
        errors: Vec::new(),
    };
    checker.check_function(id);
    match checker.errors.is_empty() {
        true => Ok(()),
        false => Err(checker.errors),
    }
}

/// What all checks share.
struct Checker<'a> {
    program: &'a Program,
    /// Number of classes in the definitions.
    classes: usize,
    errors: Vec<VerifyError>,
}

impl Checker<'_> {
    fn report(&mut self, place: ProgramPart, violation: Violation) {
        self.errors.push(VerifyError { place, violation });
    }

    fn has_class(&self, class: ClassId) -> bool {
        class.index() < self.classes
    }

    /// What is wrong with a sort that a program is to work with.
    fn bad_sort(&self, sort: Sort) -> Option<Violation> {
        match sort {
            Sort::Int => Some(Violation::MathematicalInteger),
            Sort::Ref(class) if !self.has_class(class) => Some(Violation::NoSuchClass(class)),
            _ => None,
        }
    }

    /// Whether a value of one sort fits a place of another. Classes that do not exist fit
    /// everything: they have been reported already.
    fn fits(&self, value: Sort, place: Sort) -> bool {
        match (value, place) {
            (Sort::Ref(class), Sort::Ref(expected)) => {
                class == ClassId::ANY
                    || expected == ClassId::ANY
                    || !self.has_class(class)
                    || !self.has_class(expected)
                    || self.program.is_subtype(class, expected)
            }
            _ => value == place,
        }
    }

    /// A sort as messages have it.
    fn sort_name(&self, sort: Sort) -> String {
        match sort {
            Sort::Ref(class) => self.class_name(class),
            _ => heapwright_logic::display_sort(&self.program.definitions, sort),
        }
    }

    /// A class as messages have it.
    fn class_name(&self, class: ClassId) -> String {
        match class {
            ClassId::ANY => "any".to_owned(),
            _ if self.has_class(class) => self.program.definitions.class(class).name.clone(),
            _ => format!("#{}", class.0),
        }
    }
}
