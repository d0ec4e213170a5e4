//! Classes: `data` declarations, names of classes and types.

use heapwright_logic::{Class, ClassId, Definitions, Field, FloatType, IntType, Sort};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Resolver;
use crate::diagnostic::{Diagnostic, FileId, Span, did_you_mean};
use crate::syntax::ast::{Data, Name};

/// Finds classes by full name, or by the last part of it where that is unique.
#[derive(Default)]
pub(super) struct ClassNames {
    short: FxHashMap<String, Vec<ClassId>>,
    /// Other names that the code has for classes.
    aliases: FxHashMap<String, ClassId>,
    /// Where each class was declared, if in a specification.
    declared_at: FxHashMap<ClassId, Span>,
    /// Names that were reported as unknown, with the word for what they should have been.
    unknown: FxHashMap<String, &'static str>,
}

impl ClassNames {
    pub fn new(definitions: &Definitions) -> Self {
        let mut names = ClassNames::default();
        for (id, class) in definitions.classes().skip(1) {
            names.add(id, &class.name);
        }
        names
    }

    /// `java.util.TreeMap$Entry` can be called `TreeMap$Entry` and `Entry` too.
    pub fn add(&mut self, id: ClassId, full: &str) {
        let simple = full.rsplit('.').next().unwrap_or(full);
        let inner = simple.rsplit('$').next().unwrap_or(simple);
        for short in FxHashSet::from_iter([simple, inner]) {
            if short != full && !short.is_empty() {
                self.short.entry(short.to_owned()).or_default().push(id);
            }
        }
    }
}

impl ClassNames {
    /// Another name for a class, which comes before the last parts of full names.
    pub fn add_alias(&mut self, alias: &str, id: ClassId) {
        self.aliases.entry(alias.to_owned()).or_insert(id);
    }
}

/// The sort of a type that is no class.
pub(super) fn primitive(name: &str) -> Option<Sort> {
    Some(match name {
        "bool" | "boolean" => Sort::Bool,
        "integer" => Sort::Int,
        "float" => Sort::Float(FloatType::Single),
        "double" => Sort::Float(FloatType::Double),
        _ => {
            let mut types = IntType::ALL.into_iter();
            return types.find(|ty| ty.name() == name).map(Sort::Machine);
        }
    })
}

impl Resolver {
    /// The class of a name, if there is exactly one.
    pub(super) fn class_named(&self, name: &str) -> Option<ClassId> {
        let full = self.definitions.class_named(name);
        let full = full.filter(|&id| id != ClassId::ANY);
        let known = full.or_else(|| self.classes.aliases.get(name).copied());
        known.or_else(|| match self.classes.short.get(name).map(Vec::as_slice) {
            Some(&[only]) => Some(only),
            Some(several) => self.preferred(several),
            None => None,
        })
    }

    /// The class of several with the same short name that is in a package that comes first.
    fn preferred(&self, several: &[ClassId]) -> Option<ClassId> {
        self.packages.iter().find_map(|package| {
            let within = |id: &ClassId| {
                let name = &self.definitions.class(*id).name;
                let rest = name.strip_prefix(package.as_str());
                rest.is_some_and(|rest| rest.starts_with(['.', '$']))
            };
            let mut within = several.iter().copied().filter(within);
            within.next().filter(|_| within.next().is_none())
        })
    }

    /// The class of a name; one that does not exist is reported.
    pub(super) fn resolve_class(&mut self, name: &Name) -> Option<ClassId> {
        let found = self.class_named(&name.text);
        if found.is_none() {
            self.unknown_class(name, "class");
        }
        found
    }

    /// The sort of a type.
    pub(super) fn resolve_type(&mut self, name: &Name) -> Option<Sort> {
        if let Some(sort) = primitive(&name.text) {
            return Some(sort);
        }
        if let Some(class) = self.class_named(&name.text) {
            return Some(Sort::Ref(class));
        }
        if matches!(name.text.as_str(), "Object" | "java.lang.Object") {
            return Some(Sort::Ref(ClassId::ANY));
        }
        self.unknown_class(name, "type");
        None
    }

