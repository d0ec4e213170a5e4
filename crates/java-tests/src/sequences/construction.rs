//! Calls that build the receiver of a test.

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_engine::sequences::{Argument, Call, Goal, Sequence, SequenceBounds, construct};
use heapwright_java::descriptor::{Primitive, Type};
use heapwright_java::emit::Given;
use heapwright_java::target::TargetMethod;
use heapwright_java::world::STRING;
use heapwright_logic::{ClassId, Heap, Value};

use super::values::{exported, imported};
use super::{Domains, FoundValues, GrowingWorld, JavaType, Roles, Written};
use crate::program::JavaProgram;
use heapwright_testgen::Error;

/// More values than these make too many calls.
const MOST_VALUES: usize = 16;

/// The boxes, with what is in them.
const BOXES: [(&str, Primitive); 8] = [
    ("java.lang.Boolean", Primitive::Boolean),
    ("java.lang.Byte", Primitive::Byte),
    ("java.lang.Character", Primitive::Char),
    ("java.lang.Short", Primitive::Short),
    ("java.lang.Integer", Primitive::Int),
    ("java.lang.Long", Primitive::Long),
    ("java.lang.Float", Primitive::Float),
    ("java.lang.Double", Primitive::Double),
];

impl JavaProgram {
    /// Searches for a sequence of public calls that builds the receiver of a call, with the call at
    /// its end. Nothing if none is found, and where other arguments than null, numbers and strings
    /// are needed.
    pub fn construct(
        &mut self,
        target: &TargetMethod,
        arguments: &[Value],
        heap: &Heap,
        ignored: BTreeSet<String>,
        bounds: &SequenceBounds,
    ) -> Result<Option<(JavaType, Sequence)>, Error> {
        let Some((&Value::Ref(receiver), others)) = arguments.split_first() else {
            return Ok(None);
        };
        let values = self.values()?;
        let Some(found) = self.found_values(heap, &values, &ignored) else {
            return Ok(None);
        };
        let goal = Goal {
            heap: heap.clone(),
            receiver,
            values: values.into_iter().map(|(class, _)| class).collect(),
            hidden: ["hash", "hashIsZero"].map(ToOwned::to_owned).into(),
        };
        let roles = Roles {
            builders: None,
            tested: std::slice::from_ref(target),
            ignored,
        };
        // Fewer values first: a map with null for all of them may be all that is wanted.
        for size in [0, 1] {
            let domains = Domains {
                is_lenient: false,
                size,
                given: Vec::new(),
                found: Some(found.clone()),
            };
            // A class without constructors is none that calls could build.
            let mut java_type = match self.data_type(&target.class, &roles, &domains) {
                Ok(java_type) => java_type,
                Err(error) if error.spares_other_targets() => return Ok(None),
                Err(failure) => return Err(failure),
            };
            let Some(last) = self.last_call(&mut java_type, target, heap, others)? else {
                return Ok(None);
            };
            let program = Arc::new(self.world.program().clone());
            let mut growth = GrowingWorld {
                world: &mut self.world,
            };
            let data_type = &java_type.data_type;
            let (sequence, _) = construct(program, &mut growth, data_type, &goal, bounds);
            if let Some(mut sequence) = sequence {
                sequence.calls.push(last);
                return Ok(Some((java_type, sequence)));
            }
        }
        Ok(None)
    }

    /// The call under test; nothing if an argument is an object.
    fn last_call(
        &mut self,
        java_type: &mut JavaType,
        target: &TargetMethod,
        heap: &Heap,
        values: &[Value],
    ) -> Result<Option<Call>, Error> {
        let types = &target.declared.method.descriptor.parameters;
        let mut arguments = Vec::new();
        for (&value, ty) in values.iter().zip(types) {
            match self.argument(&mut java_type.written, heap, value, ty)? {
                Some(argument) => arguments.push(argument),
                None => return Ok(None),
            }
        }
        let operation = java_type.operation(target);
        Ok(operation.map(|operation| Call {
            operation,
            arguments,
        }))
    }

