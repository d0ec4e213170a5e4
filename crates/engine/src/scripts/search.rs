//! The search for scripts.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::Instant;

use heapwright_ir::machine::Edge;
use heapwright_ir::machine::concrete::Value;
use heapwright_ir::{FunctionId, Program};
use heapwright_logic::ClassId;
use rustc_hash::{FxHashSet, FxHasher};

use super::arguments::Writer;
use super::execution::{Execution, Step, run};
use super::goals::Goals;
use super::reduction::reduced;
use super::{Catalogue, OperationId, Script, ScriptBounds};
use crate::report::{Limit, StopReason};
use crate::search::strategy::Generator;
use crate::sequences::{DataType, Environment, Growth};

/// The seed of the choices.
const SEED: u64 = 17;

/// Scripts that wait to be extended, at most.
const MOST_SEEDS: usize = 2_000;

/// Calls that a script is extended by at once.
const MOST_CALLS: usize = 4;

/// Scripts of each operation that are run although everything is covered.
const LEAST_RUNS: u64 = 20;

/// Runs between two looks at the clock.
const RUNS_PER_LOOK: u64 = 16;

/// A script whose last call is of interest.
#[derive(Clone, Debug)]
pub struct Found {
    /// The script.
    pub script: Script,
    /// The function that its last statement called.
    pub function: FunctionId,
    /// The class of the first operand of that, if it is an object.
    pub receiver: Option<ClassId>,
    /// The branches that no script before it has taken.
    pub edges: Vec<Edge>,
}

/// What a search for scripts found.
#[derive(Clone, Debug, Default)]
pub struct Scripts {
    /// The program as it is in the end.
    pub program: Arc<Program>,
    /// The scripts that are of interest, those with new branches first.
    pub found: Vec<Found>,
    /// The branches under test that some call took.
    pub taken: FxHashSet<Edge>,
    /// Those that none took.
    pub open: FxHashSet<Edge>,
    /// Scripts that were run.
    pub runs: u64,
    /// States that they left behind, up to isomorphism.
    pub states: u64,
    /// Why the search ended.
    pub stop: StopReason,
    /// Functions that calls ended at because nobody knows them.
    pub missing: BTreeSet<String>,
}

/// Searches for scripts that take branches of the code under test. It begins with some that are
/// known. The observer is told now and then how far the search has come.
pub fn explore(
    program: Arc<Program>,
    growth: &mut dyn Growth,
    catalogue: &Catalogue,
    known: &[Script],
    bounds: &ScriptBounds,
    observer: &mut dyn FnMut(&Scripts),
) -> Scripts {
    let data_type = DataType {
        class: ClassId::ANY,
        initialisers: catalogue.initialisers.clone(),
        own: catalogue.own.clone(),
        constructors: Vec::new(),
        operations: Vec::new(),
        ignored: BTreeSet::new(),
        invariant: None,
    };
    let environment = Environment::new(program, growth, &data_type, bounds.budgets);
    let mut search = Search {
        goals: Goals::new(&environment.program, catalogue),
        environment,
        catalogue,
        bounds,
        generator: Generator::new(SEED),
        seeds: vec![Seed::default()],
        states: FxHashSet::default(),
        paths: BTreeMap::new(),
        others: Vec::new(),
        attempts: vec![0; catalogue.operations.len()],
        found: Scripts::default(),
        begin: Instant::now(),
    };
    search.found.stop = search.run(known, observer);
    search.keep_paths();
    let Search {
        environment,
        goals,
        found,
        states,
        ..
    } = search;
    Scripts {
        program: Arc::clone(&environment.program),
        taken: goals.taken,
        open: goals.open,
        states: states.len() as u64,
        missing: environment.missing,
        ..found
    }
}

/// A script that can be extended.
#[derive(Clone, Default)]
struct Seed {
    script: Script,
    /// The classes of what its statements gave.
    classes: Vec<Option<ClassId>>,
    uses: u32,
}

/// A call on a path of its own that takes no new branch.
struct Other {
    script: Script,
    function: FunctionId,
    receiver: Option<ClassId>,
    path: u64,
}

struct Search<'a, 'g> {
    environment: Environment<'g>,
    catalogue: &'a Catalogue,
    bounds: &'a ScriptBounds,
    generator: Generator,
    goals: Goals,
    seeds: Vec<Seed>,
    states: FxHashSet<u64>,
    /// The paths through each function that were seen.
    paths: BTreeMap<FunctionId, FxHashSet<u64>>,
    others: Vec<Other>,
    /// For each operation, the calls since the last one that took a new branch.
    attempts: Vec<u32>,
    found: Scripts,
    begin: Instant,
}

