//! Who is called, where all objects are known: rapid type analysis (Bacon and Sweeney, OOPSLA 1996).
//!
//! The objects that a run of a predicate meets are those of its input, globals, exceptions of the
//! machine, and those that functions make which it calls. So a virtual call leads to methods of
//! these classes only. Whatever untranslated code of a library makes is of a class of the library,
//! so from there on a call of a library's method may lead to any of them.

use heapwright_ir::{Callee, Function, FunctionId, InputRules, Library, Operation, Program};
use heapwright_logic::{ClassId, Sort};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::summaries::{Called, Effects};
use crate::analysis::call_graph::class_of;
use crate::input::candidates::{candidates, element_sort, fits, has_objects};

/// What a function writes, and what it calls, on inputs of these sorts; and who is called.
pub fn closed_effects<'p>(
    program: &'p Program,
    rules: &'p InputRules,
    library: &'p Library,
    inputs: &[Sort],
    root: FunctionId,
) -> (Effects<'p>, Calls<'p>) {
    let input = input_classes(program, rules, inputs);
    let mut calls = Calls::new(program, library, input.clone(), vec![root], false);
    let mut effects = calls.effects();
    if effects.calls_library() {
        let mut roots = calls.callbacks();
        roots.insert(0, root);
        calls = Calls::new(program, library, input, roots, true);
        effects = calls.effects();
    }
    (effects, calls)
}

/// The calls that runs of some functions may come to.
pub struct Calls<'p> {
    program: &'p Program,
    library: &'p Library,
    /// Whether there may be objects of any class of the library.
    any_of_library: bool,
    classes: IndexSet<ClassId, FxBuildHasher>,
    functions: IndexSet<FunctionId, FxBuildHasher>,
    /// The methods for a name in classes with objects.
    methods: FxHashMap<&'p str, Vec<(ClassId, FunctionId)>>,
}

