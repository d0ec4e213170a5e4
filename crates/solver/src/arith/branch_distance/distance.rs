//! How far a comparison is from being true, and from being false.
//!
//! Distances of comparisons lie between 0 (it holds) and 1. They grow with the difference of the
//! operands and with the number of representable values between them: the difference guides
//! among numbers of the size that programs work with, the count of values leads to the last
//! place of an equation and across many orders of magnitude.

/// Added where operands that are equal must not be.
const STEP: f64 = 1.0 / 128.0;
/// Further than anything that can be measured: a comparison with NaN.
pub const FAR: f64 = 1.0 + STEP;

/// The distances of a formula from being true and from being false, one of which is 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Distance {
    /// From being true.
    pub holds: f64,
    /// From being false.
    pub fails: f64,
}

impl Distance {
    /// Of a formula about which nothing is known but its truth.
    pub fn of(truth: bool) -> Distance {
        Distance::given(truth, 1.0, 1.0)
    }

    /// Of a formula whose value cannot be computed: it neither holds nor fails.
    pub const UNDEFINED: Distance = Distance {
        holds: FAR,
        fails: FAR,
    };

    /// `holds` if it does not hold, `fails` if it does.
    fn given(truth: bool, holds: f64, fails: f64) -> Distance {
        match truth {
            true => Distance { holds: 0.0, fails },
            false => Distance { holds, fails: 0.0 },
        }
    }

    /// Of the negation.
    pub fn negated(self) -> Distance {
        Distance {
            holds: self.fails,
            fails: self.holds,
        }
    }

    /// Of a conjunction: all have to hold, one has to fail.
    pub fn and(self, other: Distance) -> Distance {
        Distance {
            holds: self.holds + other.holds,
            fails: self.fails.min(other.fails),
        }
    }

    /// Of a disjunction.
    pub fn or(self, other: Distance) -> Distance {
        self.negated().and(other.negated()).negated()
    }

    /// Of the equality of two formulas.
    pub fn equal(self, other: Distance) -> Distance {
        let both = self.and(other);
        let neither = self.negated().and(other.negated());
        both.or(neither)
    }

    /// Of `sum <= 0` over integers.
    pub fn at_most_zero(sum: i128) -> Distance {
        let beyond = integers(sum);
        Distance::given(sum <= 0, beyond, integers(sum.saturating_sub(1)))
    }

    /// Of `sum = 0` over integers.
    pub fn is_zero(sum: i128) -> Distance {
        Distance::given(sum == 0, integers(sum), STEP)
    }

    /// Of `a < b` over floats of either format.
    pub fn less(a: f64, b: f64, values: u64) -> Distance {
        let apart = floats(a, b, values);
        Distance::given(a < b, apart + STEP, apart)
    }

    /// Of `a <= b` over floats.
    pub fn at_most(a: f64, b: f64, values: u64) -> Distance {
        let apart = floats(a, b, values);
        Distance::given(a <= b, apart, apart + STEP)
    }

    /// Of `a == b` over floats.
    pub fn same(a: f64, b: f64, values: u64) -> Distance {
        Distance::given(a == b, floats(a, b, values), STEP)
    }
}

/// The distance of integers whose difference is given.
fn integers(difference: i128) -> f64 {
    let magnitude = difference.unsigned_abs();
    blend(magnitude as f64, magnitude as f64)
}

/// The distance of floats with so many values from one to the other.
fn floats(a: f64, b: f64, values: u64) -> f64 {
    if a.is_nan() || b.is_nan() {
        return FAR;
    }
    blend((a - b).abs(), values as f64)
}

fn blend(difference: f64, values: f64) -> f64 {
    // The difference of infinities is none.
    let by_difference = if difference.is_finite() {
        difference / (difference + 1.0)
    } else {
        1.0
    };
    let by_values = ((values + 1.0).log2() / 64.0).min(1.0);
    (by_difference + by_values) / 2.0
}

/// The position of a double among all, ordered, with one position for both zeros.
pub fn double_position(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    if bits < 0 {
        i64::MIN.wrapping_sub(bits)
    } else {
        bits
    }
}

/// The double at a position; positions beyond the infinities give the infinities.
pub fn double_at(position: i64) -> f64 {
    let limit = double_position(f64::INFINITY);
    let position = position.clamp(-limit, limit);
    let magnitude = f64::from_bits(position.unsigned_abs());
    if position < 0 { -magnitude } else { magnitude }
}

/// The position of a float among all.
pub fn single_position(value: f32) -> i64 {
    let bits = value.to_bits();
    let magnitude = i64::from(bits & 0x7fff_ffff);
    if bits >> 31 == 1 {
        -magnitude
    } else {
        magnitude
    }
}

/// The float at a position.
pub fn single_at(position: i64) -> f32 {
    let limit = single_position(f32::INFINITY);
    let position = position.clamp(-limit, limit);
    let magnitude = f32::from_bits(position.unsigned_abs() as u32);
    if position < 0 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_ordered_and_lead_back() {
        let ordered = [
            f64::NEG_INFINITY,
            f64::MIN,
            -1.0,
            -f64::from_bits(1),
            0.0,
            f64::from_bits(1),
            1.0,
            1.0 + f64::EPSILON,
            f64::MAX,
            f64::INFINITY,
        ];
        for pair in ordered.windows(2) {
            assert!(double_position(pair[0]) < double_position(pair[1]));
            assert_eq!(double_at(double_position(pair[0])), pair[0]);
            let (a, b) = (pair[0] as f32, pair[1] as f32);
            assert!(single_position(a) <= single_position(b));
            assert_eq!(single_at(single_position(a)), a);
        }
        assert_eq!(double_position(-0.0), 0);
        assert_eq!(double_at(i64::MAX), f64::INFINITY);
        assert_eq!(double_at(i64::MIN), f64::NEG_INFINITY);
    }

    #[test]
    fn exactly_what_holds_has_no_distance() {
        for (a, b) in [(1.0, 2.0), (2.0, 1.0), (0.0, 0.0), (f64::NAN, 1.0)] {
            let values = double_position(a).abs_diff(double_position(b));
            let cases = [
                (Distance::less(a, b, values), a < b),
                (Distance::at_most(a, b, values), a <= b),
                (Distance::same(a, b, values), a == b),
            ];
            for (distance, truth) in cases {
                assert_eq!(distance.holds == 0.0, truth);
                assert_eq!(distance.fails == 0.0, !truth);
            }
        }
        for sum in [-3, 0, 1, 7] {
            assert_eq!(Distance::at_most_zero(sum).holds == 0.0, sum <= 0);
            assert_eq!(Distance::at_most_zero(sum).fails == 0.0, sum > 0);
            assert_eq!(Distance::is_zero(sum).holds == 0.0, sum == 0);
        }
    }

    #[test]
    fn nearer_is_shorter() {
        let to_seven = |x: f64| {
            let values = double_position(x).abs_diff(double_position(7.0));
            Distance::same(x, 7.0, values).holds
        };
        let points = [1e300, 1e9, 100.0, 8.0, 7.5, 7.000000000000001, 7.0];
        for pair in points.windows(2) {
            assert!(to_seven(pair[0]) > to_seven(pair[1]));
        }
    }
}
