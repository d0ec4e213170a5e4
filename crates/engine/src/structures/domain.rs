//! How a run on a partial structure answers the interpreter.

use std::rc::Rc;

use heapwright_ir::machine::concrete::{Value as Concrete, arithmetic as exact};
use heapwright_ir::machine::environment::{Asked, Environment};
use heapwright_ir::machine::interned::InternedNumber;
use heapwright_ir::machine::intrinsic::{IDENTITY, INTERNED, USUAL_IDENTITY};
use heapwright_ir::machine::layout;
use heapwright_ir::machine::slot_memory::Located;
use heapwright_ir::machine::{Address, Domain, Intrinsic, MachineError, ObjectId, Site, Target};
use heapwright_ir::{BinaryOp, BlockId, Comparison, Constant, GlobalId, UnaryOp};
use heapwright_logic::{ClassId, IntType, MathFunction, Sort, TermId};

use super::merge::unwrapped;
use super::partial_value::PartialValue;
use super::question::StructureQuestion;
use super::scalars::Feasible;
use super::structure::{Reference, SlotId};
use super::{Partial, StructureStop, Told};
use crate::path::arithmetic::{self, same_number};

impl Domain for Partial<'_> {
    type Value = PartialValue;
    type Slot = Located;
    type Stop = StructureStop;

    fn constant(&mut self, constant: Constant) -> PartialValue {
        PartialValue::Concrete(constant.into())
    }

    fn global(&mut self, id: GlobalId) -> Result<PartialValue, StructureStop> {
        if let Some(object) = self.memory.global(id) {
            return Ok(PartialValue::Concrete(Concrete::object(object)));
        }
        let global = self.program.globals.get(id.index());
        let global = global.ok_or(MachineError::NoGlobal(id))?;
        let reference = match global.length {
            None => self.allocate(global.class)?,
            Some(length) => self.allocate_array(global.class, length)?,
        };
        if let PartialValue::Concrete(Concrete::Pointer(address)) = reference {
            self.memory.place_global(id, address.object);
        }
        Ok(reference)
    }

    fn is_global(&self, object: ObjectId) -> bool {
        self.memory.is_global(object)
    }

    fn unary(
        &mut self,
        op: UnaryOp,
        sort: Sort,
        a: &PartialValue,
    ) -> Result<PartialValue, StructureStop> {
        if self.program.manual_memory
            && let Some(pointer) = self.unary_on_pointer(op, sort, *a)?
        {
            return Ok(pointer);
        }
        match *a {
            PartialValue::Concrete(a) => {
                let value = exact::unary(op, sort, a).ok_or(MachineError::IllSorted)?;
                Ok(PartialValue::Concrete(value))
            }
            PartialValue::Term(a) => {
                let terms = &mut self.scalars.borrow_mut().terms;
                let term = arithmetic::unary(terms, op, sort, a);
                Ok(PartialValue::of(
                    terms,
                    term.ok_or(MachineError::IllSorted)?,
                ))
            }
            PartialValue::Unknown => Ok(PartialValue::Unknown),
            PartialValue::Open(_) => Err(MachineError::IllSorted.into()),
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        a: &PartialValue,
        b: &PartialValue,
    ) -> Result<PartialValue, StructureStop> {
        if self.program.manual_memory
            && let Some(known) = self.binary_on_pointers(op, *a, *b)?
        {
            return Ok(known);
        }
        if let (PartialValue::Concrete(a), PartialValue::Concrete(b)) = (*a, *b) {
            if let Some(same) = self.interned_together(a, b) {
                return match op {
                    BinaryOp::Compare(Comparison::Ne) => {
                        self.unary(UnaryOp::Not, Sort::Bool, &same)
                    }
                    _ => Ok(same),
                };
            }
            let value = exact::binary(op, a, b).ok_or(MachineError::IllSorted)?;
            return Ok(PartialValue::Concrete(value));
        }
        if *a == PartialValue::Unknown || *b == PartialValue::Unknown {
            return Ok(PartialValue::Unknown);
        }
        if a.is_reference() || b.is_reference() {
            return self.compare_references(op, *a, *b);
        }
        let terms = &mut self.scalars.borrow_mut().terms;
        let (Some(a), Some(b)) = (a.term(terms), b.term(terms)) else {
            return Err(MachineError::IllSorted.into());
        };
        let term = arithmetic::binary(terms, op, a, b).ok_or(MachineError::IllSorted)?;
        // A count in a loop would be nested more deeply with every round.
        let term = unwrapped(terms, term);
        Ok(PartialValue::of(terms, term))
    }

    fn decide(&mut self, _: Site, condition: &PartialValue) -> Result<bool, StructureStop> {
        let term = match *condition {
            PartialValue::Concrete(Concrete::Bool(value)) => return Ok(value),
            PartialValue::Unknown => return Err(StructureStop::Unknown),
            PartialValue::Concrete(_) | PartialValue::Open(_) => {
                return Err(MachineError::IllSorted.into());
            }
            PartialValue::Term(term) => term,
        };
        if let Some(Told::Truth(told, holds)) = self.told
            && told == term
        {
            self.told = None;
            return Ok(holds);
        }
        match self.known_condition(term) {
            Some(known) => Ok(known),
            None => Err(self.ask(StructureQuestion::Condition(term))),
        }
    }

    fn switch(
        &mut self,
        _: Site,
        value: &PartialValue,
        cases: &[(i128, BlockId)],
    ) -> Result<Option<usize>, StructureStop> {
        let number = match *value {
            PartialValue::Concrete(Concrete::Int(value)) => Some(value),
            PartialValue::Unknown => return Err(StructureStop::Unknown),
            PartialValue::Concrete(_) | PartialValue::Open(_) => {
                return Err(MachineError::IllSorted.into());
            }
            PartialValue::Term(term) => {
                let numbers = cases.iter().map(|(case, _)| *case).collect();
                self.number(term, Some(numbers))?
            }
        };
        let position = |number| cases.iter().position(|(case, _)| *case == number);
        Ok(number.and_then(position))
    }

    fn concretise(&mut self, _: Site, value: &PartialValue) -> Result<i128, StructureStop> {
        match *value {
            PartialValue::Concrete(Concrete::Int(value)) => Ok(value),
            PartialValue::Unknown => Err(StructureStop::Unknown),
            PartialValue::Concrete(_) | PartialValue::Open(_) => {
                Err(MachineError::IllSorted.into())
            }
            PartialValue::Term(term) => self.number(term, None)?.ok_or(StructureStop::Infeasible),
        }
    }

    fn resolve(
        &mut self,
        _: Site,
        reference: &PartialValue,
        _: ClassId,
    ) -> Result<Target, StructureStop> {
        let address = match *reference {
            PartialValue::Concrete(Concrete::Null) => return Ok(Target::Null),
            PartialValue::Concrete(Concrete::Pointer(address)) => address,
            PartialValue::Concrete(Concrete::Wild(_)) => return Ok(Target::Wild),
            PartialValue::Open(slot) => match self.target(slot)? {
                None => return Ok(Target::Null),
                Some(object) => Address { object, offset: 0 },
            },
            PartialValue::Unknown => return Err(StructureStop::Unknown),
            PartialValue::Concrete(_) | PartialValue::Term(_) => {
                return Err(MachineError::IllSorted.into());
            }
        };
        Ok(self.memory.target(address)?)
    }

    fn class_of(&mut self, _: Site, object: ObjectId) -> Result<ClassId, StructureStop> {
        Ok(self.memory.object(object)?.class)
    }

    fn instance_of(
        &mut self,
        _: Site,
        object: ObjectId,
        class: ClassId,
    ) -> Result<bool, StructureStop> {
        let actual = self.memory.object(object)?.class;
        Ok(layout::is_subtype(self.program, actual, class)?)
    }

    fn allocate(&mut self, class: ClassId) -> Result<PartialValue, StructureStop> {
        let object = self.memory.build(self.program, class, None)?;
        Ok(PartialValue::Concrete(Concrete::object(object)))
    }

    fn allocate_array(
        &mut self,
        class: ClassId,
        length: u32,
    ) -> Result<PartialValue, StructureStop> {
        let object = self.memory.build(self.program, class, Some(length))?;
        Ok(PartialValue::Concrete(Concrete::object(object)))
    }

    fn free(&mut self, object: ObjectId) -> Result<(), StructureStop> {
        self.memory.object_mut(object)?.freed = true;
        Ok(())
    }

    fn field(
        &mut self,
        _: Site,
        address: Address,
        class: ClassId,
        field: u32,
    ) -> Result<Option<Located>, StructureStop> {
        let located = (self.memory).locate_field(self.program, address, class, field)?;
        Ok(inside(located))
    }

    fn element(
        &mut self,
        _: Site,
        address: Address,
        index: &PartialValue,
        sort: Sort,
    ) -> Result<Option<Located>, StructureStop> {
        let index = match *index {
            PartialValue::Concrete(Concrete::Int(index)) => index,
            PartialValue::Unknown => return Err(StructureStop::Unknown),
            PartialValue::Concrete(_) | PartialValue::Open(_) => {
                return Err(MachineError::IllSorted.into());
            }
            PartialValue::Term(term) if self.program.manual_memory => {
                let width = i128::from(layout::size_of(sort));
                match self.index(address, term, width, false)? {
                    Some(index) => index,
                    None => return Ok(None),
                }
            }
            PartialValue::Term(term) => {
                let length = self.memory.object(address.object)?.contents.len();
                let indices = (0..length as i128).collect();
                match self.number(term, Some(indices))? {
                    Some(index) => index,
                    None => return Ok(None),
                }
            }
        };
        let located = (self.memory).locate_element(self.program, address, index, sort)?;
        Ok(inside(located))
    }

    fn load(&mut self, slot: &Located, sort: Sort) -> Result<PartialValue, StructureStop> {
        match *slot {
            Located::Slot(slot) if !self.program.manual_memory => Ok(self.memory.read(slot)?),
            place => self.load_bytes(place, sort),
        }
    }

    fn store(
        &mut self,
        slot: &Located,
        sort: Sort,
        value: &PartialValue,
    ) -> Result<(), StructureStop> {
        match *slot {
            Located::Slot(slot) if !self.program.manual_memory => {
                Ok(self.memory.write(slot, *value)?)
            }
            place => self.store_bytes(place, sort, *value),
        }
    }

    fn length(
        &mut self,
        _: Site,
        address: Address,
        ty: IntType,
    ) -> Result<Option<PartialValue>, StructureStop> {
        let length = self.memory.length(self.program, address)?;
        let length = length.map(|length| Concrete::Int(ty.wrap(length as i128)));
        Ok(length.map(PartialValue::Concrete))
    }

    fn field_address(
        &mut self,
        _: Site,
        address: Address,
        class: ClassId,
        field: u32,
    ) -> Result<Option<PartialValue>, StructureStop> {
        // How long a flexible member is may still be open.
        if self.program.class(class).inside.embeds(field)
            && let Located::Slot(slot) =
                (self.memory).locate_field(self.program, address, class, field)?
            && let open @ PartialValue::Open(slot) = self.memory.read(slot)?
            && self.structure.chosen(slot).is_none()
        {
            return Ok(Some(open));
        }
        let place = (self.memory).field_address(self.program, address, class, field)?;
        Ok(place.map(|place| PartialValue::Concrete(Concrete::Pointer(place))))
    }

    fn element_address(
        &mut self,
        site: Site,
        address: Address,
        index: &PartialValue,
        array: ClassId,
    ) -> Result<Option<PartialValue>, StructureStop> {
        let width = (self.memory).element_width(self.program, address, array)?;
        let index = match *index {
            PartialValue::Term(term) if self.program.manual_memory => {
                self.index(address, term, width, true)?
            }
            known => Some(self.concretise(site, &known)?),
        };
        let Some(index) = index else {
            return Ok(None);
        };
        let distance = index.saturating_mul(width);
        let Some(place) = self.memory.displaced(address, distance) else {
            return Ok(None);
        };
        let place = self.memory.canonical(self.program, place, array)?;
        Ok(Some(PartialValue::Concrete(Concrete::Pointer(place))))
    }

    fn cast(
        &mut self,
        _: Site,
        pointer: &PartialValue,
        class: ClassId,
    ) -> Result<PartialValue, StructureStop> {
        self.cast_pointer(*pointer, class)
    }

    fn undefined(&mut self, _: Sort) -> Result<PartialValue, StructureStop> {
        Ok(PartialValue::Concrete(Concrete::Undefined))
    }

    fn is_undefined(&mut self, value: &PartialValue) -> bool {
        *value == PartialValue::Concrete(Concrete::Undefined)
    }

    fn extent(&mut self, address: Address) -> Result<Option<i64>, StructureStop> {
        let root = self.memory.root(address)?;
        let extent = self.memory.extent(self.program, root.object)?;
        Ok((root.offset >= 0).then(|| extent - root.offset))
    }

    fn alignment(&mut self, object: ObjectId) -> Result<u32, StructureStop> {
        Ok(self.memory.alignment(self.program, object)?)
    }

    fn copy_bytes(&mut self, to: Address, from: Address, count: i64) -> Result<(), StructureStop> {
        self.copy(to, from, count)
    }

    fn fill_bytes(
        &mut self,
        to: Address,
        value: Option<&PartialValue>,
        count: i64,
    ) -> Result<(), StructureStop> {
        self.fill(to, value.copied(), count)
    }

    fn intrinsic(
        &mut self,
        _: Site,
        name: &str,
        args: &[PartialValue],
    ) -> Result<Intrinsic<PartialValue>, StructureStop> {
        let returned = |value| Ok(Intrinsic::Returned(Some(value)));
        if let (IDENTITY, &[object]) = (name, args) {
            let object = match object {
                PartialValue::Open(slot) => self.target(slot)?,
                PartialValue::Concrete(Concrete::Pointer(address)) => Some(address.object),
                PartialValue::Unknown => return returned(PartialValue::Unknown),
                _ => None,
            };
            let number = match (object, self.identities) {
                (None, _) => 0,
                (Some(_), false) => USUAL_IDENTITY,
                (Some(object), true) => i128::from(object.0) + 1,
            };
            return returned(PartialValue::Concrete(Concrete::Int(number)));
        }
        if let (INTERNED, &[object, number, first, last]) = (name, args) {
            return returned(self.intern(object, number, (first, last))?);
        }
        // Concrete runs of what is found notice that they ask.
        match (Environment::asked(name), args) {
            (None, _) => {}
            (Some(Asked::Value(_)), &[usual, _]) => return returned(usual),
            (Some(Asked::Value(_)), _) => {
                return returned(PartialValue::Concrete(Concrete::Int(0)));
            }
            (Some(Asked::Decided(_) | Asked::Kept(_)), _) => {
                return returned(PartialValue::Concrete(Concrete::Bool(false)));
            }
        }
        let Some(function) = MathFunction::named(name) else {
            return Ok(Intrinsic::Unknown);
        };
        if args.contains(&PartialValue::Unknown) {
            return returned(PartialValue::Unknown);
        }
        let terms = &mut self.scalars.borrow_mut().terms;
        let args: Option<Vec<_>> = args.iter().map(|arg| arg.term(terms)).collect();
        let term = args.and_then(|args| arithmetic::apply(terms, function, args));
        returned(PartialValue::of(
            terms,
            term.ok_or(MachineError::IllSorted)?,
        ))
    }
}

