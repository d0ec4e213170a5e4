//! A question compiled for being evaluated many times.
//!
//! The subterms are laid out in an order in which each comes after its operands. A change of one
//! variable evaluates again only what depends on it.

use heapwright_logic::{
    FloatType, FpOp, IntOp, IntType, Linear, MathFunction, Sort, Term, TermId, Terms, Value, VarId,
    apply_fp, same_value,
};
use rustc_hash::FxHashMap;

use super::distance::{Distance, double_position, single_position};
use crate::arith::Assignment;
use crate::arith::order::subterms_first;

/// More subterms are not searched on.
const MAX_NODES: usize = 4096;

/// One subterm, its operands by position.
enum Node {
    Leaf,
    Linear(Sum),
    AtMostZero(Sum),
    IsZero(Sum),
    Eq(u32, u32),
    Not(u32),
    And(Vec<u32>),
    Or(Vec<u32>),
    Ite(u32, u32, u32),
    Int(IntOp, u32, u32),
    Wrap(IntType, u32),
    Fp(FpOp, FloatType, Vec<u32>),
    Apply(MathFunction, Vec<u32>),
}

struct Sum {
    constant: i128,
    summands: Vec<(u32, i128)>,
}

/// What a subterm is at the moment.
#[derive(Clone, Copy)]
enum Cell {
    Scalar(Value),
    Formula(Distance),
    /// A number beyond 128 bits, or something that depends on one.
    Undefined,
}

/// A variable of the question.
pub struct Unknown {
    /// Which one.
    pub variable: VarId,
    /// Its sort.
    pub sort: Sort,
    position: u32,
    /// The positions of what depends on it, in order.
    cone: Vec<u32>,
    /// The positions of the conjuncts that depend on it.
    conjuncts: Vec<u32>,
}

/// A compiled conjunction with values for its variables.
pub struct Tape {
    nodes: Vec<Node>,
    cells: Vec<Cell>,
    roots: Vec<u32>,
    /// The variables, in the order of their ids.
    pub unknowns: Vec<Unknown>,
    /// The numbers that occur in the question, each once.
    pub constants: Vec<Value>,
    /// How often the question was evaluated.
    pub evaluations: u64,
}

impl Tape {
    /// Compiles a conjunction, all variables having the default values of their sorts; nothing
    /// if it mentions references or is larger than what a search gets anywhere with.
    pub fn new(terms: &Terms, conjuncts: &[TermId]) -> Option<Tape> {
        let order = subterms_first(terms, conjuncts.iter().copied(), |_| false);
        if order.len() > MAX_NODES {
            return None;
        }
        let mut positions: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut tape = Tape {
            nodes: Vec::with_capacity(order.len()),
            cells: Vec::with_capacity(order.len()),
            roots: Vec::new(),
            unknowns: Vec::new(),
            constants: Vec::new(),
            evaluations: 0,
        };
        // Which variables each node depends on would be quadratic; who uses it is not.
        let mut users: Vec<Vec<u32>> = vec![Vec::new(); order.len()];
        for (index, &term) in order.iter().enumerate() {
            let sort = terms.sort(term);
            if sort.is_ref() {
                return None;
            }
            let position = index as u32;
            for child in terms.children(term) {
                let used = *positions.get(&child)?;
                users.get_mut(used as usize)?.push(position);
            }
            let (node, cell) = tape.compile(terms, term, &positions)?;
            if let Term::Var(variable) = terms.get(term) {
                tape.unknowns.push(Unknown {
                    variable: *variable,
                    sort,
                    position,
                    cone: Vec::new(),
                    conjuncts: Vec::new(),
                });
            }
            positions.insert(term, position);
            tape.nodes.push(node);
            tape.cells.push(cell);
        }
        for conjunct in conjuncts {
            tape.roots.push(*positions.get(conjunct)?);
        }
        for unknown in &mut tape.unknowns {
            unknown.cone = reachable(&users, unknown.position);
            let concerns = |root: &&u32| {
                **root == unknown.position || unknown.cone.binary_search(root).is_ok()
            };
            unknown.conjuncts = tape.roots.iter().filter(concerns).copied().collect();
        }
        tape.unknowns.sort_by_key(|unknown| unknown.variable);
        for position in 0..tape.nodes.len() as u32 {
            tape.evaluate_node(position);
        }
        Some(tape)
    }

