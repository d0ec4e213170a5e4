//! Random systems as the brute force sees them: its own small syntax, printed as a
//! specification for the solver to read, so that the two share nothing but the text.

use std::fmt;

/// What a variable or field holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// References to objects of a class.
    Ref(usize),
    /// Mathematical integers.
    Integer,
    /// Integers of 32 bits.
    Int,
    /// Integers of 8 bits.
    Byte,
}

impl Sort {
    pub fn is_ref(self) -> bool {
        matches!(self, Sort::Ref(_))
    }

    /// The range of an integer sort.
    pub fn range(self) -> (i64, i64) {
        match self {
            Sort::Byte => (i64::from(i8::MIN), i64::from(i8::MAX)),
            Sort::Int => (i64::from(i32::MIN), i64::from(i32::MAX)),
            Sort::Integer | Sort::Ref(_) => (i64::MIN, i64::MAX),
        }
    }
}

/// A variable: its position among the parameters of its predicate, followed by those that its
/// disjunct quantifies.
pub type Var = usize;

/// A reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reference {
    Null,
    Var(Var),
}

/// A number.
#[derive(Clone, PartialEq, Debug)]
pub enum Number {
    Const(i64),
    Var(Var),
    Add(Box<Number>, Box<Number>),
    Sub(Box<Number>, Box<Number>),
    Max(Box<Number>, Box<Number>),
    Ite(Box<Condition>, Box<Number>, Box<Number>),
}

/// A comparison of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    Equal,
    Different,
    Less,
    AtMost,
}

/// A pure condition.
#[derive(Clone, PartialEq, Debug)]
pub enum Condition {
    Same(Reference, Reference),
    Differ(Reference, Reference),
    Compare(Comparison, Number, Number),
    Or(Vec<Condition>),
}

/// An argument or a field.
#[derive(Clone, PartialEq, Debug)]
pub enum Operand {
    Reference(Reference),
    Number(Number),
}

/// A cell of a disjunct.
#[derive(Clone, Debug)]
pub struct Points {
    pub source: Reference,
    pub class: usize,
    pub fields: Vec<Operand>,
}

/// An instance of a predicate.
#[derive(Clone, Debug)]
pub struct Call {
    pub predicate: usize,
    pub args: Vec<Operand>,
}

/// One disjunct.
#[derive(Clone, Debug, Default)]
pub struct Disjunct {
    pub exists: Vec<Sort>,
    pub cells: Vec<Points>,
    pub calls: Vec<Call>,
    pub pure: Vec<Condition>,
}

/// A predicate, or the question: its free variables are the parameters.
#[derive(Clone, Debug, Default)]
pub struct Predicate {
    pub params: Vec<Sort>,
    pub disjuncts: Vec<Disjunct>,
}

/// Classes, predicates and a question about them.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// The fields of each class.
    pub classes: Vec<Vec<Sort>>,
    pub predicates: Vec<Predicate>,
    pub question: Predicate,
}

impl System {
    /// Whether the sizes and heaps alone matter: there is no number anywhere.
    pub fn is_shape_only(&self) -> bool {
        let only_refs = |sorts: &[Sort]| sorts.iter().all(|sort| sort.is_ref());
        self.classes.iter().all(|fields| only_refs(fields))
            && (self.predicates.iter().chain([&self.question])).all(|predicate| {
                only_refs(&predicate.params)
                    && (predicate.disjuncts.iter()).all(|disjunct| only_refs(&disjunct.exists))
            })
    }

    /// Whether some predicate reaches itself through disjuncts without a cell, so that one heap
    /// can have any number of derivations.
    pub fn recurs_without_cells(&self) -> bool {
        let count = self.predicates.len();
        let mut reaches = vec![vec![false; count]; count];
        for (caller, predicate) in self.predicates.iter().enumerate() {
            let without = predicate.disjuncts.iter().filter(|d| d.cells.is_empty());
            for call in without.flat_map(|disjunct| &disjunct.calls) {
                reaches[caller][call.predicate] = true;
            }
        }
        for middle in 0..count {
            for from in 0..count {
                for to in 0..count {
                    reaches[from][to] |= reaches[from][middle] && reaches[middle][to];
                }
            }
        }
        (0..count).any(|predicate| reaches[predicate][predicate])
    }

    /// The predicates that the question reaches.
    pub fn reachable(&self) -> Vec<bool> {
        let mut reached = vec![false; self.predicates.len()];
        let mut open = vec![&self.question];
        while let Some(predicate) = open.pop() {
            for call in predicate.disjuncts.iter().flat_map(|d| &d.calls) {
                if !std::mem::replace(&mut reached[call.predicate], true) {
                    open.push(&self.predicates[call.predicate]);
                }
            }
        }
        reached
    }
}

