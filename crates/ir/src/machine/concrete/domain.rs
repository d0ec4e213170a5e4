//! How the concrete domain answers the machine: by looking.

use heapwright_logic::{ClassId, IntType, MathFunction, Sort};

use super::{Concrete, Slot, Value, arithmetic};
use crate::function::{BlockId, FunctionId};
use crate::global::GlobalId;
use crate::instruction::{BinaryOp, Constant, UnaryOp};
use crate::machine::environment::Environment;
use crate::machine::intrinsic::IDENTITY;
use crate::machine::{
    Address, Domain, Edge, Intrinsic, MachineError, ObjectId, ProgramPoint, Site, Target, layout,
};

impl Domain for Concrete<'_> {
    type Value = Value;
    type Slot = Slot;
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
        arithmetic::unary(op, sort, *a).ok_or(MachineError::IllSorted)
    }

    fn binary(&mut self, op: BinaryOp, a: &Value, b: &Value) -> Result<Value, MachineError> {
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
        self.new_object(class).map(Value::object)
    }

    fn allocate_array(&mut self, class: ClassId, length: u32) -> Result<Value, MachineError> {
        self.new_array(class, length).map(Value::object)
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
    ) -> Result<Option<Slot>, MachineError> {
        let located = (self.memory).locate_field(self.program, address, class, field)?;
        Ok(Slot::new(address.object, located))
    }

    fn element(
        &mut self,
        _: Site,
        address: Address,
        index: &Value,
        sort: Sort,
    ) -> Result<Option<Slot>, MachineError> {
        let index = integer(*index)?;
        let located = (self.memory).locate_element(self.program, address, index, sort)?;
        Ok(Slot::new(address.object, located))
    }

    fn load(&mut self, slot: &Slot, sort: Sort) -> Result<Value, MachineError> {
        let value = self.read(*slot, sort)?;
        if let (Some(watch), Slot::Whole(slot)) = (&mut self.watch, *slot) {
            watch.on_load(&self.memory, slot, value);
        }
        Ok(value)
    }

    fn store(&mut self, slot: &Slot, sort: Sort, value: &Value) -> Result<(), MachineError> {
        if let (Some(watch), Slot::Whole(slot)) = (&mut self.watch, *slot) {
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
        let layout = layout::field_layout(self.program, class, field)?;
        let field = (self.memory).displaced(self.program, address, i128::from(layout.offset))?;
        Ok(field.map(Value::Pointer))
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
        let element = (self.memory).displaced(self.program, address, distance)?;
        Ok(element.map(Value::Pointer))
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
            false => self.displaced(value),
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

fn integer(value: Value) -> Result<i128, MachineError> {
    match value {
        Value::Int(value) => Ok(value),
        _ => Err(MachineError::IllSorted),
    }
}
