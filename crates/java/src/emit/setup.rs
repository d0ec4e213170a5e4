//! The input: statements that build the heap before the call.
//!
//! Every array and object gets a variable, named after the parameter or field that leads there.
//! Objects are made after what they refer to, so that constructors can be given it; references
//! that close a cycle are assigned as soon as both of their ends exist. Strings and boxed values
//! are written where they are used, unless they could be confused with equal ones.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use heapwright_logic::{Cell, Loc, Value};

use super::call::parameter_name;
use super::case::GlobalObject;
use super::constructors::{Source, effect, field_key};
use super::error::EmitError;
use super::helper::Helper;
use super::literal::{assigned_literal, box_name, is_cached, literal, string};
use super::names::{variable, word_for};
use super::test_method::{WIDTH, Writer, quoted};
use super::things::{Thing, fits};
use crate::classfile::{Class, Method};
use crate::descriptor::Type;
use crate::hierarchy::DeclaredField;

/// Arrays with more elements than this are filled one by one if most have their default.
const LONG_ARRAY: usize = 16;

/// A constructor call that can be written.
struct Construction {
    constructor: Arc<Method>,
    arguments: Vec<Value>,
    /// Which fields have their value afterwards.
    right: Vec<bool>,
}

/// References that wait for the object that they lead to: the object, and the field.
type Pending = BTreeMap<Loc, Vec<(Loc, usize)>>;

impl Writer<'_, '_> {
    /// Builds the input; gives the arrays and objects that were made.
    pub fn set_up(&mut self) -> Result<Vec<Loc>, EmitError> {
        let case = self.case;
        self.check_arguments()?;
        let mut roots = case.arguments.clone();
        roots.extend(case.statics.iter().map(|field| field.value));
        let world = self.scope.world;
        let order = (self.things).explore(world, &case.before, &case.globals, &roots)?;
        self.name_objects(&order)?;
        self.make_values()?;
        let mut made = BTreeSet::new();
        let mut visited = BTreeSet::new();
        let mut pending = Pending::new();
        for root in roots {
            if let Value::Ref(loc) = root {
                self.make(loc, &mut visited, &mut made, &mut pending)?;
            }
        }
        for field in &case.statics {
            self.set_static(field)?;
        }
        Ok(order)
    }

    /// The arguments have the types of the parameters.
    fn check_arguments(&self) -> Result<(), EmitError> {
        let declared = &self.case.method.declared.method;
        let mut types = declared.descriptor.parameters.clone();
        if !declared.access.is_static() && !declared.is_constructor() {
            types.insert(0, self.case.method.class.ty());
        }
        let given = self.case.arguments.len();
        if given != types.len() {
            let expected = types.len();
            return Err(EmitError::WrongCount { expected, given });
        }
        let (world, case) = (self.scope.world, self.case);
        for (index, (value, ty)) in case.arguments.iter().zip(&types).enumerate() {
            if !fits(world, &case.before, &case.globals, *value, ty)? {
                return Err(EmitError::WrongValue(format!("argument {index}")));
            }
        }
        Ok(())
    }

    /// Names after parameters, then after fields, then after classes.
    fn name_objects(&mut self, order: &[Loc]) -> Result<(), EmitError> {
        let declared = &self.case.method.declared.method;
        let has_receiver = !declared.access.is_static() && !declared.is_constructor();
        let mut hints: BTreeMap<Loc, String> = BTreeMap::new();
        for (index, value) in self.case.arguments.iter().enumerate() {
            let parameter = match has_receiver {
                true => index.checked_sub(1),
                false => Some(index),
            };
            let hint = parameter.and_then(|index| parameter_name(declared, index));
            if let (Value::Ref(loc), Some(hint)) = (value, hint) {
                hints.entry(*loc).or_insert(hint);
            }
        }
        for field in &self.case.statics {
            if let (Value::Ref(loc), Some(hint)) = (field.value, variable(&field.field)) {
                hints.entry(loc).or_insert(hint);
            }
        }
        for &loc in order {
            self.hints_of_fields(loc, &mut hints)?;
            let hint = match hints.remove(&loc) {
                Some(hint) => hint,
                None => self.word(loc)?,
            };
            let name = self.names.plain(&hint);
            self.variables.insert(loc, name);
        }
        Ok(())
    }