impl Search<'_, '_> {
    fn run(&mut self, known: &[Script], observer: &mut dyn FnMut(&Scripts)) -> StopReason {
        for script in known {
            self.try_script(script.clone(), 0);
        }
        let extending: Vec<usize> = (self.catalogue.operations.iter().enumerate())
            .filter(|(_, operation)| operation.extends)
            .map(|(index, _)| index)
            .collect();
        if extending.is_empty() {
            return StopReason::Exhausted;
        }
        let least = LEAST_RUNS * extending.len() as u64;
        let mut last = self.found.runs;
        loop {
            if self.goals.open.is_empty() && self.found.runs >= least {
                return StopReason::Covered;
            }
            if let Some(limit) = self.limit(last) {
                return StopReason::Limit(limit);
            }
            let (taken, before) = (self.goals.taken.len(), self.found.runs);
            self.extend(&extending);
            if self.goals.taken.len() > taken {
                last = self.found.runs;
            }
            // Whatever could not even be run counts as well, so that the search ends.
            self.found.runs = self.found.runs.max(before + 1);
            if self.found.runs.is_multiple_of(256) {
                self.found.taken.clone_from(&self.goals.taken);
                self.found.open.clone_from(&self.goals.open);
                observer(&self.found);
            }
        }
    }

    /// The limit that is reached, if one is.
    fn limit(&self, last: u64) -> Option<Limit> {
        let runs = self.found.runs;
        if let Some(limit) = self.bounds.interrupt.limit() {
            return Some(limit);
        }
        let looks = runs.is_multiple_of(RUNS_PER_LOOK);
        if looks
            && self
                .bounds
                .time
                .is_some_and(|time| self.begin.elapsed() >= time)
        {
            return Some(Limit::Time);
        }
        let is_over = runs >= self.bounds.scripts || runs - last >= self.bounds.patience;
        is_over.then_some(Limit::Sequences)
    }

    /// Extends a script by a few calls, and runs it.
    fn extend(&mut self, extending: &[usize]) {
        let Some(seed) = self.choose_seed() else {
            return;
        };
        let count = 1 + self.generator.below(MOST_CALLS);
        let mut script = seed.script.clone();
        for _ in 0..count {
            let operation = self.choose_operation(extending);
            if let Some(attempts) = self.attempts.get_mut(operation) {
                *attempts += 1;
            }
            let mut writer = Writer {
                program: &self.environment.program,
                catalogue: self.catalogue,
                generator: &mut self.generator,
                script,
                classes: &seed.classes,
            };
            writer.call(OperationId(operation as u32), 0);
            script = writer.script;
        }
        let begin = seed.script.statements.len();
        if script.statements.len() > begin && script.statements.len() <= self.bounds.length {
            self.try_script(script, begin);
        }
    }

    /// A script that was seldom extended.
    fn choose_seed(&mut self) -> Option<Seed> {
        let count = self.seeds.len();
        let index = match self.generator.below(8) {
            0 => 0,
            _ => {
                let some: Vec<usize> = (0..3).map(|_| self.generator.below(count)).collect();
                let uses =
                    |index: &usize| self.seeds.get(*index).map_or(u32::MAX, |seed| seed.uses);
                some.into_iter().min_by_key(uses)?
            }
        };
        let seed = self.seeds.get_mut(index)?;
        seed.uses += 1;
        Some(seed.clone())
    }

    /// An operation: the more open branches it leads to, and the less it was tried in vain, the
    /// more often.
    fn choose_operation(&mut self, extending: &[usize]) -> usize {
        let weight = |index: usize| {
            let open = u64::from(self.goals.open_behind(index).min(10));
            let attempts = self.attempts.get(index).copied().unwrap_or(0);
            let wanted = 40 * open / (1 + u64::from(attempts / 50));
            10 + wanted
        };
        let weights: Vec<u64> = extending.iter().map(|&index| weight(index)).collect();
        let all: u64 = weights.iter().sum();
        let mut left = self.generator.below(all.max(1) as usize) as u64;
        for (&index, &weight) in extending.iter().zip(&weights) {
            if left < weight {
                return index;
            }
            left -= weight;
        }
        extending.last().copied().unwrap_or(0)
    }

