//! From a model of what a path knows to a complete input.
//!
//! The solver has unfolded what the path left open; its derivation is put together with the
//! unfoldings of the path to one for the precondition. References that the model leaves
//! dangling (nobody dereferenced them, but they are not null) get objects of their own, outside
//! of the footprint.

use std::collections::BTreeSet;

use heapwright_ir::{ClassKind, Program};
use heapwright_logic::{
    Cell, ClassId, Derivation, Heap, Loc, Model, Sort, Step, StepId, Terms, Value, VarId,
};

use crate::initial::{InitialHeap, InitialStep};
use crate::input::{Footprint, Input};
use crate::subject::Subject;

/// The input that a model of the initial heap stands for. Nothing if the model does not fit the
/// path, which would be a bug.
pub fn complete(
    subject: &Subject,
    terms: &Terms,
    initial: &InitialHeap,
    model: &Model,
) -> Option<Input> {
    // A symbol that no condition mentions any more can be anything.
    let value = |variable: VarId| {
        let value = model.stack.get(&variable).copied();
        value.unwrap_or_else(|| Value::default_of(terms.variable(variable).sort))
    };
    let arguments: Vec<Value> = (subject.inputs.iter())
        .map(|input| value(input.variable))
        .collect();
    let mut heap = model.heap.clone();
    let mut frame: BTreeSet<Loc> = (initial.cells.iter())
        .filter(|known| !known.in_footprint)
        .filter_map(|known| match model.stack.get(&known.source) {
            Some(Value::Ref(loc)) => Some(*loc),
            _ => None,
        })
        .collect();
    let sorts = subject.inputs.iter().map(|input| input.sort);
    let roots: Vec<_> = arguments.iter().copied().zip(sorts).collect();
    frame.extend(add_missing(subject.program, &roots, &mut heap));
    let witness = match &initial.root {
        None => None,
        Some(root) => Some(Footprint {
            stack: (subject.inputs.iter())
                .map(|input| (input.variable, value(input.variable)))
                .collect(),
            derivation: derivation(initial, root, &model.derivation, value)?,
            frame,
        }),
    };
    Some(Input {
        arguments,
        heap,
        witness,
    })
}

/// Adds a cell for every reference that dangles, and returns where. The cells have default
/// contents; the class is the first one that can stand where the reference is.
pub fn add_missing(program: &Program, roots: &[(Value, Sort)], heap: &mut Heap) -> Vec<Loc> {
    let mut pending: Vec<(Value, Sort)> = roots.to_vec();
    for cell in heap.cells.values() {
        let fields = &program.definitions.class(cell.class).fields;
        let sorts = fields.iter().map(|field| field.sort);
        pending.extend(cell.fields.iter().copied().zip(sorts));
    }
    let mut added = Vec::new();
    for (value, sort) in pending {
        let (Value::Ref(loc), Sort::Ref(class)) = (value, sort) else {
            continue;
        };
        if heap.cells.contains_key(&loc) {
            continue;
        }
        let Some(class) = first_instantiable(program, class) else {
            continue;
        };
        let fields = &program.definitions.class(class).fields;
        let fields = fields.iter().map(|field| Value::default_of(field.sort));
        let cell = Cell {
            class,
            fields: fields.collect(),
        };
        heap.cells.insert(loc, cell);
        added.push(loc);
    }
    added
}

fn first_instantiable(program: &Program, class: ClassId) -> Option<ClassId> {
    instantiable(program, class).next()
}

/// The classes of which objects can stand where one of `class` is expected, itself first.
pub fn instantiable(program: &Program, class: ClassId) -> impl Iterator<Item = ClassId> + '_ {
    let possible = move |id: &ClassId| {
        let info = program.classes.get(id.index());
        *id != ClassId::ANY
            && info.is_some_and(|info| {
                info.instantiable && matches!(info.kind, ClassKind::Struct { .. })
            })
    };
    let others = program.definitions.classes().map(|(id, _)| id);
    let others = others.filter(move |&id| id != class && program.is_subtype(id, class));
    std::iter::once(class).chain(others).filter(possible)
}

/// The derivation of the precondition: the steps of the path, then those of the model.
fn derivation(
    initial: &InitialHeap,
    root: &InitialStep,
    solved: &Derivation,
    value: impl Fn(VarId) -> Value,
) -> Option<Derivation> {
    let mut open = solved.steps.first()?.children.iter().copied();
    let starts: Vec<Option<StepId>> = (initial.instances.iter())
        .map(|known| known.step.is_none().then(|| open.next()).flatten())
        .collect();
    let mut steps: Vec<Step> = Vec::new();
    // Where a step comes from, and to which slot of its parent it belongs.
    enum Source<'a> {
        Path(&'a InitialStep),
        Model(StepId),
    }
    let mut pending = vec![(Source::Path(root), None::<(usize, usize)>)];
    while let Some((source, parent)) = pending.pop() {
        let id = steps.len();
        if let Some((parent, slot)) = parent {
            *steps.get_mut(parent)?.children.get_mut(slot)? = StepId(id as u32);
        }
        match source {
            Source::Path(step) => {
                steps.push(Step {
                    disjunct: step.disjunct,
                    exists: step
                        .exists
                        .iter()
                        .map(|&variable| value(variable))
                        .collect(),
                    children: vec![StepId(0); step.children.len()],
                });
                for (slot, &child) in step.children.iter().enumerate() {
                    let known = initial.instances.get(child as usize)?;
                    let source = match &known.step {
                        Some(step) => Source::Path(step),
                        None => Source::Model((*starts.get(child as usize)?)?),
                    };
                    pending.push((source, Some((id, slot))));
                }
            }
            Source::Model(step) => {
                let step = solved.steps.get(step.0 as usize)?;
                steps.push(Step {
                    children: vec![StepId(0); step.children.len()],
                    ..step.clone()
                });
                for (slot, &child) in step.children.iter().enumerate() {
                    pending.push((Source::Model(child), Some((id, slot))));
                }
            }
        }
    }
    Some(Derivation { steps })
}
