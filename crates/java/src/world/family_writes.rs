//! What the code of a class and of the classes nested with it writes, and what it hands out.
//!
//! Nobody else can get at a private field. So an array behind a private static field is a *table*,
//! as the initialiser of the class has left it, unless code of the family writes to it, returns it,
//! stores it somewhere, or gives it to a method that might. A private field of objects keeps its
//! first value unless code other than that of a constructor, on the object that it makes, assigns
//! it. That is found out by a walk over the instructions with a stack that says where its values
//! come from; whatever the walk cannot follow counts as written.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::World;
use crate::classfile::{
    Class, Code, Constant, Element, Instruction, Kind, Method, MethodReference, StackOperation,
};
use crate::descriptor::{MethodDescriptor, Name, Type};

/// What the code of a family of classes does. Fields have their names only: two of the same name
/// are taken for one.
#[derive(Debug, Clone, Default)]
pub(super) struct FamilyWrites {
    /// Static fields whose arrays are written to or handed out.
    pub(super) exposed: FxHashSet<Name>,
    /// Fields of objects that are assigned after these were made.
    pub(super) assigned: FxHashSet<Name>,
}

/// Where a value on the stack comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Origin {
    Other,
    /// The object that a constructor makes.
    This,
    /// The array behind a static field, or one inside of it; with the number of dimensions.
    Array(Name, usize),
}

impl World {
    /// What the family of a class writes.
    pub(super) fn family_writes(&self, class: &Arc<Class>) -> Arc<FamilyWrites> {
        let outermost = self.with_hierarchy(|hierarchy| hierarchy.outermost(class));
        let outermost = outermost.unwrap_or_else(|_| class.clone());
        if let Some(known) = self.known_writes.borrow().get(&outermost.name) {
            return known.clone();
        }
        let mut writes = FamilyWrites::default();
        let family = self.nested_classes(&outermost);
        for class in &family {
            for method in &class.methods {
                if let Some(code) = &method.code {
                    look_through(class, method, code, &mut writes);
                }
            }
        }
        let writes = Arc::new(writes);
        let mut known = self.known_writes.borrow_mut();
        known.insert(outermost.name.clone(), writes.clone());
        writes
    }
}

fn look_through(class: &Class, method: &Method, code: &Code, writes: &mut FamilyWrites) {
    let mut follows = false;
    for (_, instruction) in &code.instructions {
        match instruction {
            Instruction::GetStatic(field) => follows |= matches!(field.ty, Type::Array(_)),
            Instruction::PutField(_) if method.is_constructor() => follows = true,
            Instruction::PutField(field) => {
                writes.assigned.insert(field.name.clone());
            }
            _ => {}
        }
    }
    if !follows {
        return;
    }
    let mut walk = Walk {
        class,
        is_initialiser: &*method.name == "<clinit>",
        locals: FxHashMap::default(),
        writes,
    };
    let keeps_this = !code.instructions.iter().any(
        |(_, instruction)| matches!(instruction, Instruction::Store(_, local) if local.0 == 0),
    );
    if method.is_constructor() && keeps_this {
        walk.locals.insert(0, Origin::This);
    }
    if walk.method(code).is_none() {
        // Nothing is known about it.
        for (_, instruction) in &code.instructions {
            match instruction {
                Instruction::GetStatic(field) => {
                    writes.exposed.insert(field.name.clone());
                }
                Instruction::PutField(field) => {
                    writes.assigned.insert(field.name.clone());
                }
                _ => {}
            }
        }
    }
}

/// A walk through a method.
struct Walk<'w> {
    class: &'w Class,
    is_initialiser: bool,
    /// What local variables may hold, anywhere in the method.
    locals: FxHashMap<u16, Origin>,
    writes: &'w mut FamilyWrites,
}

