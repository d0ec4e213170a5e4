//! What gcov measures: jumps of gcc's code by line, which are not always the conditions of the source.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// Jumps of a line that were taken, and all of them.
pub(crate) type Jumps = BTreeMap<u32, (u32, u32)>;

/// Reads what the runs of a program that was built in a folder have left there. Empty if gcov does
/// not say anything.
pub(crate) fn measure(folder: &Path, source: &Path) -> Jumps {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut counters = entries.map(|entry| entry.path());
    let counters = counters.find(|file| file.extension().is_some_and(|ending| ending == "gcda"));
    let Some(counters) = counters else {
        return Jumps::new();
    };
    let output = Command::new("gcov")
        .args(["--branch-probabilities", "--json-format", "--stdout"])
        .arg(counters)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output();
    let Ok(output) = output else {
        return Jumps::new();
    };
    let document = serde_json::from_slice(&output.stdout).unwrap_or_default();
    jumps(&document, source)
}

/// The jumps in the lines of a file. The document knows files by the names that the compiler was
/// given; the last part of the name is enough, since one file is tested at a time.
fn jumps(document: &Value, source: &Path) -> Jumps {
    let files = document.get("files").and_then(Value::as_array);
    let mut found = Jumps::new();
    for file in files.into_iter().flatten() {
        let name = file.get("file").and_then(Value::as_str).unwrap_or_default();
        if Path::new(name).file_name() != source.file_name() {
            continue;
        }
        let lines = file.get("lines").and_then(Value::as_array);
        for line in lines.into_iter().flatten() {
            let number = line.get("line_number").and_then(Value::as_u64);
            let branches = line.get("branches").and_then(Value::as_array);
            let (Some(number), Some(branches)) = (number, branches) else {
                continue;
            };
            let count = |branch: &Value| branch.get("count").and_then(Value::as_u64);
            let taken = branches
                .iter()
                .filter(|branch| count(branch) > Some(0))
                .count();
            let known = found.entry(number as u32).or_default();
            known.0 += taken as u32;
            known.1 += branches.len() as u32;
        }
    }
    found.retain(|_, known| known.1 > 0);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_are_counted_by_line() {
        let text = r#"{"files": [
            {"file": "src/a.c", "lines": [
                {"line_number": 3, "branches": [{"count": 2}, {"count": 0}]},
                {"line_number": 4, "branches": []},
                {"line_number": 3, "branches": [{"count": 1}, {"count": 1}]}]},
            {"file": "b.h", "lines": [{"line_number": 1, "branches": [{"count": 1}]}]}]}"#;
        let document = serde_json::from_str(text).unwrap();
        let expected = Jumps::from([(3, (3, 4))]);
        assert_eq!(jumps(&document, Path::new("src/a.c")), expected);
    }
}
