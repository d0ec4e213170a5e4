//! A translation unit, as a program of the core language.

use std::path::Path;
use std::rc::Rc;

use heapwright_ir::{ClassKind, FunctionId, GlobalId, InputRules, Program, SourceFile};
use heapwright_logic::{ClassId, Embedding, Sort, Terms};
use heapwright_spec::{Environment, Signature, StaticAccess, StaticField};
use rustc_hash::FxHashMap;

use crate::ast::{self, CType, Record, RecordId, Unit, VariableId};
use crate::clang::Flags;
use crate::error::CError;
use crate::lower::{Entry, InputGlobal, lower};
use crate::read::read;

/// A C file that was read and translated.
#[derive(Clone, Debug)]
pub struct CUnit {
    /// The program.
    pub program: Program,
    /// What inputs can be.
    pub rules: InputRules,
    /// The file as it was read.
    pub source: Unit,
    /// The functions that the file defines, and why they cannot be tested.
    pub functions: Vec<(FunctionId, Option<CError>)>,
    /// The functions of the source, by their numbers in the program.
    pub sources: Vec<ast::FunctionId>,
    /// The globals of variables.
    pub variables: FxHashMap<VariableId, GlobalId>,
    /// The functions that globals stand for.
    pub function_objects: FxHashMap<GlobalId, ast::FunctionId>,
    /// What is run in order to test functions.
    pub entries: FxHashMap<FunctionId, Entry>,
    /// Classes of functions that tests define, with their types.
    pub stubs: FxHashMap<ClassId, Rc<ast::Signature>>,
    records: FxHashMap<ClassId, RecordId>,
}

impl CUnit {
    /// The struct or union whose objects are of a class; `None` for arrays and for structs inside
    /// of others.
    pub fn record(&self, class: ClassId) -> Option<&Record> {
        let record = self.records.get(&class)?;
        self.source.records.get(record.0 as usize)
    }

    /// The function that is tested where this one is run: itself, or the one that it wraps.
    pub fn tested(&self, id: FunctionId) -> FunctionId {
        let mut entries = self.entries.iter();
        let wrapped = entries.find(|(_, entry)| entry.function == id);
        wrapped.map_or(id, |(&tested, _)| tested)
    }

    /// The variables that are inputs where a function is run.
    pub fn input_globals(&self, id: FunctionId) -> &[InputGlobal] {
        let entry = self.entries.get(&self.tested(id));
        let entry = entry.filter(|entry| entry.function == id);
        entry.map_or(&[], |entry| &entry.globals)
    }

    /// A function as the source declares it.
    pub fn function(&self, id: FunctionId) -> Option<&ast::Function> {
        let source = self.sources.get(self.tested(id).index())?;
        self.source.functions.get(source.0 as usize)
    }

    /// The function that is the only object of a class.
    pub fn function_of(&self, class: ClassId) -> Option<&ast::Function> {
        let global = self.rules.singletons.get(&class)?;
        let source = self.function_objects.get(global)?;
        self.source.functions.get(source.0 as usize)
    }

    /// The type of a function's result.
    pub fn result(&self, id: FunctionId) -> Option<&CType> {
        Some(&self.function(id)?.signature.result)
    }
}

