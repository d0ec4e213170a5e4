//! The generator of random systems.

use super::random::Random;
use super::system::*;

/// Which kinds of constraints appear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profile {
    /// References only.
    Shape,
    /// Integers that are compared with each other, and nothing else.
    Order,
    /// Counters, sums, bounds, disjunctions, maxima.
    Numbers,
    /// Lists and trees with sizes, heights, bounds and the like.
    Counters,
    /// As `Numbers`, with fields and variables of type byte and constants near their limits.
    Bytes,
}

/// A random system; `size` from 0 (tiny) to 3.
pub fn generate(random: &mut Random, profile: Profile, size: usize) -> System {
    let classes = random.between(1, if size >= 2 { 2 } else { 1 });
    let mut system = System::default();
    for _ in 0..classes {
        let mut fields = Vec::new();
        for _ in 0..=usize::from(random.chance(30 + 10 * size)) {
            fields.push(Sort::Ref(random.below(classes)));
        }
        match profile {
            Profile::Shape => {}
            Profile::Order => fields.push(Sort::Int),
            Profile::Numbers if random.chance(60) => fields.push(Sort::Int),
            Profile::Bytes if random.chance(80) => fields.push(Sort::Byte),
            Profile::Counters if random.chance(30) => fields.push(Sort::Int),
            Profile::Numbers | Profile::Bytes | Profile::Counters => {}
        }
        system.classes.push(fields);
    }
    let predicates = random.between(1, 1 + size.div_ceil(2));
    for _ in 0..predicates {
        let mut params = Vec::new();
        for _ in 0..random.between(1, 1 + size.min(2)) {
            params.push(Sort::Ref(random.below(classes)));
        }
        if profile != Profile::Shape {
            // A predicate with a number makes the order of all numbers count.
            let least = usize::from(matches!(profile, Profile::Order | Profile::Counters));
            for _ in 0..random.between(least, if size >= 1 { 2 } else { 1 }) {
                params.push(number_sort(random, profile));
            }
        }
        let disjuncts = Vec::new();
        system.predicates.push(Predicate { params, disjuncts });
    }
    for predicate in 0..predicates {
        let least = if profile == Profile::Counters { 2 } else { 1 };
        for index in 0..random.between(least, 2 + usize::from(size >= 2)) {
            let mut generator = Generator::new(random, &system, profile, size);
            let params = system.predicates[predicate].params.clone();
            let disjunct = match profile {
                Profile::Counters if index == 0 => generator.leaf(&params),
                Profile::Counters => generator.inner_node(&params),
                _ => generator.disjunct(&params, index == 0),
            };
            system.predicates[predicate].disjuncts.push(disjunct);
        }
    }
    let mut free = Vec::new();
    for _ in 0..random.between(1, 2 + usize::from(size >= 2)) {
        free.push(Sort::Ref(random.below(classes)));
    }
    if profile != Profile::Shape {
        for _ in 0..random.between(0, 2) {
            free.push(number_sort(random, profile));
        }
    }
    let mut disjuncts = Vec::new();
    for _ in 0..if random.chance(10) { 2 } else { 1 } {
        disjuncts.push(Generator::new(random, &system, profile, size).question(&free));
    }
    system.question = Predicate {
        params: free,
        disjuncts,
    };
    system
}

fn number_sort(random: &mut Random, profile: Profile) -> Sort {
    match profile {
        Profile::Bytes if random.chance(40) => Sort::Byte,
        _ => Sort::Integer,
    }
}

struct Generator<'a> {
    random: &'a mut Random,
    system: &'a System,
    profile: Profile,
    size: usize,
    sorts: Vec<Sort>,
}

impl<'a> Generator<'a> {
    fn new(random: &'a mut Random, system: &'a System, profile: Profile, size: usize) -> Self {
        Generator {
            random,
            system,
            profile,
            size,
            sorts: Vec::new(),
        }
    }

