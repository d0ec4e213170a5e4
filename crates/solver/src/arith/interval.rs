//! Intervals of integers, and what each operation does to them.
//!
//! Every operation over-approximates: the result contains all values that the operation can
//! take on members of its operands.

use heapwright_logic::{FpOp, IntOp, IntType, Linear, Sort, Term, TermId, Terms};

/// All integers from `low` to `high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// Smallest member; `i128::MIN` means unbounded.
    pub low: i128,
    /// Largest member; `i128::MAX` means unbounded.
    pub high: i128,
}

const NO_LOW: i128 = i128::MIN;
const NO_HIGH: i128 = i128::MAX;

impl Interval {
    /// All integers.
    pub const ALL: Interval = Interval {
        low: NO_LOW,
        high: NO_HIGH,
    };

    /// The integers between two bounds.
    pub fn new(low: i128, high: i128) -> Interval {
        Interval { low, high }
    }

    /// One integer.
    pub fn constant(value: i128) -> Interval {
        Interval::new(value, value)
    }

    /// The values of a machine type.
    pub fn of_type(ty: IntType) -> Interval {
        Interval::new(ty.min(), ty.max())
    }

    /// The values that a variable of a sort can take.
    pub fn of_sort(sort: Sort) -> Interval {
        match sort {
            Sort::Machine(ty) => Interval::of_type(ty),
            _ => Interval::ALL,
        }
    }

    /// Whether both ends are bounded.
    pub fn is_bounded(self) -> bool {
        self.low != NO_LOW && self.high != NO_HIGH
    }

    /// The only member, if there is only one.
    pub fn singleton(self) -> Option<i128> {
        (self.low == self.high && self.is_bounded()).then_some(self.low)
    }

    /// Whether `value` is a member.
    pub fn contains(self, value: i128) -> bool {
        self.low <= value && value <= self.high
    }

    /// Whether all members belong to `other` too.
    pub fn within(self, other: Interval) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// The common members; empty when `low > high` in the result.
    pub fn intersect(self, other: Interval) -> Interval {
        Interval::new(self.low.max(other.low), self.high.min(other.high))
    }

    /// Whether there is no member.
    pub fn is_empty(self) -> bool {
        self.low > self.high
    }

    /// The smallest interval that contains both.
    pub fn hull(self, other: Interval) -> Interval {
        Interval::new(self.low.min(other.low), self.high.max(other.high))
    }

    /// The largest absolute value, if bounded.
    pub fn magnitude(self) -> Option<i128> {
        (self.is_bounded()).then(|| self.low.saturating_abs().max(self.high.saturating_abs()))
    }

    /// How many bits a two's complement representation of all members needs, if bounded.
    pub fn signed_width(self) -> Option<u32> {
        let bits = |value: i128| 129 - (if value < 0 { !value } else { value }).leading_zeros();
        self.is_bounded()
            .then(|| bits(self.low).max(bits(self.high)))
    }

    /// Sums of members.
    pub fn plus(self, other: Interval) -> Interval {
        Interval::new(
            add_bound(self.low, other.low, NO_LOW),
            add_bound(self.high, other.high, NO_HIGH),
        )
    }

    /// Members times a constant.
    pub fn scale(self, factor: i128) -> Interval {
        let end = |bound: i128| match bound {
            NO_LOW | NO_HIGH => None,
            bound => bound.checked_mul(factor),
        };
        let (from_low, from_high) = (end(self.low), end(self.high));
        match factor.signum() {
            0 => Interval::constant(0),
            1 => Interval::new(from_low.unwrap_or(NO_LOW), from_high.unwrap_or(NO_HIGH)),
            _ => Interval::new(from_high.unwrap_or(NO_LOW), from_low.unwrap_or(NO_HIGH)),
        }
    }

    /// Values of a linear combination whose summands lie in the given intervals.
    pub fn of_linear(linear: &Linear, of: impl Fn(TermId) -> Interval) -> Interval {
        let constant = Interval::constant(linear.constant);
        (linear.summands.iter()).fold(constant, |sum, &(term, coefficient)| {
            sum.plus(of(term).scale(coefficient))
        })
    }

