//! Scripts with open values: the same calls are explored with symbols for what they are given, and
//! those values are kept that take a branch which no script has taken.

use std::time::Instant;

use heapwright_engine::scripts::{Callee, Found, Operand, Script, Scripts, Statement};
use heapwright_engine::sequences::Argument;
use heapwright_engine::{Bound, Bounds, Options, Test};
use heapwright_ir::Constant;
use heapwright_ir::machine::Edge;
use heapwright_ir::machine::concrete::Value;
use heapwright_java::descriptor::Type;
use heapwright_java::emit::Given;
use heapwright_java::target::TargetMethod;
use heapwright_java::world::{
    DriverCallee, DriverOperand, Making, STRING, ScriptCallee, ScriptDriver,
};
use heapwright_logic::{IntType, Sort, Value as LogicValue};
use heapwright_testgen::{Error, Request};

use super::catalogue::JavaCatalogue;
use super::generate::was_cut;
use crate::frontend::JavaTests;
use crate::sequences::{exported, imported};

/// Scripts that are explored with symbols.
const MOST_SCRIPTS: usize = 40;

/// Scripts that are explored for one branch.
const MOST_FOR_BRANCH: usize = 2;

/// Paths of a script, paths in a row without a new branch, and questions to the solver.
const PATHS: u64 = 200;
const PATIENCE: u64 = 60;
const QUESTIONS: u64 = 1_500;

impl JavaTests {
    /// Scripts with other values than those that are known, which take branches that none of these
    /// takes.
    pub(super) fn solved(
        &mut self,
        target: &TargetMethod,
        catalogue: &mut JavaCatalogue,
        scripts: &Scripts,
        begin: Instant,
        request: &Request,
    ) -> Result<Vec<Script>, Error> {
        let mut taken = scripts.taken.clone();
        let mut found = Vec::new();
        for script in near(scripts) {
            // A part of the time is left for another search.
            let time = request.options.bounds.time.map(|time| time * 7 / 10);
            let left = time.map(|time| time.saturating_sub(begin.elapsed()));
            let is_late = left.is_some_and(|left| left.is_zero());
            if is_late || request.options.interrupt.limit().is_some() {
                self.was_cut = true;
                break;
            }
            let calls = self.opened(catalogue, script);
            let driver = self.program.world.script_driver(&calls);
            if driver
                .parameters
                .iter()
                .flatten()
                .flatten()
                .next()
                .is_none()
            {
                continue;
            }
            let options = Options {
                bounds: Bounds {
                    paths: PATHS,
                    patience: PATIENCE,
                    solver_calls: QUESTIONS,
                    time: left,
                    elements: Bound::growing(4, 16),
                    memory: request.options.bounds.memory,
                    checks: 0,
                    ..Bounds::default()
                },
                budgets: request.options.budgets,
                jobs: request.options.jobs,
                interrupt: request.options.interrupt.clone(),
                ..Options::default()
            };
            let explored = self.program.explore_driver(
                target,
                driver.function,
                taken.clone(),
                &options,
                &mut |_| (),
            )?;
            let Ok(report) = explored else {
                continue;
            };
            self.was_cut |= was_cut(&report.stop);
            for test in &report.tests {
                let edges: Vec<Edge> = test.run.edges().collect();
                if edges
                    .iter()
                    .any(|edge| scripts.open.contains(edge) && !taken.contains(edge))
                    && let Some(script) = self.with_values(catalogue, script, &driver, test)?
                {
                    taken.extend(edges);
                    found.push(script);
                }
            }
        }
        Ok(found)
    }

    /// The calls of a script, with parameters for what is a number, a box or a string.
    fn opened(&mut self, catalogue: &JavaCatalogue, script: &Script) -> Vec<ScriptCallee> {
        let statements = script.statements.iter().filter_map(|statement| {
            let operation = catalogue.catalogue.operation(statement.operation)?;
            let result = operation
                .result
                .and_then(|ty| catalogue.types.get(ty.0 as usize));
            let result = result.map(|ty| self.program.world.sort(&ty.erased));
            let operands = (statement.operands.iter().enumerate()).map(|(index, operand)| {
                let place = match operation.callee {
                    Callee::Array(_) => 0,
                    _ => index,
                };
                let ty = operation.parameters.get(place);
                let ty = ty.and_then(|ty| catalogue.types.get(ty.0 as usize));
                match operand {
                    Operand::Variable(index) => DriverOperand::Variable(*index as usize),
                    Operand::Literal(argument) => {
                        let ty = ty.map(|ty| ty.erased.clone());
                        self.opened_value(catalogue, argument, ty)
                    }
                }
            });
            let operands = operands.collect();
            let callee = match &operation.callee {
                Callee::New(class, function) => DriverCallee::New(*class, *function),
                Callee::Static(function) => DriverCallee::Static(*function),
                Callee::Virtual(name) => DriverCallee::Virtual(name.clone()),
                Callee::Array(class) => DriverCallee::Array(*class),
                Callee::Object(class) => DriverCallee::Object(*class),
            };
            Some(ScriptCallee {
                callee,
                operands,
                result,
            })
        });
        statements.collect()
    }

