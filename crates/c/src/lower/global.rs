//! Variables that live as long as the program, string literals, and functions as values.
//!
//! They are globals of the core language. What they begin with is written by one function, which
//! every function that mentions any of them calls first; it does something the first time only.

use heapwright_ir::{
    Callee, Constant, FunctionId, Global, GlobalId, Operand, Operation, Position, SharedPlace,
    SharedVariable, Terminator,
};
use heapwright_logic::{IntType, Sort};

use super::builder::{Builder, int};
use super::classes::flat;
use super::large::too_large;
use super::library::PRELUDE;
use super::{Lowering, visit_statement};
use crate::ast::{self, CType, ExprKind, Init, Stmt, VariableId};
use crate::error::CError;

/// The name of the function that gives globals their first values.
pub const INITIALISE: &str = "initialise globals";

impl Lowering<'_> {
    fn add_global(&mut self, global: Global) -> GlobalId {
        let id = GlobalId(self.globals.len() as u32);
        self.globals.push(global);
        id
    }

    /// Makes globals of the variables that live as long as the program.
    pub(super) fn declare_globals(&mut self) {
        let element = Sort::Bool;
        let class = self.classes.array(element);
        // Whether the others have their first values.
        self.add_global(Global {
            name: "initialised".to_owned(),
            class,
            length: Some(1),
        });
        let unit = self.unit;
        for &id in &unit.globals {
            let variable = &unit.variables[id.0 as usize];
            // Functions that mention it are refused.
            if too_large(unit, &variable.ty).is_some() {
                continue;
            }
            let (element, count) = flat(&variable.ty);
            let (class, length) = match &element {
                CType::Record(record) if !matches!(variable.ty, CType::Array(..)) => {
                    let class = self.classes.record(*record);
                    let record = &unit.records[record.0 as usize];
                    (class, record.is_union.then_some(record.size as u32))
                }
                other => match self.classes.elements(unit, other) {
                    Some(class) => (class, Some(count as u32)),
                    None => continue,
                },
            };
            let mut name = variable.name.clone();
            if self.globals.iter().any(|global| global.name == name) {
                name = format!("{name} ({})", id.0);
            }
            let global = self.add_global(Global {
                name,
                class,
                length,
            });
            self.variables.insert(id, global);
            // What the library keeps begins anew in every test.
            if !variable.is_const && !variable.name.starts_with(PRELUDE) {
                self.share(global);
            }
        }
    }

    /// Other calls may have changed it.
    fn share(&mut self, global: GlobalId) {
        let Global { class, length, .. } = self.globals[global.index()];
        let fields = self.classes.definitions.class(class).fields.len() as u32;
        let variables = match length {
            // The elements of an array are behind its first one, as far as that is watched.
            Some(_) => 0..1,
            None => 0..fields,
        };
        let variables = variables.map(|field| SharedVariable {
            field,
            is_final: false,
            is_table: false,
        });
        let shared = &mut self.classes.rules.shared;
        shared.variables.insert(global, variables.collect());
        if length.is_some() {
            shared
                .objects
                .insert(global, SharedPlace { global, field: 0 });
        }
    }

    /// The global of a string literal.
    pub(super) fn string(&mut self, units: &[u32], size: u64, ty: &CType) -> GlobalId {
        let key = (units.to_vec(), size);
        if let Some(&known) = self.strings.get(&key) {
            return known;
        }
        let element = match ty {
            CType::Array(element, _) => (**element).clone(),
            _ => CType::Int(IntType::I8),
        };
        let sort = self.classes.sort(self.unit, &element);
        let class = self
            .classes
            .array(sort.unwrap_or(Sort::Machine(IntType::I8)));
        let name = format!("string {}", self.strings.len());
        let id = self.add_global(Global {
            name,
            class,
            length: Some(units.len() as u32),
        });
        self.strings.insert(key, id);
        id
    }

    /// The object that stands for a function.
    pub(super) fn function_object(&mut self, id: ast::FunctionId) -> GlobalId {
        if let Some(&known) = self.functions.get(&id) {
            return known;
        }
        let unit = self.unit;
        let function = &unit.functions[id.0 as usize];
        let class = self
            .classes
            .one_function(plain_name(&function.name), &function.signature);
        let global = self.add_global(Global {
            name: format!("&{}", function.name),
            class,
            length: None,
        });
        self.functions.insert(id, global);
        self.function_objects.insert(global, id);
        self.classes.rules.singletons.insert(class, global);
        if let Ok(method) = self.method_of(id) {
            self.classes.infos[class.index()]
                .methods
                .insert(super::call::CALL.to_owned(), method);
        }
        global
    }

    /// Whether a function mentions something that has a first value.
    pub(super) fn mentions_globals(&mut self, code: &Stmt) -> bool {
        let unit = self.unit;
        let mut mentions = false;
        visit_statement(unit, code, &mut |expr| match &expr.kind {
            ExprKind::String(_) => mentions = true,
            ExprKind::Variable(id) | ExprKind::CompoundLiteral(id) => {
                let variable = &unit.variables[id.0 as usize];
                mentions |= self.variables.contains_key(id) && variable.init.is_some();
            }
            _ => {}
        });
        mentions
    }

    /// The function that gives globals their first values.
    pub(super) fn initialiser(&mut self) -> FunctionId {
        if let Some(known) = self.initialiser {
            return known;
        }
        let builder = Builder::new();
        let mut function = builder.finish(INITIALISE, 0, None, Position::default());
        function.blocks[0].terminator = Terminator::Return(None);
        let id = self.add_synthetic(function);
        self.initialiser = Some(id);
        id
    }

    /// Writes that function, when all globals are known.
    pub(super) fn finish_initialiser(&mut self) {
        let Some(id) = self.initialiser else {
            return;
        };
        self.add_first_values();
        let flag = Operand::Global(GlobalId(0));
        let first = int(IntType::I64, 0);
        let mut body = self.body(CType::Void);
        let [fill, done] = [(); 2].map(|()| body.builder.block());
        let condition = body.builder.value(Sort::Bool, |to| Operation::LoadElement {
            to,
            array: flag,
            index: first,
        });
        body.builder.end(Terminator::Branch {
            condition,
            then: done,
            otherwise: fill,
        });
        body.builder.go_on(fill);
        body.builder.emit(Operation::StoreElement {
            array: flag,
            index: first,
            value: Operand::Constant(Constant::Bool(true)),
        });
        for (_, function) in body.lowering.first_values.clone() {
            body.builder.emit(Operation::Call {
                to: None,
                callee: Callee::Static(function),
                args: Vec::new(),
            });
        }
        body.builder.goto(done);
        body.builder.go_on(done);
        body.builder.end(Terminator::Return(None));
        let function = body
            .builder
            .finish(INITIALISE, 0, None, Position::default());
        let index = (id.0 - self.first_synthetic) as usize;
        self.synthetic[index] = heapwright_ir::Function {
            synthetic: true,
            ..function
        };
        self.classes.rules.shared.initialisers.insert(id);
    }
}

