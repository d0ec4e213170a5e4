//! Printing terms and symbolic heaps in the notation of the specification language.
//!
//! Normal forms are turned back into what a person would write: `x - y + 1 <= 0` is shown as
//! `x < y`.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use crate::definitions::Definitions;
use crate::sort::{ClassId, FloatType, Sort};
use crate::symbolic_heap::{Formula, Instance, PointsTo, SymbolicHeap};
use crate::term::{FpOp, IntOp, Linear, Term, TermId, Terms, VarId};

/// The name of a class.
pub fn display_class(definitions: &Definitions, class: ClassId) -> &str {
    &definitions.class(class).name
}

/// The name of a sort.
pub fn display_sort(definitions: &Definitions, sort: Sort) -> String {
    match sort {
        Sort::Bool => "bool".to_owned(),
        Sort::Int => "integer".to_owned(),
        Sort::Machine(ty) => ty.name().to_owned(),
        Sort::Float(FloatType::Single) => "float".to_owned(),
        Sort::Float(FloatType::Double) => "double".to_owned(),
        Sort::Ref(class) => display_class(definitions, class).to_owned(),
    }
}

/// Prints terms and heaps, giving different variables different names.
pub struct Printer<'a> {
    terms: &'a Terms,
    definitions: &'a Definitions,
    names: FxHashMap<VarId, String>,
    taken: FxHashMap<String, u32>,
    depth: usize,
    printed: usize,
}

/// Deeper terms are cut short: printing recurses.
const MAX_DEPTH: usize = 500;
/// So is everything after this many terms: a shared subterm is printed wherever it occurs, and a
/// small store can hold a term with exponentially many occurrences.
const MAX_TERMS: usize = 1_000_000;

/// Binding strength of operators, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Atom,
}

impl<'a> Printer<'a> {
    /// A printer that has not named any variable yet.
    pub fn new(terms: &'a Terms, definitions: &'a Definitions) -> Self {
        Printer {
            terms,
            definitions,
            names: FxHashMap::default(),
            taken: FxHashMap::default(),
            depth: 0,
            printed: 0,
        }
    }

    /// The name of a variable: its own, with a number behind it if another variable has it
    /// already.
    pub fn variable(&mut self, variable: VarId) -> String {
        if let Some(name) = self.names.get(&variable) {
            return name.clone();
        }
        let base = &self.terms.variable(variable).name;
        let mut name = base.clone();
        while self.taken.contains_key(&name) {
            let count = self.taken.entry(base.clone()).or_insert(0);
            *count += 1;
            name = format!("{base}{count}");
        }
        self.taken.insert(name.clone(), 0);
        self.names.insert(variable, name.clone());
        name
    }

    /// A disjunction of symbolic heaps, one per line.
    pub fn formula(&mut self, formula: &Formula) -> String {
        if formula.disjuncts.is_empty() {
            return "false".to_owned();
        }
        let lines: Vec<_> = (formula.disjuncts.iter())
            .map(|heap| self.symbolic_heap(heap))
            .collect();
        lines.join("\n| ")
    }

    /// `exists x, y. a -> C(..) * p(..) & ..`
    pub fn symbolic_heap(&mut self, heap: &SymbolicHeap) -> String {
        // Free variables are named first, so that they keep their names.
        for variable in heap.free_variables(self.terms) {
            self.variable(variable);
        }
        let mut text = String::new();
        if !heap.exists.is_empty() {
            let names: Vec<_> = heap.exists.iter().map(|&v| self.variable(v)).collect();
            let _ = write!(text, "exists {}. ", names.join(", "));
        }
        let mut spatial: Vec<_> = heap.points_to.iter().map(|c| self.points_to(c)).collect();
        spatial.extend(heap.instances.iter().map(|i| self.instance(i)));
        if spatial.is_empty() {
            spatial.push("emp".to_owned());
        }
        text.push_str(&spatial.join(" * "));
        for &conjunct in &heap.pure {
            let _ = write!(text, " & {}", self.at(conjunct, Level::Comparison));
        }
        text
    }

    /// `source -> Class(fields)`
    pub fn points_to(&mut self, cell: &PointsTo) -> String {
        let fields = self.list(&cell.fields);
        let class = display_class(self.definitions, cell.class);
        format!("{} -> {class}({fields})", self.term(cell.source))
    }

