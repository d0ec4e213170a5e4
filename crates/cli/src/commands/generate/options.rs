//! The command line of `generate`, and what it means to the engine.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::ArgPredicate;
use heapwright_engine::{
    Bound, Bounds, Keep, Mode, Options, SourceLine, StrategyKind, StructureBounds, ValueChoice,
};

use heapwright_testgen::domain::Domain;
use heapwright_testgen::overview::Look;
use heapwright_testgen::text::Amount;
use heapwright_testgen::vocabulary::{keep, mode, seconds, strategy, values};
use heapwright_testgen::{Request, budgets};

use super::c_options::CArguments;
use super::java_options::JavaArguments;
use super::reports::ReportArguments;
use crate::input::allows_colours;
use crate::interruption::watched_interrupt;
use crate::store::StoreArguments;

/// Generate tests for Java classes, for ImpL programs and their procedures, or for C functions
///
/// TARGET is a Java class, package or method, or a file, for the program in it (or all its
/// procedures, if it has nothing else), or FILE#NAME for one procedure or function. The specification says
/// which heaps are valid inputs: the precondition `pre NAME(...)`; without one every heap is. A
/// postcondition `post NAME(...)` is checked after every run.
///
/// Without a TARGET, options and targets come from heapwright.toml in this folder or one above.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// pkg.Class, pkg.Class#method, pkg.*, FILE.impl, FILE.impl#PROCEDURE, FILE.c or FILE.c#FUNCTION
    #[arg(value_name = "TARGET")]
    pub targets: Vec<String>,
    /// Read options that the command line does not give from this file
    /// [default: heapwright.toml in this folder or one above, if there is no TARGET]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub config: Option<PathBuf>,
    /// What decides the results, word by word.
    #[arg(skip)]
    pub words: Vec<String>,
    #[command(flatten)]
    pub specification: SpecificationArguments,
    #[command(flatten)]
    pub java: JavaArguments,
    #[command(flatten)]
    pub c: CArguments,
    #[command(flatten)]
    pub search: SearchArguments,
    #[command(flatten)]
    pub reports: ReportArguments,
    #[command(flatten)]
    pub store: StoreArguments,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    pub cluster: heapwright_cluster::ClusterArguments,
    /// Which tests to keep: as few as reach the same coverage (coverage), and also catch small
    /// changes of the code (mutants), one for each path (paths), or all. Findings are always kept
    #[arg(long, value_name = "WHICH", default_value = "mutants", value_parser = keep, hide_short_help = true, help_heading = "Search")]
    pub keep: Keep,
    /// Write the tests into a folder [default: not written]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Write the results as JSON; `-` is standard output [default: not written]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub json: Option<PathBuf>,
    /// Also write times into the JSON report, which then differs from run to run [default: no]
    #[arg(long, hide_short_help = true, help_heading = "Output")]
    pub times: bool,
    /// Draw each test as SVG into a folder, before and after the run [default: not drawn]
    #[arg(
        long,
        value_name = "DIR",
        hide_short_help = true,
        help_heading = "Output"
    )]
    pub svg: Option<PathBuf>,
    /// Draw each test for Graphviz into a folder, before and after the run [default: not drawn]
    #[arg(
        long,
        value_name = "DIR",
        hide_short_help = true,
        help_heading = "Output"
    )]
    pub dot: Option<PathBuf>,
    /// Print the input and the result of each test [default: what fits on a screen]
    ///
    /// Twice (-vv): draw all heaps, and print what the search did.
    #[arg(short, long, conflicts_with = "quiet", action = clap::ArgAction::Count, help_heading = "Output")]
    pub verbose: u8,
    /// List all failures with their smallest inputs [default: no]
    ///
    /// Broken invariants, violated postconditions and failed assertions; apart from these,
    /// uncaught runtime exceptions, which do not count as failures.
    #[arg(long, help_heading = "Output")]
    pub findings: bool,
    /// Print ten lines at most: coverage and findings [default: no]
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
}

impl Arguments {
    /// The options of the engine; `reach` is the place that `--reach` names.
    pub fn options(&self, reach: Option<SourceLine>) -> Options {
        let sequences = &self.java.sequences;
        let default = StructureBounds::default();
        let domains = sequences.domain.iter().filter_map(Domain::numbers);
        Options {
            structures: StructureBounds {
                scope: sequences.scope.unwrap_or(default.scope),
                domains: domains.collect(),
            },
            ..self.search.options(reach)
        }
    }