impl Lowering<'_> {
    /// One function for what each variable begins with, and one for the literals.
    fn add_first_values(&mut self) {
        let unit = self.unit;
        for &variable in &unit.globals {
            let known = &unit.variables[variable.0 as usize];
            let (Some(&global), Some(init)) = (self.variables.get(&variable), &known.init) else {
                continue;
            };
            let mut body = self.body(CType::Void);
            // What cannot be said ends every path that needs it.
            if let Err(error) = body.first_value(Operand::Global(global), variable, init) {
                body.refuse(&error);
            }
            let builder = body.builder;
            let name = format!("initialise {} ({})", known.name, variable.0);
            self.add_first_value(Some(variable), &name, builder);
        }
        // Literals may have been met just now.
        let mut strings: Vec<((Vec<u32>, u64), GlobalId)> =
            self.strings.clone().into_iter().collect();
        strings.sort_by_key(|(_, id)| *id);
        let mut builder = Builder::new();
        for ((units, _), id) in strings {
            let class = self.globals[id.index()].class;
            let element = self.classes.definitions.element_sort(class);
            let Some(Sort::Machine(ty)) = element else {
                continue;
            };
            for (index, unit) in (0i128..).zip(units).filter(|(_, unit)| *unit != 0) {
                builder.emit(Operation::StoreElement {
                    array: Operand::Global(id),
                    index: int(IntType::I64, index),
                    value: int(ty, i128::from(unit)),
                });
            }
        }
        self.add_first_value(None, "initialise literals", builder);
    }

    fn add_first_value(&mut self, variable: Option<VariableId>, name: &str, mut builder: Builder) {
        builder.end(Terminator::Return(None));
        let function = builder.finish(name, 0, None, Position::default());
        let id = self.add_synthetic(function);
        self.first_values.push((variable, id));
        self.classes.rules.shared.initialisers.insert(id);
    }
}

impl super::function::Body<'_, '_> {
    fn first_value(&mut self, object: Operand, id: VariableId, init: &Init) -> Result<(), CError> {
        let variable = &self.lowering.unit.variables[id.0 as usize];
        self.fill(object, &variable.ty, init, variable.place)
    }
}

/// What a function is called in inputs and in tests.
pub fn plain_name(name: &str) -> &str {
    name.strip_prefix(PRELUDE).unwrap_or(name)
}
