//! What the code does with the links of structs: whether lists come back to where they began, and
//! which number trees are ordered by.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_c::ast::{
    BinaryOperator, CType, Expr, ExprKind, Init, RecordId, Stmt, Unit, VariableId,
};
use heapwright_c::visit::{visit, visit_statement};

/// A field of a struct, by number.
pub type FieldOf = (RecordId, u32);

/// What is known about the fields of structs.
#[derive(Clone, Default, Debug)]
pub struct Links {
    /// The links that can lead to the object itself.
    pub to_self: BTreeSet<FieldOf>,
    /// The numbers that are compared where a function goes one of two ways, with how often.
    pub compared: BTreeMap<FieldOf, usize>,
}

/// Looks at all functions and variables of a unit.
pub fn links(unit: &Unit) -> Links {
    let mut links = Links::default();
    let first_values = first_values(unit);
    for &id in &unit.globals {
        let variable = unit.variables.get(id.0 as usize);
        if let Some(init) = variable.and_then(|variable| variable.init.as_ref()) {
            links.first_value(unit, id, init);
        }
    }
    for function in &unit.functions {
        if let Some(body) = &function.body {
            links.function(unit, body, &first_values);
        }
    }
    links
}

/// The local variables with what they begin with.
fn first_values(unit: &Unit) -> Vec<(VariableId, &Init)> {
    let variables = (0..).map(VariableId).zip(&unit.variables);
    let with_values = variables.filter_map(|(id, variable)| Some((id, variable.init.as_ref()?)));
    with_values.collect()
}

impl Links {
    /// `struct list_head tasks = {&tasks, &tasks};`
    fn first_value(&mut self, unit: &Unit, id: VariableId, init: &Init) {
        let (Init::List(fields), Some(CType::Record(record))) = (
            init,
            unit.variables
                .get(id.0 as usize)
                .map(|variable| &variable.ty),
        ) else {
            return;
        };
        for (field, init) in fields {
            if let Init::Value(value) = init
                && let ExprKind::Address(to) = &plain(value).kind
                && matches!(to.kind, ExprKind::Variable(known) if known == id)
            {
                self.to_self.insert((*record, *field as u32));
            }
        }
    }

    fn function(&mut self, unit: &Unit, body: &Stmt, first_values: &[(VariableId, &Init)]) {
        let mut found: Vec<&Expr> = Vec::new();
        visit_statement(unit, body, &mut |expr| found.push(expr));
        let mut assigned: Vec<(VariableId, &Expr)> = Vec::new();
        for (id, init) in first_values {
            if let Init::Value(value) = init {
                assigned.push((*id, value));
            }
        }
        let mut mentioned: BTreeSet<FieldOf> = BTreeSet::new();
        for expr in &found {
            match &expr.kind {
                ExprKind::Assign(to, value) => match &to.kind {
                    ExprKind::Variable(id) => assigned.push((*id, value)),
                    ExprKind::Member(base, record, field) if is_address_of(base, value) => {
                        self.to_self.insert((*record, *field));
                    }
                    _ => {}
                },
                ExprKind::Member(_, record, field) => {
                    mentioned.insert((*record, *field));
                }
                _ => {}
            }
        }
        for expr in found {
            let ExprKind::Binary(operator, left, right) = &expr.kind else {
                continue;
            };
            match operator {
                BinaryOperator::Eq | BinaryOperator::Ne => {
                    self.comes_back(unit, &assigned, left, right);
                    self.comes_back(unit, &assigned, right, left);
                }
                BinaryOperator::Lt
                | BinaryOperator::Le
                | BinaryOperator::Gt
                | BinaryOperator::Ge
                | BinaryOperator::Sub => {
                    self.orders(unit, &mentioned, left, right);
                }
                _ => {}
            }
        }
    }

    /// `for (p = head->next; p != head; …)`: a variable that was given the next node of one that it
    /// is compared with, so the list can come back to that.
    fn comes_back(
        &mut self,
        unit: &Unit,
        assigned: &[(VariableId, &Expr)],
        walker: &Expr,
        start: &Expr,
    ) {
        let Some(walker) = walker_of(walker) else {
            return;
        };
        for (id, value) in assigned {
            if *id != walker {
                continue;
            }
            visit(unit, value, &mut |expr| {
                if let ExprKind::Load(place) = &expr.kind
                    && let ExprKind::Member(base, record, field) = &place.kind
                    && pointed_to(&expr.ty) == Some(*record)
                    && is_address_of(base, start)
                {
                    self.to_self.insert((*record, *field));
                }
            });
        }
    }

