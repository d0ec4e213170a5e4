//! The heads of declarations: predicates, contracts, queries.

use std::collections::BTreeSet;

use heapwright_logic::{Class, ClassId, PredId, Sort, display_sort};
use rustc_hash::FxHashMap;

use super::hir::{Body, ContractHeader, Local, LocalId, Owner, Role};
use super::{ParameterType, Renamed, Resolver, Signed, count, declarations};
use crate::diagnostic::{Diagnostic, Span, did_you_mean};
use crate::specification::Signature;
use crate::syntax::ast::{
    self, Binder, ContractKind, Declaration, Expr, File, Name, function_arity,
};

impl Resolver {
    /// Predicates that were there before the specification have known sorts.
    pub(super) fn sign_known_predicates(&mut self) {
        let known: Vec<_> = (self.definitions.predicates())
            .map(|(id, predicate)| (id, predicate.name.clone(), predicate.params.clone()))
            .collect();
        for (id, name, params) in known {
            let params = (params.into_iter())
                .map(|param| {
                    let variable = self.terms.variable(param).clone();
                    ParameterType {
                        name: variable.name,
                        kind: self.fixed(variable.sort),
                        declared: Some(variable.sort),
                    }
                })
                .collect();
            let span = None;
            self.predicates.insert(name, Signed { id, params, span });
        }
    }

    /// Declares everything, then resolves the formulas.
    pub(super) fn declare(&mut self, files: &[File], renamed: &[Renamed]) {
        let mut classes: Vec<_> = declarations(files)
            .filter_map(|declaration| match declaration {
                Declaration::Data(data) => Some(data),
                _ => None,
            })
            .collect();
        // A file that is imported several times declares its classes once.
        for data in renamed.iter().flat_map(Renamed::declares) {
            if !classes
                .iter()
                .any(|known| known.name.span == data.name.span)
            {
                classes.push(data);
            }
        }
        self.declare_classes(&classes);
        let mut formulas: Vec<(Body, &Expr)> = Vec::new();
        let imported = self.rename(files, renamed);
        for predicate in &imported {
            if let Some(body) = self.declare_predicate(predicate) {
                formulas.push((body, &predicate.body));
            }
        }
        let mut contracts = FxHashMap::default();
        for declaration in declarations(files) {
            let (body, formula) = match declaration {
                Declaration::Import(_) | Declaration::Data(_) => continue,
                Declaration::Predicate(predicate) => {
                    let Some(body) = self.declare_predicate(predicate) else {
                        continue;
                    };
                    (body, &predicate.body)
                }
                Declaration::Contract(contract) => {
                    self.distinct_contract(contract, &mut contracts);
                    (self.declare_contract(contract), &contract.body)
                }
                Declaration::Check(check) => {
                    let name = check.name.as_ref().map(|name| name.text.clone());
                    let span = check.span.0;
                    let owner = Owner::Query { name, span };
                    (Body::new(owner), &check.body)
                }
            };
            formulas.push((body, formula));
        }
        for (body, formula) in formulas {
            self.elaborate(body, formula);
        }
    }

    /// Declares nothing but a query.
    pub(super) fn declare_formula(&mut self, variables: &[(String, Sort)], formula: &Expr) {
        let mut body = Body::new(Owner::Query {
            name: None,
            span: formula.span,
        });
        for (name, sort) in variables {
            let local = self.new_local(name, Role::Free, Some(*sort));
            body.free.push(local);
            body.names.insert(name.clone(), local);
        }
        self.elaborate(body, formula);
    }

    fn declare_predicate(&mut self, predicate: &ast::Predicate) -> Option<Body> {
        let name = &predicate.name;
        if function_arity(&name.text).is_some() {
            let message = format!("`{}` is the name of a function", name.text);
            let diagnostic = Diagnostic::error(name.span, message).with_help("choose another name");
            self.sink.push(diagnostic);
            return None;
        }
        if let Some(before) = self.predicates.get(&name.text) {
            match before.span {
                Some(before) => self.duplicate("predicate", name, before),
                None => {
                    let message = format!("predicate `{}` exists already", name.text);
                    self.sink.push(Diagnostic::error(name.span, message));
                }
            }
            return None;
        }
        let id = self.definitions.add_predicate(heapwright_logic::Predicate {
            name: name.text.clone(),
            params: Vec::new(),
            disjuncts: Vec::new(),
        });
        let mut body = Body::new(Owner::Predicate(id));
        self.declare_params(&mut body, &predicate.params, Role::PredicateParameter, &[]);
        let params = (body.params.iter()).map(|&param| self.parameter_type(param));
        let signed = Signed {
            id,
            params: params.collect(),
            span: Some(name.span),
        };
        self.predicates.insert(name.text.clone(), signed);
        Some(body)
    }

    fn parameter_type(&self, param: LocalId) -> ParameterType {
        let Local {
            name,
            kind,
            declared,
            ..
        } = self.local(param).clone();
        ParameterType {
            name,
            kind,
            declared,
        }
    }

