//! Numbers of an input that hold pointers, perhaps with a tag in their low bits.
//!
//! A program may keep a pointer in an integer, and a colour or a mark in the bits that are always
//! zero in an address. Such a number is a symbol like any other until the program makes a pointer of
//! it. Then it is decided what it holds: the tag alone, or the address of an object with the tag.
//! In the second case a symbol of its own stands for the pointer, which is open like any other.
//!
//! An address is nothing that a path may depend on. So what is computed from the number, and what was
//! decided about it before, has to be the same for any two addresses ([`SAMPLES`]); all other paths
//! are not followed.

use heapwright_ir::machine::concrete::{Value as Concrete, pointer_conversion};
use heapwright_ir::machine::{Address, Question, Target};
use heapwright_ir::{Arithmetic, BinaryOp};
use heapwright_logic::{
    ClassId, IntType, Sort, TermId, Terms, Value as LogicValue, VarId, evaluate,
};

use super::{PathStop, Symbolic};
use crate::path::arithmetic;
use crate::path::initial_heap::TaggedNumber;
use crate::path::symbolic_value::SymbolicValue;
use crate::report::Limit;

/// Addresses of which a number is tried to be one.
const SAMPLES: [i128; 3] = [0x1000, 0x5555_0123_4560, 0x7ff0_fedc_ba90];

/// Where objects may lie.
const ADDRESSES: (i128, i128) = (0x1000, 0x7fff_ffff_ffff);

/// Tags are less than what every address is a multiple of.
const ALIGNMENT: i128 = 8;

/// What a term is when the number in it is an address with a tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// The address, and so much.
    Displaced(i128),
    /// A number that has nothing to do with the address.
    Number(i128),
}

