//! Structs as data types: functions that make them, and what can be done with them.
//!
//! | function | role |
//! | --- | --- |
//! | returns a pointer to the struct, takes no struct | constructor |
//! | takes storage for the struct, and is called `init` or the like | constructor |
//! | takes a pointer to the struct first | operation |
//! | the same, and is called `free`, `destroy` or the like | operation that ends a sequence |
//!
//! Without a constructor, storage full of zeros is what calls begin with.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use heapwright_c::ast::CType;
use heapwright_c::emit::{CallSequence, Given, SequenceCall, Start};
use heapwright_c::{CUnit, plain_name};
use heapwright_engine::sequences::{
    Argument, Call, DataType, Exploration, Operation, SequenceBounds, SequenceTest, explore, report,
};
use heapwright_engine::{NothingMore, Subject};
use heapwright_ir::machine::concrete::Value;
use heapwright_ir::{
    Block, Constant, Function, FunctionId, Instruction, Operand, Operation as Instructed, Position,
    Program, Reg, Register, Terminator,
};
use heapwright_logic::{ClassId, IntType, Sort, Value as LogicValue};
use heapwright_testgen::domain::{Domain, Item};
use heapwright_testgen::scopes::{InScope, bounds_of, is_covered, search_scopes, watched};
use heapwright_testgen::{Error, Event, Request, SequenceError};

use crate::roles::{is_destructor, is_initialiser};

/// The name of the function that gives globals their first values.
const INITIALISE: &str = "initialise globals";

/// What was found for a struct.
pub struct Found {
    /// The program, with functions that make arguments.
    pub program: Arc<Program>,
    data_type: DataType,
    written: BTreeMap<Argument, Given>,
    exploration: Exploration,
    bounds: SequenceBounds,
    observers: Vec<FunctionId>,
    has_start: bool,
}

/// The sequences that tests of a function are.
pub struct Played {
    found: Rc<Found>,
    tests: Vec<SequenceTest>,
}

impl Played {
    /// The calls of a test, by its number in the report.
    pub fn sequence(&self, index: usize) -> Option<CallSequence> {
        let found = &self.found;
        let sequence = &self.tests.get(index)?.sequence;
        let (last, before) = sequence.calls.split_last()?;
        let given = |call: &Call| call.arguments.iter().map(|one| found.given(one)).collect();
        let calls = before.iter().map(|call| {
            Some(SequenceCall {
                function: found.data_type.operations.get(call.operation)?.function,
                arguments: given(call),
            })
        });
        let constructor = found.data_type.constructors.get(sequence.start.operation)?;
        Some(CallSequence {
            class: found.data_type.class,
            start: found.has_start.then(|| Start {
                call: SequenceCall {
                    function: constructor.function,
                    arguments: given(&sequence.start),
                },
                gives: constructor.gives,
            }),
            calls: calls.collect::<Option<_>>()?,
            arguments: given(last),
        })
    }

    /// The branches that the calls before the last one of a test take.
    pub fn before(&self, index: usize) -> Option<&BTreeSet<heapwright_ir::machine::Edge>> {
        Some(&self.tests.get(index)?.before)
    }
}

impl Found {
    /// Whether calls begin with storage full of zeros, which nobody says to be valid.
    pub fn begins_with_zeros(&self) -> bool {
        !self.has_start
    }

    fn given(&self, argument: &Argument) -> Given {
        match (self.written.get(argument), argument) {
            (Some(given), _) => given.clone(),
            (None, _) => Given::Value(LogicValue::Null, Sort::Ref(ClassId::ANY)),
        }
    }

    /// What was found for a function, whose subject has the program of the search.
    pub fn of(
        self: &Rc<Found>,
        subject: &Subject,
        function: FunctionId,
    ) -> Option<(heapwright_engine::Report, Played)> {
        let mut operations = self.data_type.operations.iter();
        let operation = operations.position(|operation| operation.function == function)?;
        let (report, tests) = report(
            subject,
            &self.data_type,
            &self.exploration,
            operation,
            &self.observers,
            &self.bounds,
        );
        let played = Played {
            found: Rc::clone(self),
            tests,
        };
        Some((report, played))
    }
}

/// The struct that a function works on: that of its first parameter, or the one that it makes.
pub(crate) fn struct_of(unit: &CUnit, function: FunctionId) -> Option<ClassId> {
    let code = unit.program.function(function);
    let first = code.registers.first().filter(|_| code.params > 0);
    let class = match first.map(|register| register.sort) {
        Some(Sort::Ref(class)) if unit.record(class).is_some() => class,
        _ => match code.result {
            Some(Sort::Ref(class)) if unit.record(class).is_some() => class,
            _ => return None,
        },
    };
    Some(class)
}

