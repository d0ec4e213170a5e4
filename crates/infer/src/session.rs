//! From a class to a specification: states are observed, the learner learns, and the satisfaction
//! checker, which shares no code with it, looks at what came out.

use std::collections::BTreeSet;
use std::fmt::{self, Write};
use std::time::{Duration, Instant};

use heapwright_logic::{ClassId, Deadline, Sort};
use heapwright_spec::Source;
use heapwright_spec::questions::{Notation, Question, QuestionFile};
use heapwright_testgen::observation::{ObservationRequest, Observed, State};
use heapwright_testgen::{Error, Frontend};

use crate::learn::{Learned, Settings, learn};
use crate::models;

/// So many objects more than those of the models have the states that are observed: some small states
/// are reached by removals from large ones only.
const FURTHER: usize = 4;

/// So many states are observed.
const MOST_STATES: usize = 6_000;

/// So many models are looked at.
const MOST_MODELS: usize = 6_000;

/// So many states are learned from that are larger than those that are known completely.
const MOST_LARGE: usize = 2_500;

/// So often is learned again, from states that were not known or rejected.
const MOST_ROUNDS: usize = 4;

/// So many searches are made for a single model.
const MOST_SEARCHES: usize = 10;

/// So many states are told to those who ask.
const KEPT: usize = 120;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct InferenceRequest {
    /// Models of up to so many objects besides the one that is described are looked at.
    pub objects: usize,
    /// Wall-clock time.
    pub time: Duration,
    /// Ends the work when it is set.
    pub interrupt: heapwright_engine::Interrupt,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Inference {
    /// The specification.
    pub text: String,
    /// The same without the methods that need the invariant.
    pub without_contracts: String,
    /// Some of the observed states, small ones first.
    pub states: Vec<State>,
    /// The fields of the objects of the class.
    pub fields: Vec<(String, Sort)>,
    /// Its predicates alone, without the evidence and the methods that need them.
    pub predicates: String,
    /// The name of the invariant.
    pub name: String,
    /// What it rests on, line by line.
    pub evidence: Vec<String>,
    /// Observed states that the specification does not accept: none, or the specification is wrong.
    pub rejected: usize,
    /// Models that no state was seen to be.
    pub unwitnessed: usize,
    /// Whether the clock or the user has ended something, so that the next time may give more.
    pub is_cut: bool,
}

/// Why there is no specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoInference {
    /// The language tells nothing about states.
    Language,
    /// No constructor that was tried made an object.
    NoState,
    /// Calls reach no state but the first.
    OneState,
    /// No owning fields make trees of the states.
    NoShape,
    /// No method of the name can be called with what is tried.
    NoCalls,
}

impl fmt::Display for NoInference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            NoInference::Language => "only classes of Java can be observed so far",
            NoInference::OneState => "calls of its methods reach no state but that of a new object",
            NoInference::NoState => "no constructor call that was tried made an object",
            NoInference::NoShape => {
                "its states are no trees with further references, or arrays are among them"
            }
            NoInference::NoCalls => {
                "no method of objects has this name that takes numbers, truth values or any objects"
            }
        })
    }
}

