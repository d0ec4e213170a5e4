//! `bench infer`: specifications inferred from code, beside those written by hand.

mod judge;
mod renaming;
mod subjects;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use heapwright_infer::session::{Inference, InferenceRequest, NoInference, infer};
use heapwright_java_tests::{Choice, JavaOptions, JavaTests, Specifications};
use heapwright_spec::Source;
use heapwright_spec::questions::Notation;
use heapwright_testgen::temporary::Temporary;
use heapwright_testgen::{Frontend, files, vocabulary};

use crate::error::{BenchError, BenchStatus};
use crate::java_sources;
use judge::{Described, Verdict, compare};
use subjects::{MUTANTS, SUBJECTS, Subject};

/// The package whose red-black tree is changed.
const CHANGED: &str = "subjects/rbt";

/// Infer specifications, and compare them with those written by hand
///
/// The judge enumerates the models of both specifications, and looks at all heaps that differ from one
/// of them in one field. Each class is also renamed: the text must be the same but for the names. With
/// --mutants, changed red-black trees must not come out as red-black trees.
#[derive(clap::Args)]
pub struct Arguments {
    /// The folder that has `subjects`
    #[arg(default_value = ".")]
    root: PathBuf,
    /// Only classes whose name contains this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Seconds for each class
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = vocabulary::seconds)]
    time: Duration,
    /// Objects of the models that are compared
    #[arg(long, default_value_t = 7, value_name = "N")]
    objects: u32,
    /// Also changed red-black trees [default: no]
    #[arg(long)]
    mutants: bool,
    /// Also print what is inferred [default: no]
    #[arg(short, long)]
    verbose: bool,
    /// The JDK [default: JAVA_HOME, or that of `java`]
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
}

/// What came of one class.
struct Judged {
    inference: Result<Inference, NoInference>,
    verdict: Option<Verdict>,
    time: Duration,
}

/// Runs the benchmark.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<BenchStatus, BenchError> {
    let work = Temporary::named(&std::env::temp_dir(), "infer");
    let classes = work.path().join("classes");
    files::create_folder(&classes)?;
    for sources in ["subjects/java/src", "subjects/infer/src"] {
        let sources = arguments.root.join(sources);
        java_sources::compile(arguments.jdk.as_deref(), &sources, &classes, None)?;
    }
    let only = |name: &str| {
        let only = arguments.only.as_deref();
        only.is_none_or(|only| name.contains(only))
    };
    let header = [
        "subject",
        "models",
        "heaps",
        "lost",
        "added",
        "exact",
        "unwitnessed",
        "renamed",
        "s",
    ];
    print(out, &header.map(ToOwned::to_owned))?;
    let (mut count, mut exact, mut lost) = (0, 0, 0);
    for subject in SUBJECTS
        .iter()
        .filter(|subject| only(subject.name) || only(subject.class))
    {
        let judged = judged(arguments, subject, &classes)?;
        if arguments.verbose
            && let Ok(inference) = &judged.inference
        {
            writeln!(out, "{}", inference.text)?;
        }
        let renamed = renamed(arguments, subject, &judged, work.path())?;
        count += 1;
        let is_exact =
            (judged.verdict).is_some_and(|verdict| verdict.is_exact() && !verdict.is_cut);
        exact += usize::from(is_exact);
        lost += judged.verdict.map_or(0, |verdict| verdict.lost);
        lost += judged
            .inference
            .as_ref()
            .map_or(0, |inference| inference.rejected);
        print(out, &row(subject.name, &judged, renamed))?;
    }
    if count == 0 && !arguments.mutants {
        return Err(BenchError::NoSubject(
            arguments.only.clone().unwrap_or_default(),
        ));
    }
    writeln!(out, "{exact} of {count} exact, {lost} heaps lost")?;
    let mut passed = 0;
    if arguments.mutants {
        passed = mutants(arguments, work.path(), out)?;
    }
    Ok(match lost + passed {
        0 => BenchStatus::Decided,
        _ => BenchStatus::Refuted,
    })
}

/// Prints a row as soon as it is known.
fn print(out: &mut dyn Write, cells: &[String; 9]) -> Result<(), BenchError> {
    let [
        name,
        models,
        heaps,
        lost,
        added,
        exact,
        unwitnessed,
        renamed,
        seconds,
    ] = cells;
    writeln!(
        out,
        "{name:<20}  {models:>6}  {heaps:>6}  {lost:>5}  {added:>5}  {exact:>11}  {unwitnessed:>11}  \
         {renamed:>9}  {seconds:>5}"
    )?;
    out.flush()?;
    Ok(())
}

