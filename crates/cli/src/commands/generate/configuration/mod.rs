//! `heapwright.toml`: what a project wants `generate` to do, so that the command alone does it; and
//! what the user wants it to do everywhere.
//!
//! Keys are the options of the command by their long names, and `targets`; those that bound the
//! search may also stand in a table `[budgets]`. Paths are relative to the folder of the file.
//! What the command line says wins, then the project's file, then the user's own; but what is run
//! is for the user alone to say ([`heapwright_configuration::guard`]).

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::Arguments;
use crate::failure::Failure;
use crate::project;
use crate::usage::UsageError;
use heapwright_configuration::{Configuration, Mistake, TARGETS, guard};
use heapwright_files::{reading, resolve};

/// The name of the file.
pub const FILE: &str = "heapwright.toml";

/// The user's own file, in the folder for configurations.
const USER_FILE: &str = "heapwright/config.toml";

impl Arguments {
    /// Adds what the configuration files say: that of the project if it is wanted, because it is
    /// named or no target is, and the user's own. `words` is what stood behind `generate`.
    pub fn configured(&self, words: &[OsString]) -> Result<Arguments, Failure> {
        let file = match &self.config {
            Some(file) => Some(file.clone()),
            None => match (find(), self.targets.is_empty()) {
                (Some(file), true) => {
                    if file.components().count() > 1 {
                        say(&format!("{} is used, from a folder above", file.display()));
                    }
                    Some(file)
                }
                (None, true) => return Err(UsageError::NoTarget.into()),
                (Some(file), false) => {
                    self.mention(&file);
                    None
                }
                (None, false) => None,
            },
        };
        let project = match file {
            Some(file) => Some(of_project(&file)?),
            None => None,
        };
        let user = user_configuration()?;
        let given = matches(words)?;
        let arguments = complete(project.as_ref(), user.as_ref(), &given, words)?;
        if let (true, Some((project, _))) = (arguments.targets.is_empty(), &project) {
            return Err(UsageError::NoTargetConfigured(project.file.clone()).into());
        }
        Ok(arguments)
    }

    /// What the configuration file of a project alone says.
    pub fn of_configuration(text: &str, folder: &Path) -> Result<Arguments, Failure> {
        let configuration = read(&folder.join(FILE), text, folder)?;
        let configuration = guard::without_running(configuration, None).configuration;
        let root = root_of(folder)?;
        let given = matches(&[])?;
        complete(Some(&(configuration, root)), None, &given, &[])
    }

    /// Somebody at a terminal may believe that the file is read.
    fn mention(&self, file: &Path) {
        if !self.quiet && io::stderr().is_terminal() {
            let file = file.display();
            say(&format!(
                "{file} is not read, since a target is named; --config {file} reads it"
            ));
        }
    }
}

/// What the user should know before anything happens.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Reads the file of a project, and says what of it does not count. The second part is the folder
/// that its outputs do not leave.
fn of_project(file: &Path) -> Result<(Configuration, PathBuf), Failure> {
    let unreadable = |source| Failure::Read {
        path: file.to_owned(),
        source,
    };
    let folder = file.parent().unwrap_or(Path::new("")).to_owned();
    let root = root_of(&folder)?;
    let real = file.canonicalize().map_err(unreadable)?;
    if !real.starts_with(&root) {
        return Err(UsageError::ConfigurationElsewhere(file.to_owned(), real).into());
    }
    let text = reading::regular(file).map_err(unreadable)?;
    let guarded = guard::without_running(read(file, &text, &folder)?, user_file().as_deref());
    for line in guarded.refused {
        say(&line);
    }
    project::configured_in(root.clone());
    Ok((guarded.configuration, root))
}

/// The folder of a project, without links.
fn root_of(folder: &Path) -> Result<PathBuf, Failure> {
    resolve(&match folder.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => folder.to_owned(),
    })
    .map_err(|source| Failure::Read {
        path: folder.to_owned(),
        source,
    })
}

/// What the user's own file says, if there is one.
fn user_configuration() -> Result<Option<Configuration>, Failure> {
    let Some(file) = user_file().filter(|file| file.exists()) else {
        return Ok(None);
    };
    let text = reading::regular(&file).map_err(|source| Failure::Read {
        path: file.clone(),
        source,
    })?;
    let folder = file.parent().unwrap_or(Path::new("")).to_owned();
    let configuration = read(&file, &text, &folder)?;
    if !configuration.targets.words.is_empty() {
        return Err(Failure::Configuration {
            file,
            line: configuration.targets.line,
            problem: format!("`{TARGETS}` belongs into a project's {FILE}"),
        });
    }
    Ok(Some(configuration))
}