/// Infers the invariant of a class.
pub fn infer<F: Frontend>(
    frontend: &mut F,
    class: &str,
    request: &InferenceRequest,
) -> Result<Result<Inference, NoInference>, Error> {
    let begin = Instant::now();
    let Some(mut observed) = frontend.observe(class, &observation(request))? else {
        return Ok(Err(NoInference::Language));
    };
    match observed.states.len() {
        0 => return Ok(Err(NoInference::NoState)),
        1 => return Ok(Err(NoInference::OneState)),
        _ => {}
    }
    let has_arrays = observed.states.iter().any(|state| {
        let mut cells = state.heap.cells.values();
        cells.any(|cell| observed.definitions.element_sort(cell.class).is_some())
    });
    if has_arrays {
        return Ok(Err(NoInference::NoShape));
    }
    let deadline = Deadline::after(begin, Some(request.time));
    let deadline = deadline.or_when(request.interrupt.switch());
    let keyed = observed.keyed();
    let settings = Settings {
        // Of larger models nobody knows whether calls build them.
        objects: (request.objects + 1).min(observed.closed_to),
        deadline: deadline.clone(),
    };
    let definitions = observed.definitions.clone();
    let class_name = |class: ClassId| {
        let name = &definitions.class(class).name;
        name.rsplit('.').next().unwrap_or(name).to_owned()
    };
    // All small states are learned from, and some large ones; the checker looks at all of them, and
    // those that it rejects are learned from, too.
    let all = std::mem::take(&mut observed.states);
    let is_small = |state: &State| state.heap.cells.len() <= observed.closed_to;
    let (mut kept, large): (Vec<State>, Vec<State>) = all.iter().cloned().partition(is_small);
    kept.extend(large.into_iter().take(MOST_LARGE));
    observed.states = kept;
    let mut searched = 0;
    let mut rounds = 0;
    let (learned, verdicts) = loop {
        rounds += 1;
        let mut failure = None;
        let mut all_models = |text: &str, name: &str, objects: usize| {
            let read = question(frontend, class, text, name);
            let (file, question) = read.map_err(|error| failure = Some(error)).ok()?;
            let objects = u32::try_from(objects).unwrap_or(u32::MAX);
            Some(models::models(
                &file,
                &question,
                &keyed,
                objects,
                MOST_MODELS,
                &deadline,
            ))
        };
        let learned = learn(&observed, &settings, &class_name, &mut all_models);
        if let Some(error) = failure {
            return Err(error);
        }
        let Some(mut learned) = learned else {
            return Ok(Err(NoInference::NoShape));
        };
        let mut new = build(frontend, class, &learned, &observed, request, &mut searched)?;
        let (file, question) = question(frontend, class, &learned.predicates, &learned.name)?;
        let verdicts: Vec<Option<bool>> = (all.iter())
            .map(|state| models::accepts(&file, &question, state))
            .collect();
        let rejected = all.iter().zip(&verdicts);
        let rejected = rejected.filter(|(_, verdict)| **verdict == Some(false));
        new.extend(rejected.map(|(state, _)| state.clone()).take(MOST_LARGE));
        if new.is_empty() || rounds >= MOST_ROUNDS || deadline.is_over() {
            // What was built in the end is no model without a witness.
            let built: BTreeSet<_> = new.iter().map(State::key).collect();
            let is_open = |state: &State| !built.contains(&state.normalised().key());
            learned.unwitnessed.retain(is_open);
            break (learned, verdicts);
        }
        observed.states.extend(new);
    };
    observed.states = all;
    let count = |verdict: Option<bool>| verdicts.iter().filter(|one| **one == verdict).count();
    let rejected = count(Some(false));
    let evidence = evidence(
        &observed,
        &settings,
        &learned,
        (rejected, count(None)),
        searched,
    );
    let mut text = composed(class, &learned, &evidence);
    let without_contracts = text.clone();
    for contract in &observed.contracts {
        let line = format!("pre {contract} := {}(this);\n", learned.name);
        text.push_str(&line);
    }
    // Whatever is shown can be read; the invariant matters more than who needs it.
    if self::question(frontend, class, &text, &learned.name).is_err() {
        text = composed(class, &learned, &evidence);
    }
    let fields = observed.definitions.fields_of(observed.class).iter();
    let fields = fields.map(|field| (field.name.clone(), field.sort));
    let fields = fields.collect();
    let mut states = std::mem::take(&mut observed.states);
    states.sort_by_key(|state| state.heap.cells.len());
    states.truncate(KEPT);
    Ok(Ok(Inference {
        text,
        without_contracts,
        states,
        fields,
        predicates: learned.predicates.clone(),
        is_cut: observed.is_cut || deadline.is_over(),
        name: learned.name.clone(),
        evidence,
        rejected,
        unwitnessed: learned.unwitnessed.len(),
    }))
}

/// What is observed for a request.
pub(crate) fn observation(request: &InferenceRequest) -> ObservationRequest {
    ObservationRequest {
        objects: request.objects + 1 + FURTHER,
        states: MOST_STATES,
        time: request.time / 2,
        ignored: BTreeSet::new(),
        compared: BTreeSet::new(),
        interrupt: request.interrupt.clone(),
    }
}

