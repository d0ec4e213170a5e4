//! `bench jpf`: java.util.TreeMap with a predicate as its specification, beside the figures of the
//! JPF paper of 2004, and enumeration from predicates in Java beside Korat's.

mod tested;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use heapwright_engine::sequences::{Record, SequenceBounds};
use heapwright_engine::{Mode, StructureBounds};
use heapwright_logic::Deadline;

use super::table::{Table, ratio, seconds};
use super::{java_sources, published};
use crate::error::{BenchError, BenchStatus};
use heapwright_java_tests::sequences::{Domains, Roles};
use heapwright_java_tests::{Choice, JavaProgram, Specifications};
use heapwright_testgen::files;
use heapwright_testgen::temporary::Temporary;

use tested::{Tested, test};

/// The class under test, its predicate, and the functions whose coverage the paper reports.
const CLASS: &str = "java.util.TreeMap";
const PREDICATE: &str = "java.util.TreeMapRepOk#repOk";
const METHODS: [&str; 2] = [
    "remove(java.lang.Object)",
    "put(java.lang.Object,java.lang.Object)",
];
const FUNCTIONS: [&str; 3] = ["deleteEntry", "fixAfterDeletion", "fixAfterInsertion"];

/// Test java.util.TreeMap with a predicate as its specification, beside the JPF paper of 2004
///
/// The predicate is the static method repOk of subjects/jdk/repok. The published times were
/// measured on another machine, and for another TreeMap: branches and percentages of coverage are
/// those of the installed JDK for us.
#[derive(clap::Args)]
pub struct Arguments {
    /// The largest number of keys for sequences of calls
    #[arg(long, value_name = "N", default_value_t = 7)]
    keys: u32,
    /// The largest number of entries for black box
    #[arg(long, value_name = "N", default_value_t = 6)]
    largest: u32,
    /// The largest number of entries for white box
    #[arg(long, value_name = "N", default_value_t = 5)]
    scope: u32,
    /// The folder with the subjects
    #[arg(long, value_name = "DIR", default_value = "subjects")]
    subjects: PathBuf,
    /// Black box: count structures, without tests for them
    #[arg(long)]
    no_tests: bool,
    /// Leave the structures of Korat out
    #[arg(long)]
    no_korat: bool,
    /// Run the predicate on a real virtual machine, on every input
    #[arg(long)]
    verify: bool,
    /// The folder with JUnit and JaCoCo, for --verify [default: as for `generate`]
    #[arg(long, value_name = "DIR")]
    tools: Option<PathBuf>,
    /// The JDK [default: JAVA_HOME, or that of `java`]
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
}

/// Runs the benchmark.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<BenchStatus, BenchError> {
    let work = Temporary::named(&std::env::temp_dir(), "jpf");
    let classes = work.path().join("jdk");
    files::create_folder(&classes)?;
    let jdk = arguments.jdk.as_deref();
    let folder = arguments.subjects.join("jdk").join("repok");
    java_sources::compile(jdk, &folder, &classes, Some("java.base"))?;
    let mut sound = true;
    sequences(arguments, &classes, out)?;
    sound &= black_box(arguments, &classes, out)?;
    sound &= white_box(arguments, &classes, out)?;
    if !arguments.no_korat {
        sound &= korat(arguments, work.path(), out)?;
    }
    Ok(match sound {
        true => BenchStatus::Decided,
        false => BenchStatus::Refuted,
    })
}

fn open(
    arguments: &Arguments,
    classes: &Path,
    predicate: Option<&str>,
) -> Result<JavaProgram, BenchError> {
    let specifications = Specifications::new(Choice::None, Vec::new());
    let program = java_sources::open(
        arguments.jdk.as_deref(),
        &[classes.to_owned()],
        specifications,
    )?;
    Ok(program.with_predicate(predicate.map(ToOwned::to_owned)))
}