impl Partial<'_> {
    /// The object that a reference of the structure is, if it is one.
    fn target(&mut self, slot: SlotId) -> Result<Option<ObjectId>, StructureStop> {
        match self.structure.chosen(slot) {
            None => Err(self.ask(StructureQuestion::Reference(slot))),
            Some(Reference::Null) => Ok(None),
            Some(Reference::Object(number)) => {
                let object = self.placed.get(number as usize).copied();
                object.map(Some).ok_or(MachineError::IllSorted.into())
            }
        }
    }

    /// The object that stands for a number, where the object is new.
    fn intern(
        &mut self,
        object: PartialValue,
        number: PartialValue,
        range: (PartialValue, PartialValue),
    ) -> Result<PartialValue, StructureStop> {
        let (
            PartialValue::Concrete(Concrete::Pointer(Address { object, .. })),
            (
                PartialValue::Concrete(Concrete::Int(first)),
                PartialValue::Concrete(Concrete::Int(last)),
            ),
        ) = (object, range)
        else {
            return Err(MachineError::IllSorted.into());
        };
        let interned = InternedNumber {
            class: self.memory.object(object)?.class,
            number,
            range: (first, last),
        };
        let known = match number {
            PartialValue::Concrete(Concrete::Int(known)) => Some(known),
            _ => None,
        };
        let object = self.interned.intern(object, interned, known);
        Ok(PartialValue::Concrete(Concrete::object(object)))
    }

    /// Whether two different objects are the same nevertheless; `None` if they never are.
    fn interned_together(&mut self, one: Concrete, other: Concrete) -> Option<PartialValue> {
        let (Concrete::Pointer(one), Concrete::Pointer(other)) = (one, other) else {
            return None;
        };
        let (one, other) = self.interned.numbers(one.object, other.object)?;
        let terms = &mut self.scalars.borrow_mut().terms;
        let (Some(number), Some(same)) = (one.number.term(terms), other.number.term(terms)) else {
            return Some(PartialValue::Unknown);
        };
        let condition = same_number(terms, number, same, one.range);
        Some(PartialValue::of(terms, condition))
    }

    /// Something is open: the run stops, to be resumed with an answer, unless nobody answers.
    fn ask(&mut self, open: StructureQuestion) -> StructureStop {
        let is_asked = match open {
            // Both sides may be possible at once.
            StructureQuestion::Condition(_) => true,
            StructureQuestion::Same(_, Reference::Object(_)) => self.asking,
            _ => false,
        };
        match is_asked || !self.conservative {
            true => StructureStop::Ask(open),
            false => StructureStop::Unknown,
        }
    }

    pub(super) fn compare_references(
        &mut self,
        op: BinaryOp,
        a: PartialValue,
        b: PartialValue,
    ) -> Result<PartialValue, StructureStop> {
        let negated = match op {
            BinaryOp::Compare(Comparison::Eq) => false,
            BinaryOp::Compare(Comparison::Ne) => true,
            _ => return Err(MachineError::IllSorted.into()),
        };
        let same = match (a, b) {
            (PartialValue::Open(a), PartialValue::Open(b)) if a == b => Ok(true),
            (PartialValue::Open(slot), other) | (other, PartialValue::Open(slot)) => {
                self.same(slot, other)
            }
            _ => self.both(a, b),
        };
        let same = match same {
            Ok(same) => same,
            Err(StructureStop::Unknown) => return Ok(PartialValue::Unknown),
            Err(stop) => return Err(stop),
        };
        Ok(PartialValue::Concrete(Concrete::Bool(same != negated)))
    }

    /// Whether a reference of the structure is the same as another value.
    fn same(&mut self, slot: SlotId, other: PartialValue) -> Result<bool, StructureStop> {
        let other = match other {
            // One of two open ones has to be known first.
            PartialValue::Open(other) if self.structure.chosen(slot).is_some() => {
                let known = self.target(slot)?;
                let known = known.map_or(Concrete::Null, Concrete::object);
                return self.same(other, PartialValue::Concrete(known));
            }
            other => self.referenced(other)?,
        };
        if self.structure.chosen(slot).is_some() {
            let own = self.referenced(PartialValue::Open(slot))?;
            return self.is_same_place(own, other);
        }
        let reference = match other {
            None => Reference::Null,
            Some(address) => {
                // The same place may be inside of another object.
                let known = self.structure.slots.get(slot.0 as usize);
                let declared = known.map_or(ClassId::ANY, |slot| slot.class);
                let address = match self.program.manual_memory {
                    true => self.memory.canonical(self.program, address, declared)?,
                    false => address,
                };
                let placed = self.placed.iter().position(|&id| id == address.object);
                let class = self.memory.object(address.object)?.class;
                match placed {
                    Some(number) if address.offset == 0 => Reference::Object(number as u32),
                    None if self.rules.singletons.contains_key(&class) => {
                        return Err(self.ask(StructureQuestion::Reference(slot)));
                    }
                    // An object that the program made itself is none of the input.
                    _ => return Ok(false),
                }
            }
        };
        match self.structure.may_be(slot, reference) {
            false => Ok(false),
            true if matches!(reference, Reference::Object(number) if number >= u64::BITS) => {
                Err(self.ask(StructureQuestion::Reference(slot)))
            }
            true => Err(self.ask(StructureQuestion::Same(slot, reference))),
        }
    }

    /// Whether two references lead to the same place.
    fn both(&mut self, a: PartialValue, b: PartialValue) -> Result<bool, StructureStop> {
        let (a, b) = (self.referenced(a)?, self.referenced(b)?);
        self.is_same_place(a, b)
    }

    fn is_same_place(&self, a: Option<Address>, b: Option<Address>) -> Result<bool, StructureStop> {
        Ok(match (a, b) {
            (Some(a), Some(b)) if self.program.manual_memory => {
                self.memory.root(a)? == self.memory.root(b)?
            }
            _ => a == b,
        })
    }

    /// The place that a reference leads to; nothing for null.
    pub(super) fn referenced(
        &mut self,
        value: PartialValue,
    ) -> Result<Option<Address>, StructureStop> {
        match value {
            PartialValue::Open(slot) => {
                let object = self.target(slot)?;
                Ok(object.map(|object| Address { object, offset: 0 }))
            }
            PartialValue::Concrete(Concrete::Null) => Ok(None),
            PartialValue::Concrete(Concrete::Pointer(address)) => Ok(Some(address)),
            _ => Err(MachineError::IllSorted.into()),
        }
    }

    /// Whether a condition follows from what is known, or contradicts it.
    fn known_condition(&mut self, term: TermId) -> Option<bool> {
        let conditions = &self.structure.conditions;
        let mut scalars = self.scalars.borrow_mut();
        let negation = scalars.terms.not(term);
        if conditions.contains(&term) {
            return Some(true);
        }
        if conditions.contains(&negation) {
            return Some(false);
        }
        // A truth value that nothing speaks of can be either.
        if let Some(name) = scalars.terms.as_var(term)
            && !conditions
                .iter()
                .any(|&known| scalars.mentions(known, name))
        {
            let mut model = (*self.structure.model).clone();
            let holds = model.get(&name) == Some(&heapwright_logic::Value::Bool(true));
            model.insert(name, heapwright_logic::Value::Bool(!holds));
            self.other = Some((term, !holds, Rc::new(model)));
            return None;
        }
        // The numbers at hand show that one side is possible; the other one is asked for.
        let holds = scalars.holds(&self.structure.model, term)?;
        let other = match holds {
            true => negation,
            false => term,
        };
        let other = scalars.check_also(conditions, other, &self.structure.model);
        match other {
            Feasible::Never => Some(holds),
            Feasible::Perhaps => None,
            Feasible::With(model) => {
                self.other = Some((term, !holds, Rc::new(model)));
                None
            }
        }
    }

    /// The number that a term is: one of the cases, nothing for all others.
    pub(super) fn number(
        &mut self,
        term: TermId,
        cases: Option<Vec<i128>>,
    ) -> Result<Option<i128>, StructureStop> {
        if let Some(Told::Number(told, number)) = self.told
            && told == term
        {
            self.told = None;
            return Ok(number);
        }
        let cases = cases.map(Rc::new);
        Err(self.ask(StructureQuestion::Number { term, cases }))
    }
}

fn inside(located: Located) -> Option<Located> {
    (located != Located::Outside).then_some(located)
}
