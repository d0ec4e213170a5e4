//! One function.

use heapwright_ir::{BlockId, Callee, Constant, Function, Operand, Operation, Reg, Terminator};
use heapwright_logic::Sort;
use rustc_hash::{FxHashMap, FxHashSet};

use super::builder::{Builder, int};
use super::{Lowering, body, result_type, visit};
use crate::error::CError;
use crate::tree::Node;
use crate::types::{CType, parse};

/// A function that is being translated.
pub(super) struct Body<'l, 't> {
    pub lowering: &'l mut Lowering<'t>,
    pub builder: Builder,
    pub variables: FxHashMap<u64, Variable>,
    /// Variables whose address is taken.
    addressed: FxHashSet<u64>,
    /// Objects that end with the function, and how they are freed.
    locals: Vec<(Operand, Option<Callee>)>,
    pub result: CType,
    /// Where `break` and `continue` lead to.
    pub exits: Vec<BlockId>,
    pub continues: Vec<BlockId>,
    pub labels: FxHashMap<u64, BlockId>,
    /// The cases of the switches around.
    pub switches: Vec<Vec<(Option<i128>, BlockId)>>,
}

/// Where a variable is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Variable {
    /// In a register.
    Register(Reg),
    /// In the only element of an array.
    Boxed(Operand, Sort),
    /// It is a struct, or an array.
    Object(Operand),
}

impl<'t> Lowering<'t> {
    /// Translates a function.
    pub(super) fn function(&mut self, node: &Node) -> Result<Function, CError> {
        let Some(code) = body(node) else {
            return Err(self.unsupported(node, "a function without a body"));
        };
        let mut addressed = FxHashSet::default();
        visit(code, &mut |inner| {
            if inner.kind == "UnaryOperator" && inner.opcode == "&" {
                addressed.extend(variable_of(inner.inner.first()));
            }
        });
        let mut this = Body {
            builder: Builder::new(),
            variables: FxHashMap::default(),
            addressed,
            locals: Vec::new(),
            result: result_type(node),
            exits: Vec::new(),
            continues: Vec::new(),
            labels: FxHashMap::default(),
            switches: Vec::new(),
            lowering: self,
        };
        let mut params = 0;
        let mut boxed = Vec::new();
        for param in node
            .inner
            .iter()
            .filter(|inner| inner.kind == "ParmVarDecl")
        {
            let sort = this.lowering.sort(param, &parse(&param.ty))?;
            let register = this.builder.register(Some(&param.name), sort);
            params += 1;
            match this.addressed.contains(&param.id) {
                true => boxed.push((param.id, register, sort)),
                false => {
                    this.variables
                        .insert(param.id, Variable::Register(register));
                }
            }
        }
        this.builder.position = this.lowering.position(&node.place);
        for (id, register, sort) in boxed {
            let array = this.new_box(sort);
            this.builder.emit(Operation::StoreElement {
                array,
                index: int(heapwright_logic::IntType::I64, 0),
                value: Operand::Register(register),
            });
            this.variables.insert(id, Variable::Boxed(array, sort));
        }
        this.declare_objects(code)?;
        this.statement(code)?;
        let result = match this.result.clone() {
            CType::Void => {
                this.leave(None);
                None
            }
            ty => {
                this.builder.end(Terminator::Unreachable);
                Some(this.lowering.sort(node, &ty)?)
            }
        };
        let position = this.lowering.position(&node.place);
        Ok(this.builder.finish(&node.name, params, result, position))
    }
}

impl Body<'_, '_> {
    /// Makes the objects of variables that are no registers, at the beginning of the function.
    fn declare_objects(&mut self, code: &Node) -> Result<(), CError> {
        let mut declared = Vec::new();
        visit(code, &mut |node| {
            if node.kind == "VarDecl" {
                declared.push(node);
            }
        });
        for node in declared {
            if matches!(node.storage.as_str(), "static" | "extern") {
                return Err(self.lowering.unsupported(node, "a static variable"));
            }
            self.builder.position = self.lowering.position(&node.place);
            let ty = parse(&node.ty);
            let variable = match &ty {
                CType::Record(name) => {
                    let (class, _) = self.lowering.class(node, name)?;
                    let object = self.new_object(class);
                    let free = Callee::Static(self.lowering.free_function(class));
                    self.locals.push((object, Some(free)));
                    Variable::Object(object)
                }
                CType::Array(element, Some(length)) => {
                    let sort = self.lowering.sort(node, element)?;
                    let class = self.lowering.classes.array(sort);
                    let length = int(heapwright_logic::IntType::U64, i128::from(*length));
                    let object = self
                        .builder
                        .value(Sort::Ref(class), |to| Operation::NewArray {
                            to,
                            class,
                            length,
                        });
                    self.locals.push((object, None));
                    Variable::Object(object)
                }
                _ => {
                    let sort = self.lowering.sort(node, &ty)?;
                    match self.addressed.contains(&node.id) {
                        true => Variable::Boxed(self.new_box(sort), sort),
                        false => {
                            let register = self.builder.register(Some(&node.name), sort);
                            let from = default(sort);
                            self.builder.emit(Operation::Move { to: register, from });
                            Variable::Register(register)
                        }
                    }
                }
            };
            self.variables.insert(node.id, variable);
        }
        Ok(())
    }

    fn new_box(&mut self, sort: Sort) -> Operand {
        let class = self.lowering.classes.array(sort);
        let length = int(heapwright_logic::IntType::U64, 1);
        let array = self
            .builder
            .value(Sort::Ref(class), |to| Operation::NewArray {
                to,
                class,
                length,
            });
        self.locals.push((array, None));
        array
    }

    /// A new struct with all that is inside of it.
    pub(super) fn new_object(&mut self, class: heapwright_logic::ClassId) -> Operand {
        let function = self.lowering.new_function(class);
        self.builder.value(Sort::Ref(class), |to| Operation::Call {
            to: Some(to),
            callee: Callee::Static(function),
            args: Vec::new(),
        })
    }

    /// Returns, after the variables of the function have ended.
    pub(super) fn leave(&mut self, result: Option<Operand>) {
        for (object, free) in self.locals.clone() {
            self.builder.emit(match free {
                Some(callee) => Operation::Call {
                    to: None,
                    callee,
                    args: vec![object],
                },
                None => Operation::Free { object },
            });
        }
        self.builder.end(Terminator::Return(result));
    }
}

/// The variable whose address `&` takes.
fn variable_of(node: Option<&Node>) -> Option<u64> {
    let node = node?;
    match node.kind.as_str() {
        "ParenExpr" => variable_of(node.inner.first()),
        "DeclRefExpr" => Some(node.reference.as_ref()?.id),
        _ => None,
    }
}

/// What a variable begins with that nobody has given a value.
pub(super) fn default(sort: Sort) -> Operand {
    Operand::Constant(match sort {
        Sort::Bool => Constant::Bool(false),
        Sort::Machine(ty) => Constant::Int(ty, 0),
        Sort::Float(heapwright_logic::FloatType::Single) => Constant::Single(0),
        Sort::Float(heapwright_logic::FloatType::Double) => Constant::Double(0),
        Sort::Int | Sort::Ref(_) => Constant::Null,
    })
}
