//! `run --test`: one test of a report once more.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::{Arguments, execute, print, print_leaks, read_input, sorts};
use crate::failure::{CommandStatus, Failure, read};
use crate::frontends::{
    Loaded, SpecificationChoice, differences, procedure_named, recorded_report, recorded_test,
};
use crate::host::Terminal;
use crate::usage::UsageError;
use heapwright_testgen::json;

/// Runs REPORT.json#NAME and compares the run with the report.
pub fn run(
    arguments: &Arguments,
    test: &str,
    out: &mut dyn Write,
) -> Result<CommandStatus, Failure> {
    let Some((path, name)) = test.rsplit_once('#') else {
        return Err(UsageError::WhichTest(test.to_owned()).into());
    };
    let path = Path::new(path);
    let report = recorded_report(&read(path)?).map_err(|error| Failure::input(path, error))?;
    let (procedure, recorded) =
        recorded_test(&report, name).map_err(|error| Failure::input(path, error))?;
    let specification = match report["specification"].as_str() {
        Some(file) => SpecificationChoice::File(PathBuf::from(file)),
        None => SpecificationChoice::None,
    };
    crate::project::trust_beside(&arguments.file);
    let loaded = Loaded::read(&arguments.file, &specification, &Terminal)?;
    let function = procedure_named(&loaded.read.program, procedure)?;
    let subject = loaded.subject(function)?;
    let program = &subject.program;
    let input = read_input(program, &sorts(&subject), &recorded["input"], path)?;
    let steps = report["options"]["steps"].as_u64();
    let run = execute(arguments, &subject, &input, arguments.budgets(steps))?;
    print(arguments, &subject, &run, out)?;
    print_leaks(&run, out)?;
    let differences = differences(&subject, &input, recorded, &run)
        .map_err(|error| Failure::input(path, error))?;
    if !differences.is_empty() {
        writeln!(out, "differs from {}:", path.display())?;
        for difference in differences {
            writeln!(out, "  {difference}")?;
        }
        return Ok(CommandStatus::Refuted);
    }
    let same_path = recorded["path"].as_array() == Some(&json::path(program, &run.lines));
    let way = if same_path { "" } else { ", by another path" };
    writeln!(out, "as recorded in {}{way}", path.display())?;
    Ok(CommandStatus::Decided)
}
