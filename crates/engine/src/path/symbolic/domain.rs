//! How the symbolic domain answers the interpreter.

use heapwright_ir::machine::concrete::{Value as Concrete, arithmetic as exact};
use heapwright_ir::machine::environment::Environment;
use heapwright_ir::machine::intrinsic::{IDENTITY, INTERNED, USUAL_IDENTITY};
use heapwright_ir::machine::layout;
use heapwright_ir::machine::slot_memory::Located;
use heapwright_ir::machine::{
    Address, Domain, Edge, Intrinsic, MachineError, ObjectId, ProgramPoint, Question, Site,
    Successor, Target,
};
use heapwright_ir::{BinaryOp, BlockId, Comparison, Constant, FunctionId, GlobalId, UnaryOp};
use heapwright_logic::{ClassId, IntType, MathFunction, Sort, TermId, Value as LogicValue};
use rustc_hash::FxHashMap;

use super::elements::SymbolicSlot;
use super::environment::Usual;
use super::question::ChoicePoint;
use super::{Guide, PathStop, Symbolic};
use crate::check::replay::RECORDED;
use crate::path::arithmetic;
use crate::path::decision::Choice;
use crate::path::symbolic_value::SymbolicValue;
use crate::report::Limit;

/// Numbers that are tried where one has to be known, such as the length of a new array.
const NUMBERS: usize = 8;

