//! Objects that are made by calls of the source's own functions, instead of field by field.

use heapwright_ir::FunctionId;
use heapwright_logic::{ClassId, Sort, Value};

use super::values::element_name;
use super::{TestCase, Writer};
use crate::unit::CUnit;

/// Calls that come before the call of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallSequence {
    /// The class of the object that all calls are given.
    pub class: ClassId,
    /// What makes the object; `None` if it is storage full of zeros.
    pub start: Option<Start>,
    /// The calls, in order; each is given the object first.
    pub calls: Vec<SequenceCall>,
    /// What the call of the test is given behind the object.
    pub arguments: Vec<Given>,
}

/// The call that makes an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// The call.
    pub call: SequenceCall,
    /// Whether its result is the object; otherwise it is given storage for it.
    pub gives: bool,
}

/// A call of a function of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SequenceCall {
    /// The function.
    pub function: FunctionId,
    /// What it is given behind the object.
    pub arguments: Vec<Given>,
}

/// An argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Given {
    /// Null or a number.
    Value(Value, Sort),
    /// A struct full of zeros.
    Zeros(ClassId),
    /// What a function of the source gives.
    Made(FunctionId, Vec<(Value, Sort)>),
    /// An array with these elements, which belongs to the test.
    Array(Sort, Vec<Value>),
    /// A string.
    Text(String),
    /// A function of the source.
    Function(String),
}

impl Writer<'_> {
    /// Makes the objects of a test by calls.
    pub(super) fn set_up_by_calls(&mut self, case: &TestCase<'_>, sequence: &CallSequence) {
        let Some((ty, stem)) = struct_names(self.unit, sequence.class) else {
            return;
        };
        let object = self.fresh(&stem);
        match &sequence.start {
            Some(Start { call, gives: true }) => {
                let call = self.sequence_call(call, None);
                self.line(format!("{ty} *{object} = {call};"));
            }
            start => {
                self.line(format!("{ty} *{object} = calloc(1, sizeof *{object});"));
                if let Some(start) = start {
                    let call = self.sequence_call(&start.call, Some(&object));
                    self.line(format!("{call};"));
                }
            }
        }
        for call in &sequence.calls {
            let call = self.sequence_call(call, Some(&object));
            self.line(format!("{call};"));
        }
        let mut names = vec![(object, true)];
        for argument in &sequence.arguments {
            names.push(self.given(argument));
        }
        for ((name, is_owned), value) in names.into_iter().zip(case.arguments) {
            let Value::Ref(loc) = *value else {
                continue;
            };
            self.names.insert(loc, name.clone());
            if is_owned {
                self.objects.push(loc);
            }
            self.name_inside(case.before, loc, &name);
        }
    }

    fn sequence_call(&mut self, call: &SequenceCall, object: Option<&str>) -> String {
        let mut arguments: Vec<String> = object.into_iter().map(str::to_owned).collect();
        for argument in &call.arguments {
            arguments.push(self.given(argument).0);
        }
        let name = &self.unit.program.function(call.function).name;
        format!("{name}({})", arguments.join(", "))
    }

    /// The words for an argument, and whether it is an object that the test has to free.
    fn given(&mut self, given: &Given) -> (String, bool) {
        match given {
            Given::Value(value, sort) => (self.value(*value, *sort), false),
            Given::Function(name) => (name.clone(), false),
            Given::Zeros(class) => {
                let names = struct_names(self.unit, *class);
                let (ty, stem) = names.unwrap_or(("char".to_owned(), "data".to_owned()));
                let name = self.fresh(&stem);
                self.line(format!("{ty} *{name} = calloc(1, sizeof *{name});"));
                (name, true)
            }
            Given::Made(function, arguments) => {
                let arguments: Vec<String> = (arguments.iter())
                    .map(|(value, sort)| self.value(*value, *sort))
                    .collect();
                let maker = self.unit.program.function(*function).name.clone();
                let class = match self.unit.program.function(*function).result {
                    Some(Sort::Ref(class)) => class,
                    _ => ClassId::ANY,
                };
                let names = struct_names(self.unit, class);
                let (ty, stem) = names.unwrap_or(("void".to_owned(), "data".to_owned()));
                let name = self.fresh(&stem);
                let arguments = arguments.join(", ");
                self.line(format!("{ty} *{name} = {maker}({arguments});"));
                (name, true)
            }
            Given::Array(element, contents) => {
                let name = self.fresh("array");
                let contents: Vec<String> = (contents.iter())
                    .map(|&value| self.value(value, *element))
                    .collect();
                let ty = element_name(self.unit, *element);
                let star = if ty.ends_with('*') { "" } else { " " };
                let contents = contents.join(", ");
                self.line(format!("{ty}{star}{name}[] = {{{contents}}};"));
                (name, false)
            }
            Given::Text(text) => {
                let name = self.fresh("text");
                let escaped = text.escape_default();
                self.line(format!("char {name}[] = \"{escaped}\";"));
                (name, false)
            }
        }
    }
}

/// What C calls a struct, and what its variables are named after.
fn struct_names(unit: &CUnit, class: ClassId) -> Option<(String, String)> {
    let name = unit.record(class)?.name.clone();
    let stem = name.rsplit(' ').next().unwrap_or(&name).to_owned();
    Some((name, stem))
}
