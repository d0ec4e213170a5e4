//! `heapwright.toml`: what a project wants `generate` to do, so that the command alone does it.
//!
//! Keys are the options of the command by their long names, and `targets`; those that bound the
//! search may also stand in a table `[budgets]`. Paths are relative to the folder of the file.
//! What the command line says wins.

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::num::{IntErrorKind, ParseIntError};
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Args, Command, FromArgMatches};
use heapwright_spec::diagnostic::did_you_mean;
use toml::de::{DeTable, DeValue};

use super::Arguments;
use crate::failure::{Failure, read};

/// The name of the file.
pub const FILE: &str = "heapwright.toml";

/// What is said where nothing says what is tested.
const NOTHING: &str = "what shall be tested? Name a TARGET (pkg.Class, pkg.Class#method or \
    FILE.impl), or write a heapwright.toml, which is neither in this folder nor in one above";

/// The key for what is tested.
const TARGETS: &str = "targets";

/// The table for bounds.
const BUDGETS: &str = "budgets";

/// The options that may stand in that table.
const BOUNDS: [&str; 13] = [
    "time",
    "memory",
    "steps",
    "depth",
    "scope",
    "patience",
    "checks",
    "max-depth",
    "max-loops",
    "max-objects",
    "max-elements",
    "max-paths",
    "max-solver-calls",
];

/// Options whose values are paths.
const PATHS: [&str; 12] = [
    "spec",
    "out",
    "json",
    "svg",
    "dot",
    "jdk",
    "tools",
    "report",
    "jacoco",
    "cobertura",
    "lcov",
    "sarif",
];

/// Options whose values are lists of paths.
const PATH_LISTS: [&str; 3] = ["classpath", "sources", "specs"];

/// Pairs of options that exclude each other.
const EXCLUSIVE: [(&str, &str); 3] = [
    ("spec", "no-spec"),
    ("specs", "no-spec"),
    ("quiet", "verbose"),
];

impl Arguments {
    /// Adds what the configuration file says, if it is wanted: if one is named, or no target is.
    /// `words` is what stood behind `generate`.
    pub fn configured(&self, words: &[OsString]) -> Result<Arguments, Failure> {
        let file = match &self.config {
            Some(file) => Some(file.clone()),
            None => match (find(), self.targets.is_empty()) {
                (Some(file), true) => Some(file),
                (None, true) => return Err(Failure::Unfit(NOTHING.to_owned())),
                (Some(file), false) => {
                    self.mention(&file);
                    None
                }
                (None, false) => None,
            },
        };
        let Some(file) = file else {
            return Ok(self.clone());
        };
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        let configuration = Configuration::read(&file, &read(&file)?, &folder)?;
        let given = matches(words).map_err(|error| Failure::Unfit(error.to_string()))?;
        let arguments = configuration.complete(&given, words)?;
        if arguments.targets.is_empty() {
            let file = file.display();
            let message = format!("{file} has no `{TARGETS}`; add some, or name a TARGET");
            return Err(Failure::Unfit(message));
        }
        Ok(arguments)
    }

    /// What a configuration file alone says.
    pub fn of_configuration(text: &str, folder: &Path) -> Result<Arguments, Failure> {
        let configuration = Configuration::read(&folder.join(FILE), text, folder)?;
        let given = matches(&[]).map_err(|error| Failure::Unfit(error.to_string()))?;
        configuration.complete(&given, &[])
    }

    /// Somebody at a terminal may believe that the file is read.
    fn mention(&self, file: &Path) {
        if !self.quiet && io::stderr().is_terminal() {
            let file = file.display();
            let _ = writeln!(
                io::stderr(),
                "{file} is not read, since a target is named; --config {file} reads it"
            );
        }
    }
}

/// The file in the current folder or the nearest one above it, relative to the current folder.
fn find() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let mut relative = PathBuf::new();
    for folder in here.ancestors() {
        if folder.join(FILE).is_file() {
            return Some(relative.join(FILE));
        }
        relative.push("..");
    }
    None
}

fn command() -> Command {
    Arguments::augment_args(Command::new("heapwright generate"))
}

