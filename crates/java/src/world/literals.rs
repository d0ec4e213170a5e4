//! String literals and class objects: globals that are filled when they are used first.

use std::collections::BTreeMap;

use heapwright_ir::{
    BinaryOp, BlockId, Callee, Comparison, Constant, FunctionId, GlobalId, Literal, Operand,
    Operation, Terminator,
};
use heapwright_logic::{ClassId, IntType, Sort};

use super::builder::Builder;
use super::{CLASS, STRING, World};
use crate::classfile::JavaString;
use crate::descriptor::{Primitive, Type};
use crate::hierarchy::LinkError;

impl World {
    /// The global of a string literal, and the function that fills it, to be called before it is
    /// used.
    pub(crate) fn literal(
        &mut self,
        text: &JavaString,
    ) -> Result<(GlobalId, FunctionId), LinkError> {
        if let Some(&known) = self.literals.get(text) {
            return Ok(known);
        }
        let class = self.complete(&Type::class(STRING))?;
        let bytes = self.complete(&Type::Primitive(Primitive::Byte).array_of())?;
        let number = self.literals.len();
        let global = self.add_global(format!("string {number}"), class);
        let (contents, coder) = encode(text.units());
        let mut fill = Filler::new(format!("<string> {number}"), self, global, class, "value");
        let array = fill.builder.register(Sort::Ref(bytes));
        fill.builder.emit(Operation::NewArray {
            to: array,
            class: bytes,
            length: int(contents.len() as i128),
        });
        for (index, byte) in (0..).zip(&contents) {
            fill.builder.emit(Operation::StoreElement {
                array: Operand::Register(array),
                index: int(index),
                value: Operand::Constant(Constant::Int(IntType::I8, (*byte as i8).into())),
            });
        }
        fill.store(self, "value", Operand::Register(array));
        let coder = Operand::Constant(Constant::Int(IntType::I8, coder));
        fill.store(self, "coder", coder);
        let function = fill.finish(self);
        self.literals.insert(text.clone(), (global, function));
        self.literal_texts.insert(global, text.clone());
        Ok((global, function))
    }

    /// The characters of the literals known so far that inputs can have.
    pub fn literal_contents(&self) -> BTreeMap<GlobalId, Literal> {
        let bytes = Type::Primitive(Primitive::Byte).array_of();
        let Some(&class) = self.classes.get(&bytes) else {
            return BTreeMap::new();
        };
        let texts = self.literal_texts.iter();
        let contents = texts.filter_map(|(&global, text)| match encode(text.units()) {
            (bytes, 0) => {
                let elements = bytes.into_iter();
                let byte = |byte: u8| Constant::Int(IntType::I8, (byte as i8).into());
                let elements = elements.map(byte).collect();
                Some((global, Literal { class, elements }))
            }
            // Strings of inputs have one byte for each character.
            _ => None,
        });
        contents.collect()
    }

    /// The type whose class object a global is, if it is one.
    pub fn class_object_type(&self, global: GlobalId) -> Option<&Type> {
        let mut known = self.class_objects.iter();
        known.find(|(id, _)| *id == global).map(|(_, ty)| ty)
    }

    /// The text of a global that is a string literal.
    pub fn literal_text(&self, global: GlobalId) -> Option<&JavaString> {
        self.literal_texts.get(&global)
    }

    /// The position of a field in objects of the class that a class object stands for.
    pub(crate) fn field_position(&mut self, mirror: GlobalId, field: &str) -> Option<u32> {
        let ty = self.type_of_class_object(mirror)?;
        let class = self.complete(&ty).ok()?;
        self.known_field(class, field).map(|(position, _)| position)
    }

    /// The type that a class object stands for; `None` if the global is something else.
    pub(crate) fn type_of_class_object(&self, mirror: GlobalId) -> Option<Type> {
        let mut mirrors = self.mirrors.iter();
        let found = mirrors.find(|(_, (global, _))| *global == mirror);
        found.and_then(|(name, _)| name.parse().ok())
    }

