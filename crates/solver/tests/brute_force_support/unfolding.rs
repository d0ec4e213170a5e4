//! Models by unfolding: all derivations with few steps, and for each of them all values.
//!
//! A derivation unfolds to cells and conditions over variables. The cells get one place each,
//! and the variables all values of a small domain. Whatever is found is a model; what is not
//! found may still exist with more steps or other numbers.

use std::ops::ControlFlow;

use super::semantics::{self, Heap, Value};
use super::system::*;

/// How far to look.
#[derive(Clone, Debug)]
pub struct Bounds {
    pub cells: usize,
    /// Instances unfolded.
    pub steps: usize,
    /// Values of integer variables.
    pub integers: Vec<i64>,
    /// Partial assignments tried per derivation.
    pub assignments: usize,
    /// Derivations tried.
    pub derivations: usize,
}

/// A model of the question: values of its free variables, and a heap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    pub stack: Vec<Value>,
    pub heap: Heap,
}

/// What is left of the question after unfolding: variables, cells, conditions, and instances
/// that are still to be unfolded.
#[derive(Clone, Default)]
struct Flat {
    sorts: Vec<Sort>,
    cells: Vec<Points>,
    pure: Vec<Condition>,
    /// Numbers that have to be in the range of a sort.
    ranges: Vec<(Number, Sort)>,
    calls: Vec<Call>,
    steps: usize,
}

/// How the search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The visitor had enough.
    Stopped,
    /// Everything within the bounds was seen. `cut` says whether derivations with more steps
    /// (but not too many cells) exist.
    Complete { cut: bool },
    /// The budget ran out.
    Budget,
}

/// Calls `visit` with the models found, those with short derivations first.
pub fn models(
    system: &System,
    bounds: &Bounds,
    visit: &mut dyn FnMut(Found) -> ControlFlow<()>,
) -> End {
    let free = &system.question.params;
    let mut layer: Vec<Flat> = Vec::new();
    for disjunct in &system.question.disjuncts {
        let mut flat = Flat {
            sorts: free.clone(),
            ..Flat::default()
        };
        let arguments = (free.iter().enumerate())
            .map(|(variable, sort)| match sort {
                Sort::Ref(_) => Operand::Reference(Reference::Var(variable)),
                _ => Operand::Number(Number::Var(variable)),
            })
            .collect();
        flat.add(system, disjunct, arguments);
        layer.push(flat);
    }
    let mut tried = 0;
    let mut exhausted = false;
    // Breadth first, so that short derivations are seen first.
    for step in 0..=bounds.steps {
        let mut next = Vec::new();
        for flat in &layer {
            tried += 1;
            if tried > bounds.derivations {
                return End::Budget;
            }
            if flat.cells.len() > bounds.cells || !flat.may_hold() {
                continue;
            }
            let Some(call) = flat.calls.first() else {
                match flat.solve(free.len(), bounds, visit) {
                    Solved::Stopped => return End::Stopped,
                    Solved::Budget => exhausted = true,
                    Solved::All => {}
                }
                continue;
            };
            for disjunct in &system.predicates[call.predicate].disjuncts {
                let mut unfolded = flat.clone();
                let call = unfolded.calls.remove(0);
                let params = &system.predicates[call.predicate].params;
                for (&sort, arg) in params.iter().zip(&call.args) {
                    if let Operand::Number(number) = arg {
                        unfolded.ranges.push((number.clone(), sort));
                    }
                }
                unfolded.add(system, disjunct, call.args);
                unfolded.steps += 1;
                next.push(unfolded);
            }
        }
        layer = next;
        if layer.is_empty() {
            break;
        }
        if step == bounds.steps {
            layer.retain(|flat| flat.cells.len() <= bounds.cells && flat.may_hold());
        }
    }
    match exhausted {
        true => End::Budget,
        false => End::Complete {
            cut: !layer.is_empty(),
        },
    }
}

enum Solved {
    All,
    Stopped,
    Budget,
}