    fn opened_value(
        &mut self,
        catalogue: &JavaCatalogue,
        argument: &Argument,
        ty: Option<Type>,
    ) -> DriverOperand {
        let world = &mut self.program.world;
        match (argument, ty) {
            (Argument::Value(_), Some(ty @ Type::Primitive(_))) => {
                DriverOperand::Open(world.sort(&ty))
            }
            (Argument::Made(function, values), _) if values.len() == 1 => {
                let sort = world.program().function(*function).registers.first();
                let sort = sort.map_or(Sort::Machine(IntType::I32), |register| register.sort);
                DriverOperand::Made(*function, sort)
            }
            (Argument::Made(..), _) if matches!(catalogue.written.of(argument), Given::Text(_)) => {
                DriverOperand::Open(world.sort(&Type::class(STRING)))
            }
            (Argument::Made(function, _), _) => {
                DriverOperand::Fixed(Making::Call(*function, Vec::new()))
            }
            (Argument::New(class, function), _) => {
                DriverOperand::Fixed(Making::New(*class, *function))
            }
            (Argument::Value(value), _) => {
                let constant = match value {
                    Value::Bool(value) => Constant::Bool(*value),
                    Value::Int(value) => Constant::Int(IntType::I64, *value),
                    _ => Constant::Null,
                };
                DriverOperand::Fixed(Making::Constant(constant))
            }
        }
    }

    /// The script that an input of a driver stands for; `None` if a value cannot be written.
    fn with_values(
        &mut self,
        catalogue: &mut JavaCatalogue,
        script: &Script,
        driver: &ScriptDriver,
        test: &Test,
    ) -> Result<Option<Script>, Error> {
        let mut closed = Script::default();
        for (statement, parameters) in script.statements.iter().zip(&driver.parameters) {
            let mut operands = Vec::new();
            for (operand, &parameter) in statement.operands.iter().zip(parameters) {
                let value = parameter.and_then(|at| test.input.arguments.get(at).copied());
                let (Some(value), Operand::Literal(argument)) = (value, operand) else {
                    operands.push(operand.clone());
                    continue;
                };
                let literal = self.literal(catalogue, argument, value, test)?;
                let Some(literal) = literal else {
                    return Ok(None);
                };
                operands.push(Operand::Literal(literal));
            }
            closed.statements.push(Statement {
                operation: statement.operation,
                operands,
            });
        }
        Ok(Some(closed))
    }

    /// A literal of the kind of another one, with a value.
    fn literal(
        &mut self,
        catalogue: &mut JavaCatalogue,
        like: &Argument,
        value: LogicValue,
        test: &Test,
    ) -> Result<Option<Argument>, Error> {
        let given = catalogue.written.of(like);
        match (like, given) {
            (Argument::Value(_), _) => Ok(imported(value).map(Argument::Value)),
            (Argument::Made(function, _), Given::Boxed(primitive, _)) => {
                let Some(scalar) = imported(value) else {
                    return Ok(None);
                };
                let argument = Argument::Made(*function, vec![scalar]);
                let given = Given::Boxed(primitive, exported(scalar));
                Ok(Some(catalogue.written.enter(argument, given)))
            }
            _ => self.program.argument(
                &mut catalogue.written,
                &test.input.heap,
                value,
                &Type::class(STRING),
            ),
        }
    }
}

/// Scripts that come to an open branch, but take another way there; for each branch the shortest.
fn near(scripts: &Scripts) -> Vec<&Script> {
    let mut open: Vec<Edge> = scripts.open.iter().copied().collect();
    open.sort_unstable();
    let mut found: Vec<&Script> = Vec::new();
    for edge in open {
        let comes_there = |one: &&Found| {
            let mut edges = one.edges.iter();
            edges.any(|known| known.function == edge.function && known.block == edge.block)
        };
        let mut near: Vec<&Script> = (scripts.found.iter().filter(comes_there))
            .map(|one| &one.script)
            .collect();
        near.sort_by_key(|script| script.statements.len());
        for script in near.into_iter().take(MOST_FOR_BRANCH) {
            if !found.contains(&script) {
                found.push(script);
            }
        }
    }
    found.truncate(MOST_SCRIPTS);
    found
}