fn row(name: &str, judged: &Judged, renamed: Option<bool>) -> [String; 9] {
    let dash = || "-".to_owned();
    let number = |one: fn(&Verdict) -> usize| {
        judged
            .verdict
            .as_ref()
            .map_or_else(dash, |verdict| one(verdict).to_string())
    };
    let exact = match (&judged.verdict, &judged.inference) {
        (Some(verdict), _) if verdict.is_exact() && verdict.is_cut => "so far",
        (Some(verdict), _) if verdict.is_exact() => "yes",
        (Some(verdict), _) if verdict.undecided > 0 => "undecided",
        (Some(_), _) => "no",
        (None, Err(NoInference::OneState)) => "one state",
        (None, _) => "nothing",
    };
    let unwitnessed = judged.inference.as_ref();
    [
        name.to_owned(),
        number(|verdict| verdict.models),
        number(|verdict| verdict.heaps),
        number(|verdict| verdict.lost),
        number(|verdict| verdict.added),
        exact.to_owned(),
        unwitnessed.map_or_else(|_| dash(), |one| one.unwitnessed.to_string()),
        renamed.map_or_else(dash, |same| {
            if same { "same" } else { "DIFFERENT" }.to_owned()
        }),
        format!("{:.1}", judged.time.as_secs_f64()),
    ]
}

fn frontend(arguments: &Arguments, classes: &Path) -> Result<JavaTests, BenchError> {
    let nothing = Specifications::new(Choice::None, Vec::new());
    let path = [classes.to_owned()];
    let program = java_sources::open(arguments.jdk.as_deref(), &path, nothing)?;
    Ok(JavaTests::new(program, JavaOptions::default()))
}

fn inferred(
    arguments: &Arguments,
    class: &str,
    classes: &Path,
) -> Result<Result<Inference, NoInference>, BenchError> {
    let request = InferenceRequest {
        objects: 6,
        time: arguments.time,
        interrupt: heapwright_engine::Interrupt::default(),
    };
    Ok(infer(&mut frontend(arguments, classes)?, class, &request)?)
}

fn judged(arguments: &Arguments, subject: &Subject, classes: &Path) -> Result<Judged, BenchError> {
    let begin = Instant::now();
    let inference = inferred(arguments, subject.class, classes)?;
    let time = begin.elapsed();
    let verdict = match &inference {
        Ok(inference) => Some(verdict(arguments, subject, inference, classes)?),
        Err(_) => None,
    };
    Ok(Judged {
        inference,
        verdict,
        time,
    })
}

fn verdict(
    arguments: &Arguments,
    subject: &Subject,
    inference: &Inference,
    classes: &Path,
) -> Result<Verdict, BenchError> {
    let path = arguments.root.join(subject.specification);
    let text = std::fs::read_to_string(&path).map_err(|source| BenchError::Read {
        path: path.clone(),
        source,
    })?;
    // Contracts are for other classes of the file, and nothing is asked about them.
    let text = match subject.specification.starts_with("subjects/infer") {
        true => of_class(&text, subject.class),
        false => text,
    };
    let written = described(arguments, subject, classes, text, subject.formula)?;
    let formula = format!("{}(o)", inference.name);
    let own = described(
        arguments,
        subject,
        classes,
        inference.text.clone(),
        &formula,
    )?;
    let deadline = Instant::now() + 4 * arguments.time;
    Ok(compare(&written, &own, arguments.objects, deadline))
}

/// The predicates of a file that mention no class but that of the subject and its nodes.
fn of_class(text: &str, class: &str) -> String {
    let own = class.rsplit('.').next().unwrap_or(class);
    let paragraphs = text.split("\n\n");
    let own = paragraphs.filter(|paragraph| {
        paragraph.contains(&format!("-> {own}(")) || paragraph.contains(&format!("-> {own}$"))
    });
    own.collect::<Vec<_>>().join("\n\n")
}

fn described(
    arguments: &Arguments,
    subject: &Subject,
    classes: &Path,
    text: String,
    formula: &str,
) -> Result<Described, BenchError> {
    let source = Source {
        name: subject.specification.to_owned(),
        text,
    };
    let mut frontend = frontend(arguments, classes)?;
    let mut file = frontend.questions(subject.class, Notation::Specification, source)?;
    let question = file.formula(formula)?;
    Ok(Described { file, question })
}

