//! Checks classes: their hierarchy, fields, layouts and methods, and the exceptions of faults.

use heapwright_logic::{Class, ClassId, Sort};
use rustc_hash::FxHashSet;

use super::{Checker, ProgramPart, Violation};
use crate::program::{ClassInfo, ClassKind};

impl Checker<'_> {
    /// Checks all classes. What needs the hierarchy is looked at only if the hierarchy is sound.
    pub(super) fn check_classes(&mut self) {
        let program = self.program;
        if self.classes != program.classes.len() {
            let violation = Violation::ClassCount {
                classes: self.classes,
                known: program.classes.len(),
            };
            self.report(ProgramPart::Program, violation);
            return;
        }
        let mut names = FxHashSet::default();
        for (id, class) in program.definitions.classes() {
            if id != ClassId::ANY && !names.insert(class.name.as_str()) {
                self.report_class(id, Violation::DuplicateClass);
            }
            self.check_ids(id, class, program.class(id));
        }
        if self.errors.is_empty() {
            self.check_acyclic();
        }
        if !self.errors.is_empty() {
            return;
        }
        for (id, class) in program.definitions.classes() {
            self.check_fields(id, class);
            self.check_kind(id, class, program.class(id));
            self.check_methods(id, program.class(id));
        }
        let mut exceptions: Vec<_> = program.exceptions.iter().collect();
        exceptions.sort();
        for (_, &class) in exceptions {
            self.check_exception(class);
        }
    }

    fn report_class(&mut self, class: ClassId, violation: Violation) {
        let name = self.class_name(class);
        self.report(ProgramPart::Class { class, name }, violation);
    }

    /// Everything that the class mentions exists.
    fn check_ids(&mut self, id: ClassId, class: &Class, info: &ClassInfo) {
        for &ancestor in class.superclass.iter().chain(&info.interfaces) {
            if !self.has_class(ancestor) {
                self.report_class(id, Violation::NoSuchClass(ancestor));
            }
        }
        for field in &class.fields {
            if let Sort::Ref(class) = field.sort
                && !self.has_class(class)
            {
                self.report_class(id, Violation::NoSuchClass(class));
            }
        }
        for &function in info.methods.values() {
            if function.index() >= self.program.functions.len() {
                self.report_class(id, Violation::NoSuchFunction(function));
            }
        }
    }

    /// No class is its own ancestor: taking away classes without ancestors, again and again,
    /// leaves none.
    fn check_acyclic(&mut self) {
        let mut pending = vec![0u32; self.classes];
        let mut children = vec![Vec::new(); self.classes];
        for (id, class) in self.program.definitions.classes() {
            let interfaces = &self.program.class(id).interfaces;
            for ancestor in class.superclass.iter().chain(interfaces) {
                pending[id.index()] += 1;
                children[ancestor.index()].push(id);
            }
        }
        let mut free: Vec<usize> = (0..self.classes).filter(|&id| pending[id] == 0).collect();
        while let Some(next) = free.pop() {
            for child in &children[next] {
                pending[child.index()] -= 1;
                if pending[child.index()] == 0 {
                    free.push(child.index());
                }
            }
        }
        for (id, count) in (0u32..).map(ClassId).zip(pending) {
            // Classes below a cycle are left over too, and they are not to blame.
            if count > 0 && self.is_own_ancestor(id) {
                self.report_class(id, Violation::CyclicHierarchy);
            }
        }
    }

    fn is_own_ancestor(&self, class: ClassId) -> bool {
        let parents = |class: ClassId| {
            let superclass = self.program.definitions.class(class).superclass;
            let interfaces = self.program.class(class).interfaces.iter().copied();
            superclass.into_iter().chain(interfaces)
        };
        let mut seen = FxHashSet::default();
        let mut pending: Vec<ClassId> = parents(class).collect();
        while let Some(next) = pending.pop() {
            if next == class {
                return true;
            }
            if seen.insert(next) {
                pending.extend(parents(next));
            }
        }
        false
    }

    /// The fields of the superclass come first.
    fn check_fields(&mut self, id: ClassId, class: &Class) {
        if let Some(superclass) = class.superclass {
            let inherited = &self.program.definitions.class(superclass).fields;
            if !class.fields.starts_with(inherited) {
                self.report_class(id, Violation::InheritedFields);
            }
        }
        let ancestors = class.superclass.is_some() || !self.program.class(id).interfaces.is_empty();
        if id == ClassId::ANY && (ancestors || !class.fields.is_empty()) {
            self.report_class(id, Violation::RootClass);
        }
    }

    /// Layouts and elements.
    fn check_kind(&mut self, id: ClassId, class: &Class, info: &ClassInfo) {
        let (layout, size) = match &info.kind {
            ClassKind::Struct { layout, size } => (layout, *size),
            ClassKind::Array { element } => {
                if let Some(violation) = self.bad_sort(*element) {
                    self.report_class(id, violation);
                }
                if !class.fields.is_empty() {
                    self.report_class(id, Violation::ArrayFields);
                }
                return;
            }
        };
        if !layout.is_empty() && layout.len() != class.fields.len() {
            let violation = Violation::LayoutCount {
                fields: class.fields.len(),
                entries: layout.len(),
            };
            self.report_class(id, violation);
        }
        for (field, place) in class.fields.iter().zip(layout) {
            let end = u64::from(place.offset) + u64::from(place.size);
            if size != 0 && end > u64::from(size) {
                self.report_class(id, Violation::LayoutBounds(field.name.clone()));
            }
        }
    }

    /// Methods have a parameter for the receiver.
    fn check_methods(&mut self, id: ClassId, info: &ClassInfo) {
        for (method, &function) in &info.methods {
            let function = self.program.function(function);
            let receiver = function.registers.first().map(|register| register.sort);
            let receiver = receiver.filter(|_| function.params > 0);
            if !receiver.is_some_and(|receiver| self.fits(Sort::Ref(id), receiver)) {
                self.report_class(id, Violation::MethodReceiver(method.clone()));
            }
        }
    }

    /// Exceptions that faults throw can be made.
    fn check_exception(&mut self, class: ClassId) {
        if !self.has_class(class) {
            self.report(ProgramPart::Program, Violation::NoSuchClass(class));
            return;
        }
        if let Some(violation) = self.not_constructible(class) {
            self.report(ProgramPart::Program, violation);
        }
    }

    /// Why there cannot be a new object of a class that exists.
    pub(super) fn not_constructible(&self, class: ClassId) -> Option<Violation> {
        let info = self.program.class(class);
        if matches!(info.kind, ClassKind::Array { .. }) {
            return Some(Violation::ArrayClass(self.class_name(class)));
        }
        let name = || Violation::NotInstantiable(self.class_name(class));
        (!info.instantiable).then(name)
    }
}
