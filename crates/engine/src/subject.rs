//! What is tested: a function with its contract.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_ir::machine::Edge;
use heapwright_ir::{FunctionId, GlobalId, InputRules, Library, Literal, Program, Reg};
use heapwright_logic::{ClassId, Definitions, Formula, Sort, Terms, VarId};
use heapwright_spec::{Contract, ContractKind, Specification};
use rustc_hash::FxHashSet;
use thiserror::Error;

/// A function under test, with everything that a run of it starts from.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The program.
    pub program: Arc<Program>,
    /// The function.
    pub function: FunctionId,
    /// Its parameters, in order.
    pub inputs: Vec<Parameter>,
    /// What a caller sees afterwards besides the result and the heap.
    pub outputs: Vec<Output>,
    /// The store of the terms of the contract.
    pub terms: Terms,
    /// The classes of the program and the predicates of the specification.
    pub definitions: Definitions,
    /// What holds before a call, of a part of the heap; none: every heap is allowed. Its free
    /// variables are those of the parameters.
    pub precondition: Option<Formula>,
    /// What holds after a call that returns.
    pub postcondition: Option<Postcondition>,
    /// What holds after a call that throws an exception of a class.
    pub exceptional: Vec<(ClassId, Postcondition)>,
    /// What objects of inputs look like that the precondition does not describe.
    pub rules: InputRules,
    /// The contents of the literals of the program: arrays that objects of inputs own may well need
    /// the same.
    pub literals: BTreeMap<GlobalId, Literal>,
    /// What is known about code that comes with the language, translated or not.
    pub library: Arc<Library>,
    /// The functions under test; none if that is all of the program.
    pub scope: Option<Arc<CodeUnderTest>>,
    /// Fields of globals that a caller sees, too.
    pub globals: Vec<GlobalField>,
    /// Globals whose objects are objects of the input.
    pub bound: Vec<BoundGlobal>,
    /// A function of the program with the same parameters that says whether the objects are
    /// valid before.
    pub invariant: Option<FunctionId>,
    /// Whether it has to hold afterwards, too. A step of a larger change may leave that to others.
    pub keeps_invariant: bool,
}

/// A field of a global that a caller sees: a static field, for example. Its value before the call
/// is a parameter of the same name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GlobalField {
    /// Its name.
    pub name: String,
    /// The global.
    pub global: GlobalId,
    /// The position of the field.
    pub field: u32,
    /// The positions of the fields and elements that lead on from there, if the value is in an
    /// object behind it.
    pub path: Vec<u32>,
}

/// A global whose object is one of the input: a parameter leads to it, and never to anything else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoundGlobal {
    /// The parameter.
    pub parameter: usize,
    /// The global.
    pub global: GlobalId,
}

/// The part of a program that is under test, where the rest is only what it makes use of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CodeUnderTest {
    /// The functions whose branches count.
    pub functions: FxHashSet<FunctionId>,
    /// Those of them that nobody but they call.
    pub internal: FxHashSet<FunctionId>,
    /// Edges of theirs that do not count.
    pub ignored: FxHashSet<Edge>,
}

/// A parameter: one symbol of every input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name in the program.
    pub name: String,
    /// What stands for it in formulas.
    pub variable: VarId,
    /// Its sort.
    pub sort: Sort,
}

/// A variable whose last value is a result, for languages in which programs are statements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// The register of the function that holds it.
    pub register: Reg,
    /// Its sort.
    pub sort: Sort,
}

/// A postcondition; it describes what can be reached from the names that it mentions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Postcondition {
    /// The formula.
    pub formula: Formula,
    /// Stand for the parameters, with their values before the call; none for one that the formula
    /// does not mention.
    pub params: Vec<Option<VarId>>,
    /// Stands for the result.
    pub result: Option<VarId>,
    /// Values before the call that the formula speaks of.
    pub old: Vec<Old>,
    /// Stand for the last values of [globals](Subject::globals), by their names.
    pub globals: Vec<(VarId, String)>,
}

