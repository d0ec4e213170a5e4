//! Differences between a specification and what the code does.
//!
//! There are two kinds: states that calls reach and that the specification rejects, shown with these
//! calls; and models that calls were not seen to reach, shown with a call that fails on them or that
//! leaves an object behind that the specification rejects. Either the code or the specification is
//! wrong about the first, and about models that calls break; of other models nobody knows whether the
//! specification allows too much, or whether calls would build them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Instant;

use heapwright_logic::{
    Budget, CanonicalKey, Deadline, Definitions, Failure, Printer, Stack, Value, find_derivation,
};
use heapwright_spec::Source;
use heapwright_spec::questions::{Notation, Question, QuestionFile};
use heapwright_testgen::observation::{Left, ObservationRequest, Observed, State, Tried};
use heapwright_testgen::{Error, Frontend};

use crate::models::{accepts, models};
use crate::observed::key_without;
use crate::session::{InferenceRequest, observation};
use crate::shape::FieldKey;

mod told;

/// So many models are looked at.
const MOST_MODELS: usize = 6_000;

/// So many searches are made for calls that build a single model.
const MOST_SEARCHES: usize = 10;

/// Calls are tried on so many models.
const MOST_TRIED: usize = 30;

/// So many models tell whether anything is said about a field.
const ASKED: usize = 12;

/// What was compared, and where the two differ.
pub struct Differences {
    /// The classes of the objects.
    pub definitions: Definitions,
    /// States that calls reach.
    pub states: usize,
    /// All calls were tried in states of up to so many objects.
    pub closed_to: usize,
    /// Those that the specification rejects.
    pub rejected: usize,
    /// The smallest of them.
    pub smallest_rejected: Option<Rejected>,
    /// States that nobody could decide about.
    pub undecided: usize,
    /// Models that were looked at.
    pub models: usize,
    /// They have up to so many objects.
    pub objects: usize,
    /// Those that calls were not seen to reach.
    pub unreached: usize,
    /// The smallest of them, one that a call breaks if there is one.
    pub smallest_unreached: Option<(State, Option<Broken>)>,
    /// How many of those were found to be broken.
    pub broken: usize,
    /// Whether not everything was looked at.
    pub is_cut: bool,
}

/// A state that calls reach.
pub struct Rejected {
    /// The state.
    pub state: State,
    /// Calls that build it, if a search for them found some.
    pub calls: Option<Vec<String>>,
    /// Why it is rejected, in the first line.
    pub reason: String,
}

/// What a call makes of a model.
#[derive(Clone, Debug)]
pub enum Broken {
    /// It fails.
    Fails {
        /// The call.
        call: String,
        /// How.
        why: String,
    },
    /// It leaves an object behind that the specification rejects.
    Leaves {
        /// The call.
        call: String,
        /// The object.
        state: State,
    },
}

/// Why nothing can be compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Incomparable {
    /// The language tells nothing about states.
    Language,
    /// No constructor that was tried made an object.
    NoState,
    /// No method without parameters has a precondition.
    NoPrecondition,
    /// The methods without parameters have different preconditions.
    PreconditionsDiffer(Vec<String>),
}

impl fmt::Display for Incomparable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Incomparable::Language => {
                formatter.write_str("only classes of Java can be observed so far")
            }
            Incomparable::NoState => {
                formatter.write_str("no constructor call that was tried made an object")
            }
            Incomparable::NoPrecondition => formatter.write_str(
                "the specification has no precondition for a method without parameters; \
                 name another method: CLASS#METHOD",
            ),
            Incomparable::PreconditionsDiffer(names) => write!(
                formatter,
                "methods have different preconditions; name one of them, CLASS#METHOD: {}",
                names.join(", ")
            ),
        }
    }
}

/// Compares the specification of a class, `pkg.Class`, or `pkg.Class#method` for the precondition of that
/// method, with the states that calls reach.
pub fn compare<F: Frontend>(
    frontend: &mut F,
    target: &str,
    source: Source,
    request: &InferenceRequest,
) -> Result<Result<Differences, Incomparable>, Error> {
    let begin = Instant::now();
    let (class, method) = match target.split_once('#') {
        Some((class, method)) => (class, Some(method)),
        None => (target, None),
    };
    let mut notation = Notation::Specification;
    if source.name.ends_with(".pred") {
        notation = Notation::StarFinder;
    }
    let mut wanted = observation(request);
    let Some(mut observed) = frontend.observe(class, &wanted)? else {
        return Ok(Err(Incomparable::Language));
    };
    if observed.states.is_empty() {
        return Ok(Err(Incomparable::NoState));
    }
    let file = frontend.questions(class, notation, source)?;
    let question = match precondition(&file, method) {
        Ok(question) => question,
        Err(reason) => return Ok(Err(reason)),
    };
    // What looks like a counter of calls counts all the same if the specification speaks of it.
    wanted.compared = meant(&file, &question, &observed);
    if !wanted.compared.is_empty()
        && let Some(again) = frontend.observe(class, &wanted)?
    {
        observed = again;
    }
    let deadline = Deadline::after(begin, Some(request.time));
    let deadline = deadline.or_when(request.interrupt.switch());
    let objects = (request.objects + 1).min(observed.closed_to);
    let mut found = Differences {
        definitions: observed.definitions.clone(),
        states: observed.states.len(),
        closed_to: observed.closed_to,
        rejected: 0,
        smallest_rejected: None,
        undecided: 0,
        models: 0,
        objects,
        unreached: 0,
        smallest_unreached: None,
        broken: 0,
        is_cut: observed.is_cut,
    };
    let mut worlds = Compared {
        frontend,
        class,
        file,
        question,
        observed,
        wanted,
        deadline,
    };
    worlds.rejected(&mut found)?;
    worlds.unreached(&mut found)?;
    found.is_cut |= worlds.deadline.is_over();
    Ok(Ok(found))
}

