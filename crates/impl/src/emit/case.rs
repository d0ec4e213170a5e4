//! What a test is made of: an input, and what a run made of it.

use heapwright_ir::machine::Budget;
use heapwright_ir::{FaultKind, Function, Position};
use heapwright_logic::{Cell, Class, ClassId, Definitions, Heap, Loc, Sort, Value};

use super::error::EmitError;
use super::property::Property;
use crate::program::ImplProgram;

/// One run of a program, to be written as a test.
#[derive(Clone, Debug)]
pub struct TestCase<'p> {
    /// The program that was run.
    pub program: &'p ImplProgram,
    /// What of it was run.
    pub target: Target,
    /// What the test is called.
    pub name: String,
    /// What the test covers, for the reader.
    pub comments: Vec<String>,
    /// The values of the inputs or parameters, in order.
    pub inputs: Vec<Value>,
    /// The objects that the inputs refer to. What they do not reach is not set up.
    pub before: Heap,
    /// What happened.
    pub ending: Ending,
}

/// The part of a program that is tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The statements outside of all procedures.
    Main,
    /// A procedure.
    Procedure(String),
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It returned.
    Returned {
        /// What the procedure returned; not checked if it is not given.
        result: Option<Value>,
        /// The values of the [outputs](crate::Entry::outputs) of the program's own statements, in
        /// order. Empty for a procedure, whose variables nobody sees.
        outputs: Vec<Value>,
        /// The objects afterwards, those of the input under their names of before. What was freed
        /// is not there.
        heap: Heap,
    },
    /// It did what it should not have done. The test asserts nothing of that: it fails as long as
    /// the program does not return, or not with what was promised.
    Wrong {
        /// What was promised for runs that return, and is checked.
        property: Option<Property>,
    },
    /// A fault ended it.
    Fault {
        /// Which one.
        kind: FaultKind,
        /// Where in the program.
        position: Option<Position>,
    },
    /// It was ended, having used too much.
    OutOfBudget(Budget),
}

/// A variable with its value.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    pub name: String,
    pub sort: Sort,
    pub value: Value,
}

impl<'p> TestCase<'p> {
    /// Name and text of the program.
    pub(super) fn source(&self) -> Result<(&'p str, &'p str), EmitError> {
        let file = self.program.program.files.first();
        let file = file.ok_or(EmitError::NoText)?;
        Ok((&file.name, &file.text))
    }

    /// Where the program goes wrong, if it does.
    pub(super) fn fault_position(&self) -> Option<Position> {
        match self.ending {
            Ending::Fault { position, .. } => position.filter(|position| position.line > 0),
            _ => None,
        }
    }

    pub(super) fn definitions(&self) -> &'p Definitions {
        &self.program.program.definitions
    }

    /// The procedure that is tested; none for the program's own statements.
    pub(super) fn procedure(&self) -> Result<Option<&'p Function>, EmitError> {
        let Target::Procedure(name) = &self.target else {
            return Ok(None);
        };
        let program = &self.program.program;
        let missing = || EmitError::NoProcedure(name.clone());
        let id = program.function_named(name).ok_or_else(missing)?;
        // The statements of a program are a function, too, but nobody can call it.
        if (self.program.entry.as_ref()).is_some_and(|entry| entry.function == id) {
            return Err(missing());
        }
        Ok(Some(program.function(id)))
    }

    /// The inputs with their values, after a check that values and cells fit their types.
    pub(super) fn bound_inputs(&self) -> Result<Vec<Binding>, EmitError> {
        let variables: Vec<(String, Sort)> = match self.procedure()? {
            None => {
                let entry = self.program.entry.as_ref();
                let entry = entry.ok_or(EmitError::NoStatements)?;
                let inputs = entry.inputs.iter();
                inputs.map(|v| (v.name.clone(), v.sort)).collect()
            }
            Some(function) => (function.registers.iter().take(function.params as usize))
                .map(|register| {
                    let name = register.name.clone();
                    (name.unwrap_or_else(|| "argument".to_owned()), register.sort)
                })
                .collect(),
        };
        check_cells(self.definitions(), &self.before)?;
        bind("inputs", variables, &self.inputs, &self.before)
    }

    /// The outputs of the program's own statements with their values.
    pub(super) fn bound_outputs(
        &self,
        values: &[Value],
        heap: &Heap,
    ) -> Result<Vec<Binding>, EmitError> {
        let entry = match self.target {
            Target::Main => self.program.entry.as_ref(),
            Target::Procedure(_) => None,
        };
        let variables = (entry.iter())
            .flat_map(|entry| &entry.outputs)
            .map(|variable| (variable.name.clone(), variable.sort));
        check_cells(self.definitions(), heap)?;
        bind("outputs", variables.collect(), values, heap)
    }
}

/// Pairs variables with values of their sorts.
pub(super) fn bind(
    what: &'static str,
    variables: Vec<(String, Sort)>,
    values: &[Value],
    heap: &Heap,
) -> Result<Vec<Binding>, EmitError> {
    if variables.len() != values.len() {
        return Err(EmitError::WrongCount {
            what,
            expected: variables.len(),
            given: values.len(),
        });
    }
    (variables.into_iter().zip(values))
        .map(|((name, sort), &value)| {
            if !fits(value, sort, heap) {
                return Err(EmitError::WrongValue(name));
            }
            Ok(Binding { name, sort, value })
        })
        .collect()
}

/// Whether a value is of a sort, and the object that it refers to of the struct.
fn fits(value: Value, sort: Sort, heap: &Heap) -> bool {
    let right_class = match (value, sort) {
        (Value::Ref(loc), Sort::Ref(class)) => {
            (heap.cells.get(&loc)).is_none_or(|cell| cell.class == class)
        }
        _ => true,
    };
    right_class && value.has_sort(sort)
}

fn check_cells(definitions: &Definitions, heap: &Heap) -> Result<(), EmitError> {
    for (&loc, cell) in &heap.cells {
        let class = class_of(definitions, cell.class).ok_or(EmitError::WrongCell(loc))?;
        let same_length = class.fields.len() == cell.fields.len();
        let mut fields = class.fields.iter().zip(&cell.fields);
        if !same_length || !fields.all(|(field, &value)| fits(value, field.sort, heap)) {
            return Err(EmitError::WrongCell(loc));
        }
    }
    Ok(())
}

/// The struct behind an id.
fn class_of(definitions: &Definitions, id: ClassId) -> Option<&Class> {
    if id == ClassId::ANY {
        return None;
    }
    let mut classes = definitions.classes();
    classes
        .find(|(other, _)| *other == id)
        .map(|(_, class)| class)
}

/// A cell whose fields were checked, with its struct.
pub(super) fn object<'a>(
    definitions: &'a Definitions,
    heap: &'a Heap,
    loc: Loc,
) -> Option<(&'a Class, &'a Cell)> {
    let cell = heap.cells.get(&loc)?;
    Some((definitions.class(cell.class), cell))
}
