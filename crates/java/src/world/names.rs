//! What ids of a world are called, so that another world has the same things by other ids.
//!
//! Ids follow the order in which code was needed. Names do not: a method has its class and its
//! descriptor, a literal its text. What the translation made up itself has a name in the program; of
//! several of one name nobody knows which is which, so these have none.

use heapwright_ir::{FunctionId, GlobalId, Terminator};
use heapwright_logic::ClassId;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::World;
use super::enums::EnumConstant;
use crate::classfile::JavaString;
use crate::descriptor::Type;
use crate::hierarchy::DeclaredMethod;

/// What a function is called. Classes that have no class file are there only after the code that they
/// stand in has been translated, so methods are texts here.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum FunctionName {
    /// It is the translation of a method.
    Method {
        /// The class that declares it.
        class: String,
        /// Its name.
        name: String,
        /// Its descriptor.
        descriptor: String,
    },
    /// It fills a string literal.
    Literal(JavaString),
    /// Something else with this name.
    Other(String),
}

/// What a class is called.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum ClassName {
    /// It is that of a type.
    Of(Type),
    /// It is that of a constant of an enum, which has no other objects.
    Constant(EnumName),
    /// Something else with this name, such as the static fields of a class.
    Other(String),
}

/// What a constant of an enum is called.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EnumName {
    /// The enum.
    pub declaring: String,
    /// The constant.
    pub field: String,
}

/// What a global is called.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum GlobalName {
    /// It is a string literal.
    Literal(JavaString),
    /// It is a constant of an enum.
    Constant(EnumName),
    /// Something else with this name.
    Other(String),
}

/// Ids by names, of a world as it is.
#[derive(Debug, Default)]
pub struct KnownNames {
    functions: FxHashMap<String, u32>,
    classes: FxHashMap<String, u32>,
    globals: FxHashMap<String, u32>,
    files: FxHashMap<String, u32>,
}

impl World {
    /// The functions whose code is there, in the order of their ids.
    pub fn loaded_functions(&self) -> impl Iterator<Item = FunctionId> {
        let functions = (0..).map(FunctionId).zip(self.program.functions.iter());
        let loaded = functions.filter(|(_, function)| {
            !matches!(
                function.blocks.first().map(|block| &block.terminator),
                Some(Terminator::Absent)
            )
        });
        loaded.map(|(id, _)| id)
    }

    /// How many blocks a function has; 0 for one whose code is not there.
    pub fn size_of(&self, function: FunctionId) -> u32 {
        let function = self.program.functions.get(function.index());
        function.map_or(0, |function| match function.blocks.first() {
            Some(block) if matches!(block.terminator, Terminator::Absent) => 0,
            _ => function.blocks.len() as u32,
        })
    }

    /// What a function is called.
    pub fn function_name(&self, id: FunctionId) -> Option<FunctionName> {
        if let Some(method) = self.methods.get(&id) {
            return Some(FunctionName::Method {
                class: method.class.name.to_string(),
                name: method.method.name.to_string(),
                descriptor: method.method.descriptor.descriptor(),
            });
        }
        let mut literals = self.literals.iter();
        if let Some((text, _)) = literals.find(|(_, (_, function))| *function == id) {
            return Some(FunctionName::Literal(text.clone()));
        }
        let function = self.program.functions.get(id.index())?;
        let is_unique = !function.name.contains('\'');
        is_unique.then(|| FunctionName::Other(function.name.clone()))
    }

    /// What a class is called.
    pub fn class_name(&self, id: ClassId) -> Option<ClassName> {
        // Its type is that of the enum.
        if let Some(constant) = self.enum_constant(id) {
            return Some(ClassName::Constant(EnumName::of(constant)));
        }
        if let Some(ty) = self.types.get(&id) {
            return Some(ClassName::Of(ty.clone()));
        }
        (id.index() < self.program.classes.len())
            .then(|| ClassName::Other(self.program.definitions.class(id).name.clone()))
    }

    /// What a global is called.
    pub fn global_name(&self, id: GlobalId) -> Option<GlobalName> {
        if let Some(text) = self.literal_texts.get(&id) {
            return Some(GlobalName::Literal(text.clone()));
        }
        let global = self.program.globals.get(id.index())?;
        let constant = self.enum_constant(global.class);
        Some(match constant.filter(|constant| constant.global == id) {
            Some(constant) => GlobalName::Constant(EnumName::of(constant)),
            None => GlobalName::Other(global.name.clone()),
        })
    }

    /// The names that are known without a look into the tables of methods, types and literals.
    pub fn known_names(&self) -> KnownNames {
        let mut known = KnownNames::default();
        let enter = |names: &mut FxHashMap<String, u32>, index: usize, name: &str| {
            names.entry(name.to_owned()).or_insert(index as u32);
        };
        for (index, function) in self.program.functions.iter().enumerate() {
            enter(&mut known.functions, index, &function.name);
        }
        for index in 0..self.program.classes.len() {
            let class = ClassId(index as u32);
            enter(
                &mut known.classes,
                index,
                &self.program.definitions.class(class).name,
            );
        }
        for (index, global) in self.program.globals.iter().enumerate() {
            enter(&mut known.globals, index, &global.name);
        }
        for (index, file) in self.program.files.iter().enumerate() {
            enter(&mut known.files, index, &file.name);
        }
        known
    }

    /// The function of a name.
    pub fn named_function(
        &mut self,
        name: &FunctionName,
        known: &KnownNames,
    ) -> Option<FunctionId> {
        match name {
            FunctionName::Method {
                class,
                name,
                descriptor,
            } => {
                let class = self.path.load(class).ok()?;
                let mut methods = class.methods.iter();
                let method = methods.find(|method| {
                    *method.name == **name && method.descriptor.descriptor() == *descriptor
                });
                let method = method?.clone();
                Some(self.function(&DeclaredMethod { class, method }))
            }
            FunctionName::Literal(text) => self.literal(text).ok().map(|(_, function)| function),
            FunctionName::Other(name) => known.functions.get(name).copied().map(FunctionId),
        }
    }

    /// The class of a name.
    pub fn named_class(&mut self, name: &ClassName, known: &KnownNames) -> Option<ClassId> {
        match name {
            ClassName::Of(ty) => Some(self.declare(ty)),
            ClassName::Constant(name) => Some(self.named_constant(name)?.class),
            ClassName::Other(name) => known.classes.get(name).copied().map(ClassId),
        }
    }

    /// The global of a name.
    pub fn named_global(&mut self, name: &GlobalName, known: &KnownNames) -> Option<GlobalId> {
        match name {
            GlobalName::Literal(text) => self.literal(text).ok().map(|(global, _)| global),
            GlobalName::Constant(name) => Some(self.named_constant(name)?.global),
            GlobalName::Other(name) => known.globals.get(name).copied().map(GlobalId),
        }
    }
}

impl World {
    fn named_constant(&mut self, name: &EnumName) -> Option<EnumConstant> {
        let constants = self.constants_of(&Type::class(&name.declaring))?;
        let mut constants = constants.iter();
        constants.find(|one| *one.field == *name.field).cloned()
    }
}

impl EnumName {
    fn of(constant: &EnumConstant) -> EnumName {
        EnumName {
            declaring: constant.declaring.to_string(),
            field: constant.field.to_string(),
        }
    }
}

impl KnownNames {
    /// The source file of a name.
    pub fn file(&self, name: &str) -> Option<u32> {
        self.files.get(name).copied()
    }
}
