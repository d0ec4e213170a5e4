//! What tests are made from.

use std::collections::BTreeMap;

use heapwright_logic::{ClassId, Heap, Loc, Value};

use crate::classfile::JavaString;
use crate::descriptor::{Name, Primitive, Type};
use crate::target::TargetMethod;
use crate::world::{Predicate, StaticStep, Stub};

/// The library that runs the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framework {
    /// JUnit 5 (`org.junit.jupiter.api`).
    JUnit5,
    /// JUnit 4.13 (`org.junit`).
    JUnit4,
}

/// A test class.
#[derive(Debug, Clone)]
pub struct TestClass {
    /// Its package; that of the class under test, unless that belongs to the JDK
    /// (see [`test_package`](super::test_package)).
    pub package: String,
    /// Its name; what cannot be part of a name in Java is replaced.
    pub name: String,
    /// The library.
    pub framework: Framework,
    /// The tests, in order.
    pub cases: Vec<TestCase>,
}

/// One test: a call, the heap before, and the heap after.
///
/// A location that occurs in both heaps is the same object; one that occurs after the call only is
/// a new object.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub struct TestCase {
    /// The method, static or not, or the constructor.
    pub method: TargetMethod,
    /// The name of the test, as in `remove_leafFoundLeft`; made unique.
    pub name: String,
    /// What is written above the test.
    pub comments: Vec<String>,
    /// The input in one line, for people; written above the statements that build it.
    pub picture: Option<String>,
    /// The receiver of an instance method, then the parameters. A constructor has no receiver.
    pub arguments: Vec<Value>,
    /// Static fields that are set before the call.
    pub statics: Vec<StaticValue>,
    /// Static fields that the call, or what it depends on, lies behind: their objects are put back
    /// into the state that they had before the test.
    pub shared: Vec<SharedField>,
    /// The heap before. The cells of arrays have the elements as fields.
    pub before: Heap,
    /// How the call ended.
    pub ending: Ending,
    /// What the run shows to be wrong with the program; the test fails as long as it is.
    pub defect: Option<Defect>,
    /// Where the result is not the same in all runs, or only nearly.
    pub vague: BTreeMap<AssertedLocation, Vagueness>,
    /// Objects that belong to the program and not to the input.
    pub globals: BTreeMap<Loc, GlobalObject>,
    /// A predicate that should hold afterwards for some of the arguments.
    pub invariant: Option<Invariant>,
    /// The calls that make the receiver, instead of its fields; as a rule nothing is asserted about
    /// fields then.
    pub sequence: Option<CallSequence>,
    /// The calls that the test consists of, instead of everything else about the input.
    pub script: Option<CallScript>,
}

/// A test that is a straight list of calls, the last of which is under test.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub struct CallScript {
    /// The calls, in order.
    pub statements: Vec<ScriptStatement>,
    /// What is asked afterwards, and what is said.
    pub observations: Vec<ScriptObservation>,
    /// A predicate without parameters that should hold for the receiver afterwards, but does not.
    pub broken: Option<TargetMethod>,
}

/// A call of a script.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub struct ScriptStatement {
    /// What is called.
    pub call: ScriptCall,
    /// What it is given, the receiver first.
    pub operands: Vec<ScriptOperand>,
}

/// What a statement of a script calls.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub enum ScriptCall {
    /// A constructor.
    New(TargetMethod),
    /// A static method.
    Static(TargetMethod),
    /// A method of the first operand.
    Method(TargetMethod),
    /// Nothing: it is a new array with elements of a type.
    Array(Type),
    /// Nothing: it is an object that implements an interface, with these answers.
    Stub(Name, Stub),
}

/// What a call of a script is given.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum ScriptOperand {
    /// What an earlier statement gave.
    Variable(usize),
    /// A value that is written down.
    Given(Given),
}

/// Something that is asked after the call under test.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub struct ScriptObservation {
    /// The statement that gave the object, the last one included.
    pub object: usize,
    /// The method that is called. It takes nothing else.
    pub method: TargetMethod,
    /// What it returns.
    pub value: Told,
}

/// What an observer returns.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Told {
    /// Null, or a value of a primitive type.
    Value(Value),
    /// A boxed value.
    Boxed(Primitive, Value),
    /// A string.
    Text(Vec<u16>),
    /// A constant of an enum: the class, and its name.
    Constant(Name, Name),
}