impl Walk<'_> {
    /// Goes through a method until nothing new is found about its local variables; `None` if that
    /// is not possible.
    fn method(&mut self, code: &Code) -> Option<()> {
        loop {
            let before = self.locals.len();
            self.round(code)?;
            if self.locals.len() == before {
                return Some(());
            }
        }
    }

    fn round(&mut self, code: &Code) -> Option<()> {
        let at = |pc| (code.instructions).binary_search_by_key(&pc, |(known, _)| *known);
        let mut stacks: Vec<Option<Vec<Origin>>> = vec![None; code.instructions.len()];
        let mut waiting = vec![(0, Vec::new())];
        for handler in &code.handlers {
            waiting.push((at(handler.target).ok()?, vec![Origin::Other]));
        }
        while let Some((index, stack)) = waiting.pop() {
            let known = stacks.get_mut(index)?;
            let stack = match known {
                None => stack,
                Some(known) if *known == stack => continue,
                Some(known) => {
                    let joined = join(known, &stack, self.writes)?;
                    if joined == *known {
                        continue;
                    }
                    joined
                }
            };
            *known = Some(stack.clone());
            let (_, instruction) = code.instructions.get(index)?;
            let mut stack = stack;
            self.step(instruction, &mut stack)?;
            for target in instruction.targets() {
                waiting.push((at(target).ok()?, stack.clone()));
            }
            if instruction.falls_through() {
                waiting.push((index + 1, stack));
            }
        }
        Some(())
    }

    fn step(&mut self, instruction: &Instruction, stack: &mut Vec<Origin>) -> Option<()> {
        match instruction {
            Instruction::Nop | Instruction::Goto(_) | Instruction::Increment(..) => {}
            Instruction::Constant(constant) => {
                let slots = match constant {
                    Constant::Long(_) | Constant::Double(_) => 2,
                    Constant::Dynamic(constant) => constant.ty.slots() as usize,
                    _ => 1,
                };
                push(stack, slots);
            }
            Instruction::Load(kind, local) => match (kind, self.locals.get(&local.0)) {
                (Kind::Reference, Some(origin)) => stack.push(origin.clone()),
                _ => push(stack, width(*kind)),
            },
            Instruction::Store(kind, local) => {
                let origin = stack.pop()?;
                pop(stack, width(*kind) - 1)?;
                match (&origin, self.locals.get(&local.0)) {
                    (Origin::Other, _) => {}
                    (_, None) => {
                        self.locals.insert(local.0, origin);
                    }
                    (_, Some(known)) if *known == origin => {}
                    (_, Some(known)) => {
                        let known = known.clone();
                        self.expose(&known);
                        self.expose(&origin);
                    }
                }
            }
            Instruction::ArrayLoad(element) => {
                stack.pop()?;
                let inner = match (stack.pop()?, element) {
                    (Origin::Array(field, dimensions), Element::Reference) if dimensions > 1 => {
                        Origin::Array(field, dimensions - 1)
                    }
                    _ => Origin::Other,
                };
                stack.push(inner);
                if matches!(element, Element::Long | Element::Double) {
                    stack.push(Origin::Other);
                }
            }
            Instruction::ArrayStore(element) => {
                let value = stack.pop()?;
                self.expose(&value);
                if matches!(element, Element::Long | Element::Double) {
                    stack.pop()?;
                }
                stack.pop()?;
                let array = stack.pop()?;
                self.expose(&array);
            }
            Instruction::Stack(operation) => rearrange(*operation, stack)?,
            Instruction::Binary(operation, kind) => {
                use crate::classfile::Binary::{ShiftLeft, ShiftRight, ShiftRightUnsigned};
                let second = match operation {
                    ShiftLeft | ShiftRight | ShiftRightUnsigned => 1,
                    _ => width(*kind),
                };
                pop(stack, second + width(*kind))?;
                push(stack, width(*kind));
            }
            Instruction::Negate(_) => {}
            Instruction::Convert(conversion) => {
                pop(stack, width(conversion.from))?;
                push(stack, Type::Primitive(conversion.to).slots() as usize);
            }
            Instruction::CompareLongs => {
                pop(stack, 4)?;
                push(stack, 1);
            }
            Instruction::CompareFloating(kind, _) => {
                pop(stack, 2 * width(*kind))?;
                push(stack, 1);
            }
            Instruction::If(condition, _) => {
                use crate::classfile::Condition::{Ints, Null, SameReference, Zero};
                pop(
                    stack,
                    match condition {
                        Zero(_) | Null(_) => 1,
                        Ints(_) | SameReference(_) => 2,
                    },
                )?;
            }
            Instruction::Switch(_) => pop(stack, 1)?,
            Instruction::Return(kind) => {
                if let Some(kind) = kind {
                    let value = stack.pop()?;
                    pop(stack, width(*kind) - 1)?;
                    self.expose(&value);
                }
            }
            Instruction::GetStatic(field) => {
                let dimensions = dimensions(&field.ty);
                let is_own = self.is_initialiser && field.class == self.class.name;
                match dimensions > 0 && !is_own {
                    true => stack.push(Origin::Array(field.name.clone(), dimensions)),
                    false => push(stack, field.ty.slots() as usize),
                }
            }
            Instruction::PutStatic(field) => self.pop_value(&field.ty, stack)?,
            Instruction::GetField(field) => {
                pop(stack, 1)?;
                push(stack, field.ty.slots() as usize);
            }
            Instruction::PutField(field) => {
                self.pop_value(&field.ty, stack)?;
                if stack.pop()? != Origin::This || field.class != self.class.name {
                    self.writes.assigned.insert(field.name.clone());
                }
            }
            Instruction::Invoke(invocation, method) => {
                let has_receiver = *invocation != crate::classfile::Invocation::Static;
                self.call(&method.descriptor, has_receiver, Some(method), stack)?;
            }
            Instruction::InvokeDynamic(call) => self.call(&call.descriptor, false, None, stack)?,
            Instruction::New(_) => push(stack, 1),
            Instruction::NewArray(_) | Instruction::ArrayLength | Instruction::InstanceOf(_) => {
                pop(stack, 1)?;
                push(stack, 1);
            }
            Instruction::MultiNewArray(_, count) => {
                pop(stack, *count as usize)?;
                push(stack, 1);
            }
            Instruction::CheckCast(_) => {}
            Instruction::Throw | Instruction::MonitorEnter | Instruction::MonitorExit => {
                pop(stack, 1)?;
            }
            Instruction::JumpSubroutine(_) | Instruction::ReturnFromSubroutine(_) => return None,
        }
        Some(())
    }

    fn pop_value(&mut self, ty: &Type, stack: &mut Vec<Origin>) -> Option<()> {
        let value = stack.pop()?;
        pop(stack, ty.slots() as usize - 1)?;
        self.expose(&value);
        Some(())
    }

    fn call(
        &mut self,
        descriptor: &MethodDescriptor,
        has_receiver: bool,
        method: Option<&MethodReference>,
        stack: &mut Vec<Origin>,
    ) -> Option<()> {
        let slots = descriptor.parameter_slots() + usize::from(has_receiver);
        let given = stack.split_off(stack.len().checked_sub(slots)?);
        for (position, origin) in given.iter().enumerate() {
            if let Origin::Array(_, dimensions) = origin
                && !method.is_some_and(|method| only_reads(method, position, *dimensions))
            {
                self.expose(origin);
            }
        }
        let result = descriptor.result.as_ref();
        push(stack, result.map_or(0, |ty| ty.slots() as usize));
        Some(())
    }

    fn expose(&mut self, origin: &Origin) {
        if let Origin::Array(field, _) = origin {
            self.writes.exposed.insert(field.clone());
        }
    }
}

