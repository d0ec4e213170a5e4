//! Functions of the C library.
//!
//! What works on memory is done by operations of the core language. What can be said in C is C:
//! see `prelude.h`, whose functions take the place of those that have no body. Everything else ends
//! the path by name.

use heapwright_ir::machine::environment::Environment;
use heapwright_ir::{
    Arithmetic, BinaryOp, Callee, Comparison, Constant, FunctionId, Operand, Operation, Position,
    Terminator,
};
use heapwright_logic::{ClassId, IntType, Sort};

use super::builder::{Builder, int};
use super::call::with_parameters;
use super::function::Body;
use super::{Lowering, NULL};
use crate::ast::{CType, Place, Signature};
use crate::error::CError;

/// What the names of functions begin with that stand for those of the library.
pub const PRELUDE: &str = "hw_lib_";

/// Functions that end the program.
pub const EXITS: [&str; 4] = ["exit", "_exit", "_Exit", "quick_exit"];

/// The names of the functions that allocate.
const ALLOCATE: &str = "allocate";
const ALLOCATE_ZERO: &str = "allocate zeros";

/// The function of the prelude that says whether an allocation fails, and the variable that decides
/// it.
pub const ALLOCATION_FAILS: &str = "hw_lib_allocation_fails";
pub const FAILING_ALLOCATION: &str = "hw_lib_failing_allocation";

/// The function of the prelude that orders numbers, for pointers to functions that compare.
pub const COMPARE_NUMBERS: &str = "hw_lib_compare_numbers";

/// Functions that allocate.
pub const ALLOCATORS: [&str; 6] = ["malloc", "calloc", "realloc", "strdup", "strndup", "alloca"];

const ANY: Sort = Sort::Ref(ClassId::ANY);

