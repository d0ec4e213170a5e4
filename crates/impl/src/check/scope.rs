//! The variables of the procedure that is being checked.

use heapwright_logic::Sort;
use heapwright_spec::diagnostic::{Diagnostic, did_you_mean};
use rustc_hash::FxHashMap;

use super::Checker;
use super::hir::{Local, LocalId, Role};
use super::kind::{Kind, KindId};
use crate::syntax::ast::Name;

/// What is known inside of one procedure, or of the program itself.
#[derive(Default)]
pub(super) struct Frame {
    pub locals: Vec<Local>,
    /// Names by block, the innermost last.
    scopes: Vec<FxHashMap<String, LocalId>>,
    /// Whether this is the program itself, whose variables need no declaration.
    pub is_program: bool,
    /// What has to be returned; the inner option is empty where the type is unknown.
    pub result: Option<Option<Sort>>,
}

impl Frame {
    pub fn new(is_program: bool, result: Option<Option<Sort>>) -> Self {
        Frame {
            locals: Vec::new(),
            scopes: vec![FxHashMap::default()],
            is_program,
            result,
        }
    }

    pub fn open(&mut self) {
        self.scopes.push(FxHashMap::default());
    }

    pub fn close(&mut self) {
        self.scopes.pop();
    }

    /// Whether a declaration here is one of the program's own variables.
    fn at_top(&self) -> bool {
        self.is_program && self.scopes.len() == 1
    }

    fn lookup(&self, name: &str) -> Option<LocalId> {
        let mut scopes = self.scopes.iter().rev();
        scopes.find_map(|scope| scope.get(name).copied())
    }

    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.index()]
    }

    fn add(&mut self, depth: usize, name: &Name, kind: KindId, role: Role) -> LocalId {
        let id = LocalId(self.locals.len() as u32);
        self.locals.push(Local {
            name: name.text.clone(),
            kind,
            role,
            span: name.span(),
        });
        if let Some(scope) = self.scopes.get_mut(depth) {
            scope.insert(name.text.clone(), id);
        }
        id
    }

    pub fn add_parameter(&mut self, name: &Name, kind: KindId) {
        self.add(0, name, kind, Role::Parameter);
    }
}

impl Checker {
    /// Declares a variable in the innermost block.
    pub(super) fn declare_variable(&mut self, name: &Name, kind: KindId) -> LocalId {
        if let Some(before) = self.frame.lookup(&name.text) {
            let before = self.frame.local(before).span;
            let message = format!("variable `{}` exists already", name.text);
            let diagnostic =
                Diagnostic::error(name.span(), message).with_note_at(before, "first mentioned");
            self.report(diagnostic);
        }
        let role = if self.frame.at_top() {
            Role::Free
        } else {
            Role::Local
        };
        let depth = self.frame.scopes.len().saturating_sub(1);
        self.frame.add(depth, name, kind, role)
    }

    /// The variable of a name. In the program itself a name that nothing declares is a variable
    /// all the same; in a procedure it is an error.
    pub(super) fn variable(&mut self, name: &Name) -> LocalId {
        if let Some(local) = self.frame.lookup(&name.text) {
            return local;
        }
        if self.frame.is_program {
            let kind = self.kinds.fresh(Kind::Unknown);
            return self.frame.add(0, name, kind, Role::Free);
        }
        let known = self.frame.scopes.iter().flat_map(|scope| scope.keys());
        let mut known: Vec<_> = known.map(String::as_str).collect();
        known.sort_unstable();
        let advice = did_you_mean(&name.text, known)
            .unwrap_or_else(|| format!("declare it: `var {} := ...`", name.text));
        let message = format!("unknown variable `{}`", name.text);
        let diagnostic = Diagnostic::error(name.span(), message).with_help(advice);
        self.report(diagnostic);
        // It is known from now on, so that it is reported once.
        let kind = self.kinds.fresh(Kind::Error);
        self.frame.add(0, name, kind, Role::Parameter)
    }
}
