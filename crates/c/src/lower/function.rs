//! One function, and where its variables are kept.

use heapwright_ir::{BlockId, Callee, Constant, Function, Operand, Operation, Reg, Terminator};
use heapwright_logic::{ClassId, IntType, Sort};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Lowering;
use super::alignment::{alignment_of, multiple_of};
use super::builder::{Builder, int};
use super::classes::{flat, size_of};
use super::large::too_large;
use super::place::Lvalue;
use crate::ast::{self, CType, Expr, ExprKind, Init, LabelId, Place, Stmt, StmtKind, VariableId};
use crate::error::CError;
use crate::visit::visit_statement;

/// The values of a case, `None` for the default, and where it goes on.
pub type SwitchCase = (Option<(i128, i128)>, BlockId);

/// A function that is being translated.
pub(super) struct Body<'l, 't> {
    pub lowering: &'l mut Lowering<'t>,
    pub builder: Builder,
    pub variables: FxHashMap<VariableId, Variable>,
    /// Variables whose address is taken.
    addressed: FxHashSet<VariableId>,
    /// Objects that end with the function.
    locals: Vec<Operand>,
    /// The register that leads to further arguments.
    pub more_arguments: Option<Reg>,
    pub result: CType,
    /// Whether only the address of what is designated next is wanted.
    pub is_address: bool,
    /// Where `break` and `continue` lead to.
    pub exits: Vec<BlockId>,
    pub continues: Vec<BlockId>,
    pub labels: FxHashMap<LabelId, BlockId>,
    /// The cases of the switches around.
    pub switches: Vec<Vec<SwitchCase>>,
}

/// Where a variable is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Variable {
    /// In a register.
    Register(Reg),
    /// In an object of its own.
    Memory(Operand),
}

impl<'t> Lowering<'t> {
    /// A body without anything in it.
    pub(super) fn body(&mut self, result: CType) -> Body<'_, 't> {
        Body {
            lowering: self,
            builder: Builder::new(),
            variables: FxHashMap::default(),
            addressed: FxHashSet::default(),
            locals: Vec::new(),
            more_arguments: None,
            result,
            is_address: false,
            exits: Vec::new(),
            continues: Vec::new(),
            labels: FxHashMap::default(),
            switches: Vec::new(),
        }
    }

    /// Translates a function.
    pub(super) fn function(&mut self, node: &ast::Function) -> Result<Function, CError> {
        let Some(code) = &node.body else {
            return Err(self.unsupported(node.place, "a function without a body"));
        };
        self.refuse_large(node, code)?;
        let position = self.position(node.place);
        let result = node.signature.result.clone();
        let needs_globals = self.mentions_globals(code);
        let unit = self.unit;
        let mut this = self.body(result.clone());
        visit_statement(unit, code, &mut |expr| {
            if let ExprKind::Address(inner) = &expr.kind {
                this.addressed.extend(variable_of(inner));
            }
        });
        this.builder.position = position;
        let params = this.parameters(node)?;
        if needs_globals {
            let id = this.lowering.initialiser();
            this.builder.emit(Operation::Call {
                to: None,
                callee: Callee::Static(id),
                args: Vec::new(),
            });
        }
        this.declare(code)?;
        this.statement(code)?;
        let sort = match &result {
            CType::Void => {
                this.leave(None);
                None
            }
            CType::Record(record) => {
                this.builder.end(Terminator::Unreachable);
                Some(Sort::Ref(this.lowering.classes.record(*record)))
            }
            ty => {
                let sort = this.lowering.sort(node.place, ty)?;
                // Whoever uses what nobody returned has an undefined value; `main` returns 0.
                let value = match node.name.as_str() {
                    "main" => default(sort),
                    _ => this.builder.value(sort, |to| Operation::Undefine { to }),
                };
                this.leave(Some(value));
                Some(sort)
            }
        };
        Ok(this.builder.finish(&node.name, params, sort, position))
    }
}

