//! Objects, fields, arrays and type tests.

use heapwright_logic::{ClassId, IntType, Sort};

use super::{
    Address, Budget, Domain, Flow, Interrupt, Machine, MachineError, ProgramPoint, Question,
    Target, layout,
};
use crate::instruction::{BinaryOp, Comparison, Constant, Operand, Operation};
use crate::program::{ClassKind, FaultKind};

/// More bytes than any object has.
const NO_OBJECT: i64 = i64::MAX / 16;

impl<'p, D: Domain> Machine<'p, D> {
    pub(super) fn execute_memory(
        &mut self,
        point: ProgramPoint,
        operation: &'p Operation,
    ) -> Flow<D> {
        match *operation {
            Operation::New { to, class } => {
                let object = self.allocate(point, class)?;
                self.set(to, object)
            }
            Operation::NewArray { to, class, length } => {
                let array = self.allocate_array(point, class, length)?;
                self.set(to, array)
            }
            Operation::Free { object } => self.free(point, object),
            Operation::Load {
                to,
                object,
                class,
                field,
            } => {
                let slot = self.field(point, object, class, field)?;
                self.load(point, to, &slot)
            }
            Operation::Store {
                object,
                class,
                field,
                value,
            } => {
                let slot = self.field(point, object, class, field)?;
                self.store(point, value, &slot)
            }
            Operation::LoadElement { to, array, index } => {
                let sort = self.register_sort(point, to)?;
                let address = self.array(point, array)?;
                let slot = self.element(point, address, index, sort)?;
                self.load(point, to, &slot)
            }
            Operation::StoreElement {
                array,
                index,
                value,
            } => {
                let sort = self.sort(point, value)?;
                let address = self.array(point, array)?;
                let slot = self.element(point, address, index, sort)?;
                if let Sort::Ref(class) = sort {
                    self.check_element(point, address, value, class)?;
                }
                self.store(point, value, &slot)
            }
            Operation::Length { to, array } => {
                let Sort::Machine(ty) = self.register_sort(point, to)? else {
                    return Err(MachineError::IllSorted.into());
                };
                let address = self.array(point, array)?;
                let site = point.ask(Question::ArrayLength);
                let length = self.domain.length(site, address, ty);
                let length = within(length.map_err(Interrupt::Stop)?)?;
                self.set(to, length)
            }
            Operation::FieldAddress {
                to,
                object,
                class,
                field,
            } => {
                let object = self.value(point, object)?;
                let address = self.dereference(point, &object, class)?;
                let site = point.ask(Question::Field);
                let reference = self.domain.field_address(site, address, class, field);
                let reference = within(reference.map_err(Interrupt::Stop)?)?;
                self.set(to, reference)
            }
            Operation::ElementAddress { to, array, index } => {
                let reference = self.element_address(point, array, index)?;
                self.set(to, reference)
            }
            Operation::Cast { to, from } => {
                let Sort::Ref(class) = self.register_sort(point, to)? else {
                    return Err(MachineError::IllSorted.into());
                };
                let pointer = self.value(point, from)?;
                let site = point.ask(Question::Object);
                let cast = self.domain.cast(site, &pointer, class);
                self.set(to, cast.map_err(Interrupt::Stop)?)
            }
            Operation::Undefine { to } => {
                let sort = self.register_sort(point, to)?;
                let value = self.domain.undefined(sort).map_err(Interrupt::Stop)?;
                self.set(to, value)
            }
            Operation::Extent { to, object } => {
                let address = self.array(point, object)?;
                let extent = self.domain.extent(address).map_err(Interrupt::Stop)?;
                let Sort::Machine(ty) = self.register_sort(point, to)? else {
                    return Err(MachineError::IllSorted.into());
                };
                let extent = ty.wrap(extent.unwrap_or(0).max(0).into());
                let value = self.domain.constant(Constant::Int(ty, extent));
                self.set(to, value)
            }
            Operation::CopyBytes {
                to,
                from,
                count,
                may_overlap,
            } => {
                let Some(count) = self.count(point, count)? else {
                    return Ok(());
                };
                let from = self.place(point, from, Question::StoredObject)?;
                let to = self.place(point, to, Question::Object)?;
                if !may_overlap && self.overlap(to, from, count)? {
                    return Err(Interrupt::Fault(FaultKind::Overlap));
                }
                self.check_room(from, count)?;
                self.check_room(to, count)?;
                let copied = self.domain.copy_bytes(to, from, count);
                copied.map_err(Interrupt::Stop)
            }
            Operation::FillBytes { to, value, count } => {
                let Some(count) = self.count(point, count)? else {
                    return Ok(());
                };
                let to = self.place(point, to, Question::Object)?;
                self.check_room(to, count)?;
                let value = match value {
                    Some(value) => Some(self.value(point, value)?),
                    None => None,
                };
                let filled = self.domain.fill_bytes(to, value.as_ref(), count);
                filled.map_err(Interrupt::Stop)
            }
            Operation::InstanceOf { to, object, class } => {
                let test = self.is_instance(point, object, class)?;
                let holds = test.unwrap_or(false);
                let value = self.domain.constant(Constant::Bool(holds));
                self.set(to, value)
            }
            Operation::CheckCast { object, class } => {
                match self.is_instance(point, object, class)? {
                    None | Some(true) => Ok(()),
                    Some(false) => Err(Interrupt::Fault(FaultKind::BadCast)),
                }
            }
            _ => Err(MachineError::IllSorted.into()),
        }
    }

