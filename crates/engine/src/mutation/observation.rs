//! What a test sees of a run: how it ended, the result, and the heap.
//!
//! Exactly what tests assert counts, and nothing else: objects of the input are the same ones or
//! they are not, new objects are compared by their contents and by who else leads to them, values
//! such as strings by their contents alone. The class of an exception counts, what is in it does
//! not. What lies behind an object of the program (a literal, a constant of an enum) nobody looks
//! at.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_ir::machine::concrete::{
    Concrete, Value as ConcreteValue, export_value, is_exportable,
};
use heapwright_ir::machine::{Budgets, Machine, MachineError, MachineOutcome, ProgramPoint};
use heapwright_ir::{Content, GlobalId, Program};
use heapwright_logic::{Cell, ClassId, Heap, Loc, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::check::replay::{Conditions, content, import, outputs};
use crate::input::Input;
use crate::subject::Subject;

/// How a run ended, as far as a test can tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// It returned.
    Returned,
    /// An exception of this class left it.
    Threw(ClassId),
    /// It did something that no test survives.
    Failed,
    /// It used up a budget.
    Endless,
    /// An assumption does not hold, so nobody tests it.
    Excluded,
}

/// What can be seen of a run.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) ending: Ending,
    /// The result, then the outputs and the globals of the subject; none for what has no name.
    named: Vec<Option<Value>>,
    heap: Heap,
    /// The objects of the heap that are the program's.
    globals: BTreeMap<Loc, GlobalId>,
    /// Slots that nobody can rely on.
    unnamed: BTreeSet<(Loc, u32)>,
    /// The instructions and jumps that it took.
    pub(super) steps: u64,
    /// Whether it asked about its environment, or computed what platforms round differently.
    pub(super) may_vary: bool,
    /// Where it has been, if that was asked for.
    pub(super) points: FxHashSet<ProgramPoint>,
}

/// How much of a run is remembered.
const REMEMBERED: usize = 200_000;

/// Runs the function under test in a program that may differ from that of the subject.
pub(super) fn observe(
    subject: &Subject,
    program: &Program,
    input: &Input,
    budgets: Budgets,
    conditions: &Conditions,
    remembers: bool,
) -> Result<Seen, MachineError> {
    let mut domain = conditions.apply(Concrete::new(program));
    if remembers {
        domain = domain.traced_up_to(REMEMBERED);
    }
    let arguments = import(subject, &mut domain, input)?;
    let mut machine = Machine::new(program, domain, budgets).until(conditions.deadline.clone());
    let ended = machine.run(subject.function, arguments.clone())?;
    let steps = machine.used().steps;
    let (ending, result) = match ended {
        MachineOutcome::Returned(result) => (Ending::Returned, result),
        MachineOutcome::Threw { class, .. } => (Ending::Threw(class), None),
        MachineOutcome::Fault { .. } => (Ending::Failed, None),
        MachineOutcome::OutOfBudget { .. } => (Ending::Endless, None),
        MachineOutcome::AssumptionFailed { .. } => (Ending::Excluded, None),
    };
    let mut values = vec![result];
    if ending == Ending::Returned {
        values.extend(
            outputs(subject, &machine)
                .into_iter()
                .map(|(_, value)| Some(value)),
        );
    }
    let mut domain = machine.into_domain();
    for known in &subject.globals {
        let object = domain.global_object(known.global)?;
        let mut value = content(&domain, object, known.field)?;
        for &slot in &known.path {
            value = match value {
                Some(ConcreteValue::Pointer(address)) => content(&domain, address.object, slot)?,
                _ => None,
            };
        }
        values.push(value);
    }
    let roots = values.iter().flatten().copied().chain(arguments);
    let (heap, names) = domain.memory.export_reachable(roots)?;
    let named = values.into_iter().map(|value| match value {
        Some(value) if is_exportable(&names, value) => Ok(Some(export_value(&names, value)?)),
        _ => Ok(None),
    });
    let named = named.collect::<Result<_, MachineError>>()?;
    let globals = (domain.memory.globals())
        .filter_map(|(id, object)| Some((*names.get(&object)?, id)))
        .collect();
    let unnamed = match program.manual_memory {
        true => domain.memory.unnamed_slots(&names),
        false => BTreeSet::new(),
    };
    let may_vary = domain.inexact || !domain.asked.is_empty();
    let trace = domain.trace.take();
    Ok(Seen {
        ending,
        named,
        heap,
        globals,
        unnamed,
        steps,
        may_vary,
        points: trace.map_or_else(FxHashSet::default, |trace| {
            trace.points.into_iter().collect()
        }),
    })
}

/// Something that a test looks at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Observed {
    /// How the run ended.
    Ending,
    /// One of the values that have a name.
    Named(usize),
    /// A field or an element.
    Slot(Loc, u32),
    /// A whole object.
    Object(Loc),
}

/// Whether a test that expects one run fails on another, if it looks at everything but these places.
pub(super) fn differs(
    subject: &Subject,
    input: &Input,
    expected: &Seen,
    found: &Seen,
    ignored: &BTreeSet<Observed>,
) -> bool {
    let mut differs = false;
    compare(subject, input, expected, found, &mut |place| {
        let counts = match place {
            Observed::Slot(loc, _) => {
                !ignored.contains(&place) && !ignored.contains(&Observed::Object(loc))
            }
            _ => !ignored.contains(&place),
        };
        differs |= counts;
        counts
    });
    differs
}