/// The counters of which the specification says what they are: with another number there, some state is
/// rejected.
fn meant(file: &QuestionFile, question: &Question, observed: &Observed) -> BTreeSet<String> {
    let fields = observed.definitions.fields_of(observed.class);
    let mut meant = BTreeSet::new();
    for (index, field) in fields.iter().enumerate() {
        if !observed.counters.contains(&field.name) {
            continue;
        }
        let states = observed.states.iter();
        let mut accepted = states.filter(|state| accepts(file, question, state) == Some(true));
        let is_said = accepted.next().is_none_or(|state| {
            let mut other = state.clone();
            let cell = other.heap.cells.get_mut(&state.root);
            if let Some(Value::Int(number)) = cell.and_then(|cell| cell.fields.get_mut(index)) {
                *number += 1_000;
            }
            accepts(file, question, &other) != Some(true)
        });
        if is_said {
            meant.insert(field.name.clone());
        }
    }
    meant
}

/// The precondition that says what objects are.
fn precondition(file: &QuestionFile, method: Option<&str>) -> Result<Question, Incomparable> {
    let is_meant = |question: &&Question| {
        let name = question.name.as_deref().unwrap_or_default();
        let name = name.strip_prefix("precondition of ");
        let is_named = |wanted: &str| {
            name.is_some_and(|name| name.rsplit('#').next().unwrap_or(name).starts_with(wanted))
        };
        match method {
            Some(wanted) => is_named(wanted),
            None => name.is_some() && question.variables.len() == 1,
        }
    };
    let meant: Vec<&Question> = file.contracts.iter().filter(is_meant).collect();
    let mut printer = Printer::new(&file.terms, &file.definitions);
    let mut texts: BTreeMap<String, &Question> = BTreeMap::new();
    for question in &meant {
        texts
            .entry(printer.formula(&question.formula))
            .or_insert(question);
    }
    match texts.len() {
        0 => Err(Incomparable::NoPrecondition),
        1 => Ok(meant
            .first()
            .map(|&one| one.clone())
            .unwrap_or_else(|| Question {
                name: None,
                formula: Default::default(),
                variables: Vec::new(),
                expected: None,
            })),
        _ => {
            let names = texts.values().filter_map(|question| question.name.clone());
            Err(Incomparable::PreconditionsDiffer(names.collect()))
        }
    }
}

/// Both sides.
struct Compared<'f, F> {
    frontend: &'f mut F,
    class: &'f str,
    file: QuestionFile,
    question: Question,
    observed: Observed,
    wanted: ObservationRequest,
    deadline: Deadline,
}