    fn hints_of_fields(
        &self,
        loc: Loc,
        hints: &mut BTreeMap<Loc, String>,
    ) -> Result<(), EmitError> {
        let Thing::Object(_, fields) = self.things.get(loc)? else {
            return Ok(());
        };
        for (field, value) in fields.iter().zip(&self.before(loc)?.fields) {
            if let Value::Ref(target) = value
                && !self.variables.contains_key(target)
                && let Some(hint) = variable(&field.field.name)
            {
                hints.entry(*target).or_insert(hint);
            }
        }
        Ok(())
    }

    /// A word for an object after its class.
    pub fn word(&self, loc: Loc) -> Result<String, EmitError> {
        Ok(match self.things.get(loc)? {
            Thing::Object(class, _) => word_for(class.simple_name()),
            Thing::Array(_) => "array".to_owned(),
            Thing::Text(_) => "text".to_owned(),
            Thing::Boxed(primitive, _) => word_for(box_name(*primitive)),
            _ => "object".to_owned(),
        })
    }

    pub fn before(&self, loc: Loc) -> Result<&Cell, EmitError> {
        let cell = self.case.before.cells.get(&loc);
        cell.ok_or(EmitError::Dangling(loc))
    }

    /// Variables for strings and boxes that are shared, or that equal others which they are not.
    fn make_values(&mut self) -> Result<(), EmitError> {
        let mut uses: BTreeMap<Loc, usize> = BTreeMap::new();
        let fields = self
            .variables
            .keys()
            .filter_map(|loc| self.case.before.cells.get(loc));
        let fields = fields.flat_map(|cell| &cell.fields);
        let statics = self.case.statics.iter().map(|field| &field.value);
        for value in fields.chain(&self.case.arguments).chain(statics) {
            if let Value::Ref(loc) = value {
                *uses.entry(*loc).or_default() += 1;
            }
        }
        let mut known = BTreeSet::new();
        for global in self.case.globals.values() {
            if let GlobalObject::Literal(text) = global {
                known.insert(string(text.units()));
            }
        }
        for (loc, count) in uses {
            let (class, fresh) = match self.things.get(loc)?.clone() {
                Thing::Text(units) => {
                    let text = string(&units);
                    let taken = !known.insert(text.clone());
                    let fresh = taken.then(|| format!("new String({text})"));
                    ("String", fresh)
                }
                Thing::Boxed(primitive, value) => {
                    let text = literal(&Type::Primitive(primitive), value);
                    let text = text.ok_or(EmitError::WrongCell(loc))?;
                    let class = box_name(primitive);
                    let cached = is_cached(primitive, value);
                    let taken = cached && !known.insert(format!("{class} {text}"));
                    self.scope.deprecated |= taken;
                    let shared = !cached && count > 1;
                    let fresh = match (taken, shared) {
                        (true, _) => Some(format!("new {class}({text})")),
                        (_, true) => Some(format!("{class}.valueOf({text})")),
                        _ => None,
                    };
                    (class, fresh)
                }
                _ => continue,
            };
            if let Some(fresh) = fresh {
                let name = self.names.plain(&self.word(loc)?);
                self.line(format!("{class} {name} = {fresh};"));
                self.variables.insert(loc, name);
            }
        }
        Ok(())
    }