/// Whether a copy of a class with other names gives the same text up to these names; `None` for
/// classes without sources.
fn renamed(
    arguments: &Arguments,
    subject: &Subject,
    judged: &Judged,
    work: &Path,
) -> Result<Option<bool>, BenchError> {
    let Ok(inference) = &judged.inference else {
        return Ok(None);
    };
    let (package, class) = subject
        .class
        .rsplit_once('.')
        .unwrap_or(("", subject.class));
    let folders = ["subjects/java/src", "subjects/infer/src"];
    let folders = folders.map(|folder| arguments.root.join(folder).join(package.replace('.', "/")));
    let Some(folder) = folders
        .into_iter()
        .find(|folder| folder.join(format!("{class}.java")).is_file())
    else {
        return Ok(None);
    };
    let mut frontend = frontend(arguments, &work.join("classes"))?;
    let source = Source {
        name: "nothing".to_owned(),
        text: inference.text.clone(),
    };
    let file = frontend.questions(subject.class, Notation::Specification, source)?;
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut number = 0;
    let mut rename = |name: &str, letter: char| {
        number += 1;
        names
            .entry(name.to_owned())
            .or_insert(format!("{letter}{number}q"));
    };
    for (_, known) in file.definitions.classes() {
        let Some(rest) = known.name.strip_prefix(&format!("{package}.")) else {
            continue;
        };
        for part in rest.split('$') {
            rename(part, 'C');
        }
        for field in &known.fields {
            rename(&field.name, 'f');
        }
    }
    let copy = work.join(format!("renamed-{}", subject.class));
    let (sources, classes) = (copy.join("src"), copy.join("classes"));
    files::create_folder(&sources)?;
    files::create_folder(&classes)?;
    for (name, text) in sources_of(&folder)? {
        let name = names.get(&name).cloned().unwrap_or(name);
        let path = sources.join(format!("{name}.java"));
        write(&path, &renaming::renamed(&text, &names))?;
    }
    java_sources::compile(arguments.jdk.as_deref(), &sources, &classes, None)?;
    let own = names.get(class).map_or(class, String::as_str);
    let second = inferred(arguments, &format!("{package}.{own}"), &classes)?;
    let same = second.is_ok_and(|second| {
        renaming::without_names(&second.text) == renaming::without_names(&inference.text)
    });
    Ok(Some(same))
}

fn sources_of(folder: &Path) -> Result<Vec<(String, String)>, BenchError> {
    let unreadable = |source| BenchError::Read {
        path: folder.to_owned(),
        source,
    };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|ending| ending == "java") {
            let name = path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            found.push((name, std::fs::read_to_string(&path).map_err(unreadable)?));
        }
    }
    found.sort();
    Ok(found)
}

fn write(path: &Path, text: &str) -> Result<(), BenchError> {
    std::fs::write(path, text).map_err(BenchError::Output)
}

/// Changed red-black trees; how many of them came out as red-black trees.
fn mutants(arguments: &Arguments, work: &Path, out: &mut dyn Write) -> Result<usize, BenchError> {
    let Some(subject) = SUBJECTS.iter().find(|subject| subject.name == "RBT") else {
        return Err(BenchError::NoSubject("RBT".to_owned()));
    };
    let folder = arguments.root.join("subjects/java/src").join(CHANGED);
    let mut passed = 0;
    for (number, mutant) in MUTANTS.iter().enumerate() {
        let copy = work.join(format!("mutant-{number}"));
        let (sources, classes) = (copy.join("src"), copy.join("classes"));
        files::create_folder(&sources)?;
        files::create_folder(&classes)?;
        let mut found = false;
        for (name, text) in sources_of(&folder)? {
            found |= text.contains(mutant.old);
            write(
                &sources.join(format!("{name}.java")),
                &text.replace(mutant.old, mutant.new),
            )?;
        }
        if !found {
            return Err(BenchError::missing(CHANGED, mutant.old));
        }
        java_sources::compile(arguments.jdk.as_deref(), &sources, &classes, None)?;
        let judged = judged(arguments, subject, &classes)?;
        if arguments.verbose
            && let Ok(inference) = &judged.inference
        {
            writeln!(out, "{}", inference.text)?;
        }
        let line = match (&judged.verdict, &judged.inference) {
            (Some(verdict), _) if verdict.is_exact() => {
                passed += 1;
                "comes out AS A RED-BLACK TREE".to_owned()
            }
            (Some(verdict), _) if verdict.lost + verdict.added == 0 => "undecided".to_owned(),
            (Some(verdict), Ok(inference)) => format!(
                "something else: {} heaps that are red-black trees only, {} that are none; {} unwitnessed",
                verdict.lost, verdict.added, inference.unwitnessed
            ),
            _ => "nothing inferred".to_owned(),
        };
        writeln!(
            out,
            "{}: {line} ({:.1} s)",
            mutant.name,
            judged.time.as_secs_f64()
        )?;
    }
    Ok(passed)
}
