//! `--mode sequences`: tests that are plain sequences of calls.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use heapwright_engine::sequences::{Played as Replayed, Sequence, SequenceTest, play, report};
use heapwright_engine::{Conditions, Report, Subject, Test, Verification, Violation};
use heapwright_java::emit::{AssertedLocation, TestCase, Vagueness};
use heapwright_java::target::TargetMethod;
use heapwright_java::world::TestEntry;
use heapwright_logic::{Loc, Value};
use heapwright_testgen::{Error, Event, Explored, Kept, Request, SequenceError, Suite};

use super::search::Found;
use super::{observers, same_method};
use crate::cases::case_with;
use crate::explore::ExploredMethod;
use crate::frontend::{Entry, JavaMethodTests, JavaTests};
use crate::variation::vague_among;

/// How a test of a method was found: by calls.
pub struct Played {
    /// What was run.
    pub entry: TestEntry,
    /// What was found for the class.
    found: Rc<Found>,
    /// The calls of each test, in the order of the report.
    sequences: Vec<SequenceTest>,
}

impl JavaTests {
    /// Searches for tests of methods of a class.
    pub fn class_sequences(
        &mut self,
        targets: &[TargetMethod],
        request: &Request,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<Vec<(TargetMethod, Explored<Entry>)>, Error> {
        // What cannot be called from outside is covered by what calls it, as far as it is.
        let is_called = |target: &&TargetMethod| {
            let access = target.declared.method.access;
            !access.is_static() && !access.is_private() && !target.declared.method.is_constructor()
        };
        let called: Vec<TargetMethod> = targets.iter().filter(is_called).cloned().collect();
        let public = |target: &&TargetMethod| target.declared.method.access.is_public();
        let tested: Vec<TargetMethod> = match called.iter().any(|target| public(&target)) {
            true if targets.len() > 1 => called.iter().filter(public).cloned().collect(),
            _ => called,
        };
        let Some(first) = tested.first() else {
            return Err(SequenceError::NoLastCall.into());
        };
        let class = Arc::clone(&first.class);
        let found = Rc::new(self.search(&class, &tested, request, observer)?);
        let mut explored = Vec::new();
        for target in tested {
            if let Some(one) = self.operation(&found, &target)? {
                explored.push((target, one));
            }
        }
        Ok(explored)
    }

    /// What was found for one method.
    fn operation(
        &mut self,
        found: &Rc<Found>,
        target: &TargetMethod,
    ) -> Result<Option<Explored<Entry>>, Error> {
        let Some(operation) = found.java_type.operation(target) else {
            return Ok(None);
        };
        let explored = self.program.subject(target)?;
        let (subject, entry) = (explored.subject, explored.entry);
        let (mut report, sequences) = report(
            &subject,
            &found.java_type.data_type,
            &found.exploration,
            operation,
            &found.functions,
            &found.bounds,
        );
        if let Some(predicate) = &found.predicate {
            name_predicate(&mut report, &predicate.declared.method.name);
        }
        let method = ExploredMethod {
            subject,
            report,
            entry: entry.clone(),
            specification: explored.specification,
        };
        let played = Played {
            entry,
            found: Rc::clone(found),
            sequences,
        };
        Ok(Some(self.presented(
            target,
            method,
            Some(false),
            Entry::Played(played),
        )))
    }

    /// The tests of a suite that was found by calls.
    pub fn played_tests(
        &self,
        target: &TargetMethod,
        suite: &Suite,
        played: &Played,
    ) -> JavaMethodTests {
        let mut cases = Vec::new();
        let mut beside = BTreeSet::new();
        for (index, kept) in suite.tests.iter().enumerate() {
            let Some(test) = played.sequences.get(kept.index) else {
                continue;
            };
            let case = self.sequence_case(&played.found, target, suite, kept, &played.entry, test);
            cases.extend(case.map(|case| (index, case)));
            // The coverage of tests that fail is not measured.
            if kept.findings.is_empty() {
                beside.extend(&test.before);
                let observers = test.observations.iter();
                beside.extend(observers.flat_map(|observed| &observed.edges));
            }
        }
        JavaMethodTests {
            is_called: true,
            cases,
            beside,
            validity: Vec::new(),
            unwritten: Vec::new(),
        }
    }

    /// A test that is kept as a test case; none for runs that no test can repeat.
    fn sequence_case(
        &self,
        found: &Found,
        target: &TargetMethod,
        suite: &Suite,
        kept: &Kept,
        entry: &TestEntry,
        test: &SequenceTest,
    ) -> Option<TestCase> {
        let sequence = &test.sequence;
        let mut certain = test.observations.clone();
        let mut vague = vague_among(&suite.subject, entry, suite.test(kept), |conditions| {
            let played = replay(found, &suite.subject, sequence, conditions)?;
            certain.retain(|known| played.observations.contains(known));
            Some(played.run)
        })?;
        settle_result(suite.test(kept), &mut vague);
        let mut case = case_with(&self.program.world, target, suite, kept, entry, vague)?;
        let observers = certain.iter().filter_map(|observed| {
            let observer = found.observers.get(observed.observer)?;
            Some((observer.clone(), observed))
        });
        let predicate = found.predicate.as_ref();
        let predicate = predicate.and_then(|one| observers::as_method(&target.class, one));
        let breaks = matches!(
            suite.test(kept).run.invariant,
            Some(Verification::Violated(_))
        );
        let broken = predicate.filter(|_| breaks);
        let is_broken =
            |one: &TargetMethod| (broken.as_ref()).is_some_and(|broken| same_method(broken, one));
        // What the call under test has just said need not be said again.
        let observers = observers
            .filter(|(observer, _)| !same_method(observer, target) && !is_broken(observer))
            .map(|(observer, observed)| (observer, observed.value))
            .collect();
        let mut written = found.java_type.written(sequence, observers)?;
        written.broken = broken;
        case.sequence = Some(written);
        Some(case)
    }
}

/// A result whose contents vary varies itself: nothing else about it is asserted.
pub fn settle_result(test: &Test, vague: &mut BTreeMap<AssertedLocation, Vagueness>) {
    let Some(Value::Ref(result)) = test.run.result else {
        return;
    };
    let fields = test
        .run
        .heap
        .cells
        .get(&result)
        .map(|cell| &cell.fields[..]);
    let inside = fields
        .into_iter()
        .flatten()
        .filter_map(|field| match field {
            Value::Ref(loc) => Some(*loc),
            _ => None,
        });
    let parts: BTreeSet<Loc> = inside.chain([result]).collect();
    let varies = vague.iter().any(|(place, vagueness)| {
        let is_part = matches!(place, AssertedLocation::Field(loc, _) if parts.contains(loc));
        is_part && *vagueness == Vagueness::Varies
    });
    if varies {
        vague.insert(AssertedLocation::Result, Vagueness::Varies);
    }
}

/// Plays a sequence once more. Under other conditions than the usual ones it is not the first.
fn replay(
    found: &Found,
    subject: &Subject,
    sequence: &Sequence,
    conditions: Conditions,
) -> Option<Replayed> {
    let played = play(
        subject,
        &found.java_type.data_type,
        sequence,
        &found.functions,
        found.bounds.budgets,
        conditions.clone(),
        conditions.seed.unwrap_or(0),
    );
    played.ok().flatten()
}

/// A call after which a predicate such as `repOk` is false has broken something; its name tells more
/// than what it is.
pub(crate) fn name_predicate(report: &mut Report, predicate: &str) {
    for test in &mut report.tests {
        if let Some(Verification::Violated(Violation::Predicate { name, .. })) =
            &mut test.run.invariant
        {
            *name = Some(predicate.to_owned());
        }
    }
}
