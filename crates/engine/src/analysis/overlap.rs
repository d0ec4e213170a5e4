//! Whether anybody could notice that a pointer of the input leads into another object, or that there
//! is more than one struct where it leads.
//!
//! Where nothing of a type is ever written, freed, or compared as an address, a field that a pointer
//! leads to is as good as a number that stands alone: then paths need not tell the two apart.

use heapwright_ir::{
    BinaryOp, Comparison, Constant, Function, FunctionId, InputRules, Operand, Operation, Program,
    UnaryOp,
};
use heapwright_logic::{ClassId, Sort};
use rustc_hash::FxHashSet;

use super::call_graph::{Callees, class_of};
use crate::input::candidates::{element_sort, fits, has_objects};

/// What matters about pointers into objects.
#[derive(Clone, Debug, Default)]
pub struct Overlap {
    /// Everything may be noticed.
    all: bool,
    /// The sorts of values for which it may be noticed.
    sorts: FxHashSet<Sort>,
    /// The classes of structs that objects of the input can have.
    pub classes: Vec<ClassId>,
    /// The classes of structs that pointers to them go on from one to the next.
    pub indexed: FxHashSet<ClassId>,
    /// The classes that pointers are cast to pointers to.
    pub cast: FxHashSet<ClassId>,
}

impl Overlap {
    /// Of a function and all that it may call, with inputs of these sorts.
    pub fn new(
        program: &Program,
        rules: &InputRules,
        function: FunctionId,
        inputs: impl Iterator<Item = Sort>,
    ) -> Overlap {
        if rules.interiors.is_empty() {
            return Overlap::default();
        }
        let mut overlap = Overlap {
            classes: input_classes(program, inputs),
            ..Overlap::default()
        };
        let callees = Callees::new(program);
        let mut pending = vec![function];
        let mut seen: FxHashSet<FunctionId> = pending.iter().copied().collect();
        while let Some(id) = pending.pop() {
            let Some(code) = program.functions.get(id.index()) else {
                continue;
            };
            // What globals begin with was there before.
            if rules.shared.initialisers.contains(&id) {
                continue;
            }
            for instruction in code.blocks.iter().flat_map(|block| &block.instructions) {
                overlap.look(program, rules, code, &instruction.operation);
                for callee in callees.of(code, &instruction.operation) {
                    if seen.insert(callee) {
                        pending.push(callee);
                    }
                }
            }
        }
        overlap
    }

    /// Whether a pointer to values of a sort is worth looking at.
    pub fn is_noticed(&self, sort: Sort) -> bool {
        self.all || self.sorts.contains(&sort)
    }

    fn look(&mut self, program: &Program, rules: &InputRules, code: &Function, op: &Operation) {
        let mut pointer = |operand: Operand| {
            if let Some(class) = class_of(code, operand)
                && rules.interiors.contains_key(&class)
            {
                self.sorts.extend(element_sort(program, class));
            }
        };
        let is_null = |operand: Operand| matches!(operand, Operand::Constant(Constant::Null));
        match *op {
            Operation::Store { value, .. } | Operation::StoreElement { value, .. } => {
                self.sorts.extend(sort_of(code, value));
            }
            Operation::Binary { op, a, b, .. } => {
                let is_test = matches!(op, BinaryOp::Compare(Comparison::Eq | Comparison::Ne));
                if !(is_test && (is_null(a) || is_null(b))) {
                    pointer(a);
                    pointer(b);
                }
            }
            Operation::Unary {
                op: UnaryOp::Convert(to),
                a,
                ..
            } if to != Sort::Bool => pointer(a),
            Operation::ElementAddress { array, .. } => {
                self.indexed.extend(class_of(code, array));
            }
            Operation::Cast { to, .. } => {
                self.cast.extend(class_of(code, Operand::Register(to)));
            }
            Operation::CopyBytes { .. }
            | Operation::FillBytes { value: Some(_), .. }
            | Operation::Free { .. } => self.all = true,
            _ => {}
        }
    }
}

fn sort_of(code: &Function, operand: Operand) -> Option<Sort> {
    match operand {
        Operand::Register(register) => Some(code.registers.get(register.index())?.sort),
        Operand::Constant(Constant::Bool(_)) => Some(Sort::Bool),
        Operand::Constant(Constant::Int(ty, _)) => Some(Sort::Machine(ty)),
        _ => None,
    }
}

/// The classes of structs that objects of the input can have, by the sorts of what it starts from.
fn input_classes(program: &Program, sorts: impl Iterator<Item = Sort>) -> Vec<ClassId> {
    let mut found: Vec<ClassId> = Vec::new();
    let mut pending: Vec<ClassId> = sorts.filter_map(referred).collect();
    let mut seen = pending.clone();
    while let Some(expected) = pending.pop() {
        if expected == ClassId::ANY {
            continue;
        }
        for class in (0..program.classes.len() as u32).map(ClassId) {
            if !has_objects(program, class) || !fits(program, class, expected) {
                continue;
            }
            if element_sort(program, class).is_none() && !found.contains(&class) {
                found.push(class);
            }
            let fields = program.definitions.class(class).fields.iter();
            let sorts = fields.map(|field| field.sort);
            for next in sorts
                .chain(element_sort(program, class))
                .filter_map(referred)
            {
                if !seen.contains(&next) {
                    seen.push(next);
                    pending.push(next);
                }
            }
        }
    }
    found.sort_unstable();
    found
}

fn referred(sort: Sort) -> Option<ClassId> {
    match sort {
        Sort::Ref(class) => Some(class),
        _ => None,
    }
}
