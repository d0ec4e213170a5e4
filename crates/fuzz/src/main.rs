//! `heapwright-fuzz`: a repeatable run of random and mutated inputs.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};

use heapwright_fuzz::Language;
use heapwright_fuzz::c::Sources;
use heapwright_fuzz::java::project::Project;
use heapwright_fuzz::java::seeds;
use heapwright_fuzz::run::{Plan, Report, run};
use heapwright_fuzz::subject::subject;
use heapwright_fuzz::texts::Examples;
use heapwright_java::classpath::JdkSearch;

/// Random and mutated inputs against the readers, the solver, the translation and the engine
///
/// Exit code 0 means that nothing panicked, nothing hung, and nothing used too much memory.
#[derive(Parser)]
struct Arguments {
    /// Which inputs
    #[arg(long, value_enum, default_value = "texts")]
    what: What,
    /// How many inputs
    #[arg(long, default_value_t = 20_000)]
    count: u64,
    /// Determines every input
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of the first input; with --count 1 it repeats one failure
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// How many inputs at the same time; the inputs do not depend on it
    #[arg(long)]
    jobs: Option<usize>,
    /// Seconds after which an input hangs; one takes milliseconds, but the machine may be busy
    #[arg(long, default_value_t = 30.0, value_parser = positive)]
    limit: f64,
    /// Megabytes that the process may have
    #[arg(long, default_value_t = 2048)]
    memory: u64,
    /// Print the number of each input before it is run, which finds the one that ends the process
    #[arg(long)]
    print: bool,
    /// Write the input into this file before it is run, which is for --count 1
    #[arg(long)]
    save: Option<PathBuf>,
    /// Folders with Java sources, whose classes are mutated
    #[arg(long, default_values = ["subjects/java/src", "subjects/korat/src", "crates/fuzz/seeds"])]
    sources: Vec<PathBuf>,
    /// Folders with other examples to mutate
    #[arg(default_values = ["library", "examples"])]
    examples: Vec<PathBuf>,
}

/// Kinds of inputs.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// Specifications, formulas and heaps.
    Texts,
    /// Class files, jars and configuration files.
    Project,
    /// C sources.
    C,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if seconds > 0.0 && seconds < 1e9 => Ok(seconds),
        _ => Err("a positive number of seconds is needed".to_owned()),
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let work = std::env::temp_dir().join(format!("heapwright-fuzz-{}", std::process::id()));
    let ended = fuzz(&arguments, &work);
    let _ = std::fs::remove_dir_all(&work);
    match ended {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Runs and reports; true if nothing went wrong.
fn fuzz(arguments: &Arguments, work: &std::path::Path) -> io::Result<bool> {
    let mut folders = arguments.examples.clone();
    let project = match arguments.what {
        What::Texts | What::C => None,
        What::Project => {
            let classes = work.join("classes");
            let inputs = work.join("inputs");
            std::fs::create_dir_all(&inputs)?;
            let jdk = JdkSearch::from_environment(None).open();
            let jdk = jdk.map_err(io::Error::other)?;
            seeds::compile(&jdk, &arguments.sources, &classes)?;
            folders.push(classes.clone());
            Some(Project::new(jdk, classes, inputs))
        }
    };
    let project: &'static Option<Project> = Box::leak(Box::new(project));
    let examples: &'static Examples = Box::leak(Box::new(Examples::under(&folders)?));
    // Panics are part of the report; the default hook would print them in between.
    if arguments.count > 1 {
        std::panic::set_hook(Box::new(|_| {}));
    }
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let plan = Plan {
        languages: match arguments.what {
            What::Texts => Language::TEXTS.to_vec(),
            What::Project => Language::PROJECT.to_vec(),
            What::C => Language::C_SOURCES.to_vec(),
        },
        seed: arguments.seed,
        first: arguments.first,
        count: arguments.count,
        jobs: arguments.jobs.unwrap_or(cores).max(1),
        limit: Duration::from_secs_f64(arguments.limit),
        memory: arguments.memory.saturating_mul(1 << 20),
        print: arguments.print,
    };
    if let Some(file) = &arguments.save {
        let (_, input) = examples.input(&plan.languages, plan.seed, plan.first);
        std::fs::write(file, input)?;
    }
    let start = Instant::now();
    let sources: &'static Sources = Box::leak(Box::new(Sources::new(work.join("sources"))));
    let subject = Box::leak(Box::new(
        move |language, index, input: &[u8]| match language {
            Language::C => sources.source(index, input),
            language => subject(project.as_ref(), language, index, input),
        },
    ));
    let report = run(&plan, examples, subject);
    print(&plan, examples, &report, start.elapsed())?;
    Ok(report.failures.is_empty())
}

fn print(plan: &Plan, examples: &Examples, report: &Report, time: Duration) -> io::Result<()> {
    let mut out = io::stdout();
    writeln!(
        out,
        "{} inputs in {:.1} s (seed {}, {} examples), {} MB at most",
        report.fates.iter().sum::<u64>(),
        time.as_secs_f64(),
        plan.seed,
        examples.len(),
        report.memory >> 20,
    )?;
    let mut languages = plan.languages.clone();
    languages.dedup();
    for language in languages {
        let [rejected, accepted, decided, undecided] = report.by_language[language as usize];
        writeln!(
            out,
            "{language:?}: {rejected} rejected, {accepted} read, {decided} decided or run, \
             {undecided} within the budget undecided"
        )?;
    }
    let (longest, index) = report.slowest;
    writeln!(out, "slowest: input {index}, {longest:.1?}")?;
    for failure in &report.failures {
        let (language, input) = examples.input(&plan.languages, plan.seed, failure.index);
        writeln!(
            out,
            "\ninput {} ({language:?}): {}",
            failure.index, failure.reason
        )?;
        writeln!(
            out,
            "repeat with: heapwright-fuzz --seed {} --first {} --count 1, and the same --what and folders",
            plan.seed, failure.index
        )?;
        if let Ok(text) = String::from_utf8(input) {
            let shown: String = text.chars().take(3000).collect();
            let shown = shown.escape_debug().to_string().replace("\\n", "\n");
            writeln!(out, "{shown}")?;
        }
    }
    Ok(())
}