    /// The global of a class object, and the function that fills it.
    pub(crate) fn class_object(&mut self, ty: &Type) -> Result<(GlobalId, FunctionId), LinkError> {
        let name = ty.to_string();
        if let Some(&known) = self.mirrors.get(&name) {
            return Ok(known);
        }
        let class = self.complete(&Type::class(CLASS))?;
        let global = self.add_global(format!("class {name}"), class);
        // `Class.getName` writes arrays as descriptors, with dots.
        let java_name = match ty {
            Type::Array(_) => ty.descriptor().replace('/', "."),
            _ => name.clone(),
        };
        let (text, fill_text) = self.literal(&JavaString::from(java_name.as_str()))?;
        let mut fill = Filler::new(
            format!("<class object> {name}"),
            self,
            global,
            class,
            "name",
        );
        fill.call(fill_text);
        fill.store(self, "name", Operand::Global(text));
        if let Type::Array(element) = ty {
            let (component, fill_component) = self.class_object(element)?;
            fill.call(fill_component);
            fill.store(self, "componentType", Operand::Global(component));
        }
        let function = fill.finish(self);
        self.mirrors.insert(name, (global, function));
        self.enter_class_object(ty, global);
        Ok((global, function))
    }
}

/// A function that fills a global unless a field of it is set already.
struct Filler {
    builder: Builder,
    global: Operand,
    class: ClassId,
}

impl Filler {
    fn new(name: String, world: &World, global: GlobalId, class: ClassId, field: &str) -> Self {
        let mut builder = Builder::new(name, &[], None);
        let global = Operand::Global(global);
        let filled = builder.register(Sort::Bool);
        if let Some((field, sort)) = world.known_field(class, field) {
            let content = builder.register(sort);
            builder.emit(Operation::Load {
                to: content,
                object: global,
                class,
                field,
            });
            builder.emit(Operation::Binary {
                to: filled,
                op: BinaryOp::Compare(Comparison::Ne),
                a: Operand::Register(content),
                b: Operand::Constant(Constant::Null),
            });
        } else {
            let no = Operand::Constant(Constant::Bool(false));
            builder.emit(Operation::Move {
                to: filled,
                from: no,
            });
        }
        builder.end(Terminator::Branch {
            condition: Operand::Register(filled),
            then: BlockId(1),
            otherwise: BlockId(2),
        });
        builder.end(Terminator::Return(None));
        Filler {
            builder,
            global,
            class,
        }
    }

    /// Sets a field, if this version of the JDK has it.
    fn store(&mut self, world: &World, field: &str, value: Operand) {
        if let Some((field, _)) = world.known_field(self.class, field) {
            self.builder.emit(Operation::Store {
                object: self.global,
                class: self.class,
                field,
                value,
            });
        }
    }

    fn call(&mut self, function: FunctionId) {
        self.builder.emit(Operation::Call {
            to: None,
            callee: Callee::Static(function),
            args: Vec::new(),
        });
    }

    fn finish(mut self, world: &mut World) -> FunctionId {
        self.builder.end(Terminator::Return(None));
        world.add_function(self.builder.finish())
    }
}

/// The bytes of a string as `java.lang.String` keeps them, and its coder: Latin-1 if all
/// characters are, and otherwise UTF-16 with the low byte first.
pub(super) fn encode(units: &[u16]) -> (Vec<u8>, i128) {
    let latin: Option<Vec<u8>> = units.iter().map(|&unit| u8::try_from(unit).ok()).collect();
    match latin {
        Some(bytes) => (bytes, 0),
        None => (
            units.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
            1,
        ),
    }
}

/// An `int` constant.
pub(super) fn int(value: i128) -> Operand {
    Operand::Constant(Constant::Int(IntType::I32, value))
}
