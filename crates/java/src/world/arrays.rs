//! What arrays can do besides being indexed: `clone` and `System.arraycopy`.
//!
//! Both depend on the class of the array at run time, so they are entries of the method tables of
//! array classes.

use heapwright_ir::{
    Arithmetic, BinaryOp, BlockId, Callee, Comparison, Constant, FaultKind, Function, FunctionId,
    Operand, Operation, Reg, Terminator, UnaryOp,
};
use heapwright_logic::{ClassId, IntType, Sort};

use super::builder::Builder;
use super::literals::int;
use super::loading::Pending;
use super::methods::CLASS_OBJECT;
use super::{OBJECT, World};
use crate::descriptor::Type;
use crate::hierarchy::LinkError;

/// The entry of the method table for `System.arraycopy`, whose receiver is the source.
pub(super) const COPY: &str = "<copy>";

const CLONE: &str = "clone()Ljava/lang/Object;";
const INT: Sort = Sort::Machine(IntType::I32);
const LONG: Sort = Sort::Machine(IntType::I64);

impl World {
    /// Fills the method table of an array class: the methods of Object, and copies.
    pub(super) fn enter_array_methods(
        &mut self,
        id: ClassId,
        element: &Type,
    ) -> Result<(), LinkError> {
        let object = self.complete(&Type::class(OBJECT))?;
        let mut table = self.program.class(object).methods.clone();
        let ty = element.clone().array_of();
        table.insert(CLASS_OBJECT.to_owned(), self.class_object_function(&ty));
        let clone = Builder::new(
            format!("<clone> {ty}"),
            &[Sort::Ref(id)],
            Some(Sort::Ref(object)),
        );
        let clone = self.add_stub(clone.finish(), Pending::ArrayClone(id));
        table.insert(CLONE.to_owned(), clone);
        let any = Sort::Ref(ClassId::ANY);
        let params = [Sort::Ref(id), INT, any, INT, INT];
        let copy = Builder::new(format!("<copy> {ty}"), &params, None).finish();
        let copy = self.add_stub(copy, Pending::ArrayCopy(id, element.clone()));
        table.insert(COPY.to_owned(), copy);
        self.info(id, |info| info.methods = table);
        Ok(())
    }

    /// A new array of the same class with the same elements.
    pub(super) fn array_clone(&mut self, function: FunctionId, id: ClassId) -> Function {
        let stub = self.program.function(function);
        let mut builder = Builder::new(stub.name.clone(), &[Sort::Ref(id)], stub.result);
        let element = self.element_sort(id);
        let (length, copy) = (builder.register(INT), builder.register(Sort::Ref(id)));
        let source = builder.param(0);
        builder.emit(Operation::Length {
            to: length,
            array: source,
        });
        let length = Operand::Register(length);
        builder.emit(Operation::NewArray {
            to: copy,
            class: id,
            length,
        });
        let copy = Operand::Register(copy);
        let from = (source, int(0));
        let first = BlockId(1);
        builder.end(Terminator::Goto(first));
        copy_loop(&mut builder, element, from, (copy, int(0)), length, first);
        builder.end(Terminator::Return(Some(copy)));
        builder.finish()
    }

