//! What a postcondition demands of the result and of fields, whatever else the call leaves behind.
//!
//! A test that asserts it needs to say nothing about the wrong state that shows a violation.

use heapwright_logic::{
    Linear, Loc, Stack, SymbolicHeap, Term, TermId, Terms, Value, VarId, evaluate,
};

use crate::check::oracle::old_value;
use crate::input::Input;
use crate::subject::{Postcondition, Subject};

/// The only result with which the postcondition can hold after a call with this input, if that
/// follows from parameters and old values alone.
pub fn demanded_result(subject: &Subject, input: &Input) -> Option<Value> {
    let contract = subject.postcondition.as_ref()?;
    let result = contract.result?;
    let known = known(contract, input);
    let terms = &subject.terms;
    let mut demanded = None;
    for disjunct in &contract.formula.disjuncts {
        let is_refuted = |result_value: Option<Value>| {
            let value = |variable: VarId| match variable == result {
                true => result_value,
                false => known.get(&variable).copied(),
            };
            let mut pure = disjunct.pure.iter();
            pure.any(|&term| evaluate(terms, term, value) == Ok(Value::Bool(false)))
        };
        if is_refuted(None) {
            continue;
        }
        let mut pure = disjunct.pure.iter();
        let value = pure.find_map(|&term| solved(terms, term, result, &known))?;
        if is_refuted(Some(value)) {
            continue;
        }
        if demanded.is_some_and(|other| other != value) {
            return None;
        }
        demanded = Some(value);
    }
    // What the type of the result has no room for cannot be asserted.
    let sort = subject.program.function(subject.function).result?;
    demanded.filter(|value| value.has_sort(sort))
}

/// What a field of an object of the input has to hold after the call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Demand {
    /// The object.
    pub object: Loc,
    /// The position of the field in its class.
    pub field: usize,
    /// What is in it.
    pub value: Value,
}

/// The fields of objects of the input whose contents the postcondition fixes, as far as that follows
/// from parameters and old values alone: in every case that these do not rule out, a cell at a known
/// address holds a known value.
pub fn demanded_fields(subject: &Subject, input: &Input) -> Vec<Demand> {
    let Some(contract) = &subject.postcondition else {
        return Vec::new();
    };
    let given = known(contract, input);
    let mut demanded: Option<Vec<Demand>> = None;
    for disjunct in &contract.formula.disjuncts {
        let Some(found) = demands_of(subject, disjunct, given.clone(), input) else {
            continue;
        };
        demanded = Some(match demanded {
            None => found,
            Some(mut known) => {
                known.retain(|demand| found.contains(demand));
                known
            }
        });
    }
    demanded.unwrap_or_default()
}

/// What one disjunct demands; `None` if it does not hold whatever the call leaves behind.
fn demands_of(
    subject: &Subject,
    disjunct: &SymbolicHeap,
    mut known: Stack,
    input: &Input,
) -> Option<Vec<Demand>> {
    let terms = &subject.terms;
    // Every round but the last learns a variable.
    loop {
        let unknown = disjunct
            .exists
            .iter()
            .filter(|name| !known.contains_key(*name));
        let learnt = unknown.copied().find_map(|variable| {
            let mut pure = disjunct.pure.iter();
            let value = pure.find_map(|&term| solved(terms, term, variable, &known))?;
            Some((variable, value))
        });
        match learnt {
            Some((variable, value)) => drop(known.insert(variable, value)),
            None => break,
        }
    }
    let value = |term: TermId| evaluate(terms, term, |variable| known.get(&variable).copied());
    let mut pure = disjunct.pure.iter();
    if pure.any(|&term| value(term) == Ok(Value::Bool(false))) {
        return None;
    }
    let mut found = Vec::new();
    for cell in &disjunct.points_to {
        let Ok(Value::Ref(object)) = value(cell.source) else {
            continue;
        };
        if !input.heap.cells.contains_key(&object) {
            continue;
        }
        let sorts = &subject.definitions.class(cell.class).fields;
        for ((field, &term), declared) in cell.fields.iter().enumerate().zip(sorts) {
            let is_named = |value: &Value| match value {
                Value::Null | Value::Bool(_) | Value::Int(_) => true,
                Value::Ref(loc) => input.heap.cells.contains_key(loc),
                Value::Single(_) | Value::Double(_) => false,
            };
            let demanded = value(term).ok().filter(is_named);
            found.extend(
                demanded
                    .filter(|value| value.has_sort(declared.sort))
                    .map(|value| Demand {
                        object,
                        field,
                        value,
                    }),
            );
        }
    }
    Some(found)
}

fn known(contract: &Postcondition, input: &Input) -> Stack {
    let parameters = contract.params.iter().zip(&input.arguments);
    let parameters = parameters.filter_map(|(variable, &value)| Some(((*variable)?, value)));
    let old = contract.old.iter();
    let old = old.filter_map(|old| Some((old.variable, old_value(input, old)?)));
    parameters.chain(old).collect()
}

/// The value of a variable with which a conjunct holds, if it is an equation for it.
fn solved(terms: &Terms, term: TermId, variable: VarId, known: &Stack) -> Option<Value> {
    let is_it = |term: TermId| terms.as_var(term) == Some(variable);
    let value = |term: TermId| {
        let value = evaluate(terms, term, |variable| known.get(&variable).copied());
        value.ok()
    };
    match terms.get(term) {
        Term::Var(_) if is_it(term) => Some(Value::Bool(true)),
        Term::Not(inner) if is_it(*inner) => Some(Value::Bool(false)),
        Term::Eq(a, b) if is_it(*a) => value(*b),
        Term::Eq(a, b) if is_it(*b) => value(*a),
        Term::IsZero(linear) => {
            let Linear { constant, summands } = linear;
            let (mut sum, mut coefficient) = (*constant, 0_i128);
            for &(summand, factor) in summands {
                if is_it(summand) {
                    coefficient = factor;
                    continue;
                }
                let Value::Int(number) = value(summand)? else {
                    return None;
                };
                sum = sum.checked_add(number.checked_mul(factor)?)?;
            }
            let is_whole = coefficient != 0 && sum.checked_rem(coefficient)? == 0;
            let quotient = is_whole.then(|| sum.checked_div(coefficient))??;
            Some(Value::Int(quotient.checked_neg()?))
        }
        _ => None,
    }
}
