//! Statements.

use heapwright_ir::{BlockId, Operand, Operation, Terminator};
use heapwright_logic::Sort;

use super::builder::int;
use super::constant::constant;
use super::function::{Body, Variable};
use crate::error::CError;
use crate::tree::Node;
use crate::types::{CType, parse};

impl Body<'_, '_> {
    pub(super) fn statement(&mut self, node: &Node) -> Result<(), CError> {
        self.builder.position = self.lowering.position(&node.place);
        match node.kind.as_str() {
            "CompoundStmt" => {
                for inner in &node.inner {
                    self.statement(inner)?;
                }
            }
            "DeclStmt" => {
                for inner in node.inner.iter().filter(|inner| inner.kind == "VarDecl") {
                    self.initialise(inner)?;
                }
            }
            "NullStmt" | "" => {}
            "ReturnStmt" => {
                let result = match node.inner.first() {
                    Some(value) => Some(self.rvalue(value)?),
                    None => None,
                };
                self.builder.position = self.lowering.position(&node.place);
                self.leave(result);
            }
            "IfStmt" => self.if_statement(node)?,
            "WhileStmt" | "DoStmt" | "ForStmt" => self.loop_statement(node)?,
            "SwitchStmt" => self.switch(node)?,
            "CaseStmt" => {
                let value = node
                    .inner
                    .first()
                    .and_then(|value| constant(self.lowering.records, value));
                let value = value.ok_or_else(|| {
                    self.lowering
                        .unsupported(node, "a case that is not constant")
                })?;
                if node.inner.len() > 2 {
                    return Err(self.lowering.unsupported(node, "a range of cases"));
                }
                self.case(Some(value), node.inner.last())?;
            }
            "DefaultStmt" => self.case(None, node.inner.last())?,
            "BreakStmt" => match self.exits.last() {
                Some(&block) => self.builder.goto(block),
                None => return Err(self.lowering.unsupported(node, "break outside of a loop")),
            },
            "ContinueStmt" => match self.continues.last() {
                Some(&block) => self.builder.goto(block),
                None => {
                    return Err(self
                        .lowering
                        .unsupported(node, "continue outside of a loop"));
                }
            },
            "LabelStmt" => {
                let block = self.label(node);
                self.builder.goto(block);
                self.builder.go_on(block);
                if let Some(inner) = node.inner.first() {
                    self.statement(inner)?;
                }
            }
            "GotoStmt" => {
                let block = self.label(node);
                self.builder.goto(block);
            }
            kind if kind.ends_with("Stmt") => {
                return Err(self
                    .lowering
                    .unsupported(node, kind.trim_end_matches("Stmt").to_owned()));
            }
            _ => self.effect(node)?,
        }
        Ok(())
    }

    /// The block behind the label that a statement has, or leads to.
    fn label(&mut self, node: &Node) -> BlockId {
        let id = node.declaration.unwrap_or(0);
        if let Some(&known) = self.labels.get(&id) {
            return known;
        }
        let block = self.builder.block();
        self.labels.insert(id, block);
        block
    }

    fn initialise(&mut self, node: &Node) -> Result<(), CError> {
        let Some(value) = node
            .inner
            .iter()
            .rfind(|inner| !inner.kind.ends_with("Attr"))
        else {
            return Ok(());
        };
        let Some(&variable) = self.variables.get(&node.id) else {
            return Ok(());
        };
        match variable {
            Variable::Register(to) => {
                let from = self.rvalue(value)?;
                self.builder.emit(Operation::Move { to, from });
            }
            Variable::Boxed(array, _) => {
                let value = self.rvalue(value)?;
                self.builder.emit(Operation::StoreElement {
                    array,
                    index: int(heapwright_logic::IntType::I64, 0),
                    value,
                });
            }
            Variable::Object(object) => {
                self.initialise_object(node, &parse(&node.ty), object, value)?
            }
        }
        Ok(())
    }