fn join<T>(items: &[T], separator: &str, show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(separator)
}

/// Prints what belongs to one predicate; the sorts of its variables give their names.
struct Letters<'a>(&'a [Sort]);

impl Letters<'_> {
    fn name(&self, variable: Var) -> String {
        let letter = if self.0[variable].is_ref() { 'x' } else { 'n' };
        format!("{letter}{variable}")
    }

    fn reference(&self, reference: Reference) -> String {
        match reference {
            Reference::Null => "null".to_owned(),
            Reference::Var(variable) => self.name(variable),
        }
    }

    fn number(&self, number: &Number) -> String {
        match number {
            Number::Const(value) if *value < 0 => format!("(-{})", value.unsigned_abs()),
            Number::Const(value) => value.to_string(),
            Number::Var(variable) => self.name(*variable),
            Number::Add(a, b) => format!("({} + {})", self.number(a), self.number(b)),
            Number::Sub(a, b) => format!("({} - {})", self.number(a), self.number(b)),
            Number::Max(a, b) => format!("max({}, {})", self.number(a), self.number(b)),
            Number::Ite(c, a, b) => format!(
                "ite({}, {}, {})",
                self.condition(c),
                self.number(a),
                self.number(b)
            ),
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::Same(a, b) => format!("{} = {}", self.reference(*a), self.reference(*b)),
            Condition::Differ(a, b) => format!("{} != {}", self.reference(*a), self.reference(*b)),
            Condition::Compare(comparison, a, b) => {
                let sign = match comparison {
                    Comparison::Equal => "=",
                    Comparison::Different => "!=",
                    Comparison::Less => "<",
                    Comparison::AtMost => "<=",
                };
                format!("{} {sign} {}", self.number(a), self.number(b))
            }
            Condition::Or(list) => format!("({})", join(list, " | ", |c| self.condition(c))),
        }
    }

    fn operand(&self, operand: &Operand) -> String {
        match operand {
            Operand::Reference(reference) => self.reference(*reference),
            Operand::Number(number) => self.number(number),
        }
    }
}

fn sort_name(sort: Sort) -> String {
    match sort {
        Sort::Ref(class) => format!("C{class}"),
        Sort::Integer => "integer".to_owned(),
        Sort::Int => "int".to_owned(),
        Sort::Byte => "byte".to_owned(),
    }
}

fn print_disjunct(params: &[Sort], disjunct: &Disjunct) -> String {
    let sorts = [params, &disjunct.exists].concat();
    let letters = Letters(&sorts);
    let mut text = String::new();
    if !disjunct.exists.is_empty() {
        let variables: Vec<Var> = (params.len()..sorts.len()).collect();
        let declare = |&v: &Var| format!("{}: {}", letters.name(v), sort_name(sorts[v]));
        text = format!("exists {}. ", join(&variables, ", ", declare));
    }
    let mut parts: Vec<String> = (disjunct.cells.iter())
        .map(|cell| {
            let fields = join(&cell.fields, ", ", |field| letters.operand(field));
            format!(
                "{} -> C{}({fields})",
                letters.reference(cell.source),
                cell.class
            )
        })
        .collect();
    parts.extend(disjunct.calls.iter().map(|call| {
        let args = join(&call.args, ", ", |arg| letters.operand(arg));
        format!("p{}({args})", call.predicate)
    }));
    if parts.is_empty() {
        parts.push("emp".to_owned());
    }
    text += &parts.join(" * ");
    for condition in &disjunct.pure {
        text += &format!(" & {}", letters.condition(condition));
    }
    text
}

fn print_predicate(name: &str, predicate: &Predicate) -> String {
    let letters = Letters(&predicate.params);
    let variables: Vec<Var> = (0..predicate.params.len()).collect();
    let params = join(&variables, ", ", |&v| {
        format!("{}: {}", letters.name(v), sort_name(predicate.params[v]))
    });
    let mut body = join(&predicate.disjuncts, "\n  | ", |disjunct| {
        print_disjunct(&predicate.params, disjunct)
    });
    if body.is_empty() {
        body = "emp & false".to_owned();
    }
    format!("pred {name}({params}) :=\n    {body};\n")
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (class, fields) in self.classes.iter().enumerate() {
            write!(f, "data C{class} {{")?;
            for (index, &field) in fields.iter().enumerate() {
                write!(f, " {} f{index};", sort_name(field))?;
            }
            f.write_str(" }\n")?;
        }
        let reachable = self.reachable();
        for (index, predicate) in self.predicates.iter().enumerate() {
            if reachable[index] {
                f.write_str(&print_predicate(&format!("p{index}"), predicate))?;
            }
        }
        f.write_str(&print_predicate("question", &self.question))
    }
}
