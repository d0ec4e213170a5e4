//! The type checker: resolves names, infers the types that are not written, and finds out which
//! variables are the inputs of a program.
//!
//! Types form a small lattice that is solved by unification ([`kind`]). An access to a field of
//! something whose type is not known yet waits until it is ([`solve`]).

mod assigned;
mod declare;
mod expression;
pub(crate) mod hir;
pub(crate) mod kind;
mod scope;
mod solve;
mod statement;

use heapwright_logic::{ClassId, Definitions, IntType, Sort};
use heapwright_spec::diagnostic::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use crate::syntax::ast::{File, Name};
use hir::{Body, FieldUse, LocalId};
use kind::{Kind, KindId, Kinds};
use scope::Frame;

/// The name of the function that the statements of a program become.
pub(crate) const MAIN: &str = "main";

/// A program without errors.
pub(crate) struct Checked {
    pub definitions: Definitions,
    pub kinds: Kinds,
    /// The class and position of each field that is used, by [`FieldUse`].
    pub fields: Vec<(ClassId, u32)>,
    pub procedures: Vec<Body>,
    pub program: Option<CheckedProgram>,
    /// Whether something is freed.
    pub frees: bool,
}

/// The statements outside of all procedures.
pub(crate) struct CheckedProgram {
    pub body: Body,
    /// Variables that may be read before they are assigned, or keep their value to the end.
    pub inputs: Vec<LocalId>,
    /// All variables of the program, but those declared inside of blocks.
    pub outputs: Vec<LocalId>,
}

/// Checks a file. `whole` is where errors about the file as a whole are shown.
pub(crate) fn check(file: &File, whole: Span) -> Result<Checked, Vec<Diagnostic>> {
    let mut checker = Checker {
        definitions: Definitions::new(),
        structs: Vec::new(),
        cons: None,
        signatures: Vec::new(),
        procedure_names: FxHashMap::default(),
        kinds: Kinds::default(),
        fields: Vec::new(),
        numbers: Vec::new(),
        frame: Frame::default(),
        diagnostics: Vec::new(),
        frees: false,
    };
    checker.declare_structs(&file.structs);
    checker.declare_procedures(file);
    let bodies: Vec<_> = (file.procedures.iter().enumerate())
        .map(|(index, procedure)| checker.procedure(index, procedure))
        .collect();
    let program = (!file.statements.is_empty()).then(|| checker.program(&file.statements, whole));
    checker.solve_fields();
    checker.solve_references(bodies.iter().chain(&program));
    checker.check_numbers();
    for body in &bodies {
        checker.check_assigned(body);
    }
    let program = program.map(|body| {
        let inputs = checker.check_assigned(&body);
        let free = |&(_, local): &(u32, &hir::Local)| local.role == hir::Role::Free;
        let outputs = ((0u32..).zip(&body.locals).filter(free))
            .map(|(index, _)| LocalId(index))
            .collect();
        CheckedProgram {
            body,
            inputs,
            outputs,
        }
    });
    if !checker.diagnostics.is_empty() {
        let mut diagnostics = checker.diagnostics;
        diagnostics.sort_by_key(|diagnostic| diagnostic.span);
        diagnostics.truncate(MAX_ERRORS);
        return Err(diagnostics);
    }
    let fields = (checker.fields.iter())
        .map(|field| field.resolved.unwrap_or((ClassId::ANY, 0)))
        .collect();
    Ok(Checked {
        definitions: checker.used_definitions(),
        kinds: checker.kinds,
        fields,
        procedures: bodies,
        program,
        frees: checker.frees,
    })
}

/// How many errors are reported.
const MAX_ERRORS: usize = 100;

struct Checker {
    definitions: Definitions,
    /// The structs that the program declares.
    structs: Vec<ClassId>,
    /// The paper's struct, unless the program declares its own.
    cons: Option<ClassId>,
    signatures: Vec<Signature>,
    procedure_names: FxHashMap<String, usize>,
    kinds: Kinds,
    fields: Vec<PendingField>,
    /// Literals, whose range is checked when their types are known.
    numbers: Vec<(KindId, i128, Span)>,
    /// The procedure that is being checked.
    frame: Frame,
    diagnostics: Vec<Diagnostic>,
    frees: bool,
}

/// What callers know of a procedure.
#[derive(Clone, Debug)]
struct Signature {
    params: Vec<Option<Sort>>,
    result: Option<Option<Sort>>,
    span: Span,
}

/// An access to a field.
#[derive(Clone, Debug)]
struct PendingField {
    object: KindId,
    name: Name,
    result: KindId,
    resolved: Option<(ClassId, u32)>,
    reported: bool,
}

impl Checker {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// The type of something declared; that of an unknown type was reported.
    fn declared(&mut self, sort: Option<Sort>) -> KindId {
        self.kinds.fresh(sort.map_or(Kind::Error, Kind::of))
    }

    /// Demands that what stands at `span` is of the expected type.
    fn demand(&mut self, span: Span, found: KindId, expected: KindId) {
        let Err(mismatch) = self.kinds.unify(found, expected) else {
            return;
        };
        let found = mismatch.found.describe(&self.definitions);
        let expected = mismatch.expected.describe(&self.definitions);
        let help = match (mismatch.found, mismatch.expected) {
            (Kind::Int(_), Kind::Int(ty)) => Some(format!("convert it: `{ty}(...)`")),
            (Kind::Bool, Kind::Int(ty)) => Some(format!("`{ty}(...)` makes it 0 or 1")),
            (Kind::Bool, Kind::Number) => Some("`int(...)` makes it 0 or 1".to_owned()),
            (Kind::Int(_) | Kind::Number, Kind::Bool) => Some("write `... /= 0`".to_owned()),
            (Kind::Int(_) | Kind::Number, Kind::Class(_) | Kind::Reference) => {
                Some("the reference to nothing is `nil`".to_owned())
            }
            _ => None,
        };
        let diagnostic = Diagnostic::error(span, format!("expected {expected}, found {found}"))
            .with_label(format!("this is {found}"))
            .with_optional_help(help);
        self.report(diagnostic);
    }

    /// Demands one of the kinds that several types have.
    fn demand_kind(&mut self, span: Span, found: KindId, expected: Kind) {
        let expected = self.kinds.fresh(expected);
        self.demand(span, found, expected);
    }

    fn new_field_use(&mut self, object: KindId, name: &Name, result: KindId) -> FieldUse {
        let id = FieldUse(self.fields.len() as u32);
        self.fields.push(PendingField {
            object,
            name: name.clone(),
            result,
            resolved: None,
            reported: false,
        });
        id
    }
}

/// The types that need no declaration.
pub(crate) fn built_in_type(name: &str) -> Option<Sort> {
    if matches!(name, "bool" | "boolean") {
        return Some(Sort::Bool);
    }
    let mut types = IntType::ALL.into_iter();
    types.find(|ty| ty.name() == name).map(Sort::Machine)
}

/// A number of things, for messages.
fn count(number: usize, thing: &str) -> String {
    match number {
        0 => format!("no {thing}s"),
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}
