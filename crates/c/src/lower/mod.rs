//! From the typed tree to the core language.
//!
//! | module | what |
//! | --- | --- |
//! | `classes` | types as classes |
//! | `builder` | functions under construction |
//! | `function` | variables and where they are kept |
//! | `place`, `alignment` | what has an address: reading, writing, pointing to it |
//! | `expression`, `operator` | values |
//! | `call`, `library`, `output` | calls, and the functions of the C library |
//! | `statement` | control flow |
//! | `entry` | functions together with the variables of the file that they depend on |
//! | `large` | objects that are too large to be kept |
//! | `stubs` | functions that tests define, for pointers to functions |
//! | `global` | variables that live as long as the program, string literals, functions as values |

mod alignment;
mod builder;
mod call;
pub mod classes;
mod containers;
mod entry;
mod expression;
mod function;
mod global;
mod large;
mod library;
mod operator;
mod output;
mod place;
mod statement;
mod stubs;

use heapwright_ir::{
    Callee, Function, FunctionId, Global, GlobalId, Operand, Operation, Position, Terminator,
};
use heapwright_logic::{ClassId, Sort};
use rustc_hash::FxHashMap;

use crate::ast::{self, CType, ExprKind, Place, Unit, VariableId};
use crate::error::CError;
use crate::visit::visit_statement;
use builder::Builder;
use classes::Classes;
use containers::{containers, headers};
pub use entry::{Entry, InputGlobal};
pub use global::plain_name;
pub use library::{
    ALLOCATION_FAILS, ALLOCATORS, COMPARE_NUMBERS, EXITS, FAILING_ALLOCATION, PRELUDE,
};
pub use output::reader;

/// A unit in the core language.
pub struct Lowered {
    pub classes: Classes,
    pub functions: Vec<Function>,
    pub globals: Vec<Global>,
    /// The functions of the file, and why they cannot be tested.
    pub tested: Vec<(FunctionId, Option<CError>)>,
    /// The functions of the tree that became functions of the core language, by their numbers.
    pub sources: Vec<ast::FunctionId>,
    /// The globals of variables.
    pub variables: FxHashMap<VariableId, GlobalId>,
    /// The globals that stand for functions.
    pub function_objects: FxHashMap<GlobalId, ast::FunctionId>,
    /// What is run in order to test functions.
    pub entries: FxHashMap<FunctionId, Entry>,
}

/// Translates a unit. `tested` are those that the user wants to test.
pub fn lower(unit: &Unit) -> Lowered {
    let sources: Vec<ast::FunctionId> = (0u32..)
        .zip(&unit.functions)
        .filter(|(_, function)| function.body.is_some())
        .map(|(index, _)| ast::FunctionId(index))
        .collect();
    let mut lowering = Lowering {
        unit,
        classes: Classes::of(unit),
        ids: (0u32..)
            .zip(&sources)
            .map(|(index, &source)| (source, FunctionId(index)))
            .collect(),
        synthetic: Vec::new(),
        known: FxHashMap::default(),
        first_synthetic: sources.len() as u32,
        globals: Vec::new(),
        variables: FxHashMap::default(),
        strings: FxHashMap::default(),
        functions: FxHashMap::default(),
        function_objects: FxHashMap::default(),
        initialiser: None,
        first_values: Vec::new(),
    };
    lowering.declare_globals();
    let mut functions = Vec::new();
    let mut tested = Vec::new();
    for (index, &source) in sources.iter().enumerate() {
        let node = &unit.functions[source.0 as usize];
        let lowered = lowering.function(node);
        if node.place.file == 0 {
            let mut error = lowered.as_ref().err().cloned();
            // Nobody knows how many further arguments it wants, and of which types.
            if error.is_none() && node.signature.variadic {
                let what = "a function with further arguments, but for its calls in this file,";
                error = Some(lowering.unsupported(node.place, what));
            }
            tested.push((FunctionId(index as u32), error));
        }
        let mut function = lowered.unwrap_or_else(|error| lowering.refused(node, &error));
        // Nobody wants to see the library's branches covered.
        function.synthetic = node.name.starts_with(PRELUDE);
        functions.push(function);
    }
    lowering.finish_initialiser();
    lowering.payloads();
    let mut entries = FxHashMap::default();
    for (id, error) in &tested {
        if let (None, Some(source)) = (error, sources.get(id.index())) {
            let node = &unit.functions[source.0 as usize];
            let entry = lowering.entry(node, *id, &functions[id.index()]);
            entries.insert(*id, entry);
        }
    }
    lowering.stubs();
    lowering.classes.rules.containers = containers(unit, &lowering.classes);
    lowering.classes.rules.headers = headers(unit, &lowering.classes);
    functions.append(&mut lowering.synthetic);
    Lowered {
        classes: lowering.classes,
        functions,
        globals: lowering.globals,
        tested,
        sources,
        variables: lowering.variables,
        function_objects: lowering.function_objects,
        entries,
    }
}

