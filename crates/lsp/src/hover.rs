//! What a name means, in words, with the smallest models.

use std::time::Duration;

use heapwright_explain::disjuncts::{self, SmallestModel};
use heapwright_explain::meaning;
use heapwright_logic::{Definitions, VarId, display_sort};
use heapwright_spec::library::LIBRARY;
use heapwright_spec::questions::QuestionFile;
use heapwright_spec::syntax::ast::{ContractKind, ImportTarget};
use serde_json::{Value, json};

use crate::document::Document;
use crate::names::{self, Kind, Occurrence};
use crate::position;
use crate::world::World;

/// How long each question for a picture may take: somebody holds the mouse still meanwhile.
const PATIENCE: Duration = Duration::from_secs(2);

/// Sentences are broken here.
const WIDTH: usize = 80;

/// What to show for the name at a byte; null if there is nothing to say.
pub fn of(document: &mut Document, world: &dyn World, byte: usize) -> Value {
    let names = names::of(&document.text);
    let Some(name) = names::at(&names, byte) else {
        return Value::Null;
    };
    let Some(text) = told(document, world, name) else {
        return Value::Null;
    };
    json!({
        "contents": { "kind": "markdown", "value": text },
        "range": position::range(&document.text, &name.range),
    })
}

fn told(document: &mut Document, world: &dyn World, name: &Occurrence) -> Option<String> {
    match &name.kind {
        Kind::Predicate => predicate(document.meaning.as_mut()?, world, &name.text),
        Kind::Class => class(&document.meaning.as_ref()?.definitions, &name.text),
        Kind::Field(class) => field(
            &document.meaning.as_ref()?.definitions,
            class.as_deref(),
            &name.text,
        ),
        Kind::Function => function(&name.text).map(|told| format!("`{}`: {told}", name.text)),
        Kind::Method(kind) => contract(document.meaning.as_mut()?, *kind, &name.text),
        Kind::Import(ImportTarget::Module(module)) => comment(module),
        Kind::Import(ImportTarget::File(_)) | Kind::Variable(_) => None,
    }
}

fn predicate(meaning: &mut QuestionFile, world: &dyn World, name: &str) -> Option<String> {
    let id = meaning.definitions.predicate_named(name)?;
    let params = meaning.definitions.predicate(id).params.iter();
    let params: Vec<String> = params
        .map(|&param| {
            let variable = meaning.terms.variable(param);
            format!(
                "{} {}",
                display_sort(&meaning.definitions, variable.sort),
                variable.name
            )
        })
        .collect();
    let mut text = format!("```\npred {name}({})\n```\n", params.join(", "));
    let explained = disjuncts::explain(world.labels(), meaning, id, Some(PATIENCE));
    let cases = explained.len();
    for (number, disjunct) in (1..).zip(explained) {
        if cases > 1 {
            text.push_str(&format!("\n**Case {number} of {cases}.** "));
        } else {
            text.push('\n');
        }
        text.push_str(&escaped(&disjunct.told));
        match disjunct.model {
            SmallestModel::Drawn(picture) => {
                text.push_str(&format!("\n```\n{}\n```\n", picture.trim_end()));
            }
            SmallestModel::None(reasons) => {
                let reasons = reasons.join("\n");
                text.push_str(&format!(
                    "\n\nNo heap satisfies this case.\n```\n{reasons}\n```\n"
                ));
            }
            SmallestModel::Exists | SmallestModel::Unknown(_) => text.push('\n'),
        }
    }
    Some(text)
}

fn class(definitions: &Definitions, name: &str) -> Option<String> {
    let mut classes = definitions.classes().skip(1);
    let (_, class) = classes.find(|(_, class)| is_called(&class.name, name))?;
    let fields: String = (class.fields.iter())
        .map(|field| {
            format!(
                "    {} {};\n",
                display_sort(definitions, field.sort),
                field.name
            )
        })
        .collect();
    Some(format!("```\ndata {} {{\n{fields}}}\n```\n", class.name))
}

