//! Values that numbers often have, whatever the program: small ones, powers, the ends of a type, and
//! what is special about floating-point numbers.

use heapwright_logic::{FloatType, Sort, Value};

/// Every whole number up to this one, with both signs, is a usual value.
const SMALL: i32 = 32;

/// Numbers that are no small ones.
const LARGE: [i64; 14] = [
    64,
    100,
    127,
    128,
    255,
    256,
    1_000,
    1_024,
    32_767,
    65_535,
    65_536,
    1_000_000,
    1_000_000_000,
    1_000_000_000_000,
];

/// The usual values of a sort, those first that programs tell apart most often. Some may not be in
/// the range of the sort.
pub(super) fn usual(sort: Sort) -> Vec<Value> {
    match sort {
        Sort::Ref(_) => vec![Value::Null],
        Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Sort::Int => integers(None).map(Value::Int).collect(),
        Sort::Machine(ty) => {
            let ends = Some((ty.min(), ty.max()));
            integers(ends).map(Value::Int).collect()
        }
        Sort::Float(ty) => {
            let value = |number: f64| match ty {
                FloatType::Single => Value::Single((number as f32).to_bits()),
                FloatType::Double => Value::Double(number.to_bits()),
            };
            let ends = match ty {
                FloatType::Single => [
                    f64::from(f32::MAX),
                    f64::from(f32::MIN_POSITIVE),
                    f64::from(f32::from_bits(1)),
                ],
                FloatType::Double => [f64::MAX, f64::MIN_POSITIVE, f64::from_bits(1)],
            };
            let special = [
                0.0,
                1.0,
                -1.0,
                f64::NAN,
                f64::INFINITY,
                f64::NEG_INFINITY,
                -0.0,
            ];
            let parts = [0.5, -0.5, 1.5, -1.5, 2.5, 1e-10, 1e10, 1e100];
            let whole = integers(None).map(|number| number as f64);
            let ends = ends.into_iter().flat_map(|end| [end, -end]);
            (special.into_iter().chain(parts).chain(ends).chain(whole))
                .map(value)
                .collect()
        }
    }
}

/// Small numbers, the ends of a range, and large numbers.
fn integers(ends: Option<(i128, i128)>) -> impl Iterator<Item = i128> {
    let few = [0, 1, -1, 2].into_iter();
    let ends = ends.into_iter().flat_map(|(least, largest)| {
        [
            largest,
            least,
            largest.saturating_sub(1),
            least.saturating_add(1),
        ]
    });
    let small = (2..=i128::from(SMALL)).flat_map(|number| [number, -number]);
    let large = LARGE.into_iter().flat_map(|number| {
        let number = i128::from(number);
        [number, -number]
    });
    few.chain(ends).chain(small).chain(large)
}
