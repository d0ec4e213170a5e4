//! Where a name is declared.

use std::path::Path;

use serde_json::{Value, json};

use crate::document::{Document, is_file};
use crate::names::{self, Kind};
use crate::world::World;
use crate::{position, uri};

/// The place of the declaration of the name at a byte; null if there is none that an editor can
/// open. Modules of the library are inside of the program, so they have no place.
pub fn of(document: &Document, world: &dyn World, byte: usize) -> Value {
    let names = names::of(&document.text);
    let Some(name) = names::at(&names, byte) else {
        return Value::Null;
    };
    match &name.kind {
        Kind::Variable(Some(place)) => {
            json!({ "uri": document.uri, "range": position::range(&document.text, place) })
        }
        Kind::Import(target) => {
            let source = document.imported(world, target);
            source.map_or(Value::Null, |source| {
                place(document, &source.name, &source.text, 0..0)
            })
        }
        Kind::Variable(None) | Kind::Function | Kind::Method(_) => Value::Null,
        Kind::Predicate | Kind::Class | Kind::Field(_) => {
            let declared = document.declaration(world, name);
            declared.map_or(Value::Null, |declared| {
                place(document, &declared.name, &declared.text, declared.range)
            })
        }
    }
}

fn place(document: &Document, name: &str, text: &str, range: std::ops::Range<usize>) -> Value {
    let uri = match name == document.name() {
        true => Some(document.uri.clone()),
        false if is_file(name) => uri::of_path(Path::new(name)),
        false => None,
    };
    uri.map_or(
        Value::Null,
        |uri| json!({ "uri": uri, "range": position::range(text, &range) }),
    )
}