    /// Declares parameters. `sorts` are those that the code gives them; an annotation that says
    /// something else is reported.
    fn declare_params(&mut self, body: &mut Body, binders: &[Binder], role: Role, sorts: &[Sort]) {
        let mut places: FxHashMap<&str, Span> = FxHashMap::default();
        for (index, binder) in binders.iter().enumerate() {
            let name = &binder.name;
            if let Some(before) = places.insert(&name.text, name.span) {
                self.duplicate("parameter", name, before);
            }
            let annotated = binder.ty.as_ref().and_then(|ty| self.resolve_type(ty));
            let declared = annotated.or(sorts.get(index).copied());
            let local = self.new_local(&name.text, role, declared);
            body.params.push(local);
            body.names.insert(name.text.clone(), local);
        }
    }

    fn declare_contract(&mut self, contract: &ast::Contract) -> Body {
        let class = match &contract.class {
            Some(name) => Some(self.target_class(name)),
            None => self.tested_class(contract),
        };
        let signature = match contract.class.is_none() && class.is_none() && !self.tested.is_empty()
        {
            // What is wrong was said.
            true => None,
            false => self.signature(class, contract),
        };
        let mut body = Body::new(Owner::Contract(ContractHeader {
            kind: contract.kind,
            class,
            method: contract.method.text.clone(),
            throws: contract.throws.as_ref().map(|name| name.text.clone()),
            signature,
            span: contract.method.span,
        }));
        let known = signature.and_then(|index| self.signatures.get(index).cloned());
        let is_static = known.as_ref().is_some_and(|known| !known.has_receiver);
        let result = known.as_ref().and_then(|known| known.result);
        let sorts = known.map_or_else(Vec::new, |known| known.params);
        self.declare_params(&mut body, &contract.params, Role::Parameter, &sorts);
        if let Some(class) = class.filter(|_| !is_static)
            && !body.names.contains_key("this")
        {
            let this = self.new_local("this", Role::This, Some(Sort::Ref(class)));
            body.this = Some(this);
            body.names.insert("this".to_owned(), this);
        }
        let returns = contract.kind == ContractKind::Post && contract.throws.is_none();
        if returns && !body.names.contains_key("result") {
            let result = self.new_local("result", Role::Result, result);
            body.result = Some(result);
            body.names.insert("result".to_owned(), result);
        }
        body
    }

    /// The class that a contract is for. One that nothing declares is taken to have exactly the
    /// fields that the contracts use, so that a specification can be read without its code.
    fn target_class(&mut self, name: &Name) -> ClassId {
        if let Some(class) = self.class_named(&name.text) {
            return class;
        }
        let classes = self.definitions.classes().skip(1);
        let known = classes.flat_map(|(_, class)| {
            let simple = class.name.rsplit(['.', '$']).next();
            [Some(class.name.as_str()), simple].into_iter().flatten()
        });
        let misspelled = did_you_mean(&name.text, known);
        let id = self.definitions.add_class(Class {
            name: name.text.clone(),
            fields: Vec::new(),
            superclass: None,
        });
        self.classes.add(id, &name.text);
        self.open_classes.insert(id, Vec::new());
        if misspelled.is_some() || !self.tested.is_empty() {
            let message = format!("unknown class `{}`", name.text);
            let diagnostic = Diagnostic::error(name.span, message).with_optional_help(misspelled);
            self.sink.push_about_name(diagnostic);
            return id;
        }
        let message = format!("class `{}` is not declared", name.text);
        let help = "it is taken to have the fields that are used here and no others; \
                    give its code or a `data` declaration";
        self.sink
            .push(Diagnostic::warning(name.span, message).with_help(help));
        id
    }

    /// The class under test that has the method of a contract without a class. None where there
    /// are functions, and where no class or more than one has it, which is reported.
    fn tested_class(&mut self, contract: &ast::Contract) -> Option<ClassId> {
        let method = &contract.method;
        let has = |class: &ClassId, name: &str| {
            let mut known = self.signatures.iter();
            known.any(|known| known.class == Some(*class) && known.method == name)
        };
        let having: Vec<ClassId> = (self.tested.iter().copied())
            .filter(|class| has(class, &method.text))
            .collect();
        let name = |class: ClassId| self.definitions.class(class).name.clone();
        let diagnostic = match having[..] {
            [only] => return Some(only),
            [] if self.tested.is_empty() => return None,
            [] => {
                let known = self.signatures.iter();
                let known = known.filter(|known| {
                    (known.class).is_some_and(|class| self.tested.contains(&class))
                });
                // Names that a compiler made up help nobody.
                let names = known.map(|known| known.method.as_str());
                let names: BTreeSet<&str> = names.filter(|name| !name.contains('$')).collect();
                let names: Vec<&str> = names.into_iter().collect();
                let classes: Vec<String> = self.tested.iter().map(|&class| name(class)).collect();
                let message = format!("{} has no method `{}`", classes.join(", "), method.text);
                let help = did_you_mean(&method.text, names.iter().copied()).unwrap_or_else(|| {
                    format!(
                        "for a method of another class write `Class#{}`",
                        method.text
                    )
                });
                Diagnostic::error(method.span, message)
                    .with_expected(format!("one of {}", names.join(", ")))
                    .with_help(help)
            }
            [first, ..] => {
                let classes: Vec<String> = having.iter().map(|&class| name(class)).collect();
                let message = format!("{} all have a method `{}`", classes.join(", "), method.text);
                let help = format!(
                    "write the class that is meant: `{}#{}`",
                    name(first),
                    method.text
                );
                Diagnostic::error(method.span, message).with_help(help)
            }
        };
        self.sink.push(diagnostic);
        None
    }