/// The places at which two runs differ; of an array all elements, since a third run may differ at
/// any of them. `None` if even the way in which they end does.
pub(super) fn differences(
    subject: &Subject,
    input: &Input,
    expected: &Seen,
    found: &Seen,
) -> Option<BTreeSet<Observed>> {
    let mut places = BTreeSet::new();
    compare(subject, input, expected, found, &mut |place| {
        places.insert(match place {
            Observed::Slot(loc, _) if is_array(subject, expected.heap.cells.get(&loc)) => {
                Observed::Object(loc)
            }
            place => place,
        });
        false
    });
    (!places.contains(&Observed::Ending)).then_some(places)
}

fn is_array(subject: &Subject, cell: Option<&Cell>) -> bool {
    let class = cell.map(|cell| cell.class);
    let info = class.and_then(|class| subject.program.classes.get(class.index()));
    info.is_some_and(|info| matches!(info.kind, heapwright_ir::ClassKind::Array { .. }))
}

/// Walks through what two runs left, side by side. The visitor is told each difference, and says
/// whether that is enough.
fn compare(
    subject: &Subject,
    input: &Input,
    expected: &Seen,
    found: &Seen,
    visitor: &mut dyn FnMut(Observed) -> bool,
) {
    if expected.ending != found.ending {
        visitor(Observed::Ending);
        return;
    }
    let mut walk = Walk {
        subject,
        input,
        expected,
        found,
        pairs: FxHashMap::default(),
        taken: FxHashMap::default(),
        seen: FxHashSet::default(),
        pending: Vec::new(),
    };
    let named = expected.named.iter().zip(&found.named).enumerate();
    for (index, (one, other)) in named {
        if let Some(one) = one
            && !other.is_some_and(|other| walk.is_same(*one, other, false))
            && visitor(Observed::Named(index))
        {
            return;
        }
    }
    for &loc in input.heap.cells.keys() {
        if expected.heap.cells.contains_key(&loc)
            && !walk.is_same(Value::Ref(loc), Value::Ref(loc), false)
            && visitor(Observed::Object(loc))
        {
            return;
        }
    }
    walk.contents(visitor);
}

struct Walk<'w> {
    subject: &'w Subject,
    input: &'w Input,
    expected: &'w Seen,
    found: &'w Seen,
    /// The object of the other run for each new one, and the other way round.
    pairs: FxHashMap<Loc, Loc>,
    taken: FxHashMap<Loc, Loc>,
    /// What was compared, or will be.
    seen: FxHashSet<(Loc, Loc)>,
    /// Objects whose contents are still to be compared, and whether they are parts of values.
    pending: Vec<(Loc, Loc, bool)>,
}

impl Walk<'_> {
    fn contents(&mut self, visitor: &mut dyn FnMut(Observed) -> bool) {
        while let Some((one, other, is_value)) = self.pending.pop() {
            let (Some(own), Some(others)) = (
                self.expected.heap.cells.get(&one),
                self.found.heap.cells.get(&other),
            ) else {
                continue;
            };
            if own.fields.len() != others.fields.len() {
                if visitor(Observed::Object(one)) {
                    return;
                }
                continue;
            }
            let rules = self.subject.rules.of_fields(own.class);
            let is_value = is_value || self.subject.rules.values.contains(&own.class);
            for (index, (value, found)) in (0..).zip(own.fields.iter().zip(&others.fields)) {
                // What a value keeps for itself, such as its hash, nobody sees.
                let is_hidden = is_value
                    && rules.iter().any(|rule| {
                        rule.field == index && matches!(rule.content, Content::Constant(_))
                    });
                if is_hidden || self.expected.unnamed.contains(&(one, index)) {
                    continue;
                }
                let is_unknown = self.found.unnamed.contains(&(other, index));
                if (is_unknown || !self.is_same(*value, *found, is_value))
                    && visitor(Observed::Slot(one, index))
                {
                    return;
                }
            }
        }
    }

    /// Whether two values look the same from outside; the contents of objects come later.
    fn is_same(&mut self, one: Value, other: Value, is_value: bool) -> bool {
        let (one, other) = match (one, other) {
            (Value::Ref(one), Value::Ref(other)) => (one, other),
            (Value::Double(one), Value::Double(other)) => {
                let (one, other) = (f64::from_bits(one), f64::from_bits(other));
                return one == other || one.is_nan() && other.is_nan();
            }
            (Value::Single(one), Value::Single(other)) => {
                let (one, other) = (f32::from_bits(one), f32::from_bits(other));
                return one == other || one.is_nan() && other.is_nan();
            }
            _ => return one == other,
        };
        let class = |seen: &Seen, loc: Loc| seen.heap.cells.get(&loc).map(|cell| cell.class);
        let (class, found) = (class(self.expected, one), class(self.found, other));
        let is_value =
            is_value || class.is_some_and(|class| self.subject.rules.values.contains(&class));
        if !is_value {
            let global = |seen: &Seen, loc: &Loc| seen.globals.get(loc).copied();
            let (global, others) = (global(self.expected, &one), global(self.found, &other));
            if global.is_some() || others.is_some() {
                return global == others;
            }
            let given = &self.input.heap.cells;
            if given.contains_key(&one) || given.contains_key(&other) {
                if one != other {
                    return false;
                }
            } else if *self.pairs.entry(one).or_insert(other) != other
                || *self.taken.entry(other).or_insert(one) != one
            {
                return false;
            }
        }
        if class != found {
            return false;
        }
        if self.seen.insert((one, other)) {
            self.pending.push((one, other, is_value));
        }
        true
    }
}