    /// A disjunct of a predicate. A base case has no instances.
    fn disjunct(&mut self, params: &[Sort], base: bool) -> Disjunct {
        self.sorts = params.to_vec();
        let mut disjunct = Disjunct::default();
        let cells = match self.random.below(10) {
            0..4 if base => 0,
            0..8 => 1,
            8 => 0,
            _ => 2,
        };
        self.quantify(cells > 0);
        self.add_cells(&mut disjunct, cells, params.len());
        let calls = match self.random.below(10) {
            _ if base && self.random.chance(85) => 0,
            0..6 => 1,
            6..8 => 2,
            _ => 0,
        };
        for _ in 0..calls {
            let call = self.call();
            disjunct.calls.push(call);
        }
        let pure = self.random.between(0, 2 + usize::from(self.size >= 2));
        for _ in 0..pure {
            let condition = self.condition();
            disjunct.pure.push(condition);
        }
        if base && cells == 0 && self.random.chance(60) {
            let condition = self.equate_params(params);
            disjunct.pure.push(condition);
        }
        disjunct.exists = self.sorts.split_off(params.len());
        disjunct
    }

    /// `emp & x = null`, with numbers at a start value.
    fn leaf(&mut self, params: &[Sort]) -> Disjunct {
        self.sorts = params.to_vec();
        let mut disjunct = Disjunct::default();
        disjunct
            .pure
            .push(Condition::Same(Reference::Var(0), Reference::Null));
        for (variable, _) in params.iter().enumerate().filter(|(_, sort)| !sort.is_ref()) {
            use Comparison::{AtMost, Equal};
            let (number, start) = (
                Number::Var(variable),
                Number::Const(self.random.below(2) as i64),
            );
            match self.random.below(10) {
                0..6 => disjunct.pure.push(Condition::Compare(Equal, number, start)),
                6 => disjunct
                    .pure
                    .push(Condition::Compare(AtMost, number, start)),
                7 => disjunct
                    .pure
                    .push(Condition::Compare(AtMost, start, number)),
                _ => {}
            }
        }
        disjunct
    }

    /// A cell at the first parameter, with instances at what it points to; the numbers of these
    /// determine or bound those of the whole.
    fn inner_node(&mut self, params: &[Sort]) -> Disjunct {
        let Sort::Ref(class) = params[0] else {
            return Disjunct::default();
        };
        self.sorts = params.to_vec();
        let mut disjunct = Disjunct::default();
        let fields = self.system.classes[class].clone();
        let mut contents = Vec::new();
        let mut numbers = Vec::new();
        for &field in &fields {
            let variable = self.sorts.len();
            self.sorts.push(field);
            match field {
                Sort::Ref(class) => {
                    contents.push(Operand::Reference(Reference::Var(variable)));
                    let fitting: Vec<usize> = (0..self.system.predicates.len())
                        .filter(|&p| self.system.predicates[p].params[0] == Sort::Ref(class))
                        .collect();
                    if fitting.is_empty() || self.random.chance(10) {
                        continue;
                    }
                    let predicate = self.random.pick(&fitting);
                    let call = self.call_below(predicate, variable, &mut numbers);
                    disjunct.calls.push(call);
                }
                _ => contents.push(Operand::Number(Number::Var(variable))),
            }
        }
        disjunct.cells.push(Points {
            source: Reference::Var(0),
            class,
            fields: contents,
        });
        for (variable, _) in params.iter().enumerate().filter(|(_, sort)| !sort.is_ref()) {
            let condition = self.relation(variable, &numbers);
            disjunct.pure.extend(condition);
        }
        if self.random.chance(30) {
            let condition = self.condition();
            disjunct.pure.push(condition);
        }
        disjunct.exists = self.sorts.split_off(params.len());
        disjunct
    }

    /// An instance at `root`, with fresh variables for its numbers.
    fn call_below(&mut self, predicate: usize, root: Var, numbers: &mut Vec<Var>) -> Call {
        let params = self.system.predicates[predicate].params.clone();
        let mut args = vec![Operand::Reference(Reference::Var(root))];
        for &sort in &params[1..] {
            args.push(match sort {
                Sort::Ref(class) => Operand::Reference(self.reference(class)),
                _ => {
                    numbers.push(self.sorts.len());
                    self.sorts.push(sort);
                    Operand::Number(Number::Var(self.sorts.len() - 1))
                }
            });
        }
        Call { predicate, args }
    }

