//! Structs, procedures and types.

use heapwright_logic::{Class, ClassId, Definitions, Field, IntType, Sort};
use heapwright_spec::diagnostic::{Diagnostic, Span, did_you_mean};
use rustc_hash::FxHashMap;

use super::kind::Kind;
use super::{Checker, MAIN, Signature, built_in_type};
use crate::syntax::ast::{File, Name, Parameter, Struct};

/// The struct of the paper, which every program has unless it declares its own.
const CONS: &str = "cons";

impl Checker {
    pub(super) fn declare_structs(&mut self, structs: &[Struct]) {
        let mut declared: Vec<(ClassId, &Struct)> = Vec::new();
        for structure in structs {
            let name = &structure.name;
            if built_in_type(&name.text).is_some() {
                self.taken(name, "a type");
                continue;
            }
            let before = declared.iter().find(|(_, other)| other.name == *name);
            if let Some((_, before)) = before {
                self.duplicate("struct", name, before.name.span());
                continue;
            }
            let id = self.definitions.add_class(Class {
                name: name.text.clone(),
                fields: Vec::new(),
                superclass: None,
            });
            declared.push((id, structure));
            self.structs.push(id);
        }
        if self.definitions.class_named(CONS).is_none() {
            self.declare_cons();
        }
        for (id, structure) in declared {
            let fields = self.fields_of(&structure.fields);
            // A field of this type is a use, whether or not the program touches it.
            for field in &fields {
                self.kinds.fresh(Kind::of(field.sort));
            }
            self.definitions.class_mut(id).fields = fields;
        }
    }

    fn declare_cons(&mut self) {
        let id = self.definitions.add_class(Class {
            name: CONS.to_owned(),
            fields: Vec::new(),
            superclass: None,
        });
        let field = |name: &str, sort| Field {
            name: name.to_owned(),
            sort,
        };
        self.definitions.class_mut(id).fields = vec![
            field("head", Sort::Machine(IntType::I32)),
            field("tail", Sort::Ref(id)),
        ];
        self.cons = Some(id);
    }

    /// The classes of the program, with the paper's struct only if it is used. It was declared
    /// last, so that the others keep their ids.
    pub(super) fn used_definitions(&self) -> Definitions {
        let unused = self.cons.filter(|&cons| !self.kinds.mention(cons));
        let mut used = Definitions::new();
        for (id, class) in self.definitions.classes().skip(1) {
            if Some(id) != unused {
                used.add_class(class.clone());
            }
        }
        used
    }

    fn fields_of(&mut self, parameters: &[Parameter]) -> Vec<Field> {
        self.distinct("field", parameters);
        let sorts: Vec<_> = (parameters.iter())
            .map(|parameter| (parameter, self.resolve_type(&parameter.ty)))
            .collect();
        // A field of an unknown type was reported; some sort keeps the others in place.
        (sorts.into_iter())
            .map(|(parameter, sort)| Field {
                name: parameter.name.text.clone(),
                sort: sort.unwrap_or(Sort::Machine(IntType::I32)),
            })
            .collect()
    }

    pub(super) fn declare_procedures(&mut self, file: &File) {
        for (index, procedure) in file.procedures.iter().enumerate() {
            let name = &procedure.name;
            if built_in_type(&name.text).is_some() {
                self.taken(name, "a conversion");
            } else if name.text == MAIN && !file.statements.is_empty() {
                let message = "the statements of the program are called `main` already";
                let diagnostic = Diagnostic::error(name.span(), message)
                    .with_help("rename the procedure, or move the statements into it");
                self.report(diagnostic);
            }
            self.distinct("parameter", &procedure.params);
            let params = (procedure.params.iter())
                .map(|parameter| self.resolve_type(&parameter.ty))
                .collect();
            let result = procedure.result.as_ref().map(|ty| self.resolve_type(ty));
            self.declared(result.flatten());
            self.signatures.push(Signature {
                params,
                result,
                span: name.span(),
            });
            match self.procedure_names.get(&name.text) {
                Some(&before) => {
                    let before = self.signatures[before].span;
                    self.duplicate("procedure", name, before);
                }
                None => {
                    self.procedure_names.insert(name.text.clone(), index);
                }
            }
        }
    }

    /// The sort of a type; an unknown one is reported.
    pub(super) fn resolve_type(&mut self, name: &Name) -> Option<Sort> {
        if let Some(sort) = built_in_type(&name.text) {
            return Some(sort);
        }
        if let Some(class) = self.class_named(&name.text) {
            return Some(Sort::Ref(class));
        }
        let classes = self.definitions.classes().skip(1);
        let mut known: Vec<&str> = classes.map(|(_, class)| class.name.as_str()).collect();
        known.push("bool");
        for ty in IntType::ALL {
            known.push(ty.name());
        }
        let advice = did_you_mean(&name.text, known);
        let message = format!("unknown type `{}`", name.text);
        let diagnostic = Diagnostic::error(name.span(), message)
            .with_optional_help(advice)
            .with_expected("an integer type, `bool`, or a struct");
        self.report(diagnostic);
        None
    }

    /// A struct by name; [`ClassId::ANY`] has none that could be written.
    pub(super) fn class_named(&self, name: &str) -> Option<ClassId> {
        self.definitions.class_named(name)
    }

    pub(super) fn duplicate(&mut self, what: &str, name: &Name, before: Span) {
        let message = format!("{what} `{}` is declared twice", name.text);
        let diagnostic =
            Diagnostic::error(name.span(), message).with_note_at(before, "declared before");
        self.report(diagnostic);
    }

    fn taken(&mut self, name: &Name, what: &str) {
        let message = format!("`{}` is the name of {what}", name.text);
        let diagnostic = Diagnostic::error(name.span(), message).with_help("choose another name");
        self.report(diagnostic);
    }

    fn distinct(&mut self, what: &str, parameters: &[Parameter]) {
        let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
        for parameter in parameters {
            let name = &parameter.name;
            if let Some(before) = seen.insert(&name.text, name.span()) {
                self.duplicate(what, name, before);
            }
        }
    }
}
