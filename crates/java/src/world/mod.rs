//! The world of a program under test: classes and functions of the core language, entered as they
//! are needed.
//!
//! A [`World`] owns a [`Program`] that only grows: ids never change. Classes are *declared* (they
//! have an id and a name) as soon as something mentions them, and *completed* (superclass,
//! interfaces, fields, methods) when code creates or looks into their objects; otherwise one class
//! of the JDK would bring in all others. Functions are declared with the methods of completed
//! classes, and translated when something calls them: until then their code is
//! [absent](heapwright_ir::Terminator::Absent). A run that ends with [`MachineError::Missing`] is
//! repeated after [`World::supply`].
//! Runs are functions of their input, so nothing is lost but a little time.
//!
//! | module | what it does |
//! | --- | --- |
//! | `classes` | classes, arrays, sorts of types |
//! | `methods` | functions of methods, tables for virtual calls |
//! | `statics` | static fields and the guards that initialise classes |
//! | `literals`, `interning` | strings and class objects |
//! | `mirrors` | what class objects know about their classes |
//! | `arrays` | copies of arrays |
//! | `natives`, `native_bodies`, `slots`, `var_handles` | methods whose bodies are not bytecode |
//! | `mathematics` | mathematical functions |
//! | `inputs`, `input_classes`, `input_fields`, `code_under_test` | what inputs consist of |
//! | `entries`, `enums` | methods together with what else they need to be run |
//! | `drivers`, `script_drivers` | functions that make calls with open values |
//! | `arguments`, `families` | what calls in sequences and scripts are given, and which classes belong together |
//! | `stubs` | objects for interfaces that are only asked |
//! | `scope`, `jacoco` | what counts for coverage |
//! | `loading` | translation on demand |
//! | `names` | what ids are called in other worlds |
//!
//! [`MachineError::Missing`]: heapwright_ir::machine::MachineError::Missing

mod arguments;
mod arrays;
mod builder;
mod classes;
mod code_under_test;
mod constant_functions;
mod drivers;
mod entries;
mod enums;
mod error;
mod exceptions;
mod families;
mod family_writes;
mod fault_messages;
mod finally;
mod inherited;
mod initialisers;
mod input_classes;
mod input_fields;
mod inputs;
mod interning;
mod invariants;
mod jacoco;
mod library;
mod literals;
mod loading;
mod mathematics;
mod methods;
mod mirrors;
mod names;
mod native_bodies;
mod natives;
mod parameterised;
mod scope;
mod script_drivers;
mod shared;
mod slots;
mod standard_streams;
mod static_places;
mod statics;
mod stubs;
mod surroundings;
mod validators;
mod var_handles;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_ir::{
    BlockId, ClassInfo, FaultKind, Function, FunctionId, Global, GlobalId, Program, SharedVec,
    Stability,
};
use heapwright_logic::{ClassId, Sort};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::classfile::{Class, JavaString, Pc};
use crate::classpath::ClassPath;
use crate::descriptor::{Name, Type};
use crate::emit::{Inherited, MessageSource};
use crate::hierarchy::{DeclaredMethod, Hierarchy, LinkError};

pub use arguments::ClassState;
pub(crate) use classes::{kind_of, kind_sort};
pub(crate) use constant_functions::Functional;
pub use drivers::{Driver, DriverArgument, DriverCall, DriverStep, Making};
pub use entries::{StaticInput, TestEntry};
pub use enums::{EnumConstant, EnumInput};
pub use error::{MethodPlace, TranslateError, Trouble};
pub use initialisers::InitialiserFailure;
pub use invariants::{Predicate, PredicateArgument, PredicateError, USUAL_NAMES};
pub use jacoco::JacocoFiltered;
pub(crate) use loading::place;
pub(crate) use methods::{CLASS_OBJECT, method_key, private_key};
pub use names::{ClassName, FunctionName, GlobalName, KnownNames};
pub use script_drivers::{DriverCallee, DriverOperand, ScriptCallee, ScriptDriver};
pub use static_places::StaticStep;
pub use stubs::{STUB_EXCEPTION, Stub};
pub(crate) use surroundings::{
    ASKED_BY_CALLERS, Caller, Purpose, chosen_bits, depends_on, is_kept_in, purpose,
};
pub(crate) use validators::canonical_constructor;
pub(crate) use var_handles::VAR_HANDLE;

/// The root of all classes.
pub const OBJECT: &str = "java.lang.Object";

/// What can be thrown.
pub const THROWABLE: &str = "java.lang.Throwable";

/// The class of strings.
pub const STRING: &str = "java.lang.String";

/// The class of class objects.
pub const CLASS: &str = "java.lang.Class";

