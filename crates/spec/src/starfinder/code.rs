//! Code that a file is about: which class, method, field or static field a name means.

use heapwright_logic::{Class, ClassId, Sort, display_sort};

use super::ast::{Data, Name, Precondition};
use super::class::Layout;
use super::mangle::mangle;
use super::names::mentioned;
use super::resolve::Resolver;
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::{Signature, StaticField};

/// What is known about the code.
#[derive(Debug)]
pub(super) struct Code {
    pub signatures: Vec<Signature>,
    /// Packages whose classes short names mean first.
    pub packages: Vec<String>,
    /// The classes whose methods the preconditions are for.
    pub tested: Vec<ClassId>,
    pub statics: Vec<StaticField>,
}

/// The classes that have a name.
pub(super) enum ClassFound {
    None,
    One(ClassId),
    Several(Vec<ClassId>),
}

impl Resolver {
    /// The class of a name: `pkg_Outer__Inner`, or without the package, or its last part alone.
    pub fn find_class(&self, name: &str) -> ClassFound {
        let known = || self.definitions.classes().skip(1);
        let mut exact = known().filter(|(_, class)| mangle(&class.name) == name);
        if let Some((class, _)) = exact.next() {
            return ClassFound::One(class);
        }
        let similar = known().filter(|(_, class)| {
            let simple = class.name.rsplit('.').next().unwrap_or(&class.name);
            let inner = simple.rsplit('$').next().unwrap_or(simple);
            inner == name || mangle(simple) == name
        });
        let similar: Vec<ClassId> = similar.map(|(id, _)| id).collect();
        match similar[..] {
            [] => ClassFound::None,
            [only] => ClassFound::One(only),
            _ => match self.preferred(&similar) {
                Some(class) => ClassFound::One(class),
                None => ClassFound::Several(similar),
            },
        }
    }

    /// The class of several that is in a package that comes first.
    fn preferred(&self, several: &[ClassId]) -> Option<ClassId> {
        let packages = &self.code.as_ref()?.packages;
        packages.iter().find_map(|package| {
            let within = |id: &&ClassId| {
                let name = &self.definitions.class(**id).name;
                let rest = name.strip_prefix(package.as_str());
                rest.is_some_and(|rest| rest.starts_with(['.', '$']))
            };
            let mut within = several.iter().filter(within);
            within.next().copied().filter(|_| within.next().is_none())
        })
    }

    pub fn unknown_class(&mut self, name: &Name) {
        let known = self.definitions.classes().skip(1);
        // The class that holds the static fields of another is nobody's to name.
        let known = known.filter(|(_, class)| !class.name.contains(' '));
        let known: Vec<[String; 2]> = known
            .map(|(_, class)| {
                let simple = class.name.rsplit(['.', '$']).next();
                [
                    mangle(&class.name),
                    simple.unwrap_or(&class.name).to_owned(),
                ]
            })
            .collect();
        let known = known.iter().flatten().map(String::as_str);
        let help = did_you_mean(&name.text, known).unwrap_or_else(|| {
            "write the class with its package: `pkg_Class`, `pkg_Outer__Inner`".to_owned()
        });
        let message = format!("unknown class `{}`", name.text);
        self.error_about_name(Diagnostic::error(name.span, message).with_help(help));
    }

    pub fn ambiguous_class(&mut self, name: &Name, several: &[ClassId]) {
        let names: Vec<_> = (several.iter())
            .map(|&id| format!("`{}`", mangle(&self.definitions.class(id).name)))
            .collect();
        let message = format!("`{}` may be any of several classes", name.text);
        let diagnostic = Diagnostic::error(name.span, message).with_expected(names.join(" or "));
        self.error_about_name(diagnostic);
    }

    /// Takes down which fields the cells of classes list. What the code does not have is reported.
    pub fn bind_data(&mut self, data: &[Data]) {
        let mut bound: Vec<(ClassId, &Name)> = Vec::new();
        for declaration in data {
            let name = &declaration.name;
            let Some(class) = self.class(name) else {
                continue;
            };
            if let Some(&(_, before)) = bound.iter().find(|(known, _)| *known == class) {
                self.duplicate("class", name, Some(before.span));
                continue;
            }
            bound.push((class, name));
            let fields = self.bind_fields(class, declaration);
            self.layouts.insert(class, Layout::Listed(fields));
        }
    }