    /// Makes an object and what it reaches, the latter first. Without recursion, because lists
    /// may be longer than the stack is deep.
    fn make(
        &mut self,
        root: Loc,
        visited: &mut BTreeSet<Loc>,
        made: &mut BTreeSet<Loc>,
        pending: &mut Pending,
    ) -> Result<(), EmitError> {
        enum Step {
            Enter(Loc),
            Leave(Loc),
        }
        let mut steps = vec![Step::Enter(root)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(loc) => {
                    if !self.is_composite(loc)? || !visited.insert(loc) {
                        continue;
                    }
                    // Inner objects are made by the object around them, so after it.
                    let (inner, other): (Vec<Loc>, Vec<Loc>) = (self.before(loc)?.fields.iter())
                        .rev()
                        .filter_map(|field| match field {
                            Value::Ref(next) => Some(*next),
                            _ => None,
                        })
                        .partition(|&next| self.is_inside(next, loc));
                    steps.extend(inner.into_iter().map(Step::Enter));
                    steps.push(Step::Leave(loc));
                    steps.extend(other.into_iter().map(Step::Enter));
                }
                Step::Leave(loc) => {
                    self.make_one(loc, made, pending)?;
                    made.insert(loc);
                    for (object, index) in pending.remove(&loc).unwrap_or_default() {
                        self.assign(object, index)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether an object is an inner one of another.
    fn is_inside(&self, inner: Loc, outer: Loc) -> bool {
        let (Ok(Thing::Object(_, fields)), Ok(cell)) = (self.things.get(inner), self.before(inner))
        else {
            return false;
        };
        (fields.iter().zip(&cell.fields)).any(|(field, &value)| {
            let is_outer =
                field.field.access.is_synthetic() && field.field.name.starts_with("this$");
            is_outer && value == Value::Ref(outer)
        })
    }

    pub fn is_composite(&self, loc: Loc) -> Result<bool, EmitError> {
        Ok(self.things.get(loc)?.ty().is_some())
    }

    /// Whether a value can be written now.
    fn is_made(&self, made: &BTreeSet<Loc>, value: Value) -> Result<bool, EmitError> {
        match value {
            Value::Ref(loc) => Ok(made.contains(&loc) || !self.is_composite(loc)?),
            _ => Ok(true),
        }
    }

    fn make_one(
        &mut self,
        loc: Loc,
        made: &BTreeSet<Loc>,
        pending: &mut Pending,
    ) -> Result<(), EmitError> {
        let cell = self.before(loc)?.clone();
        let right = match self.things.get(loc)?.clone() {
            Thing::Array(element) => self.make_array(loc, &element, &cell, made)?,
            Thing::Object(class, fields) => self.make_object(loc, &class, &fields, &cell, made)?,
            _ => return Ok(()),
        };
        for (index, (value, right)) in cell.fields.iter().zip(right).enumerate() {
            match value {
                _ if right => {}
                Value::Ref(target) if *target != loc && !self.is_made(made, *value)? => {
                    pending.entry(*target).or_default().push((loc, index));
                }
                _ => self.assign(loc, index)?,
            }
        }
        Ok(())
    }

    fn make_array(
        &mut self,
        loc: Loc,
        element: &Type,
        cell: &Cell,
        made: &BTreeSet<Loc>,
    ) -> Result<Vec<bool>, EmitError> {
        let name = self.variable(loc)?;
        let length = cell.fields.len();
        let defaults: Vec<bool> = cell.fields.iter().map(|&value| is_default(value)).collect();
        let array = element.clone().array_of();
        let Some(ty) = self.scope.type_name(&array)? else {
            let component = self.scope.class_literal(element)?;
            self.line(format!(
                "Object[] {name} = (Object[]) java.lang.reflect.Array.newInstance({component}, {length});"
            ));
            return Ok(defaults);
        };
        let others = defaults.iter().filter(|is_default| !**is_default).count();
        if (others == 0 && length > 0) || (length > LONG_ARRAY && others * 4 < length) {
            let mut dimensions = String::new();
            let mut base = element;
            while let Type::Array(inner) = base {
                dimensions.push_str("[]");
                base = inner;
            }
            let base = self.scope.type_name(base)?.unwrap_or_default();
            self.line(format!("{ty} {name} = new {base}[{length}]{dimensions};"));
            return Ok(defaults);
        }
        let mut right = Vec::new();
        let mut elements = Vec::new();
        for &value in &cell.fields {
            let made = value != Value::Ref(loc) && self.is_made(made, value)?;
            let value_text = match made {
                true => match assigned_literal(element, value) {
                    Some(text) => text,
                    None => {
                        let fitting = self.fitting(value, element)?;
                        fitting.unwrap_or_else(|| "null".to_owned())
                    }
                },
                false => "null".to_owned(),
            };
            elements.push(value_text);
            right.push(made);
        }
        let lines = wrapped(&format!("{ty} {name} = {{"), &elements, "};");
        self.lines.extend(lines);
        Ok(right)
    }

    fn make_object(
        &mut self,
        loc: Loc,
        class: &Arc<Class>,
        fields: &[DeclaredField],
        cell: &Cell,
        made: &BTreeSet<Loc>,
    ) -> Result<Vec<bool>, EmitError> {
        let name = self.variable(loc)?;
        let best = self.best_construction(class, fields, cell, made)?;
        if let Some(best) = best
            && let Some(creation) = self.creation(class, &best.constructor, &best.arguments)?
        {
            let ty = self.scope.type_name(&class.ty())?.unwrap_or_default();
            self.line(format!("{ty} {name} = {creation};"));
            return Ok(best.right);
        }
        if class.record.is_some() {
            return Err(EmitError::CannotMake {
                class: class.name.clone(),
                reason: "the constructor of the record does more than assign its components",
            });
        }
        self.scope.need(Helper::Make);
        let literal = self.scope.class_literal(&class.ty())?;
        let ty = self.scope.type_name(&class.ty())?;
        let ty = ty.unwrap_or_else(|| "Object".to_owned());
        self.line(format!("{ty} {name} = make({literal});"));
        Ok(cell.fields.iter().map(|&value| is_default(value)).collect())
    }

    /// The constructor after which the fewest fields remain to be assigned.
    fn best_construction(
        &mut self,
        class: &Arc<Class>,
        fields: &[DeclaredField],
        cell: &Cell,
        made: &BTreeSet<Loc>,
    ) -> Result<Option<Construction>, EmitError> {
        let instantiable = !class.access.is_abstract() && self.scope.is_nameable(&class.ty())?;
        if !instantiable {
            return Ok(None);
        }
        let mut best: Option<((usize, usize), Construction)> = None;
        for method in class
            .methods
            .iter()
            .filter(|method| method.is_constructor())
        {
            let visible = self.scope.sees(method.access, class) && !method.access.is_synthetic();
            let checked = !method.exceptions.is_empty();
            if !visible || checked {
                continue;
            }
            let Some(effect) = effect(self.scope.hierarchy(), class, method)? else {
                continue;
            };
            // What each parameter has to be for its field to become right.
            let parameters = &method.descriptor.parameters;
            let mut arguments: Vec<Option<Value>> = vec![None; parameters.len()];
            for (field, &value) in fields.iter().zip(&cell.fields) {
                if let Some(Source::Parameter(index)) = effect.fields.get(&field_key(field))
                    && let Some(argument) = arguments.get_mut(*index)
                    && argument.is_none()
                    && self.is_made(made, value)?
                    && fits(
                        self.scope.world,
                        &self.case.before,
                        &self.case.globals,
                        value,
                        parameters.get(*index).unwrap_or(&field.field.ty),
                    )?
                {
                    *argument = Some(value);
                }
            }
            let arguments: Vec<Value> = (arguments.into_iter().zip(parameters))
                .map(|(argument, ty)| argument.unwrap_or_else(|| default_of(ty)))
                .collect();
            let null = |index: &usize| arguments.get(*index) == Some(&Value::Null);
            if effect.not_null.iter().any(null) {
                continue;
            }
            let right: Vec<bool> = (fields.iter().zip(&cell.fields))
                .map(
                    |(field, value)| match effect.fields.get(&field_key(field)) {
                        Some(Source::Parameter(index)) => arguments.get(*index) == Some(value),
                        Some(Source::Constant(constant)) => constant == value,
                        Some(Source::Other) => false,
                        None => is_default(*value),
                    },
                )
                .collect();
            let remaining = right.iter().filter(|right| !**right).count();
            if class.record.is_some() && remaining > 0 {
                continue;
            }
            let cost = (remaining, parameters.len());
            if best.as_ref().is_none_or(|(known, _)| cost < *known) {
                let constructor = method.clone();
                best = Some((
                    cost,
                    Construction {
                        constructor,
                        arguments,
                        right,
                    },
                ));
            }
        }
        Ok(best.map(|(_, construction)| construction))
    }

    /// Assigns the value that a field or element has before the call.
    fn assign(&mut self, loc: Loc, index: usize) -> Result<(), EmitError> {
        let value = self.before(loc)?.fields.get(index).copied();
        let value = value.ok_or(EmitError::WrongCell(loc))?;
        let name = self.variable(loc)?;
        let (class, fields) = match self.things.get(loc)?.clone() {
            Thing::Object(class, fields) => (class, fields),
            Thing::Array(element) => {
                let text = match assigned_literal(&element, value) {
                    Some(text) => text,
                    None => self.expression(value, &element)?,
                };
                self.line(format!("{name}[{index}] = {text};"));
                return Ok(());
            }
            _ => return Err(EmitError::WrongCell(loc)),
        };
        let field = fields.get(index).ok_or(EmitError::WrongCell(loc))?;
        if class.record.is_some() {
            return Err(EmitError::CannotMake {
                class: class.name.clone(),
                reason: "the record refers to an object that refers to the record",
            });
        }
        let place = match field.field.access.is_final() {
            true => None,
            false => self.place(&name, &class, &fields, field)?,
        };
        if let Some(place) = place {
            let ty = &field.field.ty;
            let text = match assigned_literal(ty, value) {
                Some(text) => Some(text),
                None => self.fitting(value, ty)?,
            };
            if let Some(text) = text {
                self.line(format!("{place} = {text};"));
                return Ok(());
            }
        }
        let text = self.expression(value, &field.field.ty)?;
        let quoted = quoted(&field.field.name);
        match is_ambiguous(&fields, field) {
            true => {
                self.scope.need(Helper::SetDeclared);
                let ty = self.scope.class_literal(&field.class.ty())?;
                self.line(format!("set({name}, {ty}, {quoted}, {text});"));
            }
            false => {
                self.scope.need(Helper::Set);
                self.line(format!("set({name}, {quoted}, {text});"));
            }
        }
        Ok(())
    }

    /// A field of an object as source code writes it; nothing if it cannot be seen.
    pub fn place(
        &mut self,
        object: &str,
        class: &Arc<Class>,
        fields: &[DeclaredField],
        field: &DeclaredField,
    ) -> Result<Option<String>, EmitError> {
        let visible = self.scope.sees(field.field.access, &field.class)
            && !field.field.access.is_synthetic()
            && self.scope.is_nameable(&class.ty())?;
        if !visible {
            return Ok(None);
        }
        let signature = field.field.signature.as_deref().unwrap_or_default();
        let inherited = field.class.name != class.name;
        // Subclasses may say what a type variable stands for; the heap knows erased types only.
        let refined = inherited && signature.trim_start_matches('[').starts_with('T');
        if !refined && !is_ambiguous(fields, field) {
            return Ok(Some(format!("{object}.{}", field.field.name)));
        }
        let declaring = self.scope.class_name(&field.class.name)?;
        Ok(declaring.map(|declaring| match inherited {
            true => format!("(({declaring}) {object}).{}", field.field.name),
            false => format!("{object}.{}", field.field.name),
        }))
    }

    pub fn variable(&self, loc: Loc) -> Result<String, EmitError> {
        let name = self.variables.get(&loc).cloned();
        name.ok_or(EmitError::Dangling(loc))
    }
}

/// Whether an object has several fields of a name.
pub(super) fn is_ambiguous(fields: &[DeclaredField], field: &DeclaredField) -> bool {
    let name = &field.field.name;
    fields.iter().filter(|one| one.field.name == *name).count() > 1
}

/// Whether a field has this value in a new object.
pub(super) fn is_default(value: Value) -> bool {
    matches!(
        value,
        Value::Null | Value::Bool(false) | Value::Int(0) | Value::Single(0) | Value::Double(0)
    )
}

/// The value of a field in a new object.
fn default_of(ty: &Type) -> Value {
    use crate::descriptor::Primitive;
    match ty {
        Type::Primitive(Primitive::Boolean) => Value::Bool(false),
        Type::Primitive(Primitive::Float) => Value::Single(0),
        Type::Primitive(Primitive::Double) => Value::Double(0),
        Type::Primitive(_) => Value::Int(0),
        _ => Value::Null,
    }
}

/// Items between two texts, on as many lines as they need.
pub(super) fn wrapped(start: &str, items: &[String], end: &str) -> Vec<String> {
    let mut lines = vec![start.to_owned()];
    for (index, item) in items.iter().enumerate() {
        let item = match index + 1 == items.len() {
            true => format!("{item}{end}"),
            false => format!("{item},"),
        };
        match lines.last_mut() {
            Some(line) if index == 0 || line.len() + item.len() + 9 <= WIDTH => {
                if index > 0 {
                    line.push(' ');
                }
                line.push_str(&item);
            }
            _ => lines.push(format!("    {item}")),
        }
    }
    if let (true, Some(line)) = (items.is_empty(), lines.last_mut()) {
        line.push_str(end);
    }
    lines
}