/// Whether a method of the JDK does nothing with an array but read it.
fn only_reads(method: &MethodReference, position: usize, dimensions: usize) -> bool {
    const READERS: [&str; 6] = [
        "binarySearch",
        "copyOf",
        "copyOfRange",
        "equals",
        "hashCode",
        "toString",
    ];
    // A copy of an array of arrays has the same arrays in it.
    if dimensions > 1 {
        return false;
    }
    match &method.class {
        Type::Array(_) => &*method.name == "clone",
        Type::Class(class) => match &**class {
            "java.util.Arrays" => READERS.contains(&&*method.name),
            "java.lang.System" => &*method.name == "arraycopy" && position == 0,
            _ => false,
        },
        Type::Primitive(_) => false,
    }
}

fn dimensions(ty: &Type) -> usize {
    match ty {
        Type::Array(element) => 1 + dimensions(element),
        _ => 0,
    }
}

/// What two ways lead to; `None` if their stacks are not equally high.
fn join(a: &[Origin], b: &[Origin], writes: &mut FamilyWrites) -> Option<Vec<Origin>> {
    if a.len() != b.len() {
        return None;
    }
    let mut joined = Vec::with_capacity(a.len());
    for (a, b) in a.iter().zip(b) {
        if a == b {
            joined.push(a.clone());
            continue;
        }
        for origin in [a, b] {
            if let Origin::Array(field, _) = origin {
                writes.exposed.insert(field.clone());
            }
        }
        joined.push(Origin::Other);
    }
    Some(joined)
}

fn width(kind: Kind) -> usize {
    match kind {
        Kind::Long | Kind::Double => 2,
        Kind::Int | Kind::Float | Kind::Reference => 1,
    }
}

fn push(stack: &mut Vec<Origin>, slots: usize) {
    stack.resize(stack.len() + slots, Origin::Other);
}

fn pop(stack: &mut Vec<Origin>, slots: usize) -> Option<()> {
    stack.truncate(stack.len().checked_sub(slots)?);
    Some(())
}

fn rearrange(operation: StackOperation, stack: &mut Vec<Origin>) -> Option<()> {
    // How many slots are copied, and below how many others the copy goes.
    let (copied, below) = match operation {
        StackOperation::Pop => return pop(stack, 1),
        StackOperation::Pop2 => return pop(stack, 2),
        StackOperation::Swap => {
            let (a, b) = (stack.pop()?, stack.pop()?);
            stack.extend([a, b]);
            return Some(());
        }
        StackOperation::Dup => (1, 0),
        StackOperation::DupX1 => (1, 1),
        StackOperation::DupX2 => (1, 2),
        StackOperation::Dup2 => (2, 0),
        StackOperation::Dup2X1 => (2, 1),
        StackOperation::Dup2X2 => (2, 2),
    };
    let top = stack.len().checked_sub(copied)?;
    let place = top.checked_sub(below)?;
    let copy = stack.get(top..)?.to_vec();
    stack.splice(place..place, copy);
    Some(())
}
