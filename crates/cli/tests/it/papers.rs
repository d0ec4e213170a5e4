//! `bench papers`: every branch of every subject is covered, in both modes.

use crate::common::heapwright;
use serde_json::Value as Json;

/// Seconds for a method, more than enough on the slowest machine.
const SECONDS: &str = "600";

#[test]
fn every_branch_of_the_subjects_is_covered() {
    let run = heapwright(&["bench", "papers", "--json", "--time", SECONDS]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let document: Json = serde_json::from_str(&run.stdout).expect("JSON");
    let rows = document["rows"].as_array().expect("rows");
    for row in rows {
        let name = format!("{} in {} mode", row["subject"], row["mode"]);
        assert_eq!(row["covered"], row["branches"], "{name}");
        assert_eq!(row["invalid"], 0, "{name}");
        assert_eq!(row["divergences"], 0, "{name}");
    }
    // Twelve subjects in two modes.
    assert_eq!(rows.len(), 24);
}
