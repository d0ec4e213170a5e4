//! What a run computes with: the half of the interpreter that differs between concrete and
//! symbolic execution.
//!
//! The [`Machine`](crate::machine::Machine) knows the control flow: which instruction comes
//! next, what a call, an exception, a fault or a budget does. A *domain* knows values and
//! memory, and answers every question that decides where control goes. The order of the
//! questions is fixed by the program and the answers alone, so a run can be repeated by giving
//! the same answers again.

use heapwright_logic::{ClassId, IntType, Sort};

use crate::function::{BlockId, FunctionId};
use crate::global::GlobalId;
use crate::instruction::{BinaryOp, Constant, UnaryOp};
use crate::machine::outcome::MachineError;
use crate::machine::site::{Edge, ProgramPoint, Site};
use crate::program::FaultKind;

/// Identifies an object in a domain's memory.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct ObjectId(pub u32);

impl ObjectId {
    /// Position in the list of objects.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A place in memory: an object, and how many bytes into it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Address {
    /// The object.
    pub object: ObjectId,
    /// Bytes from its beginning; always 0 in languages without pointers into objects.
    pub offset: i64,
}

/// What a reference stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Nothing.
    Null,
    /// An object.
    Object(Address),
    /// An object that was freed.
    Freed(ObjectId),
    /// No object, though it is not null.
    Wild,
}

/// What a function provided by the language did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Intrinsic<V> {
    /// It returned.
    Returned(Option<V>),
    /// It threw this exception object.
    Threw(V),
    /// It did something wrong.
    Fault(FaultKind),
    /// The domain does not know the function.
    Unknown,
}

/// Values, memory and decisions.
///
/// Everything that takes a [`Site`] may be a decision. Errors are never outcomes of the program.
pub trait Domain {
    /// Scalars and references.
    type Value: Clone;
    /// A field or element that was found to exist, ready to be read or written.
    type Slot;
    /// Why a run is abandoned: an infeasible path, a limit of the tool, an error of the machine.
    type Stop: From<MachineError>;

    /// The value of a literal.
    fn constant(&mut self, constant: Constant) -> Self::Value;

    /// A reference to a global of the program: to the same object every time, with default
    /// contents at first. Never asked for one that does not exist.
    fn global(&mut self, global: GlobalId) -> Result<Self::Value, Self::Stop>;

    /// Whether an object is that of a global, and so cannot be freed.
    fn is_global(&self, object: ObjectId) -> bool;

    /// `op a`, where `a` is of sort `sort`.
    fn unary(
        &mut self,
        op: UnaryOp,
        sort: Sort,
        a: &Self::Value,
    ) -> Result<Self::Value, Self::Stop>;

    /// `a op b`. Never asked to divide an integer by zero: the machine has decided that before.
    fn binary(
        &mut self,
        op: BinaryOp,
        a: &Self::Value,
        b: &Self::Value,
    ) -> Result<Self::Value, Self::Stop>;

    /// Whether a condition holds.
    fn decide(&mut self, site: Site, condition: &Self::Value) -> Result<bool, Self::Stop>;

    /// The index of the case that a value selects, or nothing for the default.
    fn switch(
        &mut self,
        site: Site,
        value: &Self::Value,
        cases: &[(i128, BlockId)],
    ) -> Result<Option<usize>, Self::Stop>;

    /// One number for an integer; from here on the value is that number.
    fn concretise(&mut self, site: Site, value: &Self::Value) -> Result<i128, Self::Stop>;

    /// What a reference stands for. Where that is open, the program expects null or an object of
    /// `class` or a subclass.
    fn resolve(
        &mut self,
        site: Site,
        reference: &Self::Value,
        class: ClassId,
    ) -> Result<Target, Self::Stop>;

    /// The class of a live object.
    fn class_of(&mut self, site: Site, object: ObjectId) -> Result<ClassId, Self::Stop>;

    /// Whether a live object is of `class` or a subtype. Apart from [`Domain::class_of`], because
    /// it need not settle the class.
    fn instance_of(
        &mut self,
        site: Site,
        object: ObjectId,
        class: ClassId,
    ) -> Result<bool, Self::Stop>;

    /// A new object with default contents.
    fn allocate(&mut self, class: ClassId) -> Result<Self::Value, Self::Stop>;

    /// A new array with default contents.
    fn allocate_array(&mut self, class: ClassId, length: u32) -> Result<Self::Value, Self::Stop>;

    /// The same place, seen from the outermost object that it lies in.
    fn root(&mut self, address: Address) -> Result<Address, Self::Stop> {
        Ok(address)
    }

