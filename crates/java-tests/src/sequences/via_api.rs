//! `--via-api`: inputs of other modes, built by public calls.

use std::collections::BTreeSet;

use heapwright_engine::sequences::{Played, SequenceBounds, play};
use heapwright_engine::{Conditions, Run, Test};
use heapwright_ir::machine::Edge;
use heapwright_java::emit::{CallSequence, TestCase};
use heapwright_java::target::TargetMethod;
use heapwright_java::world::TestEntry;

use super::{observers, settle_result};
use crate::cases::{case_with, invariant};
use crate::frontend::JavaTests;
use crate::variation::vague_among;
use heapwright_testgen::Error;
use heapwright_testgen::{Kept, Request, Suite};

/// How many calls are tried for one input, with few values and again with all of them.
const CALLS: u64 = 25_000;

/// How many states are looked at for one input.
const STATES: u64 = 5_000;

impl JavaTests {
    /// A test whose input is built by calls; nothing if none are found, or if they lead elsewhere.
    /// Also the branches that the test takes beside the call under test.
    ///
    /// The test in the suite becomes the one that the calls make: what does not count for matching
    /// states may be different there.
    pub fn via_api(
        &mut self,
        target: &TargetMethod,
        suite: &mut Suite,
        kept: &Kept,
        entry: &TestEntry,
        request: &Request,
    ) -> Result<Option<(TestCase, BTreeSet<Edge>)>, Error> {
        let access = target.declared.method.access;
        let is_called = access.is_public() && !access.is_static();
        let is_plain = entry.statics.is_empty() && entry.enums.is_empty();
        if !is_called || !is_plain || target.declared.method.is_constructor() {
            return Ok(None);
        }
        let Test { input, run, .. } = suite.test(kept).clone();
        let options = &request.options;
        let budgets = options.budgets;
        let bounds = SequenceBounds {
            states: STATES,
            calls: CALLS,
            time: options.bounds.time,
            budgets,
            interrupt: options.interrupt.clone(),
            ..SequenceBounds::default()
        };
        let ignored = request.sequences.ignored.clone();
        let (arguments, heap) = (&input.arguments, &input.heap);
        let found = (self.program).construct(target, arguments, heap, ignored, &bounds)?;
        let Some((java_type, sequence)) = found else {
            return Ok(None);
        };
        let path = self.program.world.class_path();
        let observers = observers::of(path, &target.class, None);
        let observers = observers.map_err(Error::code)?;
        let world = &mut self.program.world;
        let functions: Vec<_> = (observers.iter())
            .map(|one| world.loaded(&one.declared))
            .collect();
        let subject = self.program.subject(target)?.subject;
        let data_type = &java_type.data_type;
        let replay = |conditions: Conditions| {
            let repetitions = conditions.seed.unwrap_or(0);
            let played = play(
                &subject,
                data_type,
                &sequence,
                &functions,
                budgets,
                conditions,
                repetitions,
            );
            played.ok().flatten()
        };
        let Some(played) = replay(Conditions::default()) else {
            return Ok(None);
        };
        let Played {
            input,
            run: repeated,
            mut observations,
            before,
        } = played;
        // The calls make the same heap, so the run is the same; if not, the fields are safer. What
        // initialises classes may be done by now.
        let counted: BTreeSet<Edge> = (suite.report.branches.iter())
            .map(|branch| branch.edge)
            .collect();
        let path = |run: &Run| -> Vec<Edge> {
            let trail = run.trail.iter().copied();
            trail.filter(|edge| counted.contains(edge)).collect()
        };
        if repeated.outcome != run.outcome || path(&repeated) != path(&run) {
            return Ok(None);
        }
        let Some(test) = suite.report.tests.get_mut(kept.index) else {
            return Ok(None);
        };
        test.input.arguments = input.arguments;
        test.input.heap = input.heap;
        test.input.witness = None;
        test.run.result = repeated.result;
        test.run.exception = repeated.exception;
        test.run.parameters = repeated.parameters;
        test.run.globals = repeated.globals;
        test.run.heap = repeated.heap;
        test.run.global_objects = repeated.global_objects;
        let vague = vague_among(&subject, entry, suite.test(kept), |conditions| {
            let played = replay(conditions)?;
            observations.retain(|known| played.observations.contains(known));
            Some(played.run)
        });
        let Some(mut vague) = vague else {
            return Ok(None);
        };
        settle_result(suite.test(kept), &mut vague);
        let world = &self.program.world;
        let Some(mut case) = case_with(world, target, suite, kept, entry, vague) else {
            return Ok(None);
        };
        let predicate = self.program.predicate(&target.class)?;
        case.invariant = invariant(world, target, suite.test(kept), predicate.as_ref());
        let mut beside = before;
        let observed = observations.iter().filter_map(|observed| {
            let observer = observers.get(observed.observer)?;
            Some((observer.clone(), observed.value))
        });
        let in_jdk = world.class_path().jdk().contains(&target.class.name);
        let written = java_type.written(&sequence, observed.collect());
        case.sequence = written.map(|written| CallSequence {
            // The JDK lets nobody look into its classes without being told to.
            looks_inside: !in_jdk.unwrap_or(true),
            ..written
        });
        let asks = case.sequence.as_ref().is_some_and(|one| !one.looks_inside);
        for observed in observations.iter().filter(|_| asks) {
            beside.extend(&observed.edges);
        }
        case.comments
            .push("The input is built by public calls.".to_owned());
        Ok(case.sequence.is_some().then_some((case, beside)))
    }
}