    /// `System.arraycopy` from arrays of one class.
    pub(super) fn array_copy(
        &mut self,
        function: FunctionId,
        id: ClassId,
        element: &Type,
    ) -> Result<Function, LinkError> {
        let stub = self.program.function(function);
        let params: Vec<_> = stub
            .registers
            .iter()
            .map(|register| register.sort)
            .collect();
        let mut b = Builder::new(stub.name.clone(), &params, None);
        // References can be copied between all arrays of them; each store is checked then.
        let target_class = match element {
            Type::Primitive(_) => id,
            _ => self.complete(&Type::class(OBJECT).array_of())?,
        };
        let store_exception = self.complete(&Type::class("java.lang.ArrayStoreException"))?;
        let bounds = "java.lang.ArrayIndexOutOfBoundsException";
        let bounds_exception = self.complete(&Type::class(bounds))?;
        let store_exception = self.silent_exception(FaultKind::BadElement, store_exception);
        let bounds_exception = self.silent_exception(FaultKind::OutOfBounds, bounds_exception);
        let [from, from_start, to, to_start, count] = [0, 1, 2, 3, 4].map(|i| b.param(i));
        let block = BlockId;
        // Block 0 tests for null, 1 faults, 2 tests the class, 3 throws, 4 tests bounds, 5 throws,
        // 6 chooses the direction, 7 to 10 copy upwards, 11 to 14 downwards.
        let null = compare(
            &mut b,
            Comparison::Eq,
            to,
            Operand::Constant(Constant::Null),
        );
        branch(&mut b, null, block(1), block(2));
        let length = b.register(INT);
        b.emit(Operation::Length {
            to: length,
            array: to,
        });
        b.end(Terminator::Unreachable);
        let fits = b.register(Sort::Bool);
        b.emit(Operation::InstanceOf {
            to: fits,
            object: to,
            class: target_class,
        });
        branch(&mut b, Operand::Register(fits), block(4), block(3));
        throw(&mut b, store_exception);
        let target = b.register(Sort::Ref(target_class));
        b.emit(Operation::Move {
            to: target,
            from: to,
        });
        let target = Operand::Register(target);
        let mut outside = compare(&mut b, Comparison::Lt, count, int(0));
        for (array, start) in [(from, from_start), (target, to_start)] {
            let negative = compare(&mut b, Comparison::Lt, start, int(0));
            outside = either(&mut b, outside, negative);
            let beyond = beyond(&mut b, array, start, count);
            outside = either(&mut b, outside, beyond);
        }
        branch(&mut b, outside, block(5), block(6));
        throw(&mut b, bounds_exception);
        let same = compare(&mut b, Comparison::Eq, from, target);
        let above = compare(&mut b, Comparison::Lt, from_start, to_start);
        let down = b.register(Sort::Bool);
        b.emit(Operation::Binary {
            to: down,
            op: BinaryOp::Bool(Arithmetic::And),
            a: same,
            b: above,
        });
        branch(&mut b, Operand::Register(down), block(11), block(7));
        let element = self.element_sort(id);
        let (source, goal) = ((from, from_start), (target, to_start));
        copy_loop(&mut b, element, source, goal, count, block(7));
        b.end(Terminator::Return(None));
        copy_down(&mut b, element, source, goal, count, block(12));
        b.end(Terminator::Return(None));
        Ok(b.finish())
    }

    /// The function that makes an array of arrays, for as many dimensions as counted.
    pub(crate) fn nested_array(
        &mut self,
        ty: &Type,
        dimensions: u8,
    ) -> Result<FunctionId, LinkError> {
        let key = (ty.to_string().into(), format!("<new> {dimensions}"));
        if let Some(&known) = self.functions.get(&key) {
            return Ok(known);
        }
        let id = self.complete(ty)?;
        let inner = match ty {
            Type::Array(element) if dimensions > 1 => {
                Some(self.nested_array(element, dimensions - 1)?)
            }
            _ => None,
        };
        let lengths = vec![INT; usize::from(dimensions)];
        let name = format!("<new> {ty} {dimensions}");
        let mut b = Builder::new(name, &lengths, Some(Sort::Ref(id)));
        let array = b.register(Sort::Ref(id));
        // A negative length is a fault even if there is no array that would have it.
        if dimensions > 1 {
            let mut negative = Operand::Constant(Constant::Bool(false));
            for index in 0..u32::from(dimensions) {
                let length = b.param(index);
                let below = compare(&mut b, Comparison::Lt, length, int(0));
                negative = either(&mut b, negative, below);
            }
            branch(&mut b, negative, BlockId(1), BlockId(2));
            let exception = Type::class("java.lang.NegativeArraySizeException");
            let class = self.complete(&exception)?;
            let class = self.silent_exception(FaultKind::NegativeLength, class);
            throw(&mut b, class);
        }
        let length = b.param(0);
        b.emit(Operation::NewArray {
            to: array,
            class: id,
            length,
        });
        let array = Operand::Register(array);
        if let Some(inner) = inner {
            let index = b.register(INT);
            b.emit(Operation::Move {
                to: index,
                from: int(0),
            });
            b.end(Terminator::Goto(BlockId(3)));
            let index_operand = Operand::Register(index);
            let more = compare(&mut b, Comparison::Lt, index_operand, length);
            branch(&mut b, more, BlockId(4), BlockId(5));
            let element = b.register(Sort::Ref(ClassId::ANY));
            let args = (1..u32::from(dimensions)).map(|index| Operand::Register(Reg(index)));
            b.emit(Operation::Call {
                to: Some(element),
                callee: Callee::Static(inner),
                args: args.collect(),
            });
            b.emit(Operation::StoreElement {
                array,
                index: index_operand,
                value: Operand::Register(element),
            });
            add(&mut b, index, index_operand, int(1));
            b.end(Terminator::Goto(BlockId(3)));
        }
        b.end(Terminator::Return(Some(array)));
        let function = self.add_function(b.finish());
        self.functions.insert(key, function);
        Ok(function)
    }

    fn element_sort(&self, id: ClassId) -> Sort {
        match self.program.class(id).kind {
            heapwright_ir::ClassKind::Array { element } => element,
            heapwright_ir::ClassKind::Struct { .. } => Sort::Ref(ClassId::ANY),
        }
    }
}

/// An array and the index of its first element that takes part.
type ArrayOffset = (Operand, Operand);

