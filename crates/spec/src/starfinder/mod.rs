//! Reader for the notation of the StarFinder tools (`.pred` files).
//!
//! ```text
//! data Node { int value; Node next };
//! pred sorted(x,low) == x=null || x::Node<v,n> * sorted(n,v) & low<=v;
//! pre insert == sorted(this_root,low)
//! ```
//!
//! `*` separates heaps, `&` joins pure formulas, `||` disjuncts; booleans are 0 and 1; a class
//! `pkg_Outer__Inner` is Java's `pkg.Outer$Inner`; `this_f` is the field `f` of `this`. Names
//! that are neither parameters nor fields are existential, those of a predicate per disjunct.
//! A disjunct without a heap describes the empty one.
//!
//! Types are inferred: the notation writes them in `data` declarations only. A file that is read
//! alone ([`read`]) may leave those out: a class that is known from nowhere gets fields by its
//! use, and a warning.
//!
//! A file that is read for code ([`read_for`]) has the classes of the code. A `data` declaration
//! then says which fields of a class the cells list, and in which order; without one they list all
//! of them, those of superclasses first. `this_f` is a field of the receiver or a static field of
//! its class, `Class_f` a static field. Names that the code does not have are errors.

mod ast;
mod build;
mod class;
mod code;
mod contract;
mod infer;
mod lexer;
mod mangle;
mod names;
mod parser;
mod related;
mod resolve;
mod symbol_table;

use heapwright_logic::{Definitions, Formula, SymbolicHeap, Terms, VarId};

use crate::diagnostic::{Diagnostic, FileId, SourceMap, Span};
use crate::{Environment, Query, Source, SpecError, Specification};
use code::Code;
use resolve::Resolver;

/// Past this many, further errors are most likely consequences of the first ones: they are
/// counted.
const MAX_ERRORS: usize = 100;

/// A `.pred` file, understood.
#[derive(Clone, Debug)]
pub struct PredicateFile {
    /// The store of all terms below.
    pub terms: Terms,
    /// Classes and predicates.
    pub definitions: Definitions,
    /// Every `pre`, in order.
    pub preconditions: Vec<Precondition>,
    /// What is accepted but probably not meant.
    pub warnings: Vec<Diagnostic>,
    /// The text, for messages.
    pub sources: SourceMap,
}

/// `pre method == formula`
#[derive(Clone, Debug)]
pub struct Precondition {
    /// The name of the method.
    pub method: String,
    /// Where that stands.
    pub span: Span,
    /// What holds when it is called.
    pub formula: Formula,
    /// The free variables by the names that the file has for them: the parameters of the
    /// method and the fields of `this` (as `this_f`), or, where the signature of the method
    /// was not known, every name of the formula.
    pub names: Vec<(String, VarId)>,
    /// The static fields that it mentions, by their numbers.
    pub(crate) statics: Vec<(usize, VarId)>,
}

impl PredicateFile {
    /// The file as a specification whose questions are the preconditions: can the method be
    /// called at all?
    ///
    /// They do not become contracts, which need the class of the method and its parameters.
    pub fn into_specification(self) -> Specification {
        let queries = self.preconditions.into_iter().map(|precondition| Query {
            name: Some(precondition.method),
            variables: (precondition.names.iter())
                .map(|&(_, variable)| variable)
                .collect(),
            formula: precondition.formula,
            span: precondition.span,
        });
        Specification {
            queries: queries.collect(),
            contracts: Vec::new(),
            terms: self.terms,
            definitions: self.definitions,
            warnings: self.warnings,
            sources: self.sources,
        }
    }
}

impl Precondition {
    /// Quantifies every name but the given ones, once the signature of the method is known.
    pub fn keep_free(&mut self, terms: &mut Terms, is_free: impl Fn(&str) -> bool) {
        let (free, bound) = (self.names.drain(..)).partition(|(name, _)| is_free(name));
        self.names = free;
        let bound: Vec<(String, VarId)> = bound;
        for (index, disjunct) in self.formula.disjuncts.iter_mut().enumerate() {
            let used = disjunct.free_variables(terms);
            let variables = bound.iter().map(|&(_, variable)| variable);
            let own: Vec<_> = variables
                .filter(|variable| used.contains(variable))
                .collect();
            disjunct.exists.splice(0..0, own);
            // What one disjunct quantifies belongs to it alone.
            if index > 0 {
                let renamed: SymbolicHeap = disjunct.instantiate(terms, &Default::default());
                *disjunct = renamed;
            }
        }
    }
}