impl<'p> Calls<'p> {
    fn new(
        program: &'p Program,
        library: &'p Library,
        input: IndexSet<ClassId, FxBuildHasher>,
        roots: Vec<FunctionId>,
        any_of_library: bool,
    ) -> Calls<'p> {
        let mut calls = Calls {
            program,
            library,
            any_of_library,
            classes: IndexSet::default(),
            functions: roots.into_iter().collect(),
            methods: FxHashMap::default(),
        };
        let faults = program.fault_objects.values();
        let faults = faults.flat_map(|fault| {
            let detailed = fault.detailed.iter().map(|(class, _)| *class);
            detailed.chain([fault.plain])
        });
        let mut first: Vec<ClassId> = faults.chain(program.exceptions.values().copied()).collect();
        first.sort_unstable();
        let globals = program.globals.iter().map(|global| global.class);
        for class in input.into_iter().chain(first).chain(globals) {
            calls.add_class(class);
        }
        calls.close();
        calls
    }

    /// Finds what is called and made until there is nothing new. A virtual call may find another
    /// method when a class is made later, so all functions are looked at again then.
    fn close(&mut self) {
        let mut next = 0;
        loop {
            let (classes, before) = (self.classes.len(), next);
            while let Some(&id) = self.functions.get_index(next) {
                next += 1;
                self.visit(id);
            }
            if self.classes.len() == classes && before == next {
                return;
            }
            if self.any_of_library {
                let callbacks = self.callbacks();
                self.functions.extend(callbacks);
            }
            for index in 0..next {
                if let Some(&id) = self.functions.get_index(index) {
                    self.visit_virtual_calls(id);
                }
            }
        }
    }

    fn visit(&mut self, id: FunctionId) {
        let Some(function) = self.program.functions.get(id.index()) else {
            return;
        };
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            if let Operation::New { class, .. } | Operation::NewArray { class, .. } =
                instruction.operation
            {
                self.add_class(class);
            }
            let called = self.called(function, &instruction.operation);
            self.functions.extend(called.functions);
        }
    }

    fn visit_virtual_calls(&mut self, id: FunctionId) {
        let Some(function) = self.program.functions.get(id.index()) else {
            return;
        };
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            if let Operation::Call {
                callee: Callee::Virtual(_),
                ..
            } = instruction.operation
            {
                let called = self.called(function, &instruction.operation);
                self.functions.extend(called.functions);
            }
        }
    }

    fn add_class(&mut self, class: ClassId) {
        if !self.classes.insert(class) {
            return;
        }
        let program = self.program;
        let methods = program.classes.get(class.index());
        for (name, &function) in methods.into_iter().flat_map(|info| &info.methods) {
            let known = self.methods.entry(name).or_default();
            known.push((class, function));
        }
    }

    /// Who an operation of a function may call.
    pub fn called(&self, caller: &Function, operation: &Operation) -> Called {
        let Operation::Call { callee, args, .. } = operation else {
            return Called::default();
        };
        match callee {
            Callee::Static(function) => Called {
                functions: vec![*function],
                ..Called::default()
            },
            Callee::Intrinsic(_) => Called::default(),
            Callee::Virtual(name) => {
                let receiver = args.first().copied();
                let declared = receiver.and_then(|receiver| class_of(caller, receiver));
                let declared = declared.unwrap_or(ClassId::ANY);
                let methods = self.methods.get(name.as_str()).into_iter().flatten();
                let below = methods.filter(|(class, _)| {
                    declared == ClassId::ANY || fits(self.program, *class, declared)
                });
                let functions: IndexSet<FunctionId, FxBuildHasher> =
                    below.map(|&(_, function)| function).collect();
                let of_library = match declared {
                    ClassId::ANY => !(functions.iter()).all(|id| self.library.pure.contains(id)),
                    declared => self.library.classes.contains(&declared),
                };
                Called {
                    functions: functions.into_iter().collect(),
                    library: self.any_of_library && of_library,
                    unknown: false,
                }
            }
        }
    }

    /// Whether there may be objects of a class.
    pub fn has_objects(&self, class: ClassId) -> bool {
        self.classes.contains(&class)
            || self.any_of_library && self.library.classes.contains(&class)
    }

    /// The methods that code of the library can call.
    fn callbacks(&self) -> Vec<FunctionId> {
        let methods = self.methods.values().flatten();
        let called = methods.filter(|(_, method)| self.library.callbacks.contains(method));
        let mut called: Vec<FunctionId> = called.map(|&(_, method)| method).collect();
        called.sort_unstable();
        called.dedup();
        called
    }

    fn effects(&self) -> Effects<'p> {
        let functions: Vec<FunctionId> = self.functions.iter().copied().collect();
        let callbacks = match self.any_of_library {
            true => self.callbacks(),
            false => Vec::new(),
        };
        Effects::new(
            self.program,
            self.library,
            &functions,
            &callbacks,
            true,
            |_, function, operation| self.called(function, operation),
        )
    }
}

/// The classes that objects of an input can have.
fn input_classes(
    program: &Program,
    rules: &InputRules,
    inputs: &[Sort],
) -> IndexSet<ClassId, FxBuildHasher> {
    let mut found: IndexSet<ClassId, FxBuildHasher> = IndexSet::default();
    let mut declared: FxHashSet<ClassId> = FxHashSet::default();
    let mut pending: Vec<Sort> = inputs.to_vec();
    while let Some(sort) = pending.pop() {
        let Sort::Ref(class) = sort else { continue };
        if !declared.insert(class) {
            continue;
        }
        for candidate in candidates(program, rules, &[class]).classes {
            if !has_objects(program, candidate) || !found.insert(candidate) {
                continue;
            }
            let fields = &program.definitions.class(candidate).fields;
            pending.extend(fields.iter().map(|field| field.sort));
            pending.extend(element_sort(program, candidate));
        }
    }
    found
}
