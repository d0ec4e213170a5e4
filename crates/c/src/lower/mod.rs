//! From clang's syntax tree to the core language.
//!
//! - A struct is an object, and so is a struct inside of another one ([`classes`]).
//! - A pointer to a struct is a reference to its object. A pointer to anything else leads into an
//!   array, or to a field of an object.
//! - A variable is a register, unless its address is taken or it is a struct or an array: then it is
//!   an object that is freed when the function returns.
//! - `container_of` asks the object for the struct around it. For one that is not inside of such a
//!   struct the result can be formed and its parts can be pointed to, as C programs do at the end of
//!   their loops; reading or writing it is a fault.

mod builder;
pub mod classes;
mod constant;
mod expression;
mod function;
mod statement;
mod synthetic;

use heapwright_ir::{Callee, Function, FunctionId, Operation, Position, Terminator};
use heapwright_logic::{ClassId, Sort};
use rustc_hash::FxHashMap;

use crate::error::CError;
use crate::records::{Record, Records};
use crate::tree::{Node, Place, Tree};
use crate::types::{CType, parse};
use builder::Builder;
use classes::Classes;

/// What a unit becomes.
pub(crate) struct Lowered {
    pub classes: Classes,
    pub functions: Vec<Function>,
    /// The functions of the file itself, and why they cannot be tested.
    pub tested: Vec<(FunctionId, Option<CError>)>,
    /// The types of the results, by function.
    pub results: Vec<CType>,
}

/// Translates the functions of a file, and those that they call.
pub(crate) fn lower(tree: &Tree, records: &Records, main_file: u32) -> Lowered {
    let mut bodies: FxHashMap<&str, &Node> = FxHashMap::default();
    let mut names = Vec::new();
    for node in &tree.root.inner {
        if node.kind == "FunctionDecl" && body(node).is_some() {
            bodies.insert(&node.name, node);
            if node.place.file == main_file {
                names.push(node.name.as_str());
            }
        }
    }
    let count = names.len();
    let mut next = 0;
    while let Some(&name) = names.get(next) {
        next += 1;
        for called in called(bodies[name]) {
            if let Some((&called, _)) = bodies.get_key_value(called)
                && !names.contains(&called)
            {
                names.push(called);
            }
        }
    }
    let nodes: Vec<&Node> = names.iter().map(|name| bodies[name]).collect();
    let mut lowering = Lowering {
        classes: Classes::of(records, &needed(records, &nodes)),
        tree,
        records,
        ids: (0..)
            .map(FunctionId)
            .zip(&names)
            .map(|(id, &name)| (name, id))
            .collect(),
        results: nodes.iter().map(|node| result_type(node)).collect(),
        synthetic: Vec::new(),
        methods: FxHashMap::default(),
        first_synthetic: names.len() as u32,
    };
    let mut functions = Vec::new();
    let mut tested = Vec::new();
    for (index, node) in nodes.into_iter().enumerate() {
        let lowered = lowering.function(node);
        if index < count {
            tested.push((FunctionId(index as u32), lowered.as_ref().err().cloned()));
        }
        functions.push(lowered.unwrap_or_else(|error| lowering.refused(node, &error)));
    }
    functions.append(&mut lowering.synthetic);
    Lowered {
        classes: lowering.classes,
        functions,
        tested,
        results: lowering.results,
    }
}

/// What the translation of every function needs.
struct Lowering<'t> {
    tree: &'t Tree,
    records: &'t Records,
    classes: Classes,
    ids: FxHashMap<&'t str, FunctionId>,
    /// The types of the results, by function.
    results: Vec<CType>,
    /// Functions that C does not have, behind the others.
    synthetic: Vec<Function>,
    /// Those of them that are known, by name.
    methods: FxHashMap<String, FunctionId>,
    first_synthetic: u32,
}

