//! Tests that are straight lists of calls: nothing in them looks into an object.
//!
//! What the last call returned or threw is asserted, and what methods say afterwards that change
//! nothing.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_logic::{Heap, Value};

use super::call::{Call, Throws};
use super::case::{
    AssertedLocation, CallScript, Defect, Ending, Framework, ScriptCall, ScriptObservation,
    ScriptOperand, ScriptStatement, Told, Vagueness,
};
use super::compilation_unit::is_deprecated;
use super::error::EmitError;
use super::literal::{box_name, literal, string};
use super::names::word_for;
use super::sequence::{hidden, is_generic};
use super::test_method::{After, Writer, quoted};
use super::things::{Thing, Things};
use super::values::Read;
use crate::classfile::Method;
use crate::descriptor::{Name, Type};
use crate::display;
use crate::target::TargetMethod;
use crate::world::{STUB_EXCEPTION, Stub, World};

/// The variables of a script.
struct Variables {
    /// The names, by statement.
    names: Vec<Option<String>>,
    /// The types that they are declared with.
    types: Vec<Type>,
}

impl Writer<'_, '_> {
    /// Writes the whole test.
    pub fn write_script(
        &mut self,
        script: &CallScript,
        after: &After<'_>,
    ) -> Result<Throws, EmitError> {
        let Some((last, before)) = script.statements.split_last() else {
            return Err(EmitError::WrongValue("a script without a call".to_owned()));
        };
        let used = used(script);
        let mut variables = Variables {
            names: Vec::new(),
            types: Vec::new(),
        };
        let mut throws = Throws::Nothing;
        for (index, statement) in before.iter().enumerate() {
            let call = self.script_call(statement, &variables)?;
            throws = throws.max(call.throws);
            let ty = self.declared_type(statement);
            let name = match (used.contains(&index), &ty) {
                (true, Some(ty)) => {
                    let name = self.names.plain(&word_of(ty));
                    let text = self.declaration(ty, &name, &call.text)?;
                    self.line(text);
                    Some(name)
                }
                _ => {
                    self.line(format!("{};", call.text));
                    None
                }
            };
            variables.names.push(name);
            variables
                .types
                .push(ty.unwrap_or_else(|| Type::class("java.lang.Object")));
        }
        if !self.lines.is_empty() {
            self.line(String::new());
        }
        let checked = self.check_script(script, last, &mut variables, &used, after)?;
        Ok(throws.max(checked))
    }

    /// The call under test, with its assertions.
    fn check_script(
        &mut self,
        script: &CallScript,
        last: &ScriptStatement,
        variables: &mut Variables,
        used: &BTreeSet<usize>,
        after: &After<'_>,
    ) -> Result<Throws, EmitError> {
        let case = self.case;
        let call = self.script_call(last, variables)?;
        let mut throws = call.throws;
        if let (Some(Defect::Invariant), Some(broken)) = (&case.defect, &script.broken) {
            throws = throws.max(self.call_whatever_it_throws(&call)?);
            let receiver = match last.operands.first() {
                Some(ScriptOperand::Variable(index)) => variables.names.get(*index).cloned(),
                _ => None,
            };
            let receiver = receiver.flatten().ok_or_else(|| hidden(broken))?;
            let declared = &broken.declared;
            let asked = match self.unit.sees(declared.method.access, &declared.class) {
                true => Call {
                    text: format!("{receiver}.{}()", declared.method.name),
                    ty: declared.method.descriptor.result.clone(),
                    throws: self.script_throws(&declared.method)?,
                    is_generic: false,
                },
                false => self.hidden_predicate(&receiver, declared)?,
            };
            let assertion = self.unit.assertion("assertTrue");
            let reason = quoted(&format!(
                "{}() is false after the call",
                declared.method.name
            ));
            self.line(match self.unit.framework {
                Framework::JUnit5 => format!("{assertion}({}, {reason});", asked.text),
                Framework::JUnit4 => format!("{assertion}({reason}, {});", asked.text),
            });
            return Ok(throws.max(asked.throws));
        }
        let start = self.lines.len();
        let demanded = match &case.defect {
            Some(Defect::Result(demanded)) => Some(*demanded),
            _ => None,
        };
        match &case.ending {
            Ending::Threw { .. } if case.defect == Some(Defect::Exception) => {
                self.line(format!("{};", call.text));
                return Ok(throws);
            }
            Ending::Threw { class, .. } => {
                let ty = self.unit.world.type_of(*class).cloned();
                let ty = ty.ok_or(EmitError::UnknownClass(*class))?;
                // What a lambda expression uses must not change.
                self.check_exception(&call, &ty)?;
                variables.names.push(None);
                throws = throws.min(Throws::Exception);
            }
            Ending::Returned { result, .. } => {
                let is_used = used.contains(&variables.names.len());
                let result = demanded.or(*result);
                let name = self.check_given_back(&call, result, last, variables, is_used, after)?;
                if demanded.is_some() {
                    return Ok(throws);
                }
                variables.names.push(name);
            }
            Ending::OutOfBudget => return Err(EmitError::OutOfBudget(case.name.clone())),
        }
        let ty = self.declared_type(last);
        variables
            .types
            .push(ty.unwrap_or_else(|| Type::class("java.lang.Object")));
        for observation in &script.observations {
            throws = throws.max(self.observe(observation, variables)?);
        }
        if let Some(Defect::Postcondition(reason) | Defect::Fields { reason, .. }) = &case.defect {
            self.fail_while(start, reason, Vec::new());
        }
        Ok(throws)
    }

