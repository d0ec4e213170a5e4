//! Calls: of functions of the unit, through pointers, and with further arguments.

use heapwright_ir::{Callee, FunctionId, Operand, Operation, Position, Reg, Terminator, UnaryOp};
use heapwright_logic::{ClassId, IntType, Sort};

use super::Lowering;
use super::builder::{Builder, int};
use super::function::Body;
use super::place::{Lvalue, is_scalar};
use crate::ast::{self, CType, Expr, ExprKind, Signature};
use crate::error::CError;

/// The name of the method that calls a function through a pointer.
pub(super) const CALL: &str = "call";

/// Bytes of one further argument.
const ARGUMENT: u64 = 8;

impl Lowering<'_> {
    /// The function that calls another one, with the object that stands for it in front.
    pub(super) fn method_of(&mut self, id: ast::FunctionId) -> Result<FunctionId, CError> {
        let unit = self.unit;
        let node = &unit.functions[id.0 as usize];
        let name = format!("{CALL} {}", node.name);
        if let Some(&known) = self.known.get(&name) {
            return Ok(known);
        }
        let class = self.classes.function(&node.signature);
        let mut body = self.body(node.signature.result.clone());
        body.builder.register(None, Sort::Ref(class));
        let mut args = Vec::new();
        for ty in &node.signature.params {
            let sort = match ty {
                CType::Record(_) => body.pointer_sort(ty),
                other => body.lowering.sort(node.place, other)?,
            };
            args.push(Operand::Register(body.builder.register(None, sort)));
        }
        if node.signature.variadic {
            let sort = Sort::Ref(ClassId::ANY);
            args.push(Operand::Register(body.builder.register(None, sort)));
        }
        let params = args.len() as u32 + 1;
        body.builder.position = body.lowering.position(node.place);
        let result = match &node.signature.result {
            CType::Void => None,
            ty @ CType::Record(_) => Some(body.pointer_sort(ty)),
            other => Some(body.lowering.sort(node.place, other)?),
        };
        let value = match body.lowering.ids.get(&id).copied() {
            Some(callee) => {
                let to = result.map(|sort| body.builder.register(None, sort));
                body.builder.emit(Operation::Call {
                    to,
                    callee: Callee::Static(callee),
                    args,
                });
                to.map(Operand::Register)
            }
            None => {
                let args = args.into_iter().map(Some).collect::<Vec<_>>();
                body.library(&node.name, &node.signature, node.place, &args)?
            }
        };
        body.builder.end(Terminator::Return(value));
        let function = body
            .builder
            .finish(&name, params, result, Position::default());
        Ok(self.add_synthetic(function))
    }
}

impl Body<'_, '_> {
    /// Ends the path by name.
    pub(super) fn refuse(&mut self, error: &CError) {
        self.builder.emit(Operation::Call {
            to: None,
            callee: Callee::Intrinsic(error.to_string()),
            args: Vec::new(),
        });
    }

    /// A call; gives the value, or the object of a struct.
    pub(super) fn call(&mut self, expr: &Expr) -> Result<Option<Operand>, CError> {
        let ExprKind::Call(callee, args) = &expr.kind else {
            return Err(self.lowering.unsupported(expr.place, "this call"));
        };
        let unit = self.lowering.unit;
        if let Some(id) = named(callee) {
            let node = &unit.functions[id.0 as usize];
            if let Some(value) = self.special(expr, &node.name, args)? {
                return Ok(value);
            }
            let mut id = self.lowering.ids.get(&id).copied();
            let mut node = node;
            if let (None, true) = (id, node.signature.variadic)
                && let Some((other, known)) = self.prelude(&node.name)
            {
                (id, node) = (Some(other), known);
            }
            let mut values = self.arguments(&node.signature, args)?;
            self.builder.position = self.lowering.position(expr.place);
            return match id {
                Some(id) => {
                    if !node.signature.variadic {
                        return self.emit_call(expr, Callee::Static(id), values);
                    }
                    let more = self.further(&node.signature, args, &mut values)?;
                    values.push(more);
                    let result = self.emit_call(expr, Callee::Static(id), values);
                    self.builder.emit(Operation::Free { object: more });
                    result
                }
                None => {
                    let values: Vec<Option<Operand>> = values.into_iter().map(Some).collect();
                    self.library(&node.name, &node.signature, expr.place, &values)
                }
            };
        }
        let signature = match &callee.ty {
            CType::Pointer(to) => match &**to {
                CType::Function(signature) => signature.clone(),
                _ => return Err(self.lowering.unsupported(expr.place, "this call")),
            },
            _ => return Err(self.lowering.unsupported(expr.place, "this call")),
        };
        let function = self.rvalue(callee)?;
        let mut values = self.arguments(&signature, args)?;
        let more = match signature.variadic {
            true => Some(self.further(&signature, args, &mut values)?),
            false => None,
        };
        values.extend(more);
        values.insert(0, function);
        self.builder.position = self.lowering.position(expr.place);
        let result = self.emit_call(expr, Callee::Virtual(CALL.to_owned()), values);
        if let Some(object) = more {
            self.builder.emit(Operation::Free { object });
        }
        result
    }

