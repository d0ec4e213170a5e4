//! Assertions: the result or the exception, and the final heap.
//!
//! Objects of the input are known by their variables, and must be the same objects where the run
//! left them. New objects get variables when the assertions reach them. Every field of everything
//! that is reachable is looked at; new objects that fields alone cannot tell from others are
//! compared with them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use heapwright_logic::{Loc, Value};

use super::bisimulation::{Seen, View, bisimilar};
use super::call::{Call, Throws};
use super::case::{Ending, GlobalObject, Place, Vagueness};
use super::error::EmitError;
use super::helper::Helper;
use super::names::variable;
use super::setup::{is_ambiguous, wrapped};
use super::test_method::{After, WIDTH, Writer, quoted};
use super::things::{Thing, is_shallow};
use crate::descriptor::Type;
use crate::hierarchy::DeclaredField;
use crate::world::OBJECT;

/// An expression whose value is asserted.
pub(super) struct Read {
    pub text: String,
    /// Whether the expression has the declared type; if not, it is an `Object`.
    pub direct: bool,
    /// The declared type.
    pub ty: Type,
    /// What a variable for the value would be called.
    pub hint: Option<String>,
    pub vagueness: Option<Vagueness>,
}

impl Read {
    fn static_type(&self) -> Type {
        match self.direct {
            true => self.ty.clone(),
            false => Type::class(OBJECT),
        }
    }
}

/// The objects whose fields are to be asserted, in order.
#[derive(Default)]
pub(super) struct Agenda {
    queue: VecDeque<Loc>,
    seen: BTreeSet<Loc>,
    new: BTreeSet<Loc>,
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
        let world = self.scope.world;
        (self.things).explore(world, after.heap, &case.globals, &roots)?;

        let mut agenda = Agenda::default();
        let call = self.call()?;
        let throws = match &case.ending {
            Ending::Returned { result, .. } => self.check_result(call, *result, &mut agenda)?,
            Ending::Threw { class, .. } => {
                let ty = self.scope.world.type_of(*class).cloned();
                let ty = ty.ok_or(EmitError::UnknownClass(*class))?;
                self.check_exception(&call, &ty)?;
                Throws::Nothing
            }
            Ending::OutOfBudget => return Err(EmitError::OutOfBudget(case.name.clone())),
        };
        for field in after.statics {
            let (text, direct, ty) = self.read_static(field)?;
            let place = Place::Static(field.class.clone(), field.field.clone());
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
        Ok(throws)
    }