    fn compile(
        &mut self,
        terms: &Terms,
        term: TermId,
        positions: &FxHashMap<TermId, u32>,
    ) -> Option<(Node, Cell)> {
        let at = |term: TermId| positions.get(&term).copied();
        let all = |list: &[TermId]| {
            list.iter()
                .map(|&term| at(term))
                .collect::<Option<Vec<_>>>()
        };
        let sum = |linear: &Linear| {
            let summands = linear.summands.iter();
            let summands: Option<Vec<_>> = summands.map(|&(t, c)| Some((at(t)?, c))).collect();
            Some(Sum {
                constant: linear.constant,
                summands: summands?,
            })
        };
        let mut leaf = |value: Value| {
            if !self.constants.contains(&value) {
                self.constants.push(value);
            }
            (Node::Leaf, Cell::Scalar(value))
        };
        let node = match terms.get(term) {
            Term::Bool(value) => return Some((Node::Leaf, Cell::Formula(Distance::of(*value)))),
            Term::Var(_) => return Some((Node::Leaf, cell(Value::default_of(terms.sort(term))))),
            Term::Single(bits) => return Some(leaf(Value::Single(*bits))),
            Term::Double(bits) => return Some(leaf(Value::Double(*bits))),
            Term::Linear(linear) => {
                let constant = leaf(Value::Int(linear.constant));
                if linear.summands.is_empty() {
                    return Some(constant);
                }
                Node::Linear(sum(linear)?)
            }
            Term::AtMostZero(linear) => {
                // `x <= 5` is kept as `x - 5 <= 0`.
                leaf(Value::Int(linear.constant.checked_neg()?));
                Node::AtMostZero(sum(linear)?)
            }
            Term::IsZero(linear) => {
                leaf(Value::Int(linear.constant.checked_neg()?));
                Node::IsZero(sum(linear)?)
            }
            Term::Eq(a, b) => Node::Eq(at(*a)?, at(*b)?),
            Term::Not(a) => Node::Not(at(*a)?),
            Term::And(list) => Node::And(all(list)?),
            Term::Or(list) => Node::Or(all(list)?),
            Term::Ite(a, b, c) => Node::Ite(at(*a)?, at(*b)?, at(*c)?),
            Term::Int(op, a, b) => Node::Int(*op, at(*a)?, at(*b)?),
            Term::Wrap(ty, a) => Node::Wrap(*ty, at(*a)?),
            Term::Fp(op, ty, args) => Node::Fp(*op, *ty, all(args)?),
            Term::Apply(function, args) => Node::Apply(*function, all(args)?),
            Term::Null => return None,
        };
        Some((node, Cell::Undefined))
    }

    /// The value of the variable with an index.
    pub fn value(&self, unknown: usize) -> Option<Value> {
        let unknown = self.unknowns.get(unknown)?;
        Some(match self.cells.get(unknown.position as usize)? {
            Cell::Scalar(value) => *value,
            Cell::Formula(distance) => Value::Bool(distance.holds == 0.0),
            Cell::Undefined => Value::default_of(unknown.sort),
        })
    }

    /// All values, in the order of the variables.
    pub fn values(&self) -> Vec<Value> {
        let indices = 0..self.unknowns.len();
        indices.filter_map(|index| self.value(index)).collect()
    }

    /// The values by variable.
    pub fn assignment(&self) -> Assignment {
        let values = self.unknowns.iter().map(|unknown| unknown.variable);
        values.zip(self.values()).collect()
    }

