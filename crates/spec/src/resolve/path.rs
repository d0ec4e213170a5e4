//! Dotted paths: `x.left.value` is the value that a points-to fact gives the field.
//!
//! Where a disjunct has no such fact, one is added for paths that start at `this`, a parameter
//! or a free name. If the cell is already described by a predicate instance, adding one would
//! make the formula unsatisfiable, so that is an error.

use heapwright_logic::{ClassId, Sort};
use rustc_hash::FxHashMap;

use super::Resolver;
use super::hir::{Body, Cell, Disjunct, LocalId, Node, OldPath, PathUse, Role, Term};
use super::kind::Kind;
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::ast::{Comparison, Name};

/// Which variables of a disjunct are equal, and where their cells are.
struct Aliases {
    parent: FxHashMap<LocalId, LocalId>,
    /// Position of the cell, by representative.
    cells: FxHashMap<LocalId, usize>,
    /// Place of a predicate instance with the variable as an argument, by representative.
    described: FxHashMap<LocalId, Span>,
}

impl Aliases {
    /// The equalities and points-to facts of a disjunct.
    fn new(disjunct: &Disjunct) -> Self {
        let mut aliases = Aliases {
            parent: FxHashMap::default(),
            cells: FxHashMap::default(),
            described: FxHashMap::default(),
        };
        for instance in &disjunct.instances {
            for argument in instance.args.iter().filter_map(Term::as_local) {
                aliases.described.entry(argument).or_insert(instance.span);
            }
        }
        for (index, cell) in disjunct.cells.iter().enumerate() {
            if let Some(source) = cell.source.as_local() {
                aliases.cells.entry(source).or_insert(index);
            }
        }
        for condition in &disjunct.pure {
            if let Node::Compare(first, rest) = &condition.node
                && let [(Comparison::Equal, second)] = &rest[..]
                && let (Some(a), Some(b)) = (first.as_local(), second.as_local())
            {
                aliases.join(a, b);
            }
        }
        aliases
    }

    fn find(&mut self, local: LocalId) -> LocalId {
        let mut root = local;
        while let Some(&parent) = self.parent.get(&root) {
            root = parent;
        }
        let mut current = local;
        while current != root {
            current = self.parent.insert(current, root).unwrap_or(root);
        }
        root
    }

    fn join(&mut self, a: LocalId, b: LocalId) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.parent.insert(a, b);
            if let Some(cell) = self.cells.remove(&a) {
                self.cells.entry(b).or_insert(cell);
            }
            if let Some(span) = self.described.remove(&a) {
                self.described.entry(b).or_insert(span);
            }
        }
    }
}

impl Resolver {
    /// Resolves the paths of all bodies.
    pub(super) fn resolve_paths(&mut self) {
        let mut bodies = std::mem::take(&mut self.bodies);
        self.collect_open_fields(&bodies);
        for body in &mut bodies {
            for disjunct in &mut body.disjuncts {
                if !disjunct.paths.is_empty() {
                    self.disjunct_paths(disjunct);
                }
            }
            for old in &mut body.old {
                self.resolve_old(old);
            }
        }
        self.bodies = bodies;
    }

    /// A class that only contracts mention has the fields that they use.
    fn collect_open_fields(&mut self, bodies: &[Body]) {
        if self.open_classes.is_empty() {
            return;
        }
        for body in bodies {
            let in_paths = (body.disjuncts.iter().flat_map(|disjunct| &disjunct.paths))
                .map(|path| (path.base, &path.field));
            let in_old = (body.old.iter())
                .filter_map(|old| old.fields.first().map(|field| (old.base, field)));
            for (base, field) in in_paths.chain(in_old) {
                let Some(Sort::Ref(class)) = self.local(base).declared else {
                    continue;
                };
                let unknown = super::kind::Kind::Unknown;
                let Some(fields) = self.open_classes.get_mut(&class) else {
                    continue;
                };
                if fields.iter().all(|(name, _)| *name != field.text) {
                    let kind = self.kinds.fresh(unknown, super::Variance::Wide);
                    fields.push((field.text.clone(), kind));
                    let placeholder = heapwright_logic::Field {
                        name: field.text.clone(),
                        sort: Sort::Ref(ClassId::ANY),
                    };
                    self.definitions.class_mut(class).fields.push(placeholder);
                }
            }
        }
    }

    fn disjunct_paths(&mut self, disjunct: &mut Disjunct) {
        let mut aliases = Aliases::new(disjunct);
        // Bases come before the paths that continue them.
        for path in std::mem::take(&mut disjunct.paths) {
            let base = aliases.find(path.base);
            match aliases.cells.get(&base) {
                Some(&cell) => self.read_field(disjunct, &mut aliases, cell, &path),
                None => self.add_cell(disjunct, &mut aliases, base, &path),
            }
        }
    }

    /// The path is another name for what the cell holds.
    fn read_field(
        &mut self,
        disjunct: &mut Disjunct,
        aliases: &mut Aliases,
        cell: usize,
        path: &PathUse,
    ) {
        let cell = &disjunct.cells[cell];
        let Some((index, sort)) = self.resolve_field(cell.class, &path.field) else {
            return;
        };
        self.check_address(path.value, sort);
        let Some(contents) = cell.fields.get(index).cloned() else {
            return;
        };
        let value = self.local_term(path.value, path.span);
        if !self.demand(path.span, value.kind, contents.kind) {
            return;
        }
        if let Some(local) = contents.as_local() {
            if aliases.find(local) != aliases.find(path.value) {
                aliases.join(path.value, local);
            }
            self.alias(path.value, local);
        } else {
            if let Sort::Machine(ty) = sort {
                self.narrow(path.value, ty);
            }
            let kind = self.fixed(Sort::Bool);
            disjunct.pure.push(Term {
                node: Node::Compare(Box::new(value), vec![(Comparison::Equal, contents)]),
                kind,
                span: path.span,
            });
        }
    }

