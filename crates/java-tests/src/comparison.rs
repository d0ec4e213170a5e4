//! The method whose precondition is compared with the predicate of its class.

use std::collections::BTreeSet;

use heapwright_java::target::TargetMethod;
use heapwright_logic::Printer;
use heapwright_testgen::Error;

use crate::program::JavaProgram;

/// The method whose precondition is compared: the only one with a precondition, or any of several
/// with the same.
pub fn target(program: &mut JavaProgram, text: &str) -> Result<TargetMethod, Error> {
    let named = program.targets(text)?;
    if let [only] = &named[..]
        && is_predicate(program, only)?
    {
        return Err(Error::Unfit(format!(
            "`{text}` is the predicate itself; name the class, or the method whose precondition is \
             compared with it: --repok {}. The predicate is found by its name, or given by \
             --predicate",
            only.class.name
        )));
    }
    let specified = program.specified(named)?;
    let mut preconditions = BTreeSet::new();
    for target in &specified {
        preconditions.insert(printed(program, target)?);
    }
    let fewest = |target: &&TargetMethod| target.declared.method.descriptor.parameters.len();
    match (specified.iter().min_by_key(fewest), preconditions.len()) {
        (None, _) => Err(Error::Unfit(format!("`{text}` has no precondition"))),
        (Some(target), 1) => Ok(target.clone()),
        (Some(_), _) => {
            let named: Vec<String> = specified.iter().map(|one| format!("'{one}'")).collect();
            Err(Error::Unfit(format!(
                "`{text}` stands for several methods whose preconditions differ; name one whose \
                 precondition speaks of `this` only: {}",
                named.join(", ")
            )))
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