/// The unwitnessed models that calls build after all, by searches of their own for some of them.
fn build<F: Frontend>(
    frontend: &mut F,
    class: &str,
    learned: &Learned,
    observed: &Observed,
    request: &InferenceRequest,
    searched: &mut usize,
) -> Result<Vec<State>, Error> {
    let wanted = ObservationRequest {
        objects: usize::MAX,
        states: 2_000,
        time: request.time / 40,
        ignored: observed.counters.iter().cloned().collect(),
        compared: BTreeSet::new(),
        interrupt: request.interrupt.clone(),
    };
    let mut built = Vec::new();
    for state in &learned.unwitnessed {
        if *searched >= MOST_SEARCHES {
            break;
        }
        *searched += 1;
        if frontend.build(class, state, &wanted)?.is_some() {
            built.push(state.normalised());
        }
    }
    Ok(built)
}

/// The invariant of a text as a question.
fn question<F: Frontend>(
    frontend: &mut F,
    class: &str,
    text: &str,
    name: &str,
) -> Result<(QuestionFile, Question), Error> {
    let source = Source {
        name: "the inferred specification".to_owned(),
        text: text.to_owned(),
    };
    let mut file = frontend.questions(class, Notation::Specification, source)?;
    let predicate = file.predicate(name).map_err(Error::code)?;
    let question = file.instance(predicate);
    Ok((file, question))
}

fn evidence(
    observed: &Observed,
    settings: &Settings,
    learned: &Learned,
    (rejected, undecided): (usize, usize),
    searched: usize,
) -> Vec<String> {
    let objects = |count: usize| match count {
        1 => "1 object".to_owned(),
        count => format!("{count} objects"),
    };
    let mut lines = Vec::new();
    let methods: BTreeSet<&String> = observed.methods.iter().collect();
    lines.push(format!(
        "{} states, reached by {} calls of {} methods; closed, up to {}, under those calls without null that could be followed",
        observed.states.len(),
        observed.calls,
        methods.len(),
        objects(observed.closed_to)
    ));
    let decided = observed.states.len() - rejected - undecided;
    lines.push(format!("the checker accepts {decided} of these states"));
    if rejected > 0 {
        lines.push(format!(
            "it REJECTS {rejected}: do not use this specification"
        ));
    }
    if undecided > 0 {
        lines.push(format!("it cannot decide about {undecided}"));
    }
    let all = match learned.is_complete {
        true => "",
        false => " that were looked at, which are not all,",
    };
    lines.push(match learned.unwitnessed.len() {
        0 if settings.objects == 0 => "no models were looked at: the time was over".to_owned(),
        0 => format!(
            "every model of up to {}{all} is such a state, but for values and fields that nothing \
             is said about",
            objects(settings.objects)
        ),
        count => format!(
            "of the models of up to {}{all} {count} are unwitnessed: no call sequence was seen to build them",
            objects(settings.objects)
        ),
    });
    let is_kept =
        learned.unwitnessed.is_empty() && learned.is_complete && rejected + undecided == 0;
    if is_kept && observed.closed_to > settings.objects {
        lines.push(format!(
            "every call that was tried on these models, returned, and left at most {}, left an \
                 object that it accepts",
            objects(observed.closed_to)
        ));
    }
    if searched > 0 {
        lines.push(format!(
            "{searched} searches looked for calls that build a single model"
        ));
    }
    lines.push(format!(
        "{} other heaps were looked at and are not described",
        learned.kept_out
    ));
    if !observed.counters.is_empty() {
        let counters: Vec<&str> = observed.counters.iter().map(String::as_str).collect();
        lines.push(format!(
            "not compared, since it has large numbers in small objects: {}",
            counters.join(", ")
        ));
    }
    if !learned.free.is_empty() {
        lines.push(format!("nothing is said about {}", learned.free.join(", ")));
    }
    lines
}

fn composed(class: &str, learned: &Learned, evidence: &[String]) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "// What objects of {class} are, inferred from what its code does:"
    );
    for line in evidence {
        let _ = writeln!(text, "// - {line}.");
    }
    text.push_str(
        "// It describes what the code does, mistakes included, and nothing here is a proof.\n\n",
    );
    text.push_str(&learned.predicates);
    text
}