impl Symbolic<'_> {
    /// A number of the input as a pointer.
    pub(super) fn pointer_in_number(
        &mut self,
        term: TermId,
        class: ClassId,
    ) -> Result<SymbolicValue, PathStop> {
        let Some(number) = self.only_number(term) else {
            return Err(self.unsupported());
        };
        let tagged = match self.initial.tagged_number(number) {
            Some(known) => known,
            None => self.decide_tag(term, number, class)?,
        };
        self.untagged(term, tagged)?
            .map_or_else(|| Err(self.unsupported()), Ok)
    }

    /// Whether a number of the input that is compared with the address of an object is none, which is
    /// decided here. Where it is one, a pointer stands for it from here on; where nobody can tell,
    /// nothing is said.
    pub(super) fn is_no_address(
        &mut self,
        term: TermId,
        pointer: SymbolicValue,
    ) -> Result<bool, PathStop> {
        let (Some(number), SymbolicValue::Concrete(Concrete::Pointer(address))) =
            (self.only_number(term), pointer)
        else {
            return Ok(false);
        };
        let place = self.memory.root(address)?;
        if self.initial.tagged_number(number).is_some()
            || self.shape(term, number, 0) != Some(Shape::Displaced(0))
            || address.offset != 0
            || i128::from(place.offset) % ALIGNMENT != 0
            || !self.is_content(number)
            || !self.was_asked_for_tag_only(number)
        {
            return Ok(false);
        }
        let class = self.memory.object(address.object)?.class;
        let class = match self.subject.rules.parts.contains(&class) {
            true => self.subject.definitions.class(class).superclass,
            false => Some(class),
        };
        let (Some(class), Some(low)) = (class, self.low_bits(number)) else {
            return Ok(false);
        };
        let symbol = self.terms.var(number);
        let zero = self.terms.int(0);
        let is_aligned = self.terms.eq(low, zero);
        if !self.holds_here(is_aligned)? {
            return Ok(true);
        }
        let is_null = self.terms.eq(symbol, zero);
        if self.holds_here(is_null)? {
            self.initial.tagged.push(TaggedNumber {
                number,
                pointer: None,
                tag: 0,
            });
            return Ok(true);
        }
        Ok(self.address_with_tag(number, class, 0)?.is_none())
    }

    /// What a number is that is computed from one that holds a pointer; `None` if that depends on where
    /// the object lies, or if no pointer is known to be in it. A number of a few low bits is decided.
    pub(super) fn number_beside_pointer(
        &mut self,
        term: TermId,
    ) -> Result<Option<SymbolicValue>, PathStop> {
        let Some(number) = self.only_number(term) else {
            return Ok(None);
        };
        if let Some(tagged) = self.initial.tagged_number(number) {
            return self.untagged(term, tagged);
        }
        let of_low_bits = (0..ALIGNMENT).all(|tag| {
            let mut values = SAMPLES
                .iter()
                .map(|base| self.sampled(term, number, base + tag));
            let first = values.next().flatten();
            first.is_some_and(|first| (0..ALIGNMENT).contains(&first))
                && values.all(|value| value == first)
        });
        if !of_low_bits {
            return Ok(None);
        }
        let site = self.point.ask(Question::StoredInstance);
        let value = self.number(site, term)?;
        Ok(Some(SymbolicValue::Concrete(Concrete::Int(value))))
    }

    /// Decides what a number holds of which a pointer is made.
    fn decide_tag(
        &mut self,
        term: TermId,
        number: VarId,
        class: ClassId,
    ) -> Result<TaggedNumber, PathStop> {
        if !self.is_content(number) || !self.was_asked_for_tag_only(number) {
            return Err(self.unsupported());
        }
        let tags: Vec<i128> = (0..ALIGNMENT)
            .filter(|&tag| self.shape(term, number, tag) == Some(Shape::Displaced(0)))
            .collect();
        let symbol = self.terms.var(number);
        let Some(low) = self.low_bits(number) else {
            return Err(self.unsupported());
        };
        let is_tag: Vec<TermId> = (tags.iter())
            .map(|&tag| {
                let tag = self.terms.int(tag);
                self.terms.eq(low, tag)
            })
            .collect();
        let is_tag = self.terms.or(is_tag);
        if !self.holds_here(is_tag)? {
            return Err(self.holds_no_pointer());
        }
        let site = self.point.ask(Question::StoredInstance);
        let tag = self.number(site, low)?;
        let alone = self.terms.int(tag);
        let is_alone = self.terms.eq(symbol, alone);
        if self.holds_here(is_alone)? {
            let tagged = TaggedNumber {
                number,
                pointer: None,
                tag,
            };
            self.initial.tagged.push(tagged);
            return Ok(tagged);
        }
        match self.address_with_tag(number, class, tag)? {
            Some(tagged) => Ok(tagged),
            None => Err(self.holds_no_pointer()),
        }
    }

    /// The bits of a number in which tags are.
    fn low_bits(&mut self, number: VarId) -> Option<TermId> {
        let symbol = self.terms.var(number);
        let mask = self.terms.int(ALIGNMENT - 1);
        let and = BinaryOp::Int(IntType::U64, Arithmetic::And);
        arithmetic::binary(&mut self.terms, and, symbol, mask)
    }

    /// A pointer that stands for the address in a number, if it is decided that one is there.
    fn address_with_tag(
        &mut self,
        number: VarId,
        class: ClassId,
        tag: i128,
    ) -> Result<Option<TaggedNumber>, PathStop> {
        let symbol = self.terms.var(number);
        let (first, last) = (self.terms.int(ADDRESSES.0), self.terms.int(ADDRESSES.1));
        let bounds = [self.terms.le(first, symbol), self.terms.le(symbol, last)];
        let is_address = self.terms.and(bounds);
        if !self.holds_here(is_address)? {
            return Ok(None);
        }
        let name = format!("pointer{}", self.initial.cells.len());
        let pointer = self.terms.declare(name, Sort::Ref(class));
        for assignment in [&mut self.assignment, &mut self.neighbour]
            .into_iter()
            .flatten()
        {
            assignment.assign_tagged(number, pointer);
        }
        let reference = self.terms.var(pointer);
        let is_there = self.terms.ne(reference, Terms::NULL);
        self.initial.assume(&mut self.terms, is_there)?;
        let tagged = TaggedNumber {
            number,
            pointer: Some(pointer),
            tag,
        };
        self.initial.tagged.push(tagged);
        Ok(Some(tagged))
    }

    /// What a term is, given what the number in it holds.
    fn untagged(
        &mut self,
        term: TermId,
        tagged: TaggedNumber,
    ) -> Result<Option<SymbolicValue>, PathStop> {
        let known = |value| Some(SymbolicValue::Concrete(value));
        let Some(pointer) = tagged.pointer else {
            let number = self.sampled(term, tagged.number, tagged.tag);
            let number = number.map(Concrete::Int);
            let any = Sort::Ref(ClassId::ANY);
            return Ok(number.and_then(|number| known(pointer_conversion(any, number)?)));
        };
        let symbol = SymbolicValue::Symbolic(self.terms.var(pointer));
        let distance = match self.shape(term, tagged.number, tagged.tag) {
            None => return Ok(None),
            Some(Shape::Number(number)) => return Ok(known(Concrete::Int(number))),
            Some(Shape::Displaced(0)) => return Ok(Some(symbol)),
            Some(Shape::Displaced(distance)) => distance,
        };
        let Sort::Ref(class) = self.terms.variable(pointer).sort else {
            return Ok(None);
        };
        let site = self.point.ask(Question::StoredObject);
        let address = match self.target(site, &symbol, class)? {
            Target::Object(address) => address,
            Target::Freed(object) => Address { object, offset: 0 },
            Target::Null | Target::Wild => return Ok(None),
        };
        Ok(i64::try_from(distance).ok().and_then(|distance| {
            let offset = address.offset.checked_add(distance)?;
            known(Concrete::Pointer(Address { offset, ..address }))
        }))
    }

    /// What a term is for any address with a tag.
    fn shape(&self, term: TermId, number: VarId, tag: i128) -> Option<Shape> {
        let values = SAMPLES.map(|base| Some((base, self.sampled(term, number, base + tag)?)));
        let [first, others @ ..] = values;
        let (base, value) = first?;
        if others
            .iter()
            .all(|known| known.map(|known| known.1) == Some(value))
        {
            return Some(Shape::Number(value));
        }
        let is_displaced = |known: &Option<(i128, i128)>| {
            known.is_some_and(|(at, found)| found - at == value - base)
        };
        others
            .iter()
            .all(is_displaced)
            .then_some(Shape::Displaced(value - base))
    }

    /// The value of a term, given the only number in it.
    fn sampled(&self, term: TermId, number: VarId, value: i128) -> Option<i128> {
        let known = |symbol| (symbol == number).then_some(LogicValue::Int(value));
        match evaluate(&self.terms, term, known).ok()? {
            LogicValue::Int(value) => Some(value),
            LogicValue::Bool(value) => Some(value.into()),
            _ => None,
        }
    }

    /// The only symbol of a term, if it is a number as wide as a pointer.
    fn only_number(&self, term: TermId) -> Option<VarId> {
        let parts = self.terms.subterms([term]);
        let mut symbols = parts.filter_map(|part| self.terms.as_var(part));
        let first = symbols.next()?;
        let is_wide = matches!(
            self.terms.variable(first).sort,
            Sort::Machine(IntType::U64 | IntType::I64)
        );
        (is_wide && symbols.all(|other| other == first)).then_some(first)
    }

    /// Whether a symbol is an argument, or what a field or element of the input holds.
    fn is_content(&self, number: VarId) -> bool {
        let mut inputs = self.subject.inputs.iter();
        let is_here = |&content: &TermId| self.terms.as_var(content) == Some(number);
        inputs.any(|input| input.variable == number)
            || (self.initial.cells.iter()).any(|known| known.contents().iter().any(is_here))
    }

    /// Whether all that was decided about a number is the same wherever an object lies.
    fn was_asked_for_tag_only(&self, number: VarId) -> bool {
        self.initial.conditions().iter().all(|&condition| {
            let parts = self.terms.subterms([condition]);
            let symbols: Vec<VarId> = parts.filter_map(|part| self.terms.as_var(part)).collect();
            if !symbols.contains(&number) {
                return true;
            }
            symbols.iter().all(|&symbol| symbol == number)
                && (0..ALIGNMENT)
                    .all(|tag| matches!(self.shape(condition, number, tag), Some(Shape::Number(_))))
        })
    }

    /// The path ends where a number is no address: what leads nowhere is no pointer of an input.
    fn holds_no_pointer(&mut self) -> PathStop {
        self.cut(Limit::Unsupported, self.objects());
        PathStop::NoInput
    }

    fn holds_here(&mut self, condition: TermId) -> Result<bool, PathStop> {
        match SymbolicValue::of(&self.terms, condition) {
            SymbolicValue::Concrete(Concrete::Bool(known)) => Ok(known),
            condition => {
                let site = self.point.ask(Question::StoredInstance);
                heapwright_ir::machine::Domain::decide(self, site, &condition)
            }
        }
    }
}