    fn check_result(
        &mut self,
        call: Call,
        result: Option<Value>,
        agenda: &mut Agenda,
    ) -> Result<Throws, EmitError> {
        let method = self.case.method.declared.method.clone();
        let vagueness = self.case.vague.get(&Place::Result).copied();
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
            let ty = self.scope.type_name(&static_type)?.unwrap_or_default();
            let name = self.names.plain("result");
            self.line(format!("{ty} {name} = {};", read.text));
            read.direct = static_type == read.ty;
            read.text = name;
        }
        let lines = self.check(&read, value, agenda)?;
        self.lines.extend(lines);
        Ok(call.throws)
    }

    fn check_exception(&mut self, call: &Call, ty: &Type) -> Result<(), EmitError> {
        let assertion = self.scope.assertion("assertThrows");
        let mut nearest = ty.clone();
        while !self.scope.is_nameable(&nearest)? {
            let Type::Class(name) = &nearest else { break };
            let superclass = self.scope.load(name)?.superclass.clone();
            nearest = Type::Class(superclass.unwrap_or_else(|| "java.lang.Throwable".into()));
        }
        let class = self.scope.class_literal(&nearest)?;
        let text = format!("{assertion}({class}, () -> {})", call.text);
        if nearest == *ty {
            self.line(format!("{text};"));
            return Ok(());
        }
        let (same, exact) = (
            self.scope.assertion("assertSame"),
            self.scope.class_literal(ty)?,
        );
        self.line(format!("Throwable thrown = {text};"));
        self.line(format!("{same}({exact}, thrown.getClass());"));
        Ok(())
    }

    /// Assertions about one value.
    pub fn check(
        &mut self,
        read: &Read,
        value: Value,
        agenda: &mut Agenda,
    ) -> Result<Vec<String>, EmitError> {
        let text = &read.text;
        if read.vagueness == Some(Vagueness::Varies) {
            return Ok(Vec::new());
        }
        let Value::Ref(loc) = value else {
            return Ok(vec![self.check_scalar(read, value)?]);
        };
        match self.things.get(loc)?.clone() {
            Thing::Lambda(_) => Ok(vec![format!(
                "{}({text});",
                self.scope.assertion("assertNotNull")
            )]),
            Thing::Boxed(..) if read.vagueness.is_some() => Ok(vec![format!(
                "{}({text});",
                self.scope.assertion("assertNotNull")
            )]),
            Thing::Text(_) | Thing::Boxed(..) | Thing::Global(GlobalObject::Literal(_)) => {
                let assertion = self.scope.assertion("assertEquals");
                let expected = self.expression(value, &read.ty)?;
                Ok(vec![format!("{assertion}({expected}, {text});")])
            }
            Thing::Global(_) => {
                let assertion = self.scope.assertion("assertSame");
                let expected = self.expression(value, &read.ty)?;
                Ok(vec![format!("{assertion}({expected}, {text});")])
            }
            Thing::Array(_) | Thing::Object(..) => {
                if let Some(name) = self.variables.get(&loc).cloned() {
                    agenda.add(loc);
                    let assertion = self.scope.assertion("assertSame");
                    return Ok(vec![format!("{assertion}({name}, {text});")]);
                }
                self.meet(read, loc, agenda)
            }
        }
    }

    /// A variable for a new object, and the assertion that it is of the expected class.
    fn meet(
        &mut self,
        read: &Read,
        loc: Loc,
        agenda: &mut Agenda,
    ) -> Result<Vec<String>, EmitError> {
        let thing = self.things.get(loc)?.clone();
        let ty = thing.ty().unwrap_or_else(|| Type::class(OBJECT));
        if let Thing::Object(class, _) = &thing
            && class.enclosing_method.is_some()
        {
            let assertion = self.scope.assertion("assertNotNull");
            return Ok(vec![format!("{assertion}({});", read.text)]);
        }
        let hint = match &read.hint {
            Some(hint) => hint.clone(),
            None => self.word(loc)?,
        };
        let name = self.names.plain(&hint);
        let static_type = self.static_type(&ty)?;
        let ty_name = self.scope.type_name(&static_type)?.unwrap_or_default();
        let from = read.static_type();
        let value = self.cast(read.text.clone(), &from, &static_type)?;
        let value = value.unwrap_or_else(|| read.text.clone());
        let mut lines = vec![format!("{ty_name} {name} = {value};")];
        if read.ty != ty {
            let assertion = self.scope.assertion("assertSame");
            let class = self.scope.class_literal(&ty)?;
            lines.push(format!("{assertion}({class}, {name}.getClass());"));
        } else if matches!(&thing, Thing::Object(_, fields) if fields.is_empty()) {
            let assertion = self.scope.assertion("assertNotNull");
            lines.push(format!("{assertion}({name});"));
        }
        self.variables.insert(loc, name);
        agenda.new.insert(loc);
        agenda.add(loc);
        Ok(lines)
    }

    fn check_scalar(&mut self, read: &Read, value: Value) -> Result<String, EmitError> {
        use super::case::Framework;
        use super::literal::{assigned_literal, literal};
        let text = &read.text;
        let wrong = || EmitError::WrongValue(read.text.clone());
        match value {
            Value::Null => return Ok(format!("{}({text});", self.scope.assertion("assertNull"))),
            Value::Bool(value) if read.direct => {
                let name = if value { "assertTrue" } else { "assertFalse" };
                return Ok(format!("{}({text});", self.scope.assertion(name)));
            }
            _ => {}
        }
        let assertion = self.scope.assertion("assertEquals");
        let exact = literal(&read.ty, value).ok_or_else(wrong)?;
        let finite = match value {
            Value::Single(bits) => f32::from_bits(bits).is_finite(),
            Value::Double(bits) => f64::from_bits(bits).is_finite(),
            _ => false,
        };
        if read.vagueness == Some(Vagueness::Approximate) && finite {
            let actual = match (read.direct, &read.ty) {
                (false, Type::Primitive(primitive)) => format!("({}) {text}", primitive.name()),
                _ => text.clone(),
            };
            return Ok(format!(
                "{assertion}({exact}, {actual}, 2 * Math.ulp({exact}));"
            ));
        }
        let is_float = matches!(value, Value::Single(_) | Value::Double(_));
        if !read.direct {
            return Ok(format!("{assertion}({exact}, {text});"));
        }
        if is_float && self.scope.framework == Framework::JUnit4 {
            // With a tolerance of zero, JUnit 4 takes both zeros for equal.
            // The parentheses keep a sign from being taken for a subtraction.
            return Ok(format!("{assertion}((Object) ({exact}), {text});"));
        }
        let plain = assigned_literal(&read.ty, value).ok_or_else(wrong)?;
        Ok(format!("{assertion}({plain}, {text});"))
    }

    /// Assertions about the contents of everything on the agenda; what did not change comes last.
    fn check_objects(&mut self, after: &After<'_>, agenda: &mut Agenda) -> Result<(), EmitError> {
        let mut views = BTreeMap::new();
        let mut unchanged = Vec::new();
        while let Some(loc) = agenda.queue.pop_front() {
            let Some(cell) = after.heap.cells.get(&loc).cloned() else {
                continue;
            };
            views.insert(loc, self.view(loc, &cell.fields)?);
            let same = self.case.before.cells.get(&loc) == Some(&cell);
            let lines = self.check_object(loc, &cell.fields, agenda)?;
            match same && !agenda.new.contains(&loc) {
                true => unchanged.push(lines),
                false => self.lines.extend(lines),
            }
        }
        self.tell_apart(&views, agenda)?;
        let unchanged = joined(unchanged);
        if !unchanged.is_empty() {
            self.line("// Unchanged:".to_owned());
            self.lines.extend(unchanged);
        }
        Ok(())
    }

    fn check_object(
        &mut self,
        loc: Loc,
        values: &[Value],
        agenda: &mut Agenda,
    ) -> Result<Vec<String>, EmitError> {
        let name = self.variable(loc)?;
        let (class, fields) = match self.things.get(loc)?.clone() {
            Thing::Array(element) => return self.check_array(loc, &name, &element, values, agenda),
            Thing::Object(class, fields) => (class, fields),
            _ => return Ok(Vec::new()),
        };
        if agenda.new.contains(&loc) && is_shallow(self.scope.world, &class)? {
            return Ok(Vec::new());
        }
        let mut lines = Vec::new();
        for (index, (field, &value)) in fields.iter().zip(values).enumerate() {
            let vagueness = self.case.vague.get(&Place::Field(loc, index)).copied();
            if vagueness == Some(Vagueness::Varies) {
                continue;
            }
            let place = self.place(&name, &class, &fields, field)?;
            let direct = place.is_some();
            let text = match place {
                Some(place) => place,
                None => self.reflective_read(&name, &fields, field)?,
            };
            let read = Read {
                text,
                direct,
                ty: field.field.ty.clone(),
                hint: variable(&field.field.name),
                vagueness,
            };
            lines.extend(self.check(&read, value, agenda)?);
        }
        Ok(lines)
    }

    fn reflective_read(
        &mut self,
        object: &str,
        fields: &[DeclaredField],
        field: &DeclaredField,
    ) -> Result<String, EmitError> {
        let quoted = quoted(&field.field.name);
        if is_ambiguous(fields, field) {
            self.scope.need(Helper::GetDeclared);
            let ty = self.scope.class_literal(&field.class.ty())?;
            return Ok(format!("get({object}, {ty}, {quoted})"));
        }
        self.scope.need(Helper::Get);
        Ok(format!("get({object}, {quoted})"))
    }

    fn check_array(
        &mut self,
        loc: Loc,
        name: &str,
        element: &Type,
        values: &[Value],
        agenda: &mut Agenda,
    ) -> Result<Vec<String>, EmitError> {
        use super::case::Framework;
        use super::literal::assigned_literal;
        let vague = |index: usize| self.case.vague.get(&Place::Field(loc, index)).copied();
        let vagueness: Vec<_> = (0..values.len()).map(vague).collect();
        let is_vague = vagueness.iter().any(Option::is_some);
        if let Type::Primitive(primitive) = element
            && !is_vague
        {
            let literals: Option<Vec<String>> = (values.iter())
                .map(|&value| assigned_literal(element, value))
                .collect();
            let literals = literals.ok_or(EmitError::WrongCell(loc))?;
            let ty = primitive.name();
            let floating = matches!(ty, "float" | "double");
            return Ok(
                match floating && self.scope.framework == Framework::JUnit4 {
                    true => {
                        let start = format!(
                            "{}(java.util.Arrays.equals(new {ty}[] {{",
                            self.scope.assertion("assertTrue")
                        );
                        wrapped(&start, &literals, &format!("}}, {name}));"))
                    }
                    false => {
                        let start = format!(
                            "{}(new {ty}[] {{",
                            self.scope.assertion("assertArrayEquals")
                        );
                        wrapped(&start, &literals, &format!("}}, {name});"))
                    }
                },
            );
        }
        let assertion = self.scope.assertion("assertEquals");
        let mut lines = vec![format!("{assertion}({}, {name}.length);", values.len())];
        let mut index = 0;
        while let Some(&value) = values.get(index) {
            let rest = values.get(index..).unwrap_or_default();
            let nulls = rest
                .iter()
                .take_while(|value| **value == Value::Null)
                .count();
            if nulls > 3 && !is_vague {
                let assertion = self.scope.assertion("assertNull");
                let end = index + nulls;
                lines.push(format!("for (int i = {index}; i < {end}; i++) {{"));
                lines.push(format!("    {assertion}({name}[i]);"));
                lines.push("}".to_owned());
                index = end;
                continue;
            }
            let declared = match self.scope.is_nameable(element)? {
                true => element.clone(),
                false => Type::class(OBJECT),
            };
            let read = Read {
                text: format!("{name}[{index}]"),
                direct: true,
                ty: declared,
                hint: None,
                vagueness: vagueness.get(index).copied().flatten(),
            };
            lines.extend(self.check(&read, value, agenda)?);
            index += 1;
        }
        Ok(lines)
    }

    /// What the assertions see of an object.
    fn view(&mut self, loc: Loc, values: &[Value]) -> Result<View, EmitError> {
        let thing = self.things.get(loc)?.clone();
        let class = thing.ty().map(|ty| ty.to_string()).unwrap_or_default();
        let mut fields = Vec::new();
        if let Thing::Object(class, _) = &thing
            && !self.case.before.cells.contains_key(&loc)
            && is_shallow(self.scope.world, class)?
        {
            let class = class.name.to_string();
            return Ok(View { class, fields });
        }
        for (index, &value) in values.iter().enumerate() {
            let vague = self.case.vague.contains_key(&Place::Field(loc, index));
            let seen = match value {
                _ if vague => Seen::Nothing,
                Value::Ref(target) => match self.things.get(target)? {
                    // Nothing more than that they are there is asserted.
                    Thing::Lambda(_) => Seen::Nothing,
                    Thing::Object(class, _)
                        if class.enclosing_method.is_some()
                            && !self.case.before.cells.contains_key(&target) =>
                    {
                        Seen::Nothing
                    }
                    Thing::Array(_) | Thing::Object(..) => Seen::Object(target),
                    value @ (Thing::Text(_) | Thing::Boxed(..)) => {
                        Seen::Value(format!("{value:?}"))
                    }
                    Thing::Global(global) => Seen::Value(format!("{global:?}")),
                },
                scalar => Seen::Value(scalar.to_string()),
            };
            fields.push(seen);
        }
        Ok(View { class, fields })
    }

    /// New objects that look like others are none of these.
    fn tell_apart(
        &mut self,
        views: &BTreeMap<Loc, View>,
        agenda: &Agenda,
    ) -> Result<(), EmitError> {
        let mut blocks: BTreeMap<usize, Vec<Loc>> = BTreeMap::new();
        for (loc, block) in bisimilar(views) {
            blocks.entry(block).or_default().push(loc);
        }
        for members in blocks.into_values() {
            if members.len() < 2 || !members.iter().any(|loc| agenda.new.contains(loc)) {
                continue;
            }
            let names: Result<Vec<String>, EmitError> =
                members.iter().map(|&loc| self.variable(loc)).collect();
            let names = names?;
            let name = match names.len() {
                2 => self.scope.assertion("assertNotSame"),
                _ => {
                    self.scope.need(Helper::Distinct);
                    "distinct"
                }
            };
            let lines = wrapped(&format!("{name}("), &names, ");");
            self.lines.extend(lines);
        }
        Ok(())
    }
}

/// The assertions about each object, as many on a line as fit.
fn joined(objects: Vec<Vec<String>>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for object in objects {
        // Statements of several lines stay as they are.
        let simple = object
            .iter()
            .all(|line| line.ends_with(");") && !line.starts_with(' '));
        let mut is_first = true;
        for assertion in object {
            match lines.last_mut() {
                Some(line) if simple && !is_first && line.len() + assertion.len() + 9 <= WIDTH => {
                    line.push(' ');
                    line.push_str(&assertion);
                }
                _ => lines.push(assertion),
            }
            is_first = false;
        }
    }
    lines
}
