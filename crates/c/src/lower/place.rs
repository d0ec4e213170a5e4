//! What has an address: reading it, writing it, pointing to it.

use heapwright_ir::{Operand, Operation, Reg};
use heapwright_logic::{ClassId, IntType, Sort};

use super::alignment::{alignment_of, is_field_of_packed, known_alignment};
use super::builder::int;
use super::classes::{flat, size_of};
use super::function::{Body, Variable};
use crate::ast::{BinaryOperator, CType, Expr, ExprKind, Place, RecordId};
use crate::error::CError;

/// Something that can be read and written.
#[derive(Clone, Debug)]
pub(super) enum Lvalue {
    /// A variable that nobody points to.
    Register(Reg),
    /// A scalar field of a struct, with its bits if they are not whole bytes.
    Field(Operand, ClassId, u32, Option<u32>),
    /// A scalar, so many elements behind a pointer.
    Element(Operand, Operand, CType),
    /// A field of a union, or of a struct at a pointer that need not be one: bytes from there.
    Bits(Operand, u32, CType),
    /// A scalar at a pointer that need not be a multiple of its alignment.
    Unaligned(Operand, CType),
    /// A field of some bits of a struct at such a pointer, with the type of the struct.
    UnalignedBits(Operand, CType, (ClassId, u32, u32)),
    /// A struct, a union or an array, at a pointer.
    Object(Operand, CType),
}

const FIRST: Operand = Operand::Constant(heapwright_ir::Constant::Int(IntType::I64, 0));

impl Body<'_, '_> {
    /// What an expression designates.
    pub(super) fn lvalue(&mut self, expr: &Expr) -> Result<Lvalue, CError> {
        let place = self.any_lvalue(expr)?;
        let unit = self.lowering.unit;
        if let (Lvalue::Field(object, class, field, Some(bits)), ExprKind::Member(base, ..)) =
            (&place, &expr.kind)
            && known_alignment(unit, base) < alignment_of(unit, &base.ty)
        {
            let field = (*class, *field, *bits);
            return Ok(Lvalue::UnalignedBits(*object, base.ty.clone(), field));
        }
        let is_less = is_scalar(&expr.ty)
            && matches!(place, Lvalue::Field(_, _, _, None) | Lvalue::Element(..))
            && known_alignment(unit, expr) < alignment_of(unit, &expr.ty);
        match is_less && !is_field_of_packed(unit, expr) {
            false => Ok(place),
            true => {
                let pointer = self.address_of(expr.place, place)?;
                Ok(Lvalue::Unaligned(pointer, expr.ty.clone()))
            }
        }
    }

