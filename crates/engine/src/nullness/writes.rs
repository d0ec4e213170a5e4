//! Which fields a function may write, itself or through what it calls.

use std::collections::BTreeSet;

use heapwright_ir::{FunctionId, Operation, Program};
use rustc_hash::FxHashMap;

use super::is_closed;
use super::transfer::has_layouts;
use crate::call_graph::Callees;
use crate::subject::Scope;

/// The fields that functions write, by number; none if a function may write any.
pub struct Writes {
    fields: FxHashMap<FunctionId, Option<BTreeSet<u32>>>,
}

impl Writes {
    /// The fields of some functions, which include all that they call.
    pub fn new(
        program: &Program,
        callees: &Callees<'_>,
        functions: &[FunctionId],
        scope: Option<&Scope>,
    ) -> Writes {
        // Where fields have layouts, one object may be seen as several classes.
        let overlapping = has_layouts(program);
        let mut writes = Writes {
            fields: (functions.iter())
                .map(|&id| (id, own(program, id).filter(|_| !overlapping)))
                .collect(),
        };
        let mut changed = true;
        while changed {
            changed = false;
            for &id in functions {
                changed |= writes.extend(callees, id, scope);
            }
        }
        writes
    }

    /// Whether a function may write a field of some object.
    pub fn may_write(&self, function: FunctionId, field: u32) -> bool {
        match self.fields.get(&function) {
            Some(Some(fields)) => fields.contains(&field),
            _ => true,
        }
    }

    /// Adds what the callees of a function write. Whether anything is new.
    fn extend(&mut self, callees: &Callees<'_>, id: FunctionId, scope: Option<&Scope>) -> bool {
        let Some(Some(known)) = self.fields.get(&id) else {
            return false;
        };
        let before = known.len();
        let mut fields = Some(known.clone());
        for (callee, called) in callees.calls(id) {
            // Nobody knows what a call out of the program writes.
            if called.is_empty() || !is_closed(scope, callee, &called) {
                fields = None;
            }
            for callee in called {
                match (self.fields.get(&callee), &mut fields) {
                    (Some(Some(theirs)), Some(fields)) => fields.extend(theirs),
                    _ => fields = None,
                }
            }
        }
        let changed = fields.as_ref().is_none_or(|fields| fields.len() > before);
        self.fields.insert(id, fields);
        changed
    }
}

fn own(program: &Program, id: FunctionId) -> Option<BTreeSet<u32>> {
    let function = program.functions.get(id.index())?;
    let operations = function.blocks.iter().flat_map(|block| &block.instructions);
    let written = operations.filter_map(|instruction| match instruction.operation {
        Operation::Store { field, .. } => Some(field),
        _ => None,
    });
    Some(written.collect())
}