impl Body<'_, '_> {
    fn parameters(&mut self, node: &ast::Function) -> Result<u32, CError> {
        let mut boxed = Vec::new();
        for &param in &node.params {
            let variable = &self.lowering.unit.variables[param.0 as usize];
            let name = Some(variable.name.as_str()).filter(|name| !name.is_empty());
            if let CType::Record(record) = variable.ty {
                let class = self.lowering.classes.record(record);
                let register = self.builder.register(name, Sort::Ref(class));
                boxed.push((param, register, variable.ty.clone()));
                continue;
            }
            let sort = self.lowering.sort(variable.place, &variable.ty)?;
            let register = self.builder.register(name, sort);
            match self.addressed.contains(&param) {
                true => boxed.push((param, register, variable.ty.clone())),
                false => {
                    let variable = Variable::Register(register);
                    self.variables.insert(param, variable);
                }
            }
        }
        let mut params = node.params.len() as u32;
        if node.signature.variadic {
            let register = self.builder.register(None, Sort::Ref(ClassId::ANY));
            self.more_arguments = Some(register);
            params += 1;
        }
        for (param, register, ty) in boxed {
            let place = node.place;
            let object = self.new_object(place, &ty)?;
            self.locals.push(object);
            self.variables.insert(param, Variable::Memory(object));
            let value = Operand::Register(register);
            match ty {
                CType::Record(_) => {
                    let ne = heapwright_ir::Comparison::Ne;
                    let condition = self.compared(ne, value, super::NULL);
                    self.builder.emit(Operation::Assume { condition });
                    self.copy(object, value, &ty);
                }
                _ => self.builder.emit(Operation::StoreElement {
                    array: object,
                    index: int(IntType::I64, 0),
                    value,
                }),
            }
        }
        Ok(params)
    }

    /// Makes the variables of a function, at its beginning.
    fn declare(&mut self, code: &Stmt) -> Result<(), CError> {
        let mut declared = Vec::new();
        let unit = self.lowering.unit;
        declarations(code, &mut |id| declared.push(id));
        visit_statement(unit, code, &mut |expr| match &expr.kind {
            ExprKind::CompoundLiteral(id) => declared.push(*id),
            ExprKind::Statements(stmts) => {
                for stmt in stmts {
                    declarations(stmt, &mut |id| declared.push(id));
                }
            }
            _ => {}
        });
        for id in declared {
            let known = self.variables.contains_key(&id);
            if known || self.lowering.variables.contains_key(&id) {
                continue;
            }
            let variable = &unit.variables[id.0 as usize];
            self.builder.position = self.lowering.position(variable.place);
            let is_scalar = matches!(
                variable.ty,
                CType::Bool | CType::Int(_) | CType::Float(_) | CType::Pointer(_)
            );
            let is_literal = !is_scalar || self.addressed.contains(&id);
            let kept = match is_literal {
                true => {
                    let object = self.new_object(variable.place, &variable.ty)?;
                    self.locals.push(object);
                    self.undefine(object, &variable.ty);
                    Variable::Memory(object)
                }
                false => {
                    let sort = self.lowering.sort(variable.place, &variable.ty)?;
                    let register = self.builder.register(Some(&variable.name), sort);
                    self.undefined(register);
                    Variable::Register(register)
                }
            };
            self.variables.insert(id, kept);
        }
        Ok(())
    }

    /// Takes the value of a register away.
    fn undefined(&mut self, to: Reg) {
        self.builder.emit(Operation::Undefine { to });
    }

    /// Takes the values of an object away.
    pub(super) fn undefine(&mut self, object: Operand, ty: &CType) {
        let size = size_of(self.lowering.unit, ty).unwrap_or(0);
        self.builder.emit(Operation::FillBytes {
            to: object,
            value: None,
            count: int(IntType::U64, i128::from(size)),
        });
    }

    /// An object of a type, all zero.
    pub(super) fn new_object(&mut self, place: Place, ty: &CType) -> Result<Operand, CError> {
        let unit = self.lowering.unit;
        if let Some(bytes) = too_large(unit, ty) {
            let what = format!("an object of {bytes} bytes");
            return Err(self.lowering.unsupported(place, what));
        }
        let (element, count) = flat(ty);
        let class = match &element {
            CType::Record(record) if !matches!(ty, CType::Array(..)) => {
                let class = self.lowering.classes.record(*record);
                let record = &unit.records[record.0 as usize];
                if record.is_union {
                    return Ok(self.new_array(class, record.size));
                }
                return Ok(self
                    .builder
                    .value(Sort::Ref(class), |to| Operation::New { to, class }));
            }
            CType::Other(name) if name == "va_list" => {
                self.lowering.classes.array(Sort::Ref(ClassId::ANY))
            }
            other => {
                let class = self.lowering.classes.elements(unit, other);
                class.ok_or_else(|| {
                    let what = match other {
                        CType::Other(name) => format!("a variable of type {name}"),
                        _ => "a variable of this type".to_owned(),
                    };
                    self.lowering.unsupported(place, what)
                })?
            }
        };
        Ok(self.new_array(class, count))
    }