    /// `p(args)`
    pub fn instance(&mut self, instance: &Instance) -> String {
        let args = self.list(&instance.args);
        let predicate = self.definitions.predicate(instance.predicate);
        format!("{}({args})", predicate.name)
    }

    fn list(&mut self, list: &[TermId]) -> String {
        let list: Vec<_> = list.iter().map(|&term| self.term(term)).collect();
        list.join(", ")
    }

    /// A term.
    pub fn term(&mut self, term: TermId) -> String {
        self.at(term, Level::Or)
    }

    fn at(&mut self, term: TermId, context: Level) -> String {
        if self.depth == MAX_DEPTH || self.printed == MAX_TERMS {
            return "...".to_owned();
        }
        self.depth += 1;
        self.printed += 1;
        let (text, level) = self.unparenthesised(term);
        self.depth -= 1;
        if level < context {
            format!("({text})")
        } else {
            text
        }
    }

    fn unparenthesised(&mut self, term: TermId) -> (String, Level) {
        match self.terms.get(term).clone() {
            Term::Bool(value) => (value.to_string(), Level::Atom),
            Term::Var(variable) => (self.variable(variable), Level::Atom),
            Term::Null => ("null".to_owned(), Level::Atom),
            Term::Single(bits) => {
                let digits = format!("{:?}f", f32::from_bits(bits));
                (digits.replace("inf", "Infinity"), Level::Atom)
            }
            Term::Double(bits) => {
                let digits = format!("{:?}", f64::from_bits(bits));
                (digits.replace("inf", "Infinity"), Level::Atom)
            }
            Term::Linear(linear) => self.sum(&linear.summands, linear.constant),
            Term::AtMostZero(linear) => (self.comparison(&linear, true), Level::Comparison),
            Term::IsZero(linear) => (self.comparison(&linear, false), Level::Comparison),
            // For floats `=` is the IEEE comparison in a specification, which this is not.
            Term::Eq(a, b) if matches!(self.terms.sort(a), Sort::Float(_)) => (
                format!("same({}, {})", self.term(a), self.term(b)),
                Level::Atom,
            ),
            Term::Eq(a, b) => (self.equality("=", a, b), Level::Comparison),
            Term::Not(inner) => match self.terms.get(inner).clone() {
                Term::IsZero(linear) => (
                    self.comparison(&linear, false).replacen(" = ", " != ", 1),
                    Level::Comparison,
                ),
                Term::Eq(a, b) if !matches!(self.terms.sort(a), Sort::Float(_)) => {
                    (self.equality("!=", a, b), Level::Comparison)
                }
                _ => (format!("!{}", self.at(inner, Level::Atom)), Level::Atom),
            },
            Term::And(list) => (self.junction(&list, " & ", Level::Comparison), Level::And),
            Term::Or(list) => (self.junction(&list, " || ", Level::And), Level::Or),
            Term::Ite(c, a, b) => (
                format!("ite({}, {}, {})", self.term(c), self.term(a), self.term(b)),
                Level::Atom,
            ),
            Term::Int(op, a, b) => self.int_op(op, a, b),
            Term::Wrap(ty, a) => (format!("{}({})", ty.name(), self.term(a)), Level::Atom),
            Term::Fp(op, ty, args) => (self.fp_op(op, ty, &args), Level::Atom),
            Term::Apply(function, args) => {
                let text = format!("{}({})", function.name(), self.list(&args));
                (text, Level::Atom)
            }
        }
    }

    /// People write null on the right.
    fn equality(&mut self, operator: &str, a: TermId, b: TermId) -> String {
        let (a, b) = if a == Terms::NULL { (b, a) } else { (a, b) };
        self.infix(operator, a, b, Level::Comparison)
    }

    fn junction(&mut self, list: &[TermId], operator: &str, level: Level) -> String {
        let list: Vec<_> = list.iter().map(|&term| self.at(term, level)).collect();
        list.join(operator)
    }

    fn infix(&mut self, operator: &str, a: TermId, b: TermId, level: Level) -> String {
        let above = if level == Level::Comparison {
            Level::Sum
        } else {
            Level::Atom
        };
        format!("{} {operator} {}", self.at(a, above), self.at(b, above))
    }

