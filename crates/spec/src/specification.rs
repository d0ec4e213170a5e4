//! What a specification means: the result of reading one.

use heapwright_logic::{ClassId, Definitions, Formula, Sort, Terms, VarId};

use crate::diagnostic::{Diagnostic, SourceMap, Span};
pub use crate::syntax::ast::ContractKind;

/// What is known before a specification is read, normally from the code that it speaks of.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// The store that the terms of the specification are added to.
    pub terms: Terms,
    /// Classes and predicates that the specification may use without declaring them.
    pub definitions: Definitions,
    /// The methods and functions whose contracts the specification may give.
    pub signatures: Vec<Signature>,
    /// Packages (or outer classes) whose classes are meant by short names that several classes
    /// have.
    pub packages: Vec<String>,
    /// The classes under test, where all code is in classes: a contract without a class is for the
    /// one of them that has the method. None where there are functions.
    pub tested: Vec<ClassId>,
    /// The static fields that contracts may speak of.
    pub statics: Vec<StaticField>,
    /// Other names of classes: those of `typedef`.
    pub aliases: Vec<(String, ClassId)>,
}

/// A static field of a class of the code.
#[derive(Clone, Debug, PartialEq)]
pub struct StaticField {
    /// The class that declares it.
    pub class: ClassId,
    /// Its name.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// What a contract can say about it.
    pub access: StaticAccess,
}

/// What a contract can say about a static field.
#[derive(Clone, Debug, PartialEq)]
pub enum StaticAccess {
    /// Whatever it likes: a test sets the field.
    Input,
    /// Its value is known when the code is compiled.
    Constant(ConstantValue),
    /// Nothing, for this reason, which continues "`Class.field` ...".
    Unsupported(String),
}

/// The value of a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConstantValue {
    /// A truth value.
    Bool(bool),
    /// An integer or a character.
    Int(i128),
    /// A floating-point number, exact for single precision too.
    Float(f64),
}

/// The types of a method or function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The class of a method; none for a function.
    pub class: Option<ClassId>,
    /// Whether it has a receiver.
    pub has_receiver: bool,
    /// Its name.
    pub method: String,
    /// The sorts of its parameters, `this` not counted.
    pub params: Vec<Sort>,
    /// The names of its parameters, as far as they are known.
    pub names: Vec<String>,
    /// The sort of its result, unless it has none.
    pub result: Option<Sort>,
}

/// A specification that has been resolved and type-checked.
#[derive(Clone, Debug)]
pub struct Specification {
    /// The store of all terms and variables.
    pub terms: Terms,
    /// Classes and predicates.
    pub definitions: Definitions,
    /// Preconditions and postconditions, in order.
    pub contracts: Vec<Contract>,
    /// The formulas to be checked, in order.
    pub queries: Vec<Query>,
    /// What is accepted but odd.
    pub warnings: Vec<Diagnostic>,
    /// The texts that were read; spans point into them.
    pub sources: SourceMap,
}

/// A precondition or postcondition.
///
/// The free variables of the formula are `this`, the parameters, the result and the
/// [old values](OldValue); all other names are quantified in it. Parameters and `this` have
/// their values at entry, in a postcondition too, since a caller cannot see what a method does
/// to its parameters.
#[derive(Clone, Debug)]
pub struct Contract {
    /// Whether it speaks of the state before or after.
    pub kind: ContractKind,
    /// The class of the method; none for a function.
    pub class: Option<ClassId>,
    /// Name of the method or function; `<init>` for a constructor.
    pub method: String,
    /// The method or function: index into the signatures that were given, if it is one of them.
    pub signature: Option<usize>,
    /// Whether the method has a receiver.
    pub has_receiver: bool,
    /// The receiver, where the formula mentions it.
    pub this: Option<VarId>,
    /// The parameters, in order.
    pub params: Vec<VarId>,
    /// The returned value, where the formula mentions it.
    pub result: Option<VarId>,
    /// The exception whose case this is. None: the method returns.
    pub throws: Option<String>,
    /// The values of paths before the call.
    pub old: Vec<OldValue>,
    /// The static fields that the formula mentions.
    pub statics: Vec<StaticValue>,
    /// What holds, of the footprint of the method.
    pub formula: Formula,
    /// Where the contract is written.
    pub span: Span,
}

/// A variable that has the value of a static field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaticValue {
    /// The field: index into the static fields that were given.
    pub field: usize,
    /// Stands for the value in the formula.
    pub variable: VarId,
    /// Whether it is the value after the call, not before.
    pub after: bool,
}

/// `old(x.f.g)`: a variable that has the value of a path in the state before the call.
///
/// `old` of anything larger is taken apart: `old(x.f + y)` is `old(x.f) + y`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OldValue {
    /// Stands for the value in the formula.
    pub variable: VarId,
    /// Where the path starts: `this`, a parameter or a static field.
    pub base: VarId,
    /// The fields to follow: the class and the position in it.
    pub path: Vec<(ClassId, usize)>,
}

/// A question for the solver.
#[derive(Clone, Debug)]
pub struct Query {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The names that the formula does not quantify, in order of first occurrence.
    pub variables: Vec<VarId>,
    /// The question.
    pub formula: Formula,
    /// Where it is written.
    pub span: Span,
}
