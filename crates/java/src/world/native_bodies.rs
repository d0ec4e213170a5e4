//! The bodies of the methods that `natives` lists.

use heapwright_ir::machine::intrinsic::INTERNED;
use heapwright_ir::{
    Arithmetic, BinaryOp, BlockId, Callee, Comparison, Constant, Function, FunctionId, GlobalId,
    Operand, Operation, Reg, Terminator, UnaryOp,
};
use heapwright_logic::{ClassId, FloatType, IntType, Sort};

use super::builder::Builder;
use super::methods::{CLASS_OBJECT, method_key};
use super::natives::{Native, native};
use super::slots::{NumberedSlot, access_slot};
use super::{World, arrays};
use crate::classfile::{FieldReference, JavaString};
use crate::descriptor::Type;
use crate::hierarchy::DeclaredMethod;

impl World {
    /// The body of a method that is not translated from bytecode.
    pub(super) fn native_body(
        &mut self,
        function: FunctionId,
        declared: &DeclaredMethod,
    ) -> Option<Function> {
        let native = native(declared)?;
        // Whoever tests the class wants its own code; and states of sequences are put back object by
        // object, so that there boxes have to be those of the JDK's own table.
        let keeps_code = !self.interns_boxes || self.tested.members.contains(&declared.class.name);
        if matches!(native, Native::Box(..)) && keeps_code {
            return None;
        }
        if let Native::Ask(question) = native {
            return Some(self.question(function, question));
        }
        if let Native::Intern = native {
            return self.intern(function);
        }
        let primitives = match native {
            Native::IsPrimitive => self.primitive_class_objects(),
            _ => Vec::new(),
        };
        let field = match native {
            Native::HasField(name) | Native::FieldIs(name) => {
                let class = self.complete(&declared.class.ty()).ok()?;
                let (field, _) = self.known_field(class, name)?;
                Some((class, field))
            }
            _ => None,
        };
        let boxed = match native {
            Native::Box(..) => {
                let class = self.complete(&declared.class.ty()).ok()?;
                let (field, _) = self.known_field(class, "value")?;
                Some((class, field))
            }
            _ => None,
        };
        let fresh = match native {
            Native::Fresh(class) => self.fresh(class),
            _ => None,
        };
        let own_static = match native {
            Native::JavaLangAccess => self.own_static(declared, "javaLangAccess"),
            _ => None,
        };
        let empty = match native {
            Native::EmptyString => Some(self.literal(&JavaString::from("")).ok()?),
            _ => None,
        };
        let thread = match native {
            Native::CurrentThread => Some(self.only_thread(&declared.class.ty())?),
            _ => None,
        };
        let setter = match native {
            Native::JavaLangAccess => self.java_lang_access_setter(),
            _ => None,
        };
        let stub = self.program.function(function);
        let params: Vec<_> = (stub.registers.iter().take(stub.params as usize))
            .map(|register| register.sort)
            .collect();
        let result = stub.result;
        let mut builder = Builder::new(stub.name.clone(), &params, result);
        let args = || (0..params.len() as u32).map(|index| Operand::Register(Reg(index)));
        let value = match native {
            Native::Default => result.map(|sort| Operand::Constant(default(sort))),
            Native::Param(index) => Some(builder.param(index)),
            Native::Number(number) => result.map(|sort| match sort {
                Sort::Machine(ty) => Operand::Constant(Constant::Int(ty, ty.wrap(number))),
                other => Operand::Constant(default(other)),
            }),
            Native::ArrayCopy => {
                builder.emit(arrays::call_copy(args().collect()));
                None
            }
            Native::ClassObject => call(
                &mut builder,
                Callee::Virtual(CLASS_OBJECT.to_owned()),
                args().take(1).collect(),
                result,
            ),
            Native::CallFirst(method) => call(
                &mut builder,
                Callee::Virtual(method.to_owned()),
                args().take(1).collect(),
                result,
            ),
            Native::ComplementOfLength => {
                let to = builder.register(Sort::Machine(IntType::I32));
                let length = builder.param(params.len().saturating_sub(2) as u32);
                builder.emit(Operation::Unary {
                    to,
                    op: UnaryOp::Complement,
                    a: length,
                });
                Some(Operand::Register(to))
            }
            Native::IsPrimitive => {
                let mut found = Operand::Constant(Constant::Bool(false));
                for mirror in primitives {
                    let same = compare(&mut builder, Comparison::Eq, Operand::Global(mirror));
                    let to = builder.register(Sort::Bool);
                    builder.emit(Operation::Binary {
                        to,
                        op: BinaryOp::Bool(Arithmetic::Or),
                        a: found,
                        b: same,
                    });
                    found = Operand::Register(to);
                }
                Some(found)
            }
            Native::HasField(_) => {
                let null = Operand::Constant(Constant::Null);
                Some(compare_field(&mut builder, field?, Comparison::Ne, null))
            }
            Native::Fresh(_) => {
                let (class, guard, constructor) = fresh?;
                if let Some(guard) = guard {
                    call(&mut builder, Callee::Static(guard), Vec::new(), None);
                }
                let to = builder.register(Sort::Ref(class));
                builder.emit(Operation::New { to, class });
                let object = Operand::Register(to);
                call(
                    &mut builder,
                    Callee::Static(constructor),
                    vec![object],
                    None,
                );
                Some(object)
            }
            Native::Environment(part, answer) => {
                let answered = self.answer_body(&mut builder, declared, (part, answer), result?);
                Some(answered?)
            }
            Native::Ask(_) | Native::Intern | Native::JavaLangAccess => {
                let (global, class, field) = own_static?;
                if let Some(setter) = setter {
                    call_unless_set(&mut builder, (global, class, field), setter);
                }
                let to = builder.register(Sort::Ref(ClassId::ANY));
                builder.emit(Operation::Load {
                    to,
                    object: Operand::Global(global),
                    class,
                    field,
                });
                Some(Operand::Register(to))
            }
            Native::Slot(access) => {
                // The receiver is `Unsafe` itself.
                let [object, position] = [1, 2].map(|index| builder.param(index));
                let values: Vec<_> = args().skip(3).collect();
                let sort = params.get(3).copied().or(result)?;
                let slot = NumberedSlot {
                    object,
                    position,
                    sort,
                };
                access_slot(&mut builder, access, slot, &values)
            }
            Native::FieldIs(_) => {
                let other = builder.param(1);
                Some(compare_field(&mut builder, field?, Comparison::Eq, other))
            }
            Native::Box(first, last) => {
                let (class, field) = boxed?;
                let value = builder.param(0);
                let number = |number| Operand::Constant(Constant::Int(IntType::I32, number));
                let to = builder.register(Sort::Ref(class));
                builder.emit(Operation::New { to, class });
                let object = Operand::Register(to);
                builder.emit(Operation::Store {
                    object,
                    class,
                    field,
                    value,
                });
                call(
                    &mut builder,
                    Callee::Intrinsic(INTERNED.to_owned()),
                    vec![object, value, number(first), number(last)],
                    result,
                )
            }
            Native::CurrentThread => Some(Operand::Global(thread?)),
            Native::EmptyString => {
                let (global, filler) = empty?;
                call(&mut builder, Callee::Static(filler), Vec::new(), None);
                Some(Operand::Global(global))
            }
            Native::Function(_) | Native::Intrinsic => {
                let name = match native {
                    Native::Function(name) => name.to_owned(),
                    _ => format!("{}#{}", declared.class.name, method_key(&declared.method)),
                };
                call(
                    &mut builder,
                    Callee::Intrinsic(name),
                    args().collect(),
                    result,
                )
            }
        };
        builder.end(Terminator::Return(value));
        Some(builder.finish())
    }
}