    /// `{ … }` for a struct or an array.
    fn initialise_object(
        &mut self,
        node: &Node,
        ty: &CType,
        object: Operand,
        value: &Node,
    ) -> Result<(), CError> {
        if value.kind != "InitListExpr" {
            return self.copy_into(node, object, value);
        }
        let values: Vec<&Node> = (value.inner.iter())
            .filter(|inner| inner.kind != "ImplicitValueInitExpr")
            .collect();
        if values.len() != value.inner.len() && values.iter().any(|value| value.kind.is_empty()) {
            return Err(self.lowering.unsupported(node, "an initialiser with gaps"));
        }
        match ty {
            CType::Record(name) => {
                let (class, record) = self.lowering.class(node, name)?;
                let fields = record.fields.clone();
                for ((index, field), value) in (0u32..).zip(&fields).zip(&value.inner) {
                    if value.kind == "ImplicitValueInitExpr" {
                        continue;
                    }
                    if let CType::Record(_) | CType::Array(..) = field.ty {
                        let sort = self.lowering.classes.definitions.class(class).fields
                            [index as usize]
                            .sort;
                        let inside = self.builder.value(sort, |to| Operation::Load {
                            to,
                            object,
                            class,
                            field: index,
                        });
                        self.initialise_object(node, &field.ty, inside, value)?;
                        continue;
                    }
                    let value = self.rvalue(value)?;
                    self.builder.emit(Operation::Store {
                        object,
                        class,
                        field: index,
                        value,
                    });
                }
            }
            CType::Array(..) => {
                for (index, value) in values.into_iter().enumerate() {
                    let value = self.rvalue(value)?;
                    self.builder.emit(Operation::StoreElement {
                        array: object,
                        index: int(heapwright_logic::IntType::I64, index as i128),
                        value,
                    });
                }
            }
            _ => return Err(self.lowering.unsupported(node, "this initialiser")),
        }
        Ok(())
    }

    fn if_statement(&mut self, node: &Node) -> Result<(), CError> {
        let [condition, then, rest @ ..] = &node.inner[..] else {
            return Err(self.lowering.unsupported(node, "this if"));
        };
        let (yes, no, after) = (
            self.builder.block(),
            self.builder.block(),
            self.builder.block(),
        );
        self.branch(condition, yes, no)?;
        self.builder.go_on(yes);
        self.statement(then)?;
        self.builder.goto(after);
        self.builder.go_on(no);
        if let Some(otherwise) = rest.first() {
            self.statement(otherwise)?;
        }
        self.builder.goto(after);
        self.builder.go_on(after);
        Ok(())
    }

    fn loop_statement(&mut self, node: &Node) -> Result<(), CError> {
        let (test, code) = (self.builder.block(), self.builder.block());
        let (next, after) = (self.builder.block(), self.builder.block());
        let (condition, step, body) = match (node.kind.as_str(), &node.inner[..]) {
            ("WhileStmt", [condition, body]) => (condition, None, body),
            ("DoStmt", [body, condition]) => (condition, None, body),
            ("ForStmt", [first, _, condition, step, body]) => {
                self.statement(first)?;
                (condition, Some(step), body)
            }
            _ => return Err(self.lowering.unsupported(node, "this loop")),
        };
        self.builder
            .goto(if node.kind == "DoStmt" { code } else { test });
        self.builder.go_on(test);
        match condition.kind.is_empty() {
            true => self.builder.goto(code),
            false => self.branch(condition, code, after)?,
        }
        self.builder.go_on(code);
        self.exits.push(after);
        self.continues.push(next);
        self.statement(body)?;
        self.exits.pop();
        self.continues.pop();
        self.builder.goto(next);
        self.builder.go_on(next);
        if let Some(step) = step.filter(|step| !step.kind.is_empty()) {
            self.effect(step)?;
        }
        self.builder.goto(test);
        self.builder.go_on(after);
        Ok(())
    }

