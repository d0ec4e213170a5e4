//! Reading C: from a file to the typed tree of [`crate::ast`].
//!
//! clang does the reading; its syntax tree comes as JSON (`stream`), and its layouts of structs
//! come from a second run (`layouts`). What the dump leaves out is found out here: types are texts
//! there (`types`), and most values of constants are missing (`constants`).

mod annotations;
mod casts;
mod constants;
mod declarations;
mod enums;
mod expressions;
mod initialisers;
mod layouts;
mod literals;
mod names;
mod operators;
mod places;
mod records;
mod spellings;
mod statements;
mod stream;
mod tokens;
mod type_of;
mod types;

use std::path::Path;

use rustc_hash::FxHashMap;

use crate::ast::{CType, FunctionId, LabelId, RecordId, Unit, VariableId};
use crate::clang::{self, Flags};
use crate::error::CError;

use layouts::{Layouts, Target};
use names::Names;
use places::Places;
use stream::Node;

/// Bytes of stack for reading the dump: it nests as deeply as expressions do, and its reader needs
/// more for each level than everything that follows.
const STACK: usize = 64 << 20;

/// What the file with the library's functions is called in messages.
const LIBRARY: &str = "<library>";

/// Reads a file.
pub fn read(file: &Path, flags: &Flags) -> Result<Unit, CError> {
    let failed = |reason: String| CError::Tree {
        file: file.display().to_string(),
        reason,
    };
    let dump = clang::dump(file, flags)?;
    let (root, places) = std::thread::scope(|scope| {
        let work = || {
            let mut places = Places::new(file, flags.system_folders());
            let root = stream::read(&dump.text, &mut places)?;
            Ok::<_, String>((root, places))
        };
        let thread = std::thread::Builder::new().stack_size(STACK);
        let thread = thread.spawn_scoped(scope, work);
        let thread = thread.map_err(|error| error.to_string())?;
        let joined = thread.join();
        joined.map_err(|_| "its reader failed".to_owned())?
    })
    .map_err(failed)?;
    let answers = clang::layouts(file, flags, &records::questions(&root))?;
    let mut files = places.files;
    // Where that file happens to lie tells nobody anything, and it is gone.
    for name in files.iter_mut().filter(|name| **name == dump.library) {
        *name = LIBRARY.to_owned();
    }
    let mut reader = Reader::new(files, Layouts::parse(&answers));
    reader.read_unit(&root)?;
    reader.unit.spellings = reader.names.spellings.take();
    let source = std::fs::read(file).map_err(|error| failed(error.to_string()))?;
    reader.unit.annotations = annotations::find(&String::from_utf8_lossy(&source));
    Ok(reader.unit)
}

/// A unit in the making.
struct Reader<'t> {
    unit: Unit,
    names: Names,
    layouts: Layouts,
    target: Target,
    /// What the declarations of the dump have become.
    records: FxHashMap<u64, RecordId>,
    fields: FxHashMap<u64, (RecordId, u32)>,
    enums: FxHashMap<u64, CType>,
    enumerators: FxHashMap<u64, i128>,
    variables: FxHashMap<u64, VariableId>,
    labels: FxHashMap<u64, LabelId>,
    /// Names with linkage.
    globals: FxHashMap<String, VariableId>,
    functions: FxHashMap<String, FunctionId>,
    /// Bodies that are not converted yet, by function.
    bodies: FxHashMap<FunctionId, &'t Node<'t>>,
    /// Functions whose bodies are needed.
    needed: Vec<FunctionId>,
    is_in_function: bool,
    /// The types of the switches around a statement.
    switches: Vec<CType>,
    /// Texts of files, for the places of operators.
    sources: FxHashMap<u32, Option<Vec<u8>>>,
}

impl<'t> Reader<'t> {
    fn new(files: Vec<String>, layouts: Layouts) -> Reader<'t> {
        Reader {
            unit: Unit {
                files,
                ..Unit::default()
            },
            names: Names::default(),
            target: layouts.target(),
            layouts,
            records: FxHashMap::default(),
            fields: FxHashMap::default(),
            enums: FxHashMap::default(),
            enumerators: FxHashMap::default(),
            variables: FxHashMap::default(),
            labels: FxHashMap::default(),
            globals: FxHashMap::default(),
            functions: FxHashMap::default(),
            bodies: FxHashMap::default(),
            needed: Vec::new(),
            is_in_function: false,
            switches: Vec::new(),
            sources: FxHashMap::default(),
        }
    }

    /// Reads everything. Bodies come last, so that a function that is defined further down is known;
    /// those of headers only if something that is read calls them.
    fn read_unit(&mut self, root: &'t Node<'t>) -> Result<(), CError> {
        for node in &root.inner {
            self.declare_records(node);
        }
        for node in &root.inner {
            self.declaration(node)?;
        }
        self.needed.extend(self.comparator());
        while let Some(function) = self.needed.pop() {
            self.body(function)?;
        }
        Ok(())
    }

    /// The error for something at a node that cannot be read.
    fn unsupported(&self, node: &Node<'_>, what: &str) -> CError {
        let place = node.at().place;
        let file = self.unit.files.get(place.file as usize);
        CError::Unsupported {
            place: format!("{}:{}", file.map_or("", String::as_str), place.line),
            what: what.to_owned(),
        }
    }
}
