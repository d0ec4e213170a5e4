//! Memory as bytes, pointers as numbers, and casts between pointers.

use heapwright_ir::machine::byte_access::{Bytes, Numbers};
use heapwright_ir::machine::concrete::{
    Value as Concrete, arithmetic as exact, pointer_arithmetic, pointer_conversion,
};
use heapwright_ir::machine::slot_memory::{Located, Object, Slot};
use heapwright_ir::machine::{Address, MachineError, ObjectId, Question, Site, Target};
use heapwright_ir::{Arithmetic, BinaryOp, Comparison, UnaryOp};
use heapwright_logic::{ClassId, IntType, Sort, TermId, Terms};

use super::question::ChoicePoint;
use super::{PathStop, Symbolic};
use crate::input::candidates::fits;
use crate::path::aliases::Known;
use crate::path::arithmetic;
use crate::path::decision::Choice;
use crate::path::symbolic_value::SymbolicValue;

/// Numbers that are terms.
pub(super) struct TermNumbers<'t> {
    terms: &'t mut Terms,
}

impl Numbers<SymbolicValue> for TermNumbers<'_> {
    fn sort(&self, value: SymbolicValue) -> Option<Sort> {
        match value {
            SymbolicValue::Symbolic(term) => Some(self.terms.sort(term)),
            SymbolicValue::Concrete(_) => None,
        }
    }

    fn convert(&mut self, value: SymbolicValue, from: Sort, to: Sort) -> Option<SymbolicValue> {
        match value {
            SymbolicValue::Concrete(value) => {
                exact::unary(UnaryOp::Convert(to), from, value).map(SymbolicValue::Concrete)
            }
            SymbolicValue::Symbolic(term) => {
                let term = arithmetic::unary(self.terms, UnaryOp::Convert(to), from, term)?;
                Some(SymbolicValue::of(self.terms, term))
            }
        }
    }

    fn compute(
        &mut self,
        op: Arithmetic,
        a: SymbolicValue,
        b: SymbolicValue,
    ) -> Option<SymbolicValue> {
        let op = BinaryOp::Int(IntType::U64, op);
        if let (SymbolicValue::Concrete(a), SymbolicValue::Concrete(b)) = (a, b) {
            return exact::binary(op, a, b).map(SymbolicValue::Concrete);
        }
        let (a, b) = (a.term(self.terms)?, b.term(self.terms)?);
        let term = arithmetic::binary(self.terms, op, a, b)?;
        Some(SymbolicValue::of(self.terms, term))
    }
}

