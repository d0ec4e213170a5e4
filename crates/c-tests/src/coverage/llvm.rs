//! What llvm-cov measures: branch regions of functions, with how often each way was taken.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use heapwright_testgen::{Error, VerificationError};
use serde_json::Value;

/// A place in the source: line and column.
pub(super) type Spot = (u32, u32);

/// A condition, or a label of a switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Region {
    /// Where it begins; in a macro, where the macro is used.
    pub from: Spot,
    /// Where it ends.
    pub to: Spot,
    /// Whether it was true, and whether it was false; a label is true when the switch jumps there.
    pub taken: [bool; 2],
}

impl Region {
    pub fn contains(&self, spot: Spot) -> bool {
        self.from <= spot && spot < self.to
    }

    /// How many of its two outcomes there were.
    pub fn covered(&self) -> u32 {
        self.taken.iter().map(|&taken| u32::from(taken)).sum()
    }
}

/// A function of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Measured {
    pub name: String,
    pub regions: Vec<Region>,
}

/// Merges the raw profiles of a program's runs, and reads the functions of a source file.
pub(super) fn measure(
    program: &Path,
    raw: &[PathBuf],
    folder: &Path,
    source: &Path,
) -> Result<Vec<Measured>, Error> {
    let merged = folder.join("merged.profdata");
    let mut merge = Command::new("llvm-profdata");
    merge.args(["merge", "-sparse", "-o"]).arg(&merged);
    output("llvm-profdata", merge.args(raw))?;
    let mut export = Command::new("llvm-cov");
    export.args(["export", "-format=text", "-instr-profile"]);
    let text = output("llvm-cov", export.arg(&merged).arg(program))?;
    let document: Value = serde_json::from_slice(&text).unwrap_or_default();
    Ok(functions(&document, source))
}

fn output(tool: &'static str, command: &mut Command) -> Result<Vec<u8>, Error> {
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|source| VerificationError::Start { tool, source })?;
    Ok(output.stdout)
}

/// The functions of a document whose body is in a file.
fn functions(document: &Value, source: &Path) -> Vec<Measured> {
    let list = document.pointer("/data/0/functions");
    let list = list.and_then(Value::as_array).into_iter().flatten();
    let of_source = list.filter(|function| {
        let file = function.pointer("/filenames/0").and_then(Value::as_str);
        file.is_some_and(|file| resolved(Path::new(file)) == resolved(source))
    });
    of_source.filter_map(function).collect()
}

fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Entries of `branches` are begin, end, the two counts, the file and more; those of `regions`
/// begin, end, a count, the file, the file that a macro becomes, and the kind, which is 1 for macros.
fn function(value: &Value) -> Option<Measured> {
    let name = value.get("name")?.as_str()?;
    // Static functions have their file in front.
    let name = name.rsplit(':').next().unwrap_or(name);
    let rows = |key: &str| -> Vec<Vec<u64>> {
        let rows = value
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        let rows = rows.filter_map(Value::as_array);
        rows.map(|row| row.iter().filter_map(Value::as_u64).collect())
            .collect()
    };
    let macros: Vec<Vec<u64>> = rows("regions")
        .into_iter()
        .filter(|row| row.len() >= 8 && row[7] == 1)
        .collect();
    let mut regions = Vec::new();
    for row in rows("branches").iter().filter(|row| row.len() >= 7) {
        let mut place = [row[0], row[1], row[2], row[3]];
        let mut file = row[6];
        // A macro may be used in another one; each is listed once.
        for _ in 0..=macros.len() {
            if file == 0 {
                break;
            }
            if let Some(used) = macros.iter().find(|used| used[6] == file) {
                place = [used[0], used[1], used[2], used[3]];
                file = used[5];
            }
        }
        if file == 0 {
            let [line, column, last, end] = place.map(|number| number as u32);
            regions.push(Region {
                from: (line, column),
                to: (last, end),
                taken: [row[4] > 0, row[5] > 0],
            });
        }
    }
    Some(Measured {
        name: name.to_owned(),
        regions,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_in_macros_are_where_the_macro_is_used() {
        let text = r#"{"data": [{"functions": [
            {"name": "a.c:f", "filenames": ["a.c", "a.c"],
             "branches": [[4, 9, 4, 14, 2, 0, 0, 0, 4], [2, 19, 2, 28, 0, 1, 1, 0, 4]],
             "regions": [[3, 1, 9, 2, 2, 0, 0, 0], [7, 12, 7, 15, 1, 0, 1, 1]]},
            {"name": "g", "filenames": ["b.h"], "branches": [], "regions": []}]}]}"#;
        let document = serde_json::from_str(text).unwrap();
        let expected = Measured {
            name: "f".to_owned(),
            regions: vec![
                Region {
                    from: (4, 9),
                    to: (4, 14),
                    taken: [true, false],
                },
                Region {
                    from: (7, 12),
                    to: (7, 15),
                    taken: [false, true],
                },
            ],
        };
        assert_eq!(functions(&document, Path::new("a.c")), [expected]);
    }
}