    /// Runs a script, and keeps what is new in it from a statement on.
    fn try_script(&mut self, script: Script, begin: usize) {
        let Some((execution, state)) = self.execute(&script) else {
            return;
        };
        for (index, step) in execution.steps.iter().enumerate().skip(begin) {
            let last = index + 1 == execution.steps.len();
            self.note(&script, index, step, last && execution.threw);
        }
        if !execution.is_sound || execution.threw {
            return;
        }
        if let Some(state) = state
            && self.states.insert(state)
        {
            let classes = execution.steps.iter().map(|step| step.class).collect();
            self.plant(script, classes);
        }
    }

    /// Keeps a script up to one of its statements, if that did something new.
    fn note(&mut self, script: &Script, index: usize, step: &Step, threw: bool) {
        let Some(function) = step.function else {
            return;
        };
        let new = self.goals.take(&step.edges);
        let is_tested = self.catalogue.tested.contains(&function);
        let paths = self.paths.entry(function).or_default();
        let is_first = is_tested && paths.is_empty();
        let is_path = is_tested && paths.len() < self.bounds.paths && paths.insert(step.path);
        if new.is_empty() && !is_first && !is_path {
            return;
        }
        let script = script.before(index + 1);
        if new.is_empty() && !is_first {
            self.others.push(Other {
                script,
                function,
                receiver: step.receiver,
                path: step.path,
            });
            return;
        }
        if let Some(last) = script.statements.last()
            && let Some(attempts) = self.attempts.get_mut(last.operation.0 as usize)
        {
            *attempts = 0;
        }
        let script = reduced(script, |shorter| {
            self.execute(shorter).is_some_and(|(execution, _)| {
                let is_last = execution.steps.len() == shorter.statements.len();
                let last = execution.steps.last().filter(|_| is_last);
                execution.threw == threw
                    && last.is_some_and(|last| {
                        last.function == Some(function)
                            && new.iter().all(|edge| last.edges.contains(edge))
                    })
            })
        });
        if !threw && let Some((execution, _)) = self.execute(&script) {
            let classes = execution.steps.iter().map(|step| step.class).collect();
            self.plant(script.clone(), classes);
        }
        self.found.found.push(Found {
            script,
            function,
            receiver: step.receiver,
            edges: new,
        });
    }

    /// Adds a script that can be extended. Of too many, one that was often used goes.
    fn plant(&mut self, script: Script, classes: Vec<Option<ClassId>>) {
        let seed = Seed {
            script,
            classes,
            uses: 0,
        };
        if self.seeds.len() < MOST_SEEDS {
            self.seeds.push(seed);
            return;
        }
        let some: Vec<usize> = (0..4)
            .map(|_| 1 + self.generator.below(MOST_SEEDS - 1))
            .collect();
        let uses = |index: &usize| self.seeds.get(*index).map_or(0, |seed| seed.uses);
        if let Some(index) = some.into_iter().max_by_key(uses)
            && let Some(place) = self.seeds.get_mut(index)
        {
            *place = seed;
        }
    }

    /// Calls on paths of their own become tests as well, without what they do not need.
    fn keep_paths(&mut self) {
        for other in std::mem::take(&mut self.others) {
            let script = reduced(other.script, |shorter| {
                self.execute(shorter).is_some_and(|(execution, _)| {
                    let is_last = execution.steps.len() == shorter.statements.len();
                    let last = execution.steps.last().filter(|_| is_last);
                    last.is_some_and(|last| {
                        last.function == Some(other.function) && last.path == other.path
                    })
                })
            });
            if self.found.found.iter().all(|known| known.script != script) {
                self.found.found.push(Found {
                    script,
                    function: other.function,
                    receiver: other.receiver,
                    edges: Vec::new(),
                });
            }
        }
    }

    /// Runs a script. Also a number that is the same for isomorphic states of what is under test.
    fn execute(&mut self, script: &Script) -> Option<(Execution, Option<u64>)> {
        self.found.runs += 1;
        let catalogue = self.catalogue;
        let performed = self.environment.perform(|program, machine, make| {
            let mut values: Vec<Value> = Vec::new();
            let execution = run(machine, program, catalogue, script, &mut values, |m, a| {
                make(m, a)
            })?;
            let is_object = |step: &Step| {
                step.class
                    .is_some_and(|class| catalogue.family.contains(&class))
            };
            let object = execution.steps.iter().position(is_object);
            let object = object.and_then(|index| values.get(index)).copied();
            Ok((execution, object))
        });
        let (execution, state) = performed.ok()?;
        let state = state.map(|state| {
            let mut hasher = FxHasher::default();
            self.environment.key(&state).hash(&mut hasher);
            hasher.finish()
        });
        Some((execution, state))
    }
}
