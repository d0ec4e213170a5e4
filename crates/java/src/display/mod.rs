//! Objects of the JDK that people think of as values, as text: strings and boxed primitives.
//!
//! Pictures show the text in place of the object and of what is inside of it.

mod collections;

use std::collections::BTreeMap;
use std::fmt::Write;

use heapwright_logic::{Cell, ClassId, Definitions, Heap, Loc, Value};

pub use collections::{Contents, contents};

/// Characters of a string that are shown.
const SHOWN: usize = 200;

/// The classes of boxed primitives: `Integer 5`.
const BOXED: [&str; 8] = [
    "Boolean",
    "Byte",
    "Character",
    "Double",
    "Float",
    "Integer",
    "Long",
    "Short",
];

/// The texts of all objects of a heap that have one: `"abc"` for a string, `Integer 5` for a boxed
/// number, `RED` for a constant of an enum. A string whose characters are no array of bytes, which no Java program can make, has
/// none.
pub fn labels(definitions: &Definitions, heap: &Heap) -> BTreeMap<Loc, String> {
    let mut labels = BTreeMap::new();
    let string = Layout::of(definitions, "java.lang.String");
    let boxed = BOXED.iter().filter_map(|name| {
        let layout = Layout::of(definitions, &format!("java.lang.{name}"))?;
        Some((layout.class, (*name, layout.value)))
    });
    let boxed: BTreeMap<ClassId, (&str, usize)> = boxed.collect();
    for (&loc, cell) in &heap.cells {
        let label = match (&string, boxed.get(&cell.class)) {
            (Some(layout), _) if layout.class == cell.class => layout.text(heap, cell),
            (_, Some((name, at))) => boxed_text(name, cell.fields.get(*at)),
            _ => constant_text(definitions, cell.class)
                .or_else(|| exception_text(definitions, string.as_ref(), heap, cell)),
        };
        labels.extend(label.map(|label| (loc, label)));
    }
    labels
}

/// The name of a constant of an enum.
fn constant_text(definitions: &Definitions, class: ClassId) -> Option<String> {
    constant(definitions, class).map(|(_, constant)| constant.to_owned())
}

/// The enum and the name of a constant, which are in the name of the class of its object.
pub fn constant(definitions: &Definitions, class: ClassId) -> Option<(&str, &str)> {
    let mut above = definitions.class(class).superclass;
    let (enumeration, constant) = definitions.class(class).name.rsplit_once('.')?;
    let mut declaring = false;
    while let Some(next) = above {
        let definition = definitions.class(next);
        if definition.name == "java.lang.Enum" {
            return declaring.then_some((enumeration, constant));
        }
        declaring |= definition.name == enumeration;
        above = definition.superclass;
    }
    None
}

/// An exception without fields of its own, with its message.
fn exception_text(
    definitions: &Definitions,
    string: Option<&Layout>,
    heap: &Heap,
    cell: &Cell,
) -> Option<String> {
    let throwable = definitions.class_named("java.lang.Throwable")?;
    let fields = &definitions.class(throwable).fields;
    let full = &definitions.class(cell.class).name;
    // What a fault knows does not show.
    let (name, is_fault) = match full.split_once("$$") {
        Some((name, _)) => (name, true),
        None => (full.as_str(), false),
    };
    let has_own = cell.fields.len() != fields.len() && !is_fault;
    if !definitions.is_subclass(cell.class, throwable) || has_own {
        return None;
    }
    let at = fields
        .iter()
        .position(|field| field.name == "detailMessage")?;
    let name = name.rsplit(['.', '$']).next().unwrap_or(name);
    let message = match cell.fields.get(at)? {
        Value::Ref(loc) => string?.text(heap, heap.cells.get(loc)?)?,
        _ => String::new(),
    };
    Some(format!("{name}({message})"))
}

/// The text of a string; nothing if the object is none, or a very long one.
pub fn string_at(definitions: &Definitions, heap: &Heap, loc: Loc) -> Option<String> {
    let layout = Layout::of(definitions, "java.lang.String")?;
    let cell = heap.cells.get(&loc)?;
    let units = layout.units(heap, cell)?;
    let is_string = cell.class == layout.class && units.len() <= SHOWN;
    is_string.then(|| String::from_utf16(&units).ok()).flatten()
}

