//! Definite assignment: which variables may be read before they have a value, and whether a
//! procedure may end without a result.

use heapwright_spec::diagnostic::Diagnostic;

use super::Checker;
use super::hir::{Body, Expr, ExprKind, Local, LocalId, Role, Statement, StatementKind};

/// Which variables certainly have a value; nothing where execution never comes.
type State = Option<Vec<bool>>;

impl Checker {
    /// Checks a procedure. Returns the free variables that are read, or reach an end of the
    /// program, before they are assigned.
    pub(super) fn check_assigned(&mut self, body: &Body) -> Vec<LocalId> {
        let parameters = body
            .locals
            .iter()
            .map(|local| local.role == Role::Parameter);
        let mut flow = Flow {
            locals: &body.locals,
            inputs: vec![false; body.locals.len()],
            reported: vec![false; body.locals.len()],
            diagnostics: Vec::new(),
        };
        let end = flow.sequence(&body.statements, Some(parameters.collect()));
        flow.exit(&end);
        let Flow {
            inputs,
            diagnostics,
            ..
        } = flow;
        self.diagnostics.extend(diagnostics);
        if end.is_some() && body.result.is_some() {
            let message = format!("procedure `{}` may end without a result", body.name);
            let diagnostic = Diagnostic::error(body.end, message)
                .with_label("this can be reached")
                .with_expected("`return` on every way through the procedure");
            self.report(diagnostic);
        }
        let inputs = (0u32..).zip(inputs).filter(|&(_, is_input)| is_input);
        inputs.map(|(index, _)| LocalId(index)).collect()
    }
}

struct Flow<'a> {
    locals: &'a [Local],
    inputs: Vec<bool>,
    reported: Vec<bool>,
    diagnostics: Vec<Diagnostic>,
}

impl Flow<'_> {
    fn sequence(&mut self, statements: &[Statement], mut state: State) -> State {
        for statement in statements {
            state = self.statement(statement, state);
        }
        state
    }

    fn statement(&mut self, statement: &Statement, mut state: State) -> State {
        match &statement.kind {
            StatementKind::Assign(local, value) => {
                self.read(value, &state);
                if let Some(assigned) = &mut state {
                    assigned[local.index()] = true;
                }
                state
            }
            StatementKind::Store(object, _, value) => {
                self.read(value, &state);
                self.read(object, &state);
                state
            }
            StatementKind::If(condition, then, otherwise) => {
                self.read(condition, &state);
                let (mut holds, mut fails) = (state.clone(), state);
                match condition.literal_truth() {
                    Some(true) => fails = None,
                    Some(false) => holds = None,
                    None => {}
                }
                let holds = self.sequence(then, holds);
                let fails = self.sequence(otherwise, fails);
                join(holds, fails)
            }
            StatementKind::While(condition, body) => {
                self.read(condition, &state);
                let truth = condition.literal_truth();
                let entry = state.clone().filter(|_| truth != Some(false));
                // What the body assigns does not count behind the loop, nor in its next round:
                // a variable that lacks a value in the first round is reported there.
                self.sequence(body, entry);
                state.filter(|_| truth != Some(true))
            }
            StatementKind::Block(statements) => self.sequence(statements, state),
            StatementKind::Return(value) => {
                if let Some(value) = value {
                    self.read(value, &state);
                }
                self.exit(&state);
                None
            }
            StatementKind::Assert(value)
            | StatementKind::Assume(value)
            | StatementKind::Free(value) => {
                self.read(value, &state);
                state
            }
            StatementKind::Call(_, arguments) => {
                for argument in arguments {
                    self.read(argument, &state);
                }
                state
            }
        }
    }

    /// At an end of the program, free variables without a value still have that of the input.
    fn exit(&mut self, state: &State) {
        let Some(assigned) = state else { return };
        for (index, local) in self.locals.iter().enumerate() {
            if local.role == Role::Free && !assigned[index] {
                self.inputs[index] = true;
            }
        }
    }

    fn read(&mut self, expr: &Expr, state: &State) {
        let Some(assigned) = state else { return };
        match &expr.kind {
            ExprKind::Local(local) if !assigned[local.index()] => self.unassigned(*local, expr),
            ExprKind::Local(_)
            | ExprKind::Number(_)
            | ExprKind::Bool(_)
            | ExprKind::Nil
            | ExprKind::Error => {}
            ExprKind::Field(inner, _) | ExprKind::Convert(inner) | ExprKind::Unary(_, inner) => {
                self.read(inner, state);
            }
            ExprKind::New(_, arguments) | ExprKind::Call(_, arguments) => {
                for argument in arguments {
                    self.read(argument, state);
                }
            }
            ExprKind::Binary(_, left, right) => {
                self.read(left, state);
                self.read(right, state);
            }
        }
    }

    fn unassigned(&mut self, local: LocalId, expr: &Expr) {
        let index = local.index();
        let variable = &self.locals[index];
        if variable.role == Role::Free {
            self.inputs[index] = true;
        } else if !self.reported[index] {
            self.reported[index] = true;
            let message = format!("variable `{}` may have no value here", variable.name);
            let diagnostic = Diagnostic::error(expr.span, message)
                .with_note_at(variable.span, "declared without a value");
            self.diagnostics.push(diagnostic);
        }
    }
}

/// What holds on both ways.
fn join(a: State, b: State) -> State {
    match (a, b) {
        (None, state) | (state, None) => state,
        (Some(a), Some(b)) => Some(a.into_iter().zip(b).map(|(a, b)| a && b).collect()),
    }
}
