//! Which classes the objects behind a reference of the input can have.
//!
//! The rules of the language have the first word ([`InputRules`]); a class that they say nothing
//! about has all its subtypes with objects. The order of candidates does not depend on the
//! classes that have nothing to do with the reference, so a program may grow during a search.

use heapwright_ir::machine::layout;
use heapwright_ir::{Candidates, ClassKind, InputRules, Program};
use heapwright_logic::{ClassId, Sort};

/// The classes with objects that fit all the declared ones, in the order in which they are tried.
///
/// Several declared classes are those of references that are known to be equal. The list of the
/// narrowest one decides, as long as it is complete.
pub fn candidates(program: &Program, rules: &InputRules, declared: &[ClassId]) -> Candidates {
    let narrowest = |class: &ClassId| declared.iter().all(|&other| fits(program, *class, other));
    let mut ordered = declared.to_vec();
    ordered.sort_by_key(|class| !narrowest(class));
    let mut found = Candidates::default();
    for class in ordered {
        let (classes, complete) = match rules.candidates.get(&class) {
            Some(told) => (told.classes.clone(), told.complete),
            None => (subtypes(program, class), true),
        };
        for candidate in classes {
            let wanted = has_objects(program, candidate)
                && declared
                    .iter()
                    .all(|&other| fits(program, candidate, other));
            if wanted && !found.classes.contains(&candidate) {
                found.classes.push(candidate);
            }
        }
        if complete {
            found.complete = true;
            break;
        }
    }
    found.complete &= !declared.iter().any(|class| rules.unchecked.contains(class));
    found
}

/// Whether objects of a class can stand where the other one is expected, for ids from anywhere.
pub fn fits(program: &Program, class: ClassId, expected: ClassId) -> bool {
    layout::is_subtype(program, class, expected) == Ok(true)
}

/// The same, where an unchecked cast may have been before.
pub fn may_fit(program: &Program, rules: &InputRules, class: ClassId, expected: ClassId) -> bool {
    rules.unchecked.contains(&expected) || fits(program, class, expected)
}

/// The sort of the elements of an array class; none for other classes.
pub fn element_sort(program: &Program, class: ClassId) -> Option<Sort> {
    match program.classes.get(class.index())?.kind {
        ClassKind::Array { element } => Some(element),
        ClassKind::Struct { .. } => None,
    }
}

/// Whether there are objects of exactly this class.
pub fn has_objects(program: &Program, class: ClassId) -> bool {
    let info = program.classes.get(class.index());
    class != ClassId::ANY && info.is_some_and(|info| info.instantiable)
}

/// The class itself, then all the others below it.
fn subtypes(program: &Program, class: ClassId) -> Vec<ClassId> {
    let others = (0..).map(ClassId).take(program.classes.len());
    let others = others.filter(|&other| other != class && fits(program, other, class));
    std::iter::once(class).chain(others).collect()
}