impl Lowering<'_> {
    /// `free`: nothing for null.
    fn free_function(&mut self) -> FunctionId {
        if let Some(&known) = self.known.get("free") {
            return known;
        }
        let (mut builder, args) = with_parameters(&[ANY]);
        let (free, done) = (builder.block(), builder.block());
        let condition = builder.value(Sort::Bool, |to| Operation::Binary {
            to,
            op: BinaryOp::Compare(Comparison::Eq),
            a: args[0],
            b: Operand::Constant(Constant::Null),
        });
        builder.end(Terminator::Branch {
            condition,
            then: done,
            otherwise: free,
        });
        builder.go_on(free);
        builder.emit(Operation::Free { object: args[0] });
        builder.goto(done);
        builder.go_on(done);
        builder.end(Terminator::Return(None));
        let function = builder.finish("free", 1, None, Position::default());
        self.add_synthetic(function)
    }

    /// Memory without a type, or null: whether there is any depends on the environment, or on an
    /// input where the user wants that. Its bytes are zero, or have no value.
    fn allocate_function(&mut self, is_zero: bool) -> FunctionId {
        let name = if is_zero { ALLOCATE_ZERO } else { ALLOCATE };
        if let Some(&known) = self.known.get(name) {
            return known;
        }
        let class = self.classes.raw;
        let (mut builder, args) = with_parameters(&[Sort::Machine(IntType::U64)]);
        let truth = |value| Operand::Constant(Constant::Bool(value));
        let fails = match self.allocation_fails() {
            None => builder.value(Sort::Bool, |to| Operation::Call {
                to: Some(to),
                callee: Callee::Intrinsic(Environment::Allocation.question()),
                args: vec![truth(false), truth(true)],
            }),
            Some(asked) => {
                let answer = builder.value(Sort::Machine(IntType::I32), |to| Operation::Call {
                    to: Some(to),
                    callee: Callee::Static(asked),
                    args: Vec::new(),
                });
                builder.value(Sort::Bool, |to| Operation::Binary {
                    to,
                    op: BinaryOp::Compare(Comparison::Ne),
                    a: answer,
                    b: int(IntType::I32, 0),
                })
            }
        };
        let (null, made) = (builder.block(), builder.block());
        builder.end(Terminator::Branch {
            condition: fails,
            then: null,
            otherwise: made,
        });
        builder.go_on(null);
        builder.end(Terminator::Return(Some(Operand::Constant(Constant::Null))));
        builder.go_on(made);
        let object = builder.value(Sort::Ref(class), |to| Operation::NewArray {
            to,
            class,
            length: args[0],
        });
        if !is_zero {
            builder.emit(Operation::FillBytes {
                to: object,
                value: None,
                count: args[0],
            });
        }
        builder.end(Terminator::Return(Some(object)));
        let result = Some(Sort::Ref(class));
        let function = builder.finish(name, 1, result, Position::default());
        self.add_synthetic(function)
    }

    /// The function of the prelude that says whether an allocation fails, if an input decides that.
    fn allocation_fails(&self) -> Option<FunctionId> {
        let mut functions = self.unit.functions.iter();
        let index = functions.position(|known| known.name == ALLOCATION_FAILS)?;
        self.ids.get(&crate::ast::FunctionId(index as u32)).copied()
    }

    /// `calloc`: null where the number of bytes is too large for any number.
    fn calloc_function(&mut self) -> FunctionId {
        if let Some(&known) = self.known.get("calloc") {
            return known;
        }
        let allocate = self.allocate_function(true);
        let class = self.classes.raw;
        let ty = IntType::U64;
        let (mut builder, args) = with_parameters(&[Sort::Machine(ty); 2]);
        let (count, size) = (args[0], args[1]);
        let [divide, null, made] = [(); 3].map(|()| builder.block());
        let is_zero = compared(&mut builder, Comparison::Eq, size, int(ty, 0));
        builder.end(Terminator::Branch {
            condition: is_zero,
            then: made,
            otherwise: divide,
        });
        builder.go_on(divide);
        let most = builder.value(Sort::Machine(ty), |to| Operation::Binary {
            to,
            op: BinaryOp::Int(ty, Arithmetic::Div),
            a: int(ty, -1),
            b: size,
        });
        let is_too_large = compared(&mut builder, Comparison::Lt, most, count);
        builder.end(Terminator::Branch {
            condition: is_too_large,
            then: null,
            otherwise: made,
        });
        builder.go_on(null);
        builder.end(Terminator::Return(Some(Operand::Constant(Constant::Null))));
        builder.go_on(made);
        let bytes = builder.value(Sort::Machine(ty), |to| Operation::Binary {
            to,
            op: BinaryOp::Int(ty, Arithmetic::Mul),
            a: count,
            b: size,
        });
        let object = builder.value(Sort::Ref(class), |to| Operation::Call {
            to: Some(to),
            callee: Callee::Static(allocate),
            args: vec![bytes],
        });
        let result = builder.value(ANY, |to| Operation::Move { to, from: object });
        builder.end(Terminator::Return(Some(result)));
        let function = builder.finish("calloc", 2, Some(ANY), Position::default());
        self.add_synthetic(function)
    }

    /// `realloc`: always another place. As glibc has it, no bytes at all free the memory.
    fn realloc_function(&mut self) -> FunctionId {
        if let Some(&known) = self.known.get("realloc") {
            return known;
        }
        let free = self.free_function();
        let class = self.classes.raw;
        let size = Sort::Machine(IntType::U64);
        let (mut builder, args) = with_parameters(&[ANY, size]);
        let (old, new) = (args[0], args[1]);
        let [is_any, freed, anew] = [(); 3].map(|()| builder.block());
        let is_nothing = compared(&mut builder, Comparison::Eq, new, int(IntType::U64, 0));
        builder.end(Terminator::Branch {
            condition: is_nothing,
            then: is_any,
            otherwise: anew,
        });
        builder.go_on(is_any);
        let is_new = compared(&mut builder, Comparison::Eq, old, NULL);
        builder.end(Terminator::Branch {
            condition: is_new,
            then: anew,
            otherwise: freed,
        });
        builder.go_on(freed);
        builder.emit(Operation::Call {
            to: None,
            callee: Callee::Static(free),
            args: vec![old],
        });
        builder.end(Terminator::Return(Some(NULL)));
        builder.go_on(anew);
        let allocate = self.allocate_function(false);
        let made = builder.value(Sort::Ref(class), |to| Operation::Call {
            to: Some(to),
            callee: Callee::Static(allocate),
            args: vec![new],
        });
        let [there, copy, less, more, done] = [(); 5].map(|()| builder.block());
        // What there is no room for stays where it is.
        let has_failed = builder.value(Sort::Bool, |to| Operation::Binary {
            to,
            op: BinaryOp::Compare(Comparison::Eq),
            a: made,
            b: Operand::Constant(Constant::Null),
        });
        builder.end(Terminator::Branch {
            condition: has_failed,
            then: done,
            otherwise: there,
        });
        builder.go_on(there);
        let is_null = builder.value(Sort::Bool, |to| Operation::Binary {
            to,
            op: BinaryOp::Compare(Comparison::Eq),
            a: old,
            b: Operand::Constant(Constant::Null),
        });
        builder.end(Terminator::Branch {
            condition: is_null,
            then: done,
            otherwise: copy,
        });
        builder.go_on(copy);
        let extent = builder.value(size, |to| Operation::Extent { to, object: old });
        let is_less = builder.value(Sort::Bool, |to| Operation::Binary {
            to,
            op: BinaryOp::Compare(Comparison::Lt),
            a: extent,
            b: new,
        });
        builder.end(Terminator::Branch {
            condition: is_less,
            then: less,
            otherwise: more,
        });
        for (block, count) in [(less, extent), (more, new)] {
            builder.go_on(block);
            builder.emit(Operation::CopyBytes {
                to: made,
                from: old,
                count,
                may_overlap: true,
            });
            builder.emit(Operation::Call {
                to: None,
                callee: Callee::Static(free),
                args: vec![old],
            });
            builder.goto(done);
        }
        builder.go_on(done);
        let result = builder.value(ANY, |to| Operation::Move { to, from: made });
        builder.end(Terminator::Return(Some(result)));
        let function = builder.finish("realloc", 2, Some(ANY), Position::default());
        self.add_synthetic(function)
    }
}