    /// Asserts what the call returned. Gives the variable that holds it, if there is one.
    fn check_given_back(
        &mut self,
        call: &Call,
        result: Option<Value>,
        last: &ScriptStatement,
        variables: &Variables,
        is_used: bool,
        after: &After<'_>,
    ) -> Result<Option<String>, EmitError> {
        let case = self.case;
        if let ScriptCall::New(target) = &last.call {
            if !is_used {
                let assertion = self.unit.assertion("assertNotNull");
                self.line(format!("{assertion}({});", call.text));
                return Ok(None);
            }
            let ty = target.class.ty();
            let name = self.names.plain(&word_of(&ty));
            let text = self.declaration(&ty, &name, &call.text)?;
            self.line(text);
            return Ok(Some(name));
        }
        let vagueness = case.vague.get(&AssertedLocation::Result).copied();
        let (Some(value), Some(ty)) = (result, call.ty.clone()) else {
            self.line(format!("{};", call.text));
            return Ok(None);
        };
        if vagueness == Some(Vagueness::Varies) && !is_used {
            self.line(format!("{};", call.text));
            return Ok(None);
        }
        if let Value::Ref(loc) = value {
            // One of the operands, or a new object.
            let same = (case.arguments.iter().zip(&last.operands)).find_map(|(known, operand)| {
                match operand {
                    ScriptOperand::Variable(index) if *known == value => {
                        variables.names.get(*index).cloned().flatten()
                    }
                    _ => None,
                }
            });
            if let Some(same) = same {
                let assertion = self.unit.assertion("assertSame");
                self.line(format!("{assertion}({same}, {});", call.text));
                return Ok(None);
            }
            let roots = std::slice::from_ref(&value);
            let known = (self.things).explore(self.unit.world, after.heap, &case.globals, roots);
            let is_plain = known.is_ok() && !self.is_composite(loc)?;
            let is_lambda = matches!(self.things.get(loc), Ok(Thing::Lambda(_)));
            if !is_plain || is_lambda {
                if !is_used {
                    let assertion = self.unit.assertion("assertNotNull");
                    self.line(format!("{assertion}({});", call.text));
                    return Ok(None);
                }
                let name = self.names.plain("result");
                let text = self.declaration(&ty, &name, &call.text)?;
                self.line(text);
                return Ok(Some(name));
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
            read.text = format!("(Object) {}", read.text);
            read.direct = false;
        }
        let lines = self.check(&read, value, &mut Default::default())?;
        self.lines.extend(lines);
        Ok(None)
    }

    /// Asserts what an observer says.
    fn observe(
        &mut self,
        observation: &ScriptObservation,
        variables: &Variables,
    ) -> Result<Throws, EmitError> {
        let known = variables.names.get(observation.object).cloned().flatten();
        let (Some(name), Some(ty)) = (known, variables.types.get(observation.object)) else {
            return Ok(Throws::Nothing);
        };
        let target = &observation.method;
        let method = &target.declared.method;
        let receiver = self.as_receiver(&name, ty, target)?;
        let text = format!("{receiver}.{}()", method.name);
        let assertion = self.unit.assertion("assertEquals");
        let wrong = || EmitError::WrongValue(text.clone());
        let line = match &observation.value {
            Told::Text(units) => format!("{assertion}({}, {text});", string(units)),
            Told::Constant(class, constant) => {
                format!("{assertion}({}, {text});", self.constant(class, constant)?)
            }
            Told::Boxed(primitive, value) => {
                let value = literal(&Type::Primitive(*primitive), *value).ok_or_else(wrong)?;
                let boxed = format!("{}.valueOf({value})", box_name(*primitive));
                format!("{assertion}({boxed}, {text});")
            }
            Told::Value(value) => {
                let ty = method.descriptor.result.clone().ok_or_else(wrong)?;
                let read = Read {
                    text: text.clone(),
                    direct: true,
                    ty,
                    hint: None,
                    vagueness: None,
                };
                let lines = self.check(&read, *value, &mut Default::default())?;
                self.lines.extend(lines);
                return self.script_throws(method);
            }
        };
        self.line(line);
        self.script_throws(method)
    }

    /// A statement as an expression.
    fn script_call(
        &mut self,
        statement: &ScriptStatement,
        variables: &Variables,
    ) -> Result<Call, EmitError> {
        match &statement.call {
            ScriptCall::New(target) => {
                let (class, method) = (&target.class, &target.declared.method);
                let can_be_made =
                    !class.access.is_abstract() && self.unit.is_nameable(&class.ty())?;
                if !self.unit.sees(method.access, class) || !can_be_made {
                    return Err(hidden(target));
                }
                let name = self.unit.class_name(&class.name)?;
                let name = name.ok_or_else(|| hidden(target))?;
                let texts = self.script_operands(target, &statement.operands, variables)?;
                self.unit.deprecated |= is_deprecated(&method.annotations);
                Ok(Call {
                    text: format!("new {name}({})", texts.join(", ")),
                    ty: Some(class.ty()),
                    throws: self.script_throws(method)?,
                    is_generic: is_generic(class),
                })
            }
            ScriptCall::Static(target) => {
                let declared = &target.declared;
                if !self.unit.sees(declared.method.access, &declared.class) {
                    return Err(hidden(target));
                }
                let raw = self.unit.raw;
                let name = self.unit.class_name(&declared.class.name)?;
                self.unit.raw = raw;
                let name = name.ok_or_else(|| hidden(target))?;
                let texts = self.script_operands(target, &statement.operands, variables)?;
                self.method_call(&name, target, &texts)
            }
            ScriptCall::Method(target) => {
                let declared = &target.declared;
                if !self.unit.sees(declared.method.access, &declared.class) {
                    return Err(hidden(target));
                }
                let Some((ScriptOperand::Variable(receiver), others)) =
                    statement.operands.split_first()
                else {
                    return Err(hidden(target));
                };
                let name = variables.names.get(*receiver).cloned().flatten();
                let ty = variables.types.get(*receiver);
                let (Some(name), Some(ty)) = (name, ty) else {
                    return Err(hidden(target));
                };
                let receiver = self.as_receiver(&name, ty, target)?;
                let texts = self.script_operands(target, others, variables)?;
                self.method_call(&receiver, target, &texts)
            }
            ScriptCall::Array(element) => {
                let mut texts = Vec::new();
                for operand in &statement.operands {
                    texts.push(self.script_operand(operand, element, variables, false)?);
                }
                let wrong = || EmitError::WrongValue(element.to_string());
                let name = self.unit.type_name(element)?.ok_or_else(wrong)?;
                Ok(Call {
                    text: format!("new {name}[] {{{}}}", texts.join(", ")),
                    ty: Some(element.clone().array_of()),
                    throws: Throws::Nothing,
                    is_generic: false,
                })
            }
            ScriptCall::Stub(interface, stub) => {
                let text = self.stub(interface, stub, &statement.operands, variables)?;
                Ok(Call {
                    text,
                    ty: Some(Type::Class(interface.clone())),
                    throws: Throws::Nothing,
                    is_generic: false,
                })
            }
        }
    }

    fn method_call(
        &mut self,
        receiver: &str,
        target: &TargetMethod,
        texts: &[String],
    ) -> Result<Call, EmitError> {
        let method = &target.declared.method;
        self.unit.deprecated |= is_deprecated(&method.annotations);
        Ok(Call {
            text: format!("{receiver}.{}({})", method.name, texts.join(", ")),
            ty: method.descriptor.result.clone(),
            throws: self.script_throws(method)?,
            is_generic: method.signature.is_some(),
        })
    }

    /// A variable as the receiver of a method, with a cast if its type does not have the method.
    fn as_receiver(
        &mut self,
        name: &str,
        ty: &Type,
        target: &TargetMethod,
    ) -> Result<String, EmitError> {
        let wanted = target.declared.class.ty();
        if self.unit.hierarchy().is_subtype(ty, &wanted)? {
            return Ok(name.to_owned());
        }
        let class = self
            .unit
            .type_name(&wanted)?
            .ok_or_else(|| hidden(target))?;
        Ok(format!("(({class}) {name})"))
    }

    fn script_operands(
        &mut self,
        target: &TargetMethod,
        operands: &[ScriptOperand],
        variables: &Variables,
    ) -> Result<Vec<String>, EmitError> {
        let method = &target.declared.method;
        let types = &method.descriptor.parameters;
        if operands.len() != types.len() {
            let (expected, given) = (types.len(), operands.len());
            return Err(EmitError::WrongCount { expected, given });
        }
        let overloaded = self.is_overloaded(&target.class, method)?;
        let last = types.len().saturating_sub(1);
        let mut texts = Vec::new();
        for (index, (operand, ty)) in operands.iter().zip(types).enumerate() {
            let is_rest = method.access.is_varargs_method() && index == last;
            let is_ambiguous = ty.is_reference() && (overloaded || is_rest);
            texts.push(self.script_operand(operand, ty, variables, is_ambiguous)?);
        }
        Ok(texts)
    }

    fn script_operand(
        &mut self,
        operand: &ScriptOperand,
        ty: &Type,
        variables: &Variables,
        is_ambiguous: bool,
    ) -> Result<String, EmitError> {
        let wrong = || EmitError::WrongValue(ty.to_string());
        let (text, fits) = match operand {
            ScriptOperand::Variable(index) => {
                let name = variables.names.get(*index).cloned().flatten();
                let name = name.ok_or_else(wrong)?;
                let known = variables.types.get(*index).ok_or_else(wrong)?;
                let fits = match is_ambiguous {
                    true => known == ty,
                    false => self.unit.hierarchy().is_subtype(known, ty)?,
                };
                (name, fits)
            }
            ScriptOperand::Given(given) => {
                let text = self.given(given, ty)?;
                // A bare box of a primitive type does not become a number of another class.
                let is_exact = given.has_type(ty);
                (text, is_exact || !is_ambiguous)
            }
        };
        if fits {
            return Ok(text);
        }
        let name = self.unit.type_name(ty)?.ok_or_else(wrong)?;
        Ok(match text.starts_with('-') {
            true => format!("({name}) ({text})"),
            false => format!("({name}) {text}"),
        })
    }

    /// An object that implements an interface: a lambda expression or an anonymous class.
    fn stub(
        &mut self,
        interface: &Name,
        stub: &Stub,
        operands: &[ScriptOperand],
        variables: &Variables,
    ) -> Result<String, EmitError> {
        let wrong = || EmitError::WrongValue(interface.to_string());
        let mut answers = operands.iter();
        let mut bodies = Vec::new();
        for method in &stub.methods {
            let result = method.descriptor.result.as_ref();
            let body = match (result, stub.throws) {
                (_, true) => {
                    let exception: Name = STUB_EXCEPTION.into();
                    let name = self.unit.class_name(&exception)?.ok_or_else(wrong)?;
                    format!("throw new {name}();")
                }
                (None, false) => String::new(),
                (Some(ty), false) => {
                    let answer = answers.next().ok_or_else(wrong)?;
                    let text = self.script_operand(answer, ty, variables, false)?;
                    format!("return {text};")
                }
            };
            bodies.push(body);
        }
        let name = self.unit.class_name(interface)?.ok_or_else(wrong)?;
        if let ([method], [body]) = (&stub.methods[..], &bodies[..]) {
            let parameters: Vec<String> = (method.descriptor.parameters.iter())
                .map(|_| self.names.plain("x"))
                .collect();
            let parameters = match &parameters[..] {
                [only] => only.clone(),
                several => format!("({})", several.join(", ")),
            };
            let returned = body
                .strip_prefix("return ")
                .and_then(|text| text.strip_suffix(';'));
            return Ok(match (returned, body.is_empty()) {
                (Some(value), _) => format!("{parameters} -> {value}"),
                (None, true) => format!("{parameters} -> {{ }}"),
                (None, false) => format!("{parameters} -> {{ {body} }}"),
            });
        }
        let mut members = Vec::new();
        for (method, body) in stub.methods.iter().zip(&bodies) {
            let ty = match &method.descriptor.result {
                Some(ty) => self.unit.type_name(ty)?.ok_or_else(wrong)?,
                None => "void".to_owned(),
            };
            let mut parameters = Vec::new();
            for (index, ty) in method.descriptor.parameters.iter().enumerate() {
                let name = self.unit.type_name(ty)?.ok_or_else(wrong)?;
                parameters.push(format!("{name} x{}", index + 1));
            }
            let parameters = parameters.join(", ");
            let body = if body.is_empty() {
                String::new()
            } else {
                format!(" {body}")
            };
            members.push(format!(
                "@Override public {ty} {}({parameters}) {{{body} }}",
                method.name
            ));
        }
        Ok(format!("new {name}() {{ {} }}", members.join(" ")))
    }

    /// The type of the variable for what a statement gives; `None` if it gives nothing.
    fn declared_type(&self, statement: &ScriptStatement) -> Option<Type> {
        match &statement.call {
            ScriptCall::New(target) => Some(target.class.ty()),
            ScriptCall::Static(target) | ScriptCall::Method(target) => {
                target.declared.method.descriptor.result.clone()
            }
            ScriptCall::Array(element) => Some(element.clone().array_of()),
            ScriptCall::Stub(interface, _) => Some(Type::Class(interface.clone())),
        }
    }

    fn declaration(&mut self, ty: &Type, name: &str, value: &str) -> Result<String, EmitError> {
        let text = self.unit.type_name(ty)?;
        let text = text.ok_or_else(|| EmitError::WrongValue(ty.to_string()))?;
        Ok(format!("{text} {name} = {value};"))
    }

    fn script_throws(&self, method: &Method) -> Result<Throws, EmitError> {
        Ok(match self.has_checked_exceptions(method)? {
            true => Throws::Exception,
            false => Throws::Nothing,
        })
    }
}

/// The statements whose results are used.
fn used(script: &CallScript) -> BTreeSet<usize> {
    let operands = (script.statements.iter()).flat_map(|statement| &statement.operands);
    let variables = operands.filter_map(|operand| match operand {
        ScriptOperand::Variable(index) => Some(*index),
        ScriptOperand::Given(_) => None,
    });
    let observed = script.observations.iter().map(|one| one.object);
    variables.chain(observed).collect()
}

/// What a variable of a type is called.
fn word_of(ty: &Type) -> String {
    match ty {
        Type::Class(name) => {
            let simple = name.rsplit(['.', '$']).next().unwrap_or(name);
            word_for(simple)
        }
        Type::Array(element) => {
            let word = word_of(element);
            format!("{word}s")
        }
        Type::Primitive(_) => "value".to_owned(),
    }
}

/// What an observer returned, if a test can say it.
pub fn told(world: &World, heap: &Heap, value: Value) -> Option<Told> {
    let Value::Ref(loc) = value else {
        return Some(Told::Value(value));
    };
    let definitions = &world.program().definitions;
    if let Some((class, name)) = display::constant(definitions, heap.cells.get(&loc)?.class) {
        return Some(Told::Constant(class.into(), name.into()));
    }
    let mut things = Things::default();
    let nothing = BTreeMap::new();
    things.explore(world, heap, &nothing, &[value]).ok()?;
    match things.get(loc).ok()? {
        Thing::Text(units) => Some(Told::Text(units.clone())),
        Thing::Boxed(primitive, value) => Some(Told::Boxed(*primitive, *value)),
        _ => None,
    }
}
