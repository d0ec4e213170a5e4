//! Functions together with the variables of the file that they depend on.
//!
//! What a function does may depend on variables that are there before the call. Then a test has to
//! set them, so they are inputs: a *wrapper* has further parameters for them, gives all other
//! variables their first values, stores the parameters, and calls the function. A struct or an array
//! is no value that could be stored: its parameter leads to an object of the input, which is the
//! variable itself.
//!
//! Constants keep their first values, and so do static variables in functions, which no test can
//! name.

use heapwright_ir::{Callee, Constant, FunctionId, GlobalId, Operand, Operation, Terminator};
use heapwright_logic::{IntType, Sort};
use rustc_hash::FxHashSet;

use super::Lowering;
use super::builder::{Builder, int};
use super::library::{ALLOCATORS, FAILING_ALLOCATION, PRELUDE};
use crate::ast::{self, CType, Expr, ExprKind, Storage, VariableId};
use crate::visit::{visit_init, visit_statement};

/// Variables with more elements keep their first values.
const MOST_ELEMENTS: u32 = 1024;

/// Where headers are that belong to nobody's project.
const SYSTEM_HEADERS: &str = "/usr/";

/// What is run in order to test a function.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The function to be run: the tested one, or its wrapper.
    pub function: FunctionId,
    /// The variables that are inputs. Their parameters follow those of the function.
    pub globals: Vec<InputGlobal>,
}

/// A variable that is an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InputGlobal {
    /// The variable.
    pub variable: VariableId,
    /// Its global.
    pub global: GlobalId,
    /// The parameter that it gets its value from, or that leads to its object.
    pub parameter: usize,
    /// Whether it is an object, and no value.
    pub is_object: bool,
}