    /// Positive summands on the left, negative ones on the right.
    fn comparison(&mut self, linear: &Linear, inequality: bool) -> String {
        let side = |sign: i128| -> Vec<_> {
            (linear.summands.iter())
                .filter(|(_, coefficient)| coefficient.signum() == sign)
                .map(|&(term, coefficient)| (term, coefficient.saturating_mul(sign)))
                .collect()
        };
        let (left, right) = (side(1), side(-1));
        let constant = linear.constant;
        // left + constant <= right
        let (operator, left_constant, right_constant) = match (inequality, constant) {
            (true, 1) if !left.is_empty() && !right.is_empty() => ("<", 0, 0),
            (true, c) if c > 0 && left.is_empty() => ("<=", c, 0),
            (true, c) if right.is_empty() => ("<=", 0, c.saturating_neg()),
            (true, c) if c >= 0 => ("<=", c, 0),
            (true, c) => ("<=", 0, c.saturating_neg()),
            (false, c) if c > 0 && !right.is_empty() => ("=", c, 0),
            (false, c) => ("=", 0, c.saturating_neg()),
        };
        let (left, _) = self.sum(&left, left_constant);
        let (right, _) = self.sum(&right, right_constant);
        format!("{left} {operator} {right}")
    }

    fn sum(&mut self, summands: &[(TermId, i128)], constant: i128) -> (String, Level) {
        let mut text = String::new();
        for &(term, coefficient) in summands {
            let magnitude = coefficient.unsigned_abs();
            match (text.is_empty(), coefficient < 0) {
                (true, true) => text.push('-'),
                (true, false) => {}
                (false, true) => text.push_str(" - "),
                (false, false) => text.push_str(" + "),
            }
            if magnitude != 1 {
                let _ = write!(text, "{magnitude} * ");
            }
            text.push_str(&self.at(term, Level::Atom));
        }
        if text.is_empty() {
            return (constant.to_string(), Level::Atom);
        }
        match constant {
            0 => {}
            c if c < 0 => {
                let _ = write!(text, " - {}", c.unsigned_abs());
            }
            c => {
                let _ = write!(text, " + {c}");
            }
        }
        let lone = summands.len() == 1 && constant == 0;
        (text, if lone { Level::Product } else { Level::Sum })
    }

    fn int_op(&mut self, op: IntOp, a: TermId, b: TermId) -> (String, Level) {
        let operator = match op {
            IntOp::Add => return (self.infix("+", a, b, Level::Sum), Level::Sum),
            IntOp::Mul => "*",
            IntOp::Div => "/",
            IntOp::Rem => "%",
            IntOp::And | IntOp::Or | IntOp::Xor | IntOp::Shl | IntOp::Shr => {
                let name = match op {
                    IntOp::And => "bitand",
                    IntOp::Or => "bitor",
                    IntOp::Xor => "bitxor",
                    IntOp::Shl => "shl",
                    _ => "shr",
                };
                let text = format!("{name}({}, {})", self.term(a), self.term(b));
                return (text, Level::Atom);
            }
        };
        (self.infix(operator, a, b, Level::Product), Level::Product)
    }

    fn fp_op(&mut self, op: FpOp, ty: FloatType, args: &[TermId]) -> String {
        let infix = match op {
            FpOp::Add => "+",
            FpOp::Sub => "-",
            FpOp::Mul => "*",
            FpOp::Div => "/",
            FpOp::Rem => "%",
            FpOp::Lt => "<",
            FpOp::Le => "<=",
            FpOp::Eq => "==",
            _ => "",
        };
        if let ([a, b], false) = (args, infix.is_empty()) {
            return format!("({})", self.infix(infix, *a, *b, Level::Product));
        }
        let name = match op {
            FpOp::Neg => "-".to_owned(),
            FpOp::Abs => "abs".to_owned(),
            FpOp::Sqrt => "sqrt".to_owned(),
            FpOp::IsNan => "isnan".to_owned(),
            FpOp::ToInt(int) => int.name().to_owned(),
            FpOp::ToBits => "bits".to_owned(),
            FpOp::FromBits => "frombits".to_owned(),
            _ => display_sort(self.definitions, Sort::Float(ty)),
        };
        format!("{name}({})", self.list(args))
    }
}
