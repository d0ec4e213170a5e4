//! Arguments of calls: values of Java's types, and what makes them.

use heapwright_engine::sequences::Argument;
use heapwright_ir::machine::concrete::Value;
use heapwright_java::descriptor::{Name, Primitive, Type};
use heapwright_java::emit::Given;
use heapwright_java::target::callable_constructors;
use heapwright_java::world::World;
use heapwright_logic::Value as LogicValue;
use heapwright_testgen::domain::Item;

use super::Written;
use heapwright_testgen::Error;

/// Collections that are made where an interface is wanted.
const COLLECTIONS: [(&[&str], &str); 3] = [
    (
        &[
            "java.util.Collection",
            "java.util.List",
            "java.lang.Iterable",
        ],
        "java.util.ArrayList",
    ),
    (
        &[
            "java.util.Map",
            "java.util.SortedMap",
            "java.util.NavigableMap",
        ],
        "java.util.TreeMap",
    ),
    (
        &["java.util.Set", "java.util.SortedSet"],
        "java.util.TreeSet",
    ),
];

/// The primitive type whose boxes stand for values of a class: `Integer` for everything that an
/// integer can be.
pub fn boxed_in(class: &str) -> Option<Primitive> {
    Some(match class {
        "java.lang.Boolean" => Primitive::Boolean,
        "java.lang.Byte" => Primitive::Byte,
        "java.lang.Character" => Primitive::Char,
        "java.lang.Short" => Primitive::Short,
        "java.lang.Long" => Primitive::Long,
        "java.lang.Float" => Primitive::Float,
        "java.lang.Double" => Primitive::Double,
        "java.lang.Integer"
        | "java.lang.Object"
        | "java.lang.Comparable"
        | "java.lang.Number"
        | "java.io.Serializable" => Primitive::Int,
        _ => return None,
    })
}

/// Makes arguments for a type.
pub struct Maker<'a> {
    /// Where classes and functions come from.
    pub world: &'a mut World,
    /// How the arguments are written.
    pub written: &'a mut Written,
    /// The type.
    pub ty: &'a Type,
}

impl Maker<'_> {
    /// The argument that a value becomes; nothing if it is none of the type.
    pub fn argument(&mut self, item: &Item) -> Result<Option<Argument>, Error> {
        Ok(match (self.ty, item) {
            (Type::Primitive(primitive), _) => scalar(*primitive, item).map(Argument::Value),
            (_, Item::Null) => Some(Argument::Value(Value::Null)),
            (Type::Class(name), Item::Text(text)) => {
                let fits = [
                    "java.lang.String",
                    "java.lang.CharSequence",
                    "java.lang.Object",
                ];
                let comparable = ["java.lang.Comparable", "java.io.Serializable"];
                if !fits.contains(&&**name) && !comparable.contains(&&**name) {
                    return Ok(None);
                }
                let given = Given::Text(text.clone());
                if let Some(known) = self.written.known(&given) {
                    return Ok(Some(known));
                }
                let function = self.world.literal_function(text);
                let function = function.map_err(Error::code)?;
                let argument = Argument::Made(function, Vec::new());
                Some(self.written.enter(argument, given))
            }
            (Type::Class(name), _) => {
                let primitive = match (&**name, item) {
                    ("java.lang.Object" | "java.lang.Comparable", Item::Truth(_)) => {
                        Some(Primitive::Boolean)
                    }
                    ("java.lang.Object" | "java.lang.Comparable", Item::Fraction(_)) => {
                        Some(Primitive::Double)
                    }
                    _ => boxed_in(name),
                };
                let Some(primitive) = primitive else {
                    return Ok(None);
                };
                let Some(value) = scalar(primitive, item) else {
                    return Ok(None);
                };
                let function = self.world.boxing(primitive);
                let function = function.map_err(Error::code)?;
                let argument = Argument::Made(function, vec![value]);
                let given = Given::Boxed(primitive, exported(value));
                Some(self.written.enter(argument, given))
            }
            (Type::Array(_), _) => None,
        })
    }

    /// The constants of an enum.
    pub fn constants(&mut self) -> Result<Vec<Argument>, Error> {
        let Some((class, constants)) = self.world.enum_constants(self.ty) else {
            return Ok(Vec::new());
        };
        let mut arguments = Vec::new();
        for field in constants {
            let given = Given::Constant {
                class: class.clone(),
                field: field.clone(),
            };
            if let Some(known) = self.written.known(&given) {
                arguments.push(known);
                continue;
            }
            let reader = self.world.static_reader(&class, &field);
            let reader = reader.map_err(Error::code)?;
            let argument = Argument::Made(reader, Vec::new());
            arguments.push(self.written.enter(argument, given));
        }
        Ok(arguments)
    }

    /// An object without contents, if a public constructor makes one.
    pub fn object(&mut self) -> Result<Option<Argument>, Error> {
        let Type::Class(name) = self.ty else {
            return Ok(None);
        };
        let is_value = boxed_in(name).is_some() || name.starts_with("java.lang.");
        if is_value {
            return Ok(None);
        }
        let collection = (COLLECTIONS.iter()).find(|(names, _)| names.contains(&&**name));
        let name: Name = collection.map_or_else(|| name.clone(), |(_, class)| (*class).into());
        let Ok(class) = self.world.class_path().load(&name) else {
            return Ok(None);
        };
        let is_nested_object = class
            .as_inner_class()
            .is_some_and(|inner| !inner.access.is_static());
        if class.access.is_abstract() || class.access.is_enum() || is_nested_object {
            return Ok(None);
        }
        let constructors = callable_constructors(&class);
        let constructor = (constructors.into_iter()).find(|one| {
            let method = &one.declared.method;
            method.access.is_public() && method.descriptor.parameters.is_empty()
        });
        let Some(constructor) = constructor.filter(|_| class.access.is_public()) else {
            return Ok(None);
        };
        let id = self.world.complete(&class.ty());
        let id = id.map_err(Error::code)?;
        let function = self.world.loaded(&constructor.declared);
        let argument = Argument::New(id, function);
        Ok(Some(self.written.enter(argument, Given::New(name))))
    }
}

