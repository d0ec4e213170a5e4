//! A predicate of the program as the specification: `repOk`.
//!
//! A class may have a method that says whether an object of it is valid. Structures for which it
//! returns true are found by executing it on objects of which nothing is known: whatever it looks
//! at is decided then, in all possible ways (lazy initialisation), and numbers stay symbols.
//!
//! | module | what |
//! | --- | --- |
//! | `structure` | partial structures |
//! | `scalars`, `truths` | their numbers and truth values |
//! | `partial_value`, `memory`, `domain` | running a function on a partial structure |
//! | `parts`, `pointers` | objects inside of objects; memory as bytes, and pointers into it |
//! | `question` | what can be open, and the answers |
//! | `regions`, `consequences`, `refutation` | running a predicate past what is not known |
//! | `merge` | going both ways of a branch at once |
//! | `widening` | runs that go round for ever |
//! | `search`, `backoff` | all structures for which a predicate holds |
//! | `method`, `witness` | all paths of a method on structures; completions that are known |
//! | `predicate` | a function of the program as the predicate of another |
//! | `input`, `valuations` | from a structure to inputs |
//! | `enumerate` | counting structures |
//!
//! A run is copied where something is open, once for each answer, so that nothing is executed
//! twice: that is what makes the search fast.

mod backoff;
mod consequences;
mod domain;
mod enumerate;
mod input;
mod memory;
mod merge;
mod method;
mod partial_value;
mod parts;
mod pointers;
pub mod predicate;
mod question;
mod refutation;
mod regions;
mod scalars;
mod search;
mod structure;
mod truths;
mod valuations;
mod widening;
mod witness;

use std::cell::RefCell;
use std::rc::Rc;

use heapwright_ir::machine::concrete::Value as Concrete;
use heapwright_ir::machine::interned::Interned;
use heapwright_ir::machine::{Budgets, Domain, Machine, MachineError, ObjectId};
use heapwright_ir::{FunctionId, InputRules, Library, Program};
use heapwright_logic::{ClassId, Deadline, Sort, TermId};
use heapwright_solver::arith::Assignment;

use crate::input::candidates::element_sort;
use crate::subject::Subject;

use memory::Memory;
use partial_value::PartialValue;
use scalars::Scalars;
use structure::{Content, Object};

pub use enumerate::{Enumeration, enumerate};
pub use method::Paths;
pub use question::{NumberDomain, Scope};
pub use search::Structures;
pub use structure::Structure;

/// Why a run stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StructureStop {
    /// This is open; the run can be resumed with an answer.
    Ask(question::StructureQuestion),
    /// This run may not ask, and cannot know.
    Unknown,
    /// No structure is like this.
    Infeasible,
    /// Something that is not followed.
    Unsupported,
    /// The program is not well-formed, or calls something that nobody knows.
    Machine(MachineError),
}

impl From<MachineError> for StructureStop {
    fn from(error: MachineError) -> Self {
        StructureStop::Machine(error)
    }
}

/// An answer on its way to the instruction that asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Told {
    Truth(TermId, bool),
    Number(TermId, Option<i128>),
}

/// The domain of runs on a partial structure.
#[derive(Clone)]
pub struct Partial<'p> {
    program: &'p Program,
    rules: &'p InputRules,
    library: &'p Library,
    /// The sorts of the arguments.
    inputs: Rc<Vec<Sort>>,
    domains: Rc<Vec<NumberDomain>>,
    scope: Scope,
    scalars: Rc<RefCell<Scalars>>,
    deadline: Deadline,
    /// What is known about the input.
    pub structure: Structure,
    memory: Memory,
    /// Where the objects of the structure are in memory, by number.
    placed: Vec<ObjectId>,
    told: Option<Told>,
    /// How many questions about numbers were answered since the last one about a reference.
    answered: u32,
    /// The numbers with which a condition that is asked about goes the other way.
    other: Option<(TermId, bool, Rc<Assignment>)>,
    /// Whether a run goes past what is open instead of asking.
    conservative: bool,
    /// Whether such a run asks nevertheless for what is open about objects that exist already.
    asking: bool,
    /// Objects that are one with others of the same number.
    interned: Interned<PartialValue>,
    /// Whether objects have numbers of their own as identities, instead of all the same.
    identities: bool,
}

