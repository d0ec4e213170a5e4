//! Who may be called: the call graph, by class hierarchy analysis. A virtual call may lead to every
//! method of the right name in a class below the one that the receiver is declared with.

use std::cell::RefCell;

use heapwright_ir::{Callee, Function, FunctionId, Operand, Operation, Program};
use heapwright_logic::{ClassId, Sort};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::input::candidates::fits;

/// Who may be called.
pub struct Callees<'p> {
    program: &'p Program,
    /// The methods that classes have for a name, in the order of the classes.
    methods: FxHashMap<&'p str, Vec<(ClassId, FunctionId)>>,
    /// Those for a name and a declared class, as far as somebody asked.
    fitting: RefCell<FxHashMap<(&'p str, ClassId), Vec<FunctionId>>>,
}

impl<'p> Callees<'p> {
    /// Of a program.
    pub fn new(program: &'p Program) -> Self {
        let mut methods: FxHashMap<&str, Vec<_>> = FxHashMap::default();
        for (id, class) in (0..).map(ClassId).zip(&program.classes) {
            for (name, &function) in &class.methods {
                methods.entry(name).or_default().push((id, function));
            }
        }
        Callees {
            program,
            methods,
            fitting: RefCell::default(),
        }
    }

    /// The functions that an operation of a function may call.
    pub fn of(&self, caller: &Function, operation: &Operation) -> Vec<FunctionId> {
        let Operation::Call { callee, args, .. } = operation else {
            return Vec::new();
        };
        let mut found = match callee {
            Callee::Static(function) => vec![*function],
            Callee::Virtual(name) => {
                let declared = args
                    .first()
                    .and_then(|&receiver| class_of(caller, receiver));
                self.methods(name, declared.unwrap_or(ClassId::ANY))
            }
            Callee::Intrinsic(_) => Vec::new(),
        };
        found.retain(|&function| self.has(function));
        found
    }

    fn has(&self, function: FunctionId) -> bool {
        function.index() < self.program.functions.len()
    }

    /// The methods for a name in the classes below one.
    fn methods(&self, name: &str, declared: ClassId) -> Vec<FunctionId> {
        let Some((&name, methods)) = self.methods.get_key_value(name) else {
            return Vec::new();
        };
        let mut known = self.fitting.borrow_mut();
        let fitting = known.entry((name, declared)).or_insert_with(|| {
            let below = |class| declared == ClassId::ANY || fits(self.program, class, declared);
            let fitting = methods.iter().filter(|(class, _)| below(*class));
            let distinct: IndexSet<FunctionId, FxBuildHasher> =
                fitting.map(|&(_, function)| function).collect();
            distinct.into_iter().collect()
        });
        fitting.clone()
    }

    /// For each call in a function who is called, and the functions that it may lead to; none for
    /// a call out of the program.
    pub fn calls<'a>(
        &'a self,
        function: FunctionId,
    ) -> impl Iterator<Item = (&'a Callee, Vec<FunctionId>)> + 'a {
        let function = self.program.functions.get(function.index()).into_iter();
        let instructions = function.flat_map(|function| {
            let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
            instructions.map(move |instruction| (function, instruction))
        });
        instructions.filter_map(|(function, instruction)| match &instruction.operation {
            Operation::Call { callee, .. } => {
                Some((callee, self.of(function, &instruction.operation)))
            }
            _ => None,
        })
    }

    /// A function and all that it may call, in the order in which calls lead to them; functions
    /// that do not count are left out, with what only they call.
    pub fn reachable(
        &self,
        root: FunctionId,
        counts: impl Fn(FunctionId) -> bool,
    ) -> Vec<FunctionId> {
        let mut found: IndexSet<FunctionId, FxBuildHasher> = IndexSet::default();
        if self.has(root) {
            found.insert(root);
        }
        let mut next = 0;
        while let Some(&function) = found.get_index(next) {
            next += 1;
            let function = self.program.function(function);
            for block in &function.blocks {
                for instruction in &block.instructions {
                    let called = self.of(function, &instruction.operation).into_iter();
                    for callee in called.filter(|&callee| counts(callee)) {
                        found.insert(callee);
                    }
                }
            }
        }
        found.into_iter().collect()
    }
}

/// The class that a reference is declared with.
pub(crate) fn class_of(function: &Function, reference: Operand) -> Option<ClassId> {
    let Operand::Register(register) = reference else {
        return None;
    };
    match function.registers.get(register.index())?.sort {
        Sort::Ref(class) => Some(class),
        _ => None,
    }
}