impl World {
    /// The place of a static field of a method's class.
    fn own_static(
        &mut self,
        declared: &DeclaredMethod,
        field: &str,
    ) -> Option<(GlobalId, ClassId, u32)> {
        let found = declared.class.fields.iter().find(|f| &*f.name == field)?;
        let reference = FieldReference {
            class: declared.class.name.clone(),
            name: found.name.clone(),
            ty: found.ty.clone(),
        };
        let place = self.static_field(&reference).ok()?;
        Some((place.statics.global, place.statics.class, place.field))
    }

    /// A class, its guard and its constructor without parameters.
    fn fresh(&mut self, class: &str) -> Option<(ClassId, Option<FunctionId>, FunctionId)> {
        let id = self.complete(&Type::class(class)).ok()?;
        let class = self.path.load(class).ok()?;
        let guard = self.guard(&class).ok()?;
        let constructor = class
            .methods
            .iter()
            .find(|method| method.is_constructor() && method.descriptor.parameters.is_empty());
        let method = constructor?.clone();
        let constructor = self.function(&DeclaredMethod { class, method });
        Some((id, guard, constructor))
    }

    /// The object of the only thread, with default contents: it never runs anything.
    fn only_thread(&mut self, ty: &Type) -> Option<GlobalId> {
        if self.thread.is_none() {
            let class = self.complete(ty).ok()?;
            self.thread = Some(self.add_global("thread".to_owned(), class));
        }
        self.thread
    }