/// All sequences of insertions and removals.
fn sequences(arguments: &Arguments, classes: &Path, out: &mut dyn Write) -> Result<(), BenchError> {
    writeln!(out, "sequences of put and remove with N keys, all states\n")?;
    let mut table = Table::new(&[
        "N",
        "JPF states",
        "states",
        "calls",
        "JPF s",
        "s",
        FUNCTIONS[0],
        FUNCTIONS[1],
        FUNCTIONS[2],
    ]);
    let published = published::jpf_model_checking();
    for keys in 1..=arguments.keys {
        let known = published.iter().find(|(size, _)| *size == keys);
        let known = known.map(|(_, figures)| *figures);
        let cell = |text: &dyn Fn(u32, f64) -> String| match known {
            None => "-".to_owned(),
            Some(None) => "out of memory".to_owned(),
            Some(Some((states, time))) => text(states, time),
        };
        let begin = Instant::now();
        let mut program = open(arguments, classes, None)?;
        let mut methods = Vec::new();
        for method in METHODS {
            methods.extend(program.targets(&format!("{CLASS}#{method}"))?);
        }
        let Some(first) = methods.first() else {
            return Err(BenchError::missing(CLASS, "methods"));
        };
        let class = std::sync::Arc::clone(&first.class);
        let roles = Roles {
            builders: Some(&methods),
            tested: &[],
            ignored: BTreeSet::from(["modCount".to_owned()]),
        };
        let value = "put.2=0".parse().map_err(BenchError::Domain)?;
        let domains = Domains {
            is_lenient: false,
            size: keys,
            given: vec![value],
            found: None,
        };
        let java_type = program.data_type(&class, &roles, &domains)?;
        let bounds = SequenceBounds {
            time: None,
            record: Record::Nothing,
            ..SequenceBounds::default()
        };
        let found = program.explore_sequences(&java_type, &bounds, &mut |_| {});
        let counts = program.branches_taken(CLASS, &found)?;
        let mut cells = vec![
            keys.to_string(),
            cell(&|states, _| states.to_string()),
            found.states.to_string(),
            found.transitions.to_string(),
            cell(&|_, time| seconds(time)),
            seconds(begin.elapsed().as_secs_f64()),
        ];
        cells.extend(FUNCTIONS.iter().map(|function| {
            let mut named = counts.iter();
            let count = named.find(|(name, _)| name.starts_with(&format!("{function}(")));
            count.map_or("-".to_owned(), |(_, (taken, all))| format!("{taken}/{all}"))
        }));
        table.row(cells);
    }
    table.print(out)?;
    writeln!(out)?;
    Ok(out.flush()?)
}

fn black_box(
    arguments: &Arguments,
    classes: &Path,
    out: &mut dyn Write,
) -> Result<bool, BenchError> {
    writeln!(out, "black box: all valid maps with at most N entries\n")?;
    let mut table = Table::new(&[
        "N",
        "JPF of N",
        "of N",
        "JPF candidates",
        "candidates",
        "JPF s",
        "s",
        "faster",
        "JPF tests",
        "tests",
        "with tests s",
        FUNCTIONS[0],
        FUNCTIONS[1],
        FUNCTIONS[2],
    ]);
    let published = published::jpf_black_box();
    let mut sound = true;
    let mut last = Tested::default();
    for size in 1..=arguments.largest {
        let row = published.iter().find(|row| row.size == size);
        let mut program = open(arguments, classes, Some(PREDICATE))?;
        let begin = Instant::now();
        let (found, candidates) = count(&mut program, CLASS, "size()", size)?;
        let time = begin.elapsed().as_secs_f64();
        let of_size = found.get(&size).copied().unwrap_or(0);
        sound &= row.is_none_or(|row| u64::from(row.structures) == of_size);
        let tested = match arguments.no_tests {
            true => Tested::default(),
            false => test(arguments, classes, Mode::Blackbox, size)?,
        };
        sound &= tested.invalid == 0;
        let known = |text: &dyn Fn(&published::JpfRow) -> String| row.map_or("-".to_owned(), text);
        let mut cells = vec![
            size.to_string(),
            known(&|row| row.structures.to_string()),
            of_size.to_string(),
            known(&|row| row.candidates.to_string()),
            candidates.to_string(),
            known(&|row| seconds(row.seconds)),
            seconds(time),
            known(&|row| ratio(row.seconds, time)),
            known(&|row| row.tests.to_string()),
            tested.tests.to_string(),
            seconds(tested.seconds),
        ];
        cells.extend(tested.coverage.cells());
        table.row(cells);
        last = tested;
    }
    table.print(out)?;
    sound &= print_validity(&last, out)?;
    out.flush()?;
    Ok(sound)
}

