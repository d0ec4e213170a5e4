//! Tests compiled and run with real compilers and their sanitizers.

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use heapwright_c::CUnit;
use heapwright_testgen::{Error, Suite, VerificationError, Verified, Written};

use crate::coverage;

/// A way to build and run tests.
struct Way {
    name: &'static str,
    compiler: &'static str,
    flags: &'static [&'static str],
}

const SANITIZERS: &[&str] = &[
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
];

const WAYS: [Way; 3] = [
    Way {
        name: "gcc",
        compiler: "gcc",
        flags: &[],
    },
    Way {
        name: "gcc with its sanitizers",
        compiler: "gcc",
        flags: SANITIZERS,
    },
    Way {
        name: "clang with its sanitizers",
        compiler: "clang",
        flags: SANITIZERS,
    },
];

/// What only finds mistakes: values that nobody has set, which the other sanitizers do not see.
const MEMORY: Way = Way {
    name: "clang with its memory sanitizer",
    compiler: "clang",
    flags: &["-fsanitize=memory", "-fno-sanitize-recover=all"],
};

/// The way for llvm-cov.
const MEASURED: Way = Way {
    name: "clang with counters",
    compiler: "clang",
    flags: &["-fprofile-instr-generate", "-fcoverage-mapping"],
};

/// What it takes to measure coverage.
const TOOLS: [&str; 3] = ["clang", "llvm-profdata", "llvm-cov"];

/// Whether a program can be started.
pub(crate) fn is_there(program: &str) -> bool {
    let version = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .output();
    version.is_ok_and(|output| output.status.success())
}

/// Whether a program can be started, whatever it says: llvm-profdata does not tell its version.
fn starts(program: &str) -> bool {
    let version = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .output();
    version.is_ok()
}

/// Runs the tests that pass in every way, and the others with sanitizers, one process for each: a
/// mistake is confirmed if one of these sees it.
pub(crate) fn verify<'s>(
    unit: &CUnit,
    source: &Path,
    flags: &[String],
    suites: impl Iterator<Item = &'s Suite> + Clone,
    written: &Written,
) -> Result<Verified, Error> {
    let mut text = String::from("\n");
    let mut is_as_predicted = true;
    for way in WAYS.iter().filter(|way| is_there(way.compiler)) {
        let (mut passed, mut all) = (0, 0);
        for file in &written.files {
            let program = build(source, flags, file, way)?;
            for name in list(&program)? {
                all += 1;
                let output = run(&program, &name)?;
                if output.status.success() {
                    passed += 1;
                    continue;
                }
                is_as_predicted = false;
                let _ = writeln!(text, "  {name} fails ({})", way.name);
                for line in lines(&output) {
                    let _ = writeln!(text, "    {line}");
                }
            }
        }
        let _ = writeln!(
            text,
            "verified with {}: {passed} of {all} tests end as predicted",
            way.name
        );
    }
    is_as_predicted &= confirm(source, flags, written, &mut text)?;
    if !TOOLS.iter().all(|tool| starts(tool)) {
        text.push_str(
            "branch coverage is not measured: llvm-cov is missing (Debian's package llvm)\n",
        );
    } else if let Some(file) = written.files.first() {
        let program = build(source, flags, file, &MEASURED)?;
        let mut raw = Vec::new();
        for (index, name) in list(&program)?.iter().enumerate() {
            let profile = program.folder.join(format!("{index}.profraw"));
            run_with(&program, name, Some(&profile))?;
            raw.push(profile);
        }
        let (folder, program) = (&program.folder, &program.program);
        let compared = coverage::compare(unit, source, suites, program, &raw, folder)?;
        text.push_str(&compared.text);
        is_as_predicted &= compared.is_equal;
    }
    Ok(Verified {
        text,
        is_as_predicted,
    })
}

/// Lets sanitizers look at the tests that show mistakes. Whether each was seen by one of them.
fn confirm(
    source: &Path,
    flags: &[String],
    written: &Written,
    text: &mut String,
) -> Result<bool, Error> {
    let mut open: Vec<(&Path, String)> = Vec::new();
    let mut all = 0;
    let sanitizers = WAYS.iter().filter(|way| !way.flags.is_empty());
    let sanitizers = sanitizers.chain([&MEMORY]);
    for (index, way) in sanitizers.filter(|way| is_there(way.compiler)).enumerate() {
        let mut unseen = Vec::new();
        for file in &written.findings {
            if index > 0 && !open.iter().any(|(known, _)| *known == file) {
                continue;
            }
            let program = build(source, flags, file, way)?;
            for name in list(&program)? {
                let is_open = open
                    .iter()
                    .any(|known| *known == (file.as_path(), name.clone()));
                all += usize::from(index == 0);
                if (index == 0 || is_open) && run(&program, &name)?.status.success() {
                    unseen.push((file.as_path(), name));
                }
            }
        }
        open = unseen;
    }
    if all > 0 {
        let seen = all - open.len();
        let _ = writeln!(text, "findings confirmed by sanitizers: {seen} of {all}");
    }
    for (_, name) in &open {
        let _ = writeln!(text, "  {name} is not confirmed by any tool");
    }
    Ok(open.is_empty())
}

fn lines(output: &std::process::Output) -> Vec<String> {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8_lossy(&text);
    text.lines().take(6).map(str::to_owned).collect()
}

fn build(source: &Path, flags: &[String], file: &Path, way: &Way) -> Result<Built, Error> {
    let folder = tempfile(file)?;
    let program = folder.join("tests");
    let beside = source
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let output = Command::new(way.compiler)
        .args(["-g", "-O0", "-w"])
        .args(way.flags)
        .args(flags)
        .arg("-I")
        .arg(beside.unwrap_or(Path::new(".")))
        .arg("-o")
        .arg(&program)
        .arg(file)
        .arg("-lm")
        .stdin(Stdio::null())
        .output();
    let output = output.map_err(|source| VerificationError::Start {
        tool: way.compiler,
        source,
    })?;
    match output.status.success() {
        true => Ok(Built { folder, program }),
        false => {
            let _ = std::fs::remove_dir_all(&folder);
            let messages = String::from_utf8_lossy(&output.stderr).into_owned();
            Err(Error::Verification(VerificationError::FileBuild {
                file: file.to_owned(),
                compiler: way.name,
                messages,
            }))
        }
    }
}

/// A program in a folder of its own, which goes with it.
struct Built {
    folder: std::path::PathBuf,
    program: std::path::PathBuf,
}

impl Drop for Built {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn tempfile(file: &Path) -> Result<std::path::PathBuf, Error> {
    static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let name = format!("heapwright-{}-{number}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir(&folder).map_err(|source| VerificationError::NoFolder {
        file: file.to_owned(),
        source,
    })?;
    Ok(folder)
}

fn list(built: &Built) -> Result<Vec<String>, Error> {
    let output = run(built, "--list")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.lines().map(str::to_owned).collect())
}

fn run(built: &Built, argument: &str) -> Result<std::process::Output, Error> {
    run_with(built, argument, None)
}

/// Runs a program, which writes what it counted into a file.
fn run_with(
    built: &Built,
    argument: &str,
    profile: Option<&Path>,
) -> Result<std::process::Output, Error> {
    let mut command = Command::new("timeout");
    command.arg("20").arg(&built.program).arg(argument);
    // What lists the tests of a program with counters writes them, too.
    let default = built.folder.join("default.profraw");
    command.env("LLVM_PROFILE_FILE", profile.unwrap_or(&default));
    let output = command.stdin(Stdio::null()).output();
    Ok(output.map_err(VerificationError::Run)?)
}
