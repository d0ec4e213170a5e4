//! Assertions: the result or the exception, and the final heap.
//!
//! Objects of the input are known by their variables, and must be the same objects where the run
//! left them. New objects get variables when the assertions reach them. Every field of everything
//! that is reachable is looked at; new objects that fields alone cannot tell from others are
//! compared with them.

use std::collections::{BTreeSet, VecDeque};

use heapwright_logic::{Loc, Value};

use super::call::{Call, Throws};
use super::case::{AssertedLocation, Defect, Ending, Framework, Vagueness};
use super::error::EmitError;
use super::names::variable;
use super::test_method::{After, TIMEOUT_SECONDS, Writer};
use super::values::Read;
use crate::descriptor::Type;

/// The objects whose fields are to be asserted, in order.
#[derive(Default)]
pub(super) struct Agenda {
    pub queue: VecDeque<Loc>,
    seen: BTreeSet<Loc>,
    pub new: BTreeSet<Loc>,
}

impl Agenda {
    pub fn add(&mut self, loc: Loc) {
        if self.seen.insert(loc) {
            self.queue.push_back(loc);
        }
    }
}

impl Writer<'_, '_> {
    /// The call with the assertions about how it ended and what it left.
    pub fn call_and_check(
        &mut self,
        inputs: &[Loc],
        after: &After<'_>,
    ) -> Result<Throws, EmitError> {
        let case = self.case;
        let mut roots = Vec::new();
        if let Ending::Returned { result, .. } = &case.ending {
            roots.extend(*result);
        }
        roots.extend(after.statics.iter().map(|field| field.value));
        let present = inputs
            .iter()
            .filter(|loc| after.heap.cells.contains_key(loc));
        let present: Vec<Loc> = present.copied().collect();
        roots.extend(present.iter().map(|&loc| Value::Ref(loc)));
        let world = self.unit.world;
        (self.things).explore(world, after.heap, &case.globals, &roots)?;

        let mut agenda = Agenda::default();
        let call = self.call()?;
        if let (Ending::Threw { .. }, Some(Defect::Exception)) = (&case.ending, &case.defect) {
            self.line(format!("{};", call.text));
            return Ok(call.throws);
        }
        if let (Ending::OutOfBudget, Some(Defect::Endless)) = (&case.ending, &case.defect) {
            return self.call_within_time(&call);
        }
        if let (Some(Defect::Invariant), Some(invariant)) = (&case.defect, &case.invariant) {
            let throws = self.call_whatever_it_throws(&call)?;
            return Ok(throws.max(self.check_invariant(invariant)?));
        }
        if let Some(Defect::Result(demanded)) = &case.defect {
            let throws = self.check_result(call, Some(*demanded), &mut agenda)?;
            return Ok(match &case.invariant {
                Some(invariant) => throws.max(self.check_invariant(invariant)?),
                None => throws,
            });
        }
        if let Some(Defect::Fields { demanded, .. }) = &case.defect {
            self.line(format!("{};", call.text));
            self.line(String::new());
            self.line(
                "// What the postcondition says about fields; the rest of it is not checked."
                    .to_owned(),
            );
            for &(loc, index, value) in demanded {
                self.check_demanded(loc, index, value)?;
            }
            return Ok(match &case.invariant {
                Some(invariant) => call.throws.max(self.check_invariant(invariant)?),
                None => call.throws,
            });
        }
        let start = self.lines.len();
        let throws = match &case.ending {
            Ending::Returned { result, .. } => self.check_result(call, *result, &mut agenda)?,
            Ending::Threw { class, .. } => {
                let ty = self.unit.world.type_of(*class).cloned();
                let ty = ty.ok_or(EmitError::UnknownClass(*class))?;
                self.check_exception(&call, &ty)?;
                Throws::Nothing
            }
            Ending::OutOfBudget => return Err(EmitError::OutOfBudget(case.name.clone())),
        };
        self.line(String::new());
        for field in after.statics {
            let (text, direct, ty) = self.read_static(field)?;
            let place = AssertedLocation::Static(
                field.class.clone(),
                field.field.clone(),
                field.path.clone(),
            );
            let read = Read {
                text,
                direct,
                ty,
                hint: variable(&field.field),
                vagueness: case.vague.get(&place).copied(),
            };
            let lines = self.check(&read, field.value, &mut agenda)?;
            self.lines.extend(lines);
        }
        for &loc in &present {
            agenda.add(loc);
        }
        self.check_objects(after, &mut agenda)?;
        let checks = self.lines.len();
        let throws = match &case.invariant {
            Some(invariant) => throws.max(self.check_invariant(invariant)?),
            None => throws,
        };
        if let Some(Defect::Postcondition(reason)) = &case.defect {
            let invariant = self.lines.split_off(checks);
            self.fail_while(start, reason, invariant);
        }
        Ok(throws)
    }

