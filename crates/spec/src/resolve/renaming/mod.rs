//! Imports that give other names to classes, fields and predicates.
//!
//! `import singly_linked_list with ListNode = node(value: key, next: link);` takes the predicates of
//! the module for the class `node`. They are rewritten as syntax trees, before their names are
//! resolved: cells get the class and the fields that stand for the module's. A field that nothing
//! stands for may be left out where a predicate says nothing about it; predicates that do are left
//! out themselves, and so are those that use them.

mod rewriting;

use heapwright_logic::{ClassId, Sort, display_sort};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Resolver;
use super::classes::primitive;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::syntax::ast::{
    ClassRenaming, Data, Declaration, FieldRenaming, File, Import, ImportTarget, Name, Predicate,
};
use rewriting::{ClassStands, Lacks, Renaming, Stands};

/// What an import with other names is about: the classes and predicates of a file and of all that it
/// imports.
#[derive(Clone, Debug)]
pub(crate) struct Renamed {
    /// The import.
    pub import: Import,
    /// The classes.
    pub classes: Vec<Data>,
    /// The predicates.
    pub predicates: Vec<Predicate>,
}

impl Renamed {
    /// What the import calls the module.
    fn module(&self) -> &str {
        match &self.import.target {
            ImportTarget::File(path) => path,
            ImportTarget::Module(module) => module,
        }
    }

    /// The classes that are declared with it: its own, where no others stand for them.
    pub(super) fn declares(&self) -> &[Data] {
        match self.import.classes.is_empty() {
            true => &self.classes,
            false => &[],
        }
    }
}

impl Resolver {
    /// The predicates of all imports with other names. Classes are known.
    pub(super) fn rename(&mut self, files: &[File], imports: &[Renamed]) -> Vec<Predicate> {
        let plain: FxHashSet<&str> = super::declarations(files)
            .filter_map(|declaration| match declaration {
                Declaration::Predicate(one) => Some(one.name.text.as_str()),
                _ => None,
            })
            .collect();
        let mut made: Vec<Predicate> = Vec::new();
        for renamed in imports {
            let span = renamed.import.span.0;
            let prefix = renamed.import.name.as_ref();
            let prefix = prefix.map_or(String::new(), |name| format!("{}.", name.text));
            let Some(classes) = self.class_stands(renamed) else {
                let names = renamed.predicates.iter();
                let names = names.map(|one| format!("{prefix}{}", one.name.text));
                self.broken.extend(names);
                continue;
            };
            let renaming = Renaming {
                prefix,
                classes,
                predicates: (renamed.predicates.iter())
                    .map(|one| one.name.text.as_str())
                    .collect(),
            };
            let (predicates, left_out) = renaming.predicates(&renamed.predicates);
            if predicates.is_empty() && !left_out.is_empty() {
                let Lacks(lack) = &left_out[0].1;
                let message = format!("nothing of `{}` can be used", renamed.module());
                let diagnostic = Diagnostic::error(span, message).with_help(lack.clone());
                self.sink.push(diagnostic);
            }
            for (name, Lacks(lack)) in left_out {
                self.left_out.insert(name, lack);
            }
            for predicate in predicates {
                let name = &predicate.name;
                let before = made.iter().find(|known| known.name.text == name.text);
                // Two modules may have a third one in common.
                if before.is_some_and(|known| *known == predicate) {
                    continue;
                }
                if before.is_some() || plain.contains(name.text.as_str()) {
                    let message = format!("`{}` is imported twice", name.text);
                    let help = format!(
                        "give one of them a name: `import {} as other`",
                        renamed.module()
                    );
                    let diagnostic = Diagnostic::error(span, message)
                        .with_expected("other names for the predicates of one of the imports")
                        .with_help(format!("{help} has `other.{}`", predicate.name.text));
                    self.sink.push(diagnostic);
                    break;
                }
                made.push(predicate);
            }
        }
        made
    }

