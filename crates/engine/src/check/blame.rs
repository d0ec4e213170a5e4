//! Whether a fault is that of the program, or that of an input that nobody vouches for.
//!
//! Without a precondition every heap is an input, and nearly every function fails on some of them:
//! null where it wants an object, an array that is too short, a list that runs into itself. That
//! says nothing about the program. Other faults do: those in what the program has made itself,
//! those of null that the program has looked at before, those of plain arguments, and all those
//! behind an assumption, by which the program says which inputs it is for.
//!
//! What is asked is who was the first to look at what went wrong. Decisions are taken when
//! something of the input is looked at for the first time, so a fault of the input comes with a
//! decision right before it: that a pointer which is used is null, that an index which an object
//! holds lies outside of an array.

use std::collections::BTreeSet;

use heapwright_ir::machine::concrete::{Concrete, Memory, Value};
use heapwright_ir::machine::{
    Budgets, Domain, Machine, MachineError, MachineOutcome, ObjectId, ProgramPoint, Question,
};
use heapwright_ir::{ClassKind, Constant, FaultKind, Operand, Operation, Program};
use heapwright_logic::{Loc, Value as LogicValue};

use crate::check::replay::{RECORDED, import};
use crate::path::decision::{About, Decision};
use crate::report::{Outcome, Test};
use crate::subject::Subject;

/// Whether the run of a test faults because of what its input is, and not because of what the
/// program does. False where it does not fault.
///
/// | fault | of the input, if |
/// | --- | --- |
/// | null | it is a pointer of the input, and no argument that the program has just looked at |
/// | wild pointer | the pointer was not looked at before, or two pointers of the input lead to one object |
/// | use after free, overlap | two pointers of the input lead to one object |
/// | invalid free | the same, or the pointer leads to an object of the input that cannot be freed |
/// | out of bounds | it is memory of the input whose size or kind nobody has said, or the last decision of the path is about a number that an object of the input holds |
/// | assertion | the last decision of the path is about pointers of the input, or about what its objects hold |
/// | division by zero, overflow, shift | the number depends on what an object of the input holds |
/// | others | never |
pub fn is_fault_of_input(
    subject: &Subject,
    test: &Test,
    budgets: Budgets,
) -> Result<bool, MachineError> {
    let Outcome::Fault { kind, .. } = test.run.outcome else {
        return Ok(false);
    };
    let (ended, mut machine) = run(subject, test, budgets)?;
    let MachineOutcome::Fault { point, .. } = ended else {
        return Ok(false);
    };
    if has_assumed(&subject.program, &machine.domain) {
        return Ok(false);
    }
    let operation = operation(&subject.program, point);
    let culprits = culprits(&mut machine, operation);
    let memory = &machine.domain.memory;
    let is_given = |value: &Value| match value {
        Value::Pointer(address) => {
            let object = memory.object(address.object);
            object.is_ok_and(|object| object.origin.is_some())
        }
        _ => false,
    };
    let mut decisions = test.decisions.iter().rev();
    let last = decisions.find(|known| known.site.is_some());
    let is_here = |known: &Decision| known.site.is_some_and(|site| site.point == point);
    let is_about = |about: About| last.is_some_and(|known| known.about == about);
    let is_about_contents = is_about(About::Contents);
    let shares = has_sharing(subject, test);
    Ok(match kind {
        FaultKind::NullDereference => {
            let is_checked = is_about(About::PointerArguments) && last.is_some_and(is_branch);
            !is_checked && !is_own_null(subject, test, budgets, point)?
        }
        FaultKind::WildPointer => last.is_some_and(is_here) || shares,
        FaultKind::UseAfterFree | FaultKind::Overlap => shares,
        FaultKind::InvalidFree => {
            let is_live = |value: &Value| is_given(value) && !is_freed(memory, *value);
            shares || culprits.iter().any(is_live)
        }
        FaultKind::OutOfBounds => {
            let mut given = culprits.iter().filter(|culprit| is_given(culprit));
            let has_any_size = |culprit: &Value| {
                is_field_access(operation) || has_any_length(&subject.program, memory, *culprit)
            };
            is_about_contents || given.any(has_any_size)
        }
        FaultKind::DivisionByZero | FaultKind::Overflow | FaultKind::BadShift => {
            is_about_contents && last.is_some_and(is_here)
        }
        FaultKind::AssertionFailed => {
            is_about_contents || is_about(About::References) || is_about(About::PointerArguments)
        }
        _ => false,
    })
}

