//! Files that commands are given: read, and what is wrong with them told.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use heapwright_files::reading;
use heapwright_spec::diagnostic::{Diagnostic, Severity, SourceMap, Span, Style, render_all};
use heapwright_spec::questions::{Notation, QuestionFile};
use heapwright_spec::{ImportRequest, Source, SpecError, library};

use crate::failure::{Failure, read};
use crate::frontends::{self, Classes};
use crate::project;
use crate::usage::UsageError;

/// Reads a file, or a module of the library where a bare name is given that no file has. Warnings
/// go to standard error.
pub fn load(path: &Path) -> Result<QuestionFile, Failure> {
    project::trust_beside(path);
    if let Some(source) = c_beside(path) {
        let nothing = Classes {
            jdk: None,
            path: Vec::new(),
        };
        return load_for_class(path, &source, &nothing);
    }
    let name = library::plain(path).display().to_string();
    let (notation, source) = match library::module(&name) {
        Some(source) if !path.exists() => (Notation::Specification, source),
        _ => {
            let notation = notation(path)?;
            let text = read(path)?;
            (notation, Source { name, text })
        }
    };
    let file = QuestionFile::read(notation, source, &mut import).map_err(rejected)?;
    warn(&file.sources, &file.warnings);
    Ok(file)
}

/// Reads a file; if it is the specification of a class that is named, with the classes of the code.
pub fn load_for(
    path: &Path,
    class: Option<&str>,
    classes: &Classes<'_>,
) -> Result<QuestionFile, Failure> {
    match class {
        None => load(path).map_err(with_class_hint),
        Some(class) => load_for_class(path, class, classes),
    }
}

/// Reads a specification of a class, with the classes of the code.
pub fn load_for_class(
    path: &Path,
    class: &str,
    classes: &Classes<'_>,
) -> Result<QuestionFile, Failure> {
    project::trust_beside(path);
    let source = Source {
        name: library::plain(path).display().to_string(),
        text: read(path)?,
    };
    let notation = Notation::of(path).unwrap_or(Notation::Specification);
    let file = frontends::questions_about(class, classes, notation, source)?;
    warn(&file.sources, &file.warnings);
    Ok(file)
}

/// The C file that a specification without classes of its own lies beside.
fn c_beside(path: &Path) -> Option<String> {
    c_beside_text(path, &read(path).ok()?)
}

/// The same for a text that may be newer than the file.
pub fn c_beside_text(path: &Path, text: &str) -> Option<String> {
    let source = path.with_extension("c");
    let is_beside = path.extension().is_some_and(|ending| ending == "sl") && source.is_file();
    if !is_beside {
        return None;
    }
    let declares = |line: &str| line.trim_start().starts_with("data ");
    (!text.lines().any(declares)).then(|| source.display().to_string())
}

fn notation(path: &Path) -> Result<Notation, Failure> {
    let notation = Notation::of(path);
    Ok(notation.ok_or_else(|| UsageError::UnknownNotation(path.to_owned()))?)
}

/// Finds what an `import` asks for: a module of the library, or a file beside the importing one.
pub fn import(request: ImportRequest<'_>) -> Result<Source, String> {
    library::import(request, |path| {
        if !project::is_quotable(path) && path.is_file() {
            let (from, path) = (request.from, path.display());
            let _ = writeln!(
                io::stderr(),
                "{from} imports {path}, which is outside of the project"
            );
        }
        reading::regular(path).map_err(|error| error.to_string())
    })
}

/// The errors of a rejected input, rendered for standard error.
pub fn rejected(error: SpecError) -> Failure {
    let SpecError::Rejected(rejected) = error;
    Failure::Diagnostics(rendered(&rejected.sources, &rejected.diagnostics, style()))
}

/// Diagnostics as text. Nothing is quoted from files outside of the project: whoever wrote the
/// file that leads there decides neither what is read aloud nor what a log shows.
pub fn rendered(sources: &SourceMap, diagnostics: &[Diagnostic], style: Style) -> String {
    let is_foreign = |span: Span| !project::is_quotable(Path::new(sources.name(span.file)));
    let mut shown: Vec<Diagnostic> = Vec::new();
    for diagnostic in diagnostics {
        let notes = diagnostic.notes.iter().filter_map(|(span, _)| *span);
        let mut spans = diagnostic.span.into_iter().chain(notes);
        let Some(span) = spans.find(|span| is_foreign(*span)) else {
            shown.push(diagnostic.clone());
            continue;
        };
        let (line, column) = sources.line_column(span);
        let file = sources.name(span.file);
        let problem = match diagnostic.severity {
            Severity::Error => "an error",
            Severity::Warning => "something to be warned of",
        };
        shown.push(Diagnostic {
            severity: diagnostic.severity,
            message: format!(
                "there is {problem} at {file}:{line}:{column}; the file is outside of the project, \
                 so nothing of it is shown"
            ),
            span: None,
            label: None,
            expected: None,
            help: Vec::new(),
            notes: Vec::new(),
        });
    }
    render_all(sources, &shown, style)
}

/// Adds what to do about classes that a file does not declare, because its code does.
pub fn with_class_hint(failure: Failure) -> Failure {
    match failure {
        Failure::Diagnostics(text)
            if text.contains("unknown class") || text.contains("the fields of class") =>
        {
            Failure::Diagnostics(format!(
                "{text}\nIf this is the specification of a Java class or of a C file, name it, and \
                 the fields are taken from the code: --class pkg.Class -c CLASSPATH, or \
                 --class FILE.c\n"
            ))
        }
        failure => failure,
    }
}

/// Shows what is accepted but probably not meant.
pub fn warn(sources: &SourceMap, warnings: &[Diagnostic]) {
    if !warnings.is_empty() {
        let _ = writeln!(io::stderr(), "{}", rendered(sources, warnings, style()));
    }
}

/// Whether the user allows colours (https://no-color.org).
pub fn allows_colours() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Colours on a terminal, plain text in a pipe.
pub fn style() -> Style {
    if io::stderr().is_terminal() && allows_colours() {
        Style::Coloured
    } else {
        Style::Plain
    }
}