fn field(definitions: &Definitions, class: Option<&str>, name: &str) -> Option<String> {
    let classes = definitions.classes().skip(1);
    let classes =
        classes.filter(|(_, known)| class.is_none_or(|name| is_called(&known.name, name)));
    let mut lines: Vec<String> = Vec::new();
    for (_, class) in classes {
        for field in class.fields.iter().filter(|field| field.name == name) {
            let sort = display_sort(definitions, field.sort);
            lines.push(format!("{sort} {}.{name}", class.name));
        }
    }
    (!lines.is_empty()).then(|| format!("```\n{}\n```\n", lines.join("\n")))
}

/// Whether a class has a name, which may be without its package.
fn is_called(class: &str, name: &str) -> bool {
    class == name
        || class
            .strip_suffix(name)
            .is_some_and(|before| before.ends_with(['.', '$']))
}

/// What the contracts of a method say.
fn contract(meaning: &mut QuestionFile, kind: ContractKind, method: &str) -> Option<String> {
    let word = match kind {
        ContractKind::Pre => "precondition of ",
        ContractKind::Post => "postcondition of ",
    };
    let contracts = std::mem::take(&mut meaning.contracts);
    let mut text = String::new();
    for contract in &contracts {
        let name = contract.name.as_deref().unwrap_or_default();
        let of = name.strip_prefix(word).unwrap_or_default();
        let of = of.split(" when it throws ").next().unwrap_or_default();
        if of.rsplit('#').next() != Some(method) {
            continue;
        }
        text.push_str(&format!("**{}**\n\n", escaped(name)));
        let variables: Vec<VarId> = contract.variables.iter().map(|(_, id)| *id).collect();
        for (at, heap) in contract.formula.disjuncts.iter().enumerate() {
            if at > 0 {
                text.push_str("\nor\n\n");
            }
            let (terms, definitions) = (&mut meaning.terms, &meaning.definitions);
            let told = meaning::sentences(terms, definitions, &variables, heap);
            text.push_str(&escaped(&meaning::wrapped(&told, WIDTH).join("\n")));
            text.push('\n');
        }
        text.push('\n');
    }
    meaning.contracts = contracts;
    (!text.is_empty()).then_some(text)
}

/// What the comment at the top of a module of the library says.
fn comment(module: &str) -> Option<String> {
    let (_, text) = LIBRARY.iter().find(|(name, _)| *name == module)?;
    let lines = text.lines().map_while(|line| line.strip_prefix("//"));
    let lines: Vec<&str> = lines.map(str::trim).collect();
    Some(escaped(&lines.join(" ")))
}

fn function(name: &str) -> Option<&'static str> {
    Some(match name {
        "ite" => "the second value if the first is true, otherwise the third",
        "min" => "the smaller of two numbers",
        "max" => "the larger of two numbers",
        "abs" => "the number without its sign",
        "bitand" | "bitor" | "bitxor" => "bit by bit, in two's complement",
        "shl" => "`a * 2^n`, with `n` modulo 64",
        "shr" => "`a / 2^n` rounded down, with `n` modulo 64",
        "byte" | "short" | "int" | "long" | "ubyte" | "ushort" | "uint" | "ulong" | "char" => {
            "the integer wrapped around to this type; a float is truncated as in Java"
        }
        "float" | "double" => "the number as a floating-point number",
        "sqrt" => "the square root",
        "isnan" => "whether the floating-point number is `NaN`",
        "bits" => "the bits of a floating-point number, as an integer",
        "frombits" => "the floating-point number with these bits",
        "same" => {
            "the same value: unlike `=`, `NaN` is the same as itself, and `0.0` is not `-0.0`"
        }
        _ => return None,
    })
}

/// Text in which nothing is a mark of Markdown.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if matches!(
            character,
            '*' | '_' | '<' | '>' | '#' | '[' | ']' | '\\' | '`'
        ) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwright_spec::syntax::ast::function_names;

    #[test]
    fn every_function_is_told() {
        for name in function_names() {
            assert!(function(name).is_some(), "{name}");
        }
    }
}