/// The exceptions that faults throw.
const EXCEPTIONS: [(FaultKind, &str); 7] = [
    (FaultKind::NullDereference, "java.lang.NullPointerException"),
    (FaultKind::DivisionByZero, "java.lang.ArithmeticException"),
    (
        FaultKind::OutOfBounds,
        "java.lang.ArrayIndexOutOfBoundsException",
    ),
    (
        FaultKind::NegativeLength,
        "java.lang.NegativeArraySizeException",
    ),
    (FaultKind::BadCast, "java.lang.ClassCastException"),
    (FaultKind::BadElement, "java.lang.ArrayStoreException"),
    (FaultKind::StackOverflow, "java.lang.StackOverflowError"),
];

/// The methods that method handles of a class refer to, with their classes.
type HandedOut = Arc<[(Name, Name)]>;

/// Classes and functions that were needed so far.
#[derive(Debug)]
pub struct World {
    /// Whether boxes are made without a look into the JDK's table of boxes.
    interns_boxes: bool,
    path: Arc<ClassPath>,
    program: Program,
    /// Classes by type; array classes too.
    classes: FxHashMap<Type, ClassId>,
    /// The types of the classes, by id; the static fields of a class have none.
    types: FxHashMap<ClassId, Type>,
    /// Classes that are more than names.
    completed: FxHashSet<ClassId>,
    /// Functions of methods, by class and name with descriptor.
    functions: FxHashMap<(Name, String), FunctionId>,
    /// The names of functions, which have to be unique.
    function_names: FxHashSet<String>,
    /// What stands behind functions that have not been translated yet.
    pending: FxHashMap<FunctionId, loading::Pending>,
    /// Methods of functions, translated or not.
    methods: FxHashMap<FunctionId, DeclaredMethod>,
    /// Static fields of classes.
    statics: FxHashMap<Name, statics::Statics>,
    /// String literals and the functions that fill them.
    literals: FxHashMap<JavaString, (GlobalId, FunctionId)>,
    /// The texts of the globals that are literals.
    literal_texts: FxHashMap<GlobalId, JavaString>,
    /// Class objects and the functions that fill them, by Java name.
    mirrors: FxHashMap<String, (GlobalId, FunctionId)>,
    /// All class objects, with their types.
    class_objects: Vec<(GlobalId, Type)>,
    /// Whether functions that ask class objects are being made anew.
    class_objects_settling: bool,
    /// Functions that ask class objects.
    questions: Vec<(FunctionId, mirrors::Question)>,
    /// Source files of classes.
    files: FxHashMap<Name, u32>,
    /// Classes that were made up for call sites, by method and instruction.
    call_sites: FxHashMap<(Name, String, Pc), Name>,
    /// The conditional jumps and switches behind the terminators of functions.
    jumps: BTreeMap<(FunctionId, BlockId), Pc>,
    /// What interns strings, if anything does.
    interning: Option<interning::Interning>,
    /// The class of handles for fields.
    field_handles: Option<ClassId>,
    /// The object of the only thread.
    thread: Option<GlobalId>,
    /// The constants of enums, by class; none for classes whose initialisers are unusual.
    enum_constants: BTreeMap<Name, Option<Arc<[EnumConstant]>>>,
    /// Functions that say which records can be made.
    validators: FxHashMap<ClassId, FunctionId>,
    /// What could not be translated.
    failures: BTreeMap<FunctionId, TranslateError>,
    /// The candidates that were asked for, as long as the code under test is the same.
    known_candidates: RefCell<FxHashMap<Type, (Vec<Type>, bool)>>,
    /// What was found out about exceptions.
    known_exceptions: RefCell<FxHashMap<Name, Option<MessageSource>>>,
    /// What families of classes write, by the outermost class.
    known_writes: RefCell<FxHashMap<Name, Arc<family_writes::FamilyWrites>>>,
    /// What can change in objects of a class, and whether tests cannot look into them.
    known_stability: RefCell<FxHashMap<ClassId, (bool, Option<Stability>)>>,
    /// Which classes cannot be initialised, as far as somebody wanted to know.
    known_failures: RefCell<FxHashMap<Name, Option<InitialiserFailure>>>,
    /// What was found out about subclasses of the JDK's classes.
    known_inherited: RefCell<FxHashMap<Name, Option<Arc<Inherited>>>>,
    /// What method handles of classes refer to.
    known_handles: RefCell<FxHashMap<Name, HandedOut>>,
    /// What the rules for inputs depend on.
    tested: code_under_test::CodeUnderTest,
    /// Methods with the static fields that they depend on.
    entries: FxHashMap<FunctionId, TestEntry>,
    /// Types with arguments that leave some of the usual classes of objects only.
    narrowed: Vec<parameterised::Narrowed>,
    /// Functions that say whether the objects of an entry are valid, by predicate.
    invariants: FxHashMap<(FunctionId, String), Option<FunctionId>>,
}

