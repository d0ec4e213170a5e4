//! The postcondition that a test of a finding is about.

use std::io::Write;
use std::path::PathBuf;

use heapwright_engine::Verification;
use serde_json::Value as Json;

use super::{Arguments, execute, read_input, sorts};
use crate::failure::{CommandStatus, Failure};
use crate::frontends::{
    ImplTarget, Loaded, RecordError, SpecificationChoice, TestParts, procedure_named,
};
use crate::host::Terminal;

/// Runs what a test is for under its contract. `None` if the test names no postcondition.
pub fn check(
    arguments: &Arguments,
    text: &str,
    out: &mut dyn Write,
) -> Result<Option<CommandStatus>, Failure> {
    let unfit = |error: RecordError| Failure::input(&arguments.file, error);
    let Ok(parts) = TestParts::read(text) else {
        return Ok(None);
    };
    let Some(property) = parts.property else {
        return Ok(None);
    };
    let alone =
        TestParts::program_of(text).map_err(|error| Failure::input(&arguments.file, error))?;
    let file = SpecificationChoice::Named(PathBuf::from(&property.specification));
    let loaded = Loaded::of_text(&arguments.file, &alone, &file, &Terminal)?;
    let function = match (&parts.target, &loaded.read.entry) {
        (ImplTarget::Procedure(name), _) => procedure_named(&loaded.read.program, name)?,
        (ImplTarget::Main, Some(entry)) => entry.function,
        (ImplTarget::Main, None) => return Err(unfit(RecordError::NoStatements)),
    };
    let subject = loaded.subject(function)?;
    let json: Json = serde_json::from_str(&property.input)
        .map_err(|error| unfit(RecordError::InputLine(error)))?;
    let input = read_input(&subject.program, &sorts(&subject), &json, &arguments.file)?;
    let run = execute(arguments, &subject, &input, arguments.budgets(None))?;
    let specification = &property.specification;
    Ok(Some(match run.postcondition {
        Some(Verification::Holds) => {
            writeln!(
                out,
                "as expected: the postcondition in {specification} holds"
            )?;
            CommandStatus::Decided
        }
        Some(Verification::Violated(reason)) => {
            writeln!(out, "expected: the postcondition in {specification}")?;
            writeln!(out, "it does not hold: {reason}")?;
            CommandStatus::Refuted
        }
        _ => {
            writeln!(
                out,
                "the postcondition in {specification} could not be checked"
            )?;
            CommandStatus::Unknown
        }
    }))
}