    /// The method according to the code, if it has exactly one that fits.
    fn signature(&mut self, class: Option<ClassId>, contract: &ast::Contract) -> Option<usize> {
        let named: Vec<(usize, Signature)> = (self.signatures.iter().cloned().enumerate())
            .filter(|(_, known)| known.class == class && known.method == contract.method.text)
            .collect();
        if named.is_empty() {
            self.check_method(class, &contract.method);
            return None;
        }
        let annotations: Vec<_> = (contract.params.iter())
            .map(|binder| binder.ty.as_ref().and_then(|ty| self.resolve_type(ty)))
            .collect();
        let fits = |params: &[Sort]| {
            params.len() == annotations.len()
                && params.iter().zip(&annotations).all(|(&param, annotation)| {
                    annotation.is_none_or(|annotation| annotation == param)
                })
        };
        let fitting: Vec<_> = (named.iter())
            .filter(|(_, known)| fits(&known.params))
            .collect();
        if let [(only, _)] = fitting[..] {
            return Some(*only);
        }
        if fitting.is_empty() {
            let method = &contract.method.text;
            let shown: Vec<String> = (named.iter())
                .map(|(_, known)| {
                    let params = known.params.iter();
                    let params = params.map(|sort| display_sort(&self.definitions, *sort));
                    format!("`{method}({})`", params.collect::<Vec<_>>().join(", "))
                })
                .collect();
            let given = count(annotations.len(), "parameter");
            let has_types = annotations.iter().any(Option::is_some);
            let end = if has_types { " of these types" } else { "" };
            let message = format!("no method `{method}` has {given}{end}");
            let diagnostic =
                Diagnostic::error(contract.method.span, message).with_expected(shown.join(" or "));
            self.sink.push(diagnostic);
        } else {
            let message = format!(
                "several methods `{}` have {}",
                contract.method.text,
                count(annotations.len(), "parameter")
            );
            let help = "write the types of the parameters to say which one is meant";
            self.sink
                .push(Diagnostic::error(contract.method.span, message).with_help(help));
        }
        None
    }

    /// Reports a method that a class of the code does not have.
    fn check_method(&mut self, class: Option<ClassId>, method: &Name) {
        let known = self.signatures.iter().filter(|known| known.class == class);
        let mut names: Vec<&str> = known.map(|known| known.method.as_str()).collect();
        names.dedup();
        if class.is_none() || names.is_empty() {
            return;
        }
        let message = format!("unknown method `{}`", method.text);
        let help = did_you_mean(&method.text, names.iter().copied());
        let diagnostic = Diagnostic::error(method.span, message)
            .with_expected(format!("one of {}", names.join(", ")))
            .with_optional_help(help);
        self.sink.push(diagnostic);
    }

    fn distinct_contract(&mut self, contract: &ast::Contract, seen: &mut FxHashMap<String, Span>) {
        let text = |name: &Option<Name>| name.as_ref().map_or("", |n| n.text.as_str()).to_owned();
        let types: Vec<_> = contract.params.iter().map(|p| text(&p.ty)).collect();
        let key = format!(
            "{:?} {}#{}({}) {}",
            contract.kind,
            text(&contract.class),
            contract.method.text,
            types.join(","),
            text(&contract.throws)
        );
        if let Some(&before) = seen.get(&key) {
            let what = match contract.kind {
                ContractKind::Pre => "precondition of",
                ContractKind::Post => "postcondition of",
            };
            self.duplicate(what, &contract.method, before);
        } else {
            seen.insert(key, contract.method.span);
        }
    }
}

impl Body {
    fn new(owner: Owner) -> Self {
        Body {
            owner,
            params: Vec::new(),
            names: FxHashMap::default(),
            this: None,
            result: None,
            free: Vec::new(),
            old: Vec::new(),
            old_values: FxHashMap::default(),
            statics: Vec::new(),
            disjuncts: Vec::new(),
        }
    }

    /// The predicate that this is the definition of.
    pub(super) fn predicate(&self) -> Option<PredId> {
        match self.owner {
            Owner::Predicate(id) => Some(id),
            _ => None,
        }
    }

    /// The class of the method that this is a contract of.
    pub(super) fn target_class(&self) -> Option<ClassId> {
        match &self.owner {
            Owner::Contract(header) => header.class,
            _ => None,
        }
    }
}