    /// The positions of the fields that a declaration lists.
    fn bind_fields(&mut self, class: ClassId, declaration: &Data) -> Vec<usize> {
        let known = self.definitions.class(class).clone();
        let mut listed = Vec::with_capacity(declaration.fields.len());
        let mut is_complete = true;
        for (index, (ty, name)) in declaration.fields.iter().enumerate() {
            let mut before = declaration.fields[..index].iter();
            if let Some((_, before)) = before.find(|(_, before)| before.text == name.text) {
                self.duplicate("field", name, Some(before.span));
            }
            // A field hides one of the same name that a superclass has.
            let position = (known.fields.iter()).rposition(|field| field.name == name.text);
            let Some(position) = position else {
                self.unknown_field(&known, name);
                is_complete = false;
                // Keeps the number of arguments right.
                listed.push(usize::MAX);
                continue;
            };
            let (sort, declared) = (known.fields[position].sort, self.field_sort(ty));
            if !self.is_fitting(declared, sort) {
                let [found, expected] =
                    [declared, sort].map(|sort| display_sort(&self.definitions, sort));
                let message = format!(
                    "`{}` is of type `{expected}` in the code, not `{found}`",
                    name.text
                );
                self.error(Diagnostic::error(ty.span, message));
            }
            listed.push(position);
        }
        let missing = known.fields.iter().enumerate();
        let missing = missing.filter(|(position, _)| !listed.contains(position));
        let missing: Vec<String> = missing
            .map(|(_, field)| format!("`{}`", field.name))
            .collect();
        if is_complete && !missing.is_empty() {
            let plural = if missing.len() == 1 { "" } else { "s" };
            let message = format!(
                "`{}` is declared without the field{plural} {}",
                declaration.name.text,
                missing.join(", ")
            );
            let note = "nothing is said about fields that are left out: they may have any value";
            let warning = Diagnostic::warning(declaration.name.span, message).with_note(note);
            self.diagnostics.push(warning);
        }
        listed
    }

    /// Whether a type that is written for a field agrees with that of the code. A subclass does:
    /// the tools write the class of the objects that they put there.
    fn is_fitting(&self, written: Sort, sort: Sort) -> bool {
        match (written, sort) {
            (Sort::Ref(ClassId::ANY), Sort::Ref(_)) => true,
            (Sort::Ref(written), Sort::Ref(class)) => self.definitions.is_subclass(written, class),
            _ => written == sort,
        }
    }

    fn unknown_field(&mut self, class: &Class, name: &Name) {
        let names = class.fields.iter().map(|field| field.name.as_str());
        let all: Vec<_> = names.clone().map(|name| format!("`{name}`")).collect();
        let message = format!("class `{}` has no field `{}`", class.name, name.text);
        let mut diagnostic = Diagnostic::error(name.span, message)
            .with_optional_help(did_you_mean(&name.text, names));
        if !all.is_empty() && all.len() <= 12 {
            diagnostic = diagnostic.with_expected(all.join(", "));
        }
        self.error(diagnostic);
    }

    /// The methods that a precondition is for, by their numbers: those of its name in the classes
    /// under test that have all the parameters that it mentions. None is reported.
    pub fn candidates(&mut self, precondition: &Precondition) -> Vec<usize> {
        let Some(code) = &self.code else {
            return Vec::new();
        };
        let method = &precondition.method;
        let is_tested = |signature: &Signature| {
            (signature.class).is_some_and(|class| code.tested.contains(&class))
        };
        let named: Vec<usize> = (code.signatures.iter().enumerate())
            .filter(|(_, signature)| is_tested(signature) && signature.method == method.text)
            .map(|(index, _)| index)
            .collect();
        if named.is_empty() {
            self.unknown_method(method);
            return named;
        }
        let names = mentioned(&precondition.disjuncts);
        let names_of = |index: &usize| &code.signatures[*index].names;
        let wanted: Vec<&str> = (names.iter())
            .map(|&(name, _)| name)
            .filter(|name| named.iter().any(|index| has(names_of(index), name)))
            .collect();
        let fitting: Vec<usize> = (named.iter().copied())
            .filter(|index| wanted.iter().all(|name| has(names_of(index), name)))
            .collect();
        if fitting.is_empty() {
            let message = format!(
                "no method `{}` has all of the parameters that are mentioned",
                method.text
            );
            let shown: Vec<String> = (named.iter())
                .map(|index| format!("`{}({})`", method.text, names_of(index).join(", ")))
                .collect();
            let diagnostic = Diagnostic::error(method.span, message);
            self.error(diagnostic.with_expected(shown.join(" or ")));
        }
        fitting
    }

    fn unknown_method(&mut self, method: &Name) {
        let Some(code) = &self.code else {
            return;
        };
        let is_tested = |class: Option<ClassId>| class.is_some_and(|id| code.tested.contains(&id));
        let known = code.signatures.iter();
        let known = known.filter(|known| is_tested(known.class));
        // Names that a compiler made up help nobody.
        let names = known.map(|known| known.method.as_str());
        let mut names: Vec<&str> = names.filter(|name| !name.contains(['$', '<'])).collect();
        names.sort_unstable();
        names.dedup();
        let classes: Vec<&str> = (code.tested.iter())
            .map(|&class| self.definitions.class(class).name.as_str())
            .collect();
        let message = format!("{} has no method `{}`", classes.join(", "), method.text);
        let help = did_you_mean(&method.text, names.iter().copied());
        let diagnostic = Diagnostic::error(method.span, message).with_optional_help(help);
        self.error(diagnostic);
    }
}

fn has(names: &[String], name: &str) -> bool {
    names.iter().any(|known| known == name)
}