impl Lowering<'_> {
    fn position(&self, place: &Place) -> Position {
        Position {
            file: place.file,
            line: place.line,
            column: place.column,
        }
    }

    fn unsupported(&self, node: &Node, what: impl Into<String>) -> CError {
        let file = self.tree.files.get(node.place.file as usize);
        CError::Unsupported {
            place: format!("{}:{}", file.map_or("", String::as_str), node.place.line),
            what: what.into(),
        }
    }

    fn sort(&mut self, node: &Node, ty: &CType) -> Result<Sort, CError> {
        if let CType::Pointer(to) = ty
            && let CType::Record(name) = &**to
            && let Some(record) = self.records.named(name)
            && let Some(refused) = &record.refused
        {
            return Err(self.unsupported(node, refused.clone()));
        }
        let sort = self.classes.sort(self.records, ty);
        sort.ok_or_else(|| self.unsupported(node, format!("a value of type {}", node.ty)))
    }

    /// The class of a struct.
    fn class(&self, node: &Node, name: &str) -> Result<(ClassId, &Record), CError> {
        let record = self.records.named(name);
        let record =
            record.ok_or_else(|| self.unsupported(node, format!("the inside of {name}")))?;
        if let Some(refused) = &record.refused {
            return Err(self.unsupported(node, refused.clone()));
        }
        let class = self.classes.record(&record.name);
        let class = class.ok_or_else(|| self.unsupported(node, format!("the inside of {name}")))?;
        Ok((class, record))
    }

    /// A function that ends every path by name.
    fn refused(&mut self, node: &Node, error: &CError) -> Function {
        let mut builder = Builder::new();
        let mut params = 0;
        for param in node
            .inner
            .iter()
            .filter(|inner| inner.kind == "ParmVarDecl")
        {
            let sort = self.classes.sort(self.records, &parse(&param.ty));
            builder.register(Some(&param.name), sort.unwrap_or(Sort::Bool));
            params += 1;
        }
        let result = self.classes.sort(self.records, &result_type(node));
        builder.emit(Operation::Call {
            to: None,
            callee: Callee::Intrinsic(format!("{} ({error})", node.name)),
            args: Vec::new(),
        });
        builder.end(Terminator::Unreachable);
        builder.finish(&node.name, params, result, self.position(&node.place))
    }
}

/// The body of a function.
fn body(node: &Node) -> Option<&Node> {
    node.inner.iter().find(|inner| inner.kind == "CompoundStmt")
}

/// The type of a function's result.
fn result_type(node: &Node) -> CType {
    match parse(&node.ty) {
        CType::Function(result) => (*result).clone(),
        other => other,
    }
}

/// The functions that something refers to.
fn called(node: &Node) -> Vec<&str> {
    let mut names = Vec::new();
    visit(node, &mut |node| {
        if let Some(reference) = node
            .reference
            .as_ref()
            .filter(|to| to.kind == "FunctionDecl")
        {
            names.push(reference.name.as_str());
        }
    });
    names
}

fn visit<'n>(node: &'n Node, act: &mut impl FnMut(&'n Node)) {
    act(node);
    for inner in &node.inner {
        visit(inner, act);
    }
}

/// The structs that functions speak of, in the order of the text.
fn needed<'r>(records: &'r Records, functions: &[&Node]) -> Vec<&'r Record> {
    let mut pending: Vec<CType> = Vec::new();
    for function in functions {
        visit(function, &mut |node| {
            if !node.ty.is_empty() {
                pending.push(parse(&node.ty));
            }
        });
    }
    let mut found: Vec<&Record> = Vec::new();
    while let Some(ty) = pending.pop() {
        match ty {
            CType::Pointer(to) | CType::Array(to, _) | CType::Function(to) => {
                pending.push((*to).clone());
            }
            CType::Record(name) => {
                if let Some(record) = records.named(&name)
                    && !found.iter().any(|known| known.name == record.name)
                {
                    found.push(record);
                    pending.extend(record.fields.iter().map(|field| field.ty.clone()));
                }
            }
            _ => {}
        }
    }
    let all = records.all().iter();
    all.filter(|record| found.iter().any(|known| known.name == record.name))
        .collect()
}
