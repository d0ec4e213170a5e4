//! The search for tests of one method, by exploring its paths.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use heapwright_engine::{ExploreError, Mode, Options, StopReason};
use heapwright_ir::machine::Budgets;
use heapwright_java::target::TargetMethod;
use heapwright_java::world::TestEntry;

use super::super::{ProgressLine, Suite, nearer};
use super::cases::test_case;
use super::session::{Method, Searched, Session};
use super::validity::validity_cases;
use crate::failure::Failure;
use crate::interruption::watched_interrupt;
use crate::java::Explored;

/// What to do about a predicate that is missing.
const NAME_ONE: &str = "give the class a method `boolean repOk()`, or name one with --repok";

impl Session<'_> {
    /// Searches for tests of a method, shows them and keeps them. What is wrong with the method is
    /// kept as well.
    pub fn generate(&mut self, target: &TargetMethod, out: &mut dyn Write) -> Result<(), Failure> {
        let arguments = self.arguments;
        let place = match &arguments.search.reach {
            Some(text) => match self.program.place(target, text)? {
                Some(place) => Some(place),
                None => return Ok(()),
            },
            None => None,
        };
        let options = Options {
            interrupt: watched_interrupt(arguments.options(None).bounds.memory),
            ..arguments.options(place.clone())
        };
        let Some(explored) = self.explore(target, &options)? else {
            return Ok(());
        };
        let Explored {
            subject,
            report,
            entry,
            specification,
        } = explored;
        let by_predicate = matches!(options.mode, Mode::Blackbox | Mode::Whitebox);
        let found = Searched {
            subject,
            report,
            function: entry.method,
            any_heap: !by_predicate && !self.program.is_specified(target)?,
        };
        let suite = self.present(target, found, place.as_ref(), out)?;
        let file = specification.as_deref();
        let check = self.check_command(file, target);
        self.contradictions.examine(file, check, &suite);
        self.reached = place.is_some() && !suite.tests.is_empty();
        let method = self.method(target, suite, &entry, options.budgets)?;
        self.keep(method);
        Ok(())
    }

    /// Explores a method. Nothing if that cannot be done, which leaves the other methods alone.
    fn explore(
        &mut self,
        target: &TargetMethod,
        options: &Options,
    ) -> Result<Option<Explored>, Failure> {
        let name = format!("{}#{}", target.class.name, target.declared.method.name);
        let mut line = ProgressLine::new(&name, options.bounds.time, self.arguments.quiet);
        let explored =
            (self.program).explore(target, options, &mut |progress| line.update(progress));
        line.clear();
        let explored = match explored {
            Ok(Ok(explored)) => explored,
            Ok(Err(error @ ExploreError::NoPredicate)) => {
                let advice = self.program.world.unusable_predicate(&target.class);
                let advice = advice.as_deref().unwrap_or(NAME_ONE);
                self.complaints.push(format!("{name}: {error}; {advice}"));
                return Ok(None);
            }
            Ok(Err(ExploreError::NoCode(here))) => {
                self.elsewhere = Some(nearer(self.elsewhere.take(), here));
                return Ok(None);
            }
            Err(Failure::Unfit(reason)) => {
                self.complaints.push(format!("{name}: {reason}"));
                return Ok(None);
            }
            Err(failure) => return Err(failure),
        };
        self.specification = explored.specification.clone().or(self.specification.take());
        if explored.report.stop == StopReason::Unsatisfiable {
            let file = explored.specification.as_deref();
            let check = self.check_command(file, target);
            (self.contradictions).add(file, check, &name, &explored.subject);
            return Ok(None);
        }
        Ok(Some(explored))
    }

    /// A method with its tests as test cases.
    fn method(
        &mut self,
        target: &TargetMethod,
        mut suite: Suite,
        entry: &TestEntry,
        budgets: Budgets,
    ) -> Result<Method, Failure> {
        let java = &self.arguments.java;
        let predicate = self.program.predicate(&target.class)?;
        let mut cases = Vec::new();
        let mut beside = BTreeSet::new();
        for (index, kept) in suite.tests.clone().iter().enumerate() {
            if java.sequences.via_api
                && let Some((case, edges)) = self.via_api(target, &mut suite, kept, entry)?
            {
                beside.extend(edges);
                cases.push((index, case));
                continue;
            }
            let world = &self.program.world;
            let predicate = predicate.as_ref();
            let case = test_case(world, target, &suite, kept, entry, predicate, budgets);
            cases.extend(case.map(|case| (index, case)));
        }
        let validity = match &predicate {
            Some(predicate) if java.verify => {
                let found = (&*suite.subject, &suite.report.tests[..]);
                validity_cases(&mut self.program.world, target, predicate, found, entry)?
            }
            _ => Vec::new(),
        };
        Ok(Method {
            target: target.clone(),
            suite,
            cases,
            function: entry.method,
            beside,
            validity,
        })
    }

    /// The command that looks for mistakes in the specification of a method, if it is in a file.
    fn check_command(&self, file: Option<&Path>, target: &TargetMethod) -> Option<String> {
        let file = file.filter(|file| file.is_file())?;
        let path = std::env::join_paths(&self.class_path).ok()?;
        Some(format!(
            "heapwright check {} --class {} -c {}",
            file.display(),
            target.class.name,
            path.to_string_lossy()
        ))
    }
}
