//! From a model of what a path knows to a complete input.
//!
//! The solver has unfolded what the path left open; its derivation is put together with the
//! unfoldings of the path to one for the precondition. References that the model leaves
//! dangling (nobody dereferenced them, but they are not null) get objects of their own, outside
//! of the footprint.

use std::collections::BTreeSet;

use heapwright_logic::{
    Cell, ClassId, Derivation, Heap, Loc, Model, Step, StepId, Terms, Value, VarId, evaluate,
};

use crate::input::frame::complete_heap;
use crate::input::{Footprint, Input};
use crate::path::initial_heap::{InitialHeap, InitialStep};
use crate::subject::Subject;

/// Why a model is no input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Incomplete {
    /// There is no class for some object.
    NoClass,
    /// The model does not fit the path: a bug.
    Misfit,
}

/// The input that a model of the initial heap stands for.
pub fn complete(
    subject: &Subject,
    terms: &Terms,
    initial: &InitialHeap,
    model: &Model,
) -> Result<Input, Incomplete> {
    // A symbol that no condition mentions any more can be anything.
    let value = |variable: VarId| {
        let value = model.stack.get(&variable).copied();
        value.unwrap_or_else(|| Value::default_of(terms.variable(variable).sort))
    };
    let mut arguments: Vec<Value> = (subject.inputs.iter())
        .map(|input| value(input.variable))
        .collect();
    let sorts = subject.inputs.iter().map(|input| input.sort);
    let roots = arguments.iter().copied().zip(sorts);
    let members = pointer_members(subject, terms, initial);
    let tagged = initial.tagged.iter().filter_map(|known| known.pointer);
    let members = members.chain(tagged);
    let members = members.map(|symbol| (value(symbol), terms.variable(symbol).sort));
    let roots = roots.chain(members).collect();
    let mut heap = model.heap.clone();
    let is_raw = |class: ClassId| subject.program.class(class).inside.raw;
    fill_arrays(terms, initial, (model, &mut heap), is_raw, value).ok_or(Incomplete::Misfit)?;
    let completed = complete_heap(&subject.program, &subject.rules, roots, heap);
    let completed = completed.ok_or(Incomplete::NoClass)?;
    let mut heap = completed.heap;
    hold_pointers(
        subject,
        terms,
        initial,
        model,
        (&mut arguments, &mut heap),
        value,
    );
    drop_singletons(subject, &arguments, &mut heap);
    let mut frame = completed.frame;
    let outside = initial.cells.iter().filter(|known| !known.in_footprint);
    frame.extend(
        outside.filter_map(|known| match model.stack.get(&known.source) {
            Some(Value::Ref(loc)) => Some(*loc),
            _ => None,
        }),
    );
    frame.retain(|loc| heap.cells.contains_key(loc));
    let witness = match &initial.root {
        None => None,
        Some(root) => Some(Footprint {
            stack: (subject.inputs.iter())
                .map(|input| (input.variable, value(input.variable)))
                .collect(),
            derivation: derivation(initial, root, &model.derivation, value)
                .ok_or(Incomplete::Misfit)?,
            frame,
        }),
    };
    Ok(Input {
        arguments,
        heap,
        witness,
    })
}

/// Leaves out the objects of the program that a path has compared with, but that the input does not
/// refer to.
fn drop_singletons(subject: &Subject, arguments: &[Value], heap: &mut Heap) {
    let singletons = &subject.rules.singletons;
    if singletons.is_empty() {
        return;
    }
    let contents = heap.cells.values().flat_map(|cell| &cell.fields);
    let referred: BTreeSet<Loc> = (arguments.iter().chain(contents))
        .filter_map(|value| match value {
            Value::Ref(loc) => Some(*loc),
            _ => None,
        })
        .collect();
    heap.cells
        .retain(|loc, cell| referred.contains(loc) || !singletons.contains_key(&cell.class));
}

/// Puts the pointers into the numbers that hold them: the object itself, or a place of its own for the
/// object with a tag.
fn hold_pointers(
    subject: &Subject,
    terms: &Terms,
    initial: &InitialHeap,
    model: &Model,
    (arguments, heap): (&mut [Value], &mut Heap),
    value: impl Fn(VarId) -> Value,
) {
    for known in &initial.tagged {
        let Some(Value::Ref(whole)) = known.pointer.map(&value) else {
            continue;
        };
        let held = match (known.tag, subject.rules.tagged) {
            (0, _) | (_, None) => whole,
            (tag, Some(class)) => {
                let last = heap.cells.keys().map(|loc| loc.0).max();
                let place = Loc(last.unwrap_or(0).saturating_add(1));
                let fields = vec![Value::Ref(whole), Value::Int(tag)];
                heap.cells.insert(place, Cell { class, fields });
                place
            }
        };
        for (input, argument) in subject.inputs.iter().zip(arguments.iter_mut()) {
            if input.variable == known.number {
                *argument = Value::Ref(held);
            }
        }
        for cell in &initial.cells {
            let Some(Value::Ref(loc)) = model.stack.get(&cell.source) else {
                continue;
            };
            let Some(fields) = heap.cells.get_mut(loc).map(|cell| &mut cell.fields) else {
                continue;
            };
            for (field, &content) in fields.iter_mut().zip(cell.contents()) {
                if terms.as_var(content) == Some(known.number) {
                    *field = Value::Ref(held);
                }
            }
        }
    }
}

/// The pointers in unions, whose classes do not say what they lead to.
fn pointer_members<'a>(
    subject: &'a Subject,
    terms: &'a Terms,
    initial: &'a InitialHeap,
) -> impl Iterator<Item = VarId> + 'a {
    let is_raw = |class: ClassId| subject.program.class(class).inside.raw;
    let unions = (initial.cells.iter()).filter(move |known| is_raw(known.cell.class));
    let symbols = unions.flat_map(|known| known.elements.iter().flatten());
    let symbols = symbols.filter_map(|&element| terms.as_var(element));
    symbols.filter(|&symbol| terms.variable(symbol).sort.is_ref())
}

/// Formulas know nothing of the elements of arrays, so a model has arrays without any: here they
/// get the values of their symbols.
fn fill_arrays(
    terms: &Terms,
    initial: &InitialHeap,
    (model, heap): (&Model, &mut Heap),
    is_raw: impl Fn(ClassId) -> bool,
    value: impl Fn(VarId) -> Value,
) -> Option<()> {
    for known in &initial.cells {
        let (Some(elements), Some(Value::Ref(loc))) =
            (&known.elements, model.stack.get(&known.source))
        else {
            continue;
        };
        let contents = elements
            .iter()
            .map(|&element| evaluate(terms, element, |symbol| Some(value(symbol))).ok());
        let mut contents = contents.collect::<Option<Vec<Value>>>()?;
        if is_raw(known.cell.class) {
            without_null(&mut contents);
        }
        heap.cells.get_mut(loc)?.fields = contents;
    }
    Some(())
}

/// Null among the bytes of a union is zeros, unless it belongs to something before it.
fn without_null(contents: &mut [Value]) {
    let mut at = 0;
    while let Some(&content) = contents.get(at) {
        match content {
            Value::Ref(_) | Value::Double(_) => at += 8,
            Value::Single(_) => at += 4,
            Value::Null => {
                contents[at] = Value::Int(0);
                at += 1;
            }
            _ => at += 1,
        }
    }
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