/// A pointer that leads nowhere and is not null.
const BAD_POINTER: Value = Value::Wild(0x7ff0);

/// So many null pointers of an input are tried.
const MOST_NULLS: usize = 64;

/// Whether the null pointer that a run failed with is none of the input: whichever of these is
/// another bad pointer instead, the run fails in the same way.
fn is_own_null(
    subject: &Subject,
    test: &Test,
    budgets: Budgets,
    point: ProgramPoint,
) -> Result<bool, MachineError> {
    let mut domain = Concrete::new(&subject.program);
    let arguments = import(subject, &mut domain, &test.input)?;
    let fails_alike = |domain: Concrete<'_>, arguments: Vec<Value>| {
        let mut machine = Machine::new(&subject.program, domain, budgets);
        match machine.run(subject.function, arguments) {
            Ok(MachineOutcome::Fault {
                kind: FaultKind::NullDereference,
                point: other,
                ..
            }) => other == point,
            _ => false,
        }
    };
    for index in 0..arguments.len() {
        let mut others = arguments.clone();
        if others[index] == Value::Null {
            others[index] = BAD_POINTER;
            if !fails_alike(domain.clone(), others) {
                return Ok(false);
            }
        }
    }
    // Memory without a type has null pointers that cannot be told from numbers.
    let mut given = (domain.memory.objects()).filter(|(_, object)| object.origin.is_some());
    if given.any(|(_, object)| subject.program.class(object.class).inside.raw) {
        return Ok(false);
    }
    let given = (domain.memory.objects()).filter(|(_, object)| object.origin.is_some());
    let nulls = given.flat_map(|(id, object)| {
        let contents = object.contents.iter().enumerate();
        let nulls = contents.filter(|(_, content)| **content == Value::Null);
        nulls.map(move |(slot, _)| (id, slot))
    });
    let nulls: Vec<(ObjectId, usize)> = nulls.take(MOST_NULLS).collect();
    if nulls.len() == MOST_NULLS {
        return Ok(false);
    }
    for (object, slot) in nulls {
        let mut other = domain.clone();
        if let Some(content) = other.memory.object_mut(object)?.contents.get_mut(slot) {
            *content = BAD_POINTER;
        }
        if !fails_alike(other, arguments.clone()) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether objects that the run of a test loses are lost because of what its input is: they are the
/// input's own, of which nobody knows who else refers to them, or two pointers of the input lead to
/// one object.
pub fn is_loss_of_input(
    subject: &Subject,
    test: &Test,
    budgets: Budgets,
) -> Result<bool, MachineError> {
    let is_given = |lost: &Loc| test.input.heap.cells.contains_key(lost);
    if !has_sharing(subject, test) && !test.run.leaks.iter().all(is_given) {
        return Ok(false);
    }
    let (_, machine) = run(subject, test, budgets)?;
    Ok(!has_assumed(&subject.program, &machine.domain))
}

type Ended<'s> = (MachineOutcome<Value>, Machine<'s, Concrete<'s>>);

fn run<'s>(subject: &'s Subject, test: &Test, budgets: Budgets) -> Result<Ended<'s>, MachineError> {
    let mut domain = Concrete::new(&subject.program).traced_up_to(RECORDED);
    let arguments = import(subject, &mut domain, &test.input)?;
    let mut machine = Machine::new(&subject.program, domain, budgets);
    let ended = machine.run(subject.function, arguments)?;
    Ok((ended, machine))
}

/// Whether a run has come through an assumption: from there on the program has said itself which
/// inputs it is for. Assumptions that nobody has written have the place of their function, or none.
fn has_assumed(program: &Program, domain: &Concrete<'_>) -> bool {
    let points = domain.trace.iter().flat_map(|trace| &trace.points);
    let mut assumptions = points
        .filter(|point| matches!(operation(program, **point), Some(Operation::Assume { .. })));
    assumptions.any(|point| {
        let position = point.position(program);
        let function = program.functions.get(point.function.index());
        position.line > 0 && function.is_none_or(|function| function.position != position)
    })
}