    fn emit_call(
        &mut self,
        expr: &Expr,
        callee: Callee,
        args: Vec<Operand>,
    ) -> Result<Option<Operand>, CError> {
        let to = match &expr.ty {
            CType::Void => None,
            ty @ CType::Record(_) => {
                let sort = self.pointer_sort(ty);
                Some(self.builder.register(None, sort))
            }
            ty => {
                let sort = self.lowering.sort(expr.place, ty)?;
                Some(self.builder.register(None, sort))
            }
        };
        self.builder.emit(Operation::Call { to, callee, args });
        Ok(to.map(Operand::Register))
    }

    /// The values of the arguments.
    fn arguments(&mut self, signature: &Signature, args: &[Expr]) -> Result<Vec<Operand>, CError> {
        let mut values = Vec::new();
        for (index, arg) in args.iter().enumerate() {
            values.push(match &arg.ty {
                CType::Record(_) => self.object_of(arg)?,
                CType::Other(name) if name == "va_list" => self.list(arg)?,
                ty if is_scalar(ty) => {
                    let value = self.rvalue(arg)?;
                    // The class of a pointer may be another one.
                    match signature.params.get(index) {
                        Some(param @ CType::Pointer(_)) => {
                            let sort = self.lowering.sort(arg.place, param)?;
                            self.builder
                                .value(sort, |to| Operation::Move { to, from: value })
                        }
                        _ => value,
                    }
                }
                _ => return Err(self.lowering.unsupported(arg.place, "this argument")),
            });
        }
        Ok(values)
    }

    /// Puts the arguments behind the declared ones into memory.
    fn further(
        &mut self,
        signature: &Signature,
        args: &[Expr],
        values: &mut Vec<Operand>,
    ) -> Result<Operand, CError> {
        let further = values.split_off(signature.params.len().min(values.len()));
        let raw = self.lowering.classes.raw;
        let area = self.new_array(raw, further.len() as u64 * ARGUMENT);
        let types = args.iter().skip(signature.params.len());
        for (index, (value, arg)) in (0i128..).zip(further.into_iter().zip(types)) {
            let bytes = int(IntType::I64, index * i128::from(ARGUMENT));
            let byte = CType::Int(IntType::I8);
            let place = self.displaced(arg.place, area, &byte, bytes)?;
            match &arg.ty {
                CType::Record(_) => {
                    return Err(self.lowering.unsupported(arg.place, "this argument"));
                }
                ty => {
                    let to = Lvalue::Element(place, int(IntType::I64, 0), ty.clone());
                    self.store(arg.place, to, value)?;
                }
            }
        }
        Ok(self
            .builder
            .value(Sort::Ref(ClassId::ANY), |to| Operation::Move {
                to,
                from: area,
            }))
    }

    /// The object that a list of arguments is kept in.
    fn list(&mut self, expr: &Expr) -> Result<Operand, CError> {
        match &expr.kind {
            ExprKind::Load(inner) | ExprKind::Decay(inner) | ExprKind::Cast(inner) => {
                self.list(inner)
            }
            _ if is_scalar(&expr.ty) => self.rvalue(expr),
            _ => match self.lvalue(expr)? {
                Lvalue::Object(object, _) => Ok(object),
                other => self.address_of(expr.place, other),
            },
        }
    }