    /// What is asked of a session; its searches end with the process.
    pub fn request(&self) -> Request {
        let options = self.options(None);
        Request {
            targets: self.targets.clone(),
            keep: self.keep,
            reach: self.search.reach.clone(),
            sequences: self.java.sequences.request(),
            any_heap: self.java.sequences.any_heap,
            infers: !self.java.sequences.no_infer,
            verify: self.java.verify,
            options: Options {
                interrupt: watched_interrupt(options.bounds.memory),
                ..options
            },
        }
    }

    /// The files and folders that decide what is generated: classes, specifications, sources of
    /// targets that are files, with what lies beside them.
    pub fn inputs(&self) -> Vec<PathBuf> {
        let files = self.targets.iter().filter_map(|target| {
            let file = Path::new(target.split('#').next().unwrap_or(target));
            let folder = file.parent().filter(|_| file.is_file())?;
            Some(match folder.as_os_str().is_empty() {
                true => PathBuf::from("."),
                false => folder.to_owned(),
            })
        });
        let mut inputs: Vec<PathBuf> = files.collect();
        if inputs.len() < self.targets.len() {
            inputs.extend(self.java.class_path.classes().path);
        }
        inputs.extend(self.specification.spec.clone());
        inputs.extend(self.java.specs.iter().flat_map(std::env::split_paths));
        inputs
    }

    /// How much is printed about each target.
    pub fn amount(&self) -> Amount {
        match self.verbose {
            _ if self.quiet => Amount::Quiet,
            0 | 1 => Amount::Normal,
            _ => Amount::Verbose,
        }
    }

    /// How the summary of many targets looks.
    pub fn look(&self) -> Look {
        let on_terminal = std::io::stdout().is_terminal();
        Look {
            is_brief: self.quiet,
            times: on_terminal,
            colours: on_terminal && allows_colours(),
            writes: self.out.is_some(),
            verifies: self.java.verify,
            lists: self.findings,
        }
    }

    /// Where it is said what was written; nowhere if that would be in the way.
    pub fn remarks<'o>(&self, out: &'o mut dyn Write) -> Option<&'o mut dyn Write> {
        (!self.quiet && !self.json_on_standard_output()).then_some(out)
    }

    /// Whether some of the reports that are to be written are there already.
    pub fn has_old_reports(&self) -> bool {
        let json = self.json.clone();
        (self.reports.files().into_iter().chain(json)).any(|file| file.exists())
    }

    /// Whether other machines search.
    pub fn is_for_cluster(&self) -> bool {
        #[cfg(feature = "cluster")]
        return self.cluster.cluster.is_some();
        #[cfg(not(feature = "cluster"))]
        false
    }

    /// Whether standard output is for the report as JSON.
    pub fn json_on_standard_output(&self) -> bool {
        self.json.as_deref() == Some(Path::new("-"))
    }
}

/// Where the specification comes from.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Specification")]
pub struct SpecificationArguments {
    /// The specification [default: the .sl file beside the program, if there is one]
    #[arg(long, value_name = "FILE.sl", conflicts_with = "no_spec")]
    pub spec: Option<PathBuf>,
    /// Use no specification: every heap is a valid input [default: no]
    #[arg(long, hide_short_help = true)]
    pub no_spec: bool,
}

/// The mode that follows from other options: whoever names a predicate, and no specification,
/// wants inputs for which it holds.
const MODE_BY_OTHERS: [(&str, ArgPredicate, &str); 4] = [
    ("spec", ArgPredicate::IsPresent, "concolic"),
    ("specs", ArgPredicate::IsPresent, "concolic"),
    ("pre", ArgPredicate::IsPresent, "concolic"),
    ("repok", ArgPredicate::IsPresent, "whitebox"),
];