    /// `key < t->key`, in a function that goes to two different sides: the number counts as an order
    /// of the struct.
    fn orders(&mut self, unit: &Unit, mentioned: &BTreeSet<FieldOf>, left: &Expr, right: &Expr) {
        for side in [left, right] {
            let ExprKind::Load(place) = &plain(side).kind else {
                continue;
            };
            let ExprKind::Member(_, record, field) = &place.kind else {
                continue;
            };
            let goes = mentioned.iter().filter(|(of, index)| {
                of == record && field_type(unit, *of, *index).and_then(pointed_to) == Some(*record)
            });
            let is_number = matches!(field_type(unit, *record, *field), Some(CType::Int(_)));
            if is_number && goes.count() >= 2 {
                *self.compared.entry((*record, *field)).or_default() += 1;
            }
        }
    }
}

/// The type of a field.
fn field_type(unit: &Unit, record: RecordId, field: u32) -> Option<&CType> {
    let record = unit.records.get(record.0 as usize)?;
    record.fields.get(field as usize).map(|field| &field.ty)
}

/// The variable that walks along a list: `p`, or `p` in `&p->link`.
fn walker_of(expr: &Expr) -> Option<VariableId> {
    match &plain(expr).kind {
        ExprKind::Load(place) => match place.kind {
            ExprKind::Variable(id) => Some(id),
            _ => None,
        },
        ExprKind::Address(place) => match &place.kind {
            ExprKind::Member(base, ..) => match &base.kind {
                ExprKind::Deref(pointer) => walker_of(pointer),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// Whether a pointer leads to what is designated.
fn is_address_of(place: &Expr, pointer: &Expr) -> bool {
    let pointer = plain(pointer);
    if let ExprKind::Assign(_, value) = &pointer.kind {
        return is_address_of(place, value);
    }
    match (&place.kind, &pointer.kind) {
        (ExprKind::Deref(leads), _) if is_same(plain(leads), pointer) => true,
        (_, ExprKind::Address(to)) => is_same(place, to),
        _ => false,
    }
}

/// Whether two expressions without effects are the same.
fn is_same(left: &Expr, right: &Expr) -> bool {
    let (left, right) = (plain(left), plain(right));
    match (&left.kind, &right.kind) {
        (ExprKind::Variable(a), ExprKind::Variable(b)) => a == b,
        (ExprKind::Int(a), ExprKind::Int(b)) => a == b,
        (ExprKind::Deref(a), ExprKind::Deref(b))
        | (ExprKind::Load(a), ExprKind::Load(b))
        | (ExprKind::Decay(a), ExprKind::Decay(b))
        | (ExprKind::Address(a), ExprKind::Address(b)) => is_same(a, b),
        (ExprKind::Member(a, of, field), ExprKind::Member(b, from, other)) => {
            of == from && field == other && is_same(a, b)
        }
        (ExprKind::Binary(by, a, b), ExprKind::Binary(with, c, d)) => {
            by == with && is_same(a, c) && is_same(b, d)
        }
        _ => false,
    }
}

/// An expression without conversions around it.
pub fn plain(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(inner) => plain(inner),
        _ => expr,
    }
}

/// The struct that a pointer leads to.
pub fn pointed_to(ty: &CType) -> Option<RecordId> {
    match ty {
        CType::Pointer(to) => match **to {
            CType::Record(record) => Some(record),
            _ => None,
        },
        _ => None,
    }
}

/// The structs that variables and calls of allocators give memory to, where a function makes an
/// object of another struct; and the links of these that it sets to something.
pub fn made_in(unit: &Unit, body: &Stmt) -> (BTreeSet<RecordId>, BTreeSet<FieldOf>) {
    let (mut creates, mut sets) = (BTreeSet::new(), BTreeSet::new());
    let mut look = |expr: &Expr| match &expr.kind {
        ExprKind::Cast(inner) if matches!(inner.kind, ExprKind::Call(..)) => {
            creates.extend(pointed_to(&expr.ty));
        }
        ExprKind::Assign(to, value) => {
            let is_null = matches!(plain(value).kind, ExprKind::Int(0));
            if let (ExprKind::Member(_, record, field), false) = (&to.kind, is_null) {
                sets.insert((*record, *field));
            }
        }
        _ => {}
    };
    visit_statement(unit, body, &mut look);
    (creates, sets)
}
