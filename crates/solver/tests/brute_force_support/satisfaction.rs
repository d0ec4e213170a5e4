//! Does this heap satisfy the question? By the definition: the least fixed point of the
//! predicates over one heap, with every value of a finite domain tried for every variable.

use std::collections::HashMap;

use super::semantics::{self, Heap, Value};
use super::system::*;

/// A predicate, the values of its parameters, and the set of cells that it should describe.
type Goal = (usize, Vec<Value>, u32);

/// The checker for one heap.
pub struct Checker<'a> {
    system: &'a System,
    heap: &'a Heap,
    references: Vec<Value>,
    integers: Vec<i64>,
    /// What is known of the goals that were asked for: false until shown to be true.
    table: HashMap<Goal, bool>,
    order: Vec<Goal>,
    budget: usize,
}

impl<'a> Checker<'a> {
    /// A checker in which references range over null, the cells and `dangling` others, and
    /// numbers over `integers`.
    pub fn new(
        system: &'a System,
        heap: &'a Heap,
        dangling: usize,
        integers: &[i64],
        budget: usize,
    ) -> Self {
        let cells = (0..heap.cells.len()).map(Value::Cell);
        let outside = (0..dangling).map(Value::Dangling);
        Checker {
            system,
            heap,
            references: [Value::Null]
                .into_iter()
                .chain(cells)
                .chain(outside)
                .collect(),
            integers: integers.to_vec(),
            table: HashMap::new(),
            order: Vec::new(),
            budget,
        }
    }

    /// Whether the heap satisfies the question; nothing if the budget ran out.
    pub fn holds(&mut self, stack: &[Value]) -> Option<bool> {
        let free = &self.system.question.params;
        let well_sorted = (free.iter().zip(stack)).all(|(&s, &v)| self.heap.allows(s, v));
        if !well_sorted {
            return Some(false);
        }
        let all = (1u32 << self.heap.cells.len()) - 1;
        loop {
            if self.derivable(&self.system.question, stack, all)? {
                return Some(true);
            }
            if !self.iterate()? {
                return Some(false);
            }
        }
    }

    /// One round of the fixed point; whether anything changed, new goals included.
    fn iterate(&mut self) -> Option<bool> {
        let mut changed = false;
        let known = self.order.len();
        let mut index = 0;
        while index < self.order.len() {
            let goal = self.order[index].clone();
            index += 1;
            if !self.table[&goal] {
                let predicate = &self.system.predicates[goal.0];
                if self.derivable(predicate, &goal.1, goal.2)? {
                    self.table.insert(goal, true);
                    changed = true;
                }
            }
        }
        Some(changed || self.order.len() > known)
    }

    fn derivable(&mut self, predicate: &Predicate, args: &[Value], cells: u32) -> Option<bool> {
        for disjunct in &predicate.disjuncts {
            let sorts = [&predicate.params[..], &disjunct.exists].concat();
            let mut values: Vec<Option<Value>> = args.iter().copied().map(Some).collect();
            values.resize(sorts.len(), None);
            if self.disjunct_holds(disjunct, &sorts, values, cells)? {
                return Some(true);
            }
        }
        Some(false)
    }

    fn disjunct_holds(
        &mut self,
        disjunct: &Disjunct,
        sorts: &[Sort],
        mut values: Vec<Option<Value>>,
        cells: u32,
    ) -> Option<bool> {
        self.budget = self.budget.checked_sub(1)?;
        if !self.read_cells(disjunct, sorts, &mut values, cells)
            || (disjunct.pure.iter()).any(|c| semantics::condition(c, &values) == Some(false))
        {
            return Some(false);
        }
        let Some(variable) = values.iter().position(Option::is_none) else {
            return self.with_values(disjunct, &values, cells);
        };
        let domain: Vec<Value> = match sorts[variable] {
            Sort::Ref(_) => self.references.clone(),
            _ => self
                .integers
                .iter()
                .map(|&value| Value::Int(value))
                .collect(),
        };
        for value in domain {
            if self.heap.allows(sorts[variable], value) {
                let mut extended = values.clone();
                extended[variable] = Some(value);
                if self.disjunct_holds(disjunct, sorts, extended, cells)? {
                    return Some(true);
                }
            }
        }
        Some(false)
    }

    /// Variables that are fields of cells with a known place have the values found there.
    /// False if a cell is not as described.
    fn read_cells(
        &self,
        disjunct: &Disjunct,
        sorts: &[Sort],
        values: &mut [Option<Value>],
        cells: u32,
    ) -> bool {
        loop {
            let mut changed = false;
            for cell in &disjunct.cells {
                let Some(source) = semantics::reference(cell.source, values) else {
                    continue;
                };
                let Value::Cell(index) = source else {
                    return false;
                };
                let (class, fields) = &self.heap.cells[index];
                if cells >> index & 1 == 0 || *class != cell.class {
                    return false;
                }
                for (operand, &content) in cell.fields.iter().zip(fields) {
                    match (semantics::operand(operand, values), operand) {
                        (Some(value), _) if value != content => return false,
                        (Some(_), _) => {}
                        (None, Operand::Reference(Reference::Var(variable)))
                        | (None, Operand::Number(Number::Var(variable))) => {
                            if !self.heap.allows(sorts[*variable], content) {
                                return false;
                            }
                            values[*variable] = Some(content);
                            changed = true;
                        }
                        (None, _) => {}
                    }
                }
            }
            if !changed {
                return true;
            }
        }
    }

    fn with_values(
        &mut self,
        disjunct: &Disjunct,
        values: &[Option<Value>],
        cells: u32,
    ) -> Option<bool> {
        let mut rest = cells;
        for cell in &disjunct.cells {
            // The cell was compared before; here it is taken away, and can be only once.
            match semantics::reference(cell.source, values) {
                Some(Value::Cell(index)) if rest >> index & 1 == 1 => rest &= !(1 << index),
                _ => return Some(false),
            }
        }
        let mut goals = Vec::new();
        for call in &disjunct.calls {
            let params = &self.system.predicates[call.predicate].params;
            let mut args = Vec::new();
            for (&sort, arg) in params.iter().zip(&call.args) {
                match semantics::operand(arg, values) {
                    Some(value) if self.heap.allows(sort, value) => args.push(value),
                    _ => return Some(false),
                }
            }
            goals.push((call.predicate, args));
        }
        self.split(&goals, rest)
    }

    /// Whether the cells can be divided among the goals.
    fn split(&mut self, goals: &[(usize, Vec<Value>)], cells: u32) -> Option<bool> {
        self.budget = self.budget.checked_sub(1)?;
        let Some(((predicate, args), others)) = goals.split_first() else {
            return Some(cells == 0);
        };
        let mut part = cells;
        loop {
            // Subsets of `cells`, the largest first; all of it where nobody else needs any.
            let goal = (*predicate, args.clone(), part);
            let holds = match self.table.get(&goal) {
                Some(&known) => known,
                None => {
                    self.table.insert(goal.clone(), false);
                    self.order.push(goal);
                    false
                }
            };
            if holds && self.split(others, cells & !part)? {
                return Some(true);
            }
            if part == 0 || others.is_empty() {
                return Some(false);
            }
            part = (part - 1) & cells;
        }
    }
}