/// The value of a path in the state before the call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Old {
    /// Stands for it in the formula.
    pub variable: VarId,
    /// The parameter that the path starts from.
    pub base: usize,
    /// The fields to follow.
    pub path: Vec<(ClassId, usize)>,
}

/// A contract that does not belong to the function.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SubjectError {
    /// Another number of parameters.
    #[error("the contract of `{function}` has {found} parameters, but the function has {expected}")]
    ParameterCount {
        /// The function.
        function: String,
        /// How many it has.
        expected: usize,
        /// How many its contract has.
        found: usize,
    },
    /// A parameter of another sort.
    #[error("parameter `{parameter}` of `{function}` has another type in its contract")]
    ParameterSort {
        /// The function.
        function: String,
        /// The parameter.
        parameter: String,
    },
    /// There is no such function.
    #[error("the program has no function {}", .0.0)]
    NoFunction(FunctionId),
}

/// What is said about a function: a precondition and a postcondition of a specification.
#[derive(Clone, Copy, Debug)]
pub struct Contracts<'c> {
    /// The store of their terms.
    pub terms: &'c Terms,
    /// The table of their predicates.
    pub predicates: &'c Definitions,
    /// What holds before.
    pub before: Option<&'c Contract>,
    /// What holds after a call that returns.
    pub after: Option<&'c Contract>,
    /// What holds after a call that throws an exception of a class.
    pub exceptional: &'c [(ClassId, &'c Contract)],
    /// Which parameter of the function each static field is that contracts may mention; none for
    /// one that is no parameter, about which nothing is known then.
    pub statics: &'c [Option<usize>],
}

impl Subject {
    /// Whether it is said what a call has to leave behind.
    pub fn has_checks(&self) -> bool {
        self.postcondition.is_some()
            || !self.exceptional.is_empty()
            || self.promised_invariant().is_some()
    }

    /// A function with the contract that a specification has for it, if any.
    pub fn new(
        program: &Program,
        function: FunctionId,
        specification: Option<&Specification>,
    ) -> Result<Subject, SubjectError> {
        Subject::with_statics(program, function, specification, &[])
    }

    /// The same, where contracts may mention variables that are parameters: which parameter each of
    /// them is, as in [`Contracts::statics`].
    pub fn with_statics(
        program: &Program,
        function: FunctionId,
        specification: Option<&Specification>,
        statics: &[Option<usize>],
    ) -> Result<Subject, SubjectError> {
        let code = program.functions.get(function.index());
        let name = code.map(|code| code.name.as_str());
        let contract = |kind| {
            let contracts = specification.map_or(&[][..], |known| &known.contracts);
            let mut fitting = contracts.iter().filter(|contract| {
                let method = Some(contract.method.as_str());
                contract.kind == kind && method == name && contract.throws.is_none()
            });
            fitting.next()
        };
        let contracts = specification.map(|known| Contracts {
            terms: &known.terms,
            predicates: &known.definitions,
            before: contract(ContractKind::Pre),
            after: contract(ContractKind::Post),
            exceptional: &[],
            statics,
        });
        Subject::with_contracts(Arc::new(program.clone()), function, contracts)
    }