    /// What stands for the classes of a module; `None` if something is wrong, which is reported.
    fn class_stands<'m>(
        &mut self,
        renamed: &'m Renamed,
    ) -> Option<FxHashMap<&'m str, ClassStands<'m>>> {
        let mut targets: FxHashMap<&str, ClassId> = FxHashMap::default();
        let mut is_right = true;
        for renaming in &renamed.import.classes {
            let class = &renaming.class;
            if !renamed.classes.iter().any(|data| data.name == *class) {
                let known = renamed.classes.iter().map(|data| data.name.text.as_str());
                let names: Vec<String> = known.clone().map(|name| format!("`{name}`")).collect();
                let message = format!("`{}` has no class `{}`", renamed.module(), class.text);
                let diagnostic = Diagnostic::error(class.span, message)
                    .with_optional_help(did_you_mean(&class.text, known))
                    .with_expected(names.join(" or "));
                self.sink.push(diagnostic);
                is_right = false;
                continue;
            }
            let Some(to) = self.resolve_class(&renaming.to) else {
                is_right = false;
                continue;
            };
            if targets.insert(&class.text, to).is_some() {
                let message = format!("two classes stand for `{}`", class.text);
                let help = "import the module twice, with a name: `as other`";
                let diagnostic = Diagnostic::error(class.span, message).with_help(help);
                self.sink.push(diagnostic);
                is_right = false;
            }
        }
        if !is_right {
            return None;
        }
        let mut classes = FxHashMap::default();
        for renaming in &renamed.import.classes {
            let data = renamed
                .classes
                .iter()
                .find(|data| data.name == renaming.class)?;
            let to = *targets.get(renaming.class.text.as_str())?;
            match self.field_stands(renaming, data, to, &targets) {
                Some(fields) => {
                    let stands = ClassStands {
                        to: &renaming.to,
                        fields,
                    };
                    classes.insert(renaming.class.text.as_str(), stands);
                }
                None => is_right = false,
            }
        }
        is_right.then_some(classes)
    }

    /// What stands for the fields of a class: what the import says, or a field of the same name.
    fn field_stands<'m>(
        &mut self,
        renaming: &'m ClassRenaming,
        data: &'m Data,
        to: ClassId,
        targets: &FxHashMap<&str, ClassId>,
    ) -> Option<Vec<(&'m str, Option<Stands>)>> {
        let mut is_right = true;
        for given in &renaming.fields {
            if !data.fields.iter().any(|field| field.name == given.field) {
                let names = data.fields.iter().map(|field| field.name.text.as_str());
                let shown: Vec<String> = names.clone().map(|name| format!("`{name}`")).collect();
                let message = format!(
                    "class `{}` has no field `{}`",
                    data.name.text, given.field.text
                );
                let diagnostic = Diagnostic::error(given.field.span, message)
                    .with_optional_help(did_you_mean(&given.field.text, names))
                    .with_expected(shown.join(", "));
                self.sink.push(diagnostic);
                is_right = false;
            }
        }
        let mut fields = Vec::new();
        for field in &data.fields {
            let name = &field.name;
            let wanted = match primitive(&field.ty.text) {
                Some(sort) => Some(sort),
                None => targets.get(field.ty.text.as_str()).map(|&to| Sort::Ref(to)),
            };
            let mut given = renaming.fields.iter().filter(|given| given.field == *name);
            let stands = match (given.next(), given.next()) {
                (Some(_), Some(again)) => {
                    let message = format!("two fields stand for `{}`", name.text);
                    self.sink.push(Diagnostic::error(again.field.span, message));
                    is_right = false;
                    None
                }
                (Some(given), None) => match self.given_field(given, to, wanted) {
                    Some(stands) => Some(stands),
                    None => {
                        is_right = false;
                        None
                    }
                },
                _ => self.same_field(name, to, wanted),
            };
            let path = stands.as_ref().map(|stands: &Stands| &stands.path);
            let mut before = fields.iter();
            let twice = before.any(|(_, known): &(&str, Option<Stands>)| {
                path.is_some() && known.as_ref().map(|known| &known.path) == path
            });
            if let (true, Some(part)) = (twice, path.and_then(|path| path.last())) {
                let message = format!("`{}` stands for two fields", part.text);
                self.sink.push(Diagnostic::error(part.span, message));
                is_right = false;
            }
            fields.push((name.text.as_str(), stands));
        }
        is_right.then_some(fields)
    }

    /// A field of the same name, if there is one of the right sort.
    fn same_field(&self, name: &Name, to: ClassId, wanted: Option<Sort>) -> Option<Stands> {
        let index = self.definitions.field_index(to, &name.text)?;
        let found = self.definitions.class(to).fields.get(index)?.sort;
        self.fits(found, wanted?).then(|| Stands {
            path: vec![name.clone()],
            values: None,
        })
    }

    /// The field that an import names; `None` if it is not there or of another sort, which is
    /// reported.
    fn given_field(
        &mut self,
        given: &FieldRenaming,
        to: ClassId,
        wanted: Option<Sort>,
    ) -> Option<Stands> {
        let mut class = to;
        let mut found = None;
        for (position, part) in given.to.iter().enumerate() {
            let (_, sort) = self.resolve_field(class, part)?;
            found = Some((part, sort));
            if position + 1 == given.to.len() {
                break;
            }
            match sort {
                Sort::Ref(inner) if self.is_inside(inner) => class = inner,
                _ => {
                    let owner = self.definitions.class(class).name.clone();
                    let message = format!(
                        "field `{}` of `{owner}` is no struct inside of it",
                        part.text
                    );
                    let diagnostic = Diagnostic::error(part.span, message)
                        .with_help("only a field of the object itself can stand for another one");
                    self.sink.push(diagnostic);
                    return None;
                }
            }
        }
        let (part, sort) = found?;
        let field = &given.field.text;
        let is_truth = wanted == Some(Sort::Bool);
        let shown = display_sort(&self.definitions, sort).to_string();
        let diagnostic = match (&given.values, wanted) {
            (Some(values), Some(Sort::Bool))
                if matches!(sort, Sort::Bool | Sort::Int | Sort::Machine(_)) =>
            {
                return Some(Stands {
                    path: given.to.clone(),
                    values: Some((values.0.clone(), values.1.clone())),
                });
            }
            (Some(_), _) => {
                let message = format!("`{field}` is no truth value");
                Diagnostic::error(given.field.span, message)
                    .with_help("values for `true` and `false` are for truth values only")
            }
            // The class of this field has no other name; nothing can be said about the field then.
            (None, None) => {
                let message = format!("`{field}` leads to a class that the import does not name");
                Diagnostic::error(given.field.span, message)
                    .with_help("name that class as well, or leave the field out")
            }
            (None, Some(wanted)) if self.fits(sort, wanted) && !self.is_inside_sort(sort) => {
                return Some(Stands {
                    path: given.to.clone(),
                    values: None,
                });
            }
            (None, Some(wanted)) => {
                let wanted_text = match wanted {
                    Sort::Ref(class) => {
                        format!("a reference to `{}`", self.definitions.class(class).name)
                    }
                    Sort::Bool => "a truth value".to_owned(),
                    Sort::Float(_) => "a floating-point number".to_owned(),
                    Sort::Int | Sort::Machine(_) => "an integer".to_owned(),
                };
                let message = format!("`{}` cannot stand for `{field}`", part.text);
                let is_number = matches!(sort, Sort::Int | Sort::Machine(_));
                let help = match is_truth && is_number {
                    true => format!(
                        "say which values mean true and false: \
                         `{field}: {}(true: 1, false: 0)`",
                        part.text
                    ),
                    false => format!(
                        "leave `{field}` out: predicates that look at it are not imported then"
                    ),
                };
                Diagnostic::error(part.span, message)
                    .with_label(format!("this is of type `{shown}`"))
                    .with_expected(wanted_text)
                    .with_help(help)
            }
        };
        self.sink.push(diagnostic);
        None
    }

    /// Whether a field of a sort can stand for one that a module declares. The range of an integer is
    /// that of the field.
    fn fits(&self, found: Sort, wanted: Sort) -> bool {
        let is_integer = |sort| matches!(sort, Sort::Int | Sort::Machine(_));
        match (found, wanted) {
            (Sort::Ref(found), Sort::Ref(wanted)) => {
                found == wanted
                    || self.definitions.is_subclass(found, wanted)
                    || self.definitions.is_subclass(wanted, found)
            }
            _ => found == wanted || (is_integer(found) && is_integer(wanted)),
        }
    }

    fn is_inside_sort(&self, sort: Sort) -> bool {
        matches!(sort, Sort::Ref(class) if self.is_inside(class))
    }

    /// Whether objects of a class are inside of others.
    fn is_inside(&self, class: ClassId) -> bool {
        super::elaborate::outer_of(&self.definitions, class).is_some()
    }
}
