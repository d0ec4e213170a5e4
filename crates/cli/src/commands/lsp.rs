//! `lsp`: specifications in an editor.

use std::io::{self, Write};
use std::path::Path;

use heapwright_explain::Labels;
use heapwright_lsp::{World, classes_of, serve};
use heapwright_spec::questions::{Notation, QuestionFile};
use heapwright_spec::{ImportRequest, Source, SpecError};

use super::generate::ClassPathArguments;
use crate::failure::{CommandStatus, Failure};
use crate::frontends::{self, Classes};
use crate::{input, project};

/// Serve an editor: errors, explanations, completion and formatting of .sl files
///
/// Speaks the Language Server Protocol on standard input and output. docs/EDITORS.md says how VS
/// Code and Neovim start it.
#[derive(clap::Args)]
pub struct Arguments {
    /// Accepted because many editors pass it: there is no other way of talking
    #[arg(long, hide = true)]
    stdio: bool,
    #[command(flatten)]
    class_path: ClassPathArguments,
}

/// Runs the command.
pub fn run(arguments: &Arguments, mut out: &mut dyn Write) -> Result<CommandStatus, Failure> {
    let files = Files {
        classes: arguments.class_path.classes(),
    };
    match serve(io::stdin(), &mut out, &files)? {
        true => Ok(CommandStatus::Decided),
        // The editor went away without a word.
        false => Ok(CommandStatus::Refuted),
    }
}

/// Files and classes of the project that the editor shows.
struct Files<'a> {
    classes: Classes<'a>,
}

impl World for Files<'_> {
    fn import(&self, request: ImportRequest<'_>) -> Result<Source, String> {
        input::import(request)
    }

    fn read(&self, path: &Path, text: &str) -> Result<QuestionFile, SpecError> {
        project::trust_beside(path);
        let source = || Source {
            name: path.display().to_string(),
            text: text.to_owned(),
        };
        let notation = Notation::of(path).unwrap_or(Notation::Specification);
        let alone = QuestionFile::read(notation, source(), &mut input::import);
        let beside = input::c_beside_text(path, text);
        let Err(error) = alone else {
            return alone;
        };
        let needs_code = |message: &str| {
            message.contains("unknown class") || message.contains("the fields of class")
        };
        if !error
            .diagnostics()
            .iter()
            .any(|error| needs_code(&error.message))
        {
            return Err(error);
        }
        let class =
            beside.or_else(|| frontends::class_named(&self.classes, &classes_of(path, text)));
        let with_code = class.and_then(|class| {
            frontends::questions_of(&class, &self.classes, notation, source()).ok()
        });
        with_code.unwrap_or(Err(error))
    }

    fn labels(&self) -> &dyn Labels {
        frontends::LABELS
    }
}
