//! Which methods are tested: those that were named, but for those that cannot be.

use std::collections::BTreeSet;

use heapwright_java::target::TargetMethod;

use crate::program::JavaProgram;
use heapwright_testgen::{Error, RequestError};
use heapwright_testgen::{Request, Targets, file_names};

/// The methods that a request names; only those with a precondition if that is asked for.
pub fn choose(
    request: &Request,
    only_specified: bool,
    program: &mut JavaProgram,
) -> Result<Targets<TargetMethod>, Error> {
    let named = named(request, only_specified, program)?;
    let (mut tested, mut complaints) = (Vec::new(), Vec::new());
    for target in named {
        match objection_to(&target) {
            None => tested.push(target),
            Some(objection) => complaints.push(objection),
        }
    }
    let unusable = leave_out_unusable(program, &mut tested);
    if tested.is_empty() {
        complaints.extend(unusable);
        return Err(RequestError::Untestable(complaints).into());
    }
    if request.is_by_predicate() && tested.len() > 1 {
        tested = with_predicate(program, tested)?;
    }
    Ok(Targets {
        tested,
        complaints,
        unusable,
    })
}

/// Leaves out what needs an object of a class whose static initialiser throws an exception: there is
/// none. Static methods of it throw a `LinkageError` every time, unless the initialiser throws an
/// error itself, which only the first call sees.
fn leave_out_unusable(program: &JavaProgram, targets: &mut Vec<TargetMethod>) -> Vec<String> {
    let mut unusable = BTreeSet::new();
    targets.retain(|target| {
        let class = &target.class;
        let Some(failure) = program.world.initialiser_failure(class) else {
            return true;
        };
        let thrown = heapwright_explain::words::simple_class(&failure.exception);
        unusable.insert(format!(
            "{}: its static initialiser throws {thrown}, so there are no objects of it",
            class.name
        ));
        let method = &target.declared.method;
        method.access.is_static() && !method.is_constructor() && !failure.is_error
    });
    unusable.into_iter().collect()
}

/// All methods that are named; those with a precondition, if only these are wanted.
fn named(
    request: &Request,
    only_specified: bool,
    program: &mut JavaProgram,
) -> Result<Vec<TargetMethod>, Error> {
    let mut targets = Vec::new();
    for target in &request.targets {
        targets.extend(program.targets(target)?);
    }
    let mut lack = "no methods with a body to be tested";
    if only_specified && !targets.is_empty() {
        targets = program.specified(targets)?;
        lack = "no methods with a precondition";
    }
    if targets.is_empty() {
        return Err(Error::Request(RequestError::NothingToTest {
            name: request.title(),
            lack,
            reasons: Vec::new(),
        }));
    }
    Ok(targets)
}

/// What is wrong with the names of a method and its class, after which files are called.
fn objection_to(target: &TargetMethod) -> Option<String> {
    let class = target.class.name.replace('.', "/");
    let method = &target.declared.method.name;
    let reason = file_names::objection(&class).or_else(|| file_names::objection(method))?;
    Some(format!(
        "{}#{} is not tested, since no file can be called after it: {reason}",
        file_names::shown(&target.class.name),
        file_names::shown(method)
    ))
}

/// Those of several methods whose objects there is a predicate for. The predicate itself is left out.
fn with_predicate(
    program: &JavaProgram,
    targets: Vec<TargetMethod>,
) -> Result<Vec<TargetMethod>, Error> {
    let mut kept = Vec::new();
    for target in &targets {
        let method = &target.declared.method;
        let Some(predicate) = program.predicate(&target.class)? else {
            continue;
        };
        let is_predicate = predicate.declared.to_string() == target.declared.to_string();
        if !is_predicate && !method.access.is_static() && !method.is_constructor() {
            kept.push(target.clone());
        }
    }
    // Without any, the error says what to do.
    Ok(match kept.is_empty() {
        true => targets.into_iter().take(1).collect(),
        false => kept,
    })
}
