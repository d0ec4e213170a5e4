//! Tests that are plain sequences of calls: nothing in them looks into an object, but that a private
//! predicate is called by reflection.
//!
//! The receiver is made by a constructor and by calls of its methods; what the call under test
//! returned or threw is asserted, and what observers say afterwards.

use std::sync::Arc;

use heapwright_logic::{Heap, Loc, Value};

use super::call::{Call, Throws};
use super::case::{
    AssertedLocation, CallSequence, Defect, Ending, Framework, Given, SequenceCall, Vagueness,
};
use super::compilation_unit::is_deprecated;
use super::error::EmitError;
use super::literal::{box_name, literal, string};
use super::names::word_for;
use super::test_method::{After, Writer, quoted};
use super::things::Thing;
use super::type_parameters::{Bound, type_parameters};
use super::values::Read;
use crate::classfile::{Class, Method};
use crate::descriptor::{Primitive, Type};
use crate::target::TargetMethod;

impl Writer<'_, '_> {
    /// Writes the calls before the one under test; gives the variable of the receiver.
    pub fn set_up_by_calls(
        &mut self,
        sequence: &CallSequence,
    ) -> Result<(String, Throws), EmitError> {
        let class = self.case.method.class.clone();
        let name = self.names.plain(&word_for(class.simple_name()));
        let parameters = self.type_arguments(&class, sequence);
        let made = self.made(&class, &sequence.constructor, parameters.is_some())?;
        let mut ty = match &parameters {
            // The name is not a raw type if its arguments follow.
            Some(_) => self.unwarned(&class)?,
            None => self.unit.class_name(&class.name)?,
        }
        .ok_or_else(|| hidden(&self.case.method))?;
        if let Some(parameters) = parameters {
            ty.push_str(&format!("<{}>", parameters.join(", ")));
        }
        self.line(format!("{ty} {name} = {};", made.text));
        let mut throws = made.throws;
        for call in &sequence.calls {
            let call = self.sequence_call(&name, &call.method, &call.arguments)?;
            self.line(format!("{};", call.text));
            throws = throws.max(call.throws);
        }
        Ok((name, throws))
    }

    /// Makes the variable of the receiver that of its object; gives the object.
    pub fn know_receiver(&mut self, name: String, before: &Heap) -> Result<Vec<Loc>, EmitError> {
        let case = self.case;
        let world = self.unit.world;
        (self.things).explore(world, before, &case.globals, &case.arguments)?;
        let Some(&Value::Ref(receiver)) = case.arguments.first() else {
            return Err(EmitError::WrongValue("the receiver".to_owned()));
        };
        self.variables.insert(receiver, name);
        Ok(vec![receiver])
    }

    /// The call under test with its assertions.
    pub fn check_by_calls(
        &mut self,
        sequence: &CallSequence,
        receiver: &str,
        after: &After<'_>,
    ) -> Result<Throws, EmitError> {
        let case = self.case;
        let call = self.sequence_call(receiver, &case.method, &sequence.arguments)?;
        if let (Ending::Threw { .. }, Some(Defect::Exception)) = (&case.ending, &case.defect) {
            self.line(format!("{};", call.text));
            return Ok(call.throws);
        }
        if let (Some(Defect::Invariant), Some(broken)) = (&case.defect, &sequence.broken) {
            let throws = self.call_whatever_it_throws(&call)?;
            let call = self.observer_call(receiver, broken)?;
            let assertion = self.unit.assertion("assertTrue");
            let name = &broken.declared.method.name;
            let reason = quoted(&format!("{name}() is false after the call"));
            self.line(match self.unit.framework {
                Framework::JUnit5 => format!("{assertion}({}, {reason});", call.text),
                Framework::JUnit4 => format!("{assertion}({reason}, {});", call.text),
            });
            return Ok(throws.max(call.throws));
        }
        if let Some(Defect::Result(demanded)) = &case.defect {
            self.check_returned(&call, Some(*demanded), receiver, after)?;
            return Ok(call.throws);
        }
        let start = self.lines.len();
        let mut throws = match &case.ending {
            Ending::Returned { result, .. } => {
                self.check_returned(&call, *result, receiver, after)?;
                call.throws
            }
            Ending::Threw { class, .. } => {
                let ty = self.unit.world.type_of(*class).cloned();
                let ty = ty.ok_or(EmitError::UnknownClass(*class))?;
                self.check_exception(&call, &ty)?;
                Throws::Nothing
            }
            Ending::OutOfBudget if case.defect == Some(Defect::Endless) => {
                return self.call_within_time(&call);
            }
            Ending::OutOfBudget => return Err(EmitError::OutOfBudget(case.name.clone())),
        };
        for (observer, value) in &sequence.observers {
            let call = self.observer_call(receiver, observer)?;
            let ty = observer.declared.method.descriptor.result.clone();
            let ty = ty.ok_or_else(|| EmitError::WrongValue(call.text.clone()))?;
            let read = Read {
                text: call.text,
                direct: true,
                ty,
                hint: None,
                vagueness: None,
            };
            let lines = self.check(&read, *value, &mut Default::default())?;
            self.lines.extend(lines);
            throws = throws.max(call.throws);
        }
        if let Some(Defect::Postcondition(reason) | Defect::Fields { reason, .. }) = &case.defect {
            self.fail_while(start, reason, Vec::new());
        }
        Ok(throws)
    }

