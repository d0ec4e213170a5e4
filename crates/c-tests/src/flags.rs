//! Where the flags of a source file come from.

use std::path::{Path, PathBuf};

use heapwright_c::CError;
use heapwright_c::clang::Flags;
use heapwright_testgen::Error;
use heapwright_testgen::host::{Host, Warning};

/// The name under which build tools write the flags of all files.
const FILE: &str = "compile_commands.json";

/// The folder that build tools write it into, if not beside the sources.
const BUILD: &str = "build";

/// Where the `compile_commands.json` is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CompileCommands {
    /// This one, which has to have an entry for the source.
    File(PathBuf),
    /// The first one in the folder of the source and those above it, up to this one, or in their
    /// folders `build`.
    Within(PathBuf),
    /// There is none.
    None,
}

/// The flags for a source file: those of its build, and then the ones that were given by hand.
pub(crate) fn of(
    source: &Path,
    given: &[String],
    commands: &CompileCommands,
    host: &dyn Host,
) -> Result<Flags, Error> {
    let given = Flags::from_words(given).map_err(Error::code)?;
    Ok(of_build(source, commands, host)?.and(given))
}

fn of_build(source: &Path, commands: &CompileCommands, host: &dyn Host) -> Result<Flags, Error> {
    let (json, text) = match commands {
        CompileCommands::None => return Ok(Flags::default()),
        CompileCommands::File(json) => (json.clone(), host.read(json)?),
        CompileCommands::Within(root) => match find(source, root) {
            Some((folder, json)) => {
                let text = host.read_found(&json, &folder)?;
                (json, text)
            }
            None => return Ok(Flags::default()),
        },
    };
    let flags = Flags::from_compile_commands(&json, &text, source).map_err(Error::code)?;
    match (flags, commands) {
        (Some(flags), _) => Ok(flags),
        (None, CompileCommands::File(_)) => Err(Error::code(CError::CompileCommands {
            file: json.display().to_string(),
            reason: format!("it has no entry for {}", source.display()),
        })),
        (None, _) => {
            let message = format!("has no entry for {}", source.display());
            host.warn(&Warning::InFile {
                file: &json,
                message: &message,
            });
            Ok(Flags::default())
        }
    }
}

/// The folder that has a `compile_commands.json`, and its path.
fn find(source: &Path, root: &Path) -> Option<(PathBuf, PathBuf)> {
    let source = source.canonicalize().ok()?;
    let root = root.canonicalize().ok()?;
    let folders = source.ancestors().skip(1);
    let mut folders = folders.take_while(|folder| folder.starts_with(&root));
    folders.find_map(|folder| {
        let places = [folder.to_owned(), folder.join(BUILD)];
        let mut files = places.iter().map(|place| place.join(FILE));
        let file = files.find(|file| file.is_file())?;
        Some((folder.to_owned(), file))
    })
}
