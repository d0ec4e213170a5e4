//! Questions to class objects: of which enum, superclass and modifiers they are.
//!
//! A class object does not know its class, so a function that asks one compares it with all that
//! exist, one after the other. Where there is a new class object, these functions are made anew.

use heapwright_ir::{
    BlockId, Callee, Comparison, Constant, Function, FunctionId, GlobalId, Operand, Operation,
    Terminator,
};
use heapwright_logic::{ClassId, IntType, Sort};

use super::builder::Builder;
use super::methods::CLASS_OBJECT;
use super::native_bodies::{call, compare, default};
use super::{OBJECT, World};
use crate::classfile::JavaString;
use crate::descriptor::Type;
use crate::hierarchy::DeclaredMethod;

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// The constants of an enum, or null.
    EnumConstants,
    /// The superclass, or null.
    Superclass,
    /// Whether it is an interface.
    IsInterface,
    /// The modifiers.
    Modifiers,
    /// Whether the second parameter is of the class.
    IsInstance,
    /// A new array with elements of the class, as long as the second parameter says.
    NewArray,
    /// The name in the source, without package and enclosing classes.
    SimpleName,
    /// The name in the source; null for local and anonymous classes.
    CanonicalName,
    /// Whether assertions are on: in classes of the user, as build tools run tests.
    Assertions,
}

/// What a class object answers.
enum Answer {
    Constant(Constant),
    Call(FunctionId),
    /// A class object or a string, and the function that fills it.
    Filled(GlobalId, FunctionId),
    InstanceOf(ClassId),
    NewArray(ClassId),
}

impl World {
    /// The body of a function that asks, kept up to date from now on.
    pub(super) fn question(&mut self, function: FunctionId, question: Question) -> Function {
        self.questions.push((function, question));
        self.question_body(function, question)
    }

    /// There is a new class object: functions that ask have to know it.
    pub(super) fn enter_class_object(&mut self, ty: &Type, object: GlobalId) {
        self.class_objects.push((object, ty.clone()));
        // Answers may need further class objects, but those are waited for below.
        if self.class_objects_settling {
            return;
        }
        self.class_objects_settling = true;
        loop {
            let known = self.class_objects.len();
            for (function, question) in self.questions.clone() {
                let body = self.question_body(function, question);
                self.set_function(function, body);
            }
            if self.class_objects.len() == known {
                break;
            }
        }
        self.class_objects_settling = false;
    }

    fn question_body(&mut self, function: FunctionId, question: Question) -> Function {
        let stub = self.program.function(function);
        let params: Vec<_> = (stub.registers.iter().take(stub.params as usize))
            .map(|register| register.sort)
            .collect();
        let (name, result) = (stub.name.clone(), stub.result);
        let mut builder = Builder::new(name, &params, result);
        // The list may grow meanwhile.
        let mut index = 0;
        while let Some((object, ty)) = self.class_objects.get(index).cloned() {
            index += 1;
            let Some(answer) = self.answer(&ty, question) else {
                continue;
            };
            let same = compare(&mut builder, Comparison::Eq, Operand::Global(object));
            let block = builder.next_block();
            builder.end(Terminator::Branch {
                condition: same,
                then: BlockId(block.0 + 1),
                otherwise: BlockId(block.0 + 2),
            });
            let value = match answer {
                Answer::Constant(constant) => Some(Operand::Constant(constant)),
                Answer::Call(values) => {
                    let any = Some(Sort::Ref(ClassId::ANY));
                    call(&mut builder, Callee::Static(values), Vec::new(), any)
                }
                Answer::Filled(object, filler) => {
                    call(&mut builder, Callee::Static(filler), Vec::new(), None);
                    Some(Operand::Global(object))
                }
                Answer::InstanceOf(class) => {
                    let to = builder.register(Sort::Bool);
                    let object = builder.param(1);
                    builder.emit(Operation::InstanceOf { to, object, class });
                    Some(Operand::Register(to))
                }
                Answer::NewArray(class) => {
                    let to = builder.register(Sort::Ref(class));
                    let length = builder.param(1);
                    builder.emit(Operation::NewArray { to, class, length });
                    Some(Operand::Register(to))
                }
            };
            builder.end(Terminator::Return(value));
        }
        if question == Question::NewArray {
            // There are no arrays of null, and what else there is was said above.
            let receiver = vec![builder.param(0)];
            let any = Some(Sort::Ref(ClassId::ANY));
            let class_object = Callee::Virtual(CLASS_OBJECT.to_owned());
            call(&mut builder, class_object, receiver, any);
        }
        let value = result.map(|sort| Operand::Constant(default(sort)));
        builder.end(Terminator::Return(value));
        builder.finish()
    }