    /// Marks a live object as freed. Never asked for that of a global.
    fn free(&mut self, object: ObjectId) -> Result<(), Self::Stop>;

    /// The field of `class` seen from an address, or nothing if it lies outside the object.
    fn field(
        &mut self,
        site: Site,
        address: Address,
        class: ClassId,
        field: u32,
    ) -> Result<Option<Self::Slot>, Self::Stop>;

    /// The element of an array (of elements of `sort`) seen from an address, or nothing if it
    /// lies outside the object. An address need not be in an array of such elements, where memory
    /// is managed by the program.
    fn element(
        &mut self,
        site: Site,
        address: Address,
        index: &Self::Value,
        sort: Sort,
    ) -> Result<Option<Self::Slot>, Self::Stop>;

    /// Reads a slot as a value of `sort`.
    fn load(&mut self, slot: &Self::Slot, sort: Sort) -> Result<Self::Value, Self::Stop>;

    /// Writes a value of `sort` to a slot.
    fn store(
        &mut self,
        slot: &Self::Slot,
        sort: Sort,
        value: &Self::Value,
    ) -> Result<(), Self::Stop>;

    /// The number of elements of an array as an integer of `ty`, or nothing if the address is not
    /// the beginning of an array.
    fn length(
        &mut self,
        site: Site,
        address: Address,
        ty: IntType,
    ) -> Result<Option<Self::Value>, Self::Stop>;

    /// A reference to a field, or nothing if it lies outside the object.
    fn field_address(
        &mut self,
        site: Site,
        address: Address,
        class: ClassId,
        field: u32,
    ) -> Result<Option<Self::Value>, Self::Stop>;

    /// A reference to an element, or nothing if it lies nowhere. `array` is the declared class of
    /// the reference, whose elements say how far apart they lie; a struct counts as one of them.
    fn element_address(
        &mut self,
        site: Site,
        address: Address,
        index: &Self::Value,
        array: ClassId,
    ) -> Result<Option<Self::Value>, Self::Stop>;

    /// A pointer as one to an object of a class, or into an array of one.
    fn cast(
        &mut self,
        _site: Site,
        pointer: &Self::Value,
        _class: ClassId,
    ) -> Result<Self::Value, Self::Stop> {
        Ok(pointer.clone())
    }

    /// A value of a sort that nothing may depend on.
    fn undefined(&mut self, sort: Sort) -> Result<Self::Value, Self::Stop>;

    /// Whether nobody has given a value to this.
    fn is_undefined(&mut self, _value: &Self::Value) -> bool {
        false
    }

    /// Bytes from an address to the end of the outermost object; negative if it lies behind that,
    /// `None` if it lies before the beginning.
    fn extent(&mut self, _address: Address) -> Result<Option<i64>, Self::Stop> {
        Err(MachineError::IllSorted.into())
    }

    /// How an outermost object lies: a power of two that its address is a multiple of, as far as
    /// everybody can rely on it.
    fn alignment(&mut self, _object: ObjectId) -> Result<u32, Self::Stop> {
        Ok(1)
    }

    /// The byte in a slot that a truth value is read from, if anything else was written there.
    fn truth_byte(&mut self, _slot: &Self::Slot) -> Result<Option<Self::Value>, Self::Stop> {
        Ok(None)
    }

    /// Copies bytes between places that have room for them.
    fn copy_bytes(&mut self, _to: Address, _from: Address, _count: i64) -> Result<(), Self::Stop> {
        Err(MachineError::IllSorted.into())
    }

    /// Gives bytes a value, or takes their values away, in a place that has room for them.
    fn fill_bytes(
        &mut self,
        _to: Address,
        _value: Option<&Self::Value>,
        _count: i64,
    ) -> Result<(), Self::Stop> {
        Err(MachineError::IllSorted.into())
    }

    /// Calls a function that the language provides.
    fn intrinsic(
        &mut self,
        site: Site,
        name: &str,
        args: &[Self::Value],
    ) -> Result<Intrinsic<Self::Value>, Self::Stop>;

    /// An edge that counts for coverage is taken.
    fn on_edge(&mut self, _edge: Edge) {}

    /// An instruction or terminator is about to be executed.
    fn on_step(&mut self, _point: ProgramPoint) {}

    /// A function is entered.
    fn on_enter(&mut self, _function: FunctionId) {}

    /// The innermost active function is left, by a return or an exception.
    fn on_leave(&mut self) {}
}
