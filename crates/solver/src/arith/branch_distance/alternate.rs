//! The alternating variable method (Korel 1990).
//!
//! One variable at a time is moved by a small step; while that brings the question nearer to
//! holding, the steps are doubled. Where no variable helps any more, the favourite values are
//! tried, and then the search starts again elsewhere: from random values, or from the best ones
//! found so far with a few of them changed.

use std::cell::Cell;

use heapwright_logic::{Deadline, FloatType, Sort, Value};

use super::seeds::{Random, favourites, float, integer, step_float};
use super::tape::Tape;

/// Evaluations between two looks at the deadline.
const EVALUATIONS_PER_LOOK: u64 = 64;

/// How a variable is moved.
#[derive(Clone, Copy)]
enum Unit {
    /// An integer by so much.
    Whole(i64),
    /// A float by an amount.
    Amount(f64),
    /// A float by a number of representable values.
    Values(i64),
}

/// Steps of more than one lead across plateaus, such as those of rounding.
const INTEGER_UNITS: [Unit; 5] = [
    Unit::Whole(1),
    Unit::Whole(4),
    Unit::Whole(16),
    Unit::Whole(256),
    Unit::Whole(65536),
];
/// Coarse and fine: amounts for numbers of everyday size, whole values for the last places.
const FLOAT_UNITS: [Unit; 6] = [
    Unit::Amount(1.0),
    Unit::Values(1 << 52),
    Unit::Amount(0.015625),
    Unit::Values(1 << 36),
    Unit::Values(1 << 16),
    Unit::Values(1),
];
/// The same for binary32, whose significands are shorter.
const SINGLE_UNITS: [Unit; 4] = [
    Unit::Amount(1.0),
    Unit::Values(1 << 23),
    Unit::Amount(0.015625),
    Unit::Values(1),
];

/// Searches for values under which a question holds.
pub struct Search<'a> {
    /// The question; after a success it has the values found.
    pub tape: &'a mut Tape,
    favourites: Vec<Vec<Value>>,
    random: Random,
    /// The number of evaluations at which the search ends.
    limit: u64,
    /// The nearest that the search came, with the values.
    best: (f64, Vec<Value>),
    deadline: Deadline,
    /// The number of evaluations at which the deadline is looked at next.
    look: Cell<u64>,
}

impl<'a> Search<'a> {
    /// A search that evaluates the question at most about `evaluations` times.
    pub fn new(tape: &'a mut Tape, evaluations: u64) -> Self {
        let unknowns = tape.unknowns.iter();
        let favourites: Vec<_> = unknowns
            .map(|unknown| favourites(unknown.sort, &tape.constants))
            .collect();
        let limit = tape.evaluations.saturating_add(evaluations);
        Search {
            tape,
            favourites,
            random: Random::new(),
            limit,
            best: (f64::INFINITY, Vec::new()),
            deadline: Deadline::NEVER,
            look: Cell::new(0),
        }
    }

    /// Gives up at a deadline.
    pub fn until(mut self, deadline: &Deadline) -> Self {
        self.deadline = deadline.clone();
        self
    }

    /// Starts from the given values, then from others; whether the question holds in the end.
    pub fn run(&mut self, starts: &[Vec<Value>]) -> bool {
        for start in starts {
            if self.from(start) {
                return true;
            }
        }
        if self.tape.unknowns.is_empty() {
            return self.tape.distance() == 0.0;
        }
        for round in 0u64.. {
            if self.exhausted() {
                break;
            }
            let start = if round % 3 == 0 || self.best.1.is_empty() {
                self.anywhere()
            } else {
                self.near_best()
            };
            if self.from(&start) {
                return true;
            }
        }
        false
    }

    fn exhausted(&self) -> bool {
        let evaluations = self.tape.evaluations;
        if evaluations >= self.look.get() {
            let next = match self.deadline.is_over() {
                // From here on it is over at every look.
                true => 0,
                false => evaluations + EVALUATIONS_PER_LOOK,
            };
            self.look.set(next);
        }
        evaluations >= self.limit || self.look.get() == 0
    }

    fn from(&mut self, start: &[Value]) -> bool {
        self.tape.set_all(start);
        let reached = self.descend();
        if reached < self.best.0 {
            self.best = (reached, self.tape.values());
        }
        reached == 0.0
    }

    /// Random values for all variables.
    fn anywhere(&mut self) -> Vec<Value> {
        let mut values = Vec::with_capacity(self.favourites.len());
        for (unknown, favourites) in self.tape.unknowns.iter().zip(&self.favourites) {
            values.push(self.random.value(unknown.sort, favourites));
        }
        values
    }