    /// The answer for a class, unless it is the default one.
    fn answer(&mut self, ty: &Type, question: Question) -> Option<Answer> {
        if let (Question::IsInstance, true) = (question, ty.is_reference()) {
            return self.complete(ty).ok().map(Answer::InstanceOf);
        }
        if question == Question::NewArray {
            let array = ty.clone().array_of();
            return self.complete(&array).ok().map(Answer::NewArray);
        }
        if matches!(question, Question::SimpleName | Question::CanonicalName) {
            let name = self.source_name(ty, question == Question::SimpleName)?;
            let (text, filler) = self.literal(&JavaString::from(name.as_str())).ok()?;
            return Some(Answer::Filled(text, filler));
        }
        let name = match ty {
            Type::Class(name) => name,
            Type::Array(_) if question == Question::Superclass => {
                let (object, filler) = self.class_object(&Type::class(OBJECT)).ok()?;
                return Some(Answer::Filled(object, filler));
            }
            _ => return None,
        };
        // The class object of `void` has no class behind it.
        let class = self.path.load(name).ok()?;
        match question {
            Question::EnumConstants => {
                let values = (class.methods.iter()).find(|method| {
                    &*method.name == "values"
                        && method.access.is_static()
                        && method.descriptor.parameters.is_empty()
                });
                let method = values.filter(|_| class.access.is_enum())?.clone();
                let values = self.function(&DeclaredMethod { class, method });
                Some(Answer::Call(values))
            }
            Question::Superclass => {
                let superclass = class.superclass.clone();
                let superclass = superclass.filter(|_| !class.access.is_interface())?;
                let (object, filler) = self.class_object(&Type::Class(superclass)).ok()?;
                Some(Answer::Filled(object, filler))
            }
            Question::IsInterface => {
                let yes = Answer::Constant(Constant::Bool(true));
                class.access.is_interface().then_some(yes)
            }
            Question::Modifiers => {
                // Nested classes have those of the source.
                let inner = class.as_inner_class().map(|inner| inner.access);
                let modifiers = inner.unwrap_or(class.access).0 & !0x0020;
                let modifiers = Constant::Int(IntType::I32, modifiers.into());
                Some(Answer::Constant(modifiers))
            }
            Question::Assertions => {
                let yes = Answer::Constant(Constant::Bool(true));
                self.is_user_class(&class.name).then_some(yes)
            }
            Question::IsInstance
            | Question::NewArray
            | Question::SimpleName
            | Question::CanonicalName => None,
        }
    }

    /// The name of a type in the source.
    fn source_name(&self, ty: &Type, simple: bool) -> Option<String> {
        let (mut element, mut brackets) = (ty, String::new());
        while let Type::Array(inner) = element {
            element = inner;
            brackets.push_str("[]");
        }
        let Type::Class(name) = element else {
            return Some(format!("{element}{brackets}"));
        };
        let Ok(class) = self.path.load(name) else {
            // The class object of `void` has no class behind it.
            return Some(name.to_string());
        };
        let shown = match simple {
            true => class.simple_name().to_owned(),
            false if class.enclosing_method.is_some() => return None,
            false if class.as_inner_class().is_some() => name.replace('$', "."),
            false => name.to_string(),
        };
        Some(shown + &brackets)
    }
}