impl Flat {
    /// Adds a disjunct with its parameters replaced and its quantified variables renamed.
    fn add(&mut self, system: &System, disjunct: &Disjunct, mut arguments: Vec<Operand>) {
        for &sort in &disjunct.exists {
            arguments.push(match sort {
                Sort::Ref(_) => Operand::Reference(Reference::Var(self.sorts.len())),
                _ => Operand::Number(Number::Var(self.sorts.len())),
            });
            self.sorts.push(sort);
        }
        let rename = Renaming(&arguments);
        for cell in &disjunct.cells {
            for (field, &sort) in cell.fields.iter().zip(&system.classes[cell.class]) {
                if let Operand::Number(number) = rename.operand(field) {
                    self.ranges.push((number, sort));
                }
            }
            self.cells.push(Points {
                source: rename.reference(cell.source),
                class: cell.class,
                fields: cell.fields.iter().map(|f| rename.operand(f)).collect(),
            });
        }
        for call in &disjunct.calls {
            self.calls.push(Call {
                predicate: call.predicate,
                args: call.args.iter().map(|arg| rename.operand(arg)).collect(),
            });
        }
        self.pure
            .extend(disjunct.pure.iter().map(|c| rename.condition(c)));
    }

    /// Whether two cells are not at the same variable or at null: a cheap way to see early that
    /// unfolding further is in vain.
    fn may_hold(&self) -> bool {
        (self.cells.iter().enumerate()).all(|(index, cell)| {
            cell.source != Reference::Null
                && self.cells[..index]
                    .iter()
                    .all(|other| other.source != cell.source)
        })
    }

    fn solve(
        &self,
        free: usize,
        bounds: &Bounds,
        visit: &mut dyn FnMut(Found) -> ControlFlow<()>,
    ) -> Solved {
        let mut values = vec![None; self.sorts.len()];
        for (index, cell) in self.cells.iter().enumerate() {
            let Reference::Var(variable) = cell.source else {
                return Solved::All;
            };
            if values[variable].is_some() || self.sorts[variable] != Sort::Ref(cell.class) {
                return Solved::All;
            }
            values[variable] = Some(Value::Cell(index));
        }
        // References first; then numbers in the order in which conditions mention them.
        let mut order: Vec<Var> = (0..self.sorts.len())
            .filter(|&v| self.sorts[v].is_ref() && values[v].is_none())
            .collect();
        let mut mentioned = Vec::new();
        for condition in &self.pure {
            condition_variables(condition, &mut mentioned);
        }
        mentioned.extend(0..self.sorts.len());
        for variable in mentioned {
            if !self.sorts[variable].is_ref() && !order.contains(&variable) {
                order.push(variable);
            }
        }
        let mut search = Assignments {
            flat: self,
            bounds,
            free,
            order,
            values,
            dangling: 0,
            budget: bounds.assignments,
            visit,
        };
        if !search.consistent() {
            return Solved::All;
        }
        match search.assign(0) {
            ControlFlow::Continue(()) => Solved::All,
            ControlFlow::Break(reason) => reason,
        }
    }
}

struct Assignments<'a> {
    flat: &'a Flat,
    bounds: &'a Bounds,
    free: usize,
    order: Vec<Var>,
    values: Vec<Option<Value>>,
    /// Dangling references in use.
    dangling: usize,
    budget: usize,
    visit: &'a mut dyn FnMut(Found) -> ControlFlow<()>,
}

