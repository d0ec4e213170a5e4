//! Functions that tests define, for pointers to functions.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use heapwright_logic::{Cell, Loc, Sort, Value};

use super::Writer;
use super::values::type_name;
use crate::ast::{CType, Signature};
use crate::lower::{COMPARE_NUMBERS, plain_name};
use crate::unit::CUnit;

/// The function that orders numbers, as the library has it.
const COMPARE: &str = "static int compare_numbers(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
";

/// The definition of the function that orders numbers, if a test gives it to the source.
pub(super) fn comparator(unit: &CUnit, tests: &str) -> &'static str {
    let mut functions = unit.function_objects.values();
    let is_there = functions.any(|id| {
        let function = unit.source.functions.get(id.0 as usize);
        function.is_some_and(|function| function.name == COMPARE_NUMBERS)
    });
    match is_there && tests.contains(plain_name(COMPARE_NUMBERS)) {
        true => COMPARE,
        false => "",
    }
}

/// Functions that tests define, by their names.
pub(super) type Definitions = BTreeMap<String, String>;

impl Writer<'_> {
    /// Names a function after what it returns. Two of one test are never the same.
    pub(super) fn name_stub(&mut self, loc: Loc, cell: &Cell) {
        let mut kinds: Vec<_> = self.unit.stubs.keys().copied().collect();
        kinds.sort_unstable();
        let kind = kinds.iter().position(|&class| class == cell.class);
        let result = match cell.fields.first() {
            Some(Value::Int(number)) if *number < 0 => format!("minus_{}", number.unsigned_abs()),
            Some(Value::Int(number)) => number.to_string(),
            Some(Value::Bool(value)) => u8::from(*value).to_string(),
            Some(Value::Null) => "null".to_owned(),
            Some(Value::Ref(_)) => "pointer".to_owned(),
            Some(Value::Single(bits)) => format!("bits_{bits:x}"),
            Some(Value::Double(bits)) => format!("bits_{bits:x}"),
            None => "nothing".to_owned(),
        };
        let stem = format!("function{}_returns_{result}", kind.unwrap_or_default() + 1);
        let mut name = stem.clone();
        let mut number = 1;
        while self.names.values().any(|known| *known == name) || self.is_taken(&name) {
            number += 1;
            name = format!("{stem}_{number}");
        }
        self.names.insert(loc, name);
    }

    /// Defines a function that has a name.
    pub(super) fn define_stub(&mut self, loc: Loc, cell: &Cell) {
        let unit = self.unit;
        let signature = unit.stubs.get(&cell.class);
        let (Some(signature), Some(name)) = (signature, self.names.get(&loc).cloned()) else {
            return;
        };
        let Some(params) = params(self.unit, signature) else {
            return;
        };
        let definition = match (&signature.result, cell.fields.first()) {
            (CType::Pointer(_), Some(&value)) => {
                let kept = format!("{name}_result");
                let value = self.value(value, Sort::Ref(heapwright_logic::ClassId::ANY));
                self.line(format!("{kept} = {value};"));
                let ty = type_name(self.unit, &signature.result).unwrap_or("void *".to_owned());
                let star = if ty.ends_with('*') { "" } else { " " };
                format!(
                    "static {ty}{star}{kept};\nstatic {ty}{star}{name}({params}) {{ return {kept}; }}\n"
                )
            }
            (ty, Some(&value)) => {
                let sort = (self
                    .unit
                    .program
                    .definitions
                    .class(cell.class)
                    .fields
                    .first())
                .map_or(Sort::Int, |field| field.sort);
                let value = self.value(value, sort);
                let ty = type_name(self.unit, ty).unwrap_or("int".to_owned());
                format!("static {ty} {name}({params}) {{ return {value}; }}\n")
            }
            (_, None) => format!("static void {name}({params}) {{}}\n"),
        };
        self.definitions.insert(name, definition);
    }
}

/// Parameters with names, as the source writes their types.
fn params(unit: &CUnit, signature: &Signature) -> Option<String> {
    let spelled = unit.source.spellings.get(signature)?.as_ref()?;
    if spelled.is_empty() {
        return Some("void".to_owned());
    }
    let mut text = String::new();
    for (index, ty) in spelled.iter().enumerate() {
        let separator = if index > 0 { ", " } else { "" };
        let name = format!("p{}", index + 1);
        let written = match ty.find("(*") {
            // A pointer to a function has its name inside.
            Some(at) => format!("{}{name}{}", &ty[..at + 2], &ty[at + 2..]),
            None if ty.ends_with('*') => format!("{ty}{name}"),
            None => format!("{ty} {name}"),
        };
        let _ = write!(text, "{separator}{written}");
    }
    Some(text)
}