/// Whether a function gives new objects of a struct.
fn is_constructor(unit: &CUnit, function: FunctionId, class: ClassId) -> bool {
    let code = unit.program.function(function);
    let Some(source) = unit.function(function) else {
        return false;
    };
    let takes_structs = source.signature.params.iter().any(|ty| match ty {
        CType::Pointer(to) => matches!(**to, CType::Record(_) | CType::Pointer(_)),
        CType::Record(_) => true,
        _ => false,
    });
    let gives_pointer = matches!(source.signature.result, CType::Pointer(_));
    gives_pointer && code.result == Some(Sort::Ref(class)) && !takes_structs
}

/// What a search is about.
pub(crate) struct Searched<'a> {
    /// The file.
    pub unit: &'a CUnit,
    /// The struct.
    pub class: ClassId,
    /// Functions whose calls become tests.
    pub tested: &'a [FunctionId],
    /// Functions that are no operations: predicates.
    pub left_out: &'a BTreeSet<FunctionId>,
    /// The predicate that says which structs are valid.
    pub predicate: Option<FunctionId>,
}

impl Searched<'_> {
    /// Explores the sequences of a struct.
    pub fn search(
        &self,
        request: &Request,
        subject: &dyn Fn(&Program, FunctionId) -> Result<Subject, Error>,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<Found, Error> {
        let name = self.unit.program.definitions.class(self.class).name.clone();
        let exploration_of: fn(&Found) -> &Exploration = |found| &found.exploration;
        search_scopes(request, exploration_of, |scope, time| {
            let mut found = self.data_type(request, scope)?;
            found.bounds = bounds_of(request, scope, time);
            let title = format!("{name} (scope {scope})");
            found.exploration = watched(&title, time, observer, |observer| {
                let program = Arc::clone(&found.program);
                let nothing = &mut NothingMore;
                explore(program, nothing, &found.data_type, &found.bounds, observer)
            });
            let mut all_covered = true;
            for &target in self.tested {
                let subject = subject(&found.program, target)?;
                let (data_type, bounds) = (&found.data_type, &found.bounds);
                all_covered &= is_covered(&subject, data_type, &found.exploration, bounds);
            }
            Ok(InScope {
                found,
                is_covered: all_covered,
            })
        })
    }

    /// The struct as a data type, with arguments of a scope.
    fn data_type(&self, request: &Request, scope: u32) -> Result<Found, Error> {
        let unit = self.unit;
        let given = &request.sequences;
        let mut maker = Maker {
            unit,
            program: unit.program.clone(),
            written: BTreeMap::new(),
            scope,
            domains: &given.domains,
        };
        let usable = || {
            let own = unit.functions.iter();
            let own = own.filter(|(id, error)| error.is_none() && !self.left_out.contains(id));
            own.map(|(id, _)| *id)
        };
        let is_static = |id: &FunctionId| unit.function(*id).is_some_and(|one| one.is_static);
        let mut constructors = Vec::new();
        for id in usable().filter(|id| !is_static(id)) {
            let gives = is_constructor(unit, id, self.class);
            let fills = is_initialiser(unit, id) && struct_of(unit, id) == Some(self.class);
            if (gives || fills)
                && let Some(mut operation) = maker.operation(id, usize::from(!gives))?
            {
                operation.gives = gives;
                constructors.push(operation);
            }
        }
        // Objects that are made in other ways can be reached by calls, as a rule.
        let is_plain = |operation: &Operation| operation.domains.is_empty();
        if constructors.iter().any(is_plain) {
            constructors.retain(is_plain);
        }
        let has_start = !constructors.is_empty();
        if !has_start {
            constructors.push(Operation {
                function: maker.nothing(self.class),
                domains: Vec::new(),
                probes: Vec::new(),
                builds: true,
                tested: false,
                gives: false,
            });
        }
        let made: BTreeSet<FunctionId> = constructors.iter().map(|one| one.function).collect();
        let names = &unit.program.functions;
        for name in &given.calls {
            let mut known = usable().filter(|id| struct_of(unit, *id) == Some(self.class));
            if !known.any(|id| names[id.index()].name == *name) {
                return Err(Error::Sequence(SequenceError::NoSuchCall {
                    name: name.clone(),
                    class: unit.program.definitions.class(self.class).name.clone(),
                }));
            }
        }
        let mut operations = Vec::new();
        let mut observers = Vec::new();
        for id in usable() {
            let code = unit.program.function(id);
            let first = code.registers.first().filter(|_| code.params > 0);
            let is_on_struct = first.is_some_and(|one| one.sort == Sort::Ref(self.class));
            let by_value = unit.function(id).is_some_and(|source| {
                matches!(source.signature.params.first(), Some(CType::Record(_)))
            });
            let tested = self.tested.contains(&id);
            if !is_on_struct || by_value || made.contains(&id) || (is_static(&id) && !tested) {
                continue;
            }
            let Some(mut operation) = maker.operation(id, 1)? else {
                continue;
            };
            let is_named = given.calls.is_empty() || given.calls.contains(&code.name);
            operation.tested = tested;
            operation.builds = is_named && !is_static(&id) && !is_destructor(unit, id);
            if !operation.tested {
                operation.probes.clear();
            }
            if code.params == 1 && matches!(code.result, Some(Sort::Bool | Sort::Machine(_))) {
                observers.push(id);
            }
            operations.push(operation);
        }
        if !operations.iter().any(|operation| operation.tested) {
            return Err(SequenceError::NoLastCall.into());
        }
        let initialise = maker.program.function_named(INITIALISE);
        Ok(Found {
            data_type: DataType {
                class: self.class,
                initialisers: initialise.into_iter().collect(),
                own: unit.variables.values().copied().collect(),
                constructors,
                operations,
                ignored: given.ignored.clone(),
                invariant: self.predicate,
            },
            program: Arc::new(maker.program),
            written: maker.written,
            exploration: Exploration::default(),
            bounds: SequenceBounds::default(),
            observers,
            has_start,
        })
    }
}

