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
//! Types are inferred: the notation writes them in `data` declarations only, and files for
//! Java leave those out, because the tools take them from the code. A class that is known
//! from nowhere gets fields by its use, and a warning.

mod ast;
mod build;
mod class;
mod infer;
mod lexer;
mod mangle;
mod parser;
mod resolve;
mod scope;

use heapwright_logic::{Definitions, Formula, Sort, SymbolicHeap, Terms, VarId};

use crate::diagnostic::{Diagnostic, SourceMap, Span};
use crate::{Query, SpecError, Specification};

/// Past this many, further errors are most likely consequences of the first ones.
const MAX_ERRORS: usize = 50;

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

/// The names that a method gives to its parameters and to the fields of `this` (as `this_f`),
/// with their sorts; nothing for a method that is not known.
pub type Signatures<'s> = dyn Fn(&str) -> Option<Vec<(String, Sort)>> + 's;

/// Reads a file. `name` is what messages call it.
///
/// ```
/// let text = "pred list(x) == x=null || x::Node<value,next> * list(next) & value>0";
/// let file = heapwright_spec::starfinder::read("list.pred", text).expect("a valid file");
/// let list = file.definitions.predicate_named("list").expect("the predicate");
/// assert_eq!(file.definitions.predicate(list).disjuncts.len(), 2);
/// ```
pub fn read(name: &str, text: &str) -> Result<PredicateFile, SpecError> {
    read_with(name, text, Terms::new(), Definitions::new(), &|_| None)
}

/// Reads a file that may mention classes known from elsewhere, and preconditions of methods
/// whose signature is known.
pub fn read_with(
    name: &str,
    text: &str,
    terms: Terms,
    definitions: Definitions,
    signatures: &Signatures<'_>,
) -> Result<PredicateFile, SpecError> {
    let mut sources = SourceMap::new();
    let id = sources.add(name, text.to_owned());
    let mut diagnostics = Vec::new();
    let file = parser::parse(id, sources.text(id), &mut diagnostics);
    let mut resolver = resolve::Resolver::new(terms, definitions, diagnostics);
    let preconditions = resolver.resolve(&file, signatures);
    let mut diagnostics = resolver.diagnostics;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    diagnostics.dedup();
    if diagnostics.iter().any(Diagnostic::is_error) {
        diagnostics.retain(Diagnostic::is_error);
        diagnostics.truncate(MAX_ERRORS);
        return Err(SpecError::rejected(sources, diagnostics));
    }
    Ok(PredicateFile {
        terms: resolver.terms,
        definitions: resolver.definitions,
        preconditions,
        warnings: diagnostics,
        sources,
    })
}
