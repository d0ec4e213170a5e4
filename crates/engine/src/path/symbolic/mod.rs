//! Execution with symbols: the domain that lets the one interpreter run over open inputs.
//!
//! Two heaps are kept apart. The [initial heap](InitialHeap) describes the input that is looked
//! for; the [memory](SlotMemory) is what the program has made of it. Wherever the input is open, the
//! run needs a [decision](crate::Decision): first those of the prefix that it was started with,
//! then those of its [guide](Guide). Everything else is computed.
//!
//! | module | what |
//! | --- | --- |
//! | `question` | what can be open, the alternatives, and what each adds to the initial heap |
//! | `fresh` | objects that the precondition does not speak of |
//! | `globals` | globals whose objects are objects of the input |
//! | `choose` | taking a decision |
//! | `resolve` | which object a reference is |
//! | `settle` | what leaves no choice |
//! | `misses` | branches on known numbers that were nearly taken |
//! | `domain` | the answers to the interpreter |
//! | `interior` | pointers that lead into other objects |
//! | `pointers` | memory as bytes, pointers as numbers, casts between pointers |
//! | `elements` | elements of arrays at an open index |
//! | `interning` | objects that are one with others of the same number |
//! | `environment` | what depends on the environment, and is no part of the input |
//! | `refine` | going on with the input alone, when the run is over |

mod choose;
mod domain;
mod elements;
mod environment;
mod fresh;
mod globals;
mod headers;
mod interior;
mod interning;
mod members;
mod misses;
mod pointers;
mod question;
mod refine;
mod resolve;
mod settle;
mod singleton;
mod tags;

use std::collections::{BTreeMap, BTreeSet};

use heapwright_ir::machine::environment::Environment;
use heapwright_ir::machine::interned::Interned;
use heapwright_ir::machine::slot_memory::SlotMemory;
use heapwright_ir::machine::{Edge, MachineError, ObjectId, ProgramPoint, Site};
use heapwright_ir::{BlockId, FunctionId, GlobalId};
use heapwright_logic::{ClassId, SymbolicHeap, TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

pub use misses::{Miss, Misses};

use crate::analysis::coverage::Coverage;
use crate::check::verdict::leave_open;
use crate::options::Extent;
use crate::path::aliases::Contradiction;
use crate::path::assignment::Assignment;
use crate::path::decision::{Choice, Decision};
use crate::path::initial_heap::{AddedCell, InitialCell, InitialHeap};
use crate::path::knowledge::Knowledge;
use crate::path::questions::Questions;
use crate::path::symbolic_value::SymbolicValue;
use crate::report::Limit;
use crate::subject::Subject;

/// Who decides when the prefix is over.
#[derive(Clone, Copy)]
pub enum Guide<'g> {
    /// Nobody: the run stops there.
    Pause,
    /// The concrete input.
    Input,
    /// The search: the first alternative that is feasible. Those that take an uncovered branch
    /// come first, then the one that the model at hand takes.
    Search(&'g Coverage),
}

/// An alternative that a run did not take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fork {
    /// The number of decisions before it.
    pub depth: u32,
    /// The alternative.
    pub decision: Decision,
    /// Objects of the input that are materialised behind it.
    pub objects: u32,
    /// The bound that keeps it out for now, if one does. Of arrays that are too long only the
    /// shortest is told.
    pub beyond: Option<Limit>,
}

/// Why a run was given up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathStop {
    /// The prefix is over.
    Paused,
    /// No input takes this path.
    Infeasible,
    /// What takes this path is nothing that anybody would call the program with; it is left open, and
    /// becomes no test.
    NoInput,
    /// The prefix, or the input, is not one for this program: a bug.
    Diverged,
    /// A bound was reached.
    Cut(Limit),
    /// The program is not well-formed, or does something that cannot be followed.
    Machine(MachineError),
}

impl From<MachineError> for PathStop {
    fn from(error: MachineError) -> Self {
        PathStop::Machine(error)
    }
}

impl From<Contradiction> for PathStop {
    fn from(_: Contradiction) -> Self {
        PathStop::Infeasible
    }
}

/// What a run starts from.
pub struct Start<'s> {
    /// What is executed.
    pub subject: &'s Subject,
    /// Facts about the predicates of its specification.
    pub knowledge: &'s Knowledge,
    /// The store of terms at the beginning.
    pub terms: &'s Terms,
    /// Bounds on paths.
    pub extent: Extent,
    /// The literals that the code under test uses.
    pub literals: &'s [GlobalId],
    /// Whether references are initialised by type alone, when they are first looked at, and the
    /// precondition is left out.
    pub lazy: bool,
}