/// Copies elements upwards. The loop has the blocks `first` (which sets the counter), the test and
/// the body; the next block to be ended comes after it.
fn copy_loop(
    b: &mut Builder,
    element: Sort,
    from: ArrayOffset,
    to: ArrayOffset,
    count: Operand,
    first: BlockId,
) {
    let index = b.register(INT);
    b.emit(Operation::Move {
        to: index,
        from: int(0),
    });
    b.end(Terminator::Goto(BlockId(first.0 + 1)));
    let index_operand = Operand::Register(index);
    let more = compare(b, Comparison::Lt, index_operand, count);
    branch(b, more, BlockId(first.0 + 2), BlockId(first.0 + 3));
    copy_element(b, element, from, to, index_operand);
    add(b, index, index_operand, int(1));
    b.end(Terminator::Goto(BlockId(first.0 + 1)));
}

/// Copies elements downwards. The first block ends here; the test is `test`.
fn copy_down(
    b: &mut Builder,
    element: Sort,
    from: ArrayOffset,
    to: ArrayOffset,
    count: Operand,
    test: BlockId,
) {
    let index = b.register(INT);
    b.emit(Operation::Move {
        to: index,
        from: count,
    });
    b.end(Terminator::Goto(test));
    let index_operand = Operand::Register(index);
    let more = compare(b, Comparison::Gt, index_operand, int(0));
    branch(b, more, BlockId(test.0 + 1), BlockId(test.0 + 2));
    add(b, index, index_operand, int(-1));
    copy_element(b, element, from, to, index_operand);
    b.end(Terminator::Goto(test));
}

fn copy_element(
    b: &mut Builder,
    element: Sort,
    from: ArrayOffset,
    to: ArrayOffset,
    index: Operand,
) {
    let (source, goal) = (b.register(INT), b.register(INT));
    add(b, source, from.1, index);
    add(b, goal, to.1, index);
    // Nothing is known about a reference, so that storing it is checked.
    let sort = match element {
        Sort::Ref(_) => Sort::Ref(ClassId::ANY),
        other => other,
    };
    let value = b.register(sort);
    b.emit(Operation::LoadElement {
        to: value,
        array: from.0,
        index: Operand::Register(source),
    });
    b.emit(Operation::StoreElement {
        array: to.0,
        index: Operand::Register(goal),
        value: Operand::Register(value),
    });
}

/// Whether `start + count` lies beyond the end of an array, in longs, which do not overflow.
fn beyond(b: &mut Builder, array: Operand, start: Operand, count: Operand) -> Operand {
    let length = b.register(INT);
    b.emit(Operation::Length { to: length, array });
    let [start, count, length] = [start, count, Operand::Register(length)].map(|value| {
        let wide = b.register(LONG);
        b.emit(Operation::Unary {
            to: wide,
            op: UnaryOp::Convert(LONG),
            a: value,
        });
        Operand::Register(wide)
    });
    let end = b.register(LONG);
    b.emit(Operation::Binary {
        to: end,
        op: BinaryOp::Int(IntType::I64, Arithmetic::Add),
        a: start,
        b: count,
    });
    compare(b, Comparison::Gt, Operand::Register(end), length)
}

fn add(b: &mut Builder, to: Reg, x: Operand, y: Operand) {
    b.emit(Operation::Binary {
        to,
        op: BinaryOp::Int(IntType::I32, Arithmetic::Add),
        a: x,
        b: y,
    });
}

fn compare(b: &mut Builder, comparison: Comparison, x: Operand, y: Operand) -> Operand {
    let to = b.register(Sort::Bool);
    b.emit(Operation::Binary {
        to,
        op: BinaryOp::Compare(comparison),
        a: x,
        b: y,
    });
    Operand::Register(to)
}

fn either(b: &mut Builder, x: Operand, y: Operand) -> Operand {
    let to = b.register(Sort::Bool);
    b.emit(Operation::Binary {
        to,
        op: BinaryOp::Bool(Arithmetic::Or),
        a: x,
        b: y,
    });
    Operand::Register(to)
}

fn branch(b: &mut Builder, condition: Operand, then: BlockId, otherwise: BlockId) {
    b.end(Terminator::Branch {
        condition,
        then,
        otherwise,
    });
}

fn throw(b: &mut Builder, class: ClassId) {
    let exception = b.register(Sort::Ref(class));
    b.emit(Operation::New {
        to: exception,
        class,
    });
    b.end(Terminator::Throw(Operand::Register(exception)));
}

/// Calls the copy of an array's class.
pub(super) fn call_copy(args: Vec<Operand>) -> Operation {
    Operation::Call {
        to: None,
        callee: Callee::Virtual(COPY.to_owned()),
        args,
    }
}
