//! The functions of a file, as contracts name them.

use heapwright_c::CUnit;
use heapwright_c::ast::{self, RecordId};
use heapwright_ir::FunctionId;
use heapwright_testgen::proposal::names::is_writable;
use heapwright_testgen::proposal::{Function, Parameter};

use super::links::pointed_to;
use super::records::name_of;
use super::uses::{links_of, presence};
use crate::roles::{is_destructor, is_initialiser, words};

/// Words for functions that take nodes out of lists.
const REMOVALS: [&str; 8] = [
    "remove", "del", "delete", "unlink", "detach", "erase", "drop", "cut",
];

/// A function for which preconditions are proposed.
pub fn function(unit: &CUnit, id: FunctionId) -> Option<Function> {
    let source = unit.function(id)?;
    let mut names: Vec<String> = Vec::new();
    let mut parameters = Vec::new();
    for (index, &param) in source.params.iter().enumerate() {
        let variable = unit.source.variables.get(param.0 as usize)?;
        let name = match is_writable(&variable.name) && !names.contains(&variable.name) {
            true => variable.name.clone(),
            false => format!("argument{index}"),
        };
        if let ast::CType::Pointer(_) = variable.ty {
            let record = pointed_to(&variable.ty);
            let presence = presence(&unit.source, source, param);
            parameters.push(Parameter {
                name: name.clone(),
                record: record.map_or(String::new(), |record| name_of(&unit.source, record)),
                is_present: presence.is_followed && !presence.is_asked_for,
                may_be_absent: presence.is_asked_for,
                is_variable: false,
                links: record.map_or(Vec::new(), |record| {
                    links_of(&unit.source, source, param, record)
                }),
            });
        }
        names.push(name);
    }
    let entry = unit.entries.get(&id);
    for input in entry.map_or(&[][..], |entry| &entry.globals) {
        let variable = unit.source.variables.get(input.variable.0 as usize)?;
        let record = match (&variable.ty, input.is_object) {
            (ast::CType::Record(record), true) => Some(*record),
            (ty, _) => pointed_to(ty),
        };
        let is_hidden = names.contains(&variable.name) || !is_writable(&variable.name);
        if let (Some(record), false) = (record, is_hidden) {
            parameters.push(Parameter {
                name: variable.name.clone(),
                record: name_of(&unit.source, record),
                is_present: false,
                may_be_absent: false,
                is_variable: true,
                links: Vec::new(),
            });
        }
    }
    // What pointers to pointers lead to is no object with fields.
    let takes_places = source.signature.params.iter().any(|ty| match ty {
        ast::CType::Pointer(to) => pointed_to(to).is_some(),
        _ => false,
    });
    let name = source.name.clone();
    let signature = format!("{name}({})", names.join(", "));
    Some(Function {
        signature: (is_writable(&name) && !takes_places).then_some(signature),
        has_receiver: false,
        parameters,
        is_initialiser: is_initialiser(unit, id),
        is_removal: words(&name).have_any(&REMOVALS),
        is_destructor: is_destructor(unit, id),
        name,
    })
}

/// The struct that most functions work on.
pub fn usual_record(unit: &CUnit, can_be: impl Fn(RecordId) -> bool) -> Option<RecordId> {
    let mut counts: Vec<(RecordId, usize)> = Vec::new();
    for (id, _) in &unit.functions {
        let Some(source) = unit.function(*id) else {
            continue;
        };
        let params = source.signature.params.iter().filter_map(pointed_to);
        let result = pointed_to(&source.signature.result);
        for record in params.chain(result).filter(|record| can_be(*record)) {
            match counts.iter_mut().find(|(known, _)| *known == record) {
                Some((_, count)) => *count += 1,
                None => counts.push((record, 1)),
            }
        }
    }
    let best = counts.iter().map(|(_, count)| *count).max()?;
    let mut counts = counts.into_iter();
    counts
        .find(|(_, count)| *count == best)
        .map(|(record, _)| record)
}