    /// A function with given contracts. They may speak of fewer parameters than it has: then the
    /// last ones may be anything.
    pub fn with_contracts(
        program: Arc<Program>,
        function: FunctionId,
        contracts: Option<Contracts<'_>>,
    ) -> Result<Subject, SubjectError> {
        let Some(code) = program.functions.get(function.index()) else {
            return Err(SubjectError::NoFunction(function));
        };
        let mut terms = contracts.map_or_else(Terms::new, |known| known.terms.clone());
        let mut definitions = program.definitions.clone();
        if let Some(contracts) = contracts {
            // A specification may have classes of its own; a program that has grown since it was
            // read has more.
            let predicates = contracts.predicates;
            match predicates.classes().count() > definitions.classes().count() {
                true => definitions = predicates.clone(),
                false => definitions.take_predicates(predicates),
            }
        }
        for (class, info) in (0..).map(ClassId).zip(&program.classes) {
            for &interface in &info.interfaces {
                definitions.add_interface(class, interface);
            }
        }
        let before = contracts.and_then(|contracts| contracts.before);
        let after = contracts.and_then(|contracts| contracts.after);
        let exceptional = contracts.map_or(&[][..], |contracts| contracts.exceptional);
        let statics = contracts.map_or(&[][..], |contracts| contracts.statics);
        let thrown = exceptional.iter().map(|(_, contract)| contract);
        for found in before.iter().chain(&after).chain(thrown) {
            check_parameters(&program, function, &terms, found, statics)?;
        }
        let registers = code.registers.iter().take(code.params as usize);
        let known = before.map(|contract| parameters(contract, statics));
        let mut known = known.unwrap_or_default().into_iter();
        let mut inputs = Vec::with_capacity(code.params as usize);
        for (index, register) in registers.enumerate() {
            let name = (register.name.clone()).unwrap_or_else(|| format!("argument{index}"));
            let variable = known.next().flatten();
            inputs.push(Parameter {
                variable: variable.unwrap_or_else(|| terms.declare(name.as_str(), register.sort)),
                name,
                sort: register.sort,
            });
        }
        let precondition = before.map(|contract| formula(contract, statics, &mut terms));
        let name = |parameter: usize| Some(inputs.get(parameter)?.name.clone());
        let mut promise = |contract: &Contract| postcondition(contract, statics, &mut terms, name);
        let postcondition = after.map(&mut promise);
        let exceptional = (exceptional.iter())
            .map(|&(class, contract)| (class, promise(contract)))
            .collect();
        Ok(Subject {
            program,
            function,
            inputs,
            outputs: Vec::new(),
            terms,
            definitions,
            precondition,
            postcondition,
            exceptional,
            rules: InputRules::default(),
            literals: BTreeMap::new(),
            library: Arc::default(),
            scope: None,
            globals: Vec::new(),
            bound: Vec::new(),
            invariant: None,
            keeps_invariant: true,
        })
    }

    /// A parameter refers to objects of a narrower class than the program declares.
    pub fn narrow(&mut self, parameter: usize, class: ClassId) {
        if let Some(input) = self.inputs.get_mut(parameter) {
            input.sort = Sort::Ref(class);
            // Terms are the same for references of all classes.
            self.terms.set_sort(input.variable, input.sort);
        }
    }

    /// Variables whose last values are results too.
    pub fn with_outputs(mut self, outputs: Vec<Output>) -> Self {
        self.outputs = outputs;
        self
    }

    /// What the front end knows about code that comes with the language.
    pub fn with_library(mut self, library: Library) -> Self {
        self.library = Arc::new(library);
        self
    }

    /// What the language says about objects of inputs.
    pub fn with_rules(mut self, rules: InputRules) -> Self {
        self.rules = rules;
        self
    }

    /// The contents of the literals of the program.
    pub fn with_literals(mut self, literals: BTreeMap<GlobalId, Literal>) -> Self {
        self.literals = literals;
        self
    }

    /// Fields of globals that a caller sees, too.
    pub fn with_globals(mut self, globals: Vec<GlobalField>) -> Self {
        self.globals = globals;
        self
    }

    /// Parameters that lead to the objects of globals.
    pub fn with_bound_globals(mut self, bound: Vec<BoundGlobal>) -> Self {
        self.bound = bound;
        self
    }

    /// The global whose object a symbol of the input leads to.
    pub fn bound_global(&self, symbol: VarId) -> Option<GlobalId> {
        let mut bound = self.bound.iter();
        let known = bound.find(|known| {
            let input = self.inputs.get(known.parameter);
            input.is_some_and(|input| input.variable == symbol)
        });
        known.map(|known| known.global)
    }

    /// A function that says whether the objects are valid, and whether that is so afterwards, too.
    pub fn with_invariant(mut self, invariant: Option<FunctionId>, is_kept: bool) -> Self {
        self.invariant = invariant;
        self.keeps_invariant = is_kept;
        self
    }