fn white_box(
    arguments: &Arguments,
    classes: &Path,
    out: &mut dyn Write,
) -> Result<bool, BenchError> {
    let tested = test(arguments, classes, Mode::Whitebox, arguments.scope)?;
    writeln!(out, "\nwhite box: at most {} entries\n", arguments.scope)?;
    let mut table = Table::new(&[
        "",
        "s",
        "tests",
        "enough trees",
        "enough tests",
        FUNCTIONS[0],
        FUNCTIONS[1],
        FUNCTIONS[2],
    ]);
    if let Some(row) = published::jpf_white_box() {
        let percent = row.coverage.iter().map(|percent| format!("{percent} %"));
        let mut cells = vec![
            "JPF".to_owned(),
            seconds(row.seconds),
            row.candidates.to_string(),
            row.tests.to_string(),
            "-".to_owned(),
        ];
        cells.extend(percent);
        table.row(cells);
    }
    let mut cells = vec![
        "Heapwright".to_owned(),
        seconds(tested.seconds),
        tested.tests.to_string(),
        tested.trees.to_string(),
        tested.enough.to_string(),
    ];
    cells.extend(tested.coverage.cells());
    table.row(cells);
    table.print(out)?;
    let valid = print_validity(&tested, out)?;
    out.flush()?;
    Ok(tested.invalid == 0 && valid)
}

/// Says what the virtual machine says about the inputs, and returns whether all are valid.
fn print_validity(tested: &Tested, out: &mut dyn Write) -> Result<bool, BenchError> {
    let Some(validity) = &tested.validity else {
        return Ok(true);
    };
    write!(out, "{}", validity.told("the virtual machine"))?;
    Ok(validity.all_valid())
}

/// The structures of a class by size, and the runs of its predicate.
fn count(
    program: &mut JavaProgram,
    class: &str,
    method: &str,
    scope: u32,
) -> Result<(BTreeMap<u32, u64>, u64), BenchError> {
    let targets = program.targets(&format!("{class}#{method}"))?;
    let Some(target) = targets.first() else {
        return Err(BenchError::missing(class, &format!("method {method}")));
    };
    let bounds = StructureBounds {
        scope,
        domains: Vec::new(),
    };
    let found = program.enumerate(target, &bounds, &Deadline::NEVER, &mut |_, _| true)?;
    let found = found.ok_or_else(|| BenchError::missing(class, "predicate"))?;
    Ok((found.by_size, found.candidates))
}

/// Korat's trees, from predicates in Java as Korat takes them.
fn korat(arguments: &Arguments, work: &Path, out: &mut dyn Write) -> Result<bool, BenchError> {
    let classes = work.join("korat");
    files::create_folder(&classes)?;
    let jdk = arguments.jdk.as_deref();
    let folder = arguments.subjects.join("korat").join("src");
    java_sources::compile(jdk, &folder, &classes, None)?;
    writeln!(out, "\nstructures from a predicate in Java, beside Korat\n")?;
    let mut table = Table::new(&[
        "structure",
        "size",
        "Korat found",
        "found",
        "candidates",
        "Korat s",
        "s",
        "faster",
    ]);
    let mut sound = true;
    for row in published::korat() {
        let wanted = ["SearchTree", "RedBlackTree"].contains(&row.structure) && row.size <= 9;
        if !wanted {
            continue;
        }
        let mut program = open(arguments, &classes, None)?;
        let class = format!("korat.{}", row.structure);
        let begin = Instant::now();
        let (found, candidates) = count(&mut program, &class, "repOk()", row.size as u32)?;
        let time = begin.elapsed().as_secs_f64();
        let found = found.get(&(row.size as u32)).copied().unwrap_or(0);
        sound &= found == row.found as u64;
        table.row(vec![
            row.structure.to_owned(),
            row.size.to_string(),
            row.found.to_string(),
            found.to_string(),
            candidates.to_string(),
            seconds(row.seconds),
            seconds(time),
            ratio(row.seconds, time),
        ]);
    }
    table.print(out)?;
    out.flush()?;
    Ok(sound)
}
