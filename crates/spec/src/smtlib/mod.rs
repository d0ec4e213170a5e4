//! Reader for the SMT-LIB scripts of the separation-logic competition.
//!
//! The logics QF_SHLS, QF_SHID, QF_SHLID and QF_SHIDLIA: locations, cells, inductive
//! predicates, linear integer arithmetic. [`read`] turns a script into the formulas that its
//! `check-sat` commands ask about, one [`Query`] each; how formulas become symbolic heaps is
//! told in `formula`.
//!
//! The way of the data: text → `sexpr` → `command`, which keeps assertions and scopes →
//! `formula`, `operator`, `atom`, `define` and `sort`, which give meaning to expressions with
//! the help of the tables in `reader` → `branch`, the disjunctive form.

mod atom;
mod branch;
mod command;
mod define;
mod formula;
mod names;
mod operator;
mod problem;
mod reader;
mod sexpr;
mod sort;

use heapwright_logic::{Definitions, Formula, Terms, VarId};

pub(crate) use operator::sum;

use crate::SpecError;
use crate::diagnostic::{SourceMap, Span};

/// A script, understood.
#[derive(Clone, Debug)]
pub struct Script {
    /// The logic that it names.
    pub logic: Option<String>,
    /// The store of all terms below.
    pub terms: Terms,
    /// Classes of heap cells and predicates.
    pub definitions: Definitions,
    /// One per `check-sat`, in order.
    pub queries: Vec<Query>,
    /// The texts of `echo`, each with the number of queries before it.
    pub echoes: Vec<(usize, String)>,
    /// The text of the script, for messages about its queries.
    pub sources: SourceMap,
}

/// What one `check-sat` asks: is the conjunction of the assertions satisfiable?
#[derive(Clone, Debug)]
pub struct Query {
    /// The conjunction. Where nothing was asserted about the heap, the heap is empty here:
    /// the script allows any, so satisfiability is the same.
    pub formula: Formula,
    /// The constants declared at this point, in order.
    pub constants: Vec<VarId>,
    /// The answer that the script itself expects.
    pub expected: Option<Status>,
    /// Whether `get-model` follows.
    pub wants_model: bool,
    /// The command.
    pub span: Span,
}

/// What a script's `:status` says about satisfiability.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// Its author did not know.
    Unknown,
}

/// Reads a script. `name` is what messages call it.
///
/// ```
/// let script = heapwright_spec::smtlib::read(
///     "two.smt2",
///     "(declare-const x Int) (assert (< 1 x 3)) (check-sat)",
/// )
/// .expect("a script without errors");
/// assert_eq!(script.queries.len(), 1);
/// ```
pub fn read(name: &str, text: &str) -> Result<Script, SpecError> {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text.to_owned());
    let text = sources.text(file);
    let mut problems = problem::Problems::default();
    let commands = sexpr::parse(file, text, command::is_command, &mut problems);
    let mut reader = reader::Reader::new(sort::cells_of_heap(&commands), problems);
    let mut session = command::ScriptState::default();
    session.run(&mut reader, &commands);
    let reader::Reader {
        terms,
        definitions,
        problems,
        ..
    } = reader;
    if !problems.is_empty() {
        return Err(SpecError::rejected(sources, problems.into_diagnostics()));
    }
    Ok(Script {
        logic: session.logic,
        terms,
        definitions,
        queries: session.queries,
        echoes: session.echoes,
        sources,
    })
}

/// "no arguments", "1 argument", "2 arguments"
fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        _ => format!("{count} arguments"),
    }
}