    /// What has to hold of the objects after a call.
    pub fn promised_invariant(&self) -> Option<FunctionId> {
        self.invariant.filter(|_| self.keeps_invariant)
    }

    /// The part of the program that is under test.
    pub fn with_code_under_test(mut self, scope: CodeUnderTest) -> Self {
        self.scope = Some(Arc::new(scope));
        self
    }

    /// Whether the branches of a function count.
    pub fn is_under_test(&self, function: FunctionId) -> bool {
        let scope = self.scope.as_ref();
        function == self.function || scope.is_none_or(|scope| scope.functions.contains(&function))
    }

    /// The name of the function.
    pub fn name(&self) -> &str {
        &self.program.function(self.function).name
    }
}

/// The variables of a contract for the parameters of its function, the receiver first; none for a
/// receiver that it does not mention.
fn parameters(contract: &Contract, statics: &[Option<usize>]) -> Vec<Option<VarId>> {
    let receiver = contract.has_receiver.then_some(contract.this);
    let others = contract.params.iter().copied().map(Some);
    let mut variables: Vec<Option<VarId>> = receiver.into_iter().chain(others).collect();
    for value in contract.statics.iter().filter(|value| !value.after) {
        if let Some(&Some(parameter)) = statics.get(value.field) {
            variables.resize(variables.len().max(parameter + 1), None);
            variables[parameter] = Some(value.variable);
        }
    }
    variables
}

/// The formula of a contract. It quantifies static fields that nothing is known about.
fn formula(contract: &Contract, statics: &[Option<usize>], terms: &mut Terms) -> Formula {
    let is_unknown = |field: usize| statics.get(field).copied().flatten().is_none();
    let unknown: Vec<VarId> = (contract.statics.iter())
        .filter(|value| is_unknown(value.field))
        .map(|value| value.variable)
        .collect();
    let mut formula = contract.formula.clone();
    for disjunct in &mut formula.disjuncts {
        let free = disjunct.free_variables(terms);
        let quantified = unknown.iter().filter(|variable| free.contains(variable));
        let before = disjunct.exists.len();
        disjunct.exists.extend(quantified);
        // What one disjunct quantifies belongs to it alone.
        if disjunct.exists.len() > before {
            *disjunct = disjunct.instantiate(terms, &Default::default());
        }
    }
    formula
}

fn check_parameters(
    program: &Program,
    function: FunctionId,
    terms: &Terms,
    contract: &Contract,
    statics: &[Option<usize>],
) -> Result<(), SubjectError> {
    let code = program.function(function);
    let variables = parameters(contract, statics);
    if variables.len() > code.params as usize {
        return Err(SubjectError::ParameterCount {
            function: code.name.clone(),
            expected: code.params as usize,
            found: variables.len(),
        });
    }
    for (variable, register) in variables.into_iter().zip(&code.registers) {
        if variable.is_some_and(|variable| terms.variable(variable).sort != register.sort) {
            return Err(SubjectError::ParameterSort {
                function: code.name.clone(),
                parameter: register.name.clone().unwrap_or_default(),
            });
        }
    }
    Ok(())
}

fn postcondition(
    contract: &Contract,
    statics: &[Option<usize>],
    terms: &mut Terms,
    name: impl Fn(usize) -> Option<String>,
) -> Postcondition {
    let params = parameters(contract, statics);
    let position = |base: VarId| params.iter().position(|&param| param == Some(base));
    let old = contract.old.iter().filter_map(|old| {
        Some(Old {
            variable: old.variable,
            base: position(old.base)?,
            path: old.path.clone(),
        })
    });
    let after = contract.statics.iter().filter(|value| value.after);
    let globals = after.filter_map(|value| {
        let parameter = statics.get(value.field).copied().flatten()?;
        Some((value.variable, name(parameter)?))
    });
    Postcondition {
        formula: formula(contract, statics, terms),
        globals: globals.collect(),
        old: old.collect(),
        result: contract.result,
        params,
    }
}
