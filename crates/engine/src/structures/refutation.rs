//! Running a predicate past what is not known: does it fail for every completion of a partial
//! structure?
//!
//! This is what makes any predicate *conservative*, which the authors of the JPF paper had to
//! write by hand. The predicate is executed as it is. Whatever depends on something open is left
//! out, together with all that depends on it in turn; the rest is executed. If it still says
//! "no", then every completion is rejected. "Don't know" is always a right answer.

use heapwright_ir::Program;
use heapwright_ir::machine::concrete::Value as Concrete;
use heapwright_ir::machine::{MachineOutcome, ProgramPoint};

use super::consequences::EffectId;
use super::merge::{Merged, merge};
use super::partial_value::PartialValue;
use super::question::StructureQuestion;
use super::regions::{Regions, RejectingResults};
use super::widening::{is_suspect, never_holds};
use super::{Run, StructureStop, memory};

/// How often a run is led around something.
const DETOURS: usize = 1_000;

/// How deeply calls may be nested where something is left out: on a cycle that a check would have
/// noticed, had it not been left out, a run goes round for ever.
const DEPTH: usize = 48;

/// What a predicate says about the completions of a partial structure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// None is valid.
    Refuted,
    /// Nobody knows.
    Unknown,
    /// This is open about the objects that exist.
    Ask(StructureQuestion),
}

/// Goes on with a run of a predicate, leaving out what is not known.
pub fn refute<'p>(run: &mut Run<'p>, regions: &mut Regions<'p>, program: &'p Program) -> Verdict {
    run.machine.domain.conservative = true;
    if !regions.effects.knows(&run.machine.domain.memory) {
        return Verdict::Unknown;
    }
    let mut callers = Vec::new();
    for _ in 0..DETOURS {
        match run.go() {
            Ok(outcome) if is_no(&outcome) => return Verdict::Refuted,
            Err(StructureStop::Ask(StructureQuestion::Condition(condition))) => {
                if is_suspect(run) && never_holds(run, regions, program) {
                    return Verdict::Refuted;
                }
                match merge(run, condition, regions, program) {
                    Merged::Done => continue,
                    Merged::Refuted => return Verdict::Refuted,
                    Merged::Not if run.machine.domain.asking => {
                        return Verdict::Ask(StructureQuestion::Condition(condition));
                    }
                    Merged::Not => {}
                }
            }
            Err(StructureStop::Ask(open)) => return Verdict::Ask(open),
            Err(StructureStop::Infeasible) => return Verdict::Refuted,
            Err(StructureStop::Unknown) => {}
            _ => return Verdict::Unknown,
        }
        if !lead_around(run, regions, program, &mut callers) {
            return Verdict::Unknown;
        }
    }
    Verdict::Unknown
}

/// Whether a run of a predicate says that its structure is not valid.
pub fn is_no(outcome: &MachineOutcome<PartialValue>) -> bool {
    match outcome {
        MachineOutcome::Returned(Some(PartialValue::Concrete(value))) => {
            matches!(value, Concrete::Bool(false) | Concrete::Int(0))
        }
        MachineOutcome::Returned(_) | MachineOutcome::OutOfBudget { .. } => false,
        MachineOutcome::Threw { .. }
        | MachineOutcome::Fault { .. }
        | MachineOutcome::AssumptionFailed { .. } => true,
    }
}

/// A call that is active, and which of its results mean "no".
type Caller = (ProgramPoint, RejectingResults);

/// Leads a run around what it cannot know. Returns whether it can go on. What is known about the
/// callers is kept from one time to the next.
fn lead_around<'p>(
    run: &mut Run<'p>,
    regions: &mut Regions<'p>,
    program: &'p Program,
    callers: &mut Vec<Caller>,
) -> bool {
    let mut calls = run.machine.calls();
    let Some(point) = calls.next_back() else {
        return false;
    };
    if calls.len() > DEPTH {
        return false;
    }
    let known = callers.iter().map(|(call, _)| *call).zip(calls.clone());
    let known = known.take_while(|(known, call)| known == call).count();
    callers.truncate(known);
    let mut rejecting = callers
        .last()
        .map_or(RejectingResults::FALSE, |(_, rejecting)| *rejecting);
    for call in calls.skip(known) {
        rejecting = regions.rejecting_results_of_call(
            call.function,
            call.block,
            call.instruction,
            rejecting,
        );
        callers.push((call, rejecting));
    }
    // Somebody might catch what goes wrong in the part that is left out.
    let catches = |call: &ProgramPoint| {
        let function = program.functions.get(call.function.index());
        let block = function.and_then(|function| function.blocks.get(call.block.index()));
        block.is_none_or(|block| !block.handlers.is_empty())
    };
    if catches(&point) || callers.iter().any(|(call, _)| catches(call)) {
        return false;
    }
    let Some(code) = program.functions.get(point.function.index()) else {
        return false;
    };
    let Some(block) = code.blocks.get(point.block.index()) else {
        return false;
    };
    if let Some(instruction) = block.instructions.get(point.instruction as usize) {
        let effects = &mut regions.effects;
        let effects = effects.at(point, code, &instruction.operation);
        if !forget(run, regions, effects) {
            return false;
        }
        if let Some(target) = instruction.operation.target() {
            run.machine.assign(target, PartialValue::Unknown);
        }
        run.machine.skip();
        return true;
    }
    let Some(detour) = regions.detour(point.function, point.block, rejecting) else {
        return false;
    };
    if !forget(run, regions, detour.effects) {
        return false;
    }
    for &register in &detour.written {
        run.machine.assign(register, PartialValue::Unknown);
    }
    match detour.join {
        Some(join) => {
            run.machine.go_to(join);
            true
        }
        None => run.machine.leave_with(PartialValue::Unknown),
    }
}

/// Forgets what something that is left out may have written. Returns whether there is any sense in
/// going on: not if nothing is known any more.
fn forget(run: &mut Run<'_>, regions: &mut Regions<'_>, effects: EffectId) -> bool {
    let memory = &mut run.machine.domain.memory;
    let written = regions.effects.in_memory(effects, memory);
    if regions.effects.is_anything(written) {
        return false;
    }
    if !regions.effects.is_nothing(written) {
        memory::forget(memory, |class| regions.effects.touched(written, class));
    }
    true
}
