//! Specifications in the notation of the StarFinder tools.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_logic::{ClassId, PointsTo, Sort, SymbolicHeap, TermId, Terms, VarId};
use heapwright_spec::diagnostic::{Diagnostic, did_you_mean};
use heapwright_spec::starfinder::{Precondition, PredicateFile, read_with};
use heapwright_spec::{Contract, ContractKind, SpecError, Specification};

use super::Specified;
use super::classes::mention;
use crate::classfile::Class;
use crate::hierarchy::DeclaredMethod;
use crate::world::World;

/// Reads what a file says about one method of a class: `pre method == ...`, where `this_f` is the
/// field `f` of `this`. The notation does not tell overloaded methods apart, so each of them has
/// the preconditions of its name whose names it knows.
///
/// A precondition of a method that none of the classes under test has is an error.
pub fn read_predicate_file(
    world: &mut World,
    class: &Arc<Class>,
    tested: &[Arc<Class>],
    method: &DeclaredMethod,
    name: &str,
    text: &str,
) -> Result<Specified, SpecError> {
    mention(world, class, text);
    let receiver = (!method.method.access.is_static()).then(|| world.declare(&class.ty()));
    let params = parameters(world, method);
    let definitions = world.program().definitions.clone();
    let mut names = params.clone();
    if let Some(id) = receiver {
        names.push(("this".to_owned(), Sort::Ref(id)));
        let fields = definitions.class(id).fields.iter();
        names.extend(fields.map(|field| (format!("this_{}", field.name), field.sort)));
    }
    let signatures = |known: &str| (known == &*method.method.name).then(|| names.clone());
    let file = read_with(name, text, Terms::new(), definitions, &signatures)?;
    world.adopt(&file.definitions);
    known_methods(class, tested, &file)?;
    let mut specification = Specification {
        terms: file.terms,
        definitions: file.definitions,
        contracts: Vec::new(),
        queries: Vec::new(),
        warnings: file.warnings,
        sources: file.sources,
    };
    let wanted = |known: &&Precondition| *known.method == *method.method.name;
    for precondition in file.preconditions.iter().filter(wanted) {
        let contract = contract(&mut specification, precondition, &params, receiver);
        specification.contracts.push(contract);
    }
    Ok(Specified {
        specification,
        methods: vec![method.clone()],
        exceptions: BTreeMap::new(),
    })
}

/// Every precondition is one of a method that there is.
fn known_methods(
    class: &Arc<Class>,
    tested: &[Arc<Class>],
    file: &PredicateFile,
) -> Result<(), SpecError> {
    let methods = std::iter::once(class).chain(tested);
    let names = methods.flat_map(|class| class.methods.iter().map(|method| &*method.name));
    let names: Vec<&str> = names.filter(|name| !name.contains('$')).collect();
    let unknown = (file.preconditions.iter())
        .find(|precondition| !names.contains(&precondition.method.as_str()));
    let Some(unknown) = unknown else {
        return Ok(());
    };
    let message = format!("{} has no method `{}`", class.name, unknown.method);
    let diagnostic = Diagnostic::error(unknown.span, message)
        .with_optional_help(did_you_mean(&unknown.method, names.iter().copied()));
    Err(SpecError::rejected(file.sources.clone(), vec![diagnostic]))
}

/// The parameters of a method with their names, as far as the class file has them.
fn parameters(world: &mut World, method: &DeclaredMethod) -> Vec<(String, Sort)> {
    let types = method.method.descriptor.parameters.iter().enumerate();
    types
        .map(|(index, ty)| {
            let name = method.method.parameter_name(index);
            let name = name.map_or_else(|| format!("argument{index}"), str::to_owned);
            (name, world.sort(ty))
        })
        .collect()
}

/// A precondition as a contract: the fields of `this` that it mentions are those of a cell.
fn contract(
    specification: &mut Specification,
    precondition: &Precondition,
    params: &[(String, Sort)],
    receiver: Option<ClassId>,
) -> Contract {
    let terms = &mut specification.terms;
    let known = |name: &str| {
        let mut names = precondition.names.iter();
        names.find(|(known, _)| known == name).map(|&(_, id)| id)
    };
    let params: Vec<VarId> = (params.iter())
        .map(|(name, sort)| known(name).unwrap_or_else(|| terms.declare(name.as_str(), *sort)))
        .collect();
    let mut formula = precondition.formula.clone();
    let this = receiver
        .map(|class| known("this").unwrap_or_else(|| terms.declare("this", Sort::Ref(class))));
    if let (Some(this), Some(class)) = (this, receiver) {
        let fields = &specification.definitions.class(class).fields;
        let fields: Vec<(Option<VarId>, &str, Sort)> = (fields.iter())
            .map(|field| {
                (
                    known(&format!("this_{}", field.name)),
                    &*field.name,
                    field.sort,
                )
            })
            .collect();
        for (index, disjunct) in formula.disjuncts.iter_mut().enumerate() {
            give_receiver(terms, this, class, &fields, disjunct);
            // What one disjunct quantifies belongs to it alone.
            if index > 0 {
                *disjunct = disjunct.instantiate(terms, &Default::default());
            }
        }
    }
    Contract {
        kind: ContractKind::Pre,
        class: receiver,
        method: precondition.method.clone(),
        signature: Some(0),
        has_receiver: receiver.is_some(),
        this,
        params,
        result: None,
        throws: None,
        old: Vec::new(),
        formula,
        span: precondition.span,
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