/// How tests are searched for.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Search")]
pub struct SearchArguments {
    /// How inputs are found, such as concolic or repok [default: by the specification]
    ///
    /// concolic: from the specification, then by negating path conditions; symbolic; spec: from the
    /// specification only; lazy: references are initialised by type alone; repok: all structures for
    /// which a predicate such as `repOk` holds; whitebox: symbolic, pruned by such a predicate;
    /// sequences: calls of public methods from a constructor, for Java. Without this option it is
    /// concolic, and whitebox with --repok and without a specification.
    #[arg(
        long,
        default_value = "concolic",
        default_value_ifs = MODE_BY_OTHERS,
        hide_default_value = true,
        value_parser = mode
    )]
    pub mode: Mode,
    /// With --mode lazy: drop inputs that violate the precondition [default: they are shown]
    #[arg(long, hide_short_help = true)]
    pub filter: bool,
    /// Which path to explore next: coverage (closest to an uncovered branch), dfs, bfs,
    /// deepening, bounded:DEPTH, random
    #[arg(long, default_value = "coverage", value_parser = strategy, hide_short_help = true)]
    pub strategy: StrategyKind,
    /// Which input of a path becomes its test: any, smallest-heap, smallest-values, or shapes:K
    /// for up to K that differ in shape
    #[arg(long, default_value = "smallest-heap", value_parser = values, hide_short_help = true)]
    pub values: ValueChoice,
    /// How often the specification is unfolded for tests straight from it; 0 for none
    /// [default: 1 in concolic mode, 3 in spec mode]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub depth: Option<u32>,
    /// Decisions of a path whose alternatives are explored
    #[arg(long, value_name = "N", default_value_t = Bounds::default().depth, hide_short_help = true, help_heading = "Limits")]
    pub max_depth: u32,
    /// How often a path may take the same branch in one call [default: 100, growing up to 400 while
    /// branches are uncovered]
    #[arg(
        long,
        value_name = "N",
        hide_short_help = true,
        help_heading = "Limits"
    )]
    pub max_loops: Option<u32>,
    /// Objects of the input that a path may look at [default: 8, growing up to 48 while branches
    /// are uncovered]
    #[arg(
        long,
        value_name = "N",
        hide_short_help = true,
        help_heading = "Limits"
    )]
    pub max_objects: Option<u32>,
    /// Elements that an array of the input may have [default: 4, growing up to 32 while branches
    /// are uncovered]
    #[arg(
        long,
        value_name = "N",
        hide_short_help = true,
        help_heading = "Limits"
    )]
    pub max_elements: Option<u32>,
    /// Paths explored for each method
    #[arg(long, value_name = "N", default_value_t = Bounds::default().paths, hide_short_help = true, help_heading = "Limits")]
    pub max_paths: u64,
    /// Paths in a row that cover no new branch before the search gives up
    #[arg(long, value_name = "N", default_value_t = Bounds::default().patience, hide_short_help = true, help_heading = "Limits")]
    pub patience: u64,
    /// Further inputs that are tried where there is a postcondition or a predicate; 0 for none
    #[arg(long, value_name = "N", default_value_t = Bounds::default().checks, hide_short_help = true, help_heading = "Limits")]
    pub checks: u64,
    /// Questions to the solver for each method
    #[arg(long, value_name = "N", default_value_t = Bounds::default().solver_calls, hide_short_help = true, help_heading = "Limits")]
    pub max_solver_calls: u64,
    /// Seconds for each method; 0 for no limit
    ///
    /// A search that this ends is not repeatable.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds, help_heading = "Limits")]
    pub time: Duration,
    /// Memory for the process in megabytes; when it runs out, the search stops and keeps its tests
    #[arg(long, value_name = "MB", default_value_t = Bounds::default().memory >> 20, hide_short_help = true, help_heading = "Limits")]
    pub memory: u64,
    /// Instructions after which a run is stopped
    #[arg(long, value_name = "N", default_value_t = Options::default().budgets.steps, hide_short_help = true, help_heading = "Limits")]
    pub steps: u64,
    /// The seed of the random strategy
    #[arg(long, value_name = "N", default_value_t = Options::default().seed, hide_short_help = true)]
    pub seed: u64,
    /// Threads; the tests do not depend on their number
    #[arg(long, value_name = "N", default_value_t = Options::default().jobs, hide_short_help = true)]
    pub jobs: usize,
    /// Go on when every branch is covered [default: the search ends then]
    #[arg(long, hide_short_help = true)]
    pub all_paths: bool,
    /// Find one test that executes this line [default: none]
    #[arg(long, value_name = "[FILE:]LINE")]
    pub reach: Option<String>,
}

