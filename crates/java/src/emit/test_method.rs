//! One test method: input, call, assertions.

use std::collections::BTreeMap;

use heapwright_logic::{Heap, Loc, Value};

use super::call::Throws;
use super::case::{Defect, Ending, Framework, GlobalObject, StaticValue, TestCase};
use super::compilation_unit::CompilationUnit;
use super::error::EmitError;
use super::helper::Helper;
use super::inherited::without_inherited;
use super::layout::{INDENTATION, comment, folded};
use super::literal::{box_name, literal, string};
use super::names::Names;
use super::things::{Thing, Things};
use crate::classfile::JavaString;
use crate::descriptor::{Name, Type};
use crate::hierarchy::GenericType;
use crate::world::OBJECT;

/// A test method while it is written.
pub(super) struct Writer<'s, 'a> {
    pub unit: &'s mut CompilationUnit<'a>,
    pub case: &'s TestCase,
    pub things: Things,
    pub names: Names,
    /// The variables that hold objects.
    pub variables: BTreeMap<Loc, String>,
    pub lines: Vec<String>,
}

/// The statements of a test, and what its call throws.
pub(super) struct Body {
    pub lines: Vec<String>,
    pub throws: Throws,
    /// Whether the test as a whole has to end in time.
    pub has_timeout: bool,
}

/// A call on a small input that takes longer than that does not end.
pub(super) const TIMEOUT_SECONDS: u32 = 2;

/// What is known after the call.
pub(super) struct After<'s> {
    pub heap: &'s Heap,
    pub statics: &'s [StaticValue],
}

/// Writes a test.
pub(super) fn body(unit: &mut CompilationUnit<'_>, case: &TestCase) -> Result<Body, EmitError> {
    let bare = match case.script {
        Some(_) => None,
        None => without_inherited(unit, case)?,
    };
    let case = bare.as_ref().unwrap_or(case);
    let (heap, statics) = match &case.ending {
        Ending::Returned { after, statics, .. } | Ending::Threw { after, statics, .. } => {
            (after, statics)
        }
        Ending::OutOfBudget if case.defect == Some(Defect::Endless) => (&case.before, &Vec::new()),
        Ending::OutOfBudget => return Err(EmitError::OutOfBudget(case.name.clone())),
    };
    let has_timeout = case.defect == Some(Defect::Endless) && unit.framework == Framework::JUnit4;
    // What calls have made is met in the fields afterwards, as if it were new.
    let looks_inside = (case.sequence.as_ref()).is_some_and(|sequence| sequence.looks_inside);
    let bare = looks_inside.then(|| TestCase {
        before: Heap::default(),
        ..case.clone()
    });
    let names = Names::of_locals(unit.package);
    let mut writer = Writer {
        unit,
        case: bare.as_ref().unwrap_or(case),
        things: Things::default(),
        names,
        variables: BTreeMap::new(),
        lines: Vec::new(),
    };
    if let Some(script) = &case.script {
        let throws = writer.write_script(script, &After { heap, statics })?;
        let lines = writer.lines.iter();
        return Ok(Body {
            lines: lines.flat_map(|line| folded(line, INDENTATION)).collect(),
            throws,
            has_timeout: false,
        });
    }
    let (inputs, receiver) = match &case.sequence {
        None => (writer.set_up()?, None),
        Some(sequence) => (Vec::new(), Some(writer.set_up_by_calls(sequence)?)),
    };
    if !writer.lines.is_empty() {
        let picture = case
            .picture
            .iter()
            .flat_map(|text| comment(text, INDENTATION));
        writer.lines.splice(0..0, picture);
        writer.lines.push(String::new());
    }
    let after = After { heap, statics };
    let throws = match (&case.sequence, receiver) {
        (Some(_), Some((receiver, throws))) if looks_inside => {
            let inputs = writer.know_receiver(receiver, &case.before)?;
            writer.call_and_check(&inputs, &after)?.max(throws)
        }
        (Some(sequence), Some((receiver, throws))) => {
            let checked = writer.check_by_calls(sequence, &receiver, &after)?;
            checked.max(throws)
        }
        _ => writer.call_and_check(&inputs, &after)?,
    };
    let mut lines: Vec<String> = (writer.lines.iter())
        .flat_map(|line| folded(line, INDENTATION))
        .collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    Ok(Body {
        lines,
        throws,
        has_timeout,
    })
}

impl Writer<'_, '_> {
    pub fn line(&mut self, line: String) {
        self.lines.push(line);
    }

    /// The type that a variable for an object is declared with: its own, or what can be named.
    pub fn static_type(&self, ty: &Type) -> Result<Type, EmitError> {
        if self.unit.is_nameable(ty)? {
            return Ok(ty.clone());
        }
        Ok(match ty {
            Type::Array(_) => Type::class(OBJECT).array_of(),
            _ => Type::class(OBJECT),
        })
    }

