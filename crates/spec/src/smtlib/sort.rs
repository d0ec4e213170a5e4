//! Sorts of a script, and the classes that its heap is made of.
//!
//! A sort declared with `declare-sort` is a sort of locations. `declare-heap` says which
//! datatype the cells at such locations have; the class of the cells takes the name of that
//! datatype and the fields of its one constructor. Since locations are used before the heap
//! is declared, [`cells_of_heap`] looks ahead for the names.

use heapwright_logic::{Class, ClassId, Field, Sort};
use rustc_hash::FxHashMap;

use super::problem::ProblemKind;
use super::reader::{Reader, Symbol};
use super::sexpr::{Expr, ExprKind};
use crate::diagnostic::Span;

/// The sort of a term of the script.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum SmtSort {
    Bool,
    Int,
    /// Locations whose cells are of a class; for a bare `nil`, [`ClassId::ANY`].
    Location(ClassId),
    /// The contents of cells.
    Data(DataId),
}

/// A datatype, by its position in the script.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct DataId(pub u32);

/// A datatype: what cells hold.
#[derive(Clone, Debug)]
pub(super) struct Datatype<'a> {
    pub name: &'a str,
    pub constructors: Vec<Constructor<'a>>,
}

/// A constructor: its fields.
#[derive(Clone, Debug)]
pub(super) struct Constructor<'a> {
    pub fields: Vec<(&'a str, SmtSort)>,
}

/// Which location sort has cells of which sort, by name, from every `declare-heap`.
pub(super) fn cells_of_heap<'a>(commands: &[Expr<'a>]) -> FxHashMap<&'a str, &'a str> {
    let mut cells = FxHashMap::default();
    for command in commands {
        let Some([head, pairs @ ..]) = command.list() else {
            continue;
        };
        if head.symbol() != Some("declare-heap") {
            continue;
        }
        for pair in pairs {
            if let Some([location, data]) = pair.list()
                && let (Some(location), Some(data)) = (location.symbol(), data.symbol())
                && !matches!(data, "Int" | "Bool")
            {
                cells.entry(location).or_insert(data);
            }
        }
    }
    cells
}

impl SmtSort {
    /// Whether a term of this sort may stand where one of the other is expected.
    pub fn fits(self, expected: SmtSort) -> bool {
        match (self, expected) {
            (SmtSort::Location(a), SmtSort::Location(b)) => {
                a == b || a == ClassId::ANY || b == ClassId::ANY
            }
            _ => self == expected,
        }
    }
}

impl<'a> Reader<'a> {
    /// What has a sort, for messages.
    pub fn term_of(&self, sort: SmtSort) -> String {
        let name = match sort {
            SmtSort::Bool => "Bool",
            SmtSort::Int => "Int",
            SmtSort::Location(class) => match self.locations.get(&class) {
                Some(name) => name,
                None => return "a location".to_owned(),
            },
            SmtSort::Data(id) => self.datatype(id).name,
        };
        format!("a term of sort {name}")
    }

