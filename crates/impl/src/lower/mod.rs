//! From the checked tree to the core language.
//!
//! Every variable is one register, so that its register holds its last value when the function
//! returns. Operands are evaluated from left to right; the right side of an assignment comes
//! before the left side, as in the paper.

mod builder;
mod condition;
mod expression;
mod positions;
mod statement;

use heapwright_ir as ir;
use heapwright_logic::Sort;
use heapwright_spec::diagnostic::{SourceMap, Span};

use crate::check::hir::{Body, Expr, LocalId, Role};
use crate::check::{Checked, CheckedProgram};
use crate::program::{Entry, ImplProgram, Variable};
use builder::Builder;
use positions::Positions;

/// Translates a program.
pub(crate) fn lower(checked: &Checked, sources: SourceMap, file: ir::SourceFile) -> ImplProgram {
    let positions = Positions::new(&file.text);
    let lowering = Lowering {
        checked,
        sources: &sources,
        positions: &positions,
    };
    let mut functions: ir::SharedVec<_> = (checked.procedures.iter())
        .map(|body| lowering.function(body, &parameters(body)).0)
        .collect();
    let entry = checked.program.as_ref().map(|program| {
        let (function, entry) = lowering.program(program, functions.len());
        functions.push(function);
        entry
    });
    let classes = (checked.definitions.classes())
        .map(|_| ir::ClassInfo::default())
        .collect();
    let program = ir::Program {
        definitions: checked.definitions.clone(),
        classes,
        functions,
        files: vec![file],
        manual_memory: checked.frees,
        ..ir::Program::default()
    };
    ImplProgram {
        program,
        entry,
        sources,
    }
}

fn parameters(body: &Body) -> Vec<LocalId> {
    let locals = (0u32..).zip(&body.locals);
    (locals.filter(|(_, local)| local.role == Role::Parameter))
        .map(|(index, _)| LocalId(index))
        .collect()
}

/// What the translation of every function needs.
#[derive(Clone, Copy)]
struct Lowering<'a> {
    checked: &'a Checked,
    sources: &'a SourceMap,
    positions: &'a Positions<'a>,
}

impl Lowering<'_> {
    /// The function, and the registers of its variables.
    fn function(&self, body: &Body, params: &[LocalId]) -> (ir::Function, Vec<ir::Reg>) {
        let mut builder = Builder::new(*self, body, params);
        builder.sequence(&body.statements);
        builder.finish(body, params.len())
    }

    fn program(&self, program: &CheckedProgram, index: usize) -> (ir::Function, Entry) {
        let body = &program.body;
        let (function, registers) = self.function(body, &program.inputs);
        let variable = |&local: &LocalId| {
            let register = registers[local.index()];
            Variable {
                name: body.locals[local.index()].name.clone(),
                register,
                sort: function.sort(register),
            }
        };
        let entry = Entry {
            function: ir::FunctionId(index as u32),
            inputs: program.inputs.iter().map(variable).collect(),
            outputs: program.outputs.iter().map(variable).collect(),
        };
        (function, entry)
    }

    fn position(&self, span: Span) -> ir::Position {
        self.positions.at(span.start)
    }

    fn sort(&self, expr: &Expr) -> Sort {
        self.checked.kinds.sort(expr.ty)
    }
}