/// Reads a file with clang and translates it.
pub fn read_unit(file: &Path, flags: &Flags) -> Result<CUnit, CError> {
    let unit = read(file, flags)?;
    let lowered = lower(&unit);
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let files = unit
        .files
        .iter()
        .enumerate()
        .map(|(index, name)| SourceFile {
            name: name.clone(),
            text: if index == 0 {
                text.clone()
            } else {
                String::new()
            },
        });
    let records = (0..unit.records.len() as u32).map(RecordId);
    let records = records.map(|id| (lowered.classes.record(id), id)).collect();
    let mut definitions = lowered.classes.definitions;
    for (index, info) in (0u32..).zip(&lowered.classes.infos) {
        let inside = &info.inside;
        let embedding = Embedding {
            inside: inside.embedded.iter().map(|(field, _)| *field).collect(),
            elements: inside.stride.is_some(),
            outer: inside.hidden.last().copied(),
        };
        if embedding != Embedding::default() {
            definitions.set_embedding(ClassId(index), embedding);
        }
    }
    Ok(CUnit {
        program: Program {
            definitions,
            classes: lowered.classes.infos.into_iter().collect(),
            functions: lowered.functions.into_iter().collect(),
            globals: lowered.globals,
            files: files.collect(),
            manual_memory: true,
            raw: Some(lowered.classes.raw),
            exit: Some(lowered.classes.exit),
            ..Program::default()
        },
        rules: lowered.classes.rules,
        stubs: lowered.classes.stubs,
        functions: lowered.tested,
        sources: lowered.sources,
        variables: lowered.variables,
        function_objects: lowered.function_objects,
        entries: lowered.entries,
        records,
        source: unit,
    })
}

/// What a specification may use of a unit: its structs as classes, under all their names, and its
/// functions.
pub fn environment_of(unit: &CUnit) -> Environment {
    let program = &unit.program;
    let signatures = (program.functions.iter())
        .filter(|function| !function.synthetic)
        .map(|function| Signature {
            class: None,
            has_receiver: false,
            method: function.name.clone(),
            params: (function.registers.iter().take(function.params as usize))
                .map(|register| register.sort)
                .collect(),
            names: Vec::new(),
            result: function.result,
        })
        .collect();
    Environment {
        terms: Terms::new(),
        definitions: program.definitions.clone(),
        signatures,
        packages: Vec::new(),
        tested: Vec::new(),
        statics: statics(unit).into_iter().map(|(_, field)| field).collect(),
        aliases: aliases(unit),
    }
}

/// The names that `typedef` gives to structs, to pointers to them, and to the structs inside of
/// them: a reference is a pointer, so both names of a type mean the same.
fn aliases(unit: &CUnit) -> Vec<(String, ClassId)> {
    let definitions = &unit.program.definitions;
    let mut aliases = Vec::new();
    for (name, ty) in &unit.source.typedefs {
        let record = match ty {
            CType::Record(record) => *record,
            CType::Pointer(to) => match **to {
                CType::Record(record) => record,
                _ => continue,
            },
            _ => continue,
        };
        let mut classes = unit.records.iter();
        let Some((&class, _)) = classes.find(|(_, known)| **known == record) else {
            continue;
        };
        aliases.push((name.clone(), class));
        let own = &definitions.class(class).name;
        let parts = definitions.classes().filter_map(|(part, known)| {
            let field = known.name.strip_prefix(own.as_str())?.strip_prefix('.')?;
            Some((format!("{name}.{field}"), part))
        });
        aliases.extend(parts);
    }
    aliases
}

/// The sort of the elements of an array class; `None` for other classes.
pub fn element_sort(program: &Program, class: ClassId) -> Option<Sort> {
    match program.classes.get(class.index())?.kind {
        ClassKind::Array { element } => Some(element),
        ClassKind::Struct { .. } => None,
    }
}

/// The variables of the file that contracts may speak of: those that are no constants. A struct or
/// an array stands for its address.
pub fn statics(unit: &CUnit) -> Vec<(VariableId, StaticField)> {
    let mut inputs: Vec<InputGlobal> = Vec::new();
    for known in unit.entries.values().flat_map(|entry| &entry.globals) {
        if !inputs.iter().any(|other| other.variable == known.variable) {
            inputs.push(*known);
        }
    }
    inputs.sort_by_key(|known| known.variable);
    let field = |known: InputGlobal| {
        let variable = unit.source.variables.get(known.variable.0 as usize)?;
        let class = unit.program.globals.get(known.global.index())?.class;
        let sort = match known.is_object {
            true => Sort::Ref(class),
            false => unit.program.definitions.element_sort(class)?,
        };
        let field = StaticField {
            class: ClassId::ANY,
            name: variable.name.clone(),
            sort,
            access: StaticAccess::Input,
        };
        Some((known.variable, field))
    };
    inputs.into_iter().filter_map(field).collect()
}
