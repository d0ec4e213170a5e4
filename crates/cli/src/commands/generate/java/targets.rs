//! Which methods are tested: those that were named, but for those that cannot be.

use std::collections::BTreeSet;

use heapwright_engine::Mode;
use heapwright_java::target::TargetMethod;

use super::super::Arguments;
use crate::failure::Failure;
use crate::inside;
use crate::java::JavaProgram;

/// The methods that somebody wants to have tested.
pub struct Targets {
    /// Those that are, at least one.
    pub tested: Vec<TargetMethod>,
    /// Why the others are not.
    pub complaints: Vec<String>,
    /// The classes that nothing can be done with.
    pub unusable: Vec<String>,
}

impl Targets {
    /// The methods that the command line names.
    pub fn choose(arguments: &Arguments, program: &mut JavaProgram) -> Result<Targets, Failure> {
        let named = named(arguments, program)?;
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
            return Err(Failure::Unfit(complaints.join("\n")));
        }
        let by_predicate = matches!(arguments.search.mode, Mode::Blackbox | Mode::Whitebox);
        if by_predicate && tested.len() > 1 {
            tested = with_predicate(program, tested)?;
        }
        Ok(Targets {
            tested,
            complaints,
            unusable,
        })
    }
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
fn named(arguments: &Arguments, program: &mut JavaProgram) -> Result<Vec<TargetMethod>, Failure> {
    let mut targets = Vec::new();
    for target in &arguments.targets {
        targets.extend(program.targets(target)?);
    }
    let mut lack = "no methods with a body to be tested";
    if arguments.java.specified && !targets.is_empty() {
        targets = program.specified(targets)?;
        lack = "no methods with a precondition";
    }
    if targets.is_empty() {
        let title = arguments.title();
        return Err(Failure::Unfit(format!("{title} has {lack}")));
    }
    Ok(targets)
}

/// What is wrong with the names of a method and its class, after which files are called.
fn objection_to(target: &TargetMethod) -> Option<String> {
    let class = target.class.name.replace('.', "/");
    let method = &target.declared.method.name;
    let reason = inside::objection(&class).or_else(|| inside::objection(method))?;
    Some(format!(
        "{}#{} is not tested, since no file can be called after it: {reason}",
        inside::shown(&target.class.name),
        inside::shown(method)
    ))
}

/// Those of several methods whose objects there is a predicate for. The predicate itself is left out.
fn with_predicate(
    program: &JavaProgram,
    targets: Vec<TargetMethod>,
) -> Result<Vec<TargetMethod>, Failure> {
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