impl Domain for Symbolic<'_> {
    type Value = SymbolicValue;
    type Slot = SymbolicSlot;
    type Stop = PathStop;

    fn constant(&mut self, constant: Constant) -> SymbolicValue {
        SymbolicValue::Concrete(constant.into())
    }

    /// An object that the program made before the run, so no reference of the input is one to it.
    fn global(&mut self, id: GlobalId) -> Result<SymbolicValue, PathStop> {
        if let Some(object) = self.memory.global(id) {
            return Ok(SymbolicValue::Concrete(Concrete::object(object)));
        }
        let global = self.subject.program.globals.get(id.index());
        let global = global.ok_or(MachineError::NoGlobal(id))?;
        let object = self.memory.next();
        let reference = match global.length {
            None => self.allocate(global.class)?,
            Some(length) => self.allocate_array(global.class, length)?,
        };
        self.memory.place_global(id, object);
        Ok(reference)
    }

    fn is_global(&self, object: ObjectId) -> bool {
        self.memory.is_global(object)
    }

    fn unary(
        &mut self,
        op: UnaryOp,
        sort: Sort,
        a: &SymbolicValue,
    ) -> Result<SymbolicValue, PathStop> {
        if self.subject.program.manual_memory
            && let Some(pointer) = self.unary_on_pointer(op, sort, a)?
        {
            return Ok(pointer);
        }
        match *a {
            SymbolicValue::Concrete(a) => {
                let value = exact::unary(op, sort, a).ok_or(MachineError::IllSorted)?;
                Ok(SymbolicValue::Concrete(value))
            }
            SymbolicValue::Symbolic(a) => {
                let term = arithmetic::unary(&mut self.terms, op, sort, a);
                Ok(SymbolicValue::of(
                    &self.terms,
                    term.ok_or(MachineError::IllSorted)?,
                ))
            }
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        a: &SymbolicValue,
        b: &SymbolicValue,
    ) -> Result<SymbolicValue, PathStop> {
        if self.subject.program.manual_memory
            && let Some(known) = self.binary_on_pointers(op, a, b)?
        {
            return Ok(known);
        }
        if let (SymbolicValue::Concrete(a), SymbolicValue::Concrete(b)) = (*a, *b) {
            if let BinaryOp::Compare(_) = op {
                let ProgramPoint {
                    function, block, ..
                } = self.point;
                self.misses.compare(function, block, a, b);
            }
            if self.interned_numbers(a, b).is_none() {
                let value = exact::binary(op, a, b).ok_or(MachineError::IllSorted)?;
                return Ok(SymbolicValue::Concrete(value));
            }
        }
        if self.is_reference(a) || self.is_reference(b) {
            return self.compare_references(op, a, b);
        }
        let terms = &mut self.terms;
        let (Some(a), Some(b)) = (a.term(terms), b.term(terms)) else {
            return Err(MachineError::IllSorted.into());
        };
        let term = arithmetic::binary(terms, op, a, b);
        Ok(SymbolicValue::of(
            &self.terms,
            term.ok_or(MachineError::IllSorted)?,
        ))
    }

    fn decide(&mut self, site: Site, condition: &SymbolicValue) -> Result<bool, PathStop> {
        // What holds in every environment needs none.
        if let SymbolicValue::Symbolic(term) = *condition
            && let Some(known) = self.known_condition(term)
        {
            return Ok(known);
        }
        let Usual {
            value: usual,
            parts,
        } = self.usual(*condition);
        self.branch_by(&parts);
        let term = match usual {
            SymbolicValue::Concrete(Concrete::Bool(value)) => {
                let decisions = self.decisions.len() as u32;
                self.misses.branch(site, value, decisions);
                return Ok(value);
            }
            SymbolicValue::Concrete(_) => return Err(MachineError::IllSorted.into()),
            SymbolicValue::Symbolic(term) => term,
        };
        if !parts.is_empty()
            && let Some(known) = self.known_condition(term)
        {
            return Ok(known);
        }
        let both = vec![Choice::Condition(true), Choice::Condition(false)];
        match self.choose(Some(site), ChoicePoint::Condition(term), both)? {
            Choice::Condition(holds) => Ok(holds),
            _ => Err(PathStop::Diverged),
        }
    }

    fn switch(
        &mut self,
        site: Site,
        value: &SymbolicValue,
        cases: &[(i128, BlockId)],
    ) -> Result<Option<usize>, PathStop> {
        let usual = self.usual(*value);
        self.branch_by(&usual.parts);
        let term = match usual.value {
            SymbolicValue::Concrete(Concrete::Int(value)) => {
                return Ok(cases.iter().position(|(case, _)| *case == value));
            }
            SymbolicValue::Concrete(_) => return Err(MachineError::IllSorted.into()),
            SymbolicValue::Symbolic(term) => term,
        };
        let numbers = cases.iter().map(|(case, _)| *case).collect();
        let mut choices: Vec<_> = (0..cases.len() as u32)
            .map(|case| Choice::Case(Some(case)))
            .collect();
        choices.push(Choice::Case(None));
        match self.choose(Some(site), ChoicePoint::Switch(term, numbers), choices)? {
            Choice::Case(case) => Ok(case.map(|case| case as usize)),
            _ => Err(PathStop::Diverged),
        }
    }

    fn concretise(&mut self, site: Site, value: &SymbolicValue) -> Result<i128, PathStop> {
        let term = match self.usual(*value).value {
            SymbolicValue::Concrete(Concrete::Int(value)) => return Ok(value),
            SymbolicValue::Concrete(_) => return Err(MachineError::IllSorted.into()),
            SymbolicValue::Symbolic(term) => term,
        };
        self.number(site, term)
    }

    fn resolve(
        &mut self,
        site: Site,
        reference: &SymbolicValue,
        class: ClassId,
    ) -> Result<Target, PathStop> {
        self.target(site, reference, class)
    }

    fn class_of(&mut self, _: Site, object: ObjectId) -> Result<ClassId, PathStop> {
        self.class_of_input(object)
    }

    fn instance_of(&mut self, _: Site, object: ObjectId, class: ClassId) -> Result<bool, PathStop> {
        let actual = self.memory.object(object)?.class;
        if layout::is_subtype(&self.subject.program, actual, class)? {
            // So it is for all subclasses.
            return Ok(true);
        }
        self.class_of_input(object)?;
        Ok(false)
    }

    fn allocate(&mut self, class: ClassId) -> Result<SymbolicValue, PathStop> {
        self.new_object(class, None)
    }

    fn allocate_array(&mut self, class: ClassId, length: u32) -> Result<SymbolicValue, PathStop> {
        self.new_object(class, Some(length))
    }

    fn root(&mut self, address: Address) -> Result<Address, PathStop> {
        Ok(self.memory.root(address)?)
    }

    fn free(&mut self, object: ObjectId) -> Result<(), PathStop> {
        self.memory.object_mut(object)?.freed = true;
        Ok(())
    }

    fn field(
        &mut self,
        _: Site,
        address: Address,
        class: ClassId,
        field: u32,
    ) -> Result<Option<SymbolicSlot>, PathStop> {
        let program = &self.subject.program;
        let located = self.memory.locate_field(program, address, class, field)?;
        Ok(inside(located))
    }

    fn element(
        &mut self,
        site: Site,
        address: Address,
        index: &SymbolicValue,
        sort: Sort,
    ) -> Result<Option<SymbolicSlot>, PathStop> {
        let length = self.memory.object(address.object)?.contents.len() as u32;
        let index = match self.usual(*index).value {
            SymbolicValue::Symbolic(term) if self.has_open_elements(address.object, sort) => {
                return self.open_element(site, address.object, term, length);
            }
            SymbolicValue::Concrete(Concrete::Int(index))
                if self.has_indexed_writes(address.object) =>
            {
                let index = self.terms.int(index);
                return self.open_element(site, address.object, index, length);
            }
            SymbolicValue::Concrete(Concrete::Int(index)) => index,
            SymbolicValue::Concrete(_) => return Err(MachineError::IllSorted.into()),
            SymbolicValue::Symbolic(term) if self.subject.program.manual_memory => {
                let width = i128::from(layout::size_of(sort));
                match self.index(site, address, term, width, false)? {
                    Some(index) => index,
                    None => return Ok(None),
                }
            }
            SymbolicValue::Symbolic(term) => {
                let mut choices: Vec<_> = (0..length)
                    .map(|element| Choice::Element(Some(element)))
                    .collect();
                choices.push(Choice::Element(None));
                match self.choose(Some(site), ChoicePoint::Element(term, length), choices)? {
                    Choice::Element(Some(element)) => i128::from(element),
                    _ => return Ok(None),
                }
            }
        };
        let program = &self.subject.program;
        let located = (self.memory).locate_element(program, address, index, sort)?;
        Ok(inside(located))
    }

    fn load(&mut self, slot: &SymbolicSlot, sort: Sort) -> Result<SymbolicValue, PathStop> {
        let slot = match *slot {
            SymbolicSlot::Known(slot) => slot,
            SymbolicSlot::Element(array, index) => return self.read_element(array, index),
        };
        if let Located::Slot(slot) = slot
            && !self.subject.program.manual_memory
        {
            return Ok(self.memory.read(slot)?);
        }
        self.load_bytes(slot, sort)
    }

    fn store(
        &mut self,
        slot: &SymbolicSlot,
        sort: Sort,
        value: &SymbolicValue,
    ) -> Result<(), PathStop> {
        let slot = match *slot {
            SymbolicSlot::Known(slot) => slot,
            SymbolicSlot::Element(array, index) => {
                self.write_element(array, index, *value);
                return Ok(());
            }
        };
        if let Located::Slot(slot) = slot
            && !self.subject.program.manual_memory
        {
            return Ok(self.memory.write(slot, *value)?);
        }
        self.store_bytes(slot, sort, *value)
    }

    fn length(
        &mut self,
        _: Site,
        address: Address,
        ty: IntType,
    ) -> Result<Option<SymbolicValue>, PathStop> {
        let length = self.memory.length(&self.subject.program, address)?;
        let length = length.map(|length| Concrete::Int(ty.wrap(length as i128)));
        Ok(length.map(SymbolicValue::Concrete))
    }

    fn field_address(
        &mut self,
        _: Site,
        address: Address,
        class: ClassId,
        field: u32,
    ) -> Result<Option<SymbolicValue>, PathStop> {
        // What lies inside may still be open.
        if let Some(open) = self.open_part(address, class, field)? {
            return Ok(Some(open));
        }
        let program = &self.subject.program;
        let place = self.memory.field_address(program, address, class, field)?;
        Ok(place.map(|place| SymbolicValue::Concrete(Concrete::Pointer(place))))
    }

    fn element_address(
        &mut self,
        site: Site,
        address: Address,
        index: &SymbolicValue,
        array: ClassId,
    ) -> Result<Option<SymbolicValue>, PathStop> {
        let width = (self.memory).element_width(&self.subject.program, address, array)?;
        let index = match self.usual(*index).value {
            SymbolicValue::Symbolic(term) => self.index(site, address, term, width, true)?,
            known => Some(self.concretise(site, &known)?),
        };
        let place = index.and_then(|index| {
            let distance = index.saturating_mul(width);
            self.memory.displaced(address, distance)
        });
        let Some(place) = place else {
            return Ok(None);
        };
        let place = (self.memory).canonical(&self.subject.program, place, array)?;
        Ok(Some(SymbolicValue::Concrete(Concrete::Pointer(place))))
    }

    fn cast(
        &mut self,
        site: Site,
        pointer: &SymbolicValue,
        class: ClassId,
    ) -> Result<SymbolicValue, PathStop> {
        self.cast_pointer(site, *pointer, class)
    }

    fn undefined(&mut self, _: Sort) -> Result<SymbolicValue, PathStop> {
        Ok(SymbolicValue::Concrete(Concrete::Undefined))
    }

    fn is_undefined(&mut self, value: &SymbolicValue) -> bool {
        let is_undefined = *value == SymbolicValue::Concrete(Concrete::Undefined);
        // A real run goes on with whatever is there.
        if is_undefined {
            self.depend_on(Environment::Uninitialised);
        }
        is_undefined
    }

    fn extent(&mut self, address: Address) -> Result<Option<i64>, PathStop> {
        let root = self.memory.root(address)?;
        let extent = self.memory.extent(&self.subject.program, root.object)?;
        Ok((root.offset >= 0).then(|| extent - root.offset))
    }

    fn alignment(&mut self, object: ObjectId) -> Result<u32, PathStop> {
        Ok(self.memory.alignment(&self.subject.program, object)?)
    }

    fn truth_byte(&mut self, slot: &SymbolicSlot) -> Result<Option<SymbolicValue>, PathStop> {
        let SymbolicSlot::Known(place) = *slot else {
            return Ok(None);
        };
        let byte = self.bytes().truth_byte(place);
        self.followed(byte)
    }

    fn copy_bytes(&mut self, to: Address, from: Address, count: i64) -> Result<(), PathStop> {
        let done = self.bytes().copy(to, from, count);
        self.followed(done)
    }

    fn fill_bytes(
        &mut self,
        to: Address,
        value: Option<&SymbolicValue>,
        count: i64,
    ) -> Result<(), PathStop> {
        let done = self.bytes().fill(to, value.copied(), count);
        self.followed(done)
    }

    fn intrinsic(
        &mut self,
        site: Site,
        name: &str,
        args: &[SymbolicValue],
    ) -> Result<Intrinsic<SymbolicValue>, PathStop> {
        if let (IDENTITY, &[object]) = (name, args) {
            let is_null = self.same(&object, &SymbolicValue::Concrete(Concrete::Null))?;
            let number = match self.decide(site, &is_null)? {
                true => SymbolicValue::Concrete(Concrete::Int(0)),
                false => self.identity(object, USUAL_IDENTITY),
            };
            return Ok(Intrinsic::Returned(Some(number)));
        }
        if let (INTERNED, &[object, number, first, last]) = (name, args) {
            let object = self.intern(object, number, (first, last))?;
            return Ok(Intrinsic::Returned(Some(object)));
        }
        if let Some(asked) = Environment::asked(name) {
            let answer = self.environment(asked, args)?;
            return Ok(Intrinsic::Returned(Some(answer)));
        }
        let Some(function) = MathFunction::named(name) else {
            return Ok(Intrinsic::Unknown);
        };
        let args: Option<Vec<_>> = (args.iter()).map(|arg| arg.term(&mut self.terms)).collect();
        let term = args.and_then(|args| arithmetic::apply(&mut self.terms, function, args));
        let value = SymbolicValue::of(&self.terms, term.ok_or(MachineError::IllSorted)?);
        Ok(Intrinsic::Returned(Some(value)))
    }

    fn on_edge(&mut self, edge: Edge) {
        if let Successor::Jump(_) = edge.successor {
            self.taken.insert(edge);
            if self.trail.len() < RECORDED {
                self.trail.push(edge);
            }
        }
        if let Some(counts) = self.counts.last_mut()
            && self.subject.is_under_test(edge.function)
        {
            let count = counts.entry(edge).or_insert(0);
            *count += 1;
            if *count > self.extent.loops && self.exhausted.is_none() {
                self.exhausted = Some(Limit::Loops);
            }
        }
    }

    fn on_step(&mut self, point: ProgramPoint) {
        self.point = point;
    }

    fn on_enter(&mut self, function: FunctionId) {
        let initialisers = &self.subject.rules.shared.initialisers;
        if self.initialising > 0 || initialisers.contains(&function) {
            self.initialising += 1;
        }
        self.callers.push(self.block_under_test());
        self.counts.push(FxHashMap::default());
    }

    fn on_leave(&mut self) {
        self.initialising = self.initialising.saturating_sub(1);
        self.counts.pop();
        self.callers.pop();
    }
}

