//! What functions do with pointers that they are given: whether they take it for granted that there
//! is something, and whether they follow or set the links of a node first.

use std::cell::RefCell;
use std::collections::BTreeSet;

use heapwright_c::ast::{
    self, BinaryOperator, Expr, ExprKind, RecordId, Stmt, StmtKind, UnaryOperator, Unit, VariableId,
};
use heapwright_c::visit::{visit_first_value, visit_statement};
use heapwright_testgen::proposal::LinkUse;

use super::links::{FieldOf, plain, pointed_to};

/// So many parameters are looked at, one function calling the next, before nobody knows.
const MOST_PARAMETERS: usize = 64;

/// Whether a parameter has not been looked at yet. A function that calls itself does the same again.
fn is_new(seen: &mut BTreeSet<VariableId>, param: VariableId) -> bool {
    seen.len() < MOST_PARAMETERS && seen.insert(param)
}

/// What a function takes for granted about a pointer that it is given.
#[derive(Clone, Copy, Default)]
pub struct Presence {
    /// Whether it follows it, or gives it to a function that does.
    pub is_followed: bool,
    /// Whether it asks whether it is null.
    pub is_asked_for: bool,
}

/// Looks what a function takes for granted about a pointer, and the functions that it gives it to.
pub fn presence(unit: &Unit, function: &ast::Function, param: VariableId) -> Presence {
    presence_within(unit, function, param, &mut BTreeSet::new())
}

fn presence_within(
    unit: &Unit,
    function: &ast::Function,
    param: VariableId,
    seen: &mut BTreeSet<VariableId>,
) -> Presence {
    let mut presence = Presence::default();
    let Some(body) = function.body.as_ref().filter(|_| is_new(seen, param)) else {
        return presence;
    };
    let is_param = |expr: &Expr| match &plain(expr).kind {
        ExprKind::Load(place) => matches!(place.kind, ExprKind::Variable(id) if id == param),
        _ => false,
    };
    let is_null = |expr: &Expr| matches!(plain(expr).kind, ExprKind::Int(0));
    let mut asked = false;
    let mut ask = |expr: &Expr| asked |= is_param(expr);
    visit_conditions(body, &mut ask);
    visit_statement(unit, body, &mut |expr| match &expr.kind {
        ExprKind::Deref(pointer) => presence.is_followed |= is_param(pointer),
        ExprKind::Call(callee, args) => {
            let Some(called) = called(unit, callee) else {
                return;
            };
            let given = called.params.iter().zip(args);
            for (&inner, _) in given.filter(|(_, arg)| is_param(arg)) {
                let inner = presence_within(unit, called, inner, seen);
                presence.is_followed |= inner.is_followed && !inner.is_asked_for;
                presence.is_asked_for |= inner.is_asked_for;
            }
        }
        ExprKind::Binary(BinaryOperator::Eq | BinaryOperator::Ne, left, right) => {
            if is_null(right) {
                ask(left);
            } else if is_null(left) {
                ask(right);
            }
        }
        ExprKind::Unary(UnaryOperator::Not, inner) => ask(inner),
        ExprKind::LogicalAnd(left, right) | ExprKind::LogicalOr(left, right) => {
            ask(left);
            ask(right);
        }
        ExprKind::Conditional(condition, ..) => ask(condition),
        _ => {}
    });
    presence.is_asked_for |= asked;
    presence
}

/// The function that a call is of, if that is written there.
fn called<'n>(unit: &'n Unit, callee: &Expr) -> Option<&'n ast::Function> {
    let ExprKind::Decay(callee) = &plain(callee).kind else {
        return None;
    };
    let ExprKind::Function(id) = callee.kind else {
        return None;
    };
    unit.functions.get(id.0 as usize)
}

/// Calls a function for what statements depend on.
fn visit_conditions(stmt: &Stmt, act: &mut dyn FnMut(&Expr)) {
    match &stmt.kind {
        StmtKind::If(condition, then, otherwise) => {
            act(condition);
            visit_conditions(then, act);
            if let Some(otherwise) = otherwise {
                visit_conditions(otherwise, act);
            }
        }
        StmtKind::While(condition, body) | StmtKind::DoWhile(body, condition) => {
            act(condition);
            visit_conditions(body, act);
        }
        StmtKind::For {
            condition, body, ..
        } => {
            condition.iter().for_each(&mut *act);
            visit_conditions(body, act);
        }
        StmtKind::Block(stmts) => stmts.iter().for_each(|stmt| visit_conditions(stmt, act)),
        StmtKind::Switch(_, body)
        | StmtKind::Case(_, _, body)
        | StmtKind::Default(body)
        | StmtKind::Label(_, body) => visit_conditions(body, act),
        _ => {}
    }
}

/// What a function does first with each link of what a parameter leads to: its own links, and those
/// of a struct inside of it.
pub fn links_of(
    unit: &Unit,
    function: &ast::Function,
    param: VariableId,
    record: RecordId,
) -> Vec<(String, LinkUse)> {
    let mut links = Vec::new();
    let mut look = |name: String, link: FieldOf| {
        let found = first_use(unit, function, param, link, &RefCell::default());
        links.extend(found.map(|found| (name, found)));
    };
    let fields = |id: RecordId| unit.records.get(id.0 as usize).map(|record| &record.fields);
    for (index, field) in (0..).zip(fields(record).into_iter().flatten()) {
        if pointed_to(&field.ty) == Some(record) {
            look(field.name.clone(), (record, index));
        }
        let ast::CType::Record(inner) = &field.ty else {
            continue;
        };
        for (index, part) in (0..).zip(fields(*inner).into_iter().flatten()) {
            let to = pointed_to(&part.ty);
            if to == Some(*inner) || to == Some(record) {
                let name = format!("{}.{}", field.name, part.name);
                look(name, (*inner, index));
            }
        }
    }
    links
}