    fn any_lvalue(&mut self, expr: &Expr) -> Result<Lvalue, CError> {
        self.builder.position = self.lowering.position(expr.place);
        let is_address = std::mem::take(&mut self.is_address);
        match &expr.kind {
            ExprKind::Variable(id) => match self.variables.get(id).copied() {
                Some(Variable::Register(register)) => Ok(Lvalue::Register(register)),
                Some(Variable::Memory(object)) => self.at(expr, object, FIRST),
                None => match self.lowering.variables.get(id) {
                    Some(&global) => self.at(expr, Operand::Global(global), FIRST),
                    None => {
                        let name = &self.lowering.unit.variables[id.0 as usize].name;
                        let what = format!("the variable {name}, which is defined elsewhere");
                        Err(self.lowering.unsupported(expr.place, what))
                    }
                },
            },
            ExprKind::CompoundLiteral(id) => {
                if self.lowering.variables.contains_key(id) {
                    let global = self.lowering.variables[id];
                    return self.at(expr, Operand::Global(global), FIRST);
                }
                self.initialise(*id)?;
                match self.variables.get(id).copied() {
                    Some(Variable::Memory(object)) => self.at(expr, object, FIRST),
                    Some(Variable::Register(register)) => Ok(Lvalue::Register(register)),
                    None => Err(self.lowering.unsupported(expr.place, "this literal")),
                }
            }
            ExprKind::String(units) => {
                let size = match &expr.ty {
                    CType::Array(element, _) => size_of(self.lowering.unit, element),
                    _ => None,
                };
                let global = self.lowering.string(units, size.unwrap_or(1), &expr.ty);
                Ok(Lvalue::Object(Operand::Global(global), expr.ty.clone()))
            }
            ExprKind::Deref(pointer) => {
                if let ExprKind::Binary(BinaryOperator::Add, base, index) = &pointer.kind {
                    let bound = self.declared_length(base);
                    if is_scalar(&expr.ty) || bound.is_some() {
                        let base = self.rvalue(base)?;
                        let index = self.index(index)?;
                        if let Some(bound) = bound {
                            self.builder.position = self.lowering.position(expr.place);
                            self.check_index(index, bound + u64::from(is_address));
                        }
                        if is_scalar(&expr.ty) {
                            return self.at(expr, base, index);
                        }
                        let moved = self.displaced(expr.place, base, &expr.ty, index)?;
                        return self.at(expr, moved, FIRST);
                    }
                }
                let pointer = self.rvalue(pointer)?;
                self.at(expr, pointer, FIRST)
            }
            ExprKind::Member(base, record, field) => {
                let object = match self.lvalue_or_value(base)? {
                    Lvalue::Object(object, _) => object,
                    _ => return Err(self.lowering.unsupported(expr.place, "this member")),
                };
                self.builder.position = self.lowering.position(expr.place);
                Ok(self.field_of(object, *record, *field))
            }
            ExprKind::Conditional(..) | ExprKind::Comma(..) | ExprKind::Statements(_) => {
                let object = self.object_of(expr)?;
                Ok(Lvalue::Object(object, expr.ty.clone()))
            }
            ExprKind::Unsupported(what) => Err(self.lowering.unsupported(expr.place, what.clone())),
            _ => Err(self.lowering.unsupported(expr.place, "this expression")),
        }
    }

    /// How many elements an array has that lies inside of something larger, so that an index may
    /// leave it without leaving the object. The last array of a struct may be larger than declared.
    fn declared_length(&self, pointer: &Expr) -> Option<u64> {
        let ExprKind::Decay(array) = &pointer.kind else {
            return None;
        };
        let CType::Array(_, Some(length)) = &array.ty else {
            return None;
        };
        let is_inside = match &array.kind {
            ExprKind::Member(_, record, field) => {
                let record = &self.lowering.unit.records[record.0 as usize];
                !record.is_union && (*field as usize) + 1 < record.fields.len()
            }
            // A row of an array of arrays.
            ExprKind::Deref(_) => true,
            _ => false,
        };
        is_inside.then_some(*length)
    }

    /// What an expression designates, or the object that its value is.
    fn lvalue_or_value(&mut self, expr: &Expr) -> Result<Lvalue, CError> {
        match &expr.kind {
            ExprKind::Call(..) | ExprKind::Assign(..) | ExprKind::Load(_) => {
                let object = self.object_of(expr)?;
                Ok(Lvalue::Object(object, expr.ty.clone()))
            }
            _ => self.lvalue(expr),
        }
    }

    /// The object that the value of a struct is in.
    pub(super) fn object_of(&mut self, expr: &Expr) -> Result<Operand, CError> {
        match &expr.kind {
            ExprKind::Load(inner) => self.object_of(inner),
            ExprKind::Call(..) => {
                let value = self.call(expr)?;
                value.ok_or_else(|| self.lowering.unsupported(expr.place, "this call"))
            }
            ExprKind::Assign(to, from) => {
                self.assign_object(to, from)?;
                self.object_of(to)
            }
            ExprKind::Comma(first, second) => {
                self.effect(first)?;
                self.object_of(second)
            }
            ExprKind::Conditional(condition, Some(then), otherwise) => {
                let sort = self.pointer_sort(&expr.ty);
                let to = self.builder.register(None, sort);
                let blocks = [(); 3].map(|()| self.builder.block());
                self.branch(condition, blocks[0], blocks[1])?;
                for (part, block) in [then, otherwise].into_iter().zip(blocks) {
                    self.builder.go_on(block);
                    let from = self.object_of(part)?;
                    self.builder.emit(Operation::Move { to, from });
                    self.builder.goto(blocks[2]);
                }
                self.builder.go_on(blocks[2]);
                Ok(Operand::Register(to))
            }
            ExprKind::Statements(stmts) => {
                let last = self.all_but_last(expr, stmts)?;
                self.object_of(last)
            }
            ExprKind::Cast(inner) => self.object_of(inner),
            ExprKind::Zero => self.new_object(expr.place, &expr.ty),
            _ => match self.lvalue(expr)? {
                Lvalue::Object(object, _) => Ok(object),
                _ => Err(self.lowering.unsupported(expr.place, "this struct")),
            },
        }
    }