/// A value of a primitive type; nothing if it is none.
pub fn scalar(primitive: Primitive, item: &Item) -> Option<Value> {
    let within = |low: i128, high: i128, value: i128| {
        (low..=high).contains(&value).then_some(Value::Int(value))
    };
    match (primitive, item) {
        (Primitive::Boolean, Item::Truth(value)) => Some(Value::Bool(*value)),
        (Primitive::Byte, Item::Number(n)) => within(i8::MIN.into(), i8::MAX.into(), *n),
        (Primitive::Short, Item::Number(n)) => within(i16::MIN.into(), i16::MAX.into(), *n),
        (Primitive::Char, Item::Number(n)) => within(0, u16::MAX.into(), *n),
        (Primitive::Int, Item::Number(n)) => within(i32::MIN.into(), i32::MAX.into(), *n),
        (Primitive::Long, Item::Number(n)) => within(i64::MIN.into(), i64::MAX.into(), *n),
        (Primitive::Float, Item::Number(n)) => Some(Value::Single((*n as f32).to_bits())),
        (Primitive::Double, Item::Number(n)) => Some(Value::Double((*n as f64).to_bits())),
        (Primitive::Float, Item::Fraction(bits)) => {
            Some(Value::Single((f64::from_bits(*bits) as f32).to_bits()))
        }
        (Primitive::Double, Item::Fraction(bits)) => Some(Value::Double(*bits)),
        _ => None,
    }
}

/// A scalar of the logic; nothing for references but null.
pub fn imported(value: LogicValue) -> Option<Value> {
    Some(match value {
        LogicValue::Bool(value) => Value::Bool(value),
        LogicValue::Int(value) => Value::Int(value),
        LogicValue::Single(bits) => Value::Single(bits),
        LogicValue::Double(bits) => Value::Double(bits),
        LogicValue::Null => Value::Null,
        LogicValue::Ref(_) => return None,
    })
}

/// A scalar as the logic has it.
pub fn exported(value: Value) -> LogicValue {
    match value {
        Value::Bool(value) => LogicValue::Bool(value),
        Value::Int(value) => LogicValue::Int(value),
        Value::Single(bits) => LogicValue::Single(bits),
        Value::Double(bits) => LogicValue::Double(bits),
        _ => LogicValue::Null,
    }
}
