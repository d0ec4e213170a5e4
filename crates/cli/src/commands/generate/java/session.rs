//! What is known while one method after the other is tested, and what is kept about each.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use heapwright_engine::coverage::NoCode;
use heapwright_engine::{Place, Report, Subject};
use heapwright_ir::FunctionId;
use heapwright_ir::machine::Edge;
use heapwright_java::emit::TestCase;
use heapwright_java::target::TargetMethod;

use super::super::{Arguments, Contradictions, Naming, Selection, Suite, Taken, files, text};
use super::early::Early;
use super::targets::Targets;
use super::{output, signature};
use crate::failure::Failure;
use crate::java::JavaProgram;

/// What was found for one method.
pub struct Method {
    /// The method.
    pub target: TargetMethod,
    /// Its tests.
    pub suite: Suite,
    /// The tests that can be written out, with their positions in the suite.
    pub cases: Vec<(usize, TestCase)>,
    /// The function of the method, which need not be what was run.
    pub function: FunctionId,
    /// Branches that the tests take beside the calls under test.
    pub beside: BTreeSet<Edge>,
    /// Calls of the predicate on the inputs, to be verified.
    pub validity: Vec<TestCase>,
}

/// What a search found for one method.
pub struct Searched {
    /// What was explored.
    pub subject: Arc<Subject>,
    /// What came of it.
    pub report: Report,
    /// The function of the method.
    pub function: FunctionId,
    /// Whether every heap is a valid input, because nothing says which heaps are.
    pub any_heap: bool,
}

/// What is known while one method after the other is tested.
pub struct Session<'a> {
    /// The command line.
    pub arguments: &'a Arguments,
    /// What the names of test classes have in them.
    pub infix: String,
    /// The program under test.
    pub program: JavaProgram,
    /// What it needs.
    pub class_path: Vec<PathBuf>,
    /// What was found until now.
    pub methods: Vec<Method>,
    /// What keeps methods from being tested. The others are tested all the same.
    pub complaints: Vec<String>,
    /// What is wrong with specifications.
    pub contradictions: Contradictions,
    /// The tests that Java cannot express, with the reason.
    pub unwritten: Vec<String>,
    /// What is known about the line to be reached from methods that do not have it.
    pub elsewhere: Option<NoCode>,
    /// The file with the contracts, if there is one.
    pub specification: Option<PathBuf>,
    /// Whether the line to be reached is.
    pub reached: bool,
    /// What was written before the end.
    pub early: Early,
    /// The names that tests have.
    names: Taken,
}

impl<'a> Session<'a> {
    /// Nothing is found yet.
    pub fn new(
        arguments: &'a Arguments,
        program: JavaProgram,
        class_path: Vec<PathBuf>,
        targets: &Targets,
    ) -> Session<'a> {
        Session {
            arguments,
            infix: output::infix(arguments, &targets.tested),
            program,
            class_path,
            methods: Vec::new(),
            complaints: targets.complaints.clone(),
            contradictions: Contradictions::default(),
            unwritten: targets.unusable.clone(),
            elsewhere: None,
            specification: None,
            reached: false,
            early: Early::beginning(Instant::now(), !arguments.has_old_reports()),
            names: Taken::default(),
        }
    }

    /// All that keeps methods from being tested.
    pub fn all_complaints(&self) -> Vec<String> {
        let complaints = self.complaints.iter().cloned();
        complaints.chain(self.contradictions.complaints()).collect()
    }

    /// Chooses the tests of a method, and shows them.
    pub fn present(
        &mut self,
        target: &TargetMethod,
        found: Searched,
        place: Option<&Place>,
        out: &mut dyn Write,
    ) -> Result<Suite, Failure> {
        let arguments = self.arguments;
        let selection = Selection {
            naming: Naming::Camel {
                prefix: signature::prefix(target),
            },
            title: Some(signature::title(target, &found.subject)),
            function: Some(found.function),
            any_heap: Some(found.any_heap),
            ..Selection::new(arguments.keep, place, arguments.options(None).budgets)
        };
        let suite = Suite::new(found.subject, found.report, &selection, &mut self.names);
        if !arguments.json_on_standard_output() {
            if !self.methods.is_empty() && !arguments.quiet {
                writeln!(out)?;
            }
            text::print(&suite, place, arguments.amount(), out)?;
            out.flush()?;
        }
        self.draw(&suite)?;
        Ok(suite)
    }

    /// Draws the inputs, if somebody wants to have pictures.
    fn draw(&self, suite: &Suite) -> Result<(), Failure> {
        if let Some(folder) = &self.arguments.svg {
            files::draw(suite, folder, "svg", heapwright_report::svg)?;
        }
        if let Some(folder) = &self.arguments.dot {
            files::draw(suite, folder, "dot", heapwright_report::dot)?;
        }
        Ok(())
    }

    /// Keeps a method with those of its tests that Java can express. Others leave these alone.
    pub fn keep(&mut self, mut method: Method) {
        let mut written = Vec::new();
        for (index, case) in method.cases {
            let junit = self.arguments.java.junit;
            match output::try_alone(&self.program.world, &method.target, &case, junit) {
                Ok(()) => written.push((index, case)),
                Err(error) => self.unwritten.push(format!("{}: {error}", case.name)),
            }
        }
        method.cases = written;
        for known in &mut self.methods {
            known.suite.share(&method.suite.subject.program);
        }
        self.methods.push(method);
    }
}