fn first_use(
    unit: &Unit,
    function: &ast::Function,
    param: VariableId,
    link: FieldOf,
    seen: &RefCell<BTreeSet<VariableId>>,
) -> Option<LinkUse> {
    if !is_new(&mut seen.borrow_mut(), param) {
        return None;
    }
    let search = Search {
        unit,
        param,
        link,
        seen,
    };
    function.body.as_ref().and_then(|body| search.stmt(body))
}

/// The search for the first use of a link of a node, in the order in which things are computed.
/// `None` if there is none yet.
struct Search<'n> {
    unit: &'n Unit,
    param: VariableId,
    link: FieldOf,
    /// The parameters that were looked at, of this function and of those that it calls.
    seen: &'n RefCell<BTreeSet<VariableId>>,
}

impl Search<'_> {
    fn stmt(&self, stmt: &Stmt) -> Option<LinkUse> {
        match &stmt.kind {
            StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => self.expr(expr),
            StmtKind::Declare(ids) => ids.iter().find_map(|id| {
                let mut found = None;
                visit_first_value(self.unit, *id, &mut |expr| {
                    found = found.or_else(|| self.expr(expr));
                });
                found
            }),
            StmtKind::Block(stmts) => stmts.iter().find_map(|stmt| self.stmt(stmt)),
            StmtKind::If(condition, then, otherwise) => self
                .expr(condition)
                .or_else(|| self.stmt(then))
                .or_else(|| otherwise.as_ref().and_then(|stmt| self.stmt(stmt))),
            StmtKind::While(condition, body) => self.expr(condition).or_else(|| self.stmt(body)),
            StmtKind::DoWhile(body, condition) => self.stmt(body).or_else(|| self.expr(condition)),
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => (init.as_ref().and_then(|init| self.stmt(init)))
                .or_else(|| condition.as_ref().and_then(|expr| self.expr(expr)))
                .or_else(|| self.stmt(body))
                .or_else(|| step.as_ref().and_then(|expr| self.expr(expr))),
            StmtKind::Switch(value, body) => self.expr(value).or_else(|| self.stmt(body)),
            StmtKind::Case(_, _, body) | StmtKind::Default(body) | StmtKind::Label(_, body) => {
                self.stmt(body)
            }
            _ => None,
        }
    }

    fn expr(&self, expr: &Expr) -> Option<LinkUse> {
        match &expr.kind {
            ExprKind::Load(place) => match self.is_link(place) {
                true => Some(LinkUse::Follows),
                false => self.expr(place),
            },
            ExprKind::Assign(place, value) => {
                self.expr(value).or_else(|| match self.is_link(place) {
                    true => Some(LinkUse::Sets),
                    false => self.expr(place),
                })
            }
            ExprKind::Call(callee, args) => {
                let found = args.iter().find_map(|arg| self.expr(arg));
                found.or_else(|| self.call(callee, args))
            }
            ExprKind::Deref(a)
            | ExprKind::Member(a, ..)
            | ExprKind::Decay(a)
            | ExprKind::Address(a)
            | ExprKind::Unary(_, a)
            | ExprKind::Step { target: a, .. }
            | ExprKind::Cast(a)
            | ExprKind::VaArg(a) => self.expr(a),
            ExprKind::Binary(_, a, b)
            | ExprKind::LogicalAnd(a, b)
            | ExprKind::LogicalOr(a, b)
            | ExprKind::Comma(a, b)
            | ExprKind::AssignOp(_, a, b, _) => self.expr(a).or_else(|| self.expr(b)),
            ExprKind::Conditional(a, b, c) => self
                .expr(a)
                .or_else(|| b.as_ref().and_then(|b| self.expr(b)))
                .or_else(|| self.expr(c)),
            ExprKind::Statements(stmts) => stmts.iter().find_map(|stmt| self.stmt(stmt)),
            _ => None,
        }
    }

    /// A function that is given the node, or the node inside of it.
    fn call(&self, callee: &Expr, args: &[Expr]) -> Option<LinkUse> {
        let function = called(self.unit, callee)?;
        let given = function.params.iter().zip(args);
        let mut given = given.filter(|(_, arg)| self.is_node(arg));
        given.find_map(|(&param, _)| first_use(self.unit, function, param, self.link, self.seen))
    }

    /// `x` or `&x->link`
    fn is_node(&self, expr: &Expr) -> bool {
        match &plain(expr).kind {
            ExprKind::Load(place) => self.is_param(place),
            ExprKind::Address(place) => match &place.kind {
                ExprKind::Member(base, ..) => self.is_object(base),
                _ => false,
            },
            _ => false,
        }
    }

    /// The link of the node: `x->next`, or `x->link.next`.
    fn is_link(&self, place: &Expr) -> bool {
        let ExprKind::Member(base, record, field) = &place.kind else {
            return false;
        };
        let is_of_node = match &base.kind {
            ExprKind::Member(outer, ..) => self.is_object(outer),
            _ => self.is_object(base),
        };
        is_of_node && (*record, *field) == self.link
    }

    /// `*x`
    fn is_object(&self, place: &Expr) -> bool {
        let ExprKind::Deref(pointer) = &place.kind else {
            return false;
        };
        matches!(&plain(pointer).kind, ExprKind::Load(place) if self.is_param(place))
    }

    fn is_param(&self, place: &Expr) -> bool {
        matches!(place.kind, ExprKind::Variable(id) if id == self.param)
    }
}
