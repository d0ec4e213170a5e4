//! The commands of a script.

use heapwright_logic::{Formula, SymbolicHeap, Term, Terms, VarId};

use super::branch::{Branch, Junction};
use super::names::Mark;
use super::problem::ProblemKind;
use super::reader::{Reader, Symbol};
use super::sexpr::{Expr, ExprKind};
use super::{Query, Status};
use crate::diagnostic::{Span, nearest};

/// The commands that are understood.
const COMMANDS: &[&str] = &[
    "assert",
    "check-sat",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-heap",
    "declare-sort",
    "define-const",
    "define-fun",
    "define-fun-rec",
    "define-funs-rec",
    "define-sort",
    "echo",
    "exit",
    "get-model",
    "pop",
    "push",
    "reset",
    "reset-assertions",
    "set-info",
    "set-logic",
    "set-option",
];

/// How many levels `push` may open.
const MAX_LEVELS: usize = 100_000;

pub(super) fn is_command(name: &str) -> bool {
    COMMANDS.contains(&name)
}

/// What a script has asserted and asked so far.
#[derive(Debug, Default)]
pub(super) struct ScriptState {
    pub logic: Option<String>,
    pub queries: Vec<Query>,
    pub echoes: Vec<(usize, String)>,
    assertions: Vec<(Vec<Branch>, Span)>,
    constants: Vec<VarId>,
    levels: Vec<Level>,
    /// Every `:status` with the number of queries before it.
    statuses: Vec<(usize, Status)>,
}

/// What `pop` returns to.
#[derive(Clone, Copy, Debug)]
struct Level {
    sorts: Mark,
    symbols: Mark,
    assertions: usize,
    constants: usize,
}

impl ScriptState {
    /// Runs the commands up to `exit` or the end, and returns what was asked.
    pub fn run<'a>(&mut self, reader: &mut Reader<'a>, commands: &[Expr<'a>]) {
        for command in commands {
            if reader.problems.is_full() {
                break;
            }
            let Some([head, args @ ..]) = command.list() else {
                reader.expected::<()>(command, "a command in parentheses");
                continue;
            };
            let Some(name) = head.symbol() else {
                reader.expected::<()>(head, "the name of a command");
                continue;
            };
            if name == "exit" {
                break;
            }
            self.command(reader, name, head, args, command.span);
        }
        self.assign_statuses();
    }