/// Where the user's own file is: `$XDG_CONFIG_HOME/heapwright/config.toml`, or below `~/.config`.
/// A folder that is not absolute would be one of whatever project is worked on.
fn user_file() -> Option<PathBuf> {
    let folder = |name: &str| {
        let value = std::env::var_os(name).filter(|value| !value.is_empty())?;
        Some(PathBuf::from(value)).filter(|folder| folder.is_absolute())
    };
    let configurations =
        folder("XDG_CONFIG_HOME").or_else(|| Some(folder("HOME")?.join(".config")))?;
    Some(configurations.join(USER_FILE))
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

/// The command line with what the files say in front. The project comes with the folder that its
/// outputs do not leave.
fn complete(
    project: Option<&(Configuration, PathBuf)>,
    user: Option<&Configuration>,
    given: &ArgMatches,
    words: &[OsString],
) -> Result<Arguments, Failure> {
    let mut said = given_options(given);
    let mut line: Vec<OsString> = Vec::new();
    if let Some((configuration, root)) = project {
        let used = configuration.used(&said);
        let mut settings = used.clone();
        if given.value_source(TARGETS).is_none() {
            settings.push(&configuration.targets);
        }
        for setting in settings {
            let checked = setting.check(root);
            let checked = checked.map_err(|mistake| wrong(&configuration.file, mistake))?;
            for output in checked.outputs {
                project::confine(&output, root);
            }
            for path in checked.outside {
                let (file, number) = (configuration.file.display(), setting.line);
                let path = path.display();
                say(&format!(
                    "{file}:{number}: {path} is read, which is outside of the project"
                ));
            }
        }
        line.extend(used.iter().flat_map(|setting| setting.words()));
        said.extend(used.iter().map(|setting| setting.long.clone()));
    }
    let mut own = given_options(given);
    if let Some(configuration) = user {
        let used = configuration.used(&said);
        line.extend(used.iter().flat_map(|setting| setting.words()));
        own.extend(used.iter().map(|setting| setting.long.clone()));
    }
    // Targets come first: what stands behind `--` are flags.
    if let (true, Some((configuration, _))) = (given.value_source(TARGETS).is_none(), project) {
        line.extend(configuration.targets.words());
    }
    line.extend(words.iter().cloned());
    let arguments = Arguments::from_arg_matches(&matches(&line)?)?;
    arguments.remember_folders(&own, given.value_source(TARGETS).is_some());
    Ok(arguments)
}

impl Arguments {
    /// What the user named may be quoted, and what is written into folders stays there; `own` are
    /// the options that the user gave.
    fn remember_folders(&self, own: &BTreeSet<String>, own_targets: bool) {
        let is_own = |long: &str| own.contains(long);
        let outputs = [&self.out, &self.svg, &self.dot, &self.reports.report];
        for (long, folder) in guard::OUTPUT_FOLDERS.iter().zip(outputs) {
            if let Some(folder) = folder.as_ref().filter(|_| is_own(long)) {
                project::confine_below(folder);
            }
        }
        if let Some(file) = self.specification.spec.as_ref().filter(|_| is_own("spec")) {
            project::trust_beside(file);
        }
        let commands = self.c.compile_commands.as_ref();
        if let Some(file) = commands.filter(|_| is_own("compile-commands")) {
            project::trust_beside(file);
        }
        let lists = [
            ("classpath", &self.java.class_path.classpath),
            ("sources", &self.java.sources),
            ("specs", &self.java.specs),
        ];
        for (_, list) in lists.into_iter().filter(|(long, _)| is_own(long)) {
            for entry in list.iter().flat_map(std::env::split_paths) {
                match entry.is_dir() {
                    true => project::trust(&entry),
                    false => project::trust_beside(&entry),
                }
            }
        }
        for target in self.targets.iter().filter(|_| own_targets) {
            let file = Path::new(target.split('#').next().unwrap_or(target));
            if file.is_file() {
                project::trust_beside(file);
            }
        }
    }
}

/// The options of the command line, by their long names.
fn given_options(given: &ArgMatches) -> BTreeSet<String> {
    let command = command();
    let arguments = command.get_arguments();
    let is_given = |id: &str| given.value_source(id) == Some(ValueSource::CommandLine);
    let given = arguments.filter(|argument| is_given(argument.get_id().as_str()));
    given
        .filter_map(|argument| Some(argument.get_long()?.to_owned()))
        .collect()
}

/// What the text of a file says.
fn read(file: &Path, text: &str, folder: &Path) -> Result<Configuration, Failure> {
    Configuration::read(&command(), file, text, folder).map_err(|mistake| wrong(file, mistake))
}

fn wrong(file: &Path, mistake: Mistake) -> Failure {
    Failure::Configuration {
        file: file.to_owned(),
        line: mistake.line,
        problem: mistake.message,
    }
}

/// The words of a command line that decide its results.
pub fn deciding(words: &[OsString]) -> Vec<String> {
    heapwright_configuration::deciding(&command(), words)
}

/// The command line, as its parser knows it.
fn command() -> Command {
    Arguments::augment_args(Command::new("heapwright generate"))
}

/// What words behind the name of the command say.
fn matches(words: &[OsString]) -> Result<ArgMatches, clap::Error> {
    let name = OsString::from("generate");
    command().try_get_matches_from(std::iter::once(&name).chain(words))
}