impl Assignments<'_> {
    fn assign(&mut self, position: usize) -> ControlFlow<Solved> {
        let Some(&variable) = self.order.get(position) else {
            return match self.complete() {
                ControlFlow::Continue(()) => ControlFlow::Continue(()),
                ControlFlow::Break(()) => ControlFlow::Break(Solved::Stopped),
            };
        };
        let sort = self.flat.sorts[variable];
        let domain: Vec<Value> = match sort {
            Sort::Ref(class) => {
                let cells = (self.flat.cells.iter().enumerate())
                    .filter(|(_, cell)| cell.class == class)
                    .map(|(index, _)| Value::Cell(index));
                // Dangling references are taken in order: their names do not matter.
                let dangling = (0..=self.dangling).map(Value::Dangling);
                [Value::Null]
                    .into_iter()
                    .chain(cells)
                    .chain(dangling)
                    .collect()
            }
            _ => {
                let (least, greatest) = sort.range();
                (self.bounds.integers.iter())
                    .filter(|value| (least..=greatest).contains(value))
                    .map(|&value| Value::Int(value))
                    .collect()
            }
        };
        let dangling = self.dangling;
        for value in domain {
            if self.budget == 0 {
                return ControlFlow::Break(Solved::Budget);
            }
            self.budget -= 1;
            self.values[variable] = Some(value);
            if value == Value::Dangling(dangling) {
                self.dangling = dangling + 1;
            }
            if self.consistent() {
                self.assign(position + 1)?;
            }
            self.dangling = dangling;
        }
        self.values[variable] = None;
        ControlFlow::Continue(())
    }

    /// Whether no condition is false yet.
    fn consistent(&self) -> bool {
        let in_range = |number: &Number, sort: Sort| {
            let (least, greatest) = sort.range();
            semantics::number(number, &self.values)
                .is_none_or(|value| (least..=greatest).contains(&value))
        };
        (self.flat.pure.iter()).all(|c| semantics::condition(c, &self.values) != Some(false))
            && (self.flat.ranges.iter()).all(|(number, sort)| in_range(number, *sort))
    }

    fn complete(&mut self) -> ControlFlow<()> {
        let read = |operand| semantics::operand(operand, &self.values).expect("all have values");
        let heap = Heap {
            cells: (self.flat.cells.iter())
                .map(|cell| (cell.class, cell.fields.iter().map(read).collect()))
                .collect(),
        };
        let stack = (0..self.free)
            .map(|v| self.values[v].expect("a value"))
            .collect();
        (self.visit)(Found { stack, heap })
    }
}

fn condition_variables(condition: &Condition, into: &mut Vec<Var>) {
    match condition {
        Condition::Same(..) | Condition::Differ(..) => {}
        Condition::Compare(_, a, b) => {
            number_variables(a, into);
            number_variables(b, into);
        }
        Condition::Or(list) => list.iter().for_each(|c| condition_variables(c, into)),
    }
}

fn number_variables(number: &Number, into: &mut Vec<Var>) {
    match number {
        Number::Const(_) => {}
        Number::Var(variable) => into.push(*variable),
        Number::Add(a, b) | Number::Sub(a, b) | Number::Max(a, b) => {
            number_variables(a, into);
            number_variables(b, into);
        }
        Number::Ite(condition, a, b) => {
            condition_variables(condition, into);
            number_variables(a, into);
            number_variables(b, into);
        }
    }
}

/// Replaces the variables of a disjunct.
struct Renaming<'a>(&'a [Operand]);

impl Renaming<'_> {
    fn reference(&self, reference: Reference) -> Reference {
        match reference {
            Reference::Null => Reference::Null,
            Reference::Var(variable) => match self.0[variable] {
                Operand::Reference(reference) => reference,
                Operand::Number(_) => unreachable!("the sorts agree"),
            },
        }
    }

    fn number(&self, number: &Number) -> Number {
        let rename = |n: &Number| Box::new(self.number(n));
        match number {
            Number::Const(value) => Number::Const(*value),
            Number::Var(variable) => match &self.0[*variable] {
                Operand::Number(number) => number.clone(),
                Operand::Reference(_) => unreachable!("the sorts agree"),
            },
            Number::Add(a, b) => Number::Add(rename(a), rename(b)),
            Number::Sub(a, b) => Number::Sub(rename(a), rename(b)),
            Number::Max(a, b) => Number::Max(rename(a), rename(b)),
            Number::Ite(c, a, b) => Number::Ite(Box::new(self.condition(c)), rename(a), rename(b)),
        }
    }

    fn operand(&self, operand: &Operand) -> Operand {
        match operand {
            Operand::Reference(reference) => Operand::Reference(self.reference(*reference)),
            Operand::Number(number) => Operand::Number(self.number(number)),
        }
    }

    fn condition(&self, condition: &Condition) -> Condition {
        match condition {
            Condition::Same(a, b) => Condition::Same(self.reference(*a), self.reference(*b)),
            Condition::Differ(a, b) => Condition::Differ(self.reference(*a), self.reference(*b)),
            Condition::Compare(comparison, a, b) => {
                Condition::Compare(*comparison, self.number(a), self.number(b))
            }
            Condition::Or(list) => Condition::Or(list.iter().map(|c| self.condition(c)).collect()),
        }
    }
}
