//! Tests that do not compile are a defect of ours; one of them must not take the others with it.
//!
//! The compiler says in which lines something is wrong. The tests around these lines are left out of a
//! copy of the sources, and the rest is tried again: the compiler finds some mistakes only when there
//! are no others any more.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use heapwright_java::verify::{Job, RunEnd, Toolchain, Verification, VerifyError, verify};

use heapwright_testgen::{Error, VerificationError, files};

/// How often the rest is tried again.
const ROUNDS: usize = 8;

/// What came of tests, and which of them were left out.
pub struct Compiled {
    /// What came of the others.
    pub verification: Verification,
    /// Tests that do not compile, with what the compiler says.
    pub left_out: Vec<String>,
}

/// Compiles and runs tests, without those that do not compile. An error if nothing can be run.
pub fn compile_and_run(toolchain: &Toolchain, job: &Job<'_>) -> Result<Compiled, Error> {
    let mut left_out = Vec::new();
    let mut sources = job.sources.to_vec();
    for round in 0..ROUNDS {
        let job = Job {
            sources: &sources,
            ..*job
        };
        let verification = verify(toolchain, &job).map_err(tools)?;
        if verification.compiled {
            return Ok(Compiled {
                verification,
                left_out,
            });
        }
        if verification.end == RunEnd::TimedOut {
            let seconds = job.timeout.as_secs();
            return Err(VerificationError::Timeout { seconds }.into());
        }
        let mistakes = mistakes(&verification.compiler_output);
        let folder = job.work.join(format!("compiling{round}"));
        let known = left_out.len();
        sources = without(&sources, &mistakes, &folder, &mut left_out)?;
        if left_out.len() == known {
            let messages = verification.compiler_output;
            return Err(VerificationError::Build { messages }.into());
        }
    }
    Err(VerificationError::ManyBuilds { left_out }.into())
}

fn tools(error: VerifyError) -> VerificationError {
    VerificationError::Tools(error.into())
}

/// A mistake in a source: the file, the line, and what is wrong.
type Mistake = (PathBuf, usize, String);

/// The mistakes that the compiler names: `ATest.java:12: error: cannot find symbol`.
fn mistakes(output: &str) -> Vec<Mistake> {
    let lines = output.lines().filter_map(|line| {
        let (place, message) = line.split_once(": error: ")?;
        let (file, number) = place.rsplit_once(':')?;
        Some((
            PathBuf::from(file),
            number.parse().ok()?,
            message.to_owned(),
        ))
    });
    lines.collect()
}

/// The sources without the tests in which something is wrong. Copies are in the folder.
fn without(
    sources: &[PathBuf],
    mistakes: &[Mistake],
    folder: &Path,
    left_out: &mut Vec<String>,
) -> Result<Vec<PathBuf>, Error> {
    let mut kept = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let own: Vec<&Mistake> = (mistakes.iter())
            .filter(|(file, ..)| file.ends_with(source) || source.ends_with(file))
            .collect();
        if own.is_empty() {
            kept.push(source.clone());
            continue;
        }
        let text = files::read(source)?;
        let (text, names) = without_tests(&text, &own);
        let class = source.file_stem().unwrap_or_default().to_string_lossy();
        left_out.extend(names.iter().map(|name| format!("{class}#{name}")));
        let folder = folder.join(index.to_string());
        files::create_folder(&folder)?;
        let copy = folder.join(source.file_name().unwrap_or_default());
        files::write(&copy, &text)?;
        kept.push(copy);
    }
    Ok(kept)
}

/// A source without the tests around some lines, and the names of these with what is wrong. Lines keep
/// their numbers.
fn without_tests(text: &str, mistakes: &[&Mistake]) -> (String, Vec<String>) {
    let lines: Vec<&str> = text.lines().collect();
    let mut removed: BTreeSet<usize> = BTreeSet::new();
    let mut names = Vec::new();
    for (_, number, message) in mistakes {
        let line = number.saturating_sub(1);
        if removed.contains(&line) {
            continue;
        }
        let Some((begin, end, name)) = test_around(&lines, line) else {
            continue;
        };
        removed.extend(begin..=end);
        names.push(format!("{name}: {message}"));
    }
    let rest = lines.iter().enumerate().map(|(index, line)| {
        let line = if removed.contains(&index) { "" } else { line };
        format!("{line}\n")
    });
    (rest.collect(), names)
}

/// The first and the last line of the test around a line, and its name. Members of a test class have
/// four spaces before them, what is inside of them has more.
fn test_around(lines: &[&str], line: usize) -> Option<(usize, usize, String)> {
    let is_member = |line: &str| line.starts_with("    ") && !line.starts_with("     ");
    let above = lines.get(..=line)?;
    let start = above
        .iter()
        .rposition(|line| is_member(line) && *line != "    }")?;
    // The compiler may point to the annotation.
    let header = (start..lines.len()).find(|&index| {
        let line = lines.get(index).copied().unwrap_or_default();
        !line.trim_start().starts_with(['@', '/', '*'])
    })?;
    let declaration = lines.get(header)?.trim().trim_start_matches("public ");
    let (name, _) = declaration.strip_prefix("void ")?.split_once("()")?;
    let below = lines.get(header..)?;
    let end = header + below.iter().position(|line| *line == "    }")?;
    let before = lines.get(..header)?;
    let annotation = before
        .iter()
        .rposition(|line| line.starts_with("    @Test"))?;
    (line <= end).then(|| (annotation, end, name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "class ATest {
    // Covers x.
    @Test
    void good() {
        a();
    }

    @Test
    void bad() throws Throwable {
        b();
    }

    private static void helper() {
        c();
    }
}
";

    #[test]
    fn the_test_around_a_mistake_is_left_out_alone() {
        let output = "/tmp/ATest.java:9: error: cannot find symbol\n        b();\n1 error\n";
        let mistakes = mistakes(output);
        assert_eq!(mistakes.len(), 1);
        let own: Vec<&Mistake> = mistakes.iter().collect();
        let (text, names) = without_tests(SOURCE, &own);
        assert_eq!(names, ["bad: cannot find symbol"]);
        assert!(text.contains("good") && !text.contains("bad"), "{text}");
        assert_eq!(text.lines().count(), SOURCE.lines().count());
    }

    #[test]
    fn mistakes_outside_of_tests_blame_nobody() {
        for line in [1, 12, 14, 99] {
            let mistake = (PathBuf::from("ATest.java"), line, "no".to_owned());
            let (text, names) = without_tests(SOURCE, &[&mistake]);
            assert_eq!((text.as_str(), names.len()), (SOURCE, 0), "{line}");
        }
    }
}