    pub(super) fn new_array(&mut self, class: ClassId, count: u64) -> Operand {
        let length = int(IntType::U64, i128::from(count));
        self.builder
            .value(Sort::Ref(class), |to| Operation::NewArray {
                to,
                class,
                length,
            })
    }

    /// Copies an object of a type.
    pub(super) fn copy(&mut self, to: Operand, from: Operand, ty: &CType) {
        let size = size_of(self.lowering.unit, ty).unwrap_or(0);
        self.builder.emit(Operation::CopyBytes {
            to,
            from,
            count: int(IntType::U64, i128::from(size)),
            may_overlap: true,
        });
    }

    /// Gives a variable its first value, where it is declared.
    pub(super) fn initialise(&mut self, id: VariableId) -> Result<(), CError> {
        let unit = self.lowering.unit;
        let variable = &unit.variables[id.0 as usize];
        self.builder.position = self.lowering.position(variable.place);
        let kept = self.variables.get(&id).copied();
        match (kept, &variable.init) {
            (None, _) => Ok(()),
            (Some(Variable::Register(register)), None) => {
                self.undefined(register);
                Ok(())
            }
            (Some(Variable::Register(to)), Some(init)) => {
                let value = match init {
                    Init::Value(value) => self.rvalue(value)?,
                    Init::List(list) => match list.first() {
                        Some((_, Init::Value(value))) => self.rvalue(value)?,
                        _ => default(self.builder.registers[to.index()].sort),
                    },
                };
                self.builder.emit(Operation::Move { to, from: value });
                Ok(())
            }
            (Some(Variable::Memory(object)), None) => {
                self.undefine(object, &variable.ty);
                Ok(())
            }
            (Some(Variable::Memory(object)), Some(init)) => {
                self.fill(object, &variable.ty, init, variable.place)
            }
        }
    }

    /// Gives an object its first value.
    pub(super) fn fill(
        &mut self,
        object: Operand,
        ty: &CType,
        init: &Init,
        place: Place,
    ) -> Result<(), CError> {
        if let Init::List(_) = init {
            let size = size_of(self.lowering.unit, ty).unwrap_or(0);
            self.builder.emit(Operation::FillBytes {
                to: object,
                value: Some(int(IntType::U8, 0)),
                count: int(IntType::U64, i128::from(size)),
            });
        }
        let alignment = alignment_of(self.lowering.unit, ty);
        self.fill_part(object, ty, init, (place, alignment))
    }