/// Where the contents of a value are.
struct Layout {
    class: ClassId,
    /// The position of the field `value`.
    value: usize,
    /// The position of the field `coder`, which only strings have.
    coder: Option<usize>,
}

impl Layout {
    fn of(definitions: &Definitions, class: &str) -> Option<Layout> {
        let class = definitions.class_named(class)?;
        let fields = &definitions.class(class).fields;
        let position = |name| fields.iter().position(|field| field.name == name);
        Some(Layout {
            class,
            value: position("value")?,
            coder: position("coder"),
        })
    }

    /// A string in quotes.
    fn text(&self, heap: &Heap, cell: &Cell) -> Option<String> {
        let units = self.units(heap, cell)?;
        let mut text = quoted(units.get(..SHOWN).unwrap_or(&units));
        if units.len() > SHOWN {
            text.push('…');
        }
        Some(text)
    }

    /// The first units of a string: one more than are shown at most.
    fn units(&self, heap: &Heap, cell: &Cell) -> Option<Vec<u16>> {
        let Value::Ref(array) = *cell.fields.get(self.value)? else {
            return None;
        };
        let wide = match self.coder.and_then(|at| cell.fields.get(at)) {
            None | Some(Value::Int(0)) => false,
            Some(Value::Int(1)) => true,
            Some(_) => return None,
        };
        let elements = &heap.cells.get(&array)?.fields;
        let width = if wide { 2 } else { 1 };
        // Bytes have a sign.
        let bytes = elements
            .iter()
            .take((SHOWN + 1) * width)
            .map(|value| match value {
                Value::Int(value) => Some((value & 0xff) as u16),
                _ => None,
            });
        let bytes = bytes.collect::<Option<Vec<u16>>>()?;
        Some(match wide {
            false => bytes,
            true => bytes
                .chunks_exact(2)
                .map(|pair| pair.iter().rev().fold(0, |unit, byte| unit << 8 | byte))
                .collect(),
        })
    }
}

/// UTF-16 in quotes, as a literal of Java.
fn quoted(units: &[u16]) -> String {
    let mut text = String::from("\"");
    for unit in char::decode_utf16(units.iter().copied()) {
        match unit {
            Ok('"') => text.push_str("\\\""),
            Ok(character) => push(&mut text, character),
            Err(lone) => {
                let _ = write!(text, "\\u{:04x}", lone.unpaired_surrogate());
            }
        }
    }
    text.push('"');
    text
}

fn boxed_text(name: &str, value: Option<&Value>) -> Option<String> {
    let shown = match (name, *value?) {
        ("Character", Value::Int(code)) => {
            let mut text = String::from("'");
            match u32::try_from(code).ok().and_then(char::from_u32) {
                Some('\'') => text.push_str("\\'"),
                Some(character) => push(&mut text, character),
                None => {
                    let _ = write!(text, "\\u{code:04x}");
                }
            }
            text.push('\'');
            text
        }
        (_, Value::Bool(value)) => value.to_string(),
        (_, Value::Int(value)) => value.to_string(),
        (_, Value::Single(bits)) => format!("{:?}", f32::from_bits(bits)),
        (_, Value::Double(bits)) => format!("{:?}", f64::from_bits(bits)),
        (_, Value::Null | Value::Ref(_)) => return None,
    };
    Some(format!("{name} {shown}"))
}

/// Appends a character, escaped if one would not see it or it would disturb what is around it.
fn push(text: &mut String, character: char) {
    match character {
        '\\' => text.push_str("\\\\"),
        '\n' => text.push_str("\\n"),
        '\r' => text.push_str("\\r"),
        '\t' => text.push_str("\\t"),
        c if is_visible(c) => text.push(c),
        c => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(text, "\\u{unit:04x}");
            }
        }
    }
}

