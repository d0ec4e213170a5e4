//! Conversions to floats that the Z3 bindings have no function for.
//!
//! Z3 itself knows them: one formula that uses the conversion is parsed from SMT-LIB text, and
//! its function symbol is taken from there.

use std::collections::hash_map::Entry;

use heapwright_logic::FloatType;
use rustc_hash::FxHashMap;
use z3::ast::{Ast, BV, Float, RoundingMode};
use z3::{FuncDecl, Solver};

/// The function symbols seen so far.
#[derive(Default)]
pub struct Conversions {
    from_int: FxHashMap<(FloatType, u32), FuncDecl>,
    from_bits: FxHashMap<FloatType, FuncDecl>,
}

impl Conversions {
    /// A number in two's complement, rounded to the nearest float.
    pub fn round(&mut self, ty: FloatType, vector: &BV, width: u32) -> Option<Float> {
        let decl = match self.from_int.entry((ty, width)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(vacant) => vacant.insert(parse(ty, width, "RNE ")?),
        };
        let rounding = RoundingMode::round_nearest_ties_to_even();
        decl.apply(&[&rounding, vector]).as_float()
    }

    /// The float with the given representation.
    pub fn reinterpret(&mut self, ty: FloatType, vector: &BV) -> Option<Float> {
        let decl = match self.from_bits.entry(ty) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(vacant) => vacant.insert(parse(ty, format(ty).2, "")?),
        };
        decl.apply(&[vector]).as_float()
    }
}

/// Exponent bits, significand bits and all bits of a format.
pub fn format(ty: FloatType) -> (u32, u32, u32) {
    match ty {
        FloatType::Single => (8, 24, 32),
        FloatType::Double => (11, 53, 64),
    }
}

fn parse(ty: FloatType, width: u32, rounding: &str) -> Option<FuncDecl> {
    let (exponent, significand, _) = format(ty);
    let solver = Solver::new();
    solver.from_string(format!(
        "(declare-const vector (_ BitVec {width}))
         (declare-const float (_ FloatingPoint {exponent} {significand}))
         (assert (= ((_ to_fp {exponent} {significand}) {rounding}vector) float))"
    ));
    let assertion = solver.get_assertions().into_iter().next()?;
    assertion.nth_child(0)?.safe_decl().ok()
}