    /// The classes whose objects are values; with the types of the boxes among them.
    fn values(&mut self) -> Result<Vec<(ClassId, Option<Primitive>)>, Error> {
        let mut values = Vec::new();
        let boxes = BOXES.map(|(name, primitive)| (name, Some(primitive)));
        for (name, primitive) in boxes.into_iter().chain([(STRING, None)]) {
            let class = self.world.complete(&Type::class(name));
            let class = class.map_err(Error::code)?;
            values.push((class, primitive));
        }
        Ok(values)
    }

    /// The numbers and strings of a heap; nothing if there are too many.
    fn found_values(
        &self,
        heap: &Heap,
        values: &[(ClassId, Option<Primitive>)],
        ignored: &BTreeSet<String>,
    ) -> Option<FoundValues> {
        let mut found = FoundValues::default();
        let definitions = &self.world.program().definitions;
        let strings = heap.cells.iter().filter(|(_, cell)| {
            let known = values.iter().find(|(class, _)| *class == cell.class);
            known.is_some_and(|(_, primitive)| primitive.is_none())
        });
        let mut inside = BTreeSet::new();
        for (&loc, cell) in strings {
            inside.insert(loc);
            inside.extend(cell.fields.iter().filter_map(|field| match field {
                Value::Ref(array) => Some(*array),
                _ => None,
            }));
            found
                .texts
                .extend(heapwright_java::display::string_at(definitions, heap, loc));
        }
        for (loc, cell) in &heap.cells {
            if inside.contains(loc) {
                continue;
            }
            let is_box = values.iter().any(|(class, _)| *class == cell.class);
            let known = definitions.class(cell.class).fields.iter();
            let names = known
                .map(|field| Some(&field.name))
                .chain(std::iter::repeat(None));
            for (field, name) in cell.fields.iter().zip(names) {
                let counts = name.is_none_or(|name| !ignored.contains(name));
                match field {
                    Value::Int(number) if is_box => found.boxed.insert(*number),
                    Value::Int(number) if counts => found.numbers.insert(*number),
                    _ => false,
                };
            }
        }
        // Some shapes need elements that are removed again.
        for numbers in [&mut found.numbers, &mut found.boxed] {
            let ends = numbers.first().copied().zip(numbers.last().copied());
            if let Some((first, last)) = ends {
                numbers.extend([first.saturating_sub(1), last.saturating_add(1)]);
            }
        }
        let count = found.numbers.len() + found.boxed.len() + found.texts.len();
        (count <= MOST_VALUES).then_some(found)
    }

    /// A value of a heap as the argument of a call; nothing if it is an object.
    pub(crate) fn argument(
        &mut self,
        written: &mut Written,
        heap: &Heap,
        value: Value,
        ty: &Type,
    ) -> Result<Option<Argument>, Error> {
        let Value::Ref(loc) = value else {
            let fits = ty.is_reference() == (value == Value::Null);
            return Ok(imported(value).filter(|_| fits).map(Argument::Value));
        };
        let Some(cell) = heap.cells.get(&loc) else {
            return Ok(None);
        };
        let Some(found) = self.world.type_of(cell.class).map(ToString::to_string) else {
            return Ok(None);
        };
        if found == STRING {
            let definitions = &self.world.program().definitions;
            let Some(text) = heapwright_java::display::string_at(definitions, heap, loc) else {
                return Ok(None);
            };
            let given = Given::Text(text.clone());
            if let Some(known) = written.known(&given) {
                return Ok(Some(known));
            }
            let function = self.world.literal_function(&text);
            let function = function.map_err(Error::code)?;
            let argument = Argument::Made(function, Vec::new());
            return Ok(Some(written.enter(argument, given)));
        }
        let Some((_, primitive)) = BOXES.iter().find(|(name, _)| *name == found) else {
            return Ok(None);
        };
        let scalar = cell.fields.iter().find_map(|&field| imported(field));
        let Some(scalar) = scalar else {
            return Ok(None);
        };
        let function = self.world.boxing(*primitive);
        let function = function.map_err(Error::code)?;
        let argument = Argument::Made(function, vec![scalar]);
        let given = Given::Boxed(*primitive, exported(scalar));
        Ok(Some(written.enter(argument, given)))
    }
}
