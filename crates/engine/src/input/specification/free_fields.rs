//! Fields that a formula leaves open: written `_`, or by a name that nothing else mentions.

use std::collections::BTreeSet;

use heapwright_logic::{Loc, Model, Sort, SymbolicHeap, Terms, Value, VarId};

/// How many fields of one formula are varied.
const MOST: usize = 12;

/// A field of a model that could have any value of its sort.
pub(super) struct FreeField {
    /// The object.
    loc: Loc,
    /// The position of the field.
    field: usize,
    /// The position of its variable among those that the formula quantifies.
    variable: usize,
    /// Its sort.
    pub(super) sort: Sort,
}

impl FreeField {
    /// Gives the field a value, in the heap and in the derivation.
    pub(super) fn set(&self, model: &mut Model, value: Value) -> Option<()> {
        let cell = model.heap.cells.get_mut(&self.loc)?;
        *cell.fields.get_mut(self.field)? = value;
        let step = model.derivation.steps.first_mut()?;
        *step.exists.get_mut(self.variable)? = value;
        Some(())
    }
}

/// Whether a variable is the address of a cell.
fn is_address(terms: &Terms, heap: &SymbolicHeap, variable: VarId) -> bool {
    let mut sources = heap.points_to.iter();
    sources.any(|cell| terms.as_var(cell.source) == Some(variable))
}

/// The fields of a model that its formula says nothing about.
pub(super) fn free_fields(terms: &Terms, heap: &SymbolicHeap, model: &Model) -> Vec<FreeField> {
    let rest = SymbolicHeap {
        exists: Vec::new(),
        points_to: Vec::new(),
        instances: heap.instances.clone(),
        pure: heap.pure.clone(),
    };
    let constrained: BTreeSet<VarId> = rest.free_variables(terms).into_iter().collect();
    let value_of = |variable: VarId| {
        let quantified = heap.exists.iter().position(|&known| known == variable);
        let step = model.derivation.steps.first();
        let quantified = quantified.and_then(|index| step?.exists.get(index).copied());
        quantified.or_else(|| model.stack.get(&variable).copied())
    };
    let mut found: Vec<FreeField> = Vec::new();
    let mut seen: BTreeSet<VarId> = BTreeSet::new();
    for cell in &heap.points_to {
        let Some(Value::Ref(loc)) = terms.as_var(cell.source).and_then(value_of) else {
            continue;
        };
        for (field, &content) in cell.fields.iter().enumerate() {
            let Some(name) = terms.as_var(content) else {
                continue;
            };
            let sort = terms.variable(name).sort;
            if !seen.insert(name) {
                // One variable in two fields: they are equal.
                found.retain(|known| heap.exists.get(known.variable) != Some(&name));
                continue;
            }
            let variable = heap.exists.iter().position(|&known| known == name);
            if let Some(variable) = variable
                && !constrained.contains(&name)
                && !is_address(terms, heap, name)
            {
                found.push(FreeField {
                    loc,
                    field,
                    variable,
                    sort,
                });
            }
        }
    }
    found.truncate(MOST);
    found
}
