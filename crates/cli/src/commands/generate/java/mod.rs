//! `generate` for Java: class files in, JUnit tests out.

mod cases;
mod compilation;
mod document;
mod early;
mod ending;
mod failures;
mod hints;
mod options;
mod output;
mod reports;
mod search;
mod sequences;
mod session;
mod signature;
mod targets;
pub mod validity;
mod variation;
mod verification;

use std::io::Write;
use std::path::Path;

use heapwright_engine::Mode;

use super::Arguments;
use crate::failure::{Failure, Outcome};
use crate::interruption;
use crate::java::JavaProgram;

use session::Session;
use targets::Targets;

pub use cases::{Given, test_case};
pub use options::{ClassPathArguments, JavaArguments};
pub use session::Method;

/// Whether a target is one for this front end: everything that is no file of another language.
pub fn is_java(target: &str) -> bool {
    let file = Path::new(target.split('#').next().unwrap_or(target));
    let ending = file.extension().and_then(|ending| ending.to_str());
    match ending {
        Some("impl") => false,
        // What to write instead is said when the target is read.
        Some("java" | "class") => true,
        _ => !file.is_file(),
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let java = &arguments.java;
    let class_path = java.class_path.class_path();
    let specifications = java.specifications(&arguments.specification, &class_path);
    let program = JavaProgram::open(java.class_path.jdk.as_deref(), &class_path, specifications)?;
    if java.verify {
        // What keeps tests from being verified is told before anything is searched for.
        verification::toolchain(&program, java)?;
    }
    let mut program = (program.with_sources(java.sources())).with_predicate(java.repok.clone());
    let targets = Targets::choose(arguments, &mut program)?;
    let mut session = Session::new(arguments, program, class_path, &targets);
    if arguments.search.mode == Mode::Sequences {
        if arguments.search.reach.is_some() {
            let objection = "--reach is not for --mode sequences, which covers whole classes";
            return Err(Failure::Unfit(objection.to_owned()));
        }
        session.generate_sequences(&targets.tested, out)?;
        return session.finish(out);
    }
    for target in &targets.tested {
        session.generate(target, out)?;
        if session.reached || interruption::is_interrupted() {
            break;
        }
        session.write_early()?;
    }
    session.finish(out)
}
