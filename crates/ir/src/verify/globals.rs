//! Checks globals: their names, classes and lengths.

use rustc_hash::FxHashSet;

use super::{Checker, ProgramPart, Violation};
use crate::global::{Global, GlobalId};
use crate::program::ClassKind;

impl Checker<'_> {
    /// Checks all globals. The classes are sound.
    pub(super) fn check_globals(&mut self) {
        let mut names = FxHashSet::default();
        for (id, global) in (0u32..).map(GlobalId).zip(&self.program.globals) {
            if !names.insert(global.name.as_str()) {
                self.report_global(id, global, Violation::DuplicateGlobal);
            }
            if let Some(violation) = self.bad_global(global) {
                self.report_global(id, global, violation);
            }
        }
    }

    fn report_global(&mut self, id: GlobalId, global: &Global, violation: Violation) {
        let name = global.name.clone();
        self.report(ProgramPart::Global { global: id, name }, violation);
    }

    /// What is wrong with the class of a global, or with its length.
    fn bad_global(&self, global: &Global) -> Option<Violation> {
        if !self.has_class(global.class) {
            return Some(Violation::NoSuchClass(global.class));
        }
        match (&self.program.class(global.class).kind, global.length) {
            (ClassKind::Struct { .. }, None) | (ClassKind::Array { .. }, Some(_)) => None,
            (ClassKind::Struct { .. }, Some(_)) => {
                Some(Violation::NotAnArray(self.class_name(global.class)))
            }
            (ClassKind::Array { .. }, None) => Some(Violation::NoLength),
        }
    }
}
