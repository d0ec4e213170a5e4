//! How the concrete domain answers the machine: by looking.

use heapwright_logic::{ClassId, IntType, MathFunction, Sort};

use super::{Concrete, Value, arithmetic, bytes};
use crate::function::{BlockId, FunctionId};
use crate::global::GlobalId;
use crate::instruction::{BinaryOp, Constant, UnaryOp};
use crate::machine::environment::Environment;
use crate::machine::interned::InternedNumber;
use crate::machine::intrinsic::{IDENTITY, INTERNED};
use crate::machine::slot_memory::Located;
use crate::machine::{
    Address, Domain, Edge, Intrinsic, MachineError, ObjectId, ProgramPoint, Site, Target, layout,
};

impl Domain for Concrete<'_> {
    type Value = Value;
    type Slot = Located;
    type Stop = MachineError;

    fn constant(&mut self, constant: Constant) -> Value {
        constant.into()
    }

    fn global(&mut self, global: GlobalId) -> Result<Value, MachineError> {
        let object = self.global_object(global)?;
        if let Some(watch) = &mut self.watch {
            watch.on_global(global, object);
        }
        Ok(Value::object(object))
    }

    fn is_global(&self, object: ObjectId) -> bool {
        self.memory.is_global(object)
    }

    fn unary(&mut self, op: UnaryOp, sort: Sort, a: &Value) -> Result<Value, MachineError> {
        if let UnaryOp::Convert(to) = op
            && let Some(pointer) = bytes::pointer_conversion(to, *a)
        {
            return Ok(pointer);
        }
        match *a {
            Value::Undefined => Ok(*a),
            Value::Pointer(_) => {
                let number = self.location(*a);
                let number = arithmetic::unary(op, sort, number);
                number.ok_or(MachineError::IllSorted)
            }
            _ => arithmetic::unary(op, sort, *a).ok_or(MachineError::IllSorted),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Value, b: &Value) -> Result<Value, MachineError> {
        if self.program.manual_memory
            && let Some(known) = self.on_pointers(op, *a, *b)?
        {
            return Ok(known);
        }
        arithmetic::binary(op, *a, *b).ok_or(MachineError::IllSorted)
    }

    fn decide(&mut self, _: Site, condition: &Value) -> Result<bool, MachineError> {
        match condition {
            Value::Bool(value) => Ok(*value),
            _ => Err(MachineError::IllSorted),
        }
    }

    fn switch(
        &mut self,
        _: Site,
        value: &Value,
        cases: &[(i128, BlockId)],
    ) -> Result<Option<usize>, MachineError> {
        let value = integer(*value)?;
        Ok(cases.iter().position(|(case, _)| *case == value))
    }

    fn concretise(&mut self, _: Site, value: &Value) -> Result<i128, MachineError> {
        integer(*value)
    }

    fn resolve(&mut self, _: Site, reference: &Value, _: ClassId) -> Result<Target, MachineError> {
        match reference {
            Value::Null => Ok(Target::Null),
            Value::Pointer(address) => self.memory.target(*address),
            Value::Wild(_) => Ok(Target::Wild),
            _ => Err(MachineError::IllSorted),
        }
    }

    fn class_of(&mut self, _: Site, object: ObjectId) -> Result<ClassId, MachineError> {
        Ok(self.memory.object(object)?.class)
    }

    fn instance_of(
        &mut self,
        _: Site,
        object: ObjectId,
        class: ClassId,
    ) -> Result<bool, MachineError> {
        layout::is_subtype(self.program, self.memory.object(object)?.class, class)
    }

    fn allocate(&mut self, class: ClassId) -> Result<Value, MachineError> {
        self.memory
            .build(self.program, class, None)
            .map(Value::object)
    }

    fn allocate_array(&mut self, class: ClassId, length: u32) -> Result<Value, MachineError> {
        self.memory
            .build(self.program, class, Some(length))
            .map(Value::object)
    }

    fn root(&mut self, address: Address) -> Result<Address, MachineError> {
        self.memory.root(address)
    }

    fn free(&mut self, object: ObjectId) -> Result<(), MachineError> {
        self.memory.object_mut(object)?.freed = true;
        Ok(())
    }

    fn field(
        &mut self,
        _: Site,
        address: Address,
        class: ClassId,
        field: u32,
    ) -> Result<Option<Located>, MachineError> {
        let located = (self.memory).locate_field(self.program, address, class, field)?;
        Ok(inside(located))
    }

    fn element(
        &mut self,
        _: Site,
        address: Address,
        index: &Value,
        sort: Sort,
    ) -> Result<Option<Located>, MachineError> {
        let index = integer(*index)?;
        let located = (self.memory).locate_element(self.program, address, index, sort)?;
        Ok(inside(located))
    }

    fn load(&mut self, slot: &Located, sort: Sort) -> Result<Value, MachineError> {
        let value = self.read(*slot, sort)?;
        if let (Some(watch), Located::Slot(slot)) = (&mut self.watch, *slot) {
            watch.on_load(&self.memory, slot, value);
        }
        Ok(value)
    }

    fn store(&mut self, slot: &Located, sort: Sort, value: &Value) -> Result<(), MachineError> {
        if let (Some(watch), Located::Slot(slot)) = (&mut self.watch, *slot) {
            watch.on_store(&self.memory, slot);
        }
        self.write(*slot, sort, *value)
    }

    fn length(
        &mut self,
        _: Site,
        address: Address,
        ty: IntType,
    ) -> Result<Option<Value>, MachineError> {
        let length = self.memory.length(self.program, address)?;
        Ok(length.map(|length| Value::Int(ty.wrap(length as i128))))
    }

    fn field_address(
        &mut self,
        _: Site,
        address: Address,
        class: ClassId,
        field: u32,
    ) -> Result<Option<Value>, MachineError> {
        let place = self
            .memory
            .field_address(self.program, address, class, field)?;
        Ok(place.map(Value::Pointer))
    }

    fn element_address(
        &mut self,
        _: Site,
        address: Address,
        index: &Value,
        array: ClassId,
    ) -> Result<Option<Value>, MachineError> {
        let width = (self.memory).element_width(self.program, address, array)?;
        let distance = integer(*index)?.saturating_mul(width);
        let element = self.memory.displaced(address, distance);
        match element {
            Some(place) => {
                let place = self.memory.canonical(self.program, place, array)?;
                Ok(Some(Value::Pointer(place)))
            }
            None => Ok(None),
        }
    }

    fn cast(&mut self, _: Site, pointer: &Value, class: ClassId) -> Result<Value, MachineError> {
        Concrete::cast(self, *pointer, class)
    }

    fn undefined(&mut self, _: Sort) -> Result<Value, MachineError> {
        Ok(Value::Undefined)
    }

    fn is_undefined(&mut self, value: &Value) -> bool {
        *value == Value::Undefined
    }

    fn extent(&mut self, address: Address) -> Result<Option<i64>, MachineError> {
        self.memory.room(self.program, address)
    }

    fn alignment(&mut self, object: ObjectId) -> Result<u32, MachineError> {
        self.memory.alignment(self.program, object)
    }

    fn truth_byte(&mut self, slot: &Located) -> Result<Option<Value>, MachineError> {
        self.bytes().truth_byte(*slot)
    }

    fn copy_bytes(&mut self, to: Address, from: Address, count: i64) -> Result<(), MachineError> {
        self.bytes().copy(to, from, count)
    }

    fn fill_bytes(
        &mut self,
        to: Address,
        value: Option<&Value>,
        count: i64,
    ) -> Result<(), MachineError> {
        self.bytes().fill(to, value.copied(), count)
    }

    fn intrinsic(
        &mut self,
        _: Site,
        name: &str,
        args: &[Value],
    ) -> Result<Intrinsic<Value>, MachineError> {
        if let Some(function) = self.intrinsics.get(name) {
            return Ok(function(&mut self.memory, args));
        }
        let known = match (name, args) {
            (IDENTITY, [object]) => self.identity(object),
            (INTERNED, &[Value::Pointer(object), number, first, last]) => {
                Some(self.intern(object, number, (first, last))?)
            }
            _ => Environment::asked(name).and_then(|asked| self.environment(asked, args)),
        };
        if known.is_some() {
            return Ok(Intrinsic::Returned(known));
        }
        let Some(function) = MathFunction::named(name) else {
            return Ok(Intrinsic::Unknown);
        };
        let value = arithmetic::apply(function, args).ok_or(MachineError::IllSorted)?;
        let value = match function.is_exact() {
            true => value,
            false => {
                self.inexact = true;
                self.displaced(value)
            }
        };
        Ok(Intrinsic::Returned(Some(value)))
    }

    fn on_edge(&mut self, edge: Edge) {
        if let Some(trace) = &mut self.trace {
            *trace.edges.entry(edge).or_insert(0) += 1;
            if trace.trail.len() < trace.limit {
                trace.trail.push(edge);
            }
        }
    }

    fn on_step(&mut self, point: ProgramPoint) {
        if let Some(trace) = &mut self.trace
            && trace.points.len() < trace.limit
        {
            trace.points.push(point);
        }
    }

    fn on_enter(&mut self, function: FunctionId) {
        if let Some(watch) = &mut self.watch {
            watch.on_enter(function);
        }
    }

    fn on_leave(&mut self) {
        if let Some(watch) = &mut self.watch {
            watch.on_leave();
        }
    }
}

impl Concrete<'_> {
    /// The object that is the only one with a number.
    fn intern(
        &mut self,
        Address { object, .. }: Address,
        number: Value,
        (first, last): (Value, Value),
    ) -> Result<Value, MachineError> {
        let interned = InternedNumber {
            class: self.memory.object(object)?.class,
            number: (),
            range: (integer(first)?, integer(last)?),
        };
        let known = Some(integer(number)?);
        Ok(Value::object(self.interned.intern(object, interned, known)))
    }
}

fn inside(located: Located) -> Option<Located> {
    (located != Located::Outside).then_some(located)
}

fn integer(value: Value) -> Result<i128, MachineError> {
    match value {
        Value::Int(value) => Ok(value),
        _ => Err(MachineError::IllSorted),
    }
}
