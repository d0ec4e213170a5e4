//! Branches that calls did not reach: models of the class's inferred invariant are inputs.
//!
//! Calls build small objects, and few of them. What they have in common is learned, and its models are
//! searched for those that lead further. Nobody vouches for them: a model that calls build after all
//! becomes a test by calls, and what others show to be wrong is not counted.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use heapwright_engine::{
    Branch, Limit, Options, Origin, Outcome, Report, Status, StopReason, Test, Verification,
};
use heapwright_infer::session::{Inference, InferenceRequest, infer};
use heapwright_ir::machine::Edge;
use heapwright_java::classfile::Class;
use heapwright_java::contracts::{Specified, read_for};
use heapwright_java::descriptor::Type;
use heapwright_java::target::TargetMethod;
use heapwright_java::world::{STRING, TestEntry, World};
use heapwright_spec::Source;
use heapwright_testgen::{Error, Event, Explored, Request, Suite};
use rustc_hash::FxHashSet;

use super::contract::contract;
use super::generate::was_cut;
use crate::cases::test_case;
use crate::frontend::{Entry, JavaMethodTests, JavaTests};
use crate::program::JavaProgram;
use crate::sequences::boxed_in;
use crate::sources::Sources;
use crate::specifications::{Choice, Specifications};
use crate::validity::{is_valid, validity_cases};

/// The part of the time that inference has: a quarter.
const PART: u32 = 4;

/// How long inference takes where nobody has set a limit.
const USUAL: Duration = Duration::from_secs(15);

/// Models with so many objects beside the one described are compared with the states that calls reach.
const OBJECTS: usize = 5;

/// What stands above a test whose input no calls are known to build.
const UNCONFIRMED: &str =
    "The input is only inferred to be valid: no public calls that build it are known.";

/// The same where fields are set.
const SET: &str = "Fields of the input are set, as code of the package can: no public calls that build it are known.";

/// What inputs are, if anything says so, and what is told about where they come from.
type Inputs = (Option<Specified>, Origin);

