//! What can stand where somebody is typing.

use heapwright_spec::library::LIBRARY;
use heapwright_spec::syntax::ast::{function_arity, function_names};
use serde_json::{Value, json};

use crate::document::{Document, Known};
use crate::names::{self, Kind};
use crate::world::World;

/// Words of the language that open or join parts of a formula.
const WORDS: [&str; 9] = [
    "emp", "exists", "null", "true", "false", "old", "this", "result", "_",
];

/// Words that open declarations.
const DECLARATIONS: [&str; 6] = ["import", "data", "pred", "pre", "post", "check"];

/// Kinds of completions, as the protocol numbers them.
mod kind {
    pub const FUNCTION: u8 = 3;
    pub const FIELD: u8 = 5;
    pub const VARIABLE: u8 = 6;
    pub const CLASS: u8 = 7;
    pub const MODULE: u8 = 9;
    pub const KEYWORD: u8 = 14;
}

/// Where the cursor is.
#[derive(PartialEq, Eq, Debug)]
enum Cursor {
    /// Behind `import`.
    Import,
    /// Where a declaration begins.
    Declaration,
    /// Behind `->`, or where a type is written.
    Class,
    /// Behind the dot of a path.
    Path,
    /// Among the arguments of a cell: its class.
    Cell(String),
    /// Somewhere else in a formula.
    Formula,
}

/// The completions at a byte.
pub fn at(document: &Document, world: &dyn World, byte: usize) -> Vec<Value> {
    let text = document.text.get(..byte).unwrap_or_default();
    let word = text.rfind(|c: char| !is_name(c)).map_or(0, |at| {
        at + text[at..].chars().next().map_or(1, char::len_utf8)
    });
    let before = &text[..word];
    match place(before) {
        Cursor::Import => {
            let names = LIBRARY.iter().map(|(name, _)| *name);
            names
                .map(|name| item(name, kind::MODULE, "a module of the library"))
                .collect()
        }
        Cursor::Declaration => {
            let words = DECLARATIONS.iter();
            words.map(|word| item(word, kind::KEYWORD, "")).collect()
        }
        Cursor::Class => {
            let classes = document.classes(world);
            classes.iter().map(class).collect()
        }
        Cursor::Path => {
            let classes = document.classes(world);
            let mut names: Vec<(&str, &str)> = Vec::new();
            for class in &classes {
                for field in &class.parts {
                    if !names.iter().any(|(known, _)| known == field) {
                        names.push((field, &class.name));
                    }
                }
            }
            let fields = names.into_iter();
            fields
                .map(|(name, class)| item(name, kind::FIELD, class))
                .collect()
        }
        Cursor::Cell(name) => {
            let classes = document.classes(world);
            let cell = classes.iter().find(|class| {
                let simple = class.name.rsplit(['.', '$']).next();
                class.name == name || simple == Some(&name)
            });
            let fields = cell.into_iter().flat_map(|class| &class.parts);
            let mut items: Vec<Value> = fields
                .map(|field| {
                    let mut item = item(field, kind::FIELD, &name);
                    item["insertText"] = json!(format!("{field}: "));
                    // Fields come before everything else that may stand there.
                    item["sortText"] = json!(format!(" {field}"));
                    item
                })
                .collect();
            items.extend(formula(document, world, byte));
            items
        }
        Cursor::Formula => formula(document, world, byte),
    }
}

/// Names of a formula: variables, predicates, functions, words.
fn formula(document: &Document, world: &dyn World, byte: usize) -> Vec<Value> {
    let mut items: Vec<Value> = Vec::new();
    // A text that is being typed rarely parses, so variables are the names of its declaration.
    let begin = document.text[..byte].rfind(';').map_or(0, |at| at + 1);
    let end = document.text[byte..]
        .find(';')
        .map_or(document.text.len(), |at| byte + at);
    let mut variables: Vec<String> = Vec::new();
    let mut declaration = document.text[begin..end].to_owned();
    declaration.push(';');
    for name in names::of(&declaration) {
        if matches!(name.kind, Kind::Variable(_)) && !variables.contains(&name.text) {
            variables.push(name.text);
        }
    }
    items.extend(variables.iter().map(|name| item(name, kind::VARIABLE, "")));
    for predicate in document.predicates(world) {
        let signature = format!("{}({})", predicate.name, predicate.parts.join(", "));
        items.push(item(&predicate.name, kind::FUNCTION, &signature));
    }
    for name in function_names() {
        let detail = match function_arity(name) {
            Some(1) => "a function of one value".to_owned(),
            arity => format!("a function of {} values", arity.unwrap_or_default()),
        };
        items.push(item(name, kind::FUNCTION, &detail));
    }
    items.extend(WORDS.iter().map(|word| item(word, kind::KEYWORD, "")));
    items
}

fn class(class: &Known) -> Value {
    item(
        &class.name,
        kind::CLASS,
        &format!("{}({})", class.name, class.parts.join(", ")),
    )
}

fn item(label: &str, kind: u8, detail: &str) -> Value {
    json!({ "label": label, "kind": kind, "detail": detail })
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$')
}

/// Where the end of a text is. The text is looked at from its end, since it need not parse.
fn place(before: &str) -> Cursor {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let trimmed = before.trim_end();
    if line.trim_start() == "import " {
        return Cursor::Import;
    }
    if trimmed.ends_with("->") || trimmed.ends_with('→') || trimmed.ends_with('↦') {
        return Cursor::Class;
    }
    if before.ends_with('.') {
        return Cursor::Path;
    }
    if line.trim().is_empty() && (trimmed.is_empty() || trimmed.ends_with([';', '}'])) {
        return Cursor::Declaration;
    }
    // The parenthesis that is open here, and the name in front of it.
    let mut depth = 0usize;
    for (at, character) in before.char_indices().rev() {
        match character {
            ')' => depth += 1,
            '(' if depth > 0 => depth -= 1,
            '(' => {
                let head = before[..at].trim_end();
                let begin = head.rfind(|c: char| !is_name(c) && c != '.');
                let begin = begin.map_or(0, |at| {
                    at + head[at..].chars().next().map_or(1, char::len_utf8)
                });
                let arrow = head[..begin].trim_end();
                if ["->", "→", "↦"].iter().any(|sign| arrow.ends_with(sign)) {
                    return Cursor::Cell(head[begin..].to_owned());
                }
            }
            ';' => break,
            _ => {}
        }
    }
    Cursor::Formula
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_told_by_what_is_before() {
        let check =
            |before: &str, expected: Cursor| assert_eq!(place(before), expected, "{before}");
        check("", Cursor::Declaration);
        check("data A { int x; }\n", Cursor::Declaration);
        check("import ", Cursor::Import);
        check("check x -> ", Cursor::Class);
        check("check x.", Cursor::Path);
        check("check x -> Node(", Cursor::Cell("Node".to_owned()));
        check(
            "check x -> a.Node(value: max(1, 2), ",
            Cursor::Cell("a.Node".to_owned()),
        );
        check("check p(x) * ", Cursor::Formula);
        check("check p(", Cursor::Formula);
    }
}
