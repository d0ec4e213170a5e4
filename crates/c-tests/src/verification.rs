//! Tests compiled and run with real compilers and their sanitizers.

mod building;
mod confirmation;

use std::fmt::Write;
use std::path::Path;

use heapwright_c::CUnit;
use heapwright_testgen::{Error, Suite, Verified, Written};

use crate::coverage;
use crate::frontend::Entry;
use crate::runner::Runner;
pub(crate) use building::is_there;
use building::{Way, build, lines, list, run, starts};

const SANITIZERS: &[&str] = &[
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
];

const WAYS: [Way; 3] = [
    Way {
        name: "gcc",
        compiler: "gcc",
        // Functions of ctype.h are functions, as the search has them.
        flags: &["--coverage", "-D__NO_CTYPE"],
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

/// What tests that pass may do, though sanitizers of these compilers object: null with nothing added to
/// it, bytes of null of which none is copied, both of which newer C allows; and parameters that are
/// declared as arrays without elements.
const ALLOWED: &str = "-fno-sanitize=pointer-overflow,nonnull-attribute,vla-bound";

/// The way for llvm-cov.
const MEASURED: Way = Way {
    name: "clang with counters",
    compiler: "clang",
    flags: &[
        "-fprofile-instr-generate",
        "-fcoverage-mapping",
        "-DHEAPWRIGHT_COVERAGE",
        "-D__NO_CTYPE",
    ],
};

/// What it takes to measure coverage.
const TOOLS: [&str; 3] = ["clang", "llvm-profdata", "llvm-cov"];

/// Runs the tests that pass in every way, and the others with sanitizers, one process for each: a
/// mistake is confirmed if one of these sees it.
pub(crate) fn verify<'s>(
    unit: &CUnit,
    source: &Path,
    flags: &[String],
    suites: impl Iterator<Item = (&'s Suite, &'s Entry)> + Clone,
    written: &Written,
    runner: &Runner<'_>,
) -> Result<Verified, Error> {
    let mut text = String::from("\n");
    let mut is_as_predicted = true;
    let mut gcov = None;
    for way in WAYS.iter().filter(|way| is_there(way.compiler)) {
        let (mut passed, mut all) = (0, 0);
        let mut flags = flags.to_vec();
        flags.extend((way.flags == SANITIZERS).then(|| ALLOWED.to_owned()));
        for file in &written.files {
            let program = build(source, &flags, file, way)?;
            for name in list(runner, &program)? {
                all += 1;
                let ran = run(runner, &program, &name)?;
                if ran.succeeded {
                    passed += 1;
                    continue;
                }
                is_as_predicted = false;
                let _ = writeln!(text, "  {name} fails ({})", way.name);
                for line in lines(&ran) {
                    let _ = writeln!(text, "    {line}");
                }
            }
            if way.flags.contains(&"--coverage") && starts("gcov") {
                gcov = Some(coverage::measure_gcov(&program.folder, source));
            }
        }
        let _ = writeln!(
            text,
            "verified with {}: {passed} of {all} tests end as predicted",
            way.name
        );
    }
    let found = suites.clone().map(|(suite, _)| suite);
    is_as_predicted &= confirmation::confirm(source, flags, found, written, runner, &mut text)?;
    if !TOOLS.iter().all(|tool| starts(tool)) {
        text.push_str(
            "branch coverage is not measured: llvm-cov is missing (Debian's package llvm)\n",
        );
    } else if let Some(file) = written.files.first() {
        let program = build(source, flags, file, &MEASURED)?;
        let mut raw = Vec::new();
        for (index, name) in list(runner, &program)?.iter().enumerate() {
            let profile = program.folder.join(format!("{index}.profraw"));
            runner.run(&program.program, &program.folder, name, false, &profile)?;
            raw.push(profile);
        }
        let (folder, program) = (&program.folder, &program.program);
        let compared =
            coverage::compare(unit, source, suites, program, &raw, folder, gcov.as_ref())?;
        text.push_str(&compared.text);
        is_as_predicted &= compared.is_equal;
    }
    Ok(Verified {
        text,
        is_as_predicted,
    })
}