    pub fn datatype(&self, id: DataId) -> &Datatype<'a> {
        &self.datatypes[id.0 as usize]
    }

    /// The sort that an expression names.
    pub fn sort(&mut self, expr: &Expr<'a>) -> Option<SmtSort> {
        let Some(name) = expr.symbol() else {
            return match expr.list() {
                Some([head, ..]) if head.symbol().is_some() => {
                    let what = format!("the sort constructor {}", head.describe());
                    self.unsupported(expr.span, what, None)
                }
                _ => self.expected(expr, "the name of a sort"),
            };
        };
        if let Some(&sort) = self.sorts.get(name) {
            return Some(sort);
        }
        let nearest = crate::diagnostic::nearest(name, self.sorts.known());
        let nearest = nearest.map(str::to_owned);
        self.problems.add(
            expr.span,
            ProblemKind::Unknown {
                what: "sort",
                name: name.to_owned(),
                nearest,
            },
        );
        None
    }

    /// The sort of our own terms. Contents of cells are not terms.
    pub fn term_sort(&mut self, sort: SmtSort, span: Span) -> Option<Sort> {
        match sort {
            SmtSort::Bool => Some(Sort::Bool),
            SmtSort::Int => Some(Sort::Int),
            SmtSort::Location(class) => Some(Sort::Ref(class)),
            SmtSort::Data(id) => {
                let what = format!("a value of the datatype `{}`", self.datatype(id).name);
                let help = "cells are written out as `(pto x (constructor fields...))`";
                self.unsupported(span, what, Some(help))
            }
        }
    }

    /// `(declare-sort Ref 0)`
    pub fn declare_sort(&mut self, name: &'a str, arity: &Expr<'a>, span: Span) -> Option<()> {
        match arity.kind {
            ExprKind::Numeral(digits) if digits.bytes().all(|digit| digit == b'0') => {}
            ExprKind::Numeral(_) => {
                let what = "a sort with parameters".to_owned();
                return self.unsupported(arity.span, what, None);
            }
            _ => return self.expected(arity, "the number of parameters"),
        }
        let class_name = self.cells.get(name).copied().unwrap_or(name);
        let taken = self.definitions.class_named(class_name).is_some();
        let class = self.definitions.add_class(Class {
            name: if taken { name } else { class_name }.to_owned(),
            fields: Vec::new(),
            superclass: None,
        });
        self.locations.insert(class, name);
        self.bind_sort(name, SmtSort::Location(class), span)
    }

    pub fn bind_sort(&mut self, name: &'a str, sort: SmtSort, span: Span) -> Option<()> {
        if self.sorts.get(name).is_some() {
            return self.redeclared(name, span);
        }
        self.sorts.bind(name, sort);
        Some(())
    }

    /// `(declare-datatypes ((D 0) ...) (((constructor (field Sort) ...) ...) ...))`
    pub fn declare_datatypes(&mut self, heads: &Expr<'a>, bodies: &Expr<'a>) -> Option<()> {
        let (Some(head_list), Some(body_list)) = (heads.list(), bodies.list()) else {
            let wrong = if heads.list().is_none() {
                heads
            } else {
                bodies
            };
            return self.expected(wrong, "a list");
        };
        if head_list.len() != body_list.len() {
            let expected = format!("{} bodies for its datatypes", head_list.len());
            return self.arity(bodies.span, "declare-datatypes", expected, body_list.len());
        }
        // All names first: datatypes may refer to each other.
        let mut ids = Vec::with_capacity(head_list.len());
        for head in head_list {
            let id = match head.list() {
                Some([name, arity]) => match (name.symbol(), &arity.kind) {
                    (Some(name), ExprKind::Numeral("0")) => self.new_datatype(name, head.span),
                    (None, _) => self.expected(name, "the name of a datatype"),
                    _ => {
                        let what = "a datatype with parameters".to_owned();
                        self.unsupported(arity.span, what, None)
                    }
                },
                _ => self.expected(head, "`(name 0)`"),
            };
            ids.push(id);
        }
        for (id, body) in ids.into_iter().zip(body_list) {
            if let Some(id) = id {
                self.constructors(id, body);
            }
        }
        Some(())
    }

    pub fn new_datatype(&mut self, name: &'a str, span: Span) -> Option<DataId> {
        let id = DataId(self.datatypes.len() as u32);
        self.bind_sort(name, SmtSort::Data(id), span)?;
        self.datatypes.push(Datatype {
            name,
            constructors: Vec::new(),
        });
        Some(id)
    }

    /// `((constructor (field Sort) ...) ...)`
    pub fn constructors(&mut self, id: DataId, body: &Expr<'a>) -> Option<()> {
        let list = match body.list() {
            Some([par, ..]) if par.symbol() == Some("par") => {
                let what = "a datatype with parameters".to_owned();
                return self.unsupported(body.span, what, None);
            }
            Some(list) => list,
            None => return self.expected(body, "a list of constructors"),
        };
        for expr in list {
            let (head, fields) = match &expr.kind {
                ExprKind::Symbol(_) => (expr, &[][..]),
                ExprKind::List(items) => match &items[..] {
                    [head, fields @ ..] => (head, fields),
                    [] => return self.expected(expr, "`(constructor (field Sort) ...)`"),
                },
                _ => return self.expected(expr, "`(constructor (field Sort) ...)`"),
            };
            let Some(name) = head.symbol() else {
                return self.expected(head, "the name of a constructor");
            };
            let mut resolved = Vec::with_capacity(fields.len());
            for field in fields {
                match self.typed_name(field) {
                    Some((name, sort)) => resolved.push((name, sort)),
                    None => return None,
                }
            }
            let constructor = self.datatypes[id.0 as usize].constructors.len();
            self.datatypes[id.0 as usize]
                .constructors
                .push(Constructor { fields: resolved });
            self.bind_symbol(name, Symbol::Constructor(id, constructor), head.span);
        }
        Some(())
    }

    /// `(name Sort)`
    pub fn typed_name(&mut self, expr: &Expr<'a>) -> Option<(&'a str, SmtSort)> {
        match expr.list() {
            Some([name, sort]) => match name.symbol() {
                Some(name) => Some((name, self.sort(sort)?)),
                None => self.expected(name, "a name"),
            },
            _ => self.expected(expr, "`(name Sort)`"),
        }
    }

    /// `(declare-heap (Ref Data) ...)`
    pub fn declare_heap(&mut self, pairs: &[Expr<'a>]) -> Option<()> {
        for pair in pairs {
            self.declare_cell(pair);
        }
        Some(())
    }

    /// `(Ref Data)`: what the cells at such locations hold.
    fn declare_cell(&mut self, pair: &Expr<'a>) -> Option<()> {
        let Some([location, data]) = pair.list() else {
            return self.expected(pair, "`(location-sort data-sort)`");
        };
        let (location_sort, data_sort) = (self.sort(location), self.sort(data));
        let class = match location_sort? {
            SmtSort::Location(class) => class,
            _ => return self.expected(location, "a sort declared with `declare-sort`"),
        };
        if self.contents.contains_key(&class) {
            return self.redeclared(location.symbol()?, location.span);
        }
        let data_sort = data_sort?;
        let fields = match data_sort {
            SmtSort::Data(id) => match &self.datatype(id).constructors[..] {
                [constructor] => constructor.fields.clone(),
                _ => {
                    let what = "a heap cell of a datatype without exactly one constructor";
                    return self.unsupported(data.span, what.to_owned(), None);
                }
            },
            // A heap of bare values.
            _ => vec![("value", data_sort)],
        };
        let mut resolved = Vec::with_capacity(fields.len());
        for (name, sort) in fields {
            resolved.push(Field {
                name: name.to_owned(),
                sort: self.term_sort(sort, data.span)?,
            });
        }
        self.definitions.class_mut(class).fields = resolved;
        self.contents.insert(class, data_sort);
        Some(())
    }
}