    /// What lies at a pointer.
    fn at(&mut self, expr: &Expr, pointer: Operand, index: Operand) -> Result<Lvalue, CError> {
        match &expr.ty {
            CType::Record(_) | CType::Array(..) => Ok(Lvalue::Object(pointer, expr.ty.clone())),
            CType::Other(name) if name == "va_list" => Ok(Lvalue::Object(pointer, expr.ty.clone())),
            CType::Function(_) | CType::Void | CType::Other(_) => {
                Ok(Lvalue::Object(pointer, expr.ty.clone()))
            }
            scalar => Ok(Lvalue::Element(pointer, index, scalar.clone())),
        }
    }

    /// A field of a struct or union.
    pub(super) fn field_of(&mut self, object: Operand, record: RecordId, field: u32) -> Lvalue {
        let unit = self.lowering.unit;
        let known = &unit.records[record.0 as usize];
        let ty = known.fields.get(field as usize).map(|field| &field.ty);
        let ty = ty.cloned().unwrap_or(CType::Void);
        let class = self.lowering.classes.record(record);
        if known.is_union {
            let bits = known
                .fields
                .get(field as usize)
                .and_then(|field| field.bits);
            let target = self.lowering.classes.pointee(unit, &ty);
            if is_scalar(&ty) {
                // Every member of a union begins where it begins.
                let sort = Sort::Ref(target);
                let pointer = self
                    .builder
                    .value(sort, |to| Operation::Cast { to, from: object });
                return match bits {
                    None => Lvalue::Element(pointer, FIRST, ty),
                    Some((_, bits)) => Lvalue::Bits(pointer, bits, ty),
                };
            }
            let pointer = self
                .builder
                .value(Sort::Ref(target), |to| Operation::Cast { to, from: object });
            return Lvalue::Object(pointer, ty);
        }
        if is_scalar(&ty) {
            let bits = known
                .fields
                .get(field as usize)
                .and_then(|field| field.bits);
            return Lvalue::Field(object, class, field, bits.map(|(_, bits)| bits));
        }
        let sort = self.pointer_sort(&ty);
        let inside = self.builder.value(sort, |to| Operation::FieldAddress {
            to,
            object,
            class,
            field,
        });
        Lvalue::Object(inside, ty)
    }

    /// The sort of pointers to a type.
    pub(super) fn pointer_sort(&mut self, ty: &CType) -> Sort {
        let unit = self.lowering.unit;
        Sort::Ref(self.lowering.classes.pointee(unit, ty))
    }

    /// The value that is there.
    pub(super) fn load(&mut self, place: Place, from: &Lvalue) -> Result<Operand, CError> {
        match from {
            Lvalue::Register(register) => {
                // A copy: the variable may change before the value is used.
                let sort = self.builder.registers[register.index()].sort;
                let from = Operand::Register(*register);
                Ok(self.builder.value(sort, |to| Operation::Move { to, from }))
            }
            Lvalue::Field(object, class, field, _) => {
                let fields = &self.lowering.classes.definitions.class(*class).fields;
                let sort = fields[*field as usize].sort;
                let (object, class, field) = (*object, *class, *field);
                Ok(self.builder.value(sort, |to| Operation::Load {
                    to,
                    object,
                    class,
                    field,
                }))
            }
            Lvalue::Element(array, index, ty) => {
                let sort = self.lowering.sort(place, ty)?;
                let (array, index) = (self.typed(*array, ty), *index);
                Ok(self
                    .builder
                    .value(sort, |to| Operation::LoadElement { to, array, index }))
            }
            Lvalue::Bits(array, bits, ty) => {
                let sort = self.lowering.sort(place, ty)?;
                let array = *array;
                let whole = self.builder.value(sort, |to| Operation::LoadElement {
                    to,
                    array,
                    index: FIRST,
                });
                Ok(self.narrowed(whole, ty, *bits))
            }
            Lvalue::Unaligned(from, ty) => {
                let copy = self.new_object(place, ty)?;
                self.copy(copy, *from, ty);
                let sort = self.lowering.sort(place, ty)?;
                let value = self.builder.value(sort, |to| Operation::LoadElement {
                    to,
                    array: copy,
                    index: FIRST,
                });
                self.builder.emit(Operation::Free { object: copy });
                Ok(value)
            }
            Lvalue::UnalignedBits(from, ty, (class, field, bits)) => {
                let copy = self.new_object(place, ty)?;
                self.copy(copy, *from, ty);
                let within = Lvalue::Field(copy, *class, *field, Some(*bits));
                let value = self.load(place, &within)?;
                self.builder.emit(Operation::Free { object: copy });
                Ok(value)
            }
            Lvalue::Object(..) => Err(self.lowering.unsupported(place, "a struct as a value")),
        }
    }