    /// Carries out one command; nothing comes back if it failed, which was reported then.
    fn command<'a>(
        &mut self,
        reader: &mut Reader<'a>,
        name: &'a str,
        head: &Expr<'a>,
        args: &[Expr<'a>],
        span: Span,
    ) -> Option<()> {
        match (name, args) {
            ("set-option", _) => Some(()),
            ("set-logic", [logic]) => match logic.symbol() {
                Some(logic) => {
                    self.logic = Some(logic.to_owned());
                    Some(())
                }
                None => reader.expected(logic, "the name of a logic"),
            },
            ("set-info", [key, value @ ..]) => self.set_info(reader, key, value),
            ("declare-sort", [sort, arity]) => match sort.symbol() {
                Some(name) => reader.declare_sort(name, arity, sort.span),
                None => reader.expected(sort, "a name"),
            },
            ("define-sort", [sort, params, meaning]) => match (sort.symbol(), params.list()) {
                (Some(name), Some([])) => {
                    let meaning = reader.sort(meaning)?;
                    reader.bind_sort(name, meaning, sort.span)
                }
                (None, _) => reader.expected(sort, "a name"),
                _ => {
                    let what = "a sort with parameters".to_owned();
                    reader.unsupported(params.span, what, None)
                }
            },
            ("declare-datatypes", [heads, bodies]) => reader.declare_datatypes(heads, bodies),
            ("declare-datatype", [datatype, body]) => match datatype.symbol() {
                Some(name) => {
                    let id = reader.new_datatype(name, datatype.span)?;
                    reader.constructors(id, body)
                }
                None => reader.expected(datatype, "a name"),
            },
            ("declare-heap", pairs) => reader.declare_heap(pairs),
            ("define-fun-rec", args) => reader.define_fun_rec(args, span),
            ("define-funs-rec", args) => reader.define_funs_rec(args, span),
            ("define-fun", args) => reader.define_fun(args, span),
            ("define-const", [name, sort, body]) => {
                let no_parameters = Expr {
                    span: name.span.after(),
                    kind: ExprKind::List(Vec::new()),
                };
                let args = [name.clone(), no_parameters, sort.clone(), body.clone()];
                reader.define_fun(&args, span)
            }
            ("declare-const", [constant, sort]) => self.declare_const(reader, constant, sort),
            ("declare-fun", [constant, params, sort]) => match params.list() {
                Some([]) => self.declare_const(reader, constant, sort),
                Some(_) => {
                    let what = "an uninterpreted function".to_owned();
                    let help = "only constants may be declared without a definition";
                    reader.unsupported(params.span, what, Some(help))
                }
                None => reader.expected(params, "a list of sorts"),
            },
            ("assert", [formula]) => {
                let branches = reader.formula(formula)?;
                self.assertions.push((branches, formula.span));
                Some(())
            }
            ("check-sat", []) => self.check_sat(reader, span),
            ("get-model", []) => {
                if let Some(query) = self.queries.last_mut() {
                    query.wants_model = true;
                }
                Some(())
            }
            ("push" | "pop", [] | [_]) => {
                let levels = match args.first().map(|arg| (arg, &arg.kind)) {
                    None => 1,
                    // More digits than a machine number holds are too many levels anyhow.
                    Some((_, ExprKind::Numeral(digits))) => digits.parse().unwrap_or(usize::MAX),
                    Some((arg, _)) => return reader.expected(arg, "a number of levels"),
                };
                match name {
                    "push" => self.push(reader, levels, span),
                    _ => self.pop(reader, levels, span),
                }
            }
            ("echo", [text]) => match text.kind {
                ExprKind::Text(text) => {
                    let text = text.replace("\"\"", "\"");
                    self.echoes.push((self.queries.len(), text));
                    Some(())
                }
                _ => reader.expected(text, "a string"),
            },
            ("reset" | "reset-assertions", []) => {
                // Declarations belong to assertion levels, so the first goes as well.
                self.assertions.clear();
                self.constants.clear();
                self.levels.clear();
                reader.forget_declarations();
                if name == "reset" {
                    self.logic = None;
                }
                Some(())
            }
            _ if is_command(name) => {
                let expected = expected_arguments(name).to_owned();
                reader.arity(span, name, expected, args.len())
            }
            _ => {
                let nearest = nearest(name, COMMANDS.iter().copied()).map(str::to_owned);
                reader.fail(
                    head.span,
                    ProblemKind::Unknown {
                        what: "command",
                        name: name.to_owned(),
                        nearest,
                    },
                )
            }
        }
    }

    fn set_info<'a>(
        &mut self,
        reader: &mut Reader<'a>,
        key: &Expr<'a>,
        value: &[Expr<'a>],
    ) -> Option<()> {
        match key.kind {
            ExprKind::Keyword(":status") => {}
            ExprKind::Keyword(_) => return Some(()),
            _ => return reader.expected(key, "a keyword such as `:status`"),
        }
        let [value] = value else {
            return reader.arity(key.span, ":status", "one value".to_owned(), value.len());
        };
        let status = match value.symbol() {
            Some("sat") => Status::Sat,
            Some("unsat") => Status::Unsat,
            Some("unknown") => Status::Unknown,
            _ => return reader.expected(value, "`sat`, `unsat` or `unknown`"),
        };
        self.statuses.push((self.queries.len(), status));
        Some(())
    }

