//! The search for scripts for a class, and what it found for each method.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use heapwright_engine::scripts::{
    Found, Observation, Questions, Script, ScriptBounds, ScriptTest, Scripts, explore, replay,
    report,
};
use heapwright_engine::{Conditions, Limit, Progress, StopReason, Verification};
use heapwright_ir::FunctionId;
use heapwright_java::classfile::Class;
use heapwright_java::descriptor::Type;
use heapwright_java::emit::{CallScript, ScriptObservation, TestCase, told};
use heapwright_java::target::TargetMethod;
use heapwright_java::world::TestEntry;
use heapwright_logic::ClassId;
use heapwright_testgen::{Error, Event, Explored, Frontend, Kept, Request, SequenceError, Suite};

use super::catalogue::JavaCatalogue;
use super::texts::Texts;
use crate::cases::case_with;
use crate::explore::ExploredMethod;
use crate::frontend::{Entry, JavaMethodTests, JavaTests};
use crate::sequences::{GrowingWorld, as_method, same_method, settle_result};
use crate::variation::vague_among;

/// Whether a search would go on the next time.
pub(super) fn was_cut(stop: &StopReason) -> bool {
    matches!(
        stop,
        StopReason::Limit(Limit::Time | Limit::Memory | Limit::Interrupted)
    )
}

/// Where inputs come from.
const BY_CALLS: &str = "no specification: inputs are built by public calls";

/// Observations of an object that are asserted.
const MOST_OBSERVED: usize = 6;

/// Rounds of changed texts, in all and without a new branch.
const MOST_ROUNDS: usize = 12;
const ROUNDS_IN_VAIN: usize = 2;

/// How often more code is asked for so that a method can be reported on.
const MOST_SUPPLIES: u32 = 20;

/// How a test of a method was found: by a script.
pub struct Scripted {
    /// What was run.
    pub entry: TestEntry,
    found: Rc<FoundScripts>,
    /// The script of each test, in the order of the report.
    tests: Vec<ScriptTest>,
    /// What was run where inputs are models of what was inferred; those tests come behind.
    pub(super) models: Option<TestEntry>,
    /// Where inputs come from, and why; said once for a class.
    about: Option<String>,
}

impl Scripted {
    /// Where its inputs come from, and why; said once for a class.
    pub fn about(&self) -> Option<String> {
        self.about.clone()
    }
}

/// What was found for a class.
struct FoundScripts {
    catalogue: JavaCatalogue,
    bounds: ScriptBounds,
    /// The predicate that says which objects are valid.
    predicate: Option<TargetMethod>,
    invariant: Option<(ClassId, FunctionId)>,
}

impl FoundScripts {
    /// What is asked after a call.
    fn questions(&self) -> Questions<'_> {
        Questions {
            observers: &self.catalogue.observers,
            invariant: self.invariant,
        }
    }
}