    fn check_returned(
        &mut self,
        call: &Call,
        result: Option<Value>,
        receiver: &str,
        after: &After<'_>,
    ) -> Result<(), EmitError> {
        let case = self.case;
        let vagueness = case.vague.get(&AssertedLocation::Result).copied();
        let (Some(value), Some(ty)) = (result, call.ty.clone()) else {
            self.line(format!("{};", call.text));
            return Ok(());
        };
        if vagueness == Some(Vagueness::Varies) {
            self.line(format!("{};", call.text));
            return Ok(());
        }
        if let Value::Ref(loc) = value {
            let is_receiver = case.arguments.first() == Some(&value);
            let known = (self.things).explore(
                self.unit.world,
                after.heap,
                &case.globals,
                std::slice::from_ref(&value),
            );
            let is_plain = known.is_ok() && !self.is_composite(loc)?;
            let is_lambda = matches!(self.things.get(loc), Ok(Thing::Lambda(_)));
            if is_receiver || !is_plain || is_lambda {
                let line = match is_receiver {
                    true => format!(
                        "{}({receiver}, {});",
                        self.unit.assertion("assertSame"),
                        call.text
                    ),
                    false => format!("{}({});", self.unit.assertion("assertNotNull"), call.text),
                };
                self.line(line);
                return Ok(());
            }
        }
        let mut read = Read {
            text: call.text.clone(),
            direct: true,
            ty,
            hint: None,
            vagueness,
        };
        // What a generic method returns may select another assertion.
        if read.ty.is_reference() && value != Value::Null {
            let name = self.names.plain("result");
            self.line(format!("Object {name} = {};", read.text));
            read.text = name;
            read.direct = false;
        }
        let lines = self.check(&read, value, &mut Default::default())?;
        self.lines.extend(lines);
        Ok(())
    }

    /// A call of a constructor.
    fn made(
        &mut self,
        class: &Arc<Class>,
        call: &SequenceCall,
        has_parameters: bool,
    ) -> Result<Call, EmitError> {
        let method = &call.method.declared.method;
        let visible = self.unit.sees(method.access, class) && !method.access.is_synthetic();
        let can_be_made = !class.access.is_abstract() && self.unit.is_nameable(&class.ty())?;
        if !visible || !can_be_made {
            return Err(hidden(&call.method));
        }
        let name = self.unwarned(class)?.ok_or_else(|| hidden(&call.method))?;
        let arguments = self.given_arguments(&call.method, &call.arguments)?;
        self.unit.deprecated |= is_deprecated(&method.annotations);
        let diamond = if has_parameters { "<>" } else { "" };
        Ok(Call {
            text: format!("new {name}{diamond}({})", arguments.join(", ")),
            ty: Some(class.ty()),
            throws: self.throws(method)?,
            is_generic: false,
        })
    }

    /// A call of a method of the receiver.
    fn sequence_call(
        &mut self,
        receiver: &str,
        target: &TargetMethod,
        given: &[Given],
    ) -> Result<Call, EmitError> {
        let method = &target.declared.method;
        let visible = self.unit.sees(method.access, &target.declared.class);
        if !visible || method.access.is_synthetic() || method.access.is_static() {
            return Err(hidden(target));
        }
        let arguments = self.given_arguments(target, given)?;
        self.unit.deprecated |= is_deprecated(&method.annotations);
        Ok(Call {
            text: format!("{receiver}.{}({})", method.name, arguments.join(", ")),
            ty: method.descriptor.result.clone(),
            throws: self.throws(method)?,
            is_generic: method.signature.is_some(),
        })
    }

    /// A call of an observer. Only a predicate may be one that the test class does not see.
    fn observer_call(
        &mut self,
        receiver: &str,
        observer: &TargetMethod,
    ) -> Result<Call, EmitError> {
        let declared = &observer.declared;
        let is_predicate = declared.method.descriptor.result
            == Some(Type::Primitive(Primitive::Boolean))
            && declared.method.descriptor.parameters.is_empty();
        match !self.unit.sees(declared.method.access, &declared.class) && is_predicate {
            true => self.hidden_predicate(receiver, declared),
            false => self.sequence_call(receiver, observer, &[]),
        }
    }

    fn throws(&self, method: &Method) -> Result<Throws, EmitError> {
        Ok(match self.has_checked_exceptions(method)? {
            true => Throws::Exception,
            false => Throws::Nothing,
        })
    }