    /// `va_start(list, last)` and its relatives, and what is no function at all.
    fn special(
        &mut self,
        expr: &Expr,
        name: &str,
        args: &[Expr],
    ) -> Result<Option<Option<Operand>>, CError> {
        let any = Sort::Ref(ClassId::ANY);
        let first = int(IntType::I64, 0);
        match (name, args) {
            ("__builtin_va_start", [list, ..]) => {
                let array = self.list(list)?;
                let Some(area) = self.more_arguments else {
                    return Err(self.lowering.unsupported(expr.place, "va_start here"));
                };
                self.store_list(array, Operand::Register(area));
                Ok(Some(None))
            }
            ("__builtin_va_copy", [to, from]) => {
                let (to, from) = (self.list(to)?, self.list(from)?);
                let value = self.builder.value(any, |to| Operation::LoadElement {
                    to,
                    array: from,
                    index: first,
                });
                self.store_list(to, value);
                Ok(Some(None))
            }
            ("__builtin_va_end", _) => Ok(Some(None)),
            // Bytes from a pointer to the end of what it leads into.
            ("hw_size", [pointer]) => {
                let object = self.rvalue(pointer)?;
                let size = Sort::Machine(IntType::I64);
                let extent = self
                    .builder
                    .value(size, |to| Operation::Extent { to, object });
                let converted =
                    self.builder
                        .value(Sort::Machine(IntType::U64), |to| Operation::Unary {
                            to,
                            op: UnaryOp::Convert(Sort::Machine(IntType::U64)),
                            a: extent,
                        });
                Ok(Some(Some(converted)))
            }
            ("hw_assume", [condition]) => {
                self.assume(condition)?;
                Ok(Some(None))
            }
            _ => Ok(None),
        }
    }

    fn store_list(&mut self, array: Operand, value: Operand) {
        self.builder.emit(Operation::StoreElement {
            array,
            index: int(IntType::I64, 0),
            value,
        });
    }

    /// `va_arg(list, type)`
    pub(super) fn next_argument(&mut self, expr: &Expr, list: &Expr) -> Result<Operand, CError> {
        let array = self.list(list)?;
        let any = Sort::Ref(ClassId::ANY);
        let first = int(IntType::I64, 0);
        let current = self.builder.value(any, |to| Operation::LoadElement {
            to,
            array,
            index: first,
        });
        let from = Lvalue::Element(current, first, expr.ty.clone());
        let value = self.load(expr.place, &from)?;
        let byte = CType::Int(IntType::I8);
        let distance = int(IntType::I64, i128::from(ARGUMENT));
        let next = self.displaced(expr.place, current, &byte, distance)?;
        let next = self
            .builder
            .value(any, |to| Operation::Move { to, from: next });
        self.store_list(array, next);
        Ok(value)
    }

    /// Leaves out inputs for which a condition does not hold. Parts that all have to hold are no
    /// branches.
    fn assume(&mut self, expr: &Expr) -> Result<(), CError> {
        match &expr.kind {
            ExprKind::LogicalAnd(left, right) => {
                self.assume(left)?;
                self.assume(right)
            }
            ExprKind::Cast(inner) if matches!(inner.kind, ExprKind::LogicalAnd(..)) => {
                self.assume(inner)
            }
            _ => {
                let condition = self.truth(expr)?;
                self.builder.emit(Operation::Assume { condition });
                Ok(())
            }
        }
    }
}

/// The function that is called by name.
pub(super) fn named(callee: &Expr) -> Option<ast::FunctionId> {
    match &callee.kind {
        ExprKind::Function(id) => Some(*id),
        ExprKind::Decay(inner)
        | ExprKind::Cast(inner)
        | ExprKind::Address(inner)
        | ExprKind::Load(inner)
        | ExprKind::Deref(inner) => named(inner),
        _ => None,
    }
}

/// A builder whose first registers are parameters.
pub(super) fn with_parameters(sorts: &[Sort]) -> (Builder, Vec<Operand>) {
    let mut builder = Builder::new();
    let registers: Vec<Reg> = sorts
        .iter()
        .map(|&sort| builder.register(None, sort))
        .collect();
    let operands = registers.into_iter().map(Operand::Register).collect();
    (builder, operands)
}
