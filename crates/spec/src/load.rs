//! Reading a specification with everything that it imports.
//!
//! This crate does no input or output: a callback gives the texts.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostic::{Diagnostic, FileId, SourceMap, Span};
use crate::error::SpecError;
use crate::resolve::{Earlier, Renamed, Resolved, resolve, resolve_formula};
use crate::specification::{Environment, Query, Specification};
use crate::syntax::ast::{Declaration, File, Import, ImportTarget};
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
        parsed: FxHashMap::default(),
        files: Vec::new(),
        renamed: Vec::new(),
        earlier: Earlier::default(),
        loader,
    };
    reader.read(source, 0);
    let Reader {
        sources,
        files,
        renamed,
        earlier,
        ..
    } = reader;
    let resolved = resolve(environment, &files, &renamed, earlier);
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
    /// What was parsed, by name.
    parsed: FxHashMap<String, (FileId, File)>,
    /// Files in dependency order.
    files: Vec<File>,
    /// What is imported under other names.
    renamed: Vec<Renamed>,
    earlier: Earlier,
    loader: &'l mut Loader<'a>,
}

impl Reader<'_, '_> {
    /// Reads a text and, before it is added, everything that it imports.
    fn read(&mut self, source: Source, depth: usize) {
        let name = source.name.clone();
        self.states.insert(name.clone(), State::Open);
        let Some((file, parsed)) = self.parse(source) else {
            return;
        };
        for declaration in &parsed.declarations {
            match declaration {
                Declaration::Import(import) if import.renames() => self.rename(import, file),
                Declaration::Import(import) => self.import(import, file, depth),
                _ => {}
            }
        }
        self.files.push(parsed);
        self.states.insert(name, State::Read);
    }

    /// Parses a text that was not parsed before. `None` if it is too long.
    fn parse(&mut self, source: Source) -> Option<(FileId, File)> {
        let Source { name, text } = source;
        if let Some(known) = self.parsed.get(&name) {
            return Some(known.clone());
        }
        let too_long = text.len() > SourceMap::MAX_LENGTH;
        let file = self.sources.add(name.clone(), text);
        if too_long {
            let message = "the file is longer than four gigabytes";
            let start = Span::new(file, 0, 0);
            self.earlier
                .diagnostics
                .push(Diagnostic::error(start, message));
            return None;
        }
        let parsed = parse_file(file, self.sources.text(file));
        self.earlier.diagnostics.extend(parsed.diagnostics);
        self.earlier.broken.extend(parsed.broken);
        self.parsed.insert(name, (file, parsed.file.clone()));
        Some((file, parsed.file))
    }

    /// The text that an import asks for.
    fn find(&mut self, target: &ImportTarget, span: Span, file: FileId) -> Option<Source> {
        let from = self.sources.name(file);
        match (self.loader)(ImportRequest { target, from }) {
            Ok(source) => Some(source),
            Err(reason) => {
                let what = match target {
                    ImportTarget::File(path) => format!("file `{path}`"),
                    ImportTarget::Module(module) => format!("module `{module}`"),
                };
                self.earlier.incomplete = true;
                let message = format!("cannot import {what}");
                let diagnostic = Diagnostic::error(span, message).with_note(reason);
                self.earlier.diagnostics.push(diagnostic);
                None
            }
        }
    }

    fn import(&mut self, import: &Import, file: FileId, depth: usize) {
        let span = import.span.0;
        let Some(source) = self.find(&import.target, span, file) else {
            return;
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
            None if depth == MAX_IMPORT_DEPTH => self.too_deep(span),
            None => self.read(source, depth + 1),
        }
    }

    fn too_deep(&mut self, span: Span) {
        let message = format!("more than {MAX_IMPORT_DEPTH} imports inside of each other");
        self.earlier
            .diagnostics
            .push(Diagnostic::error(span, message));
    }

    /// Takes the classes and predicates of a file, and of what it imports, for an import that gives
    /// them other names.
    fn rename(&mut self, import: &Import, file: FileId) {
        let Some(source) = self.find(&import.target, import.span.0, file) else {
            return;
        };
        let mut renamed = Renamed {
            import: import.clone(),
            classes: Vec::new(),
            predicates: Vec::new(),
        };
        let mut seen = FxHashSet::default();
        self.collect(source, import.span.0, 0, &mut seen, &mut renamed);
        self.renamed.push(renamed);
    }

    fn collect(
        &mut self,
        source: Source,
        span: Span,
        depth: usize,
        seen: &mut FxHashSet<String>,
        renamed: &mut Renamed,
    ) {
        if !seen.insert(source.name.clone()) {
            return;
        }
        if depth == MAX_IMPORT_DEPTH {
            self.too_deep(span);
            return;
        }
        let Some((file, parsed)) = self.parse(source) else {
            return;
        };
        for declaration in parsed.declarations {
            match declaration {
                Declaration::Import(inner) if inner.renames() => {
                    let message = "this file gives other names to what it imports";
                    let diagnostic = Diagnostic::error(span, message)
                        .with_note_at(inner.span.0, "here")
                        .with_help("import it as it is, or import what it imports");
                    self.earlier.diagnostics.push(diagnostic);
                }
                Declaration::Import(inner) => {
                    if let Some(source) = self.find(&inner.target, inner.span.0, file) {
                        self.collect(source, span, depth + 1, seen, renamed);
                    }
                }
                Declaration::Data(data) => renamed.classes.push(data),
                Declaration::Predicate(predicate) => renamed.predicates.push(predicate),
                // Contracts and questions are about other code.
                Declaration::Contract(_) | Declaration::Check(_) => {}
            }
        }
    }
}