    /// The place that a reference stands for; null and freed objects are faults.
    pub(super) fn dereference(
        &mut self,
        point: ProgramPoint,
        reference: &D::Value,
        class: ClassId,
    ) -> Flow<D, Address> {
        if self.domain.is_undefined(reference) {
            return Err(Interrupt::Fault(FaultKind::Uninitialised));
        }
        let site = point.ask(Question::Object);
        let target = self.domain.resolve(site, reference, class);
        match target.map_err(Interrupt::Stop)? {
            Target::Object(address) => Ok(address),
            Target::Null => Err(Interrupt::Fault(FaultKind::NullDereference)),
            Target::Freed(_) => Err(Interrupt::Fault(FaultKind::UseAfterFree)),
            Target::Wild => Err(Interrupt::Fault(FaultKind::WildPointer)),
        }
    }

    /// How many bytes an instruction is about; `None` if there are none.
    fn count(&mut self, point: ProgramPoint, count: Operand) -> Flow<D, Option<i64>> {
        let count = self.value(point, count)?;
        if self.domain.is_undefined(&count) {
            return Err(Interrupt::Fault(FaultKind::Uninitialised));
        }
        let count = self
            .domain
            .concretise(point.ask(Question::ArrayLength), &count);
        let count = count.map_err(Interrupt::Stop)?;
        if count > i128::from(self.budgets.array_length) * 8 {
            // No object is that large.
            return Ok(Some(NO_OBJECT));
        }
        Ok(i64::try_from(count).ok().filter(|&count| count > 0))
    }

    /// The place that bytes are copied from or written to.
    fn place(
        &mut self,
        point: ProgramPoint,
        pointer: Operand,
        question: Question,
    ) -> Flow<D, Address> {
        let pointer = self.value(point, pointer)?;
        let target = self
            .domain
            .resolve(point.ask(question), &pointer, ClassId::ANY);
        match target.map_err(Interrupt::Stop)? {
            Target::Object(address) => Ok(address),
            Target::Null => Err(Interrupt::Fault(FaultKind::NullDereference)),
            Target::Freed(_) => Err(Interrupt::Fault(FaultKind::UseAfterFree)),
            Target::Wild => Err(Interrupt::Fault(FaultKind::WildPointer)),
        }
    }

    /// So many bytes have to be there.
    fn check_room(&mut self, address: Address, count: i64) -> Flow<D> {
        let room = self.domain.extent(address).map_err(Interrupt::Stop)?;
        match room {
            Some(room) if room >= count => Ok(()),
            _ => Err(Interrupt::Fault(FaultKind::OutOfBounds)),
        }
    }

    /// Whether two runs of bytes have some in common, but not all: compilers copy structs onto
    /// themselves with `memcpy`, and no tool objects to that.
    fn overlap(&mut self, to: Address, from: Address, count: i64) -> Flow<D, bool> {
        let to = self.domain.root(to).map_err(Interrupt::Stop)?;
        let from = self.domain.root(from).map_err(Interrupt::Stop)?;
        let distance = to.offset.abs_diff(from.offset);
        let is_near = distance > 0 && distance < count.unsigned_abs();
        Ok(to.object == from.object && is_near && count < NO_OBJECT)
    }

