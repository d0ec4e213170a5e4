//! The flags that clang is run with: folders of headers, macros, the standard and the target.
//!
//! Whatever may load code or read more options is refused by name: reading a file must not run
//! anything that comes with it.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::words;
use crate::error::CError;

/// Flags whose value follows, in the same word or in the next one.
const WITH_VALUE: [&str; 7] = [
    "-isystem", "-iquote", "-include", "-target", "-I", "-D", "-U",
];

/// Flags whose value is a path.
const WITH_PATH: [&str; 4] = ["-isystem", "-iquote", "-include", "-I"];

/// Flags of compilers that are dropped together with the word behind them.
const DROPPED_WITH_VALUE: [&str; 18] = [
    "-o",
    "-x",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-L",
    "-l",
    "-T",
    "-u",
    "-e",
    "-z",
    "-arch",
    "-isysroot",
    "--sysroot",
    "-idirafter",
    "-imacros",
    "-framework",
];

/// Flags that name code to load, or files with more options.
const REFUSED: [&str; 10] = [
    "-Xclang",
    "-load",
    "-fplugin",
    "-fpass-plugin",
    "-wrapper",
    "-specs",
    "--specs",
    "--config",
    "-mllvm",
    "-include-pch",
];

/// Flags for clang.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flags {
    words: Vec<String>,
}

/// A flag that was understood: its name, and its value if it has one.
struct Flag<'w> {
    name: &'w str,
    value: Option<&'w str>,
    is_joined: bool,
}

impl Flags {
    /// The flags that are given by hand; every other one is refused.
    pub fn from_words(words: &[String]) -> Result<Flags, CError> {
        let mut flags = Flags::default();
        let mut rest = words;
        while let Some(word) = rest.first() {
            let flag = accepted(rest)?.ok_or_else(|| CError::Option(word.clone()))?;
            rest = flags.push(rest, &flag, None);
        }
        Ok(flags)
    }

    /// The flags of a file in a `compile_commands.json` with some text, `None` if it has no entry
    /// for the file. The compiler that it names is not run, and flags that do not change what the
    /// source means are dropped.
    pub fn from_compile_commands(
        json: &Path,
        text: &str,
        file: &Path,
    ) -> Result<Option<Flags>, CError> {
        let failed = |reason: String| CError::CompileCommands {
            file: json.display().to_string(),
            reason,
        };
        let entries: Vec<Value> =
            serde_json::from_str(text).map_err(|error| failed(error.to_string()))?;
        let folder = json.parent().unwrap_or(Path::new(""));
        let wanted = resolved(file);
        for entry in &entries {
            let text = |key: &str| entry.get(key).and_then(Value::as_str);
            let directory = folder.join(text("directory").unwrap_or("."));
            let Some(name) = text("file") else {
                continue;
            };
            if resolved(&directory.join(name)) != wanted {
                continue;
            }
            let arguments = match (entry.get("arguments"), text("command")) {
                (Some(Value::Array(words)), _) => words
                    .iter()
                    .map(|word| word.as_str().map(str::to_owned))
                    .collect::<Option<Vec<_>>>()
                    .ok_or_else(|| failed("an argument is no text".to_owned()))?,
                (_, Some(command)) => words::split(command),
                _ => return Err(failed(format!("the entry of {name} has no command"))),
            };
            return Flags::from_command(&arguments, &directory).map(Some);
        }
        Ok(None)
    }

    /// These flags, followed by others.
    pub fn and(mut self, more: Flags) -> Flags {
        self.words.extend(more.words);
        self
    }

    /// The flags of a compiler's command, of which the first word is the compiler.
    fn from_command(command: &[String], directory: &Path) -> Result<Flags, CError> {
        let mut flags = Flags::default();
        let mut rest = command.get(1..).unwrap_or_default();
        while let Some(word) = rest.first() {
            if let Some(flag) = accepted(rest)? {
                rest = flags.push(rest, &flag, Some(directory));
            } else if DROPPED_WITH_VALUE.contains(&word.as_str()) {
                if let Some(value) = rest.get(1).filter(|value| is_refused(value)) {
                    return Err(CError::Option(value.clone()));
                }
                rest = rest.get(2..).unwrap_or_default();
            } else {
                rest = &rest[1..];
            }
        }
        Ok(flags)
    }

    /// The words for clang.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Folders of headers that the flags call system headers.
    pub(crate) fn system_folders(&self) -> Vec<String> {
        let mut folders = Vec::new();
        let mut words = self.words.iter();
        while let Some(word) = words.next() {
            match word.strip_prefix("-isystem") {
                Some("") => folders.extend(words.next().cloned()),
                Some(folder) => folders.push(folder.to_owned()),
                None => {}
            }
        }
        folders
    }

    fn push<'w>(
        &mut self,
        words: &'w [String],
        flag: &Flag<'_>,
        directory: Option<&Path>,
    ) -> &'w [String] {
        let value = flag.value.map(|value| match directory {
            Some(directory) if WITH_PATH.contains(&flag.name) => {
                let path = directory.join(value);
                // What is included is searched in the folders of headers, too.
                match flag.name == "-include" && !path.exists() {
                    true => value.to_owned(),
                    false => path.display().to_string(),
                }
            }
            _ => value.to_owned(),
        });
        match value {
            Some(value) if flag.is_joined => self.words.push(format!("{}{value}", flag.name)),
            Some(value) => self.words.extend([flag.name.to_owned(), value]),
            None => self.words.push(flag.name.to_owned()),
        }
        let length = if flag.value.is_some() && !flag.is_joined {
            2
        } else {
            1
        };
        &words[length..]
    }
}