    fn java_lang_access_setter(&mut self) -> Option<FunctionId> {
        let class = self.path.load("java.lang.System").ok()?;
        let mut methods = class.methods.iter();
        let method = methods.find(|method| &*method.name == "setJavaLangAccess")?;
        let method = method.clone();
        Some(self.function(&DeclaredMethod { class, method }))
    }

    fn primitive_class_objects(&mut self) -> Vec<GlobalId> {
        let names = [
            "boolean", "byte", "char", "short", "int", "long", "float", "double", "void",
        ];
        let types = names.iter().filter_map(|name| name.parse::<Type>().ok());
        let types: Vec<_> = types.collect();
        let objects = types.iter().filter_map(|ty| self.class_object(ty).ok());
        objects.map(|(global, _)| global).collect()
    }
}

/// Calls a function without parameters if a field of a global is null.
fn call_unless_set(builder: &mut Builder, place: (GlobalId, ClassId, u32), setter: FunctionId) {
    let (global, class, field) = place;
    let content = builder.register(Sort::Ref(ClassId::ANY));
    builder.emit(Operation::Load {
        to: content,
        object: Operand::Global(global),
        class,
        field,
    });
    let missing = builder.register(Sort::Bool);
    builder.emit(Operation::Binary {
        to: missing,
        op: BinaryOp::Compare(Comparison::Eq),
        a: Operand::Register(content),
        b: Operand::Constant(Constant::Null),
    });
    let block = builder.next_block();
    let (then, otherwise) = (BlockId(block.0 + 1), BlockId(block.0 + 2));
    builder.end(Terminator::Branch {
        condition: Operand::Register(missing),
        then,
        otherwise,
    });
    call(builder, Callee::Static(setter), Vec::new(), None);
    builder.end(Terminator::Goto(otherwise));
}

/// Compares a field of the first parameter with something.
fn compare_field(
    builder: &mut Builder,
    (class, field): (ClassId, u32),
    comparison: Comparison,
    other: Operand,
) -> Operand {
    let value = builder.register(Sort::Ref(ClassId::ANY));
    let object = builder.param(0);
    builder.emit(Operation::Load {
        to: value,
        object,
        class,
        field,
    });
    let to = builder.register(Sort::Bool);
    builder.emit(Operation::Binary {
        to,
        op: BinaryOp::Compare(comparison),
        a: Operand::Register(value),
        b: other,
    });
    Operand::Register(to)
}

/// Compares the first parameter with something.
pub(super) fn compare(builder: &mut Builder, comparison: Comparison, b: Operand) -> Operand {
    let to = builder.register(Sort::Bool);
    let a = builder.param(0);
    builder.emit(Operation::Binary {
        to,
        op: BinaryOp::Compare(comparison),
        a,
        b,
    });
    Operand::Register(to)
}

/// Emits a call.
pub(super) fn call(
    builder: &mut Builder,
    callee: Callee,
    args: Vec<Operand>,
    result: Option<Sort>,
) -> Option<Operand> {
    let to = result.map(|sort| builder.register(sort));
    builder.emit(Operation::Call { to, callee, args });
    to.map(Operand::Register)
}

/// What fields of a sort hold at first.
pub(super) fn default(sort: Sort) -> Constant {
    match sort {
        Sort::Bool => Constant::Bool(false),
        Sort::Machine(ty) => Constant::Int(ty, 0),
        Sort::Float(FloatType::Single) => Constant::Single(0),
        Sort::Float(FloatType::Double) => Constant::Double(0),
        Sort::Ref(_) | Sort::Int => Constant::Null,
    }
}