/// The domain of symbolic values.
pub struct Symbolic<'s> {
    subject: &'s Subject,
    knowledge: &'s Knowledge,
    extent: Extent,
    literals: &'s [GlobalId],
    lazy: bool,
    guide: Guide<'s>,
    prefix: Vec<Decision>,
    assignment: Option<Assignment>,
    /// An input that takes all decisions of the prefix but the last.
    neighbour: Option<Assignment>,
    /// The store of all terms of this run.
    pub terms: Terms,
    /// The way to the solver.
    pub questions: Questions,
    /// The input.
    pub initial: InitialHeap,
    memory: SlotMemory<SymbolicValue>,
    /// The decisions taken.
    pub decisions: Vec<Decision>,
    /// The alternatives that were not taken, behind the prefix only.
    pub forks: Vec<Fork>,
    /// Alternatives that turned out to be infeasible.
    pub infeasible: u64,
    /// Bounds that kept alternatives out.
    pub cut: BTreeMap<Limit, u64>,
    /// The bound that ended the run before the end of its path, with the number of objects that
    /// every input behind it has at least.
    pub short: Option<(Limit, u32)>,
    /// The bounds that leave something unexplored, with the number of objects that every input
    /// there has at least.
    pub open: Vec<(Limit, u32)>,
    /// What the reference can be that a run stopped at, where more is known about it than the
    /// initial heap says: that it lies inside of an instance that was unfolded for its sake.
    pub pending: Option<(Site, Vec<Choice>)>,
    /// Classes whose objects the run took to be of no subclass that is not known.
    pub extended_by_none: BTreeSet<ClassId>,
    /// Classes of references that only some of the objects were tried for that they could lead to.
    pub tried_in_part: BTreeSet<ClassId>,
    /// Branches that the run nearly took.
    pub misses: Misses,
    /// Whether the input that the run was started with still stands for all its decisions.
    pub input_holds: bool,
    /// The edges of branch coverage in order.
    pub trail: Vec<Edge>,
    /// The same edges, each once.
    taken: FxHashSet<Edge>,
    /// How often each edge was taken, for every active call.
    counts: Vec<FxHashMap<Edge, u32>>,
    /// The block of the innermost function under test that called each active function, if any.
    callers: Vec<Option<(FunctionId, BlockId)>>,
    exhausted: Option<Limit>,
    /// Whether the assignment is a model of what is known after the decision that is being
    /// taken, not before it.
    model_is_ahead: bool,
    unfoldings: FxHashMap<(Option<u32>, u32), SymbolicHeap>,
    /// What the arguments of open instances rule out.
    contradicted: FxHashMap<u32, settle::Contradicted>,
    /// The objects outside of the footprint that were thought of.
    fresh_cells: FxHashMap<fresh::FreshKey, AddedCell>,
    /// The objects around places that were thought of.
    containers: FxHashMap<(usize, VarId, ClassId), VarId>,
    /// Bytes of unions that were read as pointers, with these.
    members: FxHashMap<VarId, VarId>,
    /// References to objects that nothing else refers to.
    owned: FxHashSet<VarId>,
    /// How many calls deep the run is in an initialiser.
    initialising: u32,
    /// What initialisers have made: it is there before the call.
    made_before: FxHashSet<ObjectId>,
    /// What was written to arrays at indices that were open, and whatever came after that.
    indexed_writes: FxHashMap<ObjectId, Vec<elements::IndexedWrite>>,
    /// Objects that are one with others of the same number.
    interned: Interned<TermId>,
    /// References to arrays whose lengths the rules say.
    fixed_lengths: FxHashMap<VarId, u32>,
    /// The symbols that stand for answers of the environment, each with the usual answer.
    answers: FxHashMap<VarId, (Environment, SymbolicValue)>,
    /// The numbers that references keep, as far as somebody asked.
    identities: Vec<(SymbolicValue, SymbolicValue)>,
    /// The part of the environment that decides which branches of the code under test are taken.
    pub decided_by: Option<Environment>,
    point: ProgramPoint,
}

