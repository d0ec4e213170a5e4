//! Smaller systems that still fail: parts are left out as long as the failure stays.

use super::system::*;

/// Leaves out what is not needed for `fails`.
pub fn shrink(system: &System, fails: &mut dyn FnMut(&System) -> bool) -> System {
    let mut smallest = system.clone();
    loop {
        let smaller = candidates(&smallest).into_iter().find(|c| fails(c));
        match smaller {
            Some(system) => smallest = system,
            None => return smallest,
        }
    }
}

/// All systems with one part less.
fn candidates(system: &System) -> Vec<System> {
    let mut found = Vec::new();
    for predicate in 0..=system.predicates.len() {
        let disjuncts = of(system, predicate).disjuncts.len();
        for disjunct in 0..disjuncts {
            if disjuncts > 1 {
                found.push(edit(system, predicate, |p| {
                    p.disjuncts.remove(disjunct);
                }));
            }
            let parts = &of(system, predicate).disjuncts[disjunct];
            for index in 0..parts.calls.len() {
                found.push(edit(system, predicate, |p| {
                    p.disjuncts[disjunct].calls.remove(index);
                }));
            }
            for index in 0..parts.cells.len() {
                found.push(edit(system, predicate, |p| {
                    p.disjuncts[disjunct].cells.remove(index);
                }));
            }
            for (index, condition) in parts.pure.iter().enumerate() {
                found.push(edit(system, predicate, |p| {
                    p.disjuncts[disjunct].pure.remove(index);
                }));
                for simpler in simpler_conditions(condition) {
                    found.push(edit(system, predicate, |p| {
                        p.disjuncts[disjunct].pure[index] = simpler;
                    }));
                }
            }
            let params = of(system, predicate).params.len();
            for variable in params..params + parts.exists.len() {
                if let Some(without) = without_quantified(parts, params, variable) {
                    found.push(edit(system, predicate, |p| {
                        p.disjuncts[disjunct] = without;
                    }));
                }
            }
        }
        for param in 0..of(system, predicate).params.len() {
            found.extend(without_param(system, predicate, param));
        }
    }
    found
}

/// A predicate; the one after the last is the question.
fn of(system: &System, predicate: usize) -> &Predicate {
    system.predicates.get(predicate).unwrap_or(&system.question)
}

fn edit(system: &System, predicate: usize, change: impl FnOnce(&mut Predicate)) -> System {
    let mut changed = system.clone();
    match changed.predicates.get_mut(predicate) {
        Some(predicate) => change(predicate),
        None => change(&mut changed.question),
    }
    changed
}

fn simpler_conditions(condition: &Condition) -> Vec<Condition> {
    match condition {
        Condition::Or(list) => list.clone(),
        Condition::Compare(comparison, a, b) => {
            let left = simpler_numbers(a).into_iter().map(|a| (a, b.clone()));
            let right = simpler_numbers(b).into_iter().map(|b| (a.clone(), b));
            left.chain(right)
                .map(|(a, b)| Condition::Compare(*comparison, a, b))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn simpler_numbers(number: &Number) -> Vec<Number> {
    match number {
        Number::Const(_) | Number::Var(_) => Vec::new(),
        Number::Add(a, b) | Number::Sub(a, b) | Number::Max(a, b) | Number::Ite(_, a, b) => {
            vec![(**a).clone(), (**b).clone()]
        }
    }
}

/// The disjunct without a quantified variable that it does not use.
fn without_quantified(disjunct: &Disjunct, params: usize, variable: Var) -> Option<Disjunct> {
    let mut changed = disjunct.clone();
    changed.exists.remove(variable - params);
    renumber(&mut changed, variable).then_some(changed)
}

/// The system without a parameter that its predicate does not use.
fn without_param(system: &System, predicate: usize, param: usize) -> Option<System> {
    let mut changed = system.clone();
    let is_question = predicate == system.predicates.len();
    let edited = match changed.predicates.get_mut(predicate) {
        Some(edited) => edited,
        None => &mut changed.question,
    };
    if edited.params.len() == 1 {
        return None;
    }
    edited.params.remove(param);
    // Calls of the predicate itself lose the argument first, so that they do not count as uses.
    if !is_question {
        let all = changed.predicates.iter_mut().chain([&mut changed.question]);
        for call in all
            .flat_map(|p| &mut p.disjuncts)
            .flat_map(|d| &mut d.calls)
        {
            if call.predicate == predicate {
                call.args.remove(param);
            }
        }
    }
    let edited = match changed.predicates.get_mut(predicate) {
        Some(edited) => edited,
        None => &mut changed.question,
    };
    let unused = edited
        .disjuncts
        .iter_mut()
        .all(|disjunct| renumber(disjunct, param));
    unused.then_some(changed)
}

/// Closes the gap that a removed variable leaves; false if the variable was used.
fn renumber(disjunct: &mut Disjunct, removed: Var) -> bool {
    let mut renumbering = Renumbering {
        removed,
        used: false,
    };
    for cell in &mut disjunct.cells {
        renumbering.reference(&mut cell.source);
        cell.fields
            .iter_mut()
            .for_each(|field| renumbering.operand(field));
    }
    for call in &mut disjunct.calls {
        call.args
            .iter_mut()
            .for_each(|arg| renumbering.operand(arg));
    }
    for condition in &mut disjunct.pure {
        renumbering.condition(condition);
    }
    !renumbering.used
}

struct Renumbering {
    removed: Var,
    used: bool,
}

impl Renumbering {
    fn variable(&mut self, variable: &mut Var) {
        self.used |= *variable == self.removed;
        if *variable > self.removed {
            *variable -= 1;
        }
    }

    fn reference(&mut self, reference: &mut Reference) {
        if let Reference::Var(variable) = reference {
            self.variable(variable);
        }
    }

    fn operand(&mut self, operand: &mut Operand) {
        match operand {
            Operand::Reference(reference) => self.reference(reference),
            Operand::Number(number) => self.number(number),
        }
    }

    fn number(&mut self, number: &mut Number) {
        match number {
            Number::Const(_) => {}
            Number::Var(variable) => self.variable(variable),
            Number::Add(a, b) | Number::Sub(a, b) | Number::Max(a, b) => {
                self.number(a);
                self.number(b);
            }
            Number::Ite(condition, a, b) => {
                self.condition(condition);
                self.number(a);
                self.number(b);
            }
        }
    }

    fn condition(&mut self, condition: &mut Condition) {
        match condition {
            Condition::Same(a, b) | Condition::Differ(a, b) => {
                self.reference(a);
                self.reference(b);
            }
            Condition::Compare(_, a, b) => {
                self.number(a);
                self.number(b);
            }
            Condition::Or(list) => list.iter_mut().for_each(|c| self.condition(c)),
        }
    }
}