    fn unknown_class(&mut self, name: &Name, what: &'static str) {
        if self.known_to_be_missing(&name.text) {
            return;
        }
        if self.only_counted(name.span, &format!("unknown {what} `{}`", name.text)) {
            return;
        }
        if let Some(several) = self.classes.short.get(&name.text) {
            let names: Vec<_> = (several.iter())
                .map(|&id| format!("`{}`", self.definitions.class(id).name))
                .collect();
            let message = format!("`{}` may be any of several classes", name.text);
            let diagnostic =
                Diagnostic::error(name.span, message).with_expected(names.join(" or "));
            self.sink.push(diagnostic);
            return;
        }
        let classes = self.definitions.classes().skip(1);
        let mut known: Vec<&str> = classes.map(|(_, class)| class.name.as_str()).collect();
        let short = self.classes.short.keys().chain(self.classes.aliases.keys());
        let mut short: Vec<&str> = short.map(String::as_str).collect();
        short.sort_unstable();
        known.extend(short);
        if what == "type" {
            known.extend(["bool", "boolean", "integer", "float", "double"]);
            known.extend(IntType::ALL.map(IntType::name));
        }
        let help = did_you_mean(&name.text, known)
            .unwrap_or_else(|| format!("declare it: `data {} {{ ... }}`", name.text));
        // A name that is no type is no class either: it is one mistake.
        let what = *self
            .classes
            .unknown
            .entry(name.text.clone())
            .or_insert(what);
        let message = format!("unknown {what} `{}`", name.text);
        let diagnostic = Diagnostic::error(name.span, message).with_help(help);
        self.sink.push_about_name(diagnostic);
    }

    /// Position and sort of a field; one that does not exist is reported.
    pub(super) fn resolve_field(&mut self, class: ClassId, field: &Name) -> Option<(usize, Sort)> {
        let definition = self.definitions.class(class);
        let index = self.definitions.field_index(class, &field.text);
        if let Some(index) = index {
            return Some((index, definition.fields[index].sort));
        }
        let names = definition.fields.iter().map(|field| field.name.as_str());
        let all: Vec<_> = names.clone().map(|name| format!("`{name}`")).collect();
        let message = format!("class `{}` has no field `{}`", definition.name, field.text);
        let mut diagnostic = Diagnostic::error(field.span, message)
            .with_optional_help(did_you_mean(&field.text, names));
        if !all.is_empty() && all.len() <= 12 {
            diagnostic = diagnostic.with_expected(all.join(", "));
        }
        self.sink.push_about_name(diagnostic);
        None
    }

    /// Declares all classes first, so that they may mention each other in any order.
    pub(super) fn declare_classes(&mut self, declarations: &[&Data]) {
        let from_code: FxHashSet<ClassId> = self.definitions.classes().map(|(id, _)| id).collect();
        let mut declared = Vec::new();
        for &data in declarations {
            if let Some(id) = self.class_of_code(&data.name) {
                if let Some(&before) = self.classes.declared_at.get(&id) {
                    self.duplicate("class", &data.name, before);
                    continue;
                }
                self.classes.declared_at.insert(id, data.name.span);
                declared.push((id, data));
                continue;
            }
            if primitive(&data.name.text).is_some() {
                let message = format!("`{}` is a type of its own", data.name.text);
                self.sink.push(Diagnostic::error(data.name.span, message));
                continue;
            }
            let id = self.definitions.add_class(Class {
                name: data.name.text.clone(),
                fields: Vec::new(),
                superclass: None,
            });
            self.classes.add(id, &data.name.text);
            self.classes.declared_at.insert(id, data.name.span);
            declared.push((id, data));
        }
        let mut own_fields = FxHashMap::default();
        let mut incomplete = FxHashSet::default();
        for &(id, data) in &declared {
            let superclass = (data.superclass.as_ref()).and_then(|name| self.resolve_class(name));
            let (fields, complete) = self.own_fields(data);
            if !complete {
                incomplete.insert(id);
            }
            if !from_code.contains(&id) {
                self.definitions.class_mut(id).superclass = superclass;
            }
            own_fields.insert(id, fields);
        }
        self.break_cycles(&declared);
        for &(id, data) in &declared {
            let fields = self.all_fields(id, &own_fields);
            if from_code.contains(&id) {
                if !incomplete.contains(&id) {
                    self.agree_with_code(id, data, &fields);
                }
            } else {
                self.distinct_fields(data, &fields);
                self.definitions.class_mut(id).fields = fields;
            }
        }
    }

