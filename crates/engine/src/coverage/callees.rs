//! Who may be called: the call graph, with every method of the right name for a virtual call.

use heapwright_ir::{Callee, FunctionId, Operation, Program};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// Who may be called.
pub(super) struct Callees<'p> {
    count: usize,
    /// The methods that some class has for a name, in the order of the classes.
    methods: FxHashMap<&'p str, IndexSet<FunctionId, FxBuildHasher>>,
}

impl<'p> Callees<'p> {
    /// Of a program.
    pub(super) fn new(program: &'p Program) -> Self {
        let mut methods: FxHashMap<&str, IndexSet<_, _>> = FxHashMap::default();
        for class in &program.classes {
            for (name, &function) in &class.methods {
                methods.entry(name).or_default().insert(function);
            }
        }
        Callees {
            count: program.functions.len(),
            methods,
        }
    }

    /// The functions that an operation may call.
    pub(super) fn of(&self, operation: &Operation) -> Vec<FunctionId> {
        let Operation::Call { callee, .. } = operation else {
            return Vec::new();
        };
        let mut found = match callee {
            Callee::Static(function) => vec![*function],
            Callee::Virtual(name) => {
                let methods = self.methods.get(name.as_str());
                methods.map_or_else(Vec::new, |methods| methods.iter().copied().collect())
            }
            Callee::Intrinsic(_) => Vec::new(),
        };
        found.retain(|function| function.index() < self.count);
        found
    }

    /// A function and all that it may call, in the order in which calls lead to them.
    pub(super) fn reachable(&self, program: &Program, root: FunctionId) -> Vec<FunctionId> {
        let mut found: IndexSet<FunctionId, FxBuildHasher> = IndexSet::default();
        if root.index() < self.count {
            found.insert(root);
        }
        let mut next = 0;
        while let Some(&function) = found.get_index(next) {
            next += 1;
            for block in &program.function(function).blocks {
                for instruction in &block.instructions {
                    for callee in self.of(&instruction.operation) {
                        found.insert(callee);
                    }
                }
            }
        }
        found.into_iter().collect()
    }
}
