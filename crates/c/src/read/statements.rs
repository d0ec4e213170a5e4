//! Statements.

use super::Reader;
use super::constants;
use super::stream::Node;
use super::types::VARIABLE_LENGTH;
use crate::ast::{CType, LabelId, Stmt, StmtKind};

impl Reader<'_> {
    pub(super) fn statements(&mut self, nodes: &[Node<'_>]) -> Vec<Stmt> {
        nodes.iter().map(|node| self.statement(node)).collect()
    }

    fn boxed(&mut self, node: &Node<'_>) -> Box<Stmt> {
        Box::new(self.statement(node))
    }

    /// Reads a statement. What is not supported becomes a node that says so.
    pub(super) fn statement(&mut self, node: &Node<'_>) -> Stmt {
        let refused = |what: &str| StmtKind::Unsupported(what.to_owned());
        let kind = match (node.kind.as_ref(), &node.inner[..]) {
            ("" | "NullStmt", _) => StmtKind::Empty,
            ("CompoundStmt", inner) => {
                self.names.enter();
                let statements = self.statements(inner);
                self.names.leave();
                StmtKind::Block(statements)
            }
            ("DeclStmt", inner) => self.declare_locals(inner),
            ("IfStmt", [condition, yes]) => {
                StmtKind::If(self.expr(condition), self.boxed(yes), None)
            }
            ("IfStmt", [condition, yes, no]) => {
                let condition = self.expr(condition);
                let yes = self.boxed(yes);
                StmtKind::If(condition, yes, Some(self.boxed(no)))
            }
            ("WhileStmt", [condition, body]) => {
                StmtKind::While(self.expr(condition), self.boxed(body))
            }
            ("DoStmt", [body, condition]) => {
                let body = self.boxed(body);
                StmtKind::DoWhile(body, self.expr(condition))
            }
            ("ForStmt", [init, _, condition, step, body]) => {
                self.names.enter();
                let init = is_there(init).then(|| self.boxed(init));
                let condition = is_there(condition).then(|| self.expr(condition));
                let step = is_there(step).then(|| self.expr(step));
                let body = self.boxed(body);
                self.names.leave();
                StmtKind::For {
                    init,
                    condition,
                    step,
                    body,
                }
            }
            ("SwitchStmt", [value, body]) => {
                let value = self.expr(value);
                self.switches.push(value.ty.clone());
                let body = self.boxed(body);
                self.switches.pop();
                StmtKind::Switch(value, body)
            }
            ("CaseStmt", [first, last, body]) if node.is_range => self.case(first, last, body),
            ("CaseStmt", [value, body]) => self.case(value, value, body),
            ("DefaultStmt", [body]) => StmtKind::Default(self.boxed(body)),
            ("BreakStmt", _) => StmtKind::Break,
            ("ContinueStmt", _) => StmtKind::Continue,
            ("ReturnStmt", []) => StmtKind::Return(None),
            ("ReturnStmt", [value]) => StmtKind::Return(Some(self.expr(value))),
            ("GotoStmt", _) => StmtKind::Goto(self.label(node)),
            ("LabelStmt", [body]) => {
                let label = self.label(node);
                StmtKind::Label(label, self.boxed(body))
            }
            ("AttributedStmt", [.., inner]) => return self.statement(inner),
            ("GCCAsmStmt" | "MSAsmStmt", _) => refused("inline assembly"),
            ("IndirectGotoStmt", _) => refused("a computed goto"),
            (kind, _) if kind.ends_with("Stmt") => refused(&format!("this statement ({kind})")),
            _ => StmtKind::Expr(self.expr(node)),
        };
        Stmt {
            kind,
            place: node.begin.place,
        }
    }

    fn case(&mut self, first: &Node<'_>, last: &Node<'_>, body: &Node<'_>) -> StmtKind {
        let ty = self.switches.last().cloned().unwrap_or(CType::Void);
        let mut value = |node: &Node<'_>| {
            let value = self
                .constant(node)
                .or_else(|| constants::value(&self.expr(node)));
            value.map(|value| constants::wrap(&ty, value))
        };
        match (value(first), value(last)) {
            (Some(first), Some(last)) => StmtKind::Case(first, last, self.boxed(body)),
            _ => StmtKind::Unsupported("the value of this case".to_owned()),
        }
    }

    fn label(&mut self, node: &Node<'_>) -> LabelId {
        let next = LabelId(self.labels.len() as u32);
        let declaration = node.declaration.unwrap_or(0);
        *self.labels.entry(declaration).or_insert(next)
    }

    fn declare_locals(&mut self, nodes: &[Node<'_>]) -> StmtKind {
        let mut variables = Vec::new();
        for node in nodes {
            match self.local_declaration(node) {
                Ok(Some(variable)) => {
                    let ty = &self.unit.variables[variable.0 as usize].ty;
                    if *ty == CType::Other(VARIABLE_LENGTH.to_owned()) {
                        return StmtKind::Unsupported(VARIABLE_LENGTH.to_owned());
                    }
                    variables.push(variable);
                }
                Ok(None) => {}
                Err(crate::CError::Unsupported { what, .. }) => return StmtKind::Unsupported(what),
                Err(error) => return StmtKind::Unsupported(error.to_string()),
            }
        }
        match variables.is_empty() {
            true => StmtKind::Empty,
            false => StmtKind::Declare(variables),
        }
    }
}

/// Parts of a `for` may be missing.
fn is_there(node: &Node<'_>) -> bool {
    !node.kind.is_empty()
}