    /// The class that a `data` declaration repeats: one of that full name, one that the code also
    /// calls so, or, in the file that is about the code, one of the code's packages of that short
    /// name.
    fn class_of_code(&self, name: &Name) -> Option<ClassId> {
        let full = self.definitions.class_named(&name.text);
        let known = full.or_else(|| self.classes.aliases.get(&name.text).copied());
        known.or_else(|| {
            let is_main = name.span.file == FileId(0);
            let several = self.classes.short.get(&name.text).filter(|_| is_main)?;
            self.preferred(several)
        })
    }

    /// The fields of a declaration, and whether all their types are known. A field of an unknown
    /// type, which is reported, is kept, so that its uses are not reported as well.
    fn own_fields(&mut self, data: &Data) -> (Vec<Field>, bool) {
        let mut complete = true;
        let fields = (data.fields.iter()).map(|field| {
            let sort = self.resolve_type(&field.ty);
            complete &= sort.is_some();
            Field {
                name: field.name.text.clone(),
                sort: sort.unwrap_or(Sort::Ref(ClassId::ANY)),
            }
        });
        let fields = fields.collect();
        (fields, complete)
    }

    /// The fields of a class, those of its superclasses first.
    fn all_fields(&self, id: ClassId, own: &FxHashMap<ClassId, Vec<Field>>) -> Vec<Field> {
        let mut chain = vec![id];
        let mut inherited: &[Field] = &[];
        while let Some(parent) = (chain.last()).and_then(|&c| self.definitions.class(c).superclass)
        {
            if !own.contains_key(&parent) {
                inherited = &self.definitions.class(parent).fields;
                break;
            }
            chain.push(parent);
        }
        let declared = chain.iter().rev().filter_map(|class| own.get(class));
        inherited
            .iter()
            .chain(declared.flatten())
            .cloned()
            .collect()
    }

    /// A class that is its own superclass would have infinitely many fields.
    fn break_cycles(&mut self, declared: &[(ClassId, &Data)]) {
        let mut finished = FxHashSet::default();
        for &(id, data) in declared {
            let mut on_path = FxHashSet::default();
            let mut current = Some(id);
            while let Some(class) = current {
                if finished.contains(&class) {
                    break;
                }
                if !on_path.insert(class) {
                    let message = format!("class `{}` extends itself", data.name.text);
                    self.sink.push(Diagnostic::error(data.name.span, message));
                    self.definitions.class_mut(class).superclass = None;
                    break;
                }
                current = self.definitions.class(class).superclass;
            }
            finished.extend(on_path);
        }
    }

    fn distinct_fields(&mut self, data: &Data, fields: &[Field]) {
        let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
        for field in &data.fields {
            let name = field.name.text.as_str();
            if let Some(before) = seen.insert(name, field.name.span) {
                self.duplicate("field", &field.name, before);
            }
        }
        let own: FxHashSet<&str> = data.fields.iter().map(|f| f.name.text.as_str()).collect();
        let superclass_fields = fields.len().saturating_sub(data.fields.len());
        for field in &fields[..superclass_fields] {
            if own.contains(field.name.as_str()) {
                let at = data.fields.iter().find(|f| f.name.text == field.name);
                let span = at.map_or(data.name.span, |f| f.name.span);
                let message = format!("field `{}` is inherited already", field.name);
                self.sink.push(Diagnostic::error(span, message));
            }
        }
    }

    /// A class that the code declares may be repeated in the specification, but not changed.
    fn agree_with_code(&mut self, id: ClassId, data: &Data, fields: &[Field]) {
        let class = self.definitions.class(id);
        if class.fields == fields {
            return;
        }
        let show = |field: &Field| {
            let sort = heapwright_logic::display_sort(&self.definitions, field.sort);
            format!("{sort} {}", field.name)
        };
        let in_code: Vec<_> = class.fields.iter().map(show).collect();
        let message = format!("class `{}` is different in the code", class.name);
        let diagnostic = Diagnostic::error(data.name.span, message)
            .with_expected(format!("`{}`", in_code.join("; ")))
            .with_help("leave the declaration out: the fields are taken from the code");
        self.sink.push(diagnostic);
    }

    pub(super) fn duplicate(&mut self, what: &str, name: &Name, before: Span) {
        let message = format!("{what} `{}` is defined twice", name.text);
        let diagnostic =
            Diagnostic::error(name.span, message).with_note_at(before, "first defined here");
        self.sink.push(diagnostic);
    }
}