    /// The type of the expression for a value that belongs into a place of a type.
    pub fn type_of(&self, value: Value, place: &Type) -> Result<Type, EmitError> {
        let Value::Ref(loc) = value else {
            return Ok(place.clone());
        };
        let thing = self.things.get(loc)?;
        Ok(match thing {
            Thing::Text(_) | Thing::Global(GlobalObject::Literal(_)) => {
                Type::class("java.lang.String")
            }
            Thing::Boxed(primitive, _) => {
                Type::class(&format!("java.lang.{}", box_name(*primitive)))
            }
            Thing::Global(GlobalObject::Class(_)) => Type::class("java.lang.Class"),
            Thing::Global(GlobalObject::StaticField { class, field }) => {
                let class = self.unit.load(class)?;
                let found = class.fields.iter().find(|one| one.name == *field);
                match found {
                    Some(found) if self.constant_is_visible(&class.name, field)? => {
                        self.static_type(&found.ty)?
                    }
                    _ => Type::class(OBJECT),
                }
            }
            Thing::Lambda(_) => Type::class(OBJECT),
            Thing::Array(_) | Thing::Object(..) | Thing::Function(_) => match thing.ty() {
                Some(ty) => self.static_type(&ty)?,
                None => Type::class(OBJECT),
            },
        })
    }

    /// A value as an expression. Objects have variables by now.
    pub fn expression(&mut self, value: Value, place: &Type) -> Result<String, EmitError> {
        let Value::Ref(loc) = value else {
            let text = literal(place, value);
            return text.ok_or_else(|| EmitError::WrongValue(place.to_string()));
        };
        if let Some(name) = self.variables.get(&loc) {
            return Ok(name.clone());
        }
        match self.things.get(loc)?.clone() {
            Thing::Text(units) => Ok(string(&units)),
            Thing::Global(GlobalObject::Literal(text)) => Ok(string(text.units())),
            Thing::Boxed(primitive, value) => {
                let text = literal(&Type::Primitive(primitive), value);
                let text = text.ok_or(EmitError::WrongCell(loc))?;
                Ok(format!("{}.valueOf({text})", box_name(primitive)))
            }
            Thing::Global(GlobalObject::Class(ty)) => self.unit.class_literal(&ty),
            Thing::Global(GlobalObject::StaticField { class, field }) => {
                self.constant(&class, &field)
            }
            Thing::Lambda(class) => Err(EmitError::CannotMake {
                class,
                reason: "it is a lambda expression of the program",
            }),
            Thing::Array(_) | Thing::Object(..) | Thing::Function(_) => {
                Err(EmitError::Dangling(loc))
            }
        }
    }

    /// An expression for a value where a type is expected; nothing if the type cannot be named
    /// and the value needs it.
    pub fn fitting(&mut self, value: Value, place: &Type) -> Result<Option<String>, EmitError> {
        let text = self.expression(value, place)?;
        let ty = self.type_of(value, place)?;
        self.cast(text, &ty, place)
    }

    /// The same where the source declares a type with arguments. If the compiler would not take the
    /// value for it, the type without arguments stands for all of them.
    pub fn fitting_declared(
        &mut self,
        value: Value,
        place: &Type,
        declared: Option<&GenericType>,
    ) -> Result<Option<String>, EmitError> {
        if let (Value::Ref(_), Some(declared)) = (value, declared)
            && let Type::Class(found) = self.type_of(value, place)?
            && !self.unit.hierarchy().conforms(&found, declared)
        {
            return self.bare(value, place);
        }
        self.fitting(value, place)
    }

    /// An expression with a cast to a type without arguments; nothing if that cannot be named.
    pub fn bare(&mut self, value: Value, place: &Type) -> Result<Option<String>, EmitError> {
        let text = self.expression(value, place)?;
        let text = match text.starts_with('-') {
            true => format!("({text})"),
            false => text,
        };
        let name = self.unit.type_name(place)?;
        Ok(name.map(|name| format!("({name}) {text}")))
    }

    /// An expression of one type where another one is expected; nothing if that cannot be named.
    pub fn cast(
        &mut self,
        text: String,
        from: &Type,
        to: &Type,
    ) -> Result<Option<String>, EmitError> {
        if text == "null" || self.unit.hierarchy().is_subtype(from, to)? {
            return Ok(Some(text));
        }
        let name = self.unit.type_name(to)?;
        Ok(name.map(|name| format!("({name}) {text}")))
    }

    /// What a static field refers to.
    pub(super) fn constant(&mut self, class: &Name, field: &Name) -> Result<String, EmitError> {
        if self.constant_is_visible(class, field)?
            && let Some(name) = self.unit.class_name(class)?
        {
            return Ok(format!("{name}.{field}"));
        }
        self.unit.need(Helper::GetDeclared);
        let declaring = self.unit.load(class)?;
        self.unit.look_into(&declaring);
        let ty = self.unit.class_literal(&Type::Class(class.clone()))?;
        let field = quoted(field);
        Ok(format!("get(null, {ty}, {field})"))
    }

    fn constant_is_visible(&self, class: &Name, field: &Name) -> Result<bool, EmitError> {
        let loaded = self.unit.load(class)?;
        let found = loaded.fields.iter().find(|one| one.name == *field);
        let Some(found) = found.filter(|found| found.access.is_static()) else {
            return Err(EmitError::NoStaticField(format!("{class}.{field}")));
        };
        let visible = self.unit.sees(found.access, &loaded);
        Ok(visible && self.unit.is_nameable(&loaded.ty())?)
    }
}

/// A name as a string literal.
pub(super) fn quoted(name: &str) -> String {
    string(JavaString::from(name).units())
}