/// Reads a file. `name` is what messages call it.
///
/// ```
/// let text = "pred list(x) == x=null || x::Node<value,next> * list(next) & value>0";
/// let file = heapwright_spec::starfinder::read("list.pred", text).expect("a valid file");
/// let list = file.definitions.predicate_named("list").expect("the predicate");
/// assert_eq!(file.definitions.predicate(list).disjuncts.len(), 2);
/// ```
pub fn read(name: &str, text: &str) -> Result<PredicateFile, SpecError> {
    let source = Source {
        name: name.to_owned(),
        text: text.to_owned(),
    };
    let (mut parsed, sources) = Parsed::of(vec![source]);
    let diagnostics = std::mem::take(&mut parsed.diagnostics);
    let mut resolver = Resolver::new(Terms::new(), Definitions::new(), None, diagnostics);
    let preconditions = resolver.resolve(&parsed.file);
    let warnings = finish(&mut resolver, &sources, parsed.omitted)?;
    Ok(PredicateFile {
        terms: resolver.terms,
        definitions: resolver.definitions,
        preconditions,
        warnings,
        sources,
    })
}

/// Reads a file for code that is known: its classes, methods and static fields. Preconditions in
/// further texts replace those that the first one has for the same methods.
pub fn read_for(
    sources: Vec<Source>,
    environment: Environment,
) -> Result<Specification, SpecError> {
    let (mut parsed, sources) = Parsed::of(sources);
    let Environment {
        terms,
        definitions,
        signatures,
        packages,
        tested,
        statics,
        aliases: _,
    } = environment;
    let code = Code {
        signatures,
        packages,
        tested,
        statics,
    };
    let diagnostics = std::mem::take(&mut parsed.diagnostics);
    let mut resolver = Resolver::new(terms, definitions, Some(code), diagnostics);
    let contracts = resolver.resolve_for_code(&mut parsed.file);
    let warnings = finish(&mut resolver, &sources, parsed.omitted)?;
    Ok(Specification {
        terms: resolver.terms,
        definitions: resolver.definitions,
        contracts,
        queries: Vec::new(),
        warnings,
        sources,
    })
}

/// How the notation writes a class of the code: `pkg_Outer__Inner`.
pub fn class_name(class: &str) -> String {
    mangle::mangle(class)
}

/// Texts as one syntax tree.
struct Parsed {
    file: ast::File,
    diagnostics: Vec<Diagnostic>,
    /// Errors that were counted only.
    omitted: usize,
}

impl Parsed {
    fn of(texts: Vec<Source>) -> (Parsed, SourceMap) {
        let mut parsed = Parsed {
            file: ast::File::default(),
            diagnostics: Vec::new(),
            omitted: 0,
        };
        let mut sources = SourceMap::new();
        for text in texts {
            let too_long = text.text.len() > SourceMap::MAX_LENGTH;
            let id: FileId = sources.add(text.name, text.text);
            if too_long {
                let message = "the file is longer than four gigabytes";
                let start = Span::new(id, 0, 0);
                parsed.diagnostics.push(Diagnostic::error(start, message));
                continue;
            }
            let file = parser::parse(
                id,
                sources.text(id),
                &mut parsed.diagnostics,
                &mut parsed.omitted,
            );
            parsed.file.data.extend(file.data);
            parsed.file.predicates.extend(file.predicates);
            parsed.file.preconditions.extend(file.preconditions);
        }
        (parsed, sources)
    }
}

/// The warnings of what was read, or its errors.
fn finish(
    resolver: &mut Resolver,
    sources: &SourceMap,
    omitted: usize,
) -> Result<Vec<Diagnostic>, SpecError> {
    let mut diagnostics = std::mem::take(&mut resolver.diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    diagnostics.dedup();
    if omitted == 0 && !diagnostics.iter().any(Diagnostic::is_error) {
        return Ok(diagnostics);
    }
    diagnostics.retain(Diagnostic::is_error);
    let omitted = omitted + diagnostics.len().saturating_sub(MAX_ERRORS);
    diagnostics.truncate(MAX_ERRORS);
    Err(SpecError::cut(sources.clone(), diagnostics, omitted))
}