    /// The arguments as they are written, so that they select the method.
    fn given_arguments(
        &mut self,
        target: &TargetMethod,
        given: &[Given],
    ) -> Result<Vec<String>, EmitError> {
        let method = &target.declared.method;
        let types = &method.descriptor.parameters;
        if given.len() != types.len() {
            let (expected, given) = (types.len(), given.len());
            return Err(EmitError::WrongCount { expected, given });
        }
        let overloaded = self.is_overloaded(&target.class, method)?;
        let last = types.len().saturating_sub(1);
        let mut texts = Vec::new();
        for (index, (given, ty)) in given.iter().zip(types).enumerate() {
            let is_rest = method.access.is_varargs_method() && index == last;
            let text = self.given(given, ty)?;
            let ambiguous = ty.is_reference() && (overloaded || is_rest);
            let text = match ambiguous && !given.has_type(ty) {
                true => {
                    let name = self.unit.type_name(ty)?.ok_or_else(|| hidden(target))?;
                    format!("({name}) {text}")
                }
                false => text,
            };
            texts.push(text);
        }
        Ok(texts)
    }

    pub(super) fn given(&mut self, given: &Given, ty: &Type) -> Result<String, EmitError> {
        let wrong = || EmitError::WrongValue(ty.to_string());
        match given {
            Given::Value(value) => literal(ty, *value).ok_or_else(wrong),
            Given::Boxed(primitive, value) => {
                let text = literal(&Type::Primitive(*primitive), *value).ok_or_else(wrong)?;
                // The compiler boxes what needs no conversion before.
                Ok(match primitive {
                    Primitive::Byte | Primitive::Short => {
                        format!("{}.valueOf({text})", box_name(*primitive))
                    }
                    _ => text,
                })
            }
            Given::Text(text) => Ok(string(&text.encode_utf16().collect::<Vec<u16>>())),
            Given::Constant { class, field } => {
                let name = self.unit.class_name(class)?;
                let name = name.ok_or_else(|| EmitError::WrongValue(class.to_string()))?;
                Ok(format!("{name}.{field}"))
            }
            Given::New(class) => {
                let class = self.unit.load(class)?;
                let name = self.unwarned(&class)?;
                let name = name.ok_or_else(|| EmitError::WrongValue(class.name.to_string()))?;
                let diamond = if is_generic(&class) { "<>" } else { "" };
                Ok(format!("new {name}{diamond}()"))
            }
        }
    }

    /// The name of a class that type arguments will follow.
    fn unwarned(&mut self, class: &Class) -> Result<Option<String>, EmitError> {
        let raw = self.unit.raw;
        let name = self.unit.class_name(&class.name)?;
        if is_generic(class) {
            self.unit.raw = raw;
        }
        Ok(name)
    }

    /// What is written for the type parameters of the class: `Object`, or `Integer` where values
    /// have to be comparable and all are integers; nothing for a class without parameters, and
    /// where nothing is known to fit.
    fn type_arguments(&self, class: &Class, sequence: &CallSequence) -> Option<Vec<&'static str>> {
        let bounds = type_parameters(class.signature.as_deref()?)?;
        let calls = sequence.calls.iter().chain([&sequence.constructor]);
        let calls = calls.map(|call| (&call.method, &call.arguments));
        let all = calls.chain([(&self.case.method, &sequence.arguments)]);
        let comparable = all.flat_map(|(method, arguments)| {
            let types = &method.declared.method.descriptor.parameters;
            let given = arguments.iter().zip(types);
            given.filter(|(_, ty)| **ty == Type::class("java.lang.Comparable"))
        });
        let mut comparable = comparable.map(|(given, _)| given);
        let only_integers = comparable
            .all(|given| matches!(given, Given::Value(_) | Given::Boxed(Primitive::Int, _)));
        let arguments = bounds.iter().map(|bound| match bound {
            Bound::Object => Some("Object"),
            Bound::Comparable => only_integers.then_some("Integer"),
            Bound::Other => None,
        });
        arguments.collect()
    }
}

impl Given {
    /// Whether an expression for it has just this type.
    pub(super) fn has_type(&self, ty: &Type) -> bool {
        match self {
            Given::Value(Value::Null) => false,
            Given::Value(_) => true,
            // What is boxed has another type before.
            Given::Boxed(..) => false,
            Given::Text(_) => *ty == Type::class("java.lang.String"),
            Given::Constant { class, .. } | Given::New(class) => *ty == Type::Class(class.clone()),
        }
    }
}

pub(super) fn is_generic(class: &Class) -> bool {
    (class.signature.as_deref()).is_some_and(|signature| signature.starts_with('<'))
}

pub(super) fn hidden(target: &TargetMethod) -> EmitError {
    EmitError::CannotCall {
        method: target.to_string(),
        reason: "the test class does not see it",
    }
}