    /// Values of an integer operation.
    pub fn apply(op: IntOp, a: Interval, b: Interval) -> Interval {
        match op {
            IntOp::Add => a.plus(b),
            IntOp::Mul => a.times(b),
            IntOp::Div => a.div(b),
            IntOp::Rem => a.rem(b),
            IntOp::And => a.and(b),
            IntOp::Or | IntOp::Xor => a.or(b),
            IntOp::Shl => {
                let (least, most) = shift_range(b);
                a.times(Interval::new(1 << least, 1 << most))
            }
            IntOp::Shr => a.shr(b),
        }
    }

    /// Products of members.
    pub fn times(self, other: Interval) -> Interval {
        if let Some(factor) = other.singleton() {
            return self.scale(factor);
        }
        if let Some(factor) = self.singleton() {
            return other.scale(factor);
        }
        if self.is_bounded() && other.is_bounded() {
            let ends = [
                self.low.checked_mul(other.low),
                self.low.checked_mul(other.high),
                self.high.checked_mul(other.low),
                self.high.checked_mul(other.high),
            ];
            if let [Some(a), Some(b), Some(c), Some(d)] = ends {
                return Interval::new(a.min(b).min(c.min(d)), a.max(b).max(c.max(d)));
            }
        }
        if self.low >= 0 && other.low >= 0 {
            return Interval::new(self.low.saturating_mul(other.low).min(NO_HIGH - 1), NO_HIGH);
        }
        Interval::ALL
    }

    /// Quotients truncated towards zero, 0 for the divisor 0.
    fn div(self, other: Interval) -> Interval {
        match other.singleton() {
            Some(0) => return Interval::constant(0),
            Some(divisor) => {
                let end = |bound: i128| match bound {
                    NO_LOW | NO_HIGH => None,
                    bound => bound.checked_div(divisor),
                };
                let (from_low, from_high) = (end(self.low), end(self.high));
                return if divisor > 0 {
                    Interval::new(from_low.unwrap_or(NO_LOW), from_high.unwrap_or(NO_HIGH))
                } else {
                    Interval::new(from_high.unwrap_or(NO_LOW), from_low.unwrap_or(NO_HIGH))
                };
            }
            None => {}
        }
        match self.magnitude() {
            Some(_) if self.low >= 0 && other.low >= 0 => Interval::new(0, self.high),
            Some(magnitude) => Interval::new(-magnitude, magnitude),
            None if self.low >= 0 && other.low >= 0 => Interval::new(0, NO_HIGH),
            None => Interval::ALL,
        }
    }

    /// Remainders with the sign of the dividend, the dividend itself for the divisor 0.
    fn rem(self, other: Interval) -> Interval {
        let by_divisor = match other.magnitude() {
            Some(magnitude) if !other.contains(0) => magnitude - 1,
            _ => NO_HIGH,
        };
        let low = match self.low {
            low if low >= 0 => 0,
            NO_LOW if by_divisor == NO_HIGH => NO_LOW,
            low => low.max(-by_divisor),
        };
        let high = match self.high {
            high if high <= 0 => 0,
            high => high.min(by_divisor),
        };
        Interval::new(low, high)
    }

    fn and(self, other: Interval) -> Interval {
        match (self.low >= 0, other.low >= 0) {
            (true, true) => Interval::new(0, self.high.min(other.high)),
            (true, false) => Interval::new(0, self.high),
            (false, true) => Interval::new(0, other.high),
            (false, false) => self.or(other),
        }
    }

    /// All numbers that need no more bits than the members do; right for `or` and `xor`.
    fn or(self, other: Interval) -> Interval {
        match (self.signed_width(), other.signed_width()) {
            (Some(a), Some(b)) if a.max(b) < 127 => {
                let limit = 1i128 << (a.max(b) - 1);
                let low = if self.low >= 0 && other.low >= 0 {
                    0
                } else {
                    -limit
                };
                Interval::new(low, limit - 1)
            }
            _ if self.low >= 0 && other.low >= 0 => Interval::new(0, NO_HIGH),
            _ => Interval::ALL,
        }
    }

    fn shr(self, other: Interval) -> Interval {
        let (least, most) = shift_range(other);
        let low = match self.low {
            NO_LOW => NO_LOW,
            low => (low >> least).min(low >> most),
        };
        let high = match self.high {
            NO_HIGH => NO_HIGH,
            high => (high >> least).max(high >> most),
        };
        Interval::new(low, high)
    }

