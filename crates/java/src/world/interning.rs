//! `String.intern`: equal strings become the same object.
//!
//! Literals are interned from the beginning, so that a string that is equal to one becomes that
//! one, even if the virtual machine would come to the literal later. Other strings are kept in a
//! list. There may be new literals whenever something is translated; then the function is made
//! anew.

use heapwright_ir::{
    BinaryOp, BlockId, Callee, Comparison, Constant, Function, FunctionId, GlobalId, Operand,
    Operation, Reg, Terminator,
};
use heapwright_logic::{ClassId, Field, IntType, Sort};

use super::builder::Builder;
use super::literals::encode;
use super::native_bodies::call;
use super::{STRING, World};
use crate::descriptor::Type;
use crate::hierarchy::DeclaredMethod;

/// What is needed for interning.
#[derive(Debug, Clone, Copy)]
pub(super) struct Interning {
    /// `String.intern`.
    function: FunctionId,
    /// `String.equals`.
    equals: FunctionId,
    /// The class of strings.
    string: ClassId,
    /// The fields of a string: its bytes.
    value: (u32, Sort),
    /// The class of the list's cells: a string and the next cell.
    cell: ClassId,
    /// The cell in front of the list.
    head: GlobalId,
    /// How many literals the function knows.
    literals: usize,
}

impl World {
    /// The body of `String.intern`, kept up to date from now on.
    pub(super) fn intern(&mut self, function: FunctionId) -> Option<Function> {
        let string = self.complete(&Type::class(STRING)).ok()?;
        let class = self.path.load(STRING).ok()?;
        let mut methods = class.methods.iter();
        let method = methods.find(|method| &*method.name == "equals")?.clone();
        let equals = self.function(&DeclaredMethod { class, method });
        let cell = self.add_class("<interned>".to_owned());
        let field = |name: &str, class| Field {
            name: name.to_owned(),
            sort: Sort::Ref(class),
        };
        self.program.definitions.class_mut(cell).fields =
            vec![field("string", string), field("next", cell)];
        self.info(cell, |info| info.instantiable = true);
        let interning = Interning {
            function,
            equals,
            string,
            value: self.known_field(string, "value")?,
            cell,
            head: self.add_global("interned".to_owned(), cell),
            literals: self.literals.len(),
        };
        self.interning = Some(interning);
        Some(self.intern_body(interning))
    }

    /// There may be new literals.
    pub(super) fn refresh_interning(&mut self) {
        let Some(mut interning) = self.interning else {
            return;
        };
        if interning.literals < self.literals.len() {
            interning.literals = self.literals.len();
            self.interning = Some(interning);
            let body = self.intern_body(interning);
            self.set_function(interning.function, body);
        }
    }

    fn intern_body(&self, interning: Interning) -> Function {
        let name = self.program.function(interning.function).name.clone();
        let own = Sort::Ref(interning.string);
        let mut builder = Builder::new(name, &[own], Some(own));
        // Only literals that are as long can be equal: by length, in the order of their making.
        let mut literals: Vec<_> = (self.literals.iter())
            .map(|(text, &(global, filler))| (encode(text.units()).0.len(), global, filler))
            .collect();
        literals.sort_by_key(|&(length, global, _)| (length, global));
        let list = BlockId(1 + 2 * literals.len() as u32);
        let place = |index: usize| BlockId(1 + 2 * index as u32);
        let mut cases: Vec<(i128, BlockId)> = Vec::new();
        for (index, &(length, ..)) in literals.iter().enumerate() {
            if cases.last().is_none_or(|(last, _)| *last != length as i128) {
                cases.push((length as i128, place(index)));
            }
        }
        let bytes = builder.register(interning.value.1);
        builder.emit(Operation::Load {
            to: bytes,
            object: Operand::Register(Reg(0)),
            class: interning.string,
            field: interning.value.0,
        });
        let length = builder.register(Sort::Machine(IntType::I32));
        builder.emit(Operation::Length {
            to: length,
            array: Operand::Register(bytes),
        });
        builder.end(Terminator::Switch {
            value: Operand::Register(length),
            cases,
            default: list,
        });
        for (index, &(length, global, filler)) in literals.iter().enumerate() {
            let next = literals.get(index + 1);
            let otherwise = match next {
                Some((next, ..)) if *next == length => place(index + 1),
                _ => list,
            };
            call(&mut builder, Callee::Static(filler), Vec::new(), None);
            let literal = Operand::Global(global);
            let then = builder.next_block();
            return_if_equal(
                &mut builder,
                interning,
                literal,
                BlockId(then.0 + 1),
                otherwise,
            );
        }
        self.intern_in_list(&mut builder, interning, list);
        builder.finish()
    }

    /// Looks a string up in the list, and adds it if it is not there. The first of these blocks
    /// is given.
    fn intern_in_list(&self, builder: &mut Builder, interning: Interning, first: BlockId) {
        let (cell, head) = (interning.cell, Operand::Global(interning.head));
        let block = |offset: u32| BlockId(first.0 + offset);
        let current = builder.register(Sort::Ref(cell));
        let next = |to: Reg, object: Operand| Operation::Load {
            to,
            object,
            class: cell,
            field: 1,
        };
        builder.emit(next(current, head));
        builder.end(Terminator::Goto(block(1)));
        let at_end = builder.register(Sort::Bool);
        builder.emit(Operation::Binary {
            to: at_end,
            op: BinaryOp::Compare(Comparison::Eq),
            a: Operand::Register(current),
            b: Operand::Constant(Constant::Null),
        });
        builder.end(Terminator::Branch {
            condition: Operand::Register(at_end),
            then: block(5),
            otherwise: block(2),
        });
        let known = builder.register(Sort::Ref(interning.string));
        builder.emit(Operation::Load {
            to: known,
            object: Operand::Register(current),
            class: cell,
            field: 0,
        });
        let known = Operand::Register(known);
        return_if_equal(builder, interning, known, block(3), block(4));
        builder.emit(next(current, Operand::Register(current)));
        builder.end(Terminator::Goto(block(1)));
        let made = builder.register(Sort::Ref(cell));
        builder.emit(Operation::New {
            to: made,
            class: cell,
        });
        let made = Operand::Register(made);
        let rest = builder.register(Sort::Ref(cell));
        builder.emit(next(rest, head));
        let string = builder.param(0);
        let stores = [
            (made, 0, string),
            (made, 1, Operand::Register(rest)),
            (head, 1, made),
        ];
        for (object, field, value) in stores {
            builder.emit(Operation::Store {
                object,
                class: cell,
                field,
                value,
            });
        }
        builder.end(Terminator::Return(Some(string)));
    }
}

/// Ends two blocks: the first compares the string with another one, the second returns that one.
fn return_if_equal(
    builder: &mut Builder,
    interning: Interning,
    other: Operand,
    then: BlockId,
    otherwise: BlockId,
) {
    let args = vec![other, builder.param(0)];
    let equal = builder.register(Sort::Bool);
    builder.emit(Operation::Call {
        to: Some(equal),
        callee: Callee::Static(interning.equals),
        args,
    });
    builder.end(Terminator::Branch {
        condition: Operand::Register(equal),
        then,
        otherwise,
    });
    builder.end(Terminator::Return(Some(other)));
}