/// Whether a character is neither a control character, nor one without width, nor one that turns
/// the direction of writing, nor none at all.
fn is_visible(c: char) -> bool {
    let hidden = c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{e000}'..='\u{f8ff}'
            | '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
            | '\u{e0000}'..='\u{10ffff}');
    !hidden
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwright_logic::{Class, Field, FloatType, IntType, Sort};

    fn class(definitions: &mut Definitions, name: &str, fields: &[(&str, Sort)]) -> ClassId {
        let fields = fields.iter().map(|&(name, sort)| Field {
            name: name.to_owned(),
            sort,
        });
        definitions.add_class(Class {
            name: name.to_owned(),
            fields: fields.collect(),
            superclass: None,
        })
    }

    /// The label of a string with these bytes.
    fn string(coder: i128, bytes: &[u8]) -> Option<String> {
        let mut definitions = Definitions::new();
        let byte = Sort::Machine(IntType::I8);
        let array = class(&mut definitions, "byte[]", &[]);
        definitions.set_element_sort(array, byte);
        let fields = [
            ("value", Sort::Ref(array)),
            ("coder", byte),
            ("hash", Sort::Machine(IntType::I32)),
        ];
        let class = class(&mut definitions, "java.lang.String", &fields);
        let signed = bytes.iter().map(|&byte| Value::Int((byte as i8).into()));
        let elements = signed.collect();
        let fields = vec![Value::Ref(Loc(2)), Value::Int(coder), Value::Int(0)];
        let mut heap = Heap::default();
        heap.cells.insert(Loc(1), Cell { class, fields });
        let fields = elements;
        let class = array;
        heap.cells.insert(Loc(2), Cell { class, fields });
        let mut labels = labels(&definitions, &heap);
        assert!(!labels.contains_key(&Loc(2)));
        labels.remove(&Loc(1))
    }

    #[test]
    fn strings_are_quoted_and_escaped() {
        let check = |coder, bytes: &[u8], expected: &str| {
            assert_eq!(string(coder, bytes).as_deref(), Some(expected));
        };
        check(0, b"", "\"\"");
        check(0, b"abc", "\"abc\"");
        check(
            0,
            &[0xe9, b'"', b'\\', b'\n', 0, 0x1b],
            r#""é\"\\\n\u0000\u001b""#,
        );
        check(0, b"<&>", "\"<&>\"");
        // A letter, the euro, a character outside of the basic plane, a lone surrogate.
        let wide = [0x61, 0, 0xac, 0x20, 0x3d, 0xd8, 0, 0xde, 0, 0xd8];
        check(1, &wide, "\"a€😀\\ud800\"");
        // The direction of writing is not turned.
        check(1, &[0x2e, 0x20], r#""\u202e""#);
        // Half a character is none.
        check(1, &[0x61, 0, 0x62], "\"a\"");
        let long = string(0, &[b'x'; 1000]).unwrap();
        assert_eq!(long.chars().count(), SHOWN + 3);
        assert_eq!(string(7, b"abc"), None);
    }

    #[test]
    fn boxed_primitives_have_their_class() {
        use Value::{Bool, Double, Int, Single};
        let char = Sort::Machine(IntType::Char);
        let float = Sort::Float(FloatType::Single);
        let check = |name: &str, sort, value, expected: Option<&str>| {
            let mut definitions = Definitions::new();
            let class = class(&mut definitions, name, &[("value", sort)]);
            let fields = vec![value];
            let mut heap = Heap::default();
            heap.cells.insert(Loc(1), Cell { class, fields });
            let labels = labels(&definitions, &heap);
            assert_eq!(labels.get(&Loc(1)).map(String::as_str), expected);
        };
        check("java.lang.Integer", Sort::Int, Int(-5), Some("Integer -5"));
        check(
            "java.lang.Boolean",
            Sort::Bool,
            Bool(true),
            Some("Boolean true"),
        );
        check(
            "java.lang.Character",
            char,
            Int(0x27),
            Some(r"Character '\''"),
        );
        check(
            "java.lang.Character",
            char,
            Int(0xdc00),
            Some(r"Character '\udc00'"),
        );
        check(
            "java.lang.Character",
            char,
            Int(0x7f),
            Some(r"Character '\u007f'"),
        );
        let bits = 1.5f32.to_bits();
        check("java.lang.Float", float, Single(bits), Some("Float 1.5"));
        let bits = f64::NAN.to_bits();
        check("java.lang.Double", float, Double(bits), Some("Double NaN"));
        check("my.Integer", Sort::Int, Int(5), None);
        check("java.lang.Long", Sort::Int, Value::Null, None);
    }
}