impl<'s> Symbolic<'s> {
    /// A domain at the beginning of a run.
    pub fn new(
        start: &Start<'s>,
        guide: Guide<'s>,
        prefix: Vec<Decision>,
        questions: Questions,
    ) -> Self {
        Symbolic {
            subject: start.subject,
            knowledge: start.knowledge,
            extent: start.extent,
            literals: start.literals,
            lazy: start.lazy,
            guide,
            prefix,
            assignment: None,
            neighbour: None,
            terms: start.terms.clone(),
            questions,
            initial: InitialHeap::default(),
            memory: SlotMemory::default(),
            decisions: Vec::new(),
            forks: Vec::new(),
            infeasible: 0,
            cut: BTreeMap::new(),
            short: None,
            open: Vec::new(),
            pending: None,
            extended_by_none: BTreeSet::new(),
            tried_in_part: BTreeSet::new(),
            misses: Misses::default(),
            input_holds: true,
            trail: Vec::new(),
            taken: FxHashSet::default(),
            counts: vec![FxHashMap::default()],
            callers: Vec::new(),
            exhausted: None,
            model_is_ahead: false,
            unfoldings: FxHashMap::default(),
            contradicted: FxHashMap::default(),
            fresh_cells: FxHashMap::default(),
            containers: FxHashMap::default(),
            members: FxHashMap::default(),
            owned: FxHashSet::default(),
            initialising: 0,
            made_before: FxHashSet::default(),
            indexed_writes: FxHashMap::default(),
            interned: Interned::default(),
            fixed_lengths: FxHashMap::default(),
            answers: FxHashMap::default(),
            identities: Vec::new(),
            decided_by: None,
            point: ProgramPoint {
                function: start.subject.function,
                block: BlockId(0),
                instruction: 0,
            },
        }
    }

    /// Puts a concrete input beside the run.
    pub fn accompanied_by(mut self, assignment: Assignment) -> Self {
        self.assignment = Some(assignment);
        self
    }

    /// Puts an input beside the run that takes nearly the same path: what is looked for is looked
    /// for near it first.
    pub fn near(mut self, neighbour: Assignment) -> Self {
        self.neighbour = Some(neighbour);
        self
    }

    /// Tells the solver about the numbers of the input at hand, or of the neighbour.
    pub fn suggest(&mut self) {
        if let Some(known) = self.assignment.as_ref().or(self.neighbour.as_ref()) {
            self.questions.suggest(known.values());
        }
    }

    /// Takes the precondition for granted, and gives the values of the parameters.
    pub fn begin(&mut self) -> Result<Vec<SymbolicValue>, PathStop> {
        let formula = match self.lazy {
            true => None,
            false => self.subject.precondition.as_ref(),
        };
        if let Some(formula) = formula {
            let choices = (0..formula.disjuncts.len() as u32).map(Choice::Disjunct);
            self.choose(None, question::ChoicePoint::Precondition, choices.collect())?;
        }
        self.bind_globals()?;
        let inputs = self.subject.inputs.iter();
        let terms = &mut self.terms;
        Ok(inputs
            .map(|input| SymbolicValue::Symbolic(terms.var(input.variable)))
            .collect())
    }

    /// A bound keeps alternatives out, which all have at least this many objects.
    fn cut(&mut self, limit: Limit, objects: u32) {
        *self.cut.entry(limit).or_insert(0) += 1;
        leave_open(&mut self.open, limit, objects);
    }

    /// The same, and the run ends here.
    fn cut_off(&mut self, limit: Limit, objects: u32) -> PathStop {
        self.cut(limit, objects);
        PathStop::Cut(limit)
    }

    /// A bound ends the run here; every input that goes on has at least this many objects.
    fn stop_short(&mut self, limit: Limit, objects: u32) -> PathStop {
        self.short = Some((limit, objects));
        PathStop::Cut(limit)
    }

    /// The block of a function under test where the run is, or where it called what is running.
    fn block_under_test(&self) -> Option<(FunctionId, BlockId)> {
        let ProgramPoint {
            function, block, ..
        } = self.point;
        match self.subject.is_under_test(function) {
            true => Some((function, block)),
            false => self.callers.last().copied().flatten(),
        }
    }

    /// Objects of the input that were materialised so far.
    pub fn objects(&self) -> u32 {
        let rules = &self.subject.rules;
        let cells = self.initial.cells.iter();
        let is_counted = |known: &&InitialCell| {
            let class = &known.cell.class;
            !rules.singletons.contains_key(class)
                && !rules.parts.contains(class)
                && !known.comes_along
                && self.subject.bound_global(known.source).is_none()
        };
        cells.filter(is_counted).count() as u32
    }
}
