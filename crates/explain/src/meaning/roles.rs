//! Names for quantified variables, by what they stand for.
//!
//! The content of a field is called by its path, `root.left`. A number that a predicate instance
//! has as an argument is called by the parameter, `the n of root.left`. What is left keeps the
//! name that its author gave it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use heapwright_logic::{Definitions, Printer, Sort, Substitution, SymbolicHeap, Terms, VarId};

use super::subject;

/// A path with more fields than this is harder to read than the variable.
const LONGEST_PATH: usize = 3;

/// The names of quantified variables.
pub struct Roles {
    /// For each variable with a role: the variable that bears its name.
    names: BTreeMap<VarId, VarId>,
    /// Those that are called after an argument, by their new variable.
    arguments: Vec<VarId>,
    /// Variables without a role.
    pub others: Vec<VarId>,
}

impl Roles {
    /// Finds a role for as many quantified variables as possible.
    pub fn of(
        terms: &mut Terms,
        definitions: &Definitions,
        params: &[VarId],
        heap: &SymbolicHeap,
    ) -> Roles {
        let mut naming = Naming::new(terms, definitions, params, heap);
        naming.fields(terms, definitions, heap);
        let first_argument = naming.order.len();
        naming.arguments(terms, definitions, heap);
        let mut names = BTreeMap::new();
        let mut arguments = Vec::new();
        for (position, variable) in naming.order.iter().enumerate() {
            let Some(name) = naming.names.get(variable) else {
                continue;
            };
            let sort = terms.variable(*variable).sort;
            let bearer = terms.declare(name.clone(), sort);
            names.insert(*variable, bearer);
            if position >= first_argument {
                arguments.push(bearer);
            }
        }
        let quantified = heap.exists.iter().copied();
        let others = quantified
            .filter(|variable| !names.contains_key(variable))
            .collect();
        Roles {
            names,
            arguments,
            others,
        }
    }

    /// The variables that are called after an argument of an instance.
    pub fn defined_by_instances(&self) -> Vec<VarId> {
        self.arguments.clone()
    }

    /// The heap with the names of the roles.
    pub fn rename(&self, terms: &mut Terms, heap: &SymbolicHeap) -> SymbolicHeap {
        let substitution: Substitution = (self.names.iter())
            .map(|(&old, &new)| (old, terms.var(new)))
            .collect();
        let renamed = |variable: &VarId| *self.names.get(variable).unwrap_or(variable);
        SymbolicHeap {
            exists: heap.exists.iter().map(renamed).collect(),
            ..heap.substitute(terms, &substitution)
        }
    }
}

struct Naming {
    /// Names of quantified variables and of parameters.
    names: BTreeMap<VarId, String>,
    taken: BTreeSet<String>,
    quantified: BTreeSet<VarId>,
    /// Quantified variables with a role, in the order in which they got it.
    order: Vec<VarId>,
}

impl Naming {
    fn new(
        terms: &Terms,
        definitions: &Definitions,
        params: &[VarId],
        heap: &SymbolicHeap,
    ) -> Naming {
        let mut printer = Printer::new(terms, definitions);
        let names: BTreeMap<VarId, String> = (params.iter())
            .map(|&param| (param, printer.variable(param)))
            .collect();
        let taken = names.values().cloned().collect();
        Naming {
            names,
            taken,
            quantified: heap.exists.iter().copied().collect(),
            order: Vec::new(),
        }
    }

    /// Gives a quantified variable without a role a name, if no other has it.
    fn name(&mut self, variable: VarId, name: String) -> bool {
        let nameless = self.quantified.contains(&variable) && !self.names.contains_key(&variable);
        if !nameless || !self.taken.insert(name.clone()) {
            return false;
        }
        self.names.insert(variable, name);
        self.order.push(variable);
        true
    }

    /// Names the contents of fields, from the parameters on.
    fn fields(&mut self, terms: &Terms, definitions: &Definitions, heap: &SymbolicHeap) {
        let mut cells: BTreeMap<VarId, Vec<usize>> = BTreeMap::new();
        for (index, cell) in heap.points_to.iter().enumerate() {
            if let Some(source) = terms.as_var(cell.source) {
                cells.entry(source).or_default().push(index);
            }
        }
        let mut pending: VecDeque<VarId> = self.names.keys().copied().collect();
        // What no path leads to keeps its name, and paths go on from there.
        let mut rest = heap
            .points_to
            .iter()
            .filter_map(|cell| terms.as_var(cell.source));
        loop {
            let Some(source) = pending.pop_front() else {
                match rest.next() {
                    Some(source) => {
                        pending.push_back(source);
                        continue;
                    }
                    None => return,
                }
            };
            let Some(indices) = cells.remove(&source) else {
                continue;
            };
            let own = terms.variable(source).name.clone();
            let path = self.names.get(&source).cloned().unwrap_or(own);
            for cell in indices
                .iter()
                .filter_map(|&index| heap.points_to.get(index))
            {
                let class = definitions.class(cell.class);
                for (field, &value) in class.fields.iter().zip(&cell.fields) {
                    let Some(variable) = terms.as_var(value) else {
                        continue;
                    };
                    let short = path.matches('.').count() < LONGEST_PATH;
                    if short && self.name(variable, format!("{path}.{}", field.name)) {
                        pending.push_back(variable);
                    }
                }
            }
        }
    }

    /// Names numbers after the parameter that they are the argument for.
    fn arguments(&mut self, terms: &Terms, definitions: &Definitions, heap: &SymbolicHeap) {
        for instance in &heap.instances {
            let of = subject(terms, instance)
                .and_then(|position| instance.args.get(position))
                .and_then(|&arg| terms.as_var(arg));
            let Some(of) = of else {
                continue;
            };
            let own = terms.variable(of).name.clone();
            let of = self.names.get(&of).cloned().unwrap_or(own);
            let params = &definitions.predicate(instance.predicate).params;
            for (&param, &arg) in params.iter().zip(&instance.args) {
                let Some(variable) = terms.as_var(arg) else {
                    continue;
                };
                let variable_sort = terms.variable(variable).sort;
                if !matches!(variable_sort, Sort::Ref(_)) {
                    let param = &terms.variable(param).name;
                    self.name(variable, format!("the {param} of {of}"));
                }
            }
        }
    }
}