fn matches(words: &[OsString]) -> Result<ArgMatches, clap::Error> {
    let name = OsString::from("generate");
    command().try_get_matches_from(std::iter::once(&name).chain(words))
}

/// Whether a value was refused because a whole number without a sign was expected.
fn is_no_whole_number(error: &clap::Error) -> bool {
    let reason = error.source().and_then(|reason| reason.downcast_ref());
    reason.is_some_and(|reason: &ParseIntError| {
        matches!(
            reason.kind(),
            IntErrorKind::InvalidDigit | IntErrorKind::Empty
        )
    })
}

/// What a file says.
#[derive(Debug, Default)]
struct Configuration {
    /// Options with their words for the command line.
    options: Vec<(String, Vec<String>)>,
    targets: Vec<String>,
}

/// A text that is being read.
struct Reader<'t> {
    file: &'t Path,
    text: &'t str,
    folder: &'t Path,
    command: Command,
}

impl Configuration {
    fn read(file: &Path, text: &str, folder: &Path) -> Result<Configuration, Failure> {
        let reader = Reader {
            file,
            text,
            folder,
            command: command(),
        };
        let table = DeTable::parse(text)
            .map_err(|error| reader.problem(error.span(), error.message().trim()))?;
        let mut configuration = Configuration::default();
        for (key, value) in table.get_ref() {
            let (name, place) = (key.get_ref().as_ref(), key.span());
            match (name, value.get_ref()) {
                (TARGETS, value) => {
                    let targets = reader.texts(name, place, value)?.into_iter();
                    configuration.targets = targets.map(|text| reader.target(text)).collect();
                }
                (BUDGETS, DeValue::Table(budgets)) => {
                    for (key, value) in budgets {
                        let (name, place) = (key.get_ref().as_ref(), key.span());
                        if !BOUNDS.contains(&name) {
                            return Err(reader.unknown(name, place, &BOUNDS));
                        }
                        let option = reader.option(name, place, value.get_ref())?;
                        configuration.options.push(option);
                    }
                }
                (BUDGETS, _) => {
                    let message = format!("`{BUDGETS}` is a table: write [{BUDGETS}]");
                    return Err(reader.problem(Some(place), &message));
                }
                (name, value) => {
                    let option = reader.option(name, place, value)?;
                    configuration.options.push(option);
                }
            }
        }
        Ok(configuration)
    }

    /// The command line with what the file says in front.
    fn complete(&self, given: &ArgMatches, words: &[OsString]) -> Result<Arguments, Failure> {
        let command = command();
        let is_given = |long: &str| {
            let mut arguments = command.get_arguments();
            let known = arguments.find(|argument| argument.get_long() == Some(long));
            let source = known.and_then(|known| given.value_source(known.get_id().as_str()));
            source == Some(ValueSource::CommandLine)
        };
        let is_overruled = |long: &str| {
            let mut pairs = EXCLUSIVE.iter();
            is_given(long)
                || pairs.any(|&(one, other)| {
                    (one == long && is_given(other)) || (other == long && is_given(one))
                })
        };
        let options = self.options.iter();
        let options = options.filter(|(long, _)| !is_overruled(long));
        let mut line: Vec<OsString> = options
            .flat_map(|(_, words)| words.iter().map(OsString::from))
            .collect();
        line.extend(words.iter().cloned());
        if given.value_source("targets").is_none() {
            line.extend(self.targets.iter().map(OsString::from));
        }
        let unfit = |error: clap::Error| Failure::Unfit(error.to_string());
        let matches = matches(&line).map_err(unfit)?;
        Arguments::from_arg_matches(&matches).map_err(unfit)
    }
}