    /// A pointer, some elements further on. Null may be displaced by nothing only.
    fn element_address(
        &mut self,
        point: ProgramPoint,
        array: Operand,
        index: Operand,
    ) -> Flow<D, D::Value> {
        let class = self.class(point, array)?;
        let ty = match self.sort(point, index)? {
            Sort::Machine(ty) => ty,
            _ => return Err(MachineError::IllSorted.into()),
        };
        let pointer = self.value(point, array)?;
        let index = self.value(point, index)?;
        if self.domain.is_undefined(&pointer) || self.domain.is_undefined(&index) {
            return Err(Interrupt::Fault(FaultKind::Uninitialised));
        }
        let site = point.ask(Question::Object);
        let target = self.domain.resolve(site, &pointer, class);
        let address = match target.map_err(Interrupt::Stop)? {
            Target::Object(address) => address,
            Target::Freed(_) => return Err(Interrupt::Fault(FaultKind::UseAfterFree)),
            Target::Wild => return Err(Interrupt::Fault(FaultKind::WildPointer)),
            Target::Null => {
                let zero = self.domain.constant(Constant::Int(ty, 0));
                let equal = BinaryOp::Compare(Comparison::Eq);
                let equal = self.domain.binary(equal, &index, &zero);
                let equal = equal.map_err(Interrupt::Stop)?;
                return match self.decide(point, Question::Index, &equal)? {
                    true => Ok(pointer),
                    false => Err(Interrupt::Fault(FaultKind::NullDereference)),
                };
            }
        };
        let site = point.ask(Question::Index);
        let reference = self.domain.element_address(site, address, &index, class);
        within(reference.map_err(Interrupt::Stop)?)
    }

    /// A new object, within the budget.
    pub(super) fn allocate(&mut self, point: ProgramPoint, class: ClassId) -> Flow<D, D::Value> {
        self.check_objects(point)?;
        let object = self.domain.allocate(class).map_err(Interrupt::Stop)?;
        self.used.objects += 1;
        Ok(object)
    }

    fn allocate_array(
        &mut self,
        point: ProgramPoint,
        class: ClassId,
        length: Operand,
    ) -> Flow<D, D::Value> {
        let Sort::Machine(ty) = self.sort(point, length)? else {
            return Err(MachineError::IllSorted.into());
        };
        let length = self.value(point, length)?;
        self.check_length(point, ty, &length)?;
        let site = point.ask(Question::ArrayLength);
        let length = self.domain.concretise(site, &length);
        let length = length.map_err(Interrupt::Stop)?;
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        if length > self.budgets.array_length {
            return Err(self.exhausted(point, Budget::ArrayLength));
        }
        let elements = self.used.elements.saturating_add(u64::from(length));
        if elements > self.budgets.elements {
            return Err(self.exhausted(point, Budget::Elements));
        }
        self.check_objects(point)?;
        let array = self.domain.allocate_array(class, length);
        let array = array.map_err(Interrupt::Stop)?;
        self.used.objects += 1;
        self.used.elements = elements;
        Ok(array)
    }

    fn check_length(&mut self, point: ProgramPoint, ty: IntType, length: &D::Value) -> Flow<D> {
        if !ty.signed() {
            return Ok(());
        }
        let zero = self.domain.constant(Constant::Int(ty, 0));
        let less = BinaryOp::Compare(Comparison::Lt);
        let negative = (self.domain.binary(less, length, &zero)).map_err(Interrupt::Stop)?;
        match self.decide(point, Question::NegativeLength, &negative)? {
            true => Err(Interrupt::FaultWith(
                FaultKind::NegativeLength,
                vec![length.clone()],
            )),
            false => Ok(()),
        }
    }

    fn check_objects(&self, point: ProgramPoint) -> Flow<D> {
        match self.used.objects < self.budgets.objects {
            true => Ok(()),
            false => Err(self.exhausted(point, Budget::Objects)),
        }
    }

    /// Only the beginning of a live object that is not a global can be freed.
    fn free(&mut self, point: ProgramPoint, object: Operand) -> Flow<D> {
        let class = self.class(point, object)?;
        let object = self.value(point, object)?;
        if self.domain.is_undefined(&object) {
            return Err(Interrupt::Fault(FaultKind::Uninitialised));
        }
        let target = (self.domain).resolve(point.ask(Question::Object), &object, class);
        let Target::Object(address) = target.map_err(Interrupt::Stop)? else {
            return Err(Interrupt::Fault(FaultKind::InvalidFree));
        };
        // What lies at the beginning of something larger stands for all of it.
        match self.domain.root(address).map_err(Interrupt::Stop)? {
            Address { object, offset: 0 } if !self.domain.is_global(object) => {
                self.domain.free(object).map_err(Interrupt::Stop)
            }
            _ => Err(Interrupt::Fault(FaultKind::InvalidFree)),
        }
    }

    fn field(
        &mut self,
        point: ProgramPoint,
        object: Operand,
        class: ClassId,
        field: u32,
    ) -> Flow<D, D::Slot> {
        let object = self.value(point, object)?;
        let address = self.dereference(point, &object, class)?;
        let site = point.ask(Question::Field);
        let slot = self.domain.field(site, address, class, field);
        within(slot.map_err(Interrupt::Stop)?)
    }