    /// The best values, some of those that matter replaced by random ones.
    fn near_best(&mut self) -> Vec<Value> {
        let mut values = self.best.1.clone();
        self.tape.set_all(&values);
        let open: Vec<usize> = (0..values.len())
            .filter(|&unknown| self.tape.matters(unknown))
            .collect();
        for _ in 0..=self.random.below(3) {
            let index = self.random.below(open.len() as u64) as usize;
            let Some(&unknown) = open.get(index) else {
                break;
            };
            let (Some(place), Some(favourites), Some(sort)) = (
                values.get_mut(unknown),
                self.favourites.get(unknown),
                self.tape.unknowns.get(unknown).map(|unknown| unknown.sort),
            ) else {
                break;
            };
            *place = self.random.value(sort, favourites);
        }
        values
    }

    /// Improves the present values until nothing helps; the distance that is left.
    fn descend(&mut self) -> f64 {
        let mut distance = self.tape.distance();
        loop {
            let before = distance;
            for unknown in 0..self.favourites.len() {
                if distance == 0.0 || self.exhausted() {
                    return distance;
                }
                if self.tape.matters(unknown) {
                    distance = self.explore(unknown, distance);
                }
            }
            if distance < before {
                continue;
            }
            distance = self.jump(distance);
            if distance >= before {
                return distance;
            }
        }
    }

    /// Moves one variable as far as it helps.
    fn explore(&mut self, unknown: usize, mut distance: f64) -> f64 {
        let Some(sort) = self.tape.unknowns.get(unknown).map(|unknown| unknown.sort) else {
            return distance;
        };
        let units: &[Unit] = match sort {
            Sort::Bool => return self.attempt(unknown, distance, flipped),
            Sort::Float(FloatType::Double) => &FLOAT_UNITS,
            Sort::Float(FloatType::Single) => &SINGLE_UNITS,
            _ => &INTEGER_UNITS,
        };
        for &unit in units {
            loop {
                let before = distance;
                for sign in [1, -1] {
                    distance = self.pursue(unknown, sort, unit, sign, distance);
                }
                if distance >= before || distance == 0.0 || self.exhausted() {
                    break;
                }
            }
            if distance == 0.0 || self.exhausted() {
                break;
            }
        }
        distance
    }

    /// Doubles the steps in one direction while they help.
    fn pursue(
        &mut self,
        unknown: usize,
        sort: Sort,
        unit: Unit,
        sign: i64,
        mut distance: f64,
    ) -> f64 {
        let mut step = sign;
        while distance > 0.0 && !self.exhausted() {
            let before = distance;
            let moved = |value: Value| moved(sort, value, unit, step);
            distance = self.attempt(unknown, distance, moved);
            if distance >= before {
                break;
            }
            step = step.saturating_mul(2);
        }
        distance
    }

    /// Changes a variable and keeps the change if it helps.
    fn attempt(&mut self, unknown: usize, distance: f64, change: impl Fn(Value) -> Value) -> f64 {
        let Some(value) = self.tape.value(unknown) else {
            return distance;
        };
        let changed = change(value);
        if changed == value {
            return distance;
        }
        let reached = self.tape.set(unknown, changed);
        if reached < distance {
            return reached;
        }
        self.tape.set(unknown, value);
        distance
    }

    /// Tries the favourite values of the variables that matter.
    fn jump(&mut self, mut distance: f64) -> f64 {
        for unknown in 0..self.favourites.len() {
            let count = self.favourites.get(unknown).map_or(0, Vec::len);
            for index in 0..count {
                if distance == 0.0 || self.exhausted() {
                    return distance;
                }
                if !self.tape.matters(unknown) {
                    break;
                }
                let favourites = self.favourites.get(unknown);
                if let Some(&value) = favourites.and_then(|list| list.get(index)) {
                    distance = self.attempt(unknown, distance, |_| value);
                }
            }
        }
        distance
    }
}

fn flipped(value: Value) -> Value {
    match value {
        Value::Bool(value) => Value::Bool(!value),
        other => other,
    }
}

fn moved(sort: Sort, value: Value, unit: Unit, step: i64) -> Value {
    match (unit, sort, value) {
        (Unit::Whole(unit), _, Value::Int(value)) => {
            let by = i128::from(unit).saturating_mul(i128::from(step));
            integer(sort, value.saturating_add(by))
        }
        (Unit::Amount(amount), Sort::Float(ty), Value::Double(bits)) => {
            float(ty, f64::from_bits(bits) + amount * step as f64)
        }
        (Unit::Amount(amount), Sort::Float(ty), Value::Single(bits)) => {
            float(ty, f64::from(f32::from_bits(bits)) + amount * step as f64)
        }
        (Unit::Values(count), Sort::Float(ty), value) => {
            step_float(ty, value, count.saturating_mul(step))
        }
        _ => value,
    }
}