impl JavaTests {
    /// Adds tests for branches that no script takes: on models of the inferred invariant, and then on
    /// inputs whose fields are set. Returns what people are told about them, if there are any.
    pub(super) fn beyond_calls(
        &mut self,
        class: &Arc<Class>,
        explored: &mut [(TargetMethod, Explored<Entry>)],
        begin: Instant,
        request: &Request,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<Option<String>, Error> {
        let inferred = self.by_models(class, explored, begin, request, observer)?;
        let set = self.by_fields(class, explored, begin, request, observer)?;
        let parts: Vec<String> = inferred.into_iter().chain(set).collect();
        Ok((!parts.is_empty()).then(|| parts.join("; ")))
    }

    /// Those on models of the inferred invariant.
    fn by_models(
        &mut self,
        class: &Arc<Class>,
        explored: &mut [(TargetMethod, Explored<Entry>)],
        begin: Instant,
        request: &Request,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<Option<String>, Error> {
        let Some(parts) = self.parts(class).filter(|_| request.infers) else {
            return Ok(None);
        };
        let open = open_among(explored, |target| takes_models(target, class, &parts));
        if open.is_empty() {
            return Ok(None);
        }
        observer(Event::Begins {
            name: &class.name,
            time: request.options.bounds.time,
        });
        let inference = self.inferred(class, request);
        observer(Event::Ends);
        let Some(inference) = inference? else {
            return Ok(None);
        };
        let added = self.add_to(
            &open,
            explored,
            &mut |program, target| {
                let specified = program.specified_by_models(target, &inference)?;
                Some((Some(specified), Origin::Inferred))
            },
            (begin, request),
            observer,
        )?;
        let tests = match added {
            0 => return Ok(None),
            1 => "1 test has an input".to_owned(),
            count => format!("{count} tests have inputs"),
        };
        Ok(Some(format!(
            "where these do not lead, {tests} by the inferred invariant (`heapwright infer {}`)",
            class.name
        )))
    }

    /// Adds tests of some methods, on inputs that a contract describes or that have any fields, for
    /// branches that nothing takes yet. Returns how many.
    pub(super) fn add_to(
        &mut self,
        open: &[usize],
        explored: &mut [(TargetMethod, Explored<Entry>)],
        inputs: &mut dyn FnMut(&mut JavaProgram, &TargetMethod) -> Option<Inputs>,
        (begin, request): (Instant, &Request),
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<usize, Error> {
        let mut taken: FxHashSet<Edge> = (explored.iter())
            .flat_map(|(_, explored)| taken_by(&explored.report))
            .collect();
        let mut added = 0;
        for (position, &index) in open.iter().enumerate() {
            let Some((target, explored)) = explored.get_mut(index) else {
                continue;
            };
            let Some(inputs) = inputs(&mut self.program, target) else {
                continue;
            };
            let left = (request.options.bounds.time).map(|time| {
                let left = time.saturating_sub(begin.elapsed());
                left / (open.len() - position) as u32
            });
            let mut options = request.options.clone();
            options.bounds.time = left;
            added += self.add_inputs(target, explored, inputs, &mut taken, &options, observer)?;
        }
        for (_, explored) in explored {
            settle(&mut explored.report, &taken);
        }
        Ok(added)
    }

    /// The invariant of a class, by a program that has seen nothing: what it loads and how it treats
    /// boxes is not for the tests. `None` if there is none that states of the class meet.
    fn inferred(
        &mut self,
        class: &Arc<Class>,
        request: &Request,
    ) -> Result<Option<Inference>, Error> {
        let program = &self.program;
        let host = Arc::clone(&program.host);
        let nothing = Specifications::new(Choice::None, Vec::new());
        let program = JavaProgram {
            // Looking through the same eyes: what is looked at here decides results as well.
            world: World::new(Arc::clone(program.world.class_path())).map_err(Error::code)?,
            specifications: nothing,
            class_path: program.class_path.clone(),
            sources: Sources::new(Vec::new(), Arc::clone(&host)),
            host,
            predicate: None,
            is_received: program.is_received,
        };
        let wanted = InferenceRequest {
            objects: OBJECTS,
            time: (request.options.bounds.time).map_or(USUAL, |time| time / PART),
            interrupt: request.options.interrupt.clone(),
        };
        let mut unseen = JavaTests::new(program, self.options.clone());
        match infer(&mut unseen, &class.name, &wanted) {
            Ok(Ok(inference)) => {
                self.was_cut |= inference.is_cut;
                Ok(Some(inference).filter(|inference| inference.rejected == 0))
            }
            Ok(Err(_)) => Ok(None),
            Err(error) if error.spares_other_targets() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The classes that objects of a class consist of. `None` if they have arrays, or nothing that is
    /// linked: then there is nothing to be learned.
    fn parts(&self, class: &Arc<Class>) -> Option<BTreeSet<String>> {
        let path = self.program.world.class_path();
        let mut seen = BTreeSet::from([class.name.to_string()]);
        let mut waiting = vec![Arc::clone(class)];
        while let Some(class) = waiting.pop() {
            let fields = class
                .fields
                .iter()
                .filter(|field| !field.access.is_static());
            for field in fields {
                let name = match &field.ty {
                    Type::Array(_) => return None,
                    Type::Class(name) => name,
                    Type::Primitive(_) => continue,
                };
                let is_like = self.program.world.is_of_user(name)
                    == self.program.world.is_of_user(&class.name);
                if is_value(name) || !is_like {
                    continue;
                }
                if let Ok(found) = path.load(name)
                    && !found.access.is_interface()
                    && !is_any_object(name)
                    && seen.insert(name.to_string())
                {
                    waiting.push(found);
                }
            }
        }
        seen.remove(&*class.name);
        (!seen.is_empty()).then_some(seen)
    }

    /// Adds the tests of one method; how many these are.
    fn add_inputs(
        &mut self,
        target: &TargetMethod,
        explored: &mut Explored<Entry>,
        (specified, origin): Inputs,
        taken: &mut FxHashSet<Edge>,
        options: &Options,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<usize, Error> {
        let Entry::Scripted(scripted) = &mut explored.entry else {
            return Ok(0);
        };
        let is_described = specified.is_some();
        observer(Event::Begins {
            name: &target.declared.method.name,
            time: options.bounds.time,
        });
        let found = (self.program).explore_models(target, specified, taken, options, &mut |one| {
            observer(Event::Progress(one));
        });
        observer(Event::Ends);
        let Some((found, entry, has_predicate)) = found? else {
            return Ok(0);
        };
        self.was_cut |= was_cut(&found.stop);
        let report = &mut explored.report;
        report.statistics.total += found.statistics.total;
        let counted: BTreeSet<Edge> = found.branches.iter().map(|branch| branch.edge).collect();
        // Code that no script has led to has branches, too.
        let known: BTreeSet<Edge> = report.branches.iter().map(|branch| branch.edge).collect();
        let limit = report.open.map_or(Limit::Sequences, |(limit, _)| limit);
        let branches = found.branches.into_iter();
        let unknown = branches
            .filter(|branch| !known.contains(&branch.edge) && !taken.contains(&branch.edge));
        report.branches.extend(unknown.map(|branch| Branch {
            status: Status::Open(limit),
            ..branch
        }));
        let mut added = 0;
        for mut test in found.tests {
            let is_wanted = |edge: &Edge| counted.contains(edge) && !taken.contains(edge);
            let is_new = test.run.trail.iter().any(is_wanted);
            let is_valid = !has_predicate || is_valid(&test);
            let is_shown = is_shown(&test) && (!is_described || test.input.witness.is_some());
            if !is_new || !is_shown || !is_valid {
                continue;
            }
            let index = report.tests.len();
            for edge in test.run.trail.iter().filter(|edge| counted.contains(edge)) {
                taken.insert(*edge);
                cover(report, *edge, index);
            }
            // Nothing says that it is valid but what was inferred.
            test.input.witness = None;
            test.origin = origin;
            report.tests.push(test);
            added += 1;
        }
        scripted.models = Some(entry);
        if added > 0 {
            // The program has grown.
            explored.subject = self.program.subject(target)?.subject;
        }
        Ok(added)
    }
}

impl JavaTests {
    /// The tests of a suite that have models as inputs. A model that calls build is built by them, and
    /// what that shows counts.
    pub(super) fn model_tests(
        &mut self,
        target: &TargetMethod,
        suite: &mut Suite,
        entry: &TestEntry,
        request: &Request,
    ) -> Result<JavaMethodTests, Error> {
        let predicate = self.program.predicate(&target.class)?;
        let budgets = request.options.budgets;
        let mut found = JavaMethodTests::default();
        let mut inputs = Vec::new();
        for index in 0..suite.tests.len() {
            let Some(kept) = suite.tests.get(index).cloned() else {
                continue;
            };
            let origin = suite.test(&kept).origin;
            if !origin.is_beyond_calls() {
                continue;
            }
            inputs.push(suite.test(&kept).clone());
            if let Some((case, edges)) = self.via_api(target, suite, &kept, entry, request)? {
                let calls = case.sequence.as_ref().map_or(0, |one| one.calls.len());
                if let Some(test) = suite.report.tests.get_mut(kept.index) {
                    test.origin = Origin::Sequence(calls as u32);
                }
                if let Some(kept) = suite.tests.get_mut(index) {
                    kept.apart = false;
                }
                found.beside.extend(edges);
                found.cases.push((index, case));
                continue;
            }
            let world = &self.program.world;
            let case = test_case(
                world,
                target,
                suite,
                &kept,
                entry,
                predicate.as_ref(),
                budgets,
            );
            if let Some(mut case) = case {
                let about = match origin {
                    Origin::Fields => SET,
                    _ => UNCONFIRMED,
                };
                case.comments.push(about.to_owned());
                found.cases.push((index, case));
            }
        }
        if let Some(predicate) = predicate.filter(|_| request.verify) {
            let world = &mut self.program.world;
            let inputs = (&*suite.subject, &inputs[..]);
            found.validity = validity_cases(world, target, &predicate, inputs, entry)?;
        }
        Ok(found)
    }
}

impl JavaProgram {
    /// A contract for a method by which objects of its class are models of what was inferred. `None` if
    /// it cannot be written.
    fn specified_by_models(
        &mut self,
        target: &TargetMethod,
        inference: &Inference,
    ) -> Option<Specified> {
        let source = Source {
            name: "the inferred specification".to_owned(),
            text: contract(target, inference)?,
        };
        let host = Arc::clone(&self.host);
        let class = &target.class;
        let tested = [Arc::clone(class)];
        let read = read_for(&mut self.world, class, &tested, source, &mut |request| {
            host.import(request)
        });
        read.ok()
    }
}

/// Whether models can be inputs of a method: it is declared by the class, has an object of it, and its
/// other parameters are values, any objects, or parts of that object.
fn takes_models(target: &TargetMethod, class: &Arc<Class>, parts: &BTreeSet<String>) -> bool {
    let method = &target.declared.method;
    let is_own = target.class.name == class.name && target.declared.class.name == class.name;
    let is_object = |ty: &Type| *ty == class.ty();
    let is_open = |ty: &Type| match ty {
        Type::Primitive(_) => true,
        Type::Class(name) => parts.contains(&**name) || is_value(name) || is_any_object(name),
        Type::Array(_) => false,
    };
    let parameters = &method.descriptor.parameters;
    let is_part = |ty: &Type| matches!(ty, Type::Class(name) if parts.contains(&**name));
    let has_object =
        !method.access.is_static() || (parameters.iter()).any(|ty| is_object(ty) || is_part(ty));
    is_own
        && has_object
        && !method.is_constructor()
        && (parameters.iter()).all(|ty| is_object(ty) || is_open(ty))
}

pub(super) fn is_value(class: &str) -> bool {
    boxed_in(class).is_some() || *class == *STRING
}

pub(super) fn is_any_object(class: &str) -> bool {
    class == "java.lang.Object"
}

/// The positions of those methods with open branches that something holds for.
pub(super) fn open_among(
    explored: &[(TargetMethod, Explored<Entry>)],
    is_wanted: impl Fn(&TargetMethod) -> bool,
) -> Vec<usize> {
    let methods = explored.iter().enumerate();
    methods
        .filter(|(_, (target, explored))| has_open_branches(&explored.report) && is_wanted(target))
        .map(|(index, _)| index)
        .collect()
}

/// Whether a branch of a report is open that no test of the class takes.
fn has_open_branches(report: &Report) -> bool {
    let mut branches = report.branches.iter();
    branches.any(|branch| is_left(&branch.status))
}

fn is_left(status: &Status) -> bool {
    matches!(status, Status::Open(limit) if *limit != Limit::OtherTests)
}

/// The branches that are covered, here or by other tests of the class.
fn taken_by(report: &Report) -> impl Iterator<Item = Edge> {
    let taken = report.branches.iter().filter(|branch| {
        matches!(
            branch.status,
            Status::Covered { .. } | Status::Open(Limit::OtherTests)
        )
    });
    taken.map(|branch| branch.edge)
}

/// Whether a run can be a test, and its input is what the contract says.
fn is_shown(test: &Test) -> bool {
    let is_run = matches!(test.run.outcome, Outcome::Returned | Outcome::Threw { .. });
    let is_unkept = matches!(test.run.postcondition, Some(Verification::Undecided(_)));
    is_run && !is_unkept
}

/// A branch is covered by a test; one that only its code has was not known before.
fn cover(report: &mut Report, edge: Edge, test: usize) {
    let mut branches = report.branches.iter_mut();
    if let Some(branch) = branches.find(|branch| branch.edge == edge)
        && !matches!(branch.status, Status::Covered { .. })
    {
        branch.status = Status::Covered { test };
    }
}

/// What other tests take now is not looked for, and the search may have ended with all branches.
fn settle(report: &mut Report, taken: &FxHashSet<Edge>) {
    for branch in &mut report.branches {
        if is_left(&branch.status) && taken.contains(&branch.edge) {
            branch.status = Status::Open(Limit::OtherTests);
        }
    }
    if report.tests.is_empty() || has_open_branches(report) {
        return;
    }
    let is_elsewhere = |status: &Status| *status == Status::Open(Limit::OtherTests);
    let mut branches = report.branches.iter();
    report.stop = match branches.any(|branch| is_elsewhere(&branch.status)) {
        true => StopReason::Limit(Limit::OtherTests),
        false => StopReason::Covered,
    };
}
