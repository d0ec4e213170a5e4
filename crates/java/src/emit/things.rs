//! What the cells of the heaps are in Java.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use heapwright_logic::{Cell, Heap, Loc, Value};

use super::case::GlobalObject;
use super::error::EmitError;
use super::literal::unboxed;
use crate::classfile::Class;
use crate::descriptor::{Name, Primitive, Type};
use crate::hierarchy::{DeclaredField, Hierarchy};
use crate::world::{CLASS, Functional, STRING, THROWABLE, World};

/// The superclass of enums.
const ENUM: &str = "java.lang.Enum";

/// What a cell is.
#[derive(Debug, Clone)]
pub(super) enum Thing {
    /// A string, by its UTF-16 units.
    Text(Vec<u16>),
    /// A boxed value.
    Boxed(Primitive, Value),
    /// An object of the program.
    Global(GlobalObject),
    /// An array, with the type of its elements.
    Array(Type),
    /// An object with fields.
    Object(Arc<Class>, Arc<[DeclaredField]>),
    /// A function of the input that always returns the same.
    Function(Functional),
    /// An object of a class that exists in the translated program only: a lambda.
    Lambda(Name),
}

impl Thing {
    /// The type of arrays and objects.
    pub fn ty(&self) -> Option<Type> {
        match self {
            Thing::Array(element) => Some(element.clone().array_of()),
            Thing::Object(class, _) => Some(class.ty()),
            Thing::Function(function) => Some(function.interface.ty()),
            _ => None,
        }
    }
}

/// The things that can be reached in a heap.
#[derive(Debug, Default)]
pub(super) struct Things {
    things: BTreeMap<Loc, Thing>,
    /// Loaded layouts, by class.
    layouts: BTreeMap<Name, Arc<[DeclaredField]>>,
}

impl Things {
    pub fn get(&self, loc: Loc) -> Result<&Thing, EmitError> {
        self.things.get(&loc).ok_or(EmitError::Dangling(loc))
    }

    /// Looks at everything that the roots reach in a heap, breadth first; gives the arrays and
    /// objects in the order in which they were found.
    pub fn explore(
        &mut self,
        world: &World,
        heap: &Heap,
        globals: &BTreeMap<Loc, GlobalObject>,
        roots: &[Value],
    ) -> Result<Vec<Loc>, EmitError> {
        let mut order = Vec::new();
        let mut seen = BTreeSet::new();
        let mut queue: VecDeque<Value> = roots.iter().copied().collect();
        while let Some(value) = queue.pop_front() {
            let Value::Ref(loc) = value else { continue };
            if !seen.insert(loc) {
                continue;
            }
            if let Some(global) = globals.get(&loc) {
                self.things.insert(loc, Thing::Global(global.clone()));
                continue;
            }
            let cell = heap.cells.get(&loc).ok_or(EmitError::Dangling(loc))?;
            let thing = self.look(world, heap, loc, cell)?;
            if thing.ty().is_some() {
                check_references(world, heap, globals, loc, cell, &thing)?;
                queue.extend(cell.fields.iter().copied());
                order.push(loc);
            }
            let changed = |known: &Thing| known.ty() != thing.ty();
            if self.things.get(&loc).is_some_and(changed) {
                return Err(EmitError::ChangedClass(loc));
            }
            self.things.insert(loc, thing);
        }
        Ok(order)
    }

    fn look(
        &mut self,
        world: &World,
        heap: &Heap,
        loc: Loc,
        cell: &Cell,
    ) -> Result<Thing, EmitError> {
        let known = world.type_of(cell.class);
        let ty = known.ok_or(EmitError::UnknownClass(cell.class))?;
        let name = match ty {
            Type::Array(element) => return array(world, loc, cell, element),
            Type::Class(name) => name,
            Type::Primitive(_) => return Err(EmitError::UnknownClass(cell.class)),
        };
        let sorts = &world.program().definitions.class(cell.class).fields;
        let fits = sorts.len() == cell.fields.len()
            && (sorts.iter().zip(&cell.fields)).all(|(field, value)| value.has_sort(field.sort));
        if !fits {
            return Err(EmitError::WrongCell(loc));
        }
        let field = |name: &str| {
            let place = sorts.iter().position(|field| field.name == name)?;
            cell.fields.get(place).copied()
        };
        if **name == *STRING {
            let text = text(heap, field("value"), field("coder"));
            return Ok(Thing::Text(text.ok_or(EmitError::WrongCell(loc))?));
        }
        if let (Some(primitive), Some(value)) = (unboxed(name), field("value")) {
            return Ok(Thing::Boxed(primitive, value));
        }
        let named = |field: Option<Value>| {
            let Some(Value::Ref(loc)) = field else {
                return None;
            };
            let string = heap.cells.get(&loc)?;
            let fields = &world.program().definitions.class(string.class).fields;
            let part = |name: &str| {
                let place = fields.iter().position(|field| field.name == name)?;
                string.fields.get(place).copied()
            };
            String::from_utf16(&text(heap, part("value"), part("coder"))?).ok()
        };
        if **name == *CLASS {
            let ty = named(field("name")).and_then(|name| class_object(&name));
            let class = || EmitError::CannotMake {
                class: name.clone(),
                reason: "it is not known for which class it stands",
            };
            return Ok(Thing::Global(GlobalObject::Class(ty.ok_or_else(class)?)));
        }
        if let Some(function) = world.implemented(name) {
            return Ok(Thing::Function(function));
        }
        if !matches!(world.class_path().class_file(name), Ok(Some(_))) {
            return Ok(Thing::Lambda(name.clone()));
        }
        let hierarchy = Hierarchy::new(world.class_path());
        let class = hierarchy.load(name)?;
        let chain = hierarchy.superclasses(&class)?;
        let declaring = (chain.iter())
            .find(|class| class.superclass.as_deref() == Some(ENUM) && class.access.is_enum());
        if let Some(declaring) = declaring {
            let constant = named(field("name")).ok_or(EmitError::WrongCell(loc))?;
            return Ok(Thing::Global(GlobalObject::StaticField {
                class: declaring.name.clone(),
                field: constant.into(),
            }));
        }
        let layout = match self.layouts.get(name) {
            Some(known) => known.clone(),
            None => {
                let layout: Arc<[DeclaredField]> = hierarchy.instance_fields(&class)?.into();
                self.layouts.insert(name.clone(), layout.clone());
                layout
            }
        };
        // The exceptions of faults know more than others.
        let is_fault = world.is_fault_class(cell.class) && layout.len() < cell.fields.len();
        if layout.len() != cell.fields.len() && !is_fault {
            return Err(EmitError::WrongCell(loc));
        }
        Ok(Thing::Object(class, layout))
    }
}

