//! Reading a specification with everything that it imports.
//!
//! This crate does no input or output: a callback gives the texts.

use rustc_hash::FxHashMap;

use crate::diagnostic::{Diagnostic, FileId, SourceMap, Span};
use crate::error::SpecError;
use crate::resolve::{Earlier, Resolved, resolve, resolve_formula};
use crate::specification::{Environment, Query, Specification};
use crate::syntax::ast::{Declaration, File, ImportTarget};
use crate::syntax::{parse_file, parse_formula as parse_formula_text};

/// How long a chain of imports may be.
const MAX_IMPORT_DEPTH: usize = 100;

/// What an `import` asks for.
#[derive(Clone, Copy, Debug)]
pub struct ImportRequest<'a> {
    /// A file as written, or a module of the shape library.
    pub target: &'a ImportTarget,
    /// The name of the file with the import, to which a path is relative.
    pub from: &'a str,
}

/// A text and the name that identifies it: a file is read once per name.
#[derive(Clone, Debug)]
pub struct Source {
    /// Shown in diagnostics, and compared to find out whether a file was imported before.
    pub name: String,
    /// Its contents.
    pub text: String,
}

/// Finds imported texts. The error says why there is none.
pub type Loader<'a> = dyn FnMut(ImportRequest<'_>) -> Result<Source, String> + 'a;

/// A loader for texts that import nothing.
pub fn no_imports(_: ImportRequest<'_>) -> Result<Source, String> {
    Err("nothing can be imported here".to_owned())
}

/// Reads a specification.
pub fn read_specification(
    source: Source,
    environment: Environment,
    loader: &mut Loader<'_>,
) -> Result<Specification, SpecError> {
    let mut reader = Reader {
        sources: SourceMap::new(),
        states: FxHashMap::default(),
        files: Vec::new(),
        earlier: Earlier::default(),
        loader,
    };
    reader.read(source, 0);
    let Reader {
        sources,
        files,
        earlier,
        ..
    } = reader;
    let resolved = resolve(environment, &files, earlier);
    if resolved.diagnostics.iter().any(Diagnostic::is_error) {
        let (diagnostics, omitted) = (resolved.diagnostics, resolved.omitted);
        return Err(SpecError::cut(sources, diagnostics, omitted));
    }
    let Resolved {
        terms,
        definitions,
        contracts,
        queries,
        diagnostics,
        omitted: _,
    } = resolved;
    Ok(Specification {
        terms,
        definitions,
        contracts,
        queries,
        warnings: diagnostics,
        sources,
    })
}

/// Reads one formula against existing definitions.
///
/// Names in `variables` have the sorts given there; [`Query::variables`] starts with them, and
/// continues with the other names that the formula leaves free.
pub fn read_formula(
    text: &str,
    environment: Environment,
    variables: &[(String, heapwright_logic::Sort)],
) -> Result<(Environment, Query), SpecError> {
    let mut sources = SourceMap::new();
    let file = sources.add("<formula>", text.to_owned());
    let (formula, diagnostics) = parse_formula_text(file, text);
    let signatures = environment.signatures.clone();
    let packages = environment.packages.clone();
    let tested = environment.tested.clone();
    let statics = environment.statics.clone();
    let aliases = environment.aliases.clone();
    let earlier = Earlier {
        diagnostics,
        ..Earlier::default()
    };
    let resolved = resolve_formula(environment, variables, &formula, earlier);
    let Resolved {
        terms,
        definitions,
        queries,
        diagnostics,
        omitted,
        ..
    } = resolved;
    match queries.into_iter().next() {
        Some(query) if !diagnostics.iter().any(Diagnostic::is_error) => {
            let environment = Environment {
                terms,
                definitions,
                signatures,
                packages,
                tested,
                statics,
                aliases,
            };
            Ok((environment, query))
        }
        _ => Err(SpecError::cut(sources, diagnostics, omitted)),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Its imports are being read.
    Open,
    Read,
}

struct Reader<'l, 'a> {
    sources: SourceMap,
    /// What was read, by name.
    states: FxHashMap<String, State>,
    /// Files in dependency order.
    files: Vec<File>,
    earlier: Earlier,
    loader: &'l mut Loader<'a>,
}

impl Reader<'_, '_> {
    /// Reads a text and, before it is added, everything that it imports.
    fn read(&mut self, source: Source, depth: usize) {
        let Source { name, text } = source;
        self.states.insert(name.clone(), State::Open);
        let too_long = text.len() > SourceMap::MAX_LENGTH;
        let file = self.sources.add(name.clone(), text);
        if too_long {
            let message = "the file is longer than four gigabytes";
            let start = Span::new(file, 0, 0);
            self.earlier
                .diagnostics
                .push(Diagnostic::error(start, message));
            return;
        }
        let parsed = parse_file(file, self.sources.text(file));
        self.earlier.diagnostics.extend(parsed.diagnostics);
        self.earlier.broken.extend(parsed.broken);
        for declaration in &parsed.file.declarations {
            if let Declaration::Import(import) = declaration {
                self.import(&import.target, import.span.0, file, depth);
            }
        }
        self.files.push(parsed.file);
        self.states.insert(name, State::Read);
    }

    fn import(&mut self, target: &ImportTarget, span: Span, file: FileId, depth: usize) {
        let from = self.sources.name(file);
        let source = match (self.loader)(ImportRequest { target, from }) {
            Ok(source) => source,
            Err(reason) => {
                let what = match target {
                    ImportTarget::File(path) => format!("file `{path}`"),
                    ImportTarget::Module(module) => format!("module `{module}`"),
                };
                self.earlier.incomplete = true;
                let message = format!("cannot import {what}");
                let diagnostic = Diagnostic::error(span, message).with_note(reason);
                self.earlier.diagnostics.push(diagnostic);
                return;
            }
        };
        match self.states.get(&source.name) {
            Some(State::Read) => {}
            Some(State::Open) => {
                let message = format!("`{}` imports itself", source.name);
                let help = "move what both need into a file of its own";
                let diagnostic = Diagnostic::error(span, message)
                    .with_label("the circle closes here")
                    .with_help(help);
                self.earlier.diagnostics.push(diagnostic);
            }
            None if depth == MAX_IMPORT_DEPTH => {
                let message = format!("more than {MAX_IMPORT_DEPTH} imports inside of each other");
                self.earlier
                    .diagnostics
                    .push(Diagnostic::error(span, message));
            }
            None => self.read(source, depth + 1),
        }
    }
}