    /// A pointer whose class says what it leads to.
    fn typed(&mut self, pointer: Operand, ty: &CType) -> Operand {
        let wanted = self.pointer_sort(ty);
        let own = match pointer {
            Operand::Register(register) => self.builder.registers[register.index()].sort,
            Operand::Global(global) => Sort::Ref(self.lowering.globals[global.index()].class),
            Operand::Constant(_) => return pointer,
        };
        match own == wanted {
            true => pointer,
            false => self
                .builder
                .value(wanted, |to| Operation::Move { to, from: pointer }),
        }
    }

    /// Writes a value there.
    pub(super) fn store(&mut self, place: Place, to: Lvalue, value: Operand) -> Result<(), CError> {
        match to {
            Lvalue::Register(to) => self.builder.emit(Operation::Move { to, from: value }),
            Lvalue::Field(object, class, field, bits) => {
                let fields = &self.lowering.classes.definitions.class(class).fields;
                let value = match (fields[field as usize].sort, bits) {
                    (Sort::Machine(ty), Some(bits)) => self.narrowed(value, &CType::Int(ty), bits),
                    _ => value,
                };
                self.builder.emit(Operation::Store {
                    object,
                    class,
                    field,
                    value,
                });
            }
            Lvalue::Element(array, index, ty) => {
                let array = self.typed(array, &ty);
                self.builder.emit(Operation::StoreElement {
                    array,
                    index,
                    value,
                });
            }
            Lvalue::Bits(array, bits, ty) => {
                let sort = self.lowering.sort(place, &ty)?;
                let Sort::Machine(int_type) = sort else {
                    return Err(self.lowering.unsupported(place, "this bit-field"));
                };
                use heapwright_ir::Arithmetic::{And, Or};
                let old = self.builder.value(sort, |to| Operation::LoadElement {
                    to,
                    array,
                    index: FIRST,
                });
                let mask = (1i128 << bits) - 1;
                let kept = self.arithmetic(int_type, And, old, int(int_type, !mask));
                let new = self.arithmetic(int_type, And, value, int(int_type, mask));
                let value = self.arithmetic(int_type, Or, kept, new);
                self.builder.emit(Operation::StoreElement {
                    array,
                    index: FIRST,
                    value,
                });
            }
            Lvalue::Unaligned(to, ty) => {
                let copy = self.new_object(place, &ty)?;
                self.builder.emit(Operation::StoreElement {
                    array: copy,
                    index: FIRST,
                    value,
                });
                self.copy(to, copy, &ty);
                self.builder.emit(Operation::Free { object: copy });
            }
            Lvalue::UnalignedBits(to, ty, (class, field, bits)) => {
                let copy = self.new_object(place, &ty)?;
                self.copy(copy, to, &ty);
                self.store(place, Lvalue::Field(copy, class, field, Some(bits)), value)?;
                self.copy(to, copy, &ty);
                self.builder.emit(Operation::Free { object: copy });
            }
            Lvalue::Object(..) => {
                return Err(self.lowering.unsupported(place, "a struct as a value"));
            }
        }
        Ok(())
    }