impl<'t> Body<'_, 't> {
    /// A call of a function without a body. Arguments that have no value here are `None`.
    pub(super) fn library(
        &mut self,
        name: &str,
        signature: &Signature,
        place: Place,
        args: &[Option<Operand>],
    ) -> Result<Option<Operand>, CError> {
        let values: Vec<Operand> = args.iter().copied().flatten().collect();
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        match (plain, &values[..]) {
            ("malloc" | "alloca", &[size]) => {
                let size = self.size(size);
                let raw = self.lowering.classes.raw;
                let made = self.raw_memory(raw, size, false);
                Ok(Some(self.any(made)))
            }
            ("calloc", &[count, size]) => {
                let id = self.lowering.calloc_function();
                let (count, size) = (self.size(count), self.size(size));
                Ok(Some(self.builder.value(ANY, |to| Operation::Call {
                    to: Some(to),
                    callee: Callee::Static(id),
                    args: vec![count, size],
                })))
            }
            ("realloc", &[old, size]) => {
                let id = self.lowering.realloc_function();
                let (old, size) = (self.any(old), self.size(size));
                Ok(Some(self.builder.value(ANY, |to| Operation::Call {
                    to: Some(to),
                    callee: Callee::Static(id),
                    args: vec![old, size],
                })))
            }
            ("free", &[pointer]) => {
                let id = self.lowering.free_function();
                let pointer = self.any(pointer);
                self.builder.emit(Operation::Call {
                    to: None,
                    callee: Callee::Static(id),
                    args: vec![pointer],
                });
                Ok(None)
            }
            ("memcpy" | "memmove", &[to, from, count]) => {
                let count = self.size(count);
                self.builder.emit(Operation::CopyBytes {
                    to,
                    from,
                    count,
                    may_overlap: plain == "memmove",
                });
                Ok(Some(to))
            }
            ("memset", &[to, value, count]) => {
                let byte = self.convert(value, Sort::Machine(IntType::U8));
                let count = self.size(count);
                self.builder.emit(Operation::FillBytes {
                    to,
                    value: Some(byte),
                    count,
                });
                Ok(Some(to))
            }
            ("rand" | "random", []) => {
                let wide = Sort::Machine(IntType::I64);
                let number = self.builder.value(wide, |to| Operation::Call {
                    to: Some(to),
                    callee: Callee::Intrinsic(Environment::Randomness.question()),
                    args: Vec::new(),
                });
                let most = int(IntType::I64, i128::from(i32::MAX));
                let op = Arithmetic::And;
                let number = self.arithmetic(IntType::I64, op, number, most);
                let sort = self.lowering.sort(place, &signature.result)?;
                Ok(Some(match sort == wide {
                    true => number,
                    false => self.convert(number, sort),
                }))
            }
            // Where random numbers start from shows in nothing else.
            ("srand" | "srandom", _) => Ok(None),
            (name, &[status]) if EXITS.contains(&name) => {
                self.exit(status);
                self.result_of(signature, place)
            }
            ("__assert_fail" | "abort" | "unreachable" | "trap", _) => {
                let message = match plain {
                    "__assert_fail" => "assertion",
                    other => other,
                };
                self.builder.emit(Operation::Assert {
                    condition: Operand::Constant(Constant::Bool(false)),
                    message: message.to_owned(),
                });
                self.builder.end(Terminator::Unreachable);
                self.result_of(signature, place)
            }
            (_, values) => {
                if let Some((id, known)) = self.prelude(plain) {
                    let mut args = Vec::new();
                    for (value, ty) in values.iter().zip(&known.signature.params) {
                        let sort = self.lowering.sort(place, ty)?;
                        args.push(match sort {
                            Sort::Ref(_) => self
                                .builder
                                .value(sort, |to| Operation::Move { to, from: *value }),
                            _ => *value,
                        });
                    }
                    return self.called(Callee::Static(id), &known.signature.result, args, place);
                }
                let callee = Callee::Intrinsic(name.to_owned());
                self.called(callee, &signature.result, values.to_vec(), place)
            }
        }
    }

    /// Ends the program: throws an object that nobody catches, with the status.
    fn exit(&mut self, status: Operand) {
        let class = self.lowering.classes.exit;
        let object = self
            .builder
            .value(Sort::Ref(class), |to| Operation::New { to, class });
        self.builder.emit(Operation::Store {
            object,
            class,
            field: 0,
            value: status,
        });
        self.builder.end(Terminator::Throw(object));
    }

    /// What stands for a function of the library, written in C.
    pub(super) fn prelude(&self, name: &str) -> Option<(FunctionId, &'t crate::ast::Function)> {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let other = format!("{PRELUDE}{plain}");
        let unit = self.lowering.unit;
        let mut functions = unit.functions.iter();
        let index = functions.position(|known| known.name == other && known.body.is_some())?;
        let id = crate::ast::FunctionId(index as u32);
        let id = self.lowering.ids.get(&id).copied()?;
        Some((id, &unit.functions[index]))
    }

    fn called(
        &mut self,
        callee: Callee,
        result: &CType,
        args: Vec<Operand>,
        place: Place,
    ) -> Result<Option<Operand>, CError> {
        let to = match result {
            CType::Void => None,
            ty => {
                let sort = self.lowering.sort(place, ty)?;
                Some(self.builder.register(None, sort))
            }
        };
        self.builder.emit(Operation::Call { to, callee, args });
        Ok(to.map(Operand::Register))
    }

    /// A result where none comes back.
    fn result_of(
        &mut self,
        signature: &Signature,
        place: Place,
    ) -> Result<Option<Operand>, CError> {
        match &signature.result {
            CType::Void => Ok(None),
            ty => {
                let sort = self.lowering.sort(place, ty)?;
                Ok(Some(
                    self.builder.value(sort, |to| Operation::Undefine { to }),
                ))
            }
        }
    }

    fn raw_memory(&mut self, class: ClassId, length: Operand, is_zero: bool) -> Operand {
        let allocate = self.lowering.allocate_function(is_zero);
        self.builder.value(Sort::Ref(class), |to| Operation::Call {
            to: Some(to),
            callee: Callee::Static(allocate),
            args: vec![length],
        })
    }

    fn any(&mut self, pointer: Operand) -> Operand {
        self.builder
            .value(ANY, |to| Operation::Move { to, from: pointer })
    }

    /// A number of bytes.
    fn size(&mut self, value: Operand) -> Operand {
        match value {
            Operand::Constant(Constant::Int(_, number)) => int(IntType::U64, number),
            Operand::Register(register)
                if self.builder.registers[register.index()].sort == Sort::Machine(IntType::U64) =>
            {
                value
            }
            other => self.convert(other, Sort::Machine(IntType::U64)),
        }
    }
}

fn compared(builder: &mut Builder, comparison: Comparison, a: Operand, b: Operand) -> Operand {
    builder.value(Sort::Bool, |to| Operation::Binary {
        to,
        op: BinaryOp::Compare(comparison),
        a,
        b,
    })
}
