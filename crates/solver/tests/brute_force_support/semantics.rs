//! Values, heaps, and the meaning of pure conditions.

use super::system::*;

/// A value. Cells are named by their position in the heap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    Null,
    Cell(usize),
    Dangling(usize),
    Int(i64),
}

/// A heap: class and fields of each cell.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Heap {
    pub cells: Vec<(usize, Vec<Value>)>,
}

impl Heap {
    /// Whether a value may be held by a variable of this sort.
    pub fn allows(&self, sort: Sort, value: Value) -> bool {
        match (sort, value) {
            (Sort::Ref(_), Value::Null | Value::Dangling(_)) => true,
            (Sort::Ref(class), Value::Cell(cell)) => self.cells[cell].0 == class,
            (Sort::Ref(_), Value::Int(_)) => false,
            (sort, Value::Int(value)) => {
                let (least, greatest) = sort.range();
                (least..=greatest).contains(&value)
            }
            _ => false,
        }
    }
}

/// Values of variables, as far as they are known.
pub type Values = [Option<Value>];

pub fn reference(reference: Reference, values: &Values) -> Option<Value> {
    match reference {
        Reference::Null => Some(Value::Null),
        Reference::Var(variable) => values[variable],
    }
}

pub fn number(number: &Number, values: &Values) -> Option<i64> {
    Some(match number {
        Number::Const(value) => *value,
        Number::Var(variable) => match values[*variable]? {
            Value::Int(value) => value,
            _ => return None,
        },
        Number::Add(a, b) => self::number(a, values)? + self::number(b, values)?,
        Number::Sub(a, b) => self::number(a, values)? - self::number(b, values)?,
        Number::Max(a, b) => self::number(a, values)?.max(self::number(b, values)?),
        Number::Ite(c, a, b) => match condition(c, values)? {
            true => self::number(a, values)?,
            false => self::number(b, values)?,
        },
    })
}

pub fn operand(operand: &Operand, values: &Values) -> Option<Value> {
    match operand {
        Operand::Reference(r) => reference(*r, values),
        Operand::Number(n) => number(n, values).map(Value::Int),
    }
}

/// The truth value, if what is known decides it.
pub fn condition(condition: &Condition, values: &Values) -> Option<bool> {
    match condition {
        Condition::Same(a, b) => Some(reference(*a, values)? == reference(*b, values)?),
        Condition::Differ(a, b) => Some(reference(*a, values)? != reference(*b, values)?),
        Condition::Compare(comparison, a, b) => {
            let (a, b) = (number(a, values)?, number(b, values)?);
            Some(match comparison {
                Comparison::Equal => a == b,
                Comparison::Different => a != b,
                Comparison::Less => a < b,
                Comparison::AtMost => a <= b,
            })
        }
        Condition::Or(list) => {
            let mut all_known = true;
            for alternative in list {
                match self::condition(alternative, values) {
                    Some(true) => return Some(true),
                    Some(false) => {}
                    None => all_known = false,
                }
            }
            all_known.then_some(false)
        }
    }
}