impl JavaTests {
    /// Searches for tests of methods of a class, and of the classes that are nested in it where the
    /// whole class is tested.
    pub fn class_scripts(
        &mut self,
        targets: &[TargetMethod],
        request: &Request,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<Vec<(TargetMethod, Explored<Entry>)>, Error> {
        let Some(first) = targets.first() else {
            return Err(SequenceError::NoLastCall.into());
        };
        let class = Arc::clone(&first.class);
        let family = self.program.world.family(&class).map_err(Error::code)?;
        let outermost = family.first().map_or(&class.name, |first| &first.name);
        // What is nested in a class was tested with it.
        if !self.searched.insert(outermost.to_string()) && self.names_class() {
            return Ok(Vec::new());
        }
        let begin = Instant::now();
        let mut catalogue = JavaCatalogue::of(&mut self.program.world, &class)?;
        let bounds = ScriptBounds {
            // The rest is for open values, and for the tests themselves.
            time: request.options.bounds.time.map(|time| time / 2),
            interrupt: request.options.interrupt.clone(),
            ..ScriptBounds::default()
        };
        let mut scripts = self.search_scripts(&class, &catalogue, &[], &bounds, observer);
        self.was_cut |= was_cut(&scripts.stop);
        let solved = self.solved(first, &mut catalogue, &scripts, begin, request)?;
        if !solved.is_empty() {
            // What was found opens the way to more.
            let found = scripts.found.iter().map(|found| found.script.clone());
            let known: Vec<Script> = found.chain(solved).collect();
            let again = ScriptBounds {
                patience: bounds.patience / 2,
                scripts: bounds.scripts / 2,
                time: bounds.time.map(|time| time / 2),
                ..bounds.clone()
            };
            let more = self.search_scripts(&class, &catalogue, &known, &again, observer);
            self.was_cut |= was_cut(&more.stop);
            if more.taken.len() >= scripts.taken.len() {
                scripts = more;
            }
        }
        let scripts =
            self.read_further(&class, &mut catalogue, scripts, &bounds, begin, observer)?;
        self.was_cut |= was_cut(&scripts.stop);
        let predicate = self.program.predicate(&class)?;
        let invariant = match &predicate {
            Some(predicate) => {
                let world = &mut self.program.world;
                let function = world.invariant_of_object(predicate).map_err(Error::code)?;
                let id = world.complete(&class.ty()).map_err(Error::code)?;
                Some((id, function))
            }
            None => None,
        };
        let found = Rc::new(FoundScripts {
            catalogue,
            bounds,
            predicate: predicate.and_then(|predicate| as_method(&class, &predicate)),
            invariant,
        });
        let mut explored = Vec::new();
        for (target, own) in self.by_target(&class, &scripts, targets) {
            // Others are tested by themselves: their specifications say which inputs are valid.
            if self.names_class()
                && target.class.name == class.name
                && !self.is_by_calls(&target, request)?
            {
                continue;
            }
            explored.extend(self.scripted(&found, &scripts, target, &own)?);
        }
        let beyond = self.beyond_calls(&class, &mut explored, begin, request, observer)?;
        if let Some((_, first)) = explored.first_mut()
            && let Entry::Scripted(scripted) = &mut first.entry
        {
            let parts = std::iter::once(BY_CALLS.to_owned()).chain(beyond);
            scripted.about = Some(parts.collect::<Vec<_>>().join("; "));
        }
        let is_tested = |(_, explored): &(TargetMethod, Explored<Entry>)| {
            self.names_class() || !explored.report.tests.is_empty()
        };
        let (mut explored, without): (Vec<_>, Vec<_>) = explored.into_iter().partition(is_tested);
        let without: Vec<TargetMethod> = without.into_iter().map(|(target, _)| target).collect();
        match (explored.is_empty(), without.is_empty()) {
            (true, true) => return self.without_calls(targets, request, observer),
            (_, false) => explored.extend(self.without_calls(&without, request, observer)?),
            _ => {}
        }
        Ok(explored)
    }

    /// As long as branches are open, texts of what was found are changed and tried again.
    fn read_further(
        &mut self,
        class: &Arc<Class>,
        catalogue: &mut JavaCatalogue,
        mut scripts: Scripts,
        bounds: &ScriptBounds,
        begin: Instant,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<Scripts, Error> {
        let mut texts = Texts::of(catalogue);
        let mut in_vain = 0;
        for _ in 0..MOST_ROUNDS {
            let left = bounds.time.map(|time| time.saturating_sub(begin.elapsed()));
            let is_late = left.is_some_and(|left| left.is_zero());
            if scripts.open.is_empty() || in_vain >= ROUNDS_IN_VAIN {
                break;
            }
            if is_late || bounds.interrupt.limit().is_some() {
                self.was_cut = true;
                break;
            }
            let changed = self.with_other_texts(catalogue, &scripts, &mut texts)?;
            if changed.is_empty() {
                break;
            }
            let found = scripts.found.iter().map(|found| found.script.clone());
            let known: Vec<Script> = found.chain(changed).collect();
            let again = ScriptBounds {
                patience: bounds.patience / 6,
                scripts: bounds.scripts / 2,
                time: left,
                ..bounds.clone()
            };
            let more = self.search_scripts(class, catalogue, &known, &again, observer);
            self.was_cut |= was_cut(&more.stop);
            match more.taken.len() > scripts.taken.len() {
                true => {
                    scripts = more;
                    in_vain = 0;
                }
                false => in_vain += 1,
            }
        }
        Ok(scripts)
    }

    /// Tests of methods whose objects no call makes: their fields are set.
    fn without_calls(
        &mut self,
        targets: &[TargetMethod],
        request: &Request,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<Vec<(TargetMethod, Explored<Entry>)>, Error> {
        let mut found = Vec::new();
        for target in targets {
            let name = self.target_name(target);
            observer(Event::Begins {
                name: &name,
                time: request.options.bounds.time,
            });
            let explored = self.explore(target, &request.options, &mut |progress| {
                observer(Event::Progress(progress));
            });
            observer(Event::Ends);
            if let Ok(explored) = explored? {
                found.push((target.clone(), explored));
            }
        }
        Ok(found)
    }

    fn search_scripts(
        &mut self,
        class: &Arc<Class>,
        catalogue: &JavaCatalogue,
        known: &[Script],
        bounds: &ScriptBounds,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Scripts {
        let begin = Instant::now();
        observer(Event::Begins {
            name: &class.name,
            time: bounds.time,
        });
        let program = Arc::new(self.program.world.program().clone());
        let mut growth = GrowingWorld::of(&mut self.program.world);
        let scripts = explore(
            program,
            &mut growth,
            &catalogue.catalogue,
            known,
            bounds,
            &mut |scripts| {
                let progress = Progress {
                    tests: scripts.found.len(),
                    covered: scripts.taken.len(),
                    branches: scripts.taken.len() + scripts.open.len(),
                    frontier: 0,
                    solver_calls: 0,
                    solving: Duration::ZERO,
                    elapsed: begin.elapsed(),
                };
                observer(Event::Progress(&progress));
            },
        );
        observer(Event::Ends);
        scripts
    }

    /// The scripts by the method that their last call is one of. Where the whole class is tested, these
    /// are all methods that were called; otherwise those that were named.
    fn by_target<'s>(
        &self,
        class: &Arc<Class>,
        scripts: &'s Scripts,
        targets: &[TargetMethod],
    ) -> Vec<(TargetMethod, Vec<&'s Found>)> {
        let world = &self.program.world;
        let is_whole = self.names_class();
        let mut found: Vec<(TargetMethod, Vec<&Found>)> = match is_whole {
            true => Vec::new(),
            false => targets
                .iter()
                .map(|target| (target.clone(), Vec::new()))
                .collect(),
        };
        for one in &scripts.found {
            let Some(declared) = world.method_of(one.function) else {
                continue;
            };
            let method = &declared.method;
            let receiver = match method.access.is_static() || method.is_constructor() {
                true => None,
                false => one.receiver.and_then(|class| world.type_of(class)),
            };
            let receiver = match receiver {
                Some(Type::Class(name)) => world.class_path().load(name).ok(),
                _ => None,
            };
            let is_inherited = declared.class.name != class.name;
            let target = TargetMethod {
                class: receiver.unwrap_or_else(|| match is_inherited {
                    true => Arc::clone(&declared.class),
                    false => Arc::clone(class),
                }),
                declared: declared.clone(),
            };
            let known = found.iter().position(|(known, _)| match is_whole {
                true => same_method(known, &target) && known.class.name == target.class.name,
                false => same_method(known, &target),
            });
            match known {
                Some(index) => {
                    if let Some((_, own)) = found.get_mut(index) {
                        own.push(one);
                    }
                }
                None if is_whole => found.push((target, vec![one])),
                None => {}
            }
        }
        // In the order of the source, those of the class that was named first.
        found.sort_by_key(|(target, _)| {
            let methods = target.declared.class.methods.iter();
            let is_nested = target.class.name != class.name;
            let index = methods.take_while(|one| {
                one.name != target.declared.method.name
                    || one.descriptor != target.declared.method.descriptor
            });
            (is_nested, target.class.name.to_string(), index.count())
        });
        found
    }

    /// What was found for one method.
    fn scripted(
        &mut self,
        found: &Rc<FoundScripts>,
        scripts: &Scripts,
        target: TargetMethod,
        own: &[&Found],
    ) -> Result<Option<(TargetMethod, Explored<Entry>)>, Error> {
        let mut rounds = 0;
        let (explored, reported) = loop {
            let explored = self.program.subject(&target)?;
            let reported = report(
                &explored.subject,
                &found.catalogue.catalogue,
                scripts,
                own,
                found.questions(),
                &found.bounds,
            );
            rounds += 1;
            let world = &mut self.program.world;
            let absent = reported.absent.iter();
            let supplied = absent.filter(|&&function| world.supply(function)).count();
            if supplied == 0 || rounds == MOST_SUPPLIES {
                break (explored, reported);
            }
        };
        let (subject, entry) = (explored.subject, explored.entry);
        let (mut report, tests) = (reported.report, reported.tests);
        if let Some(predicate) = &found.predicate {
            crate::sequences::name_predicate(&mut report, &predicate.declared.method.name);
        }
        let method = ExploredMethod {
            subject,
            report,
            entry: entry.clone(),
            specification: explored.specification,
        };
        let scripted = Scripted {
            entry,
            found: Rc::clone(found),
            tests,
            models: None,
            about: None,
        };
        let explored = self.presented(&target, method, Some(false), Entry::Scripted(scripted));
        Ok(Some((target, explored)))
    }

    /// The tests of a suite that was found by scripts, and by models of what was inferred.
    pub fn scripted_tests(
        &mut self,
        target: &TargetMethod,
        suite: &mut Suite,
        scripted: &Scripted,
        request: &Request,
    ) -> Result<JavaMethodTests, Error> {
        let mut models = match &scripted.models {
            Some(entry) => self.model_tests(target, suite, entry, request)?,
            None => JavaMethodTests::default(),
        };
        let mut cases = std::mem::take(&mut models.cases);
        let mut beside = std::mem::take(&mut models.beside);
        for (index, kept) in suite.tests.iter().enumerate() {
            let Some(test) = scripted.tests.get(kept.index) else {
                continue;
            };
            let case = self.script_case(target, suite, kept, scripted, test);
            cases.extend(case.map(|case| (index, case)));
            // The coverage of tests that fail is not measured.
            if kept.findings.is_empty() {
                beside.extend(&test.before);
                let observed = test.observations.iter();
                beside.extend(observed.flat_map(|observed| &observed.edges));
            }
        }
        cases.sort_by_key(|(index, _)| *index);
        Ok(JavaMethodTests {
            is_called: true,
            cases,
            beside,
            ..models
        })
    }

    fn script_case(
        &self,
        target: &TargetMethod,
        suite: &Suite,
        kept: &Kept,
        scripted: &Scripted,
        test: &ScriptTest,
    ) -> Option<TestCase> {
        let found = &scripted.found;
        let world = &self.program.world;
        let mut certain: Vec<Observation> = test.observations.clone();
        let entry = &scripted.entry;
        let mut vague = vague_among(&suite.subject, entry, suite.test(kept), |conditions| {
            let repetitions = conditions.seed.unwrap_or(0);
            let replayed = replay(
                &suite.subject,
                &found.catalogue.catalogue,
                &test.script,
                found.questions(),
                found.bounds.budgets,
                Conditions::clone(&conditions),
                repetitions,
            );
            let replayed = replayed.ok().flatten()?;
            certain.retain(|known| replayed.observations.contains(known));
            Some(replayed.run)
        })?;
        settle_result(suite.test(kept), &mut vague);
        let mut case = case_with(world, target, suite, kept, entry, vague)?;
        case.picture = None;
        let breaks = matches!(
            suite.test(kept).run.invariant,
            Some(Verification::Violated(_))
        );
        let mut count: BTreeMap<u32, usize> = BTreeMap::new();
        let mut seen: BTreeSet<(u32, String)> = BTreeSet::new();
        let mut observations = Vec::new();
        for observation in &certain {
            let method = found.catalogue.asked.get(observation.observer)?;
            let name = method.declared.method.name.to_string();
            let number = count.entry(observation.object).or_default();
            let is_new = seen.insert((observation.object, name));
            // What the call under test has just said need not be said again.
            let is_repeated = same_method(method, target);
            if !is_new || is_repeated || *number >= MOST_OBSERVED {
                continue;
            }
            if let Some(value) = told(world, &observation.heap, observation.value) {
                *number += 1;
                observations.push(ScriptObservation {
                    object: observation.object as usize,
                    method: method.clone(),
                    value,
                });
            }
        }
        case.script = Some(CallScript {
            statements: found.catalogue.written(&test.script)?,
            observations,
            broken: found.predicate.clone().filter(|_| breaks),
        });
        Some(case)
    }
}