    /// How a number of the whole depends on those of the parts.
    fn relation(&mut self, whole: Var, parts: &[Var]) -> Option<Condition> {
        use Comparison::{AtMost, Different, Equal, Less};
        if parts.is_empty() {
            return None;
        }
        let pick = |random: &mut Random| Box::new(Number::Var(random.pick(parts)));
        let part = pick(self.random);
        let step = Number::Const(self.random.pick(&[0, 1, 1, 1, 2, 3, -1]));
        let combined = match self.random.below(10) {
            0..5 => *part,
            5..8 => Number::Add(part, pick(self.random)),
            8 => Number::Max(part, pick(self.random)),
            _ => Number::Sub(part, pick(self.random)),
        };
        let sum = Number::Add(Box::new(combined), Box::new(step));
        let comparison = self
            .random
            .pick(&[Equal, Equal, Equal, Equal, Less, AtMost, Different]);
        Some(Condition::Compare(comparison, Number::Var(whole), sum))
    }

    fn question(&mut self, free: &[Sort]) -> Disjunct {
        self.sorts = free.to_vec();
        let mut disjunct = Disjunct::default();
        if self.profile == Profile::Order || self.random.chance(50) {
            self.quantify(true);
        }
        let cells = self.random.below(3) / 2 + usize::from(self.random.chance(10));
        self.add_cells(&mut disjunct, cells, self.sorts.len());
        for _ in 0..self.random.between(1, 1 + self.size.min(2)) {
            let call = self.call();
            disjunct.calls.push(call);
        }
        for _ in 0..self.random.between(0, 1 + self.size) {
            let condition = self.condition();
            disjunct.pure.push(condition);
        }
        disjunct.exists = self.sorts.split_off(free.len());
        disjunct
    }

    /// Adds quantified variables.
    fn quantify(&mut self, with_cells: bool) {
        let classes = self.system.classes.len();
        for _ in 0..self
            .random
            .between(usize::from(with_cells), 1 + self.size / 2)
        {
            let class = self.random.below(classes);
            self.sorts.push(Sort::Ref(class));
        }
        if self.profile != Profile::Shape {
            // Where only the order counts, there must be a variable for every field.
            let least = usize::from(self.profile == Profile::Order);
            for _ in 0..self.random.between(least, 1 + usize::from(self.size >= 1)) {
                let sort = match self.profile {
                    Profile::Order if self.random.chance(40) => Sort::Int,
                    profile => number_sort(self.random, profile),
                };
                self.sorts.push(sort);
            }
        }
    }

    /// Cells, mostly at one of the first `preferred` variables.
    fn add_cells(&mut self, disjunct: &mut Disjunct, cells: usize, preferred: usize) {
        for _ in 0..cells {
            let among = if self.random.chance(80) {
                preferred
            } else {
                self.sorts.len()
            };
            let sources: Vec<(Var, usize)> = (self.sorts[..among].iter().enumerate())
                .filter_map(|(variable, &sort)| match sort {
                    Sort::Ref(class) => Some((variable, class)),
                    _ => None,
                })
                .collect();
            let (source, class) = self.random.pick(&sources);
            let fields = self.system.classes[class].clone();
            let fields = fields.into_iter().map(|sort| self.operand(sort)).collect();
            disjunct.cells.push(Points {
                source: Reference::Var(source),
                class,
                fields,
            });
        }
    }

    fn call(&mut self) -> Call {
        let predicate = self.random.below(self.system.predicates.len());
        let params = self.system.predicates[predicate].params.clone();
        let args = params.into_iter().map(|sort| self.operand(sort)).collect();
        Call { predicate, args }
    }

    fn operand(&mut self, sort: Sort) -> Operand {
        match sort {
            Sort::Ref(class) => Operand::Reference(self.reference(class)),
            // Fields and arguments are mostly plain variables.
            _ if self.random.chance(75) => {
                Operand::Number(self.variable().map_or(Number::Const(0), Number::Var))
            }
            _ => Operand::Number(self.number()),
        }
    }