impl Reader<'_> {
    /// An option, with its words for the command line.
    fn option(
        &self,
        name: &str,
        place: Range<usize>,
        value: &DeValue<'_>,
    ) -> Result<(String, Vec<String>), Failure> {
        let options = || {
            let arguments = self.command.get_arguments();
            arguments.filter(|argument| argument.get_long() != Some("config"))
        };
        let Some(argument) = options().find(|argument| argument.get_long() == Some(name)) else {
            let mut known: Vec<&str> = options().filter_map(|known| known.get_long()).collect();
            known.extend([TARGETS, BUDGETS]);
            return Err(self.unknown(name, place, &known));
        };
        if !argument.get_action().takes_values() {
            let DeValue::Boolean(wanted) = value else {
                let message = format!("`{name}` is either true or false");
                return Err(self.problem(Some(place), &message));
            };
            let words = wanted.then(|| format!("--{name}")).into_iter().collect();
            return Ok((name.to_owned(), words));
        }
        let mut values = self.texts(name, place.clone(), value)?;
        let is_path = PATHS.contains(&name) || PATH_LISTS.contains(&name);
        if PATH_LISTS.contains(&name) {
            let separate = |text: &String| std::env::split_paths(text).collect::<Vec<_>>();
            let paths = values.iter().flat_map(separate);
            let paths = paths.map(|path| self.folder.join(path));
            let joined = std::env::join_paths(paths);
            let joined =
                joined.map_err(|error| self.problem(Some(place.clone()), &error.to_string()))?;
            values = vec![joined.to_string_lossy().into_owned()];
        } else if is_path {
            for value in &mut values {
                // `-` is standard output, not a file.
                if value != "-" {
                    *value = self.folder.join(&*value).display().to_string();
                }
            }
        }
        let several = matches!(argument.get_action(), ArgAction::Append);
        if values.len() != 1 && !several {
            let message = format!("`{name}` has one value");
            return Err(self.problem(Some(place), &message));
        }
        let words = values.iter().map(|value| format!("--{name}={value}"));
        let words: Vec<String> = words.collect();
        let line: Vec<OsString> = words.iter().map(OsString::from).collect();
        match matches(&line) {
            Ok(_) => Ok((name.to_owned(), words)),
            Err(error) if is_no_whole_number(&error) => {
                let given = values.join(", ");
                let message = format!("`{name}` is a whole number, 0 or more; `{given}` is not");
                Err(self.problem(Some(place), &message))
            }
            Err(error) => {
                let text = error.to_string();
                let first = text.lines().next().unwrap_or_default();
                let first = first.strip_prefix("error: ").unwrap_or(first);
                Err(self.problem(Some(place), first))
            }
        }
    }

    /// A target; programs are files, whose paths are relative to the folder.
    fn target(&self, text: String) -> String {
        let file = text.split('#').next().unwrap_or(&text);
        match Path::new(file).extension() {
            Some(ending) if ending == "impl" => self.folder.join(text).display().to_string(),
            _ => text,
        }
    }

    /// A value, or the values of an array, as texts.
    fn texts(
        &self,
        name: &str,
        place: Range<usize>,
        value: &DeValue<'_>,
    ) -> Result<Vec<String>, Failure> {
        let text = |value: &DeValue<'_>| match value {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Integer(number) => Some(number.to_string()),
            DeValue::Float(number) => Some(number.to_string()),
            _ => None,
        };
        let texts = match value {
            DeValue::Array(values) => values.iter().map(|value| text(value.get_ref())).collect(),
            value => text(value).map(|text| vec![text]),
        };
        texts.ok_or_else(|| {
            let message = format!("`{name}` is a text or a number, or a list of these");
            self.problem(Some(place), &message)
        })
    }

    fn unknown(&self, name: &str, place: Range<usize>, known: &[&str]) -> Failure {
        let help = did_you_mean(name, known.iter().copied());
        let help = help.map_or_else(
            || "; the keys are the long options of `heapwright generate --help`".to_owned(),
            |help| format!("; {help}"),
        );
        self.problem(Some(place), &format!("there is no key `{name}`{help}"))
    }

    /// `heapwright.toml:3: ...`
    fn problem(&self, place: Option<Range<usize>>, message: &str) -> Failure {
        let before = place.and_then(|place| self.text.get(..place.start));
        let line = before.map_or(1, |before| before.matches('\n').count() + 1);
        Failure::Unfit(format!("{}:{line}: {message}", self.file.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete(text: &str, words: &[&str]) -> Result<Arguments, String> {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        let file = Path::new("up/heapwright.toml");
        let read = Configuration::read(file, text, Path::new("up"));
        let given = matches(&words).map_err(|error| error.to_string())?;
        let arguments = read.and_then(|configuration| configuration.complete(&given, &words));
        arguments.map_err(|failure| failure.to_string())
    }

    #[test]
    fn a_file_gives_options_and_the_command_line_wins() {
        let text = "targets = ['a.B', 'a.C#m']\nclasspath = ['x', 'y.jar']\nout = 'tests'\n\
            junit = 4\nverify = true\nquiet = false\nmode = 'symbolic'\ndomain = ['k=0..1', 'l=0..2']\n\
            [budgets]\ntime = 1.5\nmax-paths = 7\n";
        let arguments = complete(text, &[]).expect("a configuration");
        assert_eq!(arguments.targets, ["a.B", "a.C#m"]);
        let paths = [PathBuf::from("up/x"), PathBuf::from("up/y.jar")];
        assert_eq!(arguments.java.class_path.class_path(), paths);
        assert_eq!(arguments.out, Some(PathBuf::from("up/tests")));
        assert!(arguments.java.verify && !arguments.quiet);
        let options = arguments.options(None);
        assert_eq!(options.bounds.paths, 7);
        assert_eq!(options.bounds.time.map(|time| time.as_millis()), Some(1500));
        assert_eq!(options.structures.domains.len(), 2);
        let words = ["a.D", "--out", "here", "--max-paths=9", "-v"];
        let arguments = complete(text, &words).expect("a configuration");
        assert_eq!(arguments.targets, ["a.D"]);
        assert_eq!(arguments.out, Some(PathBuf::from("here")));
        assert_eq!(arguments.options(None).bounds.paths, 9);
    }

    #[test]
    fn options_that_exclude_each_other_are_the_command_lines() {
        let arguments = complete("spec = 'a.sl'\nquiet = true", &["--no-spec", "-v", "a.B"]);
        let arguments = arguments.expect("a configuration");
        assert!(arguments.specification.no_spec && arguments.verbose && !arguments.quiet);
        assert_eq!(arguments.specification.spec, None);
    }

    #[test]
    fn a_file_with_typing_errors_is_read_or_the_line_is_named() {
        let text = "targets = ['a.B']\nout = 'tests'\n[budgets]\ntime = 1.5\n";
        for position in 0..text.len() {
            for put in ["", "=", "'", "\n", "[", "é"] {
                let mutant = format!("{}{put}{}", &text[..position], &text[position + 1..]);
                if let Err(error) = complete(&mutant, &[]) {
                    let line = error
                        .strip_prefix("up/heapwright.toml:")
                        .unwrap_or_default();
                    let line = line
                        .split(':')
                        .next()
                        .and_then(|line| line.parse::<usize>().ok());
                    let last = mutant.matches('\n').count() + 1;
                    assert!(line.is_some_and(|line| line <= last), "{mutant}\n{error}");
                }
            }
        }
    }

    #[test]
    fn mistakes_are_told_with_their_lines() {
        let check = |text: &str, expected: &str| {
            let error = complete(text, &[]).expect_err(text);
            assert_eq!(error, format!("up/heapwright.toml:{expected}"));
        };
        let there = "there is no key";
        check(
            "out = 'a'\n\nclaspath = 'b'",
            &format!("3: {there} `claspath`; did you mean `classpath`?"),
        );
        check(
            "target = 'b'",
            &format!("1: {there} `target`; did you mean `targets`?"),
        );
        check(
            "\n[budgets]\nmaxpaths = 1",
            &format!("3: {there} `maxpaths`; did you mean `max-paths`?"),
        );
        check("verify = 1", "1: `verify` is either true or false");
        check("out = ['a', 'b']", "1: `out` has one value");
        check(
            "out = 'a'\nmax-objects = 'ten'",
            "2: `max-objects` is a whole number, 0 or more; `ten` is not",
        );
        check("budgets = 3", "1: `budgets` is a table: write [budgets]");
        let error = complete("\nmode = 'magic'", &[]).expect_err("no mode");
        assert!(
            error.starts_with("up/heapwright.toml:2: invalid value 'magic'"),
            "{error}"
        );
        let error = complete("\nmode = ", &[]).expect_err("no value");
        assert!(error.starts_with("up/heapwright.toml:2: "), "{error}");
    }
}
