//! A translation unit, as a program of the core language.

use std::path::Path;

use heapwright_ir::{FunctionId, GlobalId, InputRules, Program, SourceFile};
use heapwright_logic::{ClassId, Terms};
use heapwright_spec::{Environment, Signature};
use rustc_hash::FxHashMap;

use crate::ast::{self, CType, Record, RecordId, Unit, VariableId};
use crate::clang::Flags;
use crate::error::CError;
use crate::lower::lower;
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
    records: FxHashMap<ClassId, RecordId>,
}

impl CUnit {
    /// The struct or union whose objects are of a class; `None` for arrays and for structs inside
    /// of others.
    pub fn record(&self, class: ClassId) -> Option<&Record> {
        let record = self.records.get(&class)?;
        self.source.records.get(record.0 as usize)
    }

    /// A function as the source declares it.
    pub fn function(&self, id: FunctionId) -> Option<&ast::Function> {
        let source = self.sources.get(id.index())?;
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
    Ok(CUnit {
        program: Program {
            definitions: lowered.classes.definitions,
            classes: lowered.classes.infos.into_iter().collect(),
            functions: lowered.functions.into_iter().collect(),
            globals: lowered.globals,
            files: files.collect(),
            manual_memory: true,
            raw: Some(lowered.classes.raw),
            ..Program::default()
        },
        rules: lowered.classes.rules,
        functions: lowered.tested,
        sources: lowered.sources,
        variables: lowered.variables,
        function_objects: lowered.function_objects,
        records,
        source: unit,
    })
}

/// What a specification may use of a unit: its structs as classes, and its functions.
pub fn environment_of(program: &Program) -> Environment {
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
        statics: Vec::new(),
    }
}