impl<F: Frontend> Compared<'_, F> {
    fn accepts(&self, state: &State) -> Option<bool> {
        accepts(&self.file, &self.question, state)
    }

    /// States that calls reach and that the specification rejects.
    fn rejected(&mut self, found: &mut Differences) -> Result<(), Error> {
        let mut smallest: Option<&State> = None;
        for state in &self.observed.states {
            match self.accepts(state) {
                Some(true) => {}
                None => found.undecided += 1,
                Some(false) => {
                    found.rejected += 1;
                    let size = state.heap.cells.len();
                    if smallest.is_none_or(|known| size < known.heap.cells.len()) {
                        smallest = Some(state);
                    }
                }
            }
            if self.deadline.is_over() {
                found.is_cut = true;
                break;
            }
        }
        if let Some(state) = smallest.cloned() {
            found.smallest_rejected = Some(Rejected {
                calls: self.frontend.build(self.class, &state, &self.search())?,
                reason: self.reason(&state),
                state,
            });
        }
        Ok(())
    }

    /// Models that calls were not seen to reach.
    fn unreached(&mut self, found: &mut Differences) -> Result<(), Error> {
        let keyed = self.observed.keyed();
        let objects = u32::try_from(found.objects).unwrap_or(u32::MAX);
        let (file, question) = (&self.file, &self.question);
        let (models, is_complete) =
            models(file, question, &keyed, objects, MOST_MODELS, &self.deadline);
        found.models = models.len();
        found.is_cut |= !is_complete;
        let mut free = self.free(&models);
        let ignored = |(class, index): &FieldKey| {
            let fields = self.observed.definitions.fields_of(*class);
            let name = fields.get(*index).map(|field| &field.name);
            name.is_some_and(|name| self.observed.counters.contains(name))
        };
        let cells = models.iter().flat_map(|state| state.heap.cells.values());
        let fields = cells.flat_map(|cell| (0..cell.fields.len()).map(|index| (cell.class, index)));
        free.extend(fields.filter(ignored));
        let known: BTreeSet<CanonicalKey> = (self.observed.states.iter())
            .map(|state| key_without(state, &free))
            .collect();
        let mut unreached: Vec<State> = models
            .into_iter()
            .filter(|state| !known.contains(&key_without(state, &free)))
            .collect();
        unreached.sort_by_key(|state| state.heap.cells.len());
        let mut open = Vec::new();
        for (index, state) in unreached.into_iter().enumerate() {
            let is_searched = index < MOST_SEARCHES && !self.deadline.is_over();
            let search = self.search();
            if !is_searched || self.frontend.build(self.class, &state, &search)?.is_none() {
                open.push(state);
            }
        }
        found.unreached = open.len();
        open.truncate(MOST_TRIED);
        let tried = self
            .frontend
            .tried(self.class, None, &open, &self.search())?;
        let mut broken: Vec<Option<Broken>> = tried
            .into_iter()
            .map(|calls| calls.into_iter().find_map(|call| self.broken(call)))
            .collect();
        broken.resize(open.len(), None);
        found.broken = broken.iter().flatten().count();
        let mut pairs = open.into_iter().zip(broken);
        let first = pairs.next();
        let is_broken = |pair: &(State, Option<Broken>)| pair.1.is_some();
        found.smallest_unreached = match first {
            Some(first) if !is_broken(&first) => pairs.find(is_broken).or(Some(first)),
            first => first,
        };
        Ok(())
    }

    fn broken(&self, Tried { call, left, .. }: Tried) -> Option<Broken> {
        match left {
            Left::Failure(why) => Some(Broken::Fails { call, why }),
            Left::State(state) => {
                let is_rejected = self.accepts(&state) == Some(false);
                is_rejected.then_some(Broken::Leaves { call, state })
            }
            Left::Exception => None,
        }
    }

    /// The fields that the specification says nothing about: with another value in them, models are
    /// models.
    fn free(&self, models: &[State]) -> BTreeSet<FieldKey> {
        let mut free: BTreeMap<FieldKey, bool> = BTreeMap::new();
        let mut asked: BTreeMap<FieldKey, usize> = BTreeMap::new();
        for state in models {
            for (&loc, cell) in &state.heap.cells {
                for (index, &old) in cell.fields.iter().enumerate() {
                    let field = (cell.class, index);
                    let asked = asked.entry(field).or_default();
                    let is_free = free.entry(field).or_insert(true);
                    if !*is_free || *asked >= ASKED || self.deadline.is_over() {
                        continue;
                    }
                    *asked += 1;
                    *is_free = others(old, state).into_iter().all(|value| {
                        let mut other = state.clone();
                        if let Some(cell) = other.heap.cells.get_mut(&loc)
                            && let Some(place) = cell.fields.get_mut(index)
                        {
                            *place = value;
                        }
                        self.accepts(&other) == Some(true)
                    });
                }
            }
        }
        let free = free.into_iter().filter(|(_, is_free)| *is_free);
        free.map(|(field, _)| field).collect()
    }

    /// A search for calls that build a single state.
    fn search(&self) -> ObservationRequest {
        ObservationRequest {
            objects: usize::MAX,
            states: 2_000,
            time: self.wanted.time / 20,
            ignored: self.observed.counters.iter().cloned().collect(),
            compared: BTreeSet::new(),
            interrupt: self.wanted.interrupt.clone(),
        }
    }

    /// Why a state is rejected.
    fn reason(&self, state: &State) -> String {
        let Some((_, variable)) = self.question.variables.first() else {
            return String::new();
        };
        let stack = Stack::from([(*variable, Value::Ref(state.root))]);
        let (terms, definitions) = (&self.file.terms, &self.file.definitions);
        let formula = &self.question.formula;
        let budget = Budget { steps: 300_000 };
        match find_derivation(terms, definitions, formula, &stack, &state.heap, budget) {
            Err(failure @ Failure::Unsatisfied { .. }) => {
                let text = failure.to_string();
                text.lines().next().unwrap_or_default().to_owned()
            }
            _ => String::new(),
        }
    }
}

/// Other values for a field.
fn others(old: Value, state: &State) -> Vec<Value> {
    match old {
        Value::Int(number) => vec![Value::Int(number - 1), Value::Int(number + 1_000)],
        Value::Bool(truth) => vec![Value::Bool(!truth)],
        Value::Null | Value::Ref(_) => {
            let objects = state.heap.cells.keys().map(|loc| Value::Ref(*loc));
            let all = objects.chain([Value::Null]);
            all.filter(|value| *value != old).collect()
        }
        _ => Vec::new(),
    }
}

impl Differences {
    /// Whether calls and specification contradict each other.
    pub fn is_contradiction(&self) -> bool {
        self.rejected > 0 || self.broken > 0
    }

    /// Whether something is open, if there is no contradiction.
    pub fn is_open(&self) -> bool {
        self.unreached > 0 || self.undecided > 0 || self.is_cut
    }
}
