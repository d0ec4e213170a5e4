//! The concrete domain with a record of what a run did: the conditional jumps in order, and
//! the fields of the input that it read.

use heapwright_ir::machine::concrete::{Concrete, Value};
use heapwright_ir::machine::slot_memory::Located;
use heapwright_ir::machine::{
    Address, Domain, Edge, Intrinsic, MachineError, ObjectId, Site, Target,
};
use heapwright_ir::{BinaryOp, BlockId, Constant, GlobalId, UnaryOp};
use heapwright_logic::{ClassId, IntType, Sort};

use super::heaps::Reads;

/// Records, and leaves everything else to the concrete domain.
pub struct Recorder<'p> {
    inner: Concrete<'p>,
    /// The conditional jumps so far.
    pub edges: Vec<Edge>,
    /// The fields of input cells read so far.
    pub reads: Reads,
    /// How many objects are cells of the input; they are the first ones.
    cells: u32,
}

impl<'p> Recorder<'p> {
    /// Records runs on a memory that holds an input and nothing else.
    pub fn new(inner: Concrete<'p>) -> Self {
        Recorder {
            cells: inner.memory.objects().count() as u32,
            inner,
            edges: Vec::new(),
            reads: Reads::NONE,
        }
    }
}

type Answer<T> = Result<T, MachineError>;

impl Domain for Recorder<'_> {
    type Value = Value;
    type Slot = Located;
    type Stop = MachineError;

    fn load(&mut self, slot: &Located, sort: Sort) -> Answer<Value> {
        match *slot {
            Located::Slot(slot) if slot.object.0 < self.cells => {
                let read = Reads::of(slot.object.index(), slot.index as usize);
                self.reads = self.reads.and(read);
            }
            _ if matches!(slot, Located::Slot(_)) => {}
            _ => self.reads = Reads::ALL,
        }
        self.inner.load(slot, sort)
    }

    fn undefined(&mut self, sort: Sort) -> Answer<Value> {
        self.inner.undefined(sort)
    }

    fn on_edge(&mut self, edge: Edge) {
        self.edges.push(edge);
    }

    fn constant(&mut self, constant: Constant) -> Value {
        self.inner.constant(constant)
    }

    fn global(&mut self, global: GlobalId) -> Answer<Value> {
        self.inner.global(global)
    }

    fn is_global(&self, object: ObjectId) -> bool {
        self.inner.is_global(object)
    }

    fn unary(&mut self, op: UnaryOp, sort: Sort, a: &Value) -> Answer<Value> {
        self.inner.unary(op, sort, a)
    }

    fn binary(&mut self, op: BinaryOp, a: &Value, b: &Value) -> Answer<Value> {
        self.inner.binary(op, a, b)
    }

    fn decide(&mut self, site: Site, condition: &Value) -> Answer<bool> {
        self.inner.decide(site, condition)
    }

    fn switch(
        &mut self,
        site: Site,
        value: &Value,
        cases: &[(i128, BlockId)],
    ) -> Answer<Option<usize>> {
        self.inner.switch(site, value, cases)
    }

    fn concretise(&mut self, site: Site, value: &Value) -> Answer<i128> {
        self.inner.concretise(site, value)
    }

    fn resolve(&mut self, site: Site, reference: &Value, class: ClassId) -> Answer<Target> {
        self.inner.resolve(site, reference, class)
    }

    fn class_of(&mut self, site: Site, object: ObjectId) -> Answer<ClassId> {
        self.inner.class_of(site, object)
    }

    fn instance_of(&mut self, site: Site, object: ObjectId, class: ClassId) -> Answer<bool> {
        self.inner.instance_of(site, object, class)
    }

    fn allocate(&mut self, class: ClassId) -> Answer<Value> {
        self.inner.allocate(class)
    }

    fn allocate_array(&mut self, class: ClassId, length: u32) -> Answer<Value> {
        self.inner.allocate_array(class, length)
    }

    fn free(&mut self, object: ObjectId) -> Answer<()> {
        self.inner.free(object)
    }

    fn field(
        &mut self,
        site: Site,
        address: Address,
        class: ClassId,
        field: u32,
    ) -> Answer<Option<Located>> {
        self.inner.field(site, address, class, field)
    }

    fn element(
        &mut self,
        site: Site,
        address: Address,
        index: &Value,
        sort: Sort,
    ) -> Answer<Option<Located>> {
        self.inner.element(site, address, index, sort)
    }

    fn store(&mut self, slot: &Located, sort: Sort, value: &Value) -> Answer<()> {
        self.inner.store(slot, sort, value)
    }

    fn length(&mut self, site: Site, address: Address, ty: IntType) -> Answer<Option<Value>> {
        self.inner.length(site, address, ty)
    }

    fn field_address(
        &mut self,
        site: Site,
        address: Address,
        class: ClassId,
        field: u32,
    ) -> Answer<Option<Value>> {
        self.inner.field_address(site, address, class, field)
    }

    fn element_address(
        &mut self,
        site: Site,
        address: Address,
        index: &Value,
        array: ClassId,
    ) -> Answer<Option<Value>> {
        self.inner.element_address(site, address, index, array)
    }

    fn intrinsic(&mut self, site: Site, name: &str, args: &[Value]) -> Answer<Intrinsic<Value>> {
        self.inner.intrinsic(site, name, args)
    }
}