    /// A number as a field of some bits keeps it.
    pub(super) fn narrowed(&mut self, value: Operand, ty: &CType, bits: u32) -> Operand {
        use heapwright_ir::Arithmetic::{And, Shl, Shr};
        let CType::Int(ty) = ty else {
            return value;
        };
        if bits >= ty.bits() {
            return value;
        }
        match ty.signed() {
            false => self.arithmetic(*ty, And, value, int(*ty, (1i128 << bits) - 1)),
            true => {
                let by = int(*ty, i128::from(ty.bits() - bits));
                let up = self.arithmetic(*ty, Shl, value, by);
                self.arithmetic(*ty, Shr, up, by)
            }
        }
    }

    /// A pointer to it.
    pub(super) fn address_of(&mut self, place: Place, of: Lvalue) -> Result<Operand, CError> {
        match of {
            Lvalue::Object(object, _) | Lvalue::Unaligned(object, _) => Ok(object),
            Lvalue::Field(object, class, field, None) => {
                let fields = &self.lowering.classes.definitions.class(class).fields;
                let element = fields[field as usize].sort;
                let sort = Sort::Ref(self.lowering.classes.array(element));
                Ok(self.builder.value(sort, |to| Operation::FieldAddress {
                    to,
                    object,
                    class,
                    field,
                }))
            }
            Lvalue::Element(array, index, ty) => {
                if index == FIRST {
                    return Ok(self.typed(array, &ty));
                }
                let sort = self.pointer_sort(&ty);
                let array = self.typed(array, &ty);
                Ok(self
                    .builder
                    .value(sort, |to| Operation::ElementAddress { to, array, index }))
            }
            _ => Err(self.lowering.unsupported(place, "this address")),
        }
    }

    /// A pointer to elements of a type, so many of them further on.
    pub(super) fn displaced(
        &mut self,
        place: Place,
        pointer: Operand,
        element: &CType,
        index: Operand,
    ) -> Result<Operand, CError> {
        let unit = self.lowering.unit;
        let (innermost, count) = flat(element);
        // Pointers to nothing in particular go by bytes.
        let (innermost, scale) = match &innermost {
            CType::Void | CType::Function(_) => (CType::Int(IntType::I8), 1),
            CType::Other(_) => {
                return Err(self
                    .lowering
                    .unsupported(place, "arithmetic on this pointer"));
            }
            CType::Record(record) if unit.records[record.0 as usize].is_union => {
                let size = unit.records[record.0 as usize].size;
                (CType::Int(IntType::I8), count * size)
            }
            other => (other.clone(), count),
        };
        let index = match (scale, index) {
            (1, index) => index,
            (_, Operand::Constant(heapwright_ir::Constant::Int(ty, value))) => {
                int(ty, value * i128::from(scale))
            }
            (_, index) => {
                let scale = int(IntType::I64, i128::from(scale));
                self.arithmetic(IntType::I64, heapwright_ir::Arithmetic::Mul, index, scale)
            }
        };
        // Where a pointer goes on to the next struct, there are arrays of them.
        if let CType::Record(record) = innermost {
            self.lowering.classes.struct_array(unit, record);
        }
        let array = self.typed(pointer, &innermost);
        let sort = self.pointer_sort(&innermost);
        let moved = self
            .builder
            .value(sort, |to| Operation::ElementAddress { to, array, index });
        Ok(self.typed(moved, element))
    }

    /// An index as a number of 64 bits.
    pub(super) fn index(&mut self, expr: &Expr) -> Result<Operand, CError> {
        let value = self.rvalue(expr)?;
        let wide = Sort::Machine(IntType::I64);
        let sort = self.lowering.sort(expr.place, &expr.ty)?;
        Ok(match (sort == wide, value) {
            (true, value) => value,
            (_, Operand::Constant(heapwright_ir::Constant::Int(_, value))) => {
                int(IntType::I64, value)
            }
            (false, value) => self.convert(value, wide),
        })
    }
}

/// Whether values of a type are kept in registers.
pub(super) fn is_scalar(ty: &CType) -> bool {
    matches!(
        ty,
        CType::Bool | CType::Int(_) | CType::Float(_) | CType::Pointer(_)
    )
}