impl Symbolic<'_> {
    /// The class of an object, which something depends on. An object of an input could be one of
    /// a subclass that nobody here knows.
    fn class_of_input(&mut self, object: ObjectId) -> Result<ClassId, PathStop> {
        let class = self.memory.object(object)?.class;
        if self.subject.rules.extensible.contains(&class) && self.initial.cell_of(object).is_some()
        {
            self.extended_by_none.insert(class);
        }
        Ok(class)
    }

    fn is_reference(&self, value: &SymbolicValue) -> bool {
        match value {
            SymbolicValue::Concrete(value) => {
                matches!(value, Concrete::Null | Concrete::Pointer(_))
            }
            SymbolicValue::Symbolic(term) => self.terms.sort(*term).is_ref(),
        }
    }

    fn compare_references(
        &mut self,
        op: BinaryOp,
        a: &SymbolicValue,
        b: &SymbolicValue,
    ) -> Result<SymbolicValue, PathStop> {
        let negated = match op {
            BinaryOp::Compare(Comparison::Eq) => false,
            BinaryOp::Compare(Comparison::Ne) => true,
            _ => return Err(MachineError::IllSorted.into()),
        };
        if self.lazy {
            // Generalised symbolic execution initialises whatever is looked at.
            self.initialise(Question::StoredObject, a)?;
            self.initialise(Question::StoredInstance, b)?;
        }
        let equal = self.same(a, b)?;
        match negated {
            true => self.unary(UnaryOp::Not, Sort::Bool, &equal),
            false => Ok(equal),
        }
    }

    fn initialise(
        &mut self,
        question: Question,
        reference: &SymbolicValue,
    ) -> Result<(), PathStop> {
        if let SymbolicValue::Symbolic(term) = *reference
            && let Sort::Ref(class) = self.terms.sort(term)
        {
            let site = self.point.ask(question);
            self.target(site, reference, class)?;
        }
        Ok(())
    }

    fn known_condition(&mut self, condition: TermId) -> Option<bool> {
        let known = self.known_reference_condition(condition);
        known.or_else(|| self.initial.known(&mut self.terms, condition))
    }

    /// Fixes a number that has to be known: the one that the input has, or another one, and so on.
    pub(super) fn number(&mut self, site: Site, term: TermId) -> Result<i128, PathStop> {
        for _ in 0..NUMBERS {
            let expected = self.prefix.get(self.decisions.len());
            let proposal = match (expected.map(|known| known.choice), &self.assignment) {
                (Some(Choice::Number(number) | Choice::Except(number)), _) => number,
                (Some(_), _) => return Err(PathStop::Diverged),
                (None, Some(assignment)) => match assignment.evaluate(&self.terms, term) {
                    Ok(LogicValue::Int(number)) => number,
                    _ => return Err(self.unsupported()),
                },
                (None, None) => match self.guide {
                    Guide::Pause => return Err(PathStop::Paused),
                    Guide::Input | Guide::Search(_) => return Err(self.unsupported()),
                },
            };
            let choices = vec![Choice::Number(proposal), Choice::Except(proposal)];
            match self.choose(Some(site), ChoicePoint::Number(term), choices)? {
                Choice::Number(number) => return Ok(number),
                Choice::Except(_) => {}
                _ => return Err(PathStop::Diverged),
            }
        }
        Err(self.cut_off(Limit::Numbers, self.objects()))
    }

    fn new_object(
        &mut self,
        class: ClassId,
        length: Option<u32>,
    ) -> Result<SymbolicValue, PathStop> {
        let object = self.memory.build(&self.subject.program, class, length)?;
        if self.initialising > 0 {
            self.made_before.insert(object);
        }
        Ok(SymbolicValue::Concrete(Concrete::object(object)))
    }

    /// Something that is not followed symbolically.
    pub(super) fn unsupported(&mut self) -> PathStop {
        self.cut_off(Limit::Unsupported, self.objects())
    }
}

fn inside(located: Located) -> Option<SymbolicSlot> {
    (located != Located::Outside).then_some(SymbolicSlot::Known(located))
}