impl<'p> Partial<'p> {
    /// Nothing is known about the arguments of a subject. Whoever works with it gives up at the
    /// deadline.
    pub fn new(
        subject: &'p Subject,
        scope: Scope,
        domains: Vec<NumberDomain>,
        deadline: &Deadline,
    ) -> Result<Partial<'p>, StructureStop> {
        let mut partial = Partial {
            program: &subject.program,
            rules: &subject.rules,
            library: &subject.library,
            inputs: Rc::new(subject.inputs.iter().map(|input| input.sort).collect()),
            domains: Rc::new(domains),
            scope,
            scalars: Rc::new(RefCell::new(Scalars::new(subject.terms.clone(), deadline))),
            deadline: deadline.clone(),
            structure: Structure::default(),
            memory: Memory::default(),
            placed: Vec::new(),
            told: None,
            answered: 0,
            other: None,
            conservative: false,
            asking: false,
            interned: Interned::default(),
            identities: false,
        };
        let arguments = (0..).zip(&subject.inputs);
        let arguments: Vec<Content> = arguments
            .map(|(position, input)| partial.content(0, position, input.sort, None))
            .collect();
        for (input, argument) in subject.inputs.iter().zip(&arguments) {
            if let Content::Scalar(name) = argument {
                partial.keep_to_domain(&input.name, *name)?;
            }
        }
        partial.structure.arguments = Rc::new(arguments);
        Ok(partial)
    }

    /// The same structure with a memory of its own, before anything was executed.
    pub fn restarted(&self, structure: &Structure) -> Result<Partial<'p>, StructureStop> {
        let mut partial = Partial {
            structure: structure.clone(),
            memory: Memory::default(),
            placed: Vec::new(),
            told: None,
            answered: 0,
            other: None,
            conservative: false,
            asking: false,
            ..self.clone()
        };
        // The run that begins here comes to these branches again.
        partial.structure.forks.clear();
        for object in &structure.objects {
            partial.place(object)?;
        }
        partial.embed()?;
        Ok(partial)
    }

    /// Puts an object of the structure into memory.
    fn place(&mut self, object: &Object) -> Result<(), StructureStop> {
        if let Some(&global) = self.rules.singletons.get(&object.class) {
            // The program has put into it what is there.
            if let PartialValue::Concrete(Concrete::Pointer(address)) = self.global(global)? {
                self.placed.push(address.object);
                return Ok(());
            }
        }
        let contents = object.contents.iter();
        let contents = contents.map(|&content| self.value(content)).collect();
        let id = self.memory.add(object.class, contents)?;
        self.placed.push(id);
        Ok(())
    }

    /// Whether objects were made of classes of which there are others than those that are made.
    pub fn is_restricted(&self) -> bool {
        self.scalars.borrow().restricted
    }

    fn is_array(&self, class: ClassId) -> bool {
        element_sort(self.program, class).is_some()
    }

    fn value(&self, content: Content) -> PartialValue {
        match content {
            Content::Slot(slot) => PartialValue::Open(slot),
            Content::Scalar(name) => PartialValue::Term(self.scalars.borrow_mut().terms.var(name)),
            Content::Constant(value) => PartialValue::Concrete(value),
        }
    }

    /// A run of a function with the arguments of the structure, not begun yet.
    fn start(self, budgets: Budgets, function: FunctionId) -> Run<'p> {
        let arguments = self.structure.arguments.iter();
        let arguments = arguments.map(|&content| self.value(content)).collect();
        let deadline = self.deadline.clone();
        Run {
            machine: Machine::new(self.program, self, budgets).until(deadline),
            begin: Some((function, arguments)),
            is_check: false,
        }
    }
}

/// A run that stops where something is open.
#[derive(Clone)]
struct Run<'p> {
    machine: Machine<'p, Partial<'p>>,
    /// The function and its arguments, until the run has begun.
    begin: Option<(FunctionId, Vec<PartialValue>)>,
    /// Whether what another run has left behind is looked at.
    is_check: bool,
}

impl Run<'_> {
    /// A run of another function with the same arguments, in the memory that this one has left
    /// behind.
    fn followed_by(mut self, function: FunctionId) -> Self {
        let domain = &mut self.machine.domain;
        domain.told = None;
        domain.other = None;
        domain.answered = 0;
        domain.identities = true;
        let arguments = domain.structure.arguments.iter();
        let arguments = arguments.map(|&content| domain.value(content)).collect();
        self.begin = Some((function, arguments));
        self.is_check = true;
        self
    }

    /// Goes on until something is open, or to the end.
    fn go(
        &mut self,
    ) -> Result<heapwright_ir::machine::MachineOutcome<PartialValue>, StructureStop> {
        match self.begin.take() {
            Some((function, arguments)) => self.machine.run(function, arguments),
            None => self.machine.resume(),
        }
    }
}