impl Lowering<'_> {
    /// What is to be run in order to test a function, given as it was translated.
    pub(super) fn entry(
        &mut self,
        node: &ast::Function,
        id: FunctionId,
        lowered: &heapwright_ir::Function,
    ) -> Entry {
        let reached = self.reach(node);
        let unit = self.unit;
        let inputs = unit.globals.iter().copied();
        let inputs: Vec<VariableId> = inputs
            .filter(|variable| reached.contains(variable) && self.is_input(*variable))
            .collect();
        if inputs.is_empty() {
            return Entry {
                function: id,
                globals: Vec::new(),
            };
        }
        let mut builder = Builder::new();
        builder.position = lowered.position;
        for register in lowered.registers.iter().take(lowered.params as usize) {
            builder.register(register.name.as_deref(), register.sort);
        }
        let mut globals = Vec::new();
        for &variable in &inputs {
            let Some(&global) = self.variables.get(&variable) else {
                continue;
            };
            let known = &unit.variables[variable.0 as usize];
            let is_object = matches!(known.ty, CType::Record(_) | CType::Array(..));
            let sort = match self.classes.sort(unit, &known.ty) {
                Some(sort) if !is_object => sort,
                _ => Sort::Ref(self.globals[global.index()].class),
            };
            let parameter = builder.registers.len();
            let name = match known.name.as_str() {
                FAILING_ALLOCATION => "failing_allocation",
                name => name,
            };
            builder.register(Some(name), sort);
            globals.push(InputGlobal {
                variable,
                global,
                parameter,
                is_object,
            });
        }
        let params = builder.registers.len() as u32;
        self.begin_with(&mut builder, &inputs);
        let first = int(IntType::I64, 0);
        for known in globals.iter().filter(|known| !known.is_object) {
            builder.emit(Operation::StoreElement {
                array: Operand::Global(known.global),
                index: first,
                value: Operand::Register(heapwright_ir::Reg(known.parameter as u32)),
            });
        }
        let args = (0..lowered.params).map(heapwright_ir::Reg);
        let to = lowered.result.map(|sort| builder.register(None, sort));
        builder.emit(Operation::Call {
            to,
            callee: Callee::Static(id),
            args: args.map(Operand::Register).collect(),
        });
        builder.end(Terminator::Return(to.map(Operand::Register)));
        let name = format!("<entry> {}", lowered.name);
        let function = builder.finish(&name, params, lowered.result, lowered.position);
        Entry {
            function: self.add_synthetic(function),
            globals,
        }
    }

    /// Gives all variables but the inputs their first values.
    fn begin_with(&mut self, builder: &mut Builder, inputs: &[VariableId]) {
        if self.initialiser.is_none() {
            return;
        }
        builder.emit(Operation::StoreElement {
            array: Operand::Global(GlobalId(0)),
            index: int(IntType::I64, 0),
            value: Operand::Constant(Constant::Bool(true)),
        });
        for (variable, function) in self.first_values.clone() {
            if variable.is_none_or(|variable| !inputs.contains(&variable)) {
                builder.emit(Operation::Call {
                    to: None,
                    callee: Callee::Static(function),
                    args: Vec::new(),
                });
            }
        }
    }

    /// Whether a variable can be an input.
    fn is_input(&self, variable: VariableId) -> bool {
        let known = &self.unit.variables[variable.0 as usize];
        let is_nameable = matches!(
            known.storage,
            Storage::Static | Storage::Global | Storage::Extern
        );
        let length = (self.variables.get(&variable))
            .and_then(|global| self.globals.get(global.index()))
            .and_then(|global| global.length);
        // What a system header declares belongs to the C library.
        let file = self.unit.files.get(known.place.file as usize);
        let is_of_system = known.storage == Storage::Extern
            && file.is_some_and(|file| file.starts_with(SYSTEM_HEADERS));
        is_nameable
            && !known.is_const
            && !known.name.is_empty()
            && (!known.name.starts_with(PRELUDE) || known.name == FAILING_ALLOCATION)
            && !is_of_system
            && length.is_none_or(|length| (1..=MOST_ELEMENTS).contains(&length))
    }

    /// The variables that a function may depend on, or something that it may call.
    fn reach(&self, node: &ast::Function) -> FxHashSet<VariableId> {
        let unit = self.unit;
        let mut variables: FxHashSet<VariableId> = FxHashSet::default();
        let mut functions: FxHashSet<ast::FunctionId> = FxHashSet::default();
        let mut pending: Vec<&ast::Function> = vec![node];
        let mut any_call = false;
        let failing = unit.globals.iter().copied();
        let mut failing =
            failing.filter(|id| unit.variables[id.0 as usize].name == FAILING_ALLOCATION);
        let failing = failing.next();
        let mut found: Vec<&Expr> = Vec::new();
        loop {
            if let Some(function) = pending.pop() {
                if let Some(body) = &function.body {
                    visit_statement(unit, body, &mut |expr| found.push(expr));
                }
            } else if any_call {
                // A pointer may lead to every function whose address somebody has.
                any_call = false;
                for &function in self.functions.keys() {
                    if functions.insert(function) {
                        pending.push(&unit.functions[function.0 as usize]);
                    }
                }
                continue;
            } else {
                return variables;
            }
            while let Some(expr) = found.pop() {
                match &expr.kind {
                    ExprKind::Variable(id) if self.variables.contains_key(id) => {
                        let variable = &unit.variables[id.0 as usize];
                        // What an input begins with is up to the test.
                        if variables.insert(*id)
                            && !self.is_input(*id)
                            && let Some(init) = &variable.init
                        {
                            visit_init(unit, init, &mut |expr| found.push(expr));
                        }
                    }
                    ExprKind::Function(id) => {
                        let function = &unit.functions[id.0 as usize];
                        if functions.insert(*id) {
                            pending.push(function);
                        }
                        let plain = function.name.trim_start_matches("__builtin_");
                        if ALLOCATORS.contains(&plain.trim_start_matches(PRELUDE)) {
                            variables.extend(failing);
                        }
                    }
                    ExprKind::Call(callee, _) => {
                        let is_known = matches!(
                            &callee.kind,
                            ExprKind::Decay(inner) if matches!(inner.kind, ExprKind::Function(_))
                        );
                        any_call |= !is_known;
                    }
                    _ => {}
                }
            }
        }
    }
}
