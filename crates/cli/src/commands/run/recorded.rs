//! `run --test`: one test of a report once more.

use std::io::Write;
use std::path::{Path, PathBuf};

use heapwright_spec::diagnostic::did_you_mean;
use serde_json::Value as Json;

use super::{Arguments, execute, print, print_leaks, read_input, sorts};
use crate::failure::{Failure, Outcome, read};
use crate::frontends::{Loaded, SpecificationChoice, differences, procedure_named};
use crate::host::Terminal;
use heapwright_testgen::json;

/// Runs REPORT.json#NAME and compares the run with the report.
pub fn run(arguments: &Arguments, test: &str, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let Some((path, name)) = test.rsplit_once('#') else {
        return Err(Failure::Unfit(format!(
            "which test of {test}? Write --test {test}#NAME"
        )));
    };
    let path = Path::new(path);
    let report = read_report(path)?;
    let (procedure, recorded) = find(&report, name).map_err(|error| unfit(path, &error))?;
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
        .map_err(|error| unfit(path, &error.to_string()))?;
    if !differences.is_empty() {
        writeln!(out, "differs from {}:", path.display())?;
        for difference in differences {
            writeln!(out, "  {difference}")?;
        }
        return Ok(Outcome::Refuted);
    }
    let same_path = recorded["path"].as_array() == Some(&json::path(program, &run.lines));
    let way = if same_path { "" } else { ", by another path" };
    writeln!(out, "as recorded in {}{way}", path.display())?;
    Ok(Outcome::Decided)
}

fn unfit(path: &Path, message: &str) -> Failure {
    Failure::Unfit(format!("{}: {message}", path.display()))
}

fn read_report(path: &Path) -> Result<Json, Failure> {
    let report: Json = serde_json::from_str(&read(path)?)
        .map_err(|error| unfit(path, &format!("not JSON: {error}")))?;
    match report["version"].as_u64() {
        Some(version) if version == u64::from(json::VERSION) => Ok(report),
        Some(version) => Err(unfit(
            path,
            &format!(
                "a report of version {version}; this program reads {}",
                json::VERSION
            ),
        )),
        None => Err(unfit(path, "not a report of `heapwright generate --json`")),
    }
}

/// The name of the procedure that a test is for, and the test.
fn find<'r>(report: &'r Json, name: &str) -> Result<(&'r str, &'r Json), String> {
    let procedures = report["procedures"].as_array();
    let mut known = Vec::new();
    for procedure in procedures.into_iter().flatten() {
        for test in procedure["tests"].as_array().into_iter().flatten() {
            let found = test["name"].as_str().unwrap_or_default();
            match procedure["procedure"].as_str() {
                Some(procedure) if found == name => return Ok((procedure, test)),
                _ => known.push(found),
            }
        }
    }
    let help = did_you_mean(name, known).map_or(String::new(), |help| format!("; {help}"));
    Err(format!("there is no test `{name}`{help}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_test_is_found_by_its_name() {
        let report = json!({ "procedures": [
            { "procedure": "f", "tests": [{ "name": "f_a" }, { "name": "f_bc" }] },
            { "procedure": "g", "tests": [{ "name": "g_a" }] },
        ] });
        let test = json!({ "name": "g_a" });
        assert_eq!(find(&report, "g_a"), Ok(("g", &test)));
        let missing = "there is no test `f_cb`; did you mean `f_bc`?";
        assert_eq!(find(&report, "f_cb"), Err(missing.to_owned()));
        assert_eq!(find(&json!(3), "x"), Err("there is no test `x`".to_owned()));
    }
}