impl World {
    /// A world with what every program needs: objects, strings and the exceptions of faults.
    pub fn new(path: Arc<ClassPath>) -> Result<Self, LinkError> {
        let program = Program {
            classes: SharedVec::from(vec![ClassInfo {
                instantiable: false,
                ..ClassInfo::default()
            }]),
            ..Program::default()
        };
        let mut world = World {
            interns_boxes: true,
            path,
            program,
            classes: FxHashMap::default(),
            types: FxHashMap::default(),
            completed: FxHashSet::default(),
            functions: FxHashMap::default(),
            function_names: FxHashSet::default(),
            pending: FxHashMap::default(),
            methods: FxHashMap::default(),
            statics: FxHashMap::default(),
            literals: FxHashMap::default(),
            literal_texts: FxHashMap::default(),
            mirrors: FxHashMap::default(),
            class_objects: Vec::new(),
            enum_constants: BTreeMap::new(),
            validators: FxHashMap::default(),
            class_objects_settling: false,
            questions: Vec::new(),
            files: FxHashMap::default(),
            call_sites: FxHashMap::default(),
            jumps: BTreeMap::new(),
            interning: None,
            field_handles: None,
            thread: None,
            failures: BTreeMap::new(),
            known_candidates: RefCell::default(),
            known_exceptions: RefCell::default(),
            known_writes: RefCell::default(),
            known_failures: RefCell::default(),
            known_stability: RefCell::default(),
            known_inherited: RefCell::default(),
            known_handles: RefCell::default(),
            tested: code_under_test::CodeUnderTest::default(),
            entries: FxHashMap::default(),
            narrowed: Vec::new(),
            invariants: FxHashMap::default(),
        };
        world.complete(&Type::class(OBJECT))?;
        for (fault, class) in EXCEPTIONS {
            let id = world.complete(&Type::class(class))?;
            world.program.exceptions.insert(fault, id);
            world.enter_fault(fault, id, class)?;
        }
        Ok(world)
    }

    /// The program so far.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The class path.
    pub fn class_path(&self) -> &Arc<ClassPath> {
        &self.path
    }

    /// The method that a function is the translation of.
    pub fn method_of(&self, function: FunctionId) -> Option<&DeclaredMethod> {
        self.methods.get(&function)
    }

    /// The type that a class of the program stands for.
    pub fn type_of(&self, class: ClassId) -> Option<&Type> {
        self.types.get(&class)
    }

    /// The instructions behind the branches and switches of translated functions.
    pub fn jumps(&self) -> &BTreeMap<(FunctionId, BlockId), Pc> {
        &self.jumps
    }

    /// The functions that could not be translated, and why. Running into one ends the run with an
    /// unknown intrinsic function named `untranslated: ...`.
    pub fn failures(&self) -> &BTreeMap<FunctionId, TranslateError> {
        &self.failures
    }

    /// Whether objects of a class can be thrown.
    pub(crate) fn is_throwable(&self, class: &Class) -> bool {
        let is_below = |hierarchy: Hierarchy<'_>| hierarchy.is_subclass(&class.name, THROWABLE);
        matches!(self.with_hierarchy(is_below), Ok(true))
    }

    pub(crate) fn with_hierarchy<T>(&self, ask: impl FnOnce(Hierarchy<'_>) -> T) -> T {
        ask(Hierarchy::new(&self.path))
    }

    pub(crate) fn call_site(&mut self, site: (Name, String, Pc), class: Name) {
        self.call_sites.insert(site, class);
    }

    pub(crate) fn known_call_site(&self, site: &(Name, String, Pc)) -> Option<&Name> {
        self.call_sites.get(site)
    }

    /// Replaces the body of a function, keeping what others rely on.
    fn set_function(&mut self, id: FunctionId, function: Function) {
        if let Some(place) = self.program.functions.get_mut(id.index()) {
            *place = function;
        }
    }

    /// Adds a function, under a name that no other one has.
    fn add_function(&mut self, mut function: Function) -> FunctionId {
        let mut count = 1;
        let name = function.name.clone();
        while !self.function_names.insert(function.name.clone()) {
            count += 1;
            function.name = format!("{name}'{count}");
        }
        let id = FunctionId(self.program.functions.len() as u32);
        self.program.functions.push(function);
        id
    }

    fn add_global(&mut self, name: String, class: ClassId) -> GlobalId {
        let id = GlobalId(self.program.globals.len() as u32);
        self.program.globals.push(Global {
            name,
            class,
            length: None,
        });
        id
    }

    /// A field of a completed class by name, for the few that the translation itself knows.
    fn known_field(&self, class: ClassId, name: &str) -> Option<(u32, Sort)> {
        let fields = &self.program.definitions.class(class).fields;
        let index = fields.iter().position(|field| field.name == name)?;
        Some((index as u32, fields.get(index)?.sort))
    }
}