/// What the translation of every function needs.
struct Lowering<'t> {
    unit: &'t Unit,
    classes: Classes,
    ids: FxHashMap<ast::FunctionId, FunctionId>,
    /// Functions that C does not have, behind the others.
    synthetic: Vec<Function>,
    /// Those of them that are known, by name.
    known: FxHashMap<String, FunctionId>,
    first_synthetic: u32,
    globals: Vec<Global>,
    variables: FxHashMap<VariableId, GlobalId>,
    /// String literals, with what is in them.
    strings: FxHashMap<(Vec<u32>, u64), GlobalId>,
    functions: FxHashMap<ast::FunctionId, GlobalId>,
    function_objects: FxHashMap<GlobalId, ast::FunctionId>,
    /// The function that gives variables and literals their first values.
    initialiser: Option<FunctionId>,
    /// The functions that it calls, by the variable; none for literals.
    first_values: Vec<(Option<VariableId>, FunctionId)>,
}

impl Lowering<'_> {
    fn position(&self, place: Place) -> Position {
        Position {
            file: place.file,
            line: place.line,
            column: place.column,
        }
    }

    fn unsupported(&self, place: Place, what: impl Into<String>) -> CError {
        let file = self.unit.files.get(place.file as usize);
        CError::Unsupported {
            place: format!("{}:{}", file.map_or("", String::as_str), place.line),
            what: what.into(),
        }
    }

    fn sort(&mut self, place: Place, ty: &CType) -> Result<Sort, CError> {
        let sort = self.classes.sort(self.unit, ty);
        sort.ok_or_else(|| {
            let what = match ty {
                CType::Other(name) => format!("a value of type {name}"),
                CType::Record(_) => "this use of a struct".to_owned(),
                _ => "this type".to_owned(),
            };
            self.unsupported(place, what)
        })
    }

    /// Adds a function that C does not have.
    fn add_synthetic(&mut self, function: Function) -> FunctionId {
        let id = FunctionId(self.first_synthetic + self.synthetic.len() as u32);
        self.known.insert(function.name.clone(), id);
        self.synthetic.push(Function {
            synthetic: true,
            ..function
        });
        id
    }

    /// What a pointer to nothing in particular may lead to: a struct that such a pointer is used as
    /// somewhere, or something that nobody looks into.
    fn payloads(&mut self) {
        let unit = self.unit;
        let mut found = Vec::new();
        for body in unit
            .functions
            .iter()
            .filter_map(|function| function.body.as_ref())
        {
            visit_statement(unit, body, &mut |expr| {
                let (ExprKind::Cast(inner), CType::Pointer(to)) = (&expr.kind, &expr.ty) else {
                    return;
                };
                let is_untyped = matches!(&inner.ty, CType::Pointer(from) if **from == CType::Void);
                // What a call returns is memory more often than a payload.
                let is_call = matches!(inner.kind, ExprKind::Call(..));
                if let (true, false, CType::Record(record)) = (is_untyped, is_call, &**to)
                    && !unit.records[record.0 as usize].is_union
                    && !found.contains(record)
                {
                    found.push(*record);
                }
            });
        }
        let classes: Vec<_> = found
            .iter()
            .map(|&record| self.classes.record(record))
            .collect();
        if let Some(told) = self.classes.rules.candidates.get_mut(&ClassId::ANY) {
            told.classes.splice(0..0, classes);
        }
    }

    /// A function that ends every path by name.
    fn refused(&mut self, node: &ast::Function, error: &CError) -> Function {
        let mut builder = Builder::new();
        let mut params = 0;
        for &param in &node.params {
            let variable = &self.unit.variables[param.0 as usize];
            let sort = match &variable.ty {
                CType::Record(record) => Some(Sort::Ref(self.classes.record(*record))),
                other => self.classes.sort(self.unit, other),
            };
            builder.register(Some(&variable.name), sort.unwrap_or(Sort::Bool));
            params += 1;
        }
        let result = match &node.signature.result {
            CType::Record(record) => Some(Sort::Ref(self.classes.record(*record))),
            other => self.classes.sort(self.unit, other),
        };
        builder.emit(Operation::Call {
            to: None,
            callee: Callee::Intrinsic(format!("{} ({error})", node.name)),
            args: Vec::new(),
        });
        builder.end(Terminator::Unreachable);
        let position = self.position(node.place);
        builder.finish(&node.name, params, result, position)
    }
}

const NULL: Operand = Operand::Constant(heapwright_ir::Constant::Null);