fn is_refused(word: &str) -> bool {
    word.starts_with('@') || REFUSED.iter().any(|refused| word.starts_with(refused))
}

/// The flag that some words begin with: `None` if it is not one that is passed on, an error if it is
/// one that must not be there.
fn accepted(words: &[String]) -> Result<Option<Flag<'_>>, CError> {
    let Some(word) = words.first() else {
        return Ok(None);
    };
    if is_refused(word) {
        return Err(CError::Option(word.clone()));
    }
    for name in WITH_VALUE {
        let Some(joined) = word.strip_prefix(name) else {
            continue;
        };
        if !joined.is_empty() {
            // `-target` is written with a space, or as `--target=`.
            if name == "-target" {
                break;
            }
            return Ok(Some(Flag {
                name,
                value: Some(joined),
                is_joined: true,
            }));
        }
        return match words.get(1) {
            Some(value) if !value.starts_with('@') => Ok(Some(Flag {
                name,
                value: Some(value),
                is_joined: false,
            })),
            Some(value) => Err(CError::Option(value.clone())),
            None => Err(CError::Option(word.clone())),
        };
    }
    let is_machine = word.starts_with("-m")
        && word.len() > 2
        && word[2..]
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "=-_.+".contains(c));
    let is_single = word.starts_with("-std=") || word.starts_with("--target=") || is_machine;
    Ok(is_single.then_some(Flag {
        name: word,
        value: None,
        is_joined: false,
    }))
}

fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn only_harmless_flags_are_passed_on() {
        let fine = flags(
            "-I include -Iother -isystem sys -iquote q -DX=1 -D Y -UZ -std=c11 -include a.h -m32 \
             -march=native -target arm-linux-gnueabi --target=arm-linux-gnueabi",
        );
        assert_eq!(
            Flags::from_words(&fine).map(|flags| flags.words),
            Ok(fine.clone())
        );
        for bad in [
            "-Xclang",
            "-fplugin=x.so",
            "@options",
            "-load",
            "-o",
            "-c",
            "-mllvm",
            "-include-pch",
            "-x",
            "-O2",
            "-Wall",
            "--config=x",
            "-specs=x",
            "-wrapper",
            "file.c",
            "-I",
        ] {
            assert_eq!(
                Flags::from_words(&flags(bad)),
                Err(CError::Option(bad.to_owned()))
            );
        }
        assert_eq!(
            Flags::from_words(&flags("-I @more")),
            Err(CError::Option("@more".to_owned()))
        );
    }

    #[test]
    fn other_flags_of_a_command_are_dropped() {
        let command = flags(
            "gcc -c -O2 -g -Wall -Iinc -I /abs -o out.o -fPIC -DX -MD -MF deps.d -std=gnu11 a.c",
        );
        let read = Flags::from_command(&command, Path::new("/build"));
        let expected = flags("-I/build/inc -I /abs -DX -std=gnu11");
        assert_eq!(read.map(|flags| flags.words), Ok(expected));
    }

    #[test]
    fn commands_that_load_code_are_refused() {
        for bad in [
            "-Xclang",
            "-fplugin=a.so",
            "-load",
            "-wrapper",
            "-specs=a",
            "@more",
            "--specs=b",
        ] {
            let command = flags(&format!("cc {bad} -c a.c"));
            assert_eq!(
                Flags::from_command(&command, Path::new("")),
                Err(CError::Option(bad.to_owned()))
            );
        }
        let hidden = flags("cc -o @more a.c");
        assert_eq!(
            Flags::from_command(&hidden, Path::new("")),
            Err(CError::Option("@more".to_owned()))
        );
    }

    #[test]
    fn the_entry_of_a_file_is_found() {
        let folder = std::env::temp_dir().join(format!("heapwright-flags-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("src")).unwrap();
        let file = folder.join("src/a b.c");
        std::fs::write(&file, "").unwrap();
        let json = folder.join("compile_commands.json");
        let name = folder.display();
        let text = format!(
            r#"[{{"directory": "{name}", "file": "src/other.c", "command": "cc -DOTHER"}},
            {{"directory": "{name}/src", "file": "a b.c",
              "command": "cc -DNAME='\"x y\"' -DZ=a\\ b -I.. -c 'a b.c'"}}]"#
        );
        let flags_of = |text: &str, file: &Path| Flags::from_compile_commands(&json, text, file);
        let read = flags_of(&text, &file).unwrap().unwrap();
        let expected = [
            "-DNAME=\"x y\"".to_owned(),
            "-DZ=a b".to_owned(),
            format!("-I{name}/src/.."),
        ];
        assert_eq!(read.words(), expected);
        let arguments = format!(
            r#"[{{"directory": "{name}", "file": "src/a b.c", "arguments": ["cc", "-D", "A=b c"]}}]"#
        );
        let read = flags_of(&arguments, &file).unwrap().unwrap();
        assert_eq!(read.words(), ["-D", "A=b c"]);
        assert_eq!(flags_of(&arguments, &folder.join("none.c")), Ok(None));
        assert!(flags_of("{", &file).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