/// A predicate such as `repOk`, and what it should hold for.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub struct Invariant {
    /// The predicate.
    pub predicate: Predicate,
    /// The arguments that are objects of its class, by their positions, the receiver counted.
    pub objects: Vec<usize>,
}

/// Calls that make the receiver, and what is asserted about it afterwards.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub struct CallSequence {
    /// The call of the constructor.
    pub constructor: SequenceCall,
    /// The calls behind it, up to the one under test.
    pub calls: Vec<SequenceCall>,
    /// The arguments of the call under test.
    pub arguments: Vec<Given>,
    /// Methods without parameters that are called at the end, with what they return.
    pub observers: Vec<(TargetMethod, Value)>,
    /// A predicate without parameters that should hold afterwards, but does not: the test fails by
    /// it if its defect is [`Defect::Invariant`].
    pub broken: Option<TargetMethod>,
    /// Whether the fields of the receiver and of everything behind it are asserted afterwards, as if
    /// the calls had not been there, instead of what observers say.
    pub looks_inside: bool,
}

/// A call before the one under test.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub struct SequenceCall {
    /// The constructor or method.
    pub method: TargetMethod,
    /// Its arguments.
    pub arguments: Vec<Given>,
}

/// An argument of a call in a sequence.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Given {
    /// Null, or a value of a primitive type.
    Value(Value),
    /// A boxed value.
    Boxed(Primitive, Value),
    /// A string.
    Text(String),
    /// A constant of an enum.
    Constant {
        /// The enum.
        class: Name,
        /// The constant.
        field: Name,
    },
    /// A new object, made by the constructor without parameters.
    New(Name),
}

/// A static field with its value.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct StaticValue {
    /// The class that declares the field.
    pub class: Name,
    /// The field.
    pub field: Name,
    /// The way to a number behind it, if that is meant.
    pub path: Vec<StaticStep>,
    /// The value.
    pub value: Value,
}

/// A static field whose objects other tests see, too.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct SharedField {
    /// The class that declares the field.
    pub class: Name,
    /// The field.
    pub field: Name,
    /// Whether a test can restore what the call changes behind it.
    pub can_be_restored: bool,
}

/// How a call ended.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub enum Ending {
    /// It returned.
    Returned {
        /// The result; of a constructor, the object that was made.
        result: Option<Value>,
        /// The heap after.
        after: Heap,
        /// Static fields to be looked at.
        statics: Vec<StaticValue>,
    },
    /// It threw an exception.
    Threw {
        /// The class of the exception.
        class: ClassId,
        /// The heap after.
        after: Heap,
        /// Static fields to be looked at.
        statics: Vec<StaticValue>,
    },
    /// It used too much. There is a test of that only if it shows a defect: that it does not end.
    OutOfBudget,
}

/// Something that no valid input should lead to.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Defect {
    /// The exception that the call ended with: the test lets it escape.
    Exception,
    /// The heap after the call is wrong, for this reason: the test says so and fails as long as the
    /// call leaves that heap behind.
    Postcondition(String),
    /// The call returned something else than this, which the postcondition demands.
    Result(Value),
    /// Fields of objects of the input hold something else than the postcondition demands.
    Fields {
        /// What it demands: objects, positions of fields, values.
        demanded: Vec<(Loc, usize, Value)>,
        /// What is wrong, for tests that do not see the fields.
        reason: String,
    },
    /// The predicate says that an object is not valid afterwards: nothing else is asserted.
    Invariant,
    /// The call does not end: the test gives it some time, and fails.
    Endless,
}

/// A place whose contents after the call are asserted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum AssertedLocation {
    /// The result.
    Result,
    /// A field or element of an object.
    Field(Loc, usize),
    /// A static field by class and name, or a number behind it.
    Static(Name, Name, Vec<StaticStep>),
}

/// How little is known of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Vagueness {
    /// It varies from run to run: nothing is asserted.
    Varies,
    /// A floating-point number, right within two units in the last place.
    Approximate,
}

/// An object of the program.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum GlobalObject {
    /// A string literal.
    Literal(JavaString),
    /// What a static field refers to that does not change: a constant of an enum, for example.
    StaticField {
        /// The class that declares the field.
        class: Name,
        /// The field.
        field: Name,
    },
    /// A class object.
    Class(Type),
}