    fn switch(&mut self, node: &Node) -> Result<(), CError> {
        let [value, body] = &node.inner[..] else {
            return Err(self.lowering.unsupported(node, "this switch"));
        };
        let selected = self.rvalue(value)?;
        let position = self.builder.position;
        let (head, after) = (self.builder.block(), self.builder.block());
        self.builder.goto(head);
        self.switches.push(Vec::new());
        self.exits.push(after);
        self.statement(body)?;
        self.exits.pop();
        self.builder.goto(after);
        let cases = self.switches.pop().unwrap_or_default();
        let default = cases.iter().find(|(case, _)| case.is_none());
        let default = default.map_or(after, |&(_, block)| block);
        let ty = match parse(&value.ty) {
            CType::Int(ty) => Some(ty),
            _ => None,
        };
        let numbered = cases.iter().filter_map(|&(case, block)| {
            let case = case?;
            Some((ty.map_or(case, |ty| ty.wrap(case)), block))
        });
        self.builder.go_on(head);
        self.builder.position = position;
        self.builder.end(Terminator::Switch {
            value: selected,
            cases: numbered.collect(),
            default,
        });
        self.builder.go_on(after);
        Ok(())
    }

    fn case(&mut self, value: Option<i128>, code: Option<&Node>) -> Result<(), CError> {
        let block = self.builder.block();
        self.builder.goto(block);
        self.builder.go_on(block);
        if let Some(cases) = self.switches.last_mut() {
            cases.push((value, block));
        }
        match code {
            Some(code) => self.statement(code),
            None => Ok(()),
        }
    }

    /// Ends the current block: execution goes on in one of two blocks, with one branch for each
    /// condition that is not made of others.
    pub(super) fn branch(
        &mut self,
        node: &Node,
        then: BlockId,
        otherwise: BlockId,
    ) -> Result<(), CError> {
        if let Some(value) = constant(self.lowering.records, node) {
            self.builder.goto(if value != 0 { then } else { otherwise });
            return Ok(());
        }
        match (node.kind.as_str(), node.opcode.as_str(), &node.inner[..]) {
            ("ParenExpr", _, [inner]) => self.branch(inner, then, otherwise),
            ("ImplicitCastExpr" | "CStyleCastExpr", _, [inner])
                if matches!(node.cast.as_str(), "IntegralToBoolean" | "IntegralCast")
                    && is_logical(inner) =>
            {
                self.branch(inner, then, otherwise)
            }
            ("UnaryOperator", "!", [inner]) => self.branch(inner, otherwise, then),
            ("BinaryOperator", "&&", [left, right]) => {
                let second = self.builder.block();
                self.branch(left, second, otherwise)?;
                self.builder.go_on(second);
                self.branch(right, then, otherwise)
            }
            ("BinaryOperator", "||", [left, right]) => {
                let second = self.builder.block();
                self.branch(left, then, second)?;
                self.builder.go_on(second);
                self.branch(right, then, otherwise)
            }
            _ => {
                let condition = self.truth(node)?;
                self.builder.position = self.lowering.position(&node.place);
                self.builder.end(Terminator::Branch {
                    condition,
                    then,
                    otherwise,
                });
                Ok(())
            }
        }
    }

    /// A truth value by branches.
    pub(super) fn by_branches(&mut self, node: &Node) -> Result<Operand, CError> {
        let to = self.builder.register(None, Sort::Bool);
        let (yes, no, after) = (
            self.builder.block(),
            self.builder.block(),
            self.builder.block(),
        );
        self.branch(node, yes, no)?;
        for (block, value) in [(yes, true), (no, false)] {
            self.builder.go_on(block);
            let from = Operand::Constant(heapwright_ir::Constant::Bool(value));
            self.builder.emit(Operation::Move { to, from });
            self.builder.goto(after);
        }
        self.builder.go_on(after);
        Ok(Operand::Register(to))
    }
}

/// Whether an expression is made of conditions.
fn is_logical(node: &Node) -> bool {
    match node.kind.as_str() {
        "ParenExpr" => node.inner.first().is_some_and(is_logical),
        "UnaryOperator" => node.opcode == "!",
        "BinaryOperator" => matches!(node.opcode.as_str(), "&&" | "||"),
        _ => false,
    }
}
