//! Findings as SARIF 2.1.0, for build servers and editors.

use std::fmt::Write;

use serde_json::{Value as Json, json};

/// Something that a test shows to be wrong.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Result {
    /// The kind of finding: the identifier of its rule.
    pub rule: String,
    /// The finding in words.
    pub message: String,
    /// The file, if it is known.
    pub file: Option<String>,
    /// The line from 1; 0 if it is not known.
    pub line: u32,
    /// The column from 1; 0 if it is not known.
    pub column: u32,
    /// The method under test.
    pub method: String,
    /// The test that shows it.
    pub test: String,
    /// The input of the test in one line.
    pub input: String,
    /// Whether it is no more than a note: the input is an arbitrary one.
    pub is_note: bool,
}

/// A rule with what it means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Its identifier.
    pub id: &'static str,
    /// A name in words.
    pub name: &'static str,
    /// What it means.
    pub description: &'static str,
}

/// Writes the log of one run. `version` is that of the tool.
pub fn sarif(version: &str, rules: &[Rule], results: &[Result]) -> String {
    let rules_json = rules.iter().map(|rule| {
        json!({
            "id": rule.id,
            "name": rule.name,
            "shortDescription": { "text": rule.description },
            "defaultConfiguration": { "level": "error" },
        })
    });
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Heapwright",
                "version": version,
                "rules": rules_json.collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": results.iter().map(|known| result(known, rules)).collect::<Vec<_>>(),
        }],
    });
    format!("{log:#}\n")
}

fn result(result: &Result, rules: &[Rule]) -> Json {
    let mut location = json!({
        "logicalLocations": [{ "fullyQualifiedName": result.method, "kind": "function" }],
    });
    if let Some(file) = &result.file {
        location["physicalLocation"] = json!({ "artifactLocation": { "uri": uri(file) } });
        if result.line > 0 {
            let region = &mut location["physicalLocation"]["region"];
            region["startLine"] = result.line.into();
            if result.column > 0 {
                region["startColumn"] = result.column.into();
            }
        }
    }
    let text = format!(
        "{} (test {}: {})",
        result.message, result.test, result.input
    );
    let mut json = json!({
        "ruleId": result.rule,
        "level": if result.is_note { "note" } else { "error" },
        "message": { "text": text },
        "locations": [location],
        "partialFingerprints": { "test/v1": result.test },
    });
    if let Some(index) = rules.iter().position(|rule| rule.id == result.rule) {
        json["ruleIndex"] = index.into();
    }
    json
}

/// A path as a URI: bytes that mean something else there are written as their numbers.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b'$' => {
                uri.push(char::from(byte));
            }
            b'\\' => uri.push('/'),
            other => {
                let _ = write!(uri, "%{other:02X}");
            }
        }
    }
    match uri.starts_with('/') {
        true => format!("file://{uri}"),
        false => uri,
    }
}