impl Symbolic<'_> {
    pub(super) fn bytes(
        &mut self,
    ) -> Bytes<'_, SymbolicValue, Object<SymbolicValue>, TermNumbers<'_>> {
        Bytes {
            memory: &mut self.memory,
            program: &self.subject.program,
            numbers: TermNumbers {
                terms: &mut self.terms,
            },
        }
    }

    /// What cannot be said with terms ends the path, by name.
    pub(super) fn followed<T>(&mut self, done: Result<T, MachineError>) -> Result<T, PathStop> {
        match done {
            Ok(done) => Ok(done),
            Err(MachineError::MixedAccess(_)) => Err(self.unsupported()),
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn load_bytes(
        &mut self,
        place: Located,
        sort: Sort,
    ) -> Result<SymbolicValue, PathStop> {
        if let Located::Slot(slot) = place {
            let value = self.memory.read(slot)?;
            let is_sort = match value {
                SymbolicValue::Concrete(value) => value.has_sort(sort),
                SymbolicValue::Symbolic(term) => {
                    let own = self.terms.sort(term);
                    own == sort || own.is_ref() && sort.is_ref()
                }
            };
            if is_sort {
                return Ok(value);
            }
        }
        if let Some(pointer) = self.member(place, sort)? {
            return Ok(pointer);
        }
        let read = self.bytes().read(place, sort);
        let read = self.followed(read)?;
        match self.is_of_member(read) {
            true => Err(self.unsupported()),
            false => Ok(read),
        }
    }

    pub(super) fn store_bytes(
        &mut self,
        place: Located,
        sort: Sort,
        value: SymbolicValue,
    ) -> Result<(), PathStop> {
        let written = self.bytes().write(place, sort, value);
        self.followed(written)
    }

    /// Which element a symbolic index selects, of those that the object has; `None` outside.
    pub(super) fn index(
        &mut self,
        site: Site,
        address: Address,
        index: TermId,
        width: i128,
        or_behind: bool,
    ) -> Result<Option<i128>, PathStop> {
        let root = self.memory.root(address)?;
        let own = match or_behind {
            // What is pointed to may be anywhere in the outermost object.
            true => root,
            false => address,
        };
        let extent = i128::from(self.memory.extent(&self.subject.program, own.object)?);
        let offset = i128::from(own.offset);
        if width == 0 || offset % width != 0 {
            return self.number(site, index).map(Some);
        }
        let before = offset / width;
        let length = (extent / width) as u32 + u32::from(or_behind);
        let shift = self.terms.int(before);
        let shifted = self.terms.add(index, shift);
        let mut choices: Vec<_> = (0..length)
            .map(|element| Choice::Element(Some(element)))
            .collect();
        choices.push(Choice::Element(None));
        match self.choose(Some(site), ChoicePoint::Element(shifted, length), choices)? {
            Choice::Element(Some(element)) => Ok(Some(i128::from(element) - before)),
            // A pointer may be formed that leads nowhere.
            Choice::Element(None) if or_behind => self.number(site, index).map(Some),
            // Outside of an array it may still be inside of the struct around it.
            Choice::Element(None) if root.object != own.object => {
                let whole = self.memory.extent(&self.subject.program, root.object)?;
                let before = i128::from(root.offset) / width;
                let behind = (i128::from(whole) - i128::from(root.offset)) / width;
                let terms = &mut self.terms;
                let (first, end) = (terms.int(-before), terms.int(behind));
                let bounds = [terms.le(first, index), terms.lt(index, end)];
                let is_inside = terms.and(bounds);
                let is_inside = SymbolicValue::of(&self.terms, is_inside);
                match heapwright_ir::machine::Domain::decide(self, site, &is_inside)? {
                    true => self.number(site, index).map(Some),
                    false => Ok(None),
                }
            }
            Choice::Element(None) => Ok(None),
            _ => Err(PathStop::Diverged),
        }
    }

    /// The reference to an object inside of another one that is still open.
    pub(super) fn open_part(
        &mut self,
        address: Address,
        class: ClassId,
        field: u32,
    ) -> Result<Option<SymbolicValue>, PathStop> {
        let program = &self.subject.program;
        if !program.class(class).inside.embeds(field) {
            return Ok(None);
        }
        let located = self.memory.locate_field(program, address, class, field)?;
        let Located::Slot(slot) = located else {
            return Ok(None);
        };
        let value = self.memory.read(slot)?;
        let is_open = match value {
            SymbolicValue::Symbolic(term) => self.terms.sort(term).is_ref(),
            SymbolicValue::Concrete(_) => false,
        };
        Ok(is_open.then_some(value))
    }

    /// Notes that an object of the input lies inside of another one, or others inside of it.
    pub(super) fn embed(&mut self, new: ObjectId) -> Result<(), PathStop> {
        let mut pairs: Vec<(ObjectId, u32, ObjectId)> = Vec::new();
        for known in &self.initial.cells {
            let inside = &self.subject.program.class(known.cell.class).inside;
            let indices: Vec<u32> = match inside.stride {
                Some(_) => (0..known.contents().len() as u32).collect(),
                None => inside.embedded.iter().map(|(field, _)| *field).collect(),
            };
            for index in indices {
                let content = known.contents().get(index as usize);
                let symbol = content.and_then(|&content| self.terms.as_var(content));
                if let Some(symbol) = symbol
                    && let Known::Object(part) = self.initial.aliases.known(symbol)
                    && (part == new || known.object == new)
                {
                    pairs.push((known.object, index, part));
                }
            }
        }
        for (outer, index, part) in pairs {
            let program = &self.subject.program;
            self.memory.embed(program, part, (outer, index))?;
            let slot = Slot {
                object: outer,
                index,
            };
            let value = SymbolicValue::Concrete(Concrete::object(part));
            self.memory.write(slot, value)?;
        }
        Ok(())
    }

    /// A pointer as one to something else.
    pub(super) fn cast_pointer(
        &mut self,
        site: Site,
        pointer: SymbolicValue,
        class: ClassId,
    ) -> Result<SymbolicValue, PathStop> {
        let address = match pointer {
            SymbolicValue::Concrete(Concrete::Pointer(address)) => address,
            SymbolicValue::Concrete(_) => return Ok(pointer),
            SymbolicValue::Symbolic(term) => {
                let Sort::Ref(declared) = self.terms.sort(term) else {
                    return Ok(pointer);
                };
                let program = &self.subject.program;
                let is_plain = [declared, class].contains(&ClassId::ANY)
                    || fits(program, declared, class)
                    || fits(program, class, declared)
                    || matches!(
                        program.class(class).kind,
                        heapwright_ir::ClassKind::Array { .. }
                    );
                if is_plain {
                    return Ok(pointer);
                }
                match self.target(site, &pointer, declared)? {
                    Target::Null => return Ok(SymbolicValue::Concrete(Concrete::Null)),
                    Target::Object(address) => address,
                    Target::Freed(object) => Address { object, offset: 0 },
                    Target::Wild => return Ok(pointer),
                }
            }
        };
        let adopted = self.bytes().adopt(address, class);
        self.followed(adopted)?;
        let place = (self.memory).canonical(&self.subject.program, address, class)?;
        Ok(SymbolicValue::Concrete(Concrete::Pointer(place)))
    }

    /// A reference, resolved.
    fn resolved(&mut self, question: Question, value: SymbolicValue) -> Result<Concrete, PathStop> {
        let SymbolicValue::Symbolic(term) = value else {
            return match value {
                SymbolicValue::Concrete(value) => Ok(value),
                SymbolicValue::Symbolic(_) => Err(MachineError::IllSorted.into()),
            };
        };
        let Sort::Ref(class) = self.terms.sort(term) else {
            return Err(MachineError::IllSorted.into());
        };
        let site = self.point.ask(question);
        Ok(match self.target(site, &value, class)? {
            Target::Null => Concrete::Null,
            Target::Object(address) => Concrete::Pointer(address),
            Target::Freed(object) => Concrete::object(object),
            Target::Wild => return Err(self.unsupported()),
        })
    }

    /// An operation on something that is or was a pointer; `None` for all others.
    pub(super) fn unary_on_pointer(
        &mut self,
        op: UnaryOp,
        sort: Sort,
        value: &SymbolicValue,
    ) -> Result<Option<SymbolicValue>, PathStop> {
        if let (UnaryOp::Convert(to), Sort::Ref(_)) = (op, sort) {
            if to == Sort::Bool {
                let null = SymbolicValue::Concrete(Concrete::Null);
                let is_null = self.same(value, &null)?;
                return heapwright_ir::machine::Domain::unary(
                    self,
                    UnaryOp::Not,
                    Sort::Bool,
                    &is_null,
                )
                .map(Some);
            }
            let known = self.resolved(Question::StoredObject, *value)?;
            return Ok(pointer_conversion(to, known).map(SymbolicValue::Concrete));
        }
        let known = match (*value, op) {
            (SymbolicValue::Concrete(known), _) => known,
            (SymbolicValue::Symbolic(term), UnaryOp::Convert(Sort::Ref(class)))
                if !self.terms.sort(term).is_ref() =>
            {
                return self.pointer_in_number(term, class).map(Some);
            }
            (SymbolicValue::Symbolic(_), _) => return Ok(None),
        };
        if let UnaryOp::Convert(to) = op
            && let Some(converted) = pointer_conversion(to, known)
        {
            return Ok(Some(SymbolicValue::Concrete(converted)));
        }
        match known {
            Concrete::Undefined => Ok(Some(*value)),
            Concrete::Pointer(_) => {
                let number = self.location(known);
                heapwright_ir::machine::Domain::unary(self, op, sort, &number).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// An operation on what is or was a pointer; `None` for all others.
    pub(super) fn binary_on_pointers(
        &mut self,
        op: BinaryOp,
        a: &SymbolicValue,
        b: &SymbolicValue,
    ) -> Result<Option<SymbolicValue>, PathStop> {
        let undefined = SymbolicValue::Concrete(Concrete::Undefined);
        if *a == undefined || *b == undefined {
            return Ok(Some(undefined));
        }
        let is_ref = |this: &Self, value: &SymbolicValue| match value {
            SymbolicValue::Symbolic(term) => this.terms.sort(*term).is_ref(),
            SymbolicValue::Concrete(value) => {
                matches!(
                    value,
                    Concrete::Pointer(_) | Concrete::Wild(_) | Concrete::Null
                )
            }
        };
        if !is_ref(self, a) && !is_ref(self, b) {
            return Ok(None);
        }
        let is_order = matches!(
            op,
            BinaryOp::Compare(Comparison::Lt | Comparison::Le | Comparison::Gt | Comparison::Ge)
        );
        let (mut a, mut b) = (*a, *b);
        if is_order {
            let known = self.resolved(Question::StoredObject, a)?;
            a = SymbolicValue::Concrete(known);
            let known = self.resolved(Question::StoredInstance, b)?;
            b = SymbolicValue::Concrete(known);
        }
        let is_number = |value: &SymbolicValue| match value {
            SymbolicValue::Concrete(value) => matches!(value, Concrete::Int(_)),
            SymbolicValue::Symbolic(term) => !self.terms.sort(*term).is_ref(),
        };
        let with_number = is_number(&a) || is_number(&b);
        let equation = match op {
            BinaryOp::Compare(Comparison::Eq) => Some(true),
            BinaryOp::Compare(Comparison::Ne) => Some(false),
            _ => None,
        };
        let others = [b, a];
        for (value, other) in [&mut a, &mut b].into_iter().zip(others) {
            let SymbolicValue::Symbolic(term) = *value else {
                continue;
            };
            if self.terms.sort(term).is_ref() {
                continue;
            }
            if let Some(equal) = equation
                && self.is_no_address(term, other)?
            {
                return Ok(Some(SymbolicValue::Concrete(Concrete::Bool(!equal))));
            }
            if let Some(known) = self.number_beside_pointer(term)? {
                *value = known;
            }
        }
        if let (Some(equal), true) = (equation, with_number)
            && is_ref(self, &a)
            && is_ref(self, &b)
            && [a, b]
                .iter()
                .any(|value| matches!(value, SymbolicValue::Symbolic(_)))
        {
            let same = self.same(&a, &b)?;
            return match equal {
                true => Ok(Some(same)),
                false => {
                    let not = heapwright_ir::machine::Domain::unary(
                        self,
                        UnaryOp::Not,
                        Sort::Bool,
                        &same,
                    );
                    not.map(Some)
                }
            };
        }
        match (a, b) {
            (SymbolicValue::Concrete(x), SymbolicValue::Concrete(y)) => {
                let known = pointer_arithmetic(&self.memory, op, x, y)?;
                if let Some(known) = known {
                    return Ok(Some(SymbolicValue::Concrete(known)));
                }
            }
            _ if !with_number => return Ok(None),
            _ => {}
        }
        // What is left depends on where objects happen to lie.
        let [a, b] = [a, b].map(|value| match value {
            SymbolicValue::Concrete(known @ Concrete::Pointer(_)) => self.location(known),
            SymbolicValue::Concrete(Concrete::Wild(number)) => {
                SymbolicValue::Concrete(Concrete::Int(number.into()))
            }
            SymbolicValue::Concrete(Concrete::Null) => SymbolicValue::Concrete(Concrete::Int(0)),
            other => other,
        });
        heapwright_ir::machine::Domain::binary(self, op, &a, &b).map(Some)
    }

    /// Where an object happens to lie: the usual place of the concrete domain.
    fn location(&mut self, pointer: Concrete) -> SymbolicValue {
        let Concrete::Pointer(address) = pointer else {
            return SymbolicValue::Concrete(pointer);
        };
        let root = self.memory.root(address).unwrap_or(address);
        let usual = (i128::from(root.object.0) + 1) << 32;
        let base = SymbolicValue::Concrete(Concrete::object(root.object));
        let number = self.place(base, usual);
        let offset = SymbolicValue::Concrete(Concrete::Int(root.offset.into()));
        let op = BinaryOp::Int(IntType::U64, Arithmetic::Add);
        let sum = heapwright_ir::machine::Domain::binary(self, op, &number, &offset);
        sum.unwrap_or(number)
    }
}
