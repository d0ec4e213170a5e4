//! Tests that were recorded: in reports of `generate --json`, and in the comments of tests.

use heapwright_spec::diagnostic::did_you_mean;
use heapwright_testgen::json;
use serde_json::Value as Json;

/// What is wrong with a test, its input or a report.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// It should be JSON.
    #[error("not JSON: {0}")]
    Json(serde_json::Error),
    /// The input that a test names in a comment.
    #[error("the line `//! input:` is no JSON: {0}")]
    InputLine(serde_json::Error),
    /// A parameter without a value.
    #[error("the stack has no value for {0}")]
    NoValue(String),
    /// A test of statements without any.
    #[error("there are no statements to run")]
    NoStatements,
    /// The report has no such test, and perhaps a similar one.
    #[error("there is no test `{0}`{1}")]
    NoTest(String, String),
    /// A report of another version.
    #[error("a report of version {0}; this program reads {version}", version = json::VERSION)]
    Version(u64),
    /// Some other JSON.
    #[error("not a report of `heapwright generate --json`")]
    NoReport,
}

/// A report of this version.
pub fn recorded_report(text: &str) -> Result<Json, RecordError> {
    let report: Json = serde_json::from_str(text).map_err(RecordError::Json)?;
    match report["version"].as_u64() {
        Some(version) if version == u64::from(json::VERSION) => Ok(report),
        Some(version) => Err(RecordError::Version(version)),
        None => Err(RecordError::NoReport),
    }
}

/// The name of the procedure that a test is for, and the test.
pub fn recorded_test<'r>(report: &'r Json, name: &str) -> Result<(&'r str, &'r Json), RecordError> {
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
    Err(RecordError::NoTest(name.to_owned(), help))
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
        let found = |report: &Json, name: &str| {
            let found = recorded_test(report, name).map_err(|error| error.to_string());
            found.map(|(procedure, test)| (procedure.to_owned(), test.clone()))
        };
        assert_eq!(found(&report, "g_a"), Ok(("g".to_owned(), test)));
        let missing = "there is no test `f_cb`; did you mean `f_bc`?";
        assert_eq!(found(&report, "f_cb"), Err(missing.to_owned()));
        assert_eq!(
            found(&json!(3), "x"),
            Err("there is no test `x`".to_owned())
        );
    }
}
