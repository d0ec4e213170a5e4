//! `--mode sequences`: tests that are plain sequences of calls.

mod observers;
mod options;
mod search;
mod via_api;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::sync::Arc;

use super::super::suite::{Kept, Suite};
use super::cases::case_with;
use super::session::{Method, Searched, Session};
use super::variation::vague_among;
use crate::failure::Failure;
use crate::interruption;
use crate::java::sequences::same_method;
use heapwright_engine::oracle::RETURNS_FALSE;
use heapwright_engine::sequences::{Played, Sequence, SequenceTest, play, report};
use heapwright_engine::{Conditions, Report, Subject, Test, Verification};
use heapwright_java::classfile::Class;
use heapwright_java::emit::{Place, TestCase, Vagueness};
use heapwright_java::target::TargetMethod;
use heapwright_java::world::{Predicate, TestEntry};
use heapwright_logic::{Loc, Value};

pub use options::SequenceArguments;
use search::Found;

impl Session<'_> {
    /// Searches for tests of methods, those of a class together.
    pub fn generate_sequences(
        &mut self,
        targets: &[TargetMethod],
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let mut rest: Vec<&TargetMethod> = targets.iter().collect();
        while let Some(first) = rest.first() {
            let class = Arc::clone(&first.class);
            let (own, others): (Vec<_>, Vec<_>) =
                (rest.into_iter()).partition(|target| target.class.name == class.name);
            rest = others;
            let own: Vec<TargetMethod> = own.into_iter().cloned().collect();
            match self.class(&class, &own, out) {
                // One class that has no sequences leaves the others alone.
                Err(Failure::Unfit(reason)) => {
                    self.complaints.push(format!("{}: {reason}", class.name));
                }
                result => result?,
            }
            if interruption::is_interrupted() {
                break;
            }
            self.write_early()?;
        }
        Ok(())
    }

    /// Searches for tests of methods of a class.
    fn class(
        &mut self,
        class: &Arc<Class>,
        targets: &[TargetMethod],
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
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
        if tested.is_empty() {
            return Err(Failure::Unfit(
                "there is no method of objects that a test could call; sequences have no calls of \
                 constructors, static and private methods as their last"
                    .to_owned(),
            ));
        }
        let found = self.search(class, &tested)?;
        for target in &tested {
            self.operation(&found, target, out)?;
        }
        Ok(())
    }

    /// The tests of one method.
    fn operation(
        &mut self,
        found: &Found,
        target: &TargetMethod,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let Some(operation) = found.java_type.operation(target) else {
            return Ok(());
        };
        let explored = self.program.subject(target)?;
        self.specification = explored.specification.clone().or(self.specification.take());
        let (subject, entry) = (explored.subject, explored.entry);
        let data_type = &found.java_type.data_type;
        let (mut report, sequences) = report(
            &subject,
            data_type,
            &found.exploration,
            operation,
            &found.functions,
            &found.bounds,
        );
        if let Some(predicate) = &found.predicate {
            name_predicate(&mut report, predicate);
        }
        let searched = Searched {
            subject: Arc::clone(&subject),
            report,
            function: entry.method,
            any_heap: false,
        };
        let suite = self.present(target, searched, None, out)?;
        let mut cases = Vec::new();
        let mut beside = BTreeSet::new();
        for (index, kept) in suite.tests.iter().enumerate() {
            let Some(test) = sequences.get(kept.index) else {
                continue;
            };
            let case = self.sequence_case(found, target, &suite, kept, &entry, test);
            cases.extend(case.map(|case| (index, case)));
            // The coverage of tests that fail is not measured.
            if kept.findings.is_empty() {
                beside.extend(&test.before);
                let observers = test.observations.iter();
                beside.extend(observers.flat_map(|observed| &observed.edges));
            }
        }
        self.keep(Method {
            target: target.clone(),
            suite,
            cases,
            function: entry.method,
            beside,
            validity: Vec::new(),
        });
        Ok(())
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
pub fn settle_result(test: &Test, vague: &mut BTreeMap<Place, Vagueness>) {
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
        let is_part = matches!(place, Place::Field(loc, _) if parts.contains(loc));
        is_part && *vagueness == Vagueness::Varies
    });
    if varies {
        vague.insert(Place::Result, Vagueness::Varies);
    }
}

/// Plays a sequence once more. Under other conditions than the usual ones it is not the first.
fn replay(
    found: &Found,
    subject: &Subject,
    sequence: &Sequence,
    conditions: Conditions,
) -> Option<Played> {
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
fn name_predicate(report: &mut Report, predicate: &Predicate) {
    let name = &predicate.declared.method.name;
    for test in &mut report.tests {
        if let Some(Verification::Violated(reason)) = &mut test.run.invariant
            && let Some(place) = reason.strip_prefix(RETURNS_FALSE)
        {
            let returns = match place {
                "" => String::new(),
                place => format!(": it returns{place}"),
            };
            *reason = format!("{name}() is false after the call{returns}");
        }
    }
}
