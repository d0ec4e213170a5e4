//! What calls are given.

use super::{Callee, Catalogue, Operand, OperationId, Recipe, Script, Statement, TypeId};
use crate::search::strategy::Generator;
use crate::sequences::Argument;
use heapwright_ir::Program;
use heapwright_ir::machine::concrete::Value;
use heapwright_logic::ClassId;

/// Recipes whose operands are made by recipes nest no deeper than this.
const DEEPEST: u32 = 4;

/// Elements that an array has at most, as a rule and now and then.
const FEW_ELEMENTS: usize = 3;
const MANY_ELEMENTS: usize = 12;

/// Literals that are usual; the others are for branches that need them.
const USUAL: usize = 8;

/// Adds calls to a script, with what they need.
pub(super) struct Writer<'a> {
    pub program: &'a Program,
    pub catalogue: &'a Catalogue,
    pub generator: &'a mut Generator,
    pub script: Script,
    /// The classes of what the statements gave that were executed before; those of later ones are
    /// as their types say.
    pub classes: &'a [Option<ClassId>],
}

impl Writer<'_> {
    /// Adds a call of an operation. Whether it can be made; the script is the same if not.
    pub fn call(&mut self, operation: OperationId, depth: u32) -> Option<u32> {
        let length = self.script.statements.len();
        let called = self.try_call(operation, depth, None);
        if called.is_none() {
            self.script.statements.truncate(length);
        }
        called
    }

    fn try_call(
        &mut self,
        operation: OperationId,
        depth: u32,
        first: Option<Operand>,
    ) -> Option<u32> {
        let known = self.catalogue.operation(operation)?;
        let extends = known.extends;
        let has_receiver = matches!(known.callee, Callee::Virtual(_));
        let mut parameters = known.parameters.clone();
        if let (Callee::Array(_), Some(&element)) = (&known.callee, parameters.first()) {
            let most = match self.generator.below(6) {
                0 => MANY_ELEMENTS,
                _ => FEW_ELEMENTS,
            };
            parameters = vec![element; self.generator.below(most + 1)];
        }
        let mut operands = Vec::new();
        operands.extend(first);
        for (index, &ty) in parameters.iter().enumerate().skip(operands.len()) {
            operands.push(match has_receiver && index == 0 {
                true => self.receiver(ty, depth, extends)?,
                false => self.operand(ty, depth)?,
            });
        }
        self.script.statements.push(Statement {
            operation,
            operands,
        });
        Some(self.script.statements.len() as u32 - 1)
    }

    /// The object that a method is called on. Scripts are extended by calls on objects of the code
    /// under test, which are got from it where none is there.
    fn receiver(&mut self, ty: TypeId, depth: u32, extends: bool) -> Option<Operand> {
        let mut known = self.variables(ty);
        if extends {
            known.retain(|&index| match self.classes.get(index as usize) {
                Some(Some(class)) => self.catalogue.family.contains(class),
                _ => true,
            });
        }
        if !known.is_empty() && self.generator.below(16) > 0 {
            // The object that a script is about is the one that it made last, as a rule.
            let index = match self.generator.below(3) {
                0 => self.generator.below(known.len()),
                _ => known.len() - 1,
            };
            return known
                .get(index)
                .map(|&variable| Operand::Variable(variable));
        }
        let given = match extends {
            true => self.given(ty, depth),
            false => None,
        };
        match given {
            Some(given) => Some(Operand::Variable(given)),
            None => self.made(ty, depth).map(Operand::Variable),
        }
    }

    /// An object that an operation of the code under test gives.
    fn given(&mut self, ty: TypeId, depth: u32) -> Option<u32> {
        if depth >= DEEPEST {
            return None;
        }
        let operations = (0..).zip(&self.catalogue.operations);
        let givers: Vec<u32> = operations
            .filter(|(_, operation)| operation.extends && operation.result == Some(ty))
            .map(|(index, _)| index)
            .collect();
        if givers.is_empty() {
            return None;
        }
        let giver = givers.get(self.generator.below(givers.len()))?;
        self.call(OperationId(*giver), depth + 1)
    }

    /// Something of a type.
    fn operand(&mut self, ty: TypeId, depth: u32) -> Option<Operand> {
        let info = self.catalogue.ty(ty)?;
        let known = self.variables(ty);
        if info.nullable && self.generator.below(24) == 0 {
            return Some(Operand::Literal(Argument::Value(Value::Null)));
        }
        if !info.literals.is_empty() {
            return Some(Operand::Literal(self.literal(ty)?));
        }
        if !known.is_empty() && self.generator.below(5) < 3 {
            let index = self.generator.below(known.len());
            return known
                .get(index)
                .map(|&variable| Operand::Variable(variable));
        }
        if let Some(made) = self.made(ty, depth) {
            return Some(Operand::Variable(made));
        }
        if let Some(&variable) = known.last() {
            return Some(Operand::Variable(variable));
        }
        let null = Operand::Literal(Argument::Value(Value::Null));
        info.nullable.then_some(null)
    }

    /// The variables that an operand of a type can be.
    fn variables(&self, ty: TypeId) -> Vec<u32> {
        let Some(wanted) = self.catalogue.ty(ty).and_then(|info| info.class) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (index, statement) in (0..).zip(&self.script.statements) {
            let operation = self.catalogue.operation(statement.operation);
            let result = operation.and_then(|operation| operation.result);
            let class = match self.classes.get(index as usize) {
                Some(class) => class.filter(|_| result.is_some()),
                None => result.and_then(|result| self.catalogue.ty(result)?.class),
            };
            let is_unfit =
                result.is_some_and(|result| self.catalogue.unfit.contains(&(result, ty)));
            if !is_unfit && class.is_some_and(|class| self.program.is_subtype(class, wanted)) {
                found.push(index);
            }
        }
        found
    }

    /// A literal: one that the script has already, or a usual one, or any.
    fn literal(&mut self, ty: TypeId) -> Option<Argument> {
        let literals = &self.catalogue.ty(ty)?.literals;
        let choice = self.generator.below(10);
        if choice < 4 {
            let used: Vec<&Argument> = (self.script.statements.iter())
                .flat_map(|statement| &statement.operands)
                .filter_map(|operand| match operand {
                    Operand::Literal(argument) if literals.contains(argument) => Some(argument),
                    _ => None,
                })
                .collect();
            if !used.is_empty() {
                let index = self.generator.below(used.len());
                return used.get(index).map(|&argument| argument.clone());
            }
        }
        let count = match choice {
            0..=7 => literals.len().min(USUAL),
            _ => literals.len(),
        };
        literals.get(self.generator.below(count.max(1))).cloned()
    }

    /// A new object of a type.
    fn made(&mut self, ty: TypeId, depth: u32) -> Option<u32> {
        let recipes = &self.catalogue.ty(ty)?.recipes;
        if depth >= DEEPEST || recipes.is_empty() {
            return None;
        }
        let start = self.generator.below(recipes.len());
        // The first recipe that works, from a random one on.
        for offset in 0..recipes.len() {
            let length = self.script.statements.len();
            let recipe = recipes.get((start + offset) % recipes.len())?;
            let made = self.follow(recipe, depth + 1);
            if made.is_some() {
                return made;
            }
            self.script.statements.truncate(length);
        }
        None
    }

    fn follow(&mut self, recipe: &Recipe, depth: u32) -> Option<u32> {
        match *recipe {
            Recipe::Call(operation) => self.try_call(operation, depth, None),
            Recipe::Filled { start, fill, most } => {
                let object = self.try_call(start, depth, None)?;
                for _ in 0..self.generator.below(most as usize + 1) {
                    let receiver = Some(Operand::Variable(object));
                    self.try_call(fill, depth, receiver)?;
                }
                Some(object)
            }
        }
    }
}
