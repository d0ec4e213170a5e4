//! Preconditions as contracts of methods, whose fields `this_f` are those of a cell.

use heapwright_logic::{ClassId, PointsTo, Sort, SymbolicHeap, TermId, Terms, VarId};

use super::Precondition;
use super::resolve::Resolver;
use crate::{Contract, ContractKind, StaticValue};

impl Resolver {
    /// A precondition as the contract of a method.
    pub fn contract(&mut self, precondition: &Precondition, method: usize) -> Option<Contract> {
        let signature = self.code.as_ref()?.signatures.get(method)?.clone();
        let receiver = signature.class.filter(|_| signature.has_receiver);
        let known = |name: &str| {
            let mut names = precondition.names.iter();
            names.find(|(known, _)| known == name).map(|&(_, id)| id)
        };
        let terms = &mut self.terms;
        let params: Vec<VarId> = (signature.names.iter().zip(&signature.params))
            .map(|(name, sort)| known(name).unwrap_or_else(|| terms.declare(name.as_str(), *sort)))
            .collect();
        let mut formula = precondition.formula.clone();
        let this = receiver
            .map(|class| known("this").unwrap_or_else(|| terms.declare("this", Sort::Ref(class))));
        if let (Some(this), Some(class)) = (this, receiver) {
            let fields = &self.definitions.class(class).fields;
            let fields: Vec<(Option<VarId>, &str, Sort)> = (fields.iter().enumerate())
                .map(|(position, field)| {
                    // A field hides one of the same name that a superclass has.
                    let mut later = fields[position + 1..].iter();
                    let is_hidden = later.any(|later| later.name == field.name);
                    let variable = known(&format!("this_{}", field.name));
                    (
                        variable.filter(|_| !is_hidden),
                        field.name.as_str(),
                        field.sort,
                    )
                })
                .collect();
            for disjunct in &mut formula.disjuncts {
                give_receiver(terms, this, class, &fields, disjunct);
            }
        }
        for (index, disjunct) in formula.disjuncts.iter_mut().enumerate() {
            // What one disjunct quantifies belongs to it alone.
            if index > 0 {
                *disjunct = disjunct.instantiate(terms, &Default::default());
            }
        }
        let statics = precondition.statics.iter();
        Some(Contract {
            kind: ContractKind::Pre,
            class: signature.class,
            method: precondition.method.clone(),
            signature: Some(method),
            has_receiver: receiver.is_some(),
            this,
            params,
            result: None,
            throws: None,
            old: Vec::new(),
            statics: statics
                .map(|&(field, variable)| StaticValue {
                    field,
                    variable,
                    after: false,
                })
                .collect(),
            formula,
            span: precondition.span,
        })
    }
}

/// Adds the cell of the receiver to a disjunct that mentions its fields, and quantifies these.
fn give_receiver(
    terms: &mut Terms,
    this: VarId,
    class: ClassId,
    fields: &[(Option<VarId>, &str, Sort)],
    disjunct: &mut SymbolicHeap,
) {
    let free = disjunct.free_variables(terms);
    let mentioned = |variable: &Option<VarId>| variable.is_some_and(|id| free.contains(&id));
    if !fields.iter().any(|(variable, ..)| mentioned(variable)) {
        return;
    }
    let source = terms.var(this);
    let contents: Vec<TermId> = (fields.iter())
        .map(|&(variable, name, sort)| {
            let symbol = variable
                .filter(|id| free.contains(id))
                .unwrap_or_else(|| terms.declare(name, sort));
            disjunct.exists.push(symbol);
            terms.var(symbol)
        })
        .collect();
    let cell = disjunct.points_to.iter().find(|cell| cell.source == source);
    match cell.map(|cell| cell.fields.clone()) {
        // The formula has the cell already, with names of its own for the fields.
        Some(known) => {
            for (a, b) in known.into_iter().zip(contents) {
                disjunct.pure.push(terms.eq(a, b));
            }
        }
        None => disjunct.points_to.push(PointsTo {
            source,
            class,
            fields: contents,
        }),
    }
}