impl SearchArguments {
    /// The options of the engine; `reach` is the place that `--reach` names.
    pub fn options(&self, reach: Option<SourceLine>) -> Options {
        let mode = match self.mode {
            Mode::Lazy { .. } => Mode::Lazy {
                filter: self.filter,
            },
            mode => mode,
        };
        let usual = Bounds::default();
        Options {
            mode,
            strategy: self.strategy,
            values: self.values,
            unfolding: self.depth,
            stop_when_covered: !self.all_paths,
            reach,
            bounds: Bounds {
                depth: self.max_depth,
                loops: self.max_loops.map_or(usual.loops, Bound::fixed),
                objects: self.max_objects.map_or(usual.objects, Bound::fixed),
                elements: self.max_elements.map_or(usual.elements, Bound::fixed),
                paths: self.max_paths,
                patience: self.patience,
                checks: self.checks,
                solver_calls: self.max_solver_calls,
                time: (!self.time.is_zero()).then_some(self.time),
                memory: self.memory.saturating_mul(1 << 20),
            },
            budgets: budgets(self.steps, self.memory.saturating_mul(1 << 20)),
            seed: self.seed,
            jobs: self.jobs.max(1),
            ..Options::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{CommandFactory, Parser};
    use heapwright_engine::NumberDomain;
    use heapwright_ir::machine::Budgets;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn parse(line: &str) -> Result<Arguments, String> {
        let words = ["generate"].into_iter().chain(line.split_whitespace());
        let parsed = Line::try_parse_from(words).map_err(|error| error.to_string());
        parsed.map(|line| line.arguments)
    }

    #[test]
    fn without_options_the_engine_gets_its_own_defaults() {
        let arguments = parse("a.impl").expect("a target is enough");
        assert_eq!(arguments.options(None), Options::default());
    }

    #[test]
    fn a_predicate_without_a_specification_is_for_inputs() {
        let mode = |line: &str| parse(line).map(|arguments| arguments.search.mode).ok();
        assert_eq!(mode("a.impl"), Some(Mode::Concolic));
        assert_eq!(mode("a.impl --repok ok"), Some(Mode::Whitebox));
        assert_eq!(mode("a.impl --repok ok --no-spec"), Some(Mode::Whitebox));
        assert_eq!(mode("a.impl --repok ok --spec a.sl"), Some(Mode::Concolic));
        assert_eq!(mode("a.impl --repok ok --mode repok"), Some(Mode::Blackbox));
    }

    #[test]
    fn every_option_reaches_the_engine() {
        let line = "a.impl --mode lazy --filter --strategy bounded:7 --values shapes:3 --depth 2 \
            --max-depth 1 --max-loops 2 --max-objects 3 --max-elements 10 --max-paths 4 --patience 9 --checks 11 --max-solver-calls 5 \
            --time 0.5 --memory 6 --steps 7 --seed 8 --jobs 9 --all-paths --scope 10 --domain key=-1..5";
        let arguments = parse(line).expect("a command line");
        let place = SourceLine { file: 0, line: 12 };
        let expected = Options {
            mode: Mode::Lazy { filter: true },
            strategy: StrategyKind::DepthBounded(7),
            values: ValueChoice::Shapes(3),
            unfolding: Some(2),
            stop_when_covered: false,
            reach: Some(place.clone()),
            bounds: Bounds {
                depth: 1,
                loops: Bound::fixed(2),
                objects: Bound::fixed(3),
                elements: Bound::fixed(10),
                paths: 4,
                patience: 9,
                checks: 11,
                solver_calls: 5,
                time: Some(Duration::from_millis(500)),
                memory: 6 << 20,
            },
            // Of six megabytes.
            budgets: Budgets {
                steps: 7,
                objects: 3072,
                array_length: 32_768,
                elements: 32_768,
                ..Options::default().budgets
            },
            seed: 8,
            jobs: 9,
            structures: StructureBounds {
                scope: 10,
                domains: vec![NumberDomain {
                    name: "key".to_owned(),
                    least: -1,
                    greatest: 5,
                }],
            },
            ..Options::default()
        };
        assert_eq!(arguments.options(Some(place)), expected);
    }

    #[test]
    fn a_limit_of_no_seconds_is_none() {
        let arguments = parse("a.impl --time 0").expect("a command line");
        assert_eq!(arguments.search.options(None).bounds.time, None);
    }

    #[test]
    fn wrong_words_are_answered_with_the_right_ones() {
        let check = |line: &str, expected: &str| {
            let error = parse(line).expect_err(line);
            assert!(error.contains(expected), "{line}: {error}");
        };
        check(
            "a.impl --mode magic",
            "there are concolic, symbolic, spec, lazy, repok, whitebox and sequences",
        );

        check("a.impl --strategy bounded", "as in bounded:20");
        check("a.impl --strategy dfs:3", "only `bounded` takes a number");
        check("a.impl --values shapes:0", "as in shapes:3");
        check("a.impl --keep some", "mutants, coverage, paths and all");
        check("a.impl --spec a.sl --no-spec", "cannot be used with");
    }

    #[test]
    fn the_help_of_every_option_says_its_default() {
        let command = Line::command();
        for argument in command.get_arguments() {
            let name = argument.get_id().as_str();
            if ["targets", "help"].contains(&name) {
                continue;
            }
            let help = [argument.get_help(), argument.get_long_help()];
            let help: String = help
                .into_iter()
                .flatten()
                .map(ToString::to_string)
                .collect();
            let shown =
                !argument.get_default_values().is_empty() && argument.get_action().takes_values();
            let said = help.contains("[default: ");
            assert!(shown || said, "--{name}");
        }
    }
}
