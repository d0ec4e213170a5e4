//! Questions that share a prefix: symbolic execution asks thousands of them.
//!
//! A session holds a symbolic heap that grows and shrinks by frames. Two things make its
//! questions cheap: a frame that was refuted refutes all frames above it, and a model found
//! before is tried again as long as only pure conditions were added since.

use heapwright_logic::{
    Formula, Instance, Model, PointsTo, SymbolicHeap, TermId, Terms, Value, VarId, evaluate,
};

use crate::answer::Answer;
use crate::solver::Solver;

/// How many models are kept for trying again.
const REMEMBERED: usize = 4;

/// A stack of frames over a solver. All variables are free.
pub struct Session<'a> {
    solver: &'a mut Solver,
    heap: SymbolicHeap,
    frames: Vec<Frame>,
    /// The number of frames that are enough to be unsatisfiable.
    refuted: Option<usize>,
    models: Vec<Remembered>,
    /// Questions answered from memory.
    pub reused: u64,
}

/// Lengths of the parts of the heap when the frame was pushed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Frame {
    points_to: usize,
    instances: usize,
    pure: usize,
}

/// A model, and for which heap it was found.
struct Remembered {
    model: Box<Model>,
    at: Frame,
}

impl<'a> Session<'a> {
    /// A session that starts with `heap` given.
    pub fn new(solver: &'a mut Solver, heap: SymbolicHeap) -> Self {
        Session {
            solver,
            heap,
            frames: Vec::new(),
            refuted: None,
            models: Vec::new(),
            reused: 0,
        }
    }

    /// Begins a frame.
    pub fn push(&mut self) {
        self.frames.push(self.lengths());
    }

    /// Takes back everything added since the matching `push`. Returns false if there is none.
    pub fn pop(&mut self) -> bool {
        let Some(frame) = self.frames.pop() else {
            return false;
        };
        self.heap.points_to.truncate(frame.points_to);
        self.heap.instances.truncate(frame.instances);
        self.heap.pure.truncate(frame.pure);
        // Refuted with more frames than are left: open again.
        self.refuted = self.refuted.filter(|&depth| depth <= self.frames.len());
        (self.models).retain(|known| {
            known.at.points_to <= frame.points_to && known.at.instances <= frame.instances
        });
        true
    }

    /// Adds a pure condition.
    pub fn assume(&mut self, condition: TermId) {
        self.heap.pure.push(condition);
    }

    /// Adds a cell.
    pub fn add_cell(&mut self, cell: PointsTo) {
        self.heap.points_to.push(cell);
    }

    /// Adds a predicate instance.
    pub fn add_instance(&mut self, instance: Instance) {
        self.heap.instances.push(instance);
    }

    /// The heap as it stands.
    pub fn heap(&self) -> &SymbolicHeap {
        &self.heap
    }

    /// Whether some heap satisfies everything added so far.
    pub fn check(&mut self, terms: &mut Terms) -> Answer {
        if self.refuted.is_some() {
            self.reused += 1;
            return Answer::Unsat;
        }
        if let Some(model) = self.model_that_fits(terms) {
            self.reused += 1;
            return Answer::Sat(model);
        }
        let formula = Formula {
            disjuncts: vec![self.heap.clone()],
        };
        let answer = self.solver.check(terms, &formula);
        match &answer {
            Answer::Sat(model) => {
                let at = self.lengths();
                self.models.truncate(REMEMBERED - 1);
                let model = model.clone();
                self.models.insert(0, Remembered { model, at });
            }
            Answer::Unsat => self.refuted = Some(self.frames.len()),
            Answer::Unknown(_) => {}
        }
        answer
    }

    fn lengths(&self) -> Frame {
        Frame {
            points_to: self.heap.points_to.len(),
            instances: self.heap.instances.len(),
            pure: self.heap.pure.len(),
        }
    }

    /// A remembered model of the same spatial part under which all conditions hold.
    fn model_that_fits(&self, terms: &Terms) -> Option<Box<Model>> {
        let now = self.lengths();
        let same_heap = |known: &&Remembered| {
            known.at.points_to == now.points_to && known.at.instances == now.instances
        };
        let fitting = self.models.iter().filter(same_heap).find(|known| {
            let value = |variable: VarId| {
                let value = known.model.stack.get(&variable).copied();
                // A variable that nothing mentioned so far may have its default value.
                value.or_else(|| Some(Value::default_of(terms.variable(variable).sort)))
            };
            let holds =
                |&condition: &TermId| evaluate(terms, condition, value) == Ok(Value::Bool(true));
            self.heap.pure.iter().all(holds)
        })?;
        let mut model = fitting.model.clone();
        for variable in self.heap.free_variables(terms) {
            let default = Value::default_of(terms.variable(variable).sort);
            model.stack.entry(variable).or_insert(default);
        }
        Some(model)
    }
}