/// Whether the fields of a new object are of no interest to a test: those of local and anonymous
/// classes, and of exceptions.
pub(super) fn is_shallow(world: &World, class: &Arc<Class>) -> Result<bool, EmitError> {
    let hierarchy = Hierarchy::new(world.class_path());
    Ok(class.enclosing_method.is_some() || hierarchy.is_subclass(&class.name, THROWABLE)?)
}

fn array(world: &World, loc: Loc, cell: &Cell, element: &Arc<Type>) -> Result<Thing, EmitError> {
    let kind = world.program().classes.get(cell.class.index());
    let kind = kind.map(|info| &info.kind);
    let Some(heapwright_ir::ClassKind::Array { element: sort }) = kind else {
        return Err(EmitError::WrongCell(loc));
    };
    match cell.fields.iter().all(|value| value.has_sort(*sort)) {
        true => Ok(Thing::Array((**element).clone())),
        false => Err(EmitError::WrongCell(loc)),
    }
}

/// References lead to objects of fitting classes.
fn check_references(
    world: &World,
    heap: &Heap,
    globals: &BTreeMap<Loc, GlobalObject>,
    loc: Loc,
    cell: &Cell,
    thing: &Thing,
) -> Result<(), EmitError> {
    for (index, value) in cell.fields.iter().enumerate() {
        let ty = match thing {
            Thing::Array(element) => Some(element),
            Thing::Object(_, fields) => fields.get(index).map(|field| &field.field.ty),
            _ => None,
        };
        if let Some(ty) = ty
            && !fits(world, heap, globals, *value, ty)?
        {
            return Err(EmitError::WrongCell(loc));
        }
    }
    Ok(())
}

/// Whether a value can be in a place of a type. What stands behind globals is trusted.
pub(super) fn fits(
    world: &World,
    heap: &Heap,
    globals: &BTreeMap<Loc, GlobalObject>,
    value: Value,
    ty: &Type,
) -> Result<bool, EmitError> {
    Ok(match (value, ty) {
        (Value::Ref(loc), Type::Class(_) | Type::Array(_)) => {
            if globals.contains_key(&loc) {
                return Ok(true);
            }
            let cell = heap.cells.get(&loc).ok_or(EmitError::Dangling(loc))?;
            let class = world.type_of(cell.class);
            let class = class.ok_or(EmitError::UnknownClass(cell.class))?;
            Hierarchy::new(world.class_path()).is_subtype(class, ty)?
        }
        (Value::Null, ty) => ty.is_reference(),
        (value, Type::Primitive(primitive)) => {
            super::literal::literal(&Type::Primitive(*primitive), value).is_some()
        }
        _ => false,
    })
}

/// The units of a string from its bytes: Latin-1, or UTF-16 with the low byte first.
fn text(heap: &Heap, value: Option<Value>, coder: Option<Value>) -> Option<Vec<u16>> {
    let Some(Value::Ref(bytes)) = value else {
        return None;
    };
    let bytes = heap.cells.get(&bytes)?.fields.iter();
    let bytes: Option<Vec<u8>> = bytes
        .map(|byte| match byte {
            Value::Int(byte) => i8::try_from(*byte).ok().map(|byte| byte as u8),
            _ => None,
        })
        .collect();
    let bytes = bytes?;
    match coder? {
        Value::Int(0) => Some(bytes.into_iter().map(u16::from).collect()),
        Value::Int(1) if bytes.len() % 2 == 0 => {
            let pairs = bytes.chunks_exact(2);
            pairs
                .map(|pair| Some(u16::from_le_bytes([*pair.first()?, *pair.get(1)?])))
                .collect()
        }
        _ => None,
    }
}

/// The type that `Class.getName` wrote.
fn class_object(name: &str) -> Option<Type> {
    match name.starts_with('[') {
        true => Type::from_descriptor(&name.replace('.', "/")).ok(),
        false => name.parse().ok(),
    }
}
