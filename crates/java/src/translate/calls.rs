//! Calls of methods.
//!
//! A virtual call finds out whether its receiver is null, a static one does not; so calls whose
//! method is known are still virtual unless the receiver surely is an object.

use heapwright_ir::machine::environment::Environment;
use heapwright_ir::{Callee, Constant, Operand, Operation};
use heapwright_logic::{IntType, Sort};

use super::emitter::Emitter;
use super::fields::untyped;
use super::state::{Entry, Reference};
use crate::classfile::{Instruction, Invocation, Kind, MethodReference};
use crate::descriptor::{Primitive, Type};
use crate::hierarchy::DeclaredMethod;
use crate::world::{
    ASKED_BY_CALLERS, CLASS, CLASS_OBJECT, Caller, Purpose, Trouble, depends_on, is_kept_in,
    kind_of, method_key, private_key, purpose,
};

/// The function that says whether assertions are on, which nobody knows.
const ASSERTIONS: &str = "java.lang.Class#desiredAssertionStatus()Z";

impl Emitter<'_> {
    pub(super) fn invoke(
        &mut self,
        invocation: Invocation,
        reference: &MethodReference,
        next: Option<&Instruction>,
    ) -> Result<(), Trouble> {
        if self.reflective_field(reference, next) || self.lookup(reference)? {
            return Ok(());
        }
        if let Some(purpose) = self.purpose(reference) {
            return self.serve(purpose, reference);
        }
        let mut args = Vec::new();
        for ty in reference.descriptor.parameters.iter().rev() {
            let entry = self.pop(kind_of(ty))?;
            let sort = self.world.sort(ty);
            args.push(self.sorted(&entry, sort));
        }
        let receiver = match invocation {
            Invocation::Static => None,
            _ => Some(self.pop(Kind::Reference)?),
        };
        if self.primitive_class(reference, &args)?
            || self.field_offset(reference, &args)
            || self.make_var_handle(reference, &args)?
            || self.use_var_handle(reference, receiver.as_ref(), &args)?
        {
            return Ok(());
        }
        let resolved =
            (self.world).with_hierarchy(|hierarchy| hierarchy.resolve_method(reference))?;
        if resolved.method.descriptor != reference.descriptor {
            return Err(Trouble::Unsupported(format!("calls of {resolved}")));
        }
        if resolved.method.access.is_static() != (invocation == Invocation::Static) {
            return Err(Trouble::Malformed(
                "a static method is called on an object, or the reverse",
            ));
        }
        if let Some(part) = self.depends_on(&resolved) {
            self.tell(part.decides(), Vec::new());
        }
        let callee = match (invocation, &receiver) {
            (Invocation::Virtual | Invocation::Interface, Some(receiver)) => {
                self.virtual_callee(reference, &resolved, receiver)?
            }
            (Invocation::Special, Some(receiver)) => self.special_callee(reference, receiver)?,
            _ => Callee::Static(self.world.function(&resolved)),
        };
        if let Some(receiver) = receiver {
            let operand = match &callee {
                Callee::Virtual(_) => {
                    let class = self.world.complete(&reference.class)?;
                    self.narrow(receiver.operand, class)
                }
                _ => receiver.operand,
            };
            args.push(operand);
            if let Some(part) = is_kept_in(&resolved.class.name, &resolved.method.name) {
                self.tell(part.keeps(), vec![operand]);
            }
        }
        args.reverse();
        self.call(callee, args, reference.descriptor.result.as_ref());
        Ok(())
    }

    /// What a method is called for, where that depends on this code.
    fn purpose(&self, reference: &MethodReference) -> Option<Purpose> {
        let Type::Class(class) = &reference.class else {
            return None;
        };
        if !ASKED_BY_CALLERS.contains(&&**class) {
            return None;
        }
        purpose(self.caller(), class, &reference.name)
    }

    /// Says something about the environment, by an intrinsic function.
    fn tell(&mut self, function: String, args: Vec<Operand>) {
        self.emit(Operation::Call {
            to: None,
            callee: Callee::Intrinsic(function),
            args,
        });
    }

    /// This code, as what calls a method.
    fn caller(&self) -> Caller<'_> {
        Caller {
            class: &self.declared.class.name,
            is_user: self.world.is_user_class(&self.declared.class.name),
            is_initialiser: &*self.declared.method.name == "<clinit>",
        }
    }

    /// The part of the environment that the result of a method depends on.
    fn depends_on(&self, called: &DeclaredMethod) -> Option<Environment> {
        let class = &*called.class.name;
        match class.starts_with("java.lang.") {
            true => depends_on(self.caller(), class, &called.method.name),
            false => None,
        }
    }

    fn serve(&mut self, purpose: Purpose, reference: &MethodReference) -> Result<(), Trouble> {
        match purpose {
            Purpose::Begin(part) => self.begin_by(part),
            Purpose::Assertions => {
                self.pop(Kind::Reference)?;
                let callee = Callee::Intrinsic(ASSERTIONS.to_owned());
                self.call(callee, Vec::new(), reference.descriptor.result.as_ref());
            }
            Purpose::OwnLoader => {
                self.pop(Kind::Reference)?;
                let null = Operand::Constant(Constant::Null);
                self.push(null, Kind::Reference, Reference::Null);
            }
        }
        Ok(())
    }

    /// Pushes a number that a generator begins with. An order is made from a fixed one, and asked
    /// for where it is used.
    fn begin_by(&mut self, part: Environment) {
        let to = self.temporary(Sort::Machine(IntType::I64));
        match part {
            Environment::Order => self.emit(Operation::Move {
                to,
                from: Operand::Constant(Constant::Int(IntType::I64, 0)),
            }),
            _ => self.emit(Operation::Call {
                to: Some(to),
                callee: Callee::Intrinsic(part.question()),
                args: Vec::new(),
            }),
        }
        let ty = Type::Primitive(Primitive::Long);
        self.push_sorted(to, Sort::Machine(IntType::I64), Reference::Of(ty));
    }

    /// Emits a call and pushes its result.
    pub(super) fn call(&mut self, callee: Callee, args: Vec<Operand>, result: Option<&Type>) {
        let sort = result.map(|ty| self.world.sort(ty));
        let to = sort.map(|sort| self.temporary(untyped(sort)));
        self.emit(Operation::Call { to, callee, args });
        if let (Some(to), Some(sort), Some(ty)) = (to, sort, result) {
            self.push_sorted(to, sort, Reference::Of(ty.clone()));
        }
    }

    /// A fault unless a reference is an object: a call of something that every object has.
    pub(super) fn require_object(&mut self, entry: &Entry) {
        if !entry.not_null {
            self.emit(Operation::Call {
                to: None,
                callee: Callee::Virtual(CLASS_OBJECT.to_owned()),
                args: vec![entry.operand],
            });
        }
    }

    fn virtual_callee(
        &mut self,
        reference: &MethodReference,
        resolved: &DeclaredMethod,
        receiver: &Entry,
    ) -> Result<Callee, Trouble> {
        let access = resolved.method.access;
        // Arrays have a `clone` of their own, whatever Object's is.
        let is_array = matches!(reference.class, Type::Array(_));
        let is_fixed = access.is_private()
            || !is_array && (access.is_final() || resolved.class.access.is_final());
        Ok(match (is_fixed && receiver.not_null, access.is_private()) {
            (true, _) => Callee::Static(self.world.function(resolved)),
            (false, true) => self.private_callee(resolved)?,
            (false, false) => Callee::Virtual(method_key(&resolved.method)),
        })
    }

    fn special_callee(
        &mut self,
        reference: &MethodReference,
        receiver: &Entry,
    ) -> Result<Callee, Trouble> {
        let own = self.declared.class.clone();
        let selected =
            (self.world).with_hierarchy(|hierarchy| hierarchy.select_special(&own, reference))?;
        // Constructors are called on what `new` just made, or on the receiver.
        let is_private = selected.method.access.is_private() && !selected.method.is_constructor();
        match is_private && !receiver.not_null {
            true => self.private_callee(&selected),
            false => Ok(Callee::Static(self.world.function(&selected))),
        }
    }

    fn private_callee(&mut self, method: &DeclaredMethod) -> Result<Callee, Trouble> {
        self.world.complete(&method.class.ty())?;
        Ok(Callee::Virtual(private_key(&method.class, &method.method)))
    }

    /// `Class.getPrimitiveClass("int")`, with which `Integer.TYPE` and its like begin.
    fn primitive_class(
        &mut self,
        reference: &MethodReference,
        args: &[Operand],
    ) -> Result<bool, Trouble> {
        if reference.class != Type::class(CLASS) || &*reference.name != "getPrimitiveClass" {
            return Ok(false);
        }
        let [Operand::Global(global)] = args else {
            return Ok(false);
        };
        let text = self.world.literal_text(*global).map(ToString::to_string);
        let ty = text.and_then(|text| text.parse::<Type>().ok());
        // `void` is no type of values; its class object is one of a class of that name.
        let Some(ty) = ty else {
            return Ok(false);
        };
        self.class_constant(&ty)?;
        Ok(true)
    }
}