    fn declare_const<'a>(
        &mut self,
        reader: &mut Reader<'a>,
        constant: &Expr<'a>,
        sort: &Expr<'a>,
    ) -> Option<()> {
        let Some(name) = constant.symbol() else {
            return reader.expected(constant, "a name");
        };
        let Some(smt_sort) = reader.sort(sort) else {
            return reader.broken(constant);
        };
        let Some(term_sort) = reader.term_sort(smt_sort, sort.span) else {
            return reader.broken(constant);
        };
        let variable = reader.terms.declare(name, term_sort);
        let symbol = Symbol::Variable(variable, smt_sort);
        reader.bind_symbol(name, symbol, constant.span)?;
        self.constants.push(variable);
        Some(())
    }

    /// All assertions joined: pure ones with the one that speaks about the heap.
    fn check_sat(&mut self, reader: &mut Reader<'_>, span: Span) -> Option<()> {
        let mut joined = vec![Branch::default()];
        for (branches, place) in &self.assertions {
            let size = branches.iter().map(Branch::size).sum();
            if !reader.budget.spend(size) {
                return reader.too_large(span);
            }
            joined = reader.join(joined, branches.clone(), Junction::And, *place)?;
        }
        let formula = Formula {
            disjuncts: (joined.into_iter())
                .map(|branch| simplified(branch.heap, &reader.terms))
                .collect(),
        };
        self.queries.push(Query {
            formula,
            constants: self.constants.clone(),
            expected: None,
            wants_model: false,
            span,
        });
        Some(())
    }

    fn push(&mut self, reader: &mut Reader<'_>, count: usize, span: Span) -> Option<()> {
        if count > MAX_LEVELS - self.levels.len() {
            let limit = MAX_LEVELS;
            return reader.fail(span, ProblemKind::TooManyLevels { limit });
        }
        let level = Level {
            sorts: reader.sorts.mark(),
            symbols: reader.symbols.mark(),
            assertions: self.assertions.len(),
            constants: self.constants.len(),
        };
        self.levels.extend(std::iter::repeat_n(level, count));
        Some(())
    }

    fn pop(&mut self, reader: &mut Reader<'_>, count: usize, span: Span) -> Option<()> {
        let open = self.levels.len();
        let Some(remaining) = open.checked_sub(count) else {
            let found = count;
            return reader.fail(span, ProblemKind::PopTooFar { found, open });
        };
        if let Some(&level) = self.levels.get(remaining) {
            reader.sorts.undo(level.sorts);
            reader.symbols.undo(level.symbols);
            self.assertions.truncate(level.assertions);
            self.constants.truncate(level.constants);
            self.levels.truncate(remaining);
        }
        Some(())
    }

    /// A `:status` tells the answer to the last query before the next `:status`: the files of
    /// the competition state it once, and ask a first time before anything is asserted.
    fn assign_statuses(&mut self) {
        let ends = self.statuses.iter().skip(1).map(|&(count, _)| count);
        let ends: Vec<_> = ends.chain([self.queries.len()]).collect();
        for (&(start, status), end) in self.statuses.iter().zip(ends) {
            if let Some(query) = self.queries[start..end].last_mut() {
                query.expected = Some(status);
            }
        }
    }
}

/// The same heap without repeated conjuncts, which arise when assertions are joined.
fn simplified(mut heap: SymbolicHeap, terms: &Terms) -> SymbolicHeap {
    let mut seen = rustc_hash::FxHashSet::default();
    (heap.pure).retain(|&term| !matches!(terms.get(term), Term::Bool(true)) && seen.insert(term));
    heap
}

fn expected_arguments(command: &str) -> &'static str {
    match command {
        "set-logic" => "the name of a logic",
        "set-info" => "a keyword and a value",
        "declare-sort" => "a name and the number of parameters",
        "define-sort" => "a name, parameters and a sort",
        "declare-datatypes" => "names and constructors",
        "declare-datatype" => "a name and constructors",
        "define-const" => "a name, a sort and a term",
        "declare-const" => "a name and a sort",
        "declare-fun" => "a name, the sorts of its parameters and a sort",
        "assert" => "one formula",
        "push" | "pop" => "at most one argument",
        "echo" => "one string",
        _ => "no arguments",
    }
}
