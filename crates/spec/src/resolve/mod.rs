//! Name resolution and type checking: from syntax trees to the formulas of `logic`.
//!
//! The steps, each over the whole specification, since predicates may be mutually recursive
//! and are typed by their uses:
//!
//! 1. classes and the heads of predicates are declared ([`classes`], [`declare`]), those of imports
//!    with other names too ([`renaming`]);
//! 2. every formula is brought into disjunctive form ([`distribute`]) and its names are
//!    resolved, which gives constraints on sorts ([`elaborate`], [`name`], [`term`], [`kind`]);
//! 3. dotted paths are resolved through the points-to facts ([`path`]);
//! 4. with all sorts known, terms are built ([`lower`]).

mod classes;
mod declare;
mod distribute;
mod elaborate;
mod hir;
mod kind;
mod lower;
mod lower_term;
mod name;
mod path;
mod recursion;
mod renaming;
mod sink;
mod statics;
mod term;

use std::collections::{BTreeMap, BTreeSet};

use heapwright_logic::{ClassId, Definitions, PredId, Sort, TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostic::{Diagnostic, Span};
use crate::specification::{Contract, Environment, Query, Signature, StaticField};
use crate::syntax::ast::{Declaration, Expr, File};

use classes::ClassNames;
use hir::{Body, Local, LocalId, Range, Role};
use kind::{Kind, KindId, Kinds, Variance};
use sink::Sink;

pub(crate) use recursion::cycles_without_cells;
pub(crate) use renaming::Renamed;

/// What the resolver makes of the files of a specification.
pub(crate) struct Resolved {
    pub terms: Terms,
    pub definitions: Definitions,
    pub contracts: Vec<Contract>,
    pub queries: Vec<Query>,
    /// Errors and warnings; the other fields are of use only if there are no errors.
    pub diagnostics: Vec<Diagnostic>,
    /// How many errors are not among them.
    pub omitted: usize,
}

/// What went wrong before names were resolved.
#[derive(Default)]
pub(crate) struct Earlier {
    /// Names whose declarations could not be parsed: that they are unknown is not reported
    /// again.
    pub broken: Vec<String>,
    /// Whether an import failed, so that any name may be unknown because of that.
    pub incomplete: bool,
    /// Errors that were found.
    pub diagnostics: Vec<Diagnostic>,
}

/// Resolves files, those that are imported first, and what is imported under other names.
pub(crate) fn resolve(
    environment: Environment,
    files: &[File],
    renamed: &[Renamed],
    earlier: Earlier,
) -> Resolved {
    let mut resolver = Resolver::new(environment, earlier);
    resolver.declare(files, renamed);
    resolver.finish()
}

/// Resolves one formula. Names in `variables` have the given sorts; all other names that the
/// formula does not quantify are free.
pub(crate) fn resolve_formula(
    environment: Environment,
    variables: &[(String, Sort)],
    formula: &Expr,
    earlier: Earlier,
) -> Resolved {
    let mut resolver = Resolver::new(environment, earlier);
    resolver.declare_formula(variables, formula);
    resolver.finish()
}

/// A predicate as its callers see it.
struct Signed {
    id: PredId,
    params: Vec<ParameterType>,
    /// Where it is defined, unless it was there before.
    span: Option<Span>,
}

/// The name of a parameter and what is known of its sort.
struct ParameterType {
    name: String,
    kind: KindId,
    declared: Option<Sort>,
}

/// The state of a resolution.
struct Resolver {
    terms: Terms,
    definitions: Definitions,
    signatures: Vec<Signature>,
    /// Packages whose classes short names mean first.
    packages: Vec<String>,
    /// The classes that contracts without a class can be for.
    tested: Vec<ClassId>,
    /// The static fields that contracts may speak of.
    statics: Vec<StaticField>,
    broken: FxHashSet<String>,
    /// Predicates that imports with other names leave out, with what they lack.
    left_out: FxHashMap<String, String>,
    incomplete: bool,
    classes: ClassNames,
    predicates: FxHashMap<String, Signed>,
    kinds: Kinds,
    locals: Vec<Local>,
    bodies: Vec<Body>,
    /// Classes that only a contract mentions: their fields are those that are used.
    open_classes: BTreeMap<ClassId, Vec<(String, KindId)>>,
    /// Quantified names by their place, and whether any disjunct uses them.
    quantified: BTreeMap<Span, (String, bool)>,
    /// The places of the names that nothing declares in the contract that is being resolved.
    mentions: BTreeMap<String, BTreeSet<Span>>,
    /// Truth values that got a name in the disjunct that is being lowered: the name, and the
    /// equality that defines it.
    named_conditions: Vec<(VarId, TermId)>,
    /// What `&` was written in front of.
    addresses: Vec<(LocalId, Span)>,
    sink: Sink,
}

impl Resolver {
    fn new(environment: Environment, earlier: Earlier) -> Self {
        let Environment {
            terms,
            definitions,
            signatures,
            packages,
            tested,
            statics,
            aliases,
        } = environment;
        let mut classes = ClassNames::new(&definitions);
        for (alias, class) in aliases {
            classes.add_alias(&alias, class);
        }
        let mut resolver = Resolver {
            terms,
            definitions,
            signatures,
            packages,
            tested,
            statics,
            broken: earlier.broken.into_iter().collect(),
            left_out: FxHashMap::default(),
            incomplete: earlier.incomplete,
            classes,
            predicates: FxHashMap::default(),
            kinds: Kinds::default(),
            locals: Vec::new(),
            bodies: Vec::new(),
            open_classes: BTreeMap::new(),
            quantified: BTreeMap::new(),
            mentions: BTreeMap::new(),
            named_conditions: Vec::new(),
            addresses: Vec::new(),
            sink: Sink::default(),
        };
        for diagnostic in earlier.diagnostics {
            resolver.sink.push(diagnostic);
        }
        resolver.sign_known_predicates();
        resolver
    }

    fn finish(mut self) -> Resolved {
        self.resolve_paths();
        self.warn_unused();
        let (mut contracts, mut queries) = (Vec::new(), Vec::new());
        if !self.sink.has_errors() {
            self.lower(&mut contracts, &mut queries);
            self.warn_recursion();
        }
        Resolved {
            terms: self.terms,
            definitions: self.definitions,
            contracts,
            queries,
            omitted: self.sink.omitted(),
            diagnostics: self.sink.into_sorted(),
        }
    }

    fn warn_unused(&mut self) {
        let quantified = std::mem::take(&mut self.quantified);
        for (span, (name, used)) in quantified {
            if !used {
                let message = format!("`{name}` is quantified but not used");
                self.sink.push(Diagnostic::warning(span, message));
            }
        }
    }

    /// Whether there is no point in reporting that a predicate or class is unknown.
    fn known_to_be_missing(&self, name: &str) -> bool {
        self.incomplete || self.broken.contains(name)
    }

    /// Takes an error without any advice if there are more than anybody reads: it is only counted,
    /// and nearest names take time.
    fn only_counted(&mut self, span: Span, message: &str) -> bool {
        let is_full = self.sink.full();
        if is_full {
            self.sink.push(Diagnostic::error(span, message));
        }
        is_full
    }

    fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }

    fn local_mut(&mut self, id: LocalId) -> &mut Local {
        &mut self.locals[id.0 as usize]
    }

    /// A new variable, with the sort that it is declared with if there is one.
    fn new_local(&mut self, name: &str, role: Role, declared: Option<Sort>) -> LocalId {
        let kind = match (declared, role) {
            (Some(sort), _) => self.kinds.fresh(Kind::of(sort), Variance::Fixed),
            (None, Role::PredicateParameter) => self.kinds.fresh(Kind::Unknown, Variance::Wide),
            (None, _) => self.kinds.fresh(Kind::Unknown, Variance::Narrow),
        };
        let id = LocalId(self.locals.len() as u32);
        self.locals.push(Local {
            name: name.to_owned(),
            kind,
            declared,
            range: Range::Unbounded,
            role,
            used: false,
            alias: None,
        });
        id
    }

    /// A kind that is known and does not change.
    fn fixed(&mut self, sort: Sort) -> KindId {
        self.kinds.fresh(Kind::of(sort), Variance::Fixed)
    }

    /// Demands that what stands at `span` is of the expected kind.
    fn demand(&mut self, span: Span, found: KindId, expected: KindId) -> bool {
        match self.kinds.unify(found, expected, &self.definitions) {
            Ok(()) => true,
            Err(mismatch) => {
                self.mismatch(span, mismatch.left, mismatch.right);
                false
            }
        }
    }

    fn mismatch(&mut self, span: Span, found: Kind, expected: Kind) {
        let (found_text, expected_text) = (
            found.describe(&self.definitions),
            expected.describe(&self.definitions),
        );
        let message = format!("expected {expected_text}, found {found_text}");
        let help = match (found, expected) {
            (Kind::Bool, Kind::Integer | Kind::Numeric)
            | (Kind::Integer | Kind::Numeric, Kind::Bool) => {
                Some("truth values are not numbers: write `b` or `!b`, or `ite(b, 1, 0)`")
            }
            (Kind::Integer, Kind::Float(_) | Kind::Floating) => {
                Some("convert the integer: `double(n)` or `float(n)`")
            }
            (Kind::Float(_) | Kind::Floating, Kind::Integer) => {
                Some("convert one of the two: `int(f)`, `long(f)` or `double(n)`")
            }
            (Kind::Float(_), Kind::Float(_)) => Some("convert one of the two: `double(f)`"),
            (Kind::Integer | Kind::Numeric, Kind::Ref(_)) => Some("the empty reference is `null`"),
            _ => None,
        };
        let diagnostic = Diagnostic::error(span, message)
            .with_label(format!("this is {found_text}"))
            .with_expected(expected_text)
            .with_optional_help(help.map(str::to_owned));
        self.sink.push(diagnostic);
    }
}

/// The declarations of all files.
fn declarations(files: &[File]) -> impl Iterator<Item = &Declaration> {
    files.iter().flat_map(|file| &file.declarations)
}

/// The last part of a diagnostic about a wrong number of things.
fn count(number: usize, thing: &str) -> String {
    match number {
        0 => format!("no {thing}s"),
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}
