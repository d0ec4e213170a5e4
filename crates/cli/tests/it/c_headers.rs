//! Small programs on headers that Debian has and nobody here wrote: uthash, utlist, queue.h, tree.h.

use std::path::Path;

use crate::common::heapwright;

/// The programs, each with its header and the package that has it.
const PROGRAMS: [(&str, &str, &str); 4] = [
    ("utlist_tasks", "/usr/include/utlist.h", "uthash-dev"),
    ("uthash_ages", "/usr/include/uthash.h", "uthash-dev"),
    ("queue_jobs", "/usr/include/bsd/sys/queue.h", "libbsd-dev"),
    ("tree_index", "/usr/include/bsd/sys/tree.h", "libbsd-dev"),
];

/// Whether a branch is one that the program has written, and not one of a macro of its header.
fn is_own(words: &str) -> bool {
    let condition = words.split('`').nth(1).unwrap_or(words);
    let name: String = (condition.chars())
        .take_while(|character| character.is_ascii_alphanumeric() || *character == '_')
        .collect();
    let is_macro = name.contains('_') && !name.chars().any(|known| known.is_ascii_lowercase());
    !is_macro || !condition[name.len()..].starts_with('(')
}

/// Nine of ten branches that the programs have written are covered, and nothing is wrong with them.
#[test]
fn programs_on_headers_of_others() {
    let mut wrong = Vec::new();
    for (name, header, package) in PROGRAMS {
        if !Path::new(header).exists() {
            wrong.push(format!(
                "{name}: {header} is missing; install {package} (make setup)"
            ));
            continue;
        }
        let file = format!("subjects/c/headers/{name}.c");
        let run = heapwright(&["generate", &file, "--json", "-", "--time", "20"]);
        if run.code != 0 {
            wrong.push(format!("{name}: exit code {}: {}", run.code, run.stderr));
        }
        let document: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
        let functions = document["procedures"].as_array().expect("functions");
        let (mut covered, mut all) = (0, 0);
        for function in functions {
            let branches = function["branches"].as_array().expect("branches");
            let of_function = |branch: &&serde_json::Value| {
                branch["procedure"] == function["procedure"]
                    && branch["words"].as_str().is_some_and(is_own)
            };
            for branch in branches.iter().filter(of_function) {
                all += 1;
                covered += usize::from(branch["status"] == "covered");
            }
        }
        if all == 0 || covered * 10 < all * 9 {
            wrong.push(format!("{name}: {covered} of {all} branches"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