/// Makes arguments.
struct Maker<'a> {
    unit: &'a CUnit,
    program: Program,
    written: BTreeMap<Argument, Given>,
    scope: u32,
    domains: &'a [Domain],
}

impl Maker<'_> {
    /// A function as an operation, with values for its parameters from one on; `None` if there are
    /// none for one of them.
    fn operation(&mut self, function: FunctionId, from: usize) -> Result<Option<Operation>, Error> {
        let Some(source) = self.unit.function(function) else {
            return Ok(None);
        };
        let code = self.unit.program.function(function);
        let mut domains = Vec::new();
        let mut probes = Vec::new();
        let types = source.signature.params.iter().zip(&code.registers);
        for (number, (ty, register)) in types.enumerate().skip(from) {
            let name = register.name.as_deref();
            let is_for = |domain: &&Domain| {
                Some(domain.key.as_str()) == name
                    || domain.key == format!("{}.{}", code.name, number + 1 - from)
            };
            let items = self.domains.iter().rev().find(is_for);
            let values = match items {
                Some(domain) => {
                    let made = domain
                        .items
                        .iter()
                        .map(|item| self.item(ty, register.sort, item));
                    let made: Option<Vec<Argument>> = made.collect();
                    let Some(made) = made else {
                        return Err(Error::Sequence(SequenceError::Domain {
                            number: number + 1 - from,
                            method: code.name.clone(),
                            ty: type_words(&self.program, register.sort),
                        }));
                    };
                    (made, Vec::new())
                }
                None => self.usual(ty, register.sort),
            };
            if values.0.is_empty() {
                return Ok(None);
            }
            domains.push(values.0);
            probes.push(values.1);
        }
        Ok(Some(Operation {
            function,
            domains,
            probes,
            builds: true,
            tested: false,
            gives: false,
        }))
    }

    fn enter(&mut self, argument: Argument, given: Given) -> Argument {
        self.written.insert(argument.clone(), given);
        argument
    }

    fn number(&mut self, sort: Sort, number: i128) -> Option<Argument> {
        let (value, logic) = match sort {
            Sort::Bool => (Value::Bool(number != 0), LogicValue::Bool(number != 0)),
            Sort::Machine(ty) if ty.wrap(number) == number => {
                (Value::Int(number), LogicValue::Int(number))
            }
            Sort::Float(heapwright_logic::FloatType::Single) => {
                let bits = (number as f32).to_bits();
                (Value::Single(bits), LogicValue::Single(bits))
            }
            Sort::Float(heapwright_logic::FloatType::Double) => {
                let bits = (number as f64).to_bits();
                (Value::Double(bits), LogicValue::Double(bits))
            }
            _ => return None,
        };
        Some(self.enter(Argument::Value(value), Given::Value(logic, sort)))
    }

    /// A value that somebody has named.
    fn item(&mut self, ty: &CType, sort: Sort, item: &Item) -> Option<Argument> {
        match item {
            Item::Number(number) => self.number(sort, *number),
            Item::Truth(truth) => self.number(sort, i128::from(*truth)),
            Item::Fraction(bits) => match sort {
                Sort::Float(heapwright_logic::FloatType::Double) => Some(self.enter(
                    Argument::Value(Value::Double(*bits)),
                    Given::Value(LogicValue::Double(*bits), sort),
                )),
                _ => None,
            },
            Item::Null => sort.is_ref().then(|| self.null(sort)),
            Item::Text(text) => is_text(ty).then(|| self.text(sort, text)).flatten(),
        }
    }

    fn null(&mut self, sort: Sort) -> Argument {
        let null = Argument::Value(Value::Null);
        self.enter(null, Given::Value(LogicValue::Null, sort))
    }

    /// The first few values of a type, and others that are tried in last calls.
    fn usual(&mut self, ty: &CType, sort: Sort) -> (Vec<Argument>, Vec<Argument>) {
        let count = i128::from(self.scope);
        match (ty, sort) {
            (_, Sort::Bool) => (
                (0..2).filter_map(|n| self.number(sort, n)).collect(),
                Vec::new(),
            ),
            (_, Sort::Machine(IntType::I8)) => {
                let letters = (0..count.min(26)).map(|n| i128::from(b'a') + n);
                (
                    letters.filter_map(|n| self.number(sort, n)).collect(),
                    Vec::new(),
                )
            }
            (_, Sort::Machine(ty)) => {
                let probes = match ty.signed() {
                    true => self.number(sort, -1).into_iter().collect(),
                    false => Vec::new(),
                };
                (
                    (0..count).filter_map(|n| self.number(sort, n)).collect(),
                    probes,
                )
            }
            (_, Sort::Float(_)) => (
                (0..count).filter_map(|n| self.number(sort, n)).collect(),
                Vec::new(),
            ),
            (CType::Pointer(to), Sort::Ref(class)) => (self.pointers(to, class, sort), Vec::new()),
            _ => (Vec::new(), Vec::new()),
        }
    }

    fn pointers(&mut self, to: &CType, class: ClassId, sort: Sort) -> Vec<Argument> {
        match to {
            CType::Void => vec![self.null(sort)],
            CType::Int(IntType::I8) => {
                let letters = (0..self.scope.min(26) as u8).map(|n| char::from(b'a' + n));
                let texts: Vec<String> = letters.map(String::from).collect();
                texts
                    .iter()
                    .filter_map(|text| self.text(sort, text))
                    .collect()
            }
            CType::Int(_) | CType::Bool | CType::Float(_) => {
                let element = heapwright_c::element_sort(&self.program, class);
                let array = element.and_then(|element| {
                    let zero = LogicValue::default_of(element);
                    self.array(class, element, &[zero], Given::Array(element, vec![zero]))
                });
                array.into_iter().collect()
            }
            CType::Record(_) if self.unit.record(class).is_some() => self.structs(class),
            CType::Function(signature) => {
                let functions = self.unit.function_objects.iter();
                let mut fitting: Vec<_> = functions
                    .filter_map(|(global, id)| {
                        let source = self.unit.source.functions.get(id.0 as usize)?;
                        let fits = source.signature == *signature;
                        fits.then(|| (*global, plain_name(&source.name).to_owned()))
                    })
                    .collect();
                fitting.sort();
                let made = fitting.into_iter().map(|(global, name)| {
                    let result = Operand::Global(global);
                    let function = self.add(&format!("<{name}>"), &[], sort, Vec::new(), result);
                    let argument = Argument::Made(function, Vec::new());
                    self.enter(argument, Given::Function(name))
                });
                let made: Vec<Argument> = made.collect();
                match made.is_empty() {
                    true => vec![self.null(sort)],
                    false => made,
                }
            }
            _ => vec![self.null(sort)],
        }
    }

    /// Structs: what a constructor gives, or storage full of zeros.
    fn structs(&mut self, class: ClassId) -> Vec<Argument> {
        let own = self.unit.functions.iter();
        let constructors: Vec<FunctionId> = own
            .filter(|(id, error)| error.is_none() && is_constructor(self.unit, *id, class))
            .map(|(id, _)| *id)
            .collect();
        for function in constructors {
            let code = self.unit.program.function(function);
            let sorts: Vec<Sort> = (code.registers.iter().take(code.params as usize))
                .map(|register| register.sort)
                .collect();
            if !sorts.iter().all(|sort| matches!(sort, Sort::Machine(_))) {
                continue;
            }
            // The first parameter tells them apart.
            let count = if sorts.is_empty() { 1 } else { self.scope };
            let made = (0..i128::from(count)).map(|number| {
                let numbers: Vec<i128> = (0..sorts.len())
                    .map(|index| if index == 0 { number } else { 0 })
                    .collect();
                let values = numbers.iter().map(|&number| Value::Int(number)).collect();
                let given = numbers.iter().zip(&sorts);
                let given = given.map(|(&number, &sort)| (LogicValue::Int(number), sort));
                let given = Given::Made(function, given.collect());
                self.enter(Argument::Made(function, values), given)
            });
            return made.collect();
        }
        let nothing = self.nothing(class);
        let argument = Argument::New(class, nothing);
        vec![self.enter(argument, Given::Zeros(class))]
    }

    fn text(&mut self, sort: Sort, text: &str) -> Option<Argument> {
        let Sort::Ref(class) = sort else {
            return None;
        };
        let element = heapwright_c::element_sort(&self.program, class)?;
        let letters = text.bytes().chain([0]);
        let letters: Vec<LogicValue> = letters
            .map(|letter| LogicValue::Int(IntType::I8.wrap(letter.into())))
            .collect();
        self.array(class, element, &letters, Given::Text(text.to_owned()))
    }

    /// An array with these elements.
    fn array(
        &mut self,
        class: ClassId,
        element: Sort,
        contents: &[LogicValue],
        given: Given,
    ) -> Option<Argument> {
        if let Some((known, _)) = self.written.iter().find(|(_, one)| **one == given) {
            return Some(known.clone());
        }
        let array = Operand::Register(Reg(0));
        let mut instructions = vec![Instructed::NewArray {
            to: Reg(0),
            class,
            length: Operand::Constant(Constant::Int(IntType::I64, contents.len() as i128)),
        }];
        for (index, value) in (0..).zip(contents) {
            let value = match (value, element) {
                (LogicValue::Int(0) | LogicValue::Null, _) => continue,
                (LogicValue::Int(number), Sort::Machine(ty)) => Constant::Int(ty, *number),
                _ => continue,
            };
            instructions.push(Instructed::StoreElement {
                array,
                index: Operand::Constant(Constant::Int(IntType::I64, index)),
                value: Operand::Constant(value),
            });
        }
        let name = format!("<array {}>", self.written.len());
        let sort = Sort::Ref(class);
        let function = self.add(&name, &[sort], sort, instructions, array);
        Some(self.enter(Argument::Made(function, Vec::new()), given))
    }

    /// A function that leaves its struct as it is.
    fn nothing(&mut self, class: ClassId) -> FunctionId {
        let name = format!("<zeros {}>", class.0);
        if let Some(known) = self.program.function_named(&name) {
            return known;
        }
        let id = FunctionId(self.program.functions.len() as u32);
        self.program.functions.push(Function {
            name,
            params: 1,
            registers: vec![Register {
                name: None,
                sort: Sort::Ref(class),
            }],
            result: None,
            blocks: vec![block(Vec::new(), Terminator::Return(None))],
            position: Position::default(),
            synthetic: true,
        });
        id
    }

    /// Adds a function without parameters.
    fn add(
        &mut self,
        name: &str,
        registers: &[Sort],
        result: Sort,
        instructions: Vec<Instructed>,
        value: Operand,
    ) -> FunctionId {
        let id = FunctionId(self.program.functions.len() as u32);
        let registers = registers.iter();
        self.program.functions.push(Function {
            name: name.to_owned(),
            params: 0,
            registers: registers
                .map(|&sort| Register { name: None, sort })
                .collect(),
            result: Some(result),
            blocks: vec![block(instructions, Terminator::Return(Some(value)))],
            position: Position::default(),
            synthetic: true,
        });
        id
    }
}

fn is_text(ty: &CType) -> bool {
    matches!(ty, CType::Pointer(to) if **to == CType::Int(IntType::I8))
}

fn block(instructions: Vec<Instructed>, terminator: Terminator) -> Block {
    let plain = |operation| Instruction {
        operation,
        position: Position::default(),
    };
    Block {
        instructions: instructions.into_iter().map(plain).collect(),
        terminator,
        position: Position::default(),
        handlers: Vec::new(),
    }
}

/// What messages call a type.
fn type_words(program: &Program, sort: Sort) -> String {
    match sort {
        Sort::Ref(class) if class != ClassId::ANY => {
            format!("{} *", program.definitions.class(class).name)
        }
        other => heapwright_c::scalar_name(other).to_owned(),
    }
}