    /// Gives a part of an object its first value, at an address that is a multiple of a number.
    fn fill_part(
        &mut self,
        object: Operand,
        ty: &CType,
        init: &Init,
        (place, alignment): (Place, u64),
    ) -> Result<(), CError> {
        match (ty, init) {
            (CType::Array(element, length), Init::Value(value)) => {
                if let ExprKind::String(units) = &literal(value).kind {
                    let length = length.unwrap_or(units.len() as u64);
                    let zeros = std::iter::repeat(0).skip(units.len().min(length as usize));
                    let all = units.iter().copied().chain(zeros);
                    for (index, unit) in (0i128..).zip(all.take(length as usize)) {
                        let sort = self.lowering.sort(place, element)?;
                        let Sort::Machine(ty) = sort else {
                            return Err(self.lowering.unsupported(place, "this initialiser"));
                        };
                        self.builder.emit(Operation::StoreElement {
                            array: object,
                            index: int(IntType::I64, index),
                            value: int(ty, i128::from(unit)),
                        });
                    }
                    return Ok(());
                }
                let from = self.object_of(value)?;
                self.copy(object, from, ty);
                Ok(())
            }
            (CType::Record(_), Init::Value(value)) => {
                let from = self.object_of(value)?;
                self.copy(object, from, ty);
                Ok(())
            }
            (_, Init::Value(value)) => {
                let value = self.rvalue(value)?;
                if alignment < alignment_of(self.lowering.unit, ty) {
                    let to = Lvalue::Unaligned(object, ty.clone());
                    return self.store(place, to, value);
                }
                self.builder.emit(Operation::StoreElement {
                    array: object,
                    index: int(IntType::I64, 0),
                    value,
                });
                Ok(())
            }
            (CType::Array(element, _), Init::List(list)) => {
                let size = size_of(self.lowering.unit, element).unwrap_or(1);
                for (index, init) in list {
                    let alignment = alignment.min(multiple_of(size.saturating_mul(*index)));
                    let index = int(IntType::I64, i128::from(*index));
                    let part = self.displaced(place, object, element, index)?;
                    self.fill_part(part, element, init, (place, alignment))?;
                }
                Ok(())
            }
            (CType::Record(record), Init::List(list)) => {
                for (index, init) in list {
                    let mut field = self.field_of(object, *record, *index as u32);
                    let unit = self.lowering.unit;
                    let record = &unit.records[record.0 as usize];
                    if let (Lvalue::Field(_, class, number, Some(bits)), true) =
                        (&field, alignment < record.align)
                    {
                        let bits = (*class, *number, *bits);
                        field = Lvalue::UnalignedBits(object, ty.clone(), bits);
                    }
                    let Some(known) = record.fields.get(*index as usize) else {
                        continue;
                    };
                    let here = alignment.min(multiple_of(known.offset));
                    // What lies in a packed struct is known from that only while nothing is packed
                    // around it.
                    let is_less = alignment < record.align
                        && here < alignment_of(unit, &known.ty)
                        && known.bits.is_none();
                    match (&known.ty, init) {
                        (CType::Record(_) | CType::Array(..), init) => {
                            let part = self.address_of(place, field)?;
                            self.fill_part(part, &known.ty, init, (place, here))?;
                        }
                        (_, Init::Value(_)) if is_less => {
                            let part = self.address_of(place, field)?;
                            self.fill_part(part, &known.ty, init, (place, here))?;
                        }
                        (_, Init::Value(value)) => {
                            let value = self.rvalue(value)?;
                            self.store(place, field, value)?;
                        }
                        (_, Init::List(inner)) => {
                            if let Some((_, Init::Value(value))) = inner.first() {
                                let value = self.rvalue(value)?;
                                self.store(place, field, value)?;
                            }
                        }
                    }
                }
                Ok(())
            }
            (_, Init::List(list)) => match list.first() {
                Some((_, init)) => self.fill_part(object, ty, init, (place, alignment)),
                None => Ok(()),
            },
        }
    }

    /// Returns, after the variables of the function have ended.
    pub(super) fn leave(&mut self, result: Option<Operand>) {
        for object in self.locals.clone() {
            self.builder.emit(Operation::Free { object });
        }
        self.builder.end(Terminator::Return(result));
    }
}

/// The variables that a statement declares.
fn declarations(stmt: &Stmt, act: &mut dyn FnMut(VariableId)) {
    match &stmt.kind {
        StmtKind::Declare(ids) => ids.iter().copied().for_each(act),
        StmtKind::Block(stmts) => {
            for stmt in stmts {
                declarations(stmt, act);
            }
        }
        StmtKind::If(_, then, otherwise) => {
            declarations(then, act);
            if let Some(otherwise) = otherwise {
                declarations(otherwise, act);
            }
        }
        StmtKind::While(_, body)
        | StmtKind::DoWhile(body, _)
        | StmtKind::Switch(_, body)
        | StmtKind::Case(_, _, body)
        | StmtKind::Default(body)
        | StmtKind::Label(_, body) => declarations(body, act),
        StmtKind::For { init, body, .. } => {
            if let Some(init) = init {
                declarations(init, act);
            }
            declarations(body, act);
        }
        _ => {}
    }
}

/// What a string literal is, whatever stands around it.
fn literal(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Load(inner) | ExprKind::Decay(inner) | ExprKind::Cast(inner) => literal(inner),
        _ => expr,
    }
}

/// The variable whose address `&` takes.
fn variable_of(expr: &Expr) -> Option<VariableId> {
    match &expr.kind {
        ExprKind::Variable(id) | ExprKind::CompoundLiteral(id) => Some(*id),
        ExprKind::Member(inner, ..) | ExprKind::Comma(_, inner) => variable_of(inner),
        _ => None,
    }
}

/// What a variable of static storage begins with.
pub(super) fn default(sort: Sort) -> Operand {
    Operand::Constant(match sort {
        Sort::Bool => Constant::Bool(false),
        Sort::Machine(ty) => Constant::Int(ty, 0),
        Sort::Float(heapwright_logic::FloatType::Single) => Constant::Single(0),
        Sort::Float(heapwright_logic::FloatType::Double) => Constant::Double(0),
        Sort::Int | Sort::Ref(_) => Constant::Null,
    })
}
