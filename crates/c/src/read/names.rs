//! The names that types in clang's text refer to, with their scopes.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{CType, Signature};

/// Names and what they mean at a point of the text.
#[derive(Default, Debug)]
pub(super) struct Names {
    /// `struct node`, `enum color`; a struct without a name has `@` and its place instead.
    pub(super) tags: FxHashMap<String, CType>,
    pub(super) typedefs: FxHashMap<String, CType>,
    /// Types of variables and functions, for `typeof`.
    pub(super) values: FxHashMap<String, CType>,
    /// Type names that are the only names of their structs.
    pub(super) is_of_unnamed: FxHashSet<String>,
    /// Type names that ask for less alignment than their types have.
    pub(super) unaligned: FxHashSet<String>,
    /// Types that were read before, by their texts.
    pub(super) parsed: RefCell<FxHashMap<String, CType>>,
    /// How the parameters of function types are written; `None` if no other place could.
    pub(super) spellings: RefCell<FxHashMap<Rc<Signature>, Option<Vec<String>>>>,
    changes: Vec<Change>,
    scopes: Vec<usize>,
    local_types: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Space {
    Tag,
    Typedef,
    Value,
}

#[derive(Debug)]
struct Change {
    space: Space,
    name: String,
    before: Option<CType>,
}

impl Names {
    /// Gives a name a meaning until the scope ends.
    pub(super) fn add(&mut self, space: Space, name: &str, ty: CType) {
        if name.is_empty() {
            return;
        }
        let before = self.space(space).insert(name.to_owned(), ty);
        if !self.scopes.is_empty() {
            let name = name.to_owned();
            self.local_types += usize::from(space != Space::Value);
            self.changes.push(Change {
                space,
                name,
                before,
            });
        }
    }

    pub(super) fn enter(&mut self) {
        self.scopes.push(self.changes.len());
    }

    pub(super) fn leave(&mut self) {
        let start = self.scopes.pop().unwrap_or(0);
        while self.changes.len() > start {
            let Some(change) = self.changes.pop() else {
                return;
            };
            self.local_types -= usize::from(change.space != Space::Value);
            let space = self.space(change.space);
            match change.before {
                Some(ty) => space.insert(change.name, ty),
                None => space.remove(&change.name),
            };
        }
    }

    /// Whether the meaning of a type is the same in the whole unit.
    pub(super) fn is_lasting(&self, text: &str) -> bool {
        self.local_types == 0 && !text.contains("typeof") && !text.contains(" at ")
    }

    fn space(&mut self, space: Space) -> &mut FxHashMap<String, CType> {
        match space {
            Space::Tag => &mut self.tags,
            Space::Typedef => &mut self.typedefs,
            Space::Value => &mut self.values,
        }
    }
}