    /// Values after wrapping into a machine type.
    pub fn wrap(self, ty: IntType) -> Interval {
        let range = Interval::of_type(ty);
        if self.within(range) {
            return self;
        }
        if self.is_bounded() {
            // An interval that crosses no boundary is only moved.
            let (low, high) = (ty.wrap(self.low), ty.wrap(self.high));
            if self.high.checked_sub(self.low) == high.checked_sub(low) {
                return Interval::new(low, high);
            }
        }
        range
    }
}

/// Sum of two lower or two upper bounds; `unbounded` where either is or the sum does not fit.
fn add_bound(a: i128, b: i128, unbounded: i128) -> i128 {
    if a == unbounded || b == unbounded {
        return unbounded;
    }
    a.checked_add(b).unwrap_or(unbounded)
}

/// Smallest and largest shift distance.
fn shift_range(by: Interval) -> (u32, u32) {
    if by.low >= 0 && by.high <= 63 {
        (by.low as u32, by.high as u32)
    } else if let Some(by) = by.singleton() {
        let by = by.rem_euclid(64) as u32;
        (by, by)
    } else {
        (0, 63)
    }
}

/// The interval of an integer term, given those of its subterms. Variables get the range of
/// their sort.
pub fn interval_of(terms: &Terms, term: TermId, of: impl Fn(TermId) -> Interval) -> Interval {
    match terms.get(term) {
        Term::Linear(linear) => Interval::of_linear(linear, of),
        Term::Int(op, a, b) => Interval::apply(*op, of(*a), of(*b)),
        Term::Wrap(ty, a) => of(*a).wrap(*ty),
        Term::Ite(_, a, b) => of(*a).hull(of(*b)),
        Term::Fp(FpOp::ToInt(ty), _, _) => Interval::of_type(*ty),
        _ => Interval::of_sort(terms.sort(term)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPERATORS: [IntOp; 9] = [
        IntOp::Add,
        IntOp::Mul,
        IntOp::Div,
        IntOp::Rem,
        IntOp::And,
        IntOp::Or,
        IntOp::Xor,
        IntOp::Shl,
        IntOp::Shr,
    ];

    /// All intervals between some small and some telling numbers.
    fn intervals() -> Vec<Interval> {
        let ends = [-130, -9, -2, -1, 0, 1, 3, 63, 64, 200];
        let mut intervals = Vec::new();
        for (index, &low) in ends.iter().enumerate() {
            for &high in &ends[index..] {
                intervals.push(Interval::new(low, high));
            }
        }
        intervals
    }

    fn members(interval: Interval) -> impl Iterator<Item = i128> {
        let step = ((interval.high - interval.low) / 12).max(1);
        (interval.low..=interval.high)
            .step_by(step as usize)
            .chain([interval.high])
    }

    #[test]
    fn results_contain_what_the_operation_gives() {
        for a in intervals() {
            for b in intervals() {
                for op in OPERATORS {
                    let result = Interval::apply(op, a, b);
                    for x in members(a) {
                        for y in members(b) {
                            let value = op.apply(x, y).unwrap();
                            assert!(result.contains(value), "{op:?} {x} {y} not in {result:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn unbounded_operands_give_what_bounded_ones_give_and_more() {
        let open = |interval: Interval| {
            [
                interval,
                Interval::new(NO_LOW, interval.high),
                Interval::new(interval.low, NO_HIGH),
                Interval::ALL,
            ]
        };
        for a in intervals().into_iter().step_by(3) {
            for b in intervals().into_iter().step_by(3) {
                for op in OPERATORS {
                    let (x, y) = (a.high, b.low);
                    let value = op.apply(x, y).unwrap();
                    for a in open(a) {
                        for b in open(b) {
                            let result = Interval::apply(op, a, b);
                            assert!(result.contains(value), "{op:?} {a:?} {b:?}: {result:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn wrapping_keeps_all_members() {
        for interval in intervals() {
            for ty in IntType::ALL {
                let result = interval.wrap(ty);
                for value in interval.low..=interval.high {
                    assert!(result.contains(ty.wrap(value)), "{ty} {value}");
                }
            }
        }
    }

    #[test]
    fn widths_fit() {
        assert_eq!(Interval::new(0, 0).signed_width(), Some(1));
        assert_eq!(Interval::of_type(IntType::I8).signed_width(), Some(8));
        assert_eq!(Interval::of_type(IntType::U8).signed_width(), Some(9));
        assert_eq!(Interval::new(-129, 0).signed_width(), Some(9));
        assert_eq!(Interval::ALL.signed_width(), None);
    }
}