    /// Gives a variable a value, and what depends on it its value; the distance of the question.
    pub fn set(&mut self, unknown: usize, value: Value) -> f64 {
        self.evaluations += 1;
        let Some(Unknown { position, .. }) = self.unknowns.get(unknown) else {
            return self.distance();
        };
        if let Some(place) = self.cells.get_mut(*position as usize) {
            *place = cell(value);
        }
        // The list is taken out while the cells change, and put back.
        let cone = match self.unknowns.get_mut(unknown) {
            Some(unknown) => std::mem::take(&mut unknown.cone),
            None => Vec::new(),
        };
        for &position in &cone {
            self.evaluate_node(position);
        }
        if let Some(unknown) = self.unknowns.get_mut(unknown) {
            unknown.cone = cone;
        }
        self.distance()
    }

    /// Gives all variables values, those that differ from the present ones one by one.
    pub fn set_all(&mut self, values: &[Value]) -> f64 {
        for (index, &value) in values.iter().enumerate() {
            if self.value(index) != Some(value) {
                self.set(index, value);
            }
        }
        self.distance()
    }

    /// Whether a conjunct that does not hold depends on a variable.
    pub fn matters(&self, unknown: usize) -> bool {
        let unknown = self.unknowns.get(unknown);
        let conjuncts = unknown.into_iter().flat_map(|unknown| &unknown.conjuncts);
        (conjuncts.copied()).any(|conjunct| self.formula(conjunct).holds > 0.0)
    }

    /// How far the conjunction is from holding, 0 if it does.
    pub fn distance(&self) -> f64 {
        let roots = self.roots.iter();
        roots.map(|&root| self.formula(root).holds).sum()
    }

    fn get(&self, position: u32) -> Cell {
        let cell = self.cells.get(position as usize);
        cell.copied().unwrap_or(Cell::Undefined)
    }

    fn scalar(&self, position: u32) -> Option<Value> {
        match self.get(position) {
            Cell::Scalar(value) => Some(value),
            _ => None,
        }
    }

    fn int(&self, position: u32) -> Option<i128> {
        match self.get(position) {
            Cell::Scalar(Value::Int(value)) => Some(value),
            _ => None,
        }
    }

    fn formula(&self, position: u32) -> Distance {
        match self.get(position) {
            Cell::Formula(distance) => distance,
            _ => Distance::UNDEFINED,
        }
    }

    fn sum(&self, sum: &Sum) -> Option<i128> {
        let mut summands = sum.summands.iter();
        summands.try_fold(sum.constant, |total, &(term, coefficient)| {
            total.checked_add(self.int(term)?.checked_mul(coefficient)?)
        })
    }

    fn evaluate_node(&mut self, position: u32) {
        let Some(node) = self.nodes.get(position as usize) else {
            return;
        };
        let result = match node {
            Node::Leaf => return,
            Node::Linear(sum) => self.sum(sum).map(|sum| Cell::Scalar(Value::Int(sum))),
            Node::AtMostZero(sum) => (self.sum(sum))
                .map(Distance::at_most_zero)
                .map(Cell::Formula),
            Node::IsZero(sum) => (self.sum(sum)).map(Distance::is_zero).map(Cell::Formula),
            Node::Eq(a, b) => self.equality(*a, *b).map(Cell::Formula),
            Node::Not(a) => Some(Cell::Formula(self.formula(*a).negated())),
            Node::And(list) => {
                let parts = list.iter().map(|&part| self.formula(part));
                parts.reduce(Distance::and).map(Cell::Formula)
            }
            Node::Or(list) => {
                let parts = list.iter().map(|&part| self.formula(part));
                parts.reduce(Distance::or).map(Cell::Formula)
            }
            Node::Ite(condition, then, otherwise) => {
                let taken = self.formula(*condition).holds == 0.0;
                Some(self.get(if taken { *then } else { *otherwise }))
            }
            Node::Int(op, a, b) => self.int(*a).zip(self.int(*b)).and_then(|(a, b)| {
                let value = op.apply(a, b)?;
                Some(Cell::Scalar(Value::Int(value)))
            }),
            Node::Wrap(ty, a) => self.int(*a).map(|a| Cell::Scalar(Value::Int(ty.wrap(a)))),
            Node::Fp(op, ty, args) => self.float_operation(*op, *ty, args),
            Node::Apply(function, args) => self.with_scalars(args, |args| function.apply(args)),
        };
        if let Some(place) = self.cells.get_mut(position as usize) {
            *place = result.unwrap_or(Cell::Undefined);
        }
    }

