//! A translation unit, as a program of the core language.

use std::path::Path;

use heapwright_ir::{FunctionId, InputRules, Program, SourceFile};
use heapwright_logic::{ClassId, Terms};
use heapwright_spec::{Environment, Signature};

use crate::clang::syntax_tree;
use crate::error::CError;
use crate::lower::classes::short;
use crate::lower::lower;
use crate::records::{Record, Records};
use crate::tree;
use crate::types::CType;

/// A C file that was read and translated.
#[derive(Clone, Debug)]
pub struct CUnit {
    /// The program.
    pub program: Program,
    /// What inputs can be.
    pub rules: InputRules,
    /// The structs.
    pub records: Records,
    /// The functions that the file defines, and why they cannot be tested.
    pub functions: Vec<(FunctionId, Option<CError>)>,
    /// The types of their results, and of those of the functions that they call.
    pub results: Vec<CType>,
}

impl CUnit {
    /// The struct whose objects are of a class; none for arrays and for structs inside of others.
    pub fn record(&self, class: ClassId) -> Option<&Record> {
        let name = &self.program.definitions.class(class).name;
        let mut records = self.records.all().iter();
        records.find(|record| short(&record.name) == name)
    }
}

/// Reads a file with clang and translates it.
pub fn read_unit(file: &Path, flags: &[String]) -> Result<CUnit, CError> {
    let name = file.display().to_string();
    let tree = tree::read(&name, &syntax_tree(file, flags)?)?;
    let records = Records::of(&tree.root);
    let main_file = tree.files.iter().position(|known| *known == name);
    let lowered = lower(
        &tree,
        &records,
        main_file.map_or(u32::MAX, |index| index as u32),
    );
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let files = tree.files.iter().map(|known| SourceFile {
        name: known.clone(),
        text: if *known == name {
            text.clone()
        } else {
            String::new()
        },
    });
    Ok(CUnit {
        program: Program {
            definitions: lowered.classes.definitions,
            classes: lowered.classes.infos.into_iter().collect(),
            functions: lowered.functions.into_iter().collect(),
            files: files.collect(),
            manual_memory: true,
            ..Program::default()
        },
        rules: lowered.classes.rules,
        records,
        functions: lowered.tested,
        results: lowered.results,
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
