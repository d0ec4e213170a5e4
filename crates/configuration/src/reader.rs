//! The text of a configuration file, read and checked key by key.

use std::error::Error;
use std::ffi::OsString;
use std::num::{IntErrorKind, ParseIntError};
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::{ArgAction, Command};
use heapwright_spec::diagnostic::did_you_mean;
use toml::de::{DeTable, DeValue};

use crate::{Configuration, Mistake, Setting, TARGETS};

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
const PATHS: [&str; 13] = [
    "spec",
    "compile-commands",
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

impl Configuration {
    /// What the text of a file says about a command. Paths are relative to the folder.
    pub fn read(
        command: &Command,
        file: &Path,
        text: &str,
        folder: &Path,
    ) -> Result<Configuration, Mistake> {
        let reader = Reader {
            command,
            text,
            folder,
        };
        let table = DeTable::parse(text)
            .map_err(|error| reader.problem(error.span(), error.message().trim()))?;
        let mut configuration = Configuration {
            file: file.to_owned(),
            ..Configuration::default()
        };
        for (key, value) in table.get_ref() {
            let (name, place) = (key.get_ref().as_ref(), key.span());
            match (name, value.get_ref()) {
                (TARGETS, value) => {
                    let texts = reader.texts(name, place.clone(), value)?;
                    let targets: Vec<(String, Option<PathBuf>)> =
                        texts.into_iter().map(|text| reader.target(text)).collect();
                    configuration.targets = Setting {
                        long: TARGETS.to_owned(),
                        paths: (targets.iter())
                            .filter_map(|(_, path)| path.clone())
                            .collect(),
                        words: targets.into_iter().map(|(text, _)| text).collect(),
                        line: reader.line(&place),
                    };
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
}

/// A text that is being read.
struct Reader<'t> {
    command: &'t Command,
    text: &'t str,
    folder: &'t Path,
}

impl Reader<'_> {
    /// An option, with its words for the command line.
    fn option(
        &self,
        name: &str,
        place: Range<usize>,
        value: &DeValue<'_>,
    ) -> Result<Setting, Mistake> {
        let line = self.line(&place);
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
            return Ok(Setting {
                long: name.to_owned(),
                words,
                line,
                paths: Vec::new(),
            });
        }
        let mut paths: Vec<PathBuf> = Vec::new();
        let mut values = self.texts(name, place.clone(), value)?;
        let is_path = PATHS.contains(&name) || PATH_LISTS.contains(&name);
        if PATH_LISTS.contains(&name) {
            let separate = |text: &String| std::env::split_paths(text).collect::<Vec<_>>();
            let separated = values.iter().flat_map(separate);
            paths = separated.map(|path| self.folder.join(path)).collect();
            let joined = std::env::join_paths(&paths);
            let joined =
                joined.map_err(|error| self.problem(Some(place.clone()), &error.to_string()))?;
            values = vec![joined.to_string_lossy().into_owned()];
        } else if is_path {
            for value in &mut values {
                // `-` is standard output, not a file.
                if value != "-" {
                    let path = self.folder.join(&*value);
                    *value = path.display().to_string();
                    paths.push(path);
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
        let checked: Vec<OsString> = words.iter().map(OsString::from).collect();
        let line_of_command = std::iter::once(OsString::from("generate")).chain(checked);
        match self.command.clone().try_get_matches_from(line_of_command) {
            Ok(_) => Ok(Setting {
                long: name.to_owned(),
                words,
                line,
                paths,
            }),
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
    fn target(&self, text: String) -> (String, Option<PathBuf>) {
        let file = text.split('#').next().unwrap_or(&text);
        match Path::new(file).extension() {
            Some(ending) if ending == "impl" || ending == "c" => {
                let path = self.folder.join(file);
                let text = self.folder.join(&text).display().to_string();
                (text, Some(path))
            }
            _ => (text, None),
        }
    }

    /// A value, or the values of an array, as texts.
    fn texts(
        &self,
        name: &str,
        place: Range<usize>,
        value: &DeValue<'_>,
    ) -> Result<Vec<String>, Mistake> {
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

    fn unknown(&self, name: &str, place: Range<usize>, known: &[&str]) -> Mistake {
        let help = did_you_mean(name, known.iter().copied());
        let help = help.map_or_else(
            || "; the keys are the long options of `heapwright generate --help`".to_owned(),
            |help| format!("; {help}"),
        );
        self.problem(Some(place), &format!("there is no key `{name}`{help}"))
    }

    fn problem(&self, place: Option<Range<usize>>, message: &str) -> Mistake {
        Mistake {
            line: place.map_or(1, |place| self.line(&place)),
            message: message.to_owned(),
        }
    }

    fn line(&self, place: &Range<usize>) -> usize {
        let before = self.text.get(..place.start);
        before.map_or(1, |before| before.matches('\n').count() + 1)
    }
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
