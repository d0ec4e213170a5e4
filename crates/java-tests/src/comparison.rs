//! The method whose precondition is compared with the predicate of its class.

use std::collections::BTreeSet;

use heapwright_java::target::TargetMethod;
use heapwright_logic::Printer;
use heapwright_testgen::{Error, RequestError};

use crate::program::JavaProgram;

/// The method whose precondition is compared: the only one with a precondition, or any of several
/// with the same.
pub fn target(program: &mut JavaProgram, text: &str) -> Result<TargetMethod, Error> {
    let named = program.targets(text)?;
    if let [only] = &named[..]
        && is_predicate(program, only)?
    {
        return Err(Error::Request(RequestError::PredicateItself {
            text: text.to_owned(),
            class: only.class.name.to_string(),
        }));
    }
    let specified = program.specified(named)?;
    let mut preconditions = BTreeSet::new();
    for target in &specified {
        preconditions.insert(printed(program, target)?);
    }
    let fewest = |target: &&TargetMethod| target.declared.method.descriptor.parameters.len();
    match (specified.iter().min_by_key(fewest), preconditions.len()) {
        (None, _) => Err(RequestError::NoPrecondition(text.to_owned()).into()),
        (Some(target), 1) => Ok(target.clone()),
        (Some(_), _) => {
            let methods = specified.iter().map(|one| format!("'{one}'"));
            Err(Error::Request(RequestError::PreconditionsDiffer {
                text: text.to_owned(),
                methods: methods.collect(),
            }))
        }
    }
}

/// Whether a method is the predicate of its class.
fn is_predicate(program: &JavaProgram, target: &TargetMethod) -> Result<bool, Error> {
    let predicate = program.predicate(&target.class)?;
    Ok(predicate.is_some_and(|one| one.declared.to_string() == target.declared.to_string()))
}

/// A precondition as text.
fn printed(program: &mut JavaProgram, target: &TargetMethod) -> Result<String, Error> {
    let explored = program.subject(target)?;
    let subject = &explored.subject;
    let formula = subject.precondition.clone().unwrap_or_default();
    Ok(Printer::new(&subject.terms, &subject.definitions).formula(&formula))
}
