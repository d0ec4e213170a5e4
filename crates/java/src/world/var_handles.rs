//! `VarHandle`: fields and elements that code accesses through objects.
//!
//! A handle for a field is an object of a made-up class that knows the position of the field; one
//! for elements needs to know nothing. The methods of `VarHandle` take whatever their call sites
//! say, so there is a function for each way in which they are called.

use heapwright_ir::{Arithmetic, FunctionId, Operand, Operation, Terminator};
use heapwright_logic::{ClassId, Field, IntType, Sort};

use super::World;
use super::builder::Builder;
use super::slots::{NumberedSlot, SlotAccess, access_slot};
use crate::descriptor::{MethodDescriptor, Type};
use crate::hierarchy::LinkError;

/// The class of handles.
pub(crate) const VAR_HANDLE: &str = "java.lang.invoke.VarHandle";

/// The methods by name, without what they say about other threads.
const METHODS: [(&str, SlotAccess); 10] = [
    ("get", SlotAccess::Get),
    ("set", SlotAccess::Put),
    ("compareAndSet", SlotAccess::CompareAndSet),
    ("weakCompareAndSet", SlotAccess::CompareAndSet),
    ("compareAndExchange", SlotAccess::CompareAndExchange),
    ("getAndSet", SlotAccess::GetAndSet),
    ("getAndAdd", SlotAccess::GetAndCompute(Arithmetic::Add)),
    ("getAndBitwiseOr", SlotAccess::GetAndCompute(Arithmetic::Or)),
    (
        "getAndBitwiseAnd",
        SlotAccess::GetAndCompute(Arithmetic::And),
    ),
    (
        "getAndBitwiseXor",
        SlotAccess::GetAndCompute(Arithmetic::Xor),
    ),
];

/// What methods say about other threads.
const ORDERS: [&str; 6] = ["", "Volatile", "Opaque", "Acquire", "Release", "Plain"];

/// What a method of `VarHandle` does.
fn access(method: &str) -> Option<SlotAccess> {
    let found = METHODS.iter().find(|(name, _)| {
        let order = method.strip_prefix(name);
        order.is_some_and(|order| ORDERS.contains(&order))
    });
    found.map(|(_, access)| *access)
}

impl World {
    /// The class of handles for fields, and the number of the field that holds the position.
    pub(crate) fn field_handle(&mut self) -> Result<(ClassId, u32), LinkError> {
        let superclass = self.complete(&Type::class(VAR_HANDLE))?;
        let mut fields = self.program.definitions.class(superclass).fields.clone();
        let number = fields.len() as u32;
        if let Some(class) = self.field_handles {
            return Ok((class, number));
        }
        fields.push(Field {
            name: "<position>".to_owned(),
            sort: Sort::Machine(IntType::I64),
        });
        let class = self.add_class("<field handle>".to_owned());
        let definition = self.program.definitions.class_mut(class);
        definition.superclass = Some(superclass);
        definition.fields = fields;
        self.field_handles = Some(class);
        self.info(class, |info| info.instantiable = true);
        let declared = self.path.load(VAR_HANDLE)?;
        self.enter_methods(class, &declared)?;
        Ok((class, number))
    }

    /// The function for calls of a method of `VarHandle` with a descriptor. It takes the handle,
    /// and then what the call site gives. None if there is no such function.
    pub(crate) fn handle_access(
        &mut self,
        method: &str,
        descriptor: &MethodDescriptor,
    ) -> Result<Option<FunctionId>, LinkError> {
        let Some(access) = access(method) else {
            return Ok(None);
        };
        let shown = descriptor.descriptor();
        let key = (VAR_HANDLE.into(), format!("<access> {method}{shown}"));
        if let Some(&known) = self.functions.get(&key) {
            return Ok(Some(known));
        }
        let mut params = vec![Sort::Ref(ClassId::ANY)];
        for parameter in &descriptor.parameters {
            params.push(self.sort(parameter));
        }
        let result = descriptor.result.as_ref().map(|ty| self.sort(ty));
        let mut builder = Builder::new(key.1.clone(), &params, result);
        let (class, field) = self.field_handle()?;
        let (coordinates, position) = match descriptor.parameters.as_slice() {
            [Type::Array(_), _, ..] => (2, builder.param(2)),
            [Type::Class(_), ..] => {
                let handle = builder.register(Sort::Ref(class));
                let to = builder.register(Sort::Machine(IntType::I64));
                let from = builder.param(0);
                builder.emit(Operation::CheckCast {
                    object: from,
                    class,
                });
                builder.emit(Operation::Move { to: handle, from });
                builder.emit(Operation::Load {
                    to,
                    object: Operand::Register(handle),
                    class,
                    field,
                });
                (1, Operand::Register(to))
            }
            _ => return Ok(None),
        };
        let first = 1 + coordinates;
        let values = (first..params.len() as u32).map(|index| builder.param(index));
        let values: Vec<_> = values.collect();
        let Some(sort) = params.get(first as usize).copied().or(result) else {
            return Ok(None);
        };
        let slot = NumberedSlot {
            object: builder.param(1),
            position,
            sort,
        };
        let found = access_slot(&mut builder, access, slot, &values);
        if let (Some(object), Some(Sort::Ref(class))) = (found, result) {
            builder.emit(Operation::CheckCast { object, class });
        }
        let found = found.filter(|_| result.is_some());
        if found.is_none() && result.is_some() {
            return Ok(None);
        }
        builder.end(Terminator::Return(found));
        let function = self.add_function(builder.finish());
        self.functions.insert(key, function);
        Ok(Some(function))
    }
}