/// Whether two pointers of an input lead to one object.
fn has_sharing(subject: &Subject, test: &Test) -> bool {
    let cells = &test.input.heap.cells;
    let contents = cells.values().flat_map(|cell| {
        let inside = &subject.program.class(cell.class).inside;
        let fields = (0..).zip(&cell.fields);
        // What lies inside of an object is no other one.
        let pointers = fields.filter(move |(field, _)| {
            inside.stride.is_none() && !inside.hidden.contains(field) && !inside.embeds(*field)
        });
        pointers.map(|(_, value)| value)
    });
    let whole = |loc: Loc| {
        let cell = cells.get(&loc)?;
        let inside = &subject.program.class(cell.class).inside;
        match cell.fields.get(*inside.hidden.first()? as usize)? {
            LogicValue::Ref(outer) => Some(*outer),
            _ => None,
        }
    };
    let mut seen = BTreeSet::new();
    let mut pointers = test.input.arguments.iter().chain(contents);
    pointers.any(|value| match value {
        LogicValue::Ref(loc) => !seen.insert(whole(*loc).unwrap_or(*loc)),
        _ => false,
    })
}

/// Whether the program asked, by a condition.
fn is_branch(decision: &Decision) -> bool {
    let question = decision.site.map(|site| site.question);
    matches!(question, Some(Question::Branch | Question::Switch))
}
fn operation(program: &Program, point: ProgramPoint) -> Option<&Operation> {
    let function = program.functions.get(point.function.index())?;
    let block = function.blocks.get(point.block.index())?;
    let instruction = block.instructions.get(point.instruction as usize)?;
    Some(&instruction.operation)
}

/// The pointers that an instruction failed with, as far as they are in registers.
fn culprits(machine: &mut Machine<'_, Concrete<'_>>, operation: Option<&Operation>) -> Vec<Value> {
    let value = |machine: &Machine<'_, Concrete<'_>>, operand: Operand| match operand {
        Operand::Register(register) => machine.register(register).copied(),
        _ => None,
    };
    let used: Vec<Operand> = match operation {
        Some(&Operation::Free { object } | &Operation::Extent { object, .. }) => vec![object],
        Some(
            &Operation::Load { object, .. }
            | &Operation::Store { object, .. }
            | &Operation::FieldAddress { object, .. },
        ) => vec![object],
        Some(
            &Operation::LoadElement { array, .. }
            | &Operation::StoreElement { array, .. }
            | &Operation::ElementAddress { array, .. }
            | &Operation::Length { array, .. },
        ) => vec![array],
        Some(&Operation::FillBytes { to, .. }) => vec![to],
        Some(&Operation::CopyBytes {
            to, from, count, ..
        }) => {
            let count = match count {
                Operand::Constant(Constant::Int(_, count)) => Some(Value::Int(count)),
                operand => value(machine, operand),
            };
            // What has room enough is not to blame.
            let mut used = vec![to, from];
            used.retain(|&operand| match (value(machine, operand), count) {
                (Some(Value::Pointer(address)), Some(Value::Int(count))) => {
                    let room = machine.domain.extent(address).ok().flatten();
                    room.is_none_or(|room| i128::from(room) < count)
                }
                _ => true,
            });
            used
        }
        _ => Vec::new(),
    };
    let values = used.into_iter();
    values
        .filter_map(|operand| value(machine, operand))
        .collect()
}

/// Whether it is a field that was not there: the object is another one than the program takes it
/// for.
fn is_field_access(operation: Option<&Operation>) -> bool {
    matches!(
        operation,
        Some(Operation::Load { .. } | Operation::Store { .. } | Operation::FieldAddress { .. })
    )
}

fn is_freed(memory: &Memory, value: Value) -> bool {
    match value {
        Value::Pointer(address) => memory
            .object(address.object)
            .is_ok_and(|object| object.freed),
        _ => false,
    }
}

/// Whether a pointer leads to elements whose number no type says: to what stands alone, or into a
/// flexible member.
fn has_any_length(program: &Program, memory: &Memory, value: Value) -> bool {
    let Value::Pointer(address) = value else {
        return false;
    };
    let info_of = |id: ObjectId| {
        let class = memory.object(id).ok()?.class;
        program.classes.get(class.index())
    };
    let is_array =
        |id: ObjectId| info_of(id).is_some_and(|info| matches!(info.kind, ClassKind::Array { .. }));
    let outer = memory.object(address.object).map(|object| object.outer);
    let Ok(Some((outer, _))) = outer else {
        return true;
    };
    let parts = memory.object(outer).map(|object| &object.parts);
    let part = parts
        .ok()
        .and_then(|parts| parts.iter().find(|part| part.1 == address.object));
    let (Some(info), Some((field, _))) = (info_of(outer), part) else {
        return false;
    };
    is_array(outer) || info.inside.embedded.contains(&(*field, Some(0)))
}
