//! The names of a specification: what each stands for, and where.

use std::ops::Range;

use heapwright_spec::diagnostic::{FileId, Span};
use heapwright_spec::syntax::ast::{
    Binder, Contract, ContractKind, Declaration, Expr, ExprKind, FieldArgument, File, Import,
    ImportTarget, Name, function_arity,
};
use heapwright_spec::syntax::parse_file;

/// What a name stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A predicate.
    Predicate,
    /// A function on values.
    Function,
    /// A class.
    Class,
    /// A field, of a class if that can be seen.
    Field(Option<String>),
    /// A parameter or quantified name, and where it is declared.
    Variable(Option<Range<usize>>),
    /// The method of a contract.
    Method(ContractKind),
    /// What is imported.
    Import(ImportTarget),
}

/// A name in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Occurrence {
    /// What it stands for.
    pub kind: Kind,
    /// The name.
    pub text: String,
    /// Where it is.
    pub range: Range<usize>,
    /// Whether it is declared here.
    pub declares: bool,
}

/// All names of a text, as far as it can be parsed, in order.
pub fn of(text: &str) -> Vec<Occurrence> {
    let mut walk = Walk::default();
    walk.file(&parse_file(FileId(0), text).file);
    let mut found = walk.found;
    found.sort_by_key(|name| name.range.start);
    found
}

/// The name at a byte, or that ends there.
pub fn at(names: &[Occurrence], byte: usize) -> Option<&Occurrence> {
    let mut touching = names.iter();
    // Imports span whole statements, and everything else is inside of nothing.
    touching.find(|name| name.range.start <= byte && byte <= name.range.end)
}

#[derive(Default)]
struct Walk {
    found: Vec<Occurrence>,
    /// The names that are bound here, the innermost last.
    scope: Vec<(String, Range<usize>)>,
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

impl Walk {
    fn add(&mut self, kind: Kind, name: &Name, declares: bool) {
        self.found.push(Occurrence {
            kind,
            text: name.text.clone(),
            range: range(name.span),
            declares,
        });
    }

    fn file(&mut self, file: &File) {
        for declaration in &file.declarations {
            self.scope.clear();
            match declaration {
                Declaration::Import(import) => self.import(import),
                Declaration::Data(data) => {
                    self.add(Kind::Class, &data.name, true);
                    if let Some(superclass) = &data.superclass {
                        self.add(Kind::Class, superclass, false);
                    }
                    for field in &data.fields {
                        self.add(Kind::Class, &field.ty, false);
                        let of = Some(data.name.text.clone());
                        self.add(Kind::Field(of), &field.name, true);
                    }
                }
                Declaration::Predicate(predicate) => {
                    self.add(Kind::Predicate, &predicate.name, true);
                    self.bind(&predicate.params);
                    self.formula(&predicate.body);
                }
                Declaration::Contract(contract) => self.contract(contract),
                Declaration::Check(check) => self.formula(&check.body),
            }
        }
    }

    fn import(&mut self, import: &Import) {
        let text = match &import.target {
            ImportTarget::File(text) | ImportTarget::Module(text) => text.clone(),
        };
        self.found.push(Occurrence {
            kind: Kind::Import(import.target.clone()),
            text,
            range: range(import.span.0),
            declares: false,
        });
    }

    fn contract(&mut self, contract: &Contract) {
        if let Some(class) = &contract.class {
            self.add(Kind::Class, class, false);
        }
        self.add(Kind::Method(contract.kind), &contract.method, true);
        self.bind(&contract.params);
        self.formula(&contract.body);
    }

    fn bind(&mut self, binders: &[Binder]) {
        for binder in binders {
            let place = range(binder.name.span);
            self.scope.push((binder.name.text.clone(), place.clone()));
            self.add(Kind::Variable(Some(place)), &binder.name, true);
            if let Some(ty) = &binder.ty {
                self.add(Kind::Class, ty, false);
            }
        }
    }

    fn fields(&mut self, class: Option<&str>, arguments: &[FieldArgument]) {
        for argument in arguments {
            if let Some(field) = &argument.field {
                self.add(Kind::Field(class.map(str::to_owned)), field, false);
            }
            self.formula(&argument.value);
        }
    }

    /// The nesting is that of the text, which the parser limits.
    fn formula(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Path(names) => {
                let mut names = names.iter();
                if let Some(base) = names.next() {
                    let mut bound = self.scope.iter().rev();
                    let place = bound.find(|(name, _)| *name == base.text);
                    let place = place.map(|(_, place)| place.clone());
                    self.add(Kind::Variable(place), base, false);
                }
                for field in names {
                    self.add(Kind::Field(None), field, false);
                }
            }
            ExprKind::Call(name, arguments) => {
                let kind = match function_arity(&name.text) {
                    Some(_) => Kind::Function,
                    None => Kind::Predicate,
                };
                self.add(kind, name, false);
                arguments.iter().for_each(|argument| self.formula(argument));
            }
            ExprKind::PointsTo(source, class, arguments) => {
                self.formula(source);
                self.add(Kind::Class, class, false);
                self.fields(Some(&class.text), arguments);
            }
            ExprKind::Part(arguments) => self.fields(None, arguments),
            ExprKind::Exists(binders, body) => {
                let bound = self.scope.len();
                self.bind(binders);
                self.formula(body);
                self.scope.truncate(bound);
            }
            ExprKind::Not(inner)
            | ExprKind::Negate(inner)
            | ExprKind::Old(inner)
            | ExprKind::Address(inner) => self.formula(inner),
            ExprKind::Compare(first, rest) => {
                self.formula(first);
                rest.iter().for_each(|(_, operand)| self.formula(operand));
            }
            ExprKind::Arithmetic(first, rest) => {
                self.formula(first);
                rest.iter().for_each(|(_, operand)| self.formula(operand));
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                for part in [condition, then, otherwise] {
                    self.formula(part);
                }
            }
            ExprKind::Implies(left, right) => {
                self.formula(left);
                self.formula(right);
            }
            ExprKind::And(parts) | ExprKind::Or(parts) | ExprKind::Star(parts) => {
                parts.iter().for_each(|part| self.formula(part));
            }
            ExprKind::Emp
            | ExprKind::Bool(_)
            | ExprKind::Null
            | ExprKind::Int(_)
            | ExprKind::Char(_)
            | ExprKind::Float(_)
            | ExprKind::Wildcard
            | ExprKind::Error => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_for_what_is_meant_where_they_are() {
        let text = "data Node { Node next; }\npred p(x) := exists n. x -> Node(next: n) * p(n);";
        let names = of(text);
        let name_at = |piece: &str| {
            let name = at(&names, text.rfind(piece).unwrap()).unwrap();
            (name.text.clone(), name.kind.clone())
        };
        let of_node = Kind::Field(Some("Node".to_owned()));
        assert_eq!(name_at("next: "), ("next".to_owned(), of_node));
        assert_eq!(name_at("p(n)"), ("p".to_owned(), Kind::Predicate));
        assert_eq!(name_at("Node("), ("Node".to_owned(), Kind::Class));
        let bound = text.find("n. x").unwrap();
        let variable = Kind::Variable(Some(bound..bound + 1));
        assert_eq!(name_at("n);"), ("n".to_owned(), variable));
        assert_eq!(at(&names, text.find(":=").unwrap()), None);
    }
}