    fn reference(&mut self, class: usize) -> Reference {
        let of_class: Vec<Var> = (0..self.sorts.len())
            .filter(|&variable| self.sorts[variable] == Sort::Ref(class))
            .collect();
        if of_class.is_empty() || self.random.chance(12) {
            return Reference::Null;
        }
        // Quantified variables come last and are preferred.
        let pick = self
            .random
            .below(of_class.len())
            .max(self.random.below(of_class.len()));
        Reference::Var(of_class[pick])
    }

    fn variable(&mut self) -> Option<Var> {
        let numbers: Vec<Var> = (0..self.sorts.len())
            .filter(|&variable| !self.sorts[variable].is_ref())
            .collect();
        (!numbers.is_empty()).then(|| self.random.pick(&numbers))
    }

    fn constant(&mut self) -> i64 {
        match self.profile {
            Profile::Bytes if self.random.chance(50) => {
                self.random.pick(&[-129, -128, -127, 126, 127, 128])
            }
            Profile::Counters => self.random.pick(&[-1, 0, 1, 2, 3, 4, 5, 6]),
            _ => self.random.pick(&[-1, 0, 0, 1, 1, 2, 3]),
        }
    }

    fn number(&mut self) -> Number {
        let Some(variable) = self.variable() else {
            return Number::Const(if self.profile == Profile::Order {
                0
            } else {
                self.constant()
            });
        };
        let variable = Number::Var(variable);
        if self.profile == Profile::Order {
            return variable;
        }
        match self.random.below(12) {
            0..4 => variable,
            4..6 => Number::Const(self.constant()),
            6 | 7 => Number::Add(Box::new(variable), Box::new(Number::Const(self.constant()))),
            8 => Number::Sub(Box::new(variable), Box::new(Number::Const(1))),
            9 => {
                let other = self.atom();
                let sum = Number::Add(Box::new(variable), Box::new(other));
                let constant = Number::Const(self.random.below(2) as i64);
                Number::Add(Box::new(sum), Box::new(constant))
            }
            10 => {
                let other = self.atom();
                let larger = Number::Max(Box::new(variable), Box::new(other));
                let constant = Number::Const(self.random.below(2) as i64);
                Number::Add(Box::new(larger), Box::new(constant))
            }
            _ => {
                let condition = self.literal();
                let other = self.atom();
                Number::Ite(Box::new(condition), Box::new(variable), Box::new(other))
            }
        }
    }

    fn atom(&mut self) -> Number {
        match self.variable() {
            Some(variable) if self.random.chance(75) => Number::Var(variable),
            _ => Number::Const(self.constant()),
        }
    }

    fn condition(&mut self) -> Condition {
        if self.random.chance(10) {
            let list = (0..2).map(|_| self.literal()).collect();
            return Condition::Or(list);
        }
        self.literal()
    }

    fn literal(&mut self) -> Condition {
        let numbers = self.sorts.iter().any(|sort| !sort.is_ref());
        if numbers && self.random.chance(65) {
            use Comparison::{AtMost, Different, Equal, Less};
            let comparison = self
                .random
                .pick(&[Equal, Equal, Different, Less, AtMost, AtMost]);
            let left = self.atom_for_order();
            let right = self.number();
            return Condition::Compare(comparison, left, right);
        }
        let class = self.random.below(self.system.classes.len());
        let (a, b) = (self.reference(class), self.reference(class));
        let b = if a == b || self.random.chance(30) {
            Reference::Null
        } else {
            b
        };
        match self.random.chance(55) {
            true => Condition::Same(a, b),
            false => Condition::Differ(a, b),
        }
    }

    fn atom_for_order(&mut self) -> Number {
        match self.profile {
            Profile::Order => self.number(),
            _ => self.atom(),
        }
    }

    /// What base cases say: the first parameter is null, or equal to another one.
    fn equate_params(&mut self, params: &[Sort]) -> Condition {
        let Some(first) = params.iter().position(|sort| sort.is_ref()) else {
            return Condition::Or(Vec::new());
        };
        let other = (first + 1..params.len()).find(|&v| params[v] == params[first]);
        let other = match other {
            Some(other) if self.random.chance(50) => Reference::Var(other),
            _ => Reference::Null,
        };
        Condition::Same(Reference::Var(first), other)
    }
}
