//! Who may be called: the call graph, with every method of the right name for a virtual call.

use heapwright_ir::{Callee, FunctionId, Operation, Program};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// Who may be called.
pub struct Callees<'p> {
    count: usize,
    /// The methods that some class has for a name, in the order of the classes.
    methods: FxHashMap<&'p str, IndexSet<FunctionId, FxBuildHasher>>,
}

impl<'p> Callees<'p> {
    /// Of a program.
    pub fn new(program: &'p Program) -> Self {
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
    pub fn of(&self, operation: &Operation) -> Vec<FunctionId> {
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

    /// For each call in a function who is called, and the functions that it may lead to; none for
    /// a call out of the program.
    pub fn calls<'a>(
        &'a self,
        program: &'a Program,
        function: FunctionId,
    ) -> impl Iterator<Item = (&'a Callee, Vec<FunctionId>)> + 'a {
        let function = program.functions.get(function.index());
        let blocks = function.map_or(&[][..], |function| &function.blocks);
        let instructions = blocks.iter().flat_map(|block| &block.instructions);
        instructions.filter_map(|instruction| match &instruction.operation {
            Operation::Call { callee, .. } => Some((callee, self.of(&instruction.operation))),
            _ => None,
        })
    }

    /// A function and all that it may call, in the order in which calls lead to them; functions
    /// that do not count are left out, with what only they call.
    pub fn reachable(
        &self,
        program: &Program,
        root: FunctionId,
        counts: impl Fn(FunctionId) -> bool,
    ) -> Vec<FunctionId> {
        let mut found: IndexSet<FunctionId, FxBuildHasher> = IndexSet::default();
        if root.index() < self.count {
            found.insert(root);
        }
        let mut next = 0;
        while let Some(&function) = found.get_index(next) {
            next += 1;
            for block in &program.function(function).blocks {
                for instruction in &block.instructions {
                    let called = self.of(&instruction.operation).into_iter();
                    for callee in called.filter(|&callee| counts(callee)) {
                        found.insert(callee);
                    }
                }
            }
        }
        found.into_iter().collect()
    }
}