    fn array(&mut self, point: ProgramPoint, array: Operand) -> Flow<D, Address> {
        let class = self.class(point, array)?;
        let array = self.value(point, array)?;
        self.dereference(point, &array, class)
    }

    fn element(
        &mut self,
        point: ProgramPoint,
        address: Address,
        index: Operand,
        sort: Sort,
    ) -> Flow<D, D::Slot> {
        let index = self.value(point, index)?;
        let site = point.ask(Question::Index);
        let slot = self.domain.element(site, address, &index, sort);
        match slot.map_err(Interrupt::Stop)? {
            Some(slot) => Ok(slot),
            None => Err(self.out_of_bounds(point, address, index)?),
        }
    }

    /// The fault of an index that no element has.
    fn out_of_bounds(
        &mut self,
        point: ProgramPoint,
        address: Address,
        index: D::Value,
    ) -> Flow<D, Interrupt<D::Value, D::Stop>> {
        let kind = FaultKind::OutOfBounds;
        let known = self.program.fault_objects.get(&kind);
        let Some((class, fields)) = known.and_then(|known| known.detailed.as_ref()) else {
            return Ok(Interrupt::Fault(kind));
        };
        let fields = fields.last().map(|&field| field as usize);
        let definition = self.program.definitions.class(*class);
        let sort = fields.and_then(|field| Some(definition.fields.get(field)?.sort));
        let Some(Sort::Machine(ty)) = sort else {
            return Ok(Interrupt::Fault(kind));
        };
        let site = point.ask(Question::ArrayLength);
        let length = self.domain.length(site, address, ty);
        Ok(match length.map_err(Interrupt::Stop)? {
            Some(length) => Interrupt::FaultWith(kind, vec![index, length]),
            None => Interrupt::Fault(kind),
        })
    }

    fn load(&mut self, point: ProgramPoint, to: crate::Reg, slot: &D::Slot) -> Flow<D> {
        let sort = self.register_sort(point, to)?;
        let value = self.domain.load(slot, sort).map_err(Interrupt::Stop)?;
        self.set(to, value)
    }

    fn store(&mut self, point: ProgramPoint, value: Operand, slot: &D::Slot) -> Flow<D> {
        let sort = self.sort(point, value)?;
        let value = self.value(point, value)?;
        let stored = self.domain.store(slot, sort, &value);
        stored.map_err(Interrupt::Stop)
    }

    /// Whether an object is of a class; nothing if it is null.
    fn is_instance(
        &mut self,
        point: ProgramPoint,
        object: Operand,
        class: ClassId,
    ) -> Flow<D, Option<bool>> {
        let declared = self.class(point, object)?;
        let object = self.value(point, object)?;
        let target = (self.domain).resolve(point.ask(Question::Object), &object, declared);
        let object = match target.map_err(Interrupt::Stop)? {
            Target::Null => return Ok(None),
            Target::Freed(_) => return Err(Interrupt::Fault(FaultKind::UseAfterFree)),
            Target::Wild => return Err(Interrupt::Fault(FaultKind::WildPointer)),
            Target::Object(address) => address.object,
        };
        let site = point.ask(Question::Instance);
        let answer = self.domain.instance_of(site, object, class);
        answer.map(Some).map_err(Interrupt::Stop)
    }

    /// Arrays of references know the class of their elements at run time. Nothing is asked where
    /// the declared class of the value already fits.
    fn check_element(
        &mut self,
        point: ProgramPoint,
        array: Address,
        value: Operand,
        declared: ClassId,
    ) -> Flow<D> {
        if matches!(value, Operand::Constant(Constant::Null)) {
            return Ok(());
        }
        let class = (self.domain).class_of(point.ask(Question::ArrayClass), array.object);
        let info = (self.program.classes).get(class.map_err(Interrupt::Stop)?.index());
        let Some(ClassKind::Array {
            element: Sort::Ref(element),
        }) = info.map(|info| &info.kind)
        else {
            return Ok(());
        };
        if layout::is_subtype(self.program, declared, *element)? {
            return Ok(());
        }
        let value = self.value(point, value)?;
        let target = (self.domain).resolve(point.ask(Question::StoredObject), &value, declared);
        let Target::Object(address) = target.map_err(Interrupt::Stop)? else {
            return Ok(());
        };
        let site = point.ask(Question::StoredInstance);
        let fits = self.domain.instance_of(site, address.object, *element);
        match fits.map_err(Interrupt::Stop)? {
            true => Ok(()),
            false => Err(Interrupt::FaultWith(FaultKind::BadElement, vec![value])),
        }
    }
}

/// What lies outside its object is a fault.
fn within<T, V, S>(found: Option<T>) -> Result<T, Interrupt<V, S>> {
    found.ok_or(Interrupt::Fault(FaultKind::OutOfBounds))
}
