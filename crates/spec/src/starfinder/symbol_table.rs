//! The names of one disjunct.

use heapwright_logic::{IntType, Sort, VarId};
use rustc_hash::FxHashMap;

use crate::ConstantValue;

use super::infer::{Kinds, TypeVar, Types};

/// A name with what is inferred about it.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub name: String,
    pub ty: TypeVar,
    /// The type of the field whose value it is, if that is an integer of a fixed width.
    pub width: Option<IntType>,
    /// The sort that it was declared with elsewhere.
    pub declared: Option<Sort>,
    /// The variable that it became.
    pub variable: Option<VarId>,
    /// The number of the static field that it is.
    pub static_field: Option<usize>,
    /// Its value, if it is a constant.
    pub constant: Option<ConstantValue>,
}

/// Names in order of first occurrence. The first ones are those that the disjunct does not
/// quantify.
#[derive(Clone, Default, Debug)]
pub(super) struct SymbolTable {
    pub entries: Vec<Entry>,
    positions: FxHashMap<String, usize>,
    /// How many names at the beginning belong to the whole definition.
    pub outer: usize,
}

impl SymbolTable {
    pub fn contains(&self, name: &str) -> bool {
        self.positions.contains_key(name)
    }

    /// Adds a name of the whole definition.
    pub fn add_outer(&mut self, name: &str, ty: TypeVar, declared: Option<Sort>) {
        self.add(name, ty, declared);
        self.outer = self.entries.len();
    }

    /// Adds a static field, under the name that the text has for it. One that is there under
    /// another name is the same variable.
    pub fn add_static(&mut self, name: &str, shown: String, field: usize, ty: TypeVar, sort: Sort) {
        let known = |entry: &Entry| entry.static_field == Some(field);
        if let Some(position) = self.entries.iter().position(known) {
            self.positions.insert(name.to_owned(), position);
            return;
        }
        let position = self.add(name, ty, Some(sort));
        self.entries[position].name = shown;
        self.entries[position].static_field = Some(field);
        self.outer = self.entries.len();
    }

    /// Adds a constant.
    pub fn add_constant(&mut self, name: &str, ty: TypeVar, sort: Sort, value: ConstantValue) {
        let position = self.add(name, ty, Some(sort));
        self.entries[position].constant = Some(value);
        self.outer = self.entries.len();
    }

    /// The entry of a name, which is new if it was not used before.
    pub fn entry(&mut self, name: &str, types: &mut Types) -> &mut Entry {
        let position = match self.positions.get(name) {
            Some(&position) => position,
            None => {
                let ty = types.fresh(Kinds::ANY);
                self.add(name, ty, None)
            }
        };
        &mut self.entries[position]
    }

    pub fn get(&self, name: &str) -> Option<&Entry> {
        self.positions.get(name).map(|&at| &self.entries[at])
    }

    fn add(&mut self, name: &str, ty: TypeVar, declared: Option<Sort>) -> usize {
        let position = self.entries.len();
        self.positions.insert(name.to_owned(), position);
        self.entries.push(Entry {
            name: name.to_owned(),
            ty,
            width: None,
            declared,
            variable: None,
            static_field: None,
            constant: None,
        });
        position
    }
}

impl Entry {
    /// The sort, once inference is done.
    pub fn sort(&self, types: &mut Types) -> Sort {
        if let Some(sort) = self.declared {
            return sort;
        }
        match (types.sort(self.ty), self.width) {
            (Sort::Int, Some(width)) => Sort::Machine(width),
            (sort, _) => sort,
        }
    }
}