    /// Makes one variable another name for the other, unless they already are the same.
    fn alias(&mut self, name: LocalId, meaning: LocalId) {
        let (name, meaning) = (self.representative(name), self.representative(meaning));
        if name != meaning {
            self.local_mut(name).alias = Some(meaning);
        }
    }

    /// The variable that a local stands for.
    pub(super) fn representative(&self, mut local: LocalId) -> LocalId {
        while let Some(alias) = self.local(local).alias {
            local = alias;
        }
        local
    }

    fn add_cell(
        &mut self,
        disjunct: &mut Disjunct,
        aliases: &mut Aliases,
        base: LocalId,
        path: &PathUse,
    ) {
        if !self.may_add_cell(aliases, base, path) {
            return;
        }
        let Some(class) = self.class_of_path(path.base, &path.field, path.span) else {
            return;
        };
        let Some((index, sort)) = self.resolve_field(class, &path.field) else {
            return;
        };
        self.check_address(path.value, sort);
        let reference = self.fixed(Sort::Ref(class));
        let source = self.local_term(path.base, path.span);
        if !self.demand(path.span, source.kind, reference) {
            return;
        }
        let fields = self.definitions.class(class).fields.clone();
        let open = self.open_classes.get(&class).cloned();
        let mut values = Vec::with_capacity(fields.len());
        for (position, field) in fields.iter().enumerate() {
            let declared = open.is_none().then_some(field.sort);
            let local = if position == index {
                path.value
            } else {
                let local = self.new_local(&field.name, Role::Wildcard, declared);
                disjunct.owned.push(local);
                local
            };
            let value = self.local_term(local, path.span);
            match &open {
                Some(kinds) => {
                    self.demand(path.span, value.kind, kinds[position].1);
                }
                None => {
                    let expected = self.fixed(field.sort);
                    self.demand(path.span, value.kind, expected);
                    if let Sort::Machine(ty) = field.sort {
                        self.narrow(local, ty);
                    }
                }
            }
            values.push(value);
        }
        aliases.cells.insert(base, disjunct.cells.len());
        disjunct.cells.push(Cell {
            source,
            class,
            fields: values,
        });
    }

    fn may_add_cell(&mut self, aliases: &Aliases, base: LocalId, path: &PathUse) -> bool {
        let name = self.local(path.base).name.clone();
        let advice = format!("write the cell: `{name} -> ...({}: v)`", path.field.text);
        if let Some(&span) = aliases.described.get(&base) {
            let message = format!("the cell of `{name}` is described by a predicate");
            let diagnostic = Diagnostic::error(path.span, message)
                .with_help(advice)
                .with_note_at(span, "the predicate is here");
            self.sink.push(diagnostic);
            return false;
        }
        let role = self.local(path.base).role;
        if matches!(
            role,
            Role::Quantified | Role::Wildcard | Role::Result | Role::Old
        ) {
            let message = format!("no points-to fact says what `{name}` holds");
            let diagnostic = Diagnostic::error(path.span, message).with_help(advice);
            self.sink.push(diagnostic);
            return false;
        }
        true
    }

    /// The class whose field a path names: that of the base, or the only one with such a field.
    fn class_of_path(&mut self, base: LocalId, field: &Name, span: Span) -> Option<ClassId> {
        let name = self.local(base).name.clone();
        match self.kinds.get(self.local(base).kind) {
            Kind::Ref(Some(class)) => return Some(class),
            Kind::Ref(None) | Kind::Unknown => {}
            Kind::Conflict => return None,
            other => {
                let kind = other.describe(&self.definitions);
                let message = format!("`{name}` is {kind} and has no fields");
                self.sink.push(Diagnostic::error(span, message));
                return None;
            }
        }
        let with_field: Vec<_> = (self.definitions.classes())
            .filter(|(_, class)| class.fields.iter().any(|f| f.name == field.text))
            .map(|(id, _)| id)
            .collect();
        if let [only] = with_field[..] {
            return Some(only);
        }
        let message = format!("the class of `{name}` is not known");
        let diagnostic = Diagnostic::error(span, message).with_help(format!(
            "say what it is where it is declared: `{name}: Node`"
        ));
        self.sink.push(diagnostic);
        None
    }

    /// Follows the classes along `old(base.fields)`.
    fn resolve_old(&mut self, old: &mut OldPath) {
        let mut base = old.base;
        for field in &old.fields {
            let Some(class) = self.class_of_path(base, field, field.span) else {
                return;
            };
            let Some((index, sort)) = self.resolve_field(class, field) else {
                return;
            };
            old.steps.push((class, index));
            let open = self.open_classes.get(&class).map(|fields| fields[index].1);
            let declared = open.is_none().then_some(sort);
            base = self.new_local(&field.text, Role::Path, declared);
            if let Some(kind) = open {
                let found = self.local(base).kind;
                self.demand(field.span, found, kind);
            }
            if let Sort::Machine(ty) = sort {
                self.narrow(base, ty);
            }
        }
        let (found, wanted) = (self.local(base).kind, self.local(old.value).kind);
        let span = old.fields.last().map(|field| field.span);
        if let Some(span) = span
            && self.demand(span, wanted, found)
        {
            let declared = self.local(base).declared;
            self.local_mut(old.value).declared = declared;
        }
    }
}