    /// The call, which has to end in time. JUnit 4 has an option of the test for that.
    pub fn call_within_time(&mut self, call: &Call) -> Result<Throws, EmitError> {
        if self.unit.framework == Framework::JUnit4 {
            self.line(format!("{};", call.text));
            return Ok(call.throws);
        }
        let assertion = self.unit.assertion("assertTimeoutPreemptively");
        let duration = Type::class("java.time.Duration");
        let duration = self.unit.type_name(&duration)?.unwrap_or_default();
        let text = &call.text;
        self.line(format!(
            "{assertion}({duration}.ofSeconds({TIMEOUT_SECONDS}), () -> {{ {text}; }});"
        ));
        Ok(Throws::Nothing)
    }

    fn check_result(
        &mut self,
        call: Call,
        result: Option<Value>,
        agenda: &mut Agenda,
    ) -> Result<Throws, EmitError> {
        let method = self.case.method.declared.method.clone();
        let vagueness = self.case.vague.get(&AssertedLocation::Result).copied();
        let declared = match method.is_constructor() {
            true => Some(self.case.method.class.ty()),
            false => method.descriptor.result.clone(),
        };
        let (Some(value), Some(declared)) = (result, declared) else {
            if result.is_some() {
                return Err(EmitError::WrongValue("the result".to_owned()));
            }
            self.line(format!("{};", call.text));
            return Ok(call.throws);
        };
        if vagueness == Some(Vagueness::Varies) {
            self.line(format!("{};", call.text));
            return Ok(call.throws);
        }
        let hint = match (method.is_constructor(), value) {
            (true, Value::Ref(loc)) => self.word(loc)?,
            _ => "result".to_owned(),
        };
        let direct = call.ty.as_ref() == Some(&declared);
        let mut read = Read {
            text: call.text,
            direct,
            ty: declared,
            hint: Some(hint),
            vagueness,
        };
        // What a generic method returns may select another assertion, and long lines are hard to
        // read.
        let is_new = matches!(value, Value::Ref(loc)
            if self.is_composite(loc)? && !self.variables.contains_key(&loc));
        let inline = !(call.is_generic && read.ty.is_reference()) && read.text.len() < 64;
        if !is_new && !inline {
            let static_type = self.static_type(&read.static_type())?;
            let ty = self.unit.type_name(&static_type)?.unwrap_or_default();
            let name = self.names.plain("result");
            self.line(format!("{ty} {name} = {};", read.text));
            read.direct = static_type == read.ty;
            read.text = name;
        }
        let lines = self.check(&read, value, agenda)?;
        self.lines.extend(lines);
        Ok(call.throws)
    }
    pub fn check_exception(&mut self, call: &Call, ty: &Type) -> Result<(), EmitError> {
        let assertion = self.unit.assertion("assertThrows");
        let ty = &as_every_time(ty);
        let mut nearest = ty.clone();
        while !self.unit.is_nameable(&nearest)? {
            let Type::Class(name) = &nearest else { break };
            let superclass = self.unit.load(name)?.superclass.clone();
            nearest = Type::Class(superclass.unwrap_or_else(|| "java.lang.Throwable".into()));
        }
        let class = self.unit.class_literal(&nearest)?;
        let text = format!("{assertion}({class}, () -> {})", call.text);
        if nearest == *ty {
            self.line(format!("{text};"));
            return Ok(());
        }
        let (same, exact) = (
            self.unit.assertion("assertSame"),
            self.unit.class_literal(ty)?,
        );
        self.line(format!("Throwable thrown = {text};"));
        self.line(format!("{same}({exact}, thrown.getClass());"));
        Ok(())
    }
}

/// The exception that a call throws every time. A class whose initialiser fails is an
/// `ExceptionInInitializerError` at first and a `NoClassDefFoundError` from then on, and other tests
/// may come before.
fn as_every_time(ty: &Type) -> Type {
    match ty {
        Type::Class(name) if is_failed_initialiser(name) => Type::class("java.lang.LinkageError"),
        ty => ty.clone(),
    }
}

/// Whether an exception says that a class could not be initialised.
pub fn is_failed_initialiser(exception: &str) -> bool {
    matches!(
        exception,
        "java.lang.ExceptionInInitializerError" | "java.lang.NoClassDefFoundError"
    )
}