    fn with_scalars(
        &self,
        args: &[u32],
        apply: impl Fn(&[Value]) -> Option<Value>,
    ) -> Option<Cell> {
        let mut scalars = [Value::Null; 3];
        let scalars = scalars.get_mut(..args.len())?;
        for (scalar, &arg) in scalars.iter_mut().zip(args) {
            *scalar = self.scalar(arg)?;
        }
        apply(scalars).map(cell)
    }

    fn float_operation(&self, op: FpOp, ty: FloatType, args: &[u32]) -> Option<Cell> {
        let distance = match op {
            FpOp::Lt => Distance::less,
            FpOp::Le => Distance::at_most,
            FpOp::Eq => Distance::same,
            _ => return self.with_scalars(args, |args| apply_fp(op, ty, args)),
        };
        let [a, b] = args else { return None };
        let (a, b, values) = operands(self.scalar(*a)?, self.scalar(*b)?)?;
        Some(Cell::Formula(distance(a, b, values)))
    }

    /// Equality as terms have it: of formulas, or of floats, NaN being equal to itself.
    fn equality(&self, a: u32, b: u32) -> Option<Distance> {
        let (a, b) = match (self.get(a), self.get(b)) {
            (Cell::Formula(a), Cell::Formula(b)) => return Some(a.equal(b)),
            (Cell::Scalar(a), Cell::Scalar(b)) => (a, b),
            _ => return None,
        };
        if same_value(a, b) {
            return Some(Distance::same(0.0, 0.0, 0));
        }
        let (a, b, values) = operands(a, b)?;
        // Different zeros have to be told apart.
        let distance = Distance::same(a, b, values.max(1));
        Some(if distance.holds == 0.0 {
            Distance::same(0.0, f64::from_bits(1), 1)
        } else {
            distance
        })
    }
}

/// Two floats of one format, and how many values lie from one to the other.
fn operands(a: Value, b: Value) -> Option<(f64, f64, u64)> {
    match (a, b) {
        (Value::Double(a), Value::Double(b)) => {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            Some((a, b, double_position(a).abs_diff(double_position(b))))
        }
        (Value::Single(a), Value::Single(b)) => {
            let (a, b) = (f32::from_bits(a), f32::from_bits(b));
            let values = single_position(a).abs_diff(single_position(b));
            Some((f64::from(a), f64::from(b), values))
        }
        _ => None,
    }
}

fn cell(value: Value) -> Cell {
    match value {
        Value::Bool(value) => Cell::Formula(Distance::of(value)),
        value => Cell::Scalar(value),
    }
}

/// The positions that depend on one, without itself, in order.
fn reachable(users: &[Vec<u32>], from: u32) -> Vec<u32> {
    let mut seen = vec![false; users.len()];
    let mut pending = vec![from];
    while let Some(position) = pending.pop() {
        for &user in users.get(position as usize).into_iter().flatten() {
            if let Some(seen) = seen.get_mut(user as usize)
                && !*seen
            {
                *seen = true;
                pending.push(user);
            }
        }
    }
    let positions = seen.into_iter().enumerate();
    let reached = positions.filter_map(|(position, seen)| seen.then_some(position as u32));
    reached.collect()
}
