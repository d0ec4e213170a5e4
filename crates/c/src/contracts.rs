//! Contracts in comments of a source file, as the text of a specification.
//!
//! `/*@ pre FORMULA */` and `/*@ post FORMULA */` belong to the function behind them; `pred`, `import`
//! and contracts that name their function are taken as they are. Other comments that begin with `@`
//! are somebody else's. Everything keeps its line and column, so that messages point into the source.

use crate::ast::{Function, Place, Unit};
use crate::error::CError;

/// Words that begin a declaration.
const WORDS: [&str; 4] = ["pre", "post", "pred", "import"];

/// The specification that the comments of a unit are; `None` if there is none.
pub fn specification(unit: &Unit) -> Result<Option<String>, CError> {
    let mut text = Text::default();
    for (place, comment) in &unit.annotations {
        if first_word(comment).is_none() {
            continue;
        }
        // Both `/*@` and `//@` are three characters.
        let mut place = Place {
            column: place.column + 3,
            ..*place
        };
        for declaration in comment.split(';') {
            write(unit, &mut text, place, declaration)?;
            place = moved(place, declaration);
            // The semicolon.
            place.column += 1;
        }
    }
    Ok((!text.text.is_empty()).then_some(text.text))
}

/// The word that a comment begins with, if it is one for declarations.
fn first_word(text: &str) -> Option<&'static str> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let first = &text[..end.unwrap_or(text.len())];
    WORDS.into_iter().find(|word| *word == first)
}

fn write(unit: &Unit, text: &mut Text, place: Place, declaration: &str) -> Result<(), CError> {
    let inner = declaration.trim_start();
    if inner.is_empty() {
        return Ok(());
    }
    let place = moved(place, &declaration[..declaration.len() - inner.len()]);
    match first_word(inner) {
        Some(word @ ("pre" | "post")) if !inner.contains(":=") => {
            let Some(function) = function_behind(unit, place) else {
                let file = unit.files.get(place.file as usize);
                let file = file.map_or("", String::as_str);
                return Err(CError::Contract {
                    place: format!("{file}:{}:{}", place.line, place.column),
                });
            };
            // This takes room of the lines before, which are empty.
            let params = parameters(unit, function);
            text.add(&format!("{word} {}({params}) := ", function.name));
            let formula = inner[word.len()..].trim_start();
            let before = &inner[..inner.len() - formula.len()];
            text.go_to(moved(place, before));
            text.add(formula.trim_end());
        }
        _ => {
            text.go_to(place);
            text.add(inner.trim_end());
        }
    }
    text.add(";");
    Ok(())
}

/// The function whose definition is the next one.
fn function_behind(unit: &Unit, place: Place) -> Option<&Function> {
    let own = unit.functions.iter();
    let own = own.filter(|function| function.body.is_some() && function.place.file == place.file);
    let spot = |place: Place| (place.line, place.column);
    own.filter(|function| spot(function.place) > spot(place))
        .min_by_key(|function| spot(function.place))
}

fn parameters(unit: &Unit, function: &Function) -> String {
    let names = function.params.iter().enumerate().map(|(index, id)| {
        let variable = unit.variables.get(id.0 as usize);
        let name = variable.map_or("", |variable| &variable.name);
        match name.is_empty() {
            true => format!("unnamed{index}"),
            false => name.to_owned(),
        }
    });
    names.collect::<Vec<_>>().join(", ")
}

/// The place behind a text that begins at a place.
fn moved(place: Place, text: &str) -> Place {
    let mut place = place;
    match text.rfind('\n') {
        Some(last) => {
            place.line += text.matches('\n').count() as u32;
            place.column = (text.len() - last) as u32;
        }
        None => place.column += text.len() as u32,
    }
    place
}

/// A text that is written from its beginning to its end.
#[derive(Default)]
struct Text {
    text: String,
}

impl Text {
    fn add(&mut self, more: &str) {
        self.text.push_str(more);
    }

    /// Fills up with blanks to a place, as far as it is not passed already.
    fn go_to(&mut self, place: Place) {
        let line = self.text.matches('\n').count() + 1;
        let missing = (place.line as usize).saturating_sub(line);
        self.text.extend(std::iter::repeat_n('\n', missing));
        let column = self.text.len() - self.text.rfind('\n').map_or(0, |last| last + 1) + 1;
        let missing = (place.column as usize).saturating_sub(column);
        self.text.extend(std::iter::repeat_n(' ', missing));
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::ast::{CType, Signature, Stmt, StmtKind};

    fn place(line: u32, column: u32) -> Place {
        Place {
            file: 0,
            line,
            column,
        }
    }

    /// A function without parameters.
    fn function(name: &str, line: u32) -> Function {
        Function {
            name: name.to_owned(),
            signature: Rc::new(Signature {
                result: CType::Void,
                params: Vec::new(),
                variadic: false,
            }),
            params: Vec::new(),
            body: Some(Stmt {
                kind: StmtKind::Empty,
                place: place(line, 1),
            }),
            is_static: false,
            place: place(line, 1),
        }
    }

    fn text_of(comments: &[(u32, u32, &str)]) -> Result<Option<String>, CError> {
        let comments = comments.iter();
        specification(&Unit {
            files: vec!["a.c".to_owned()],
            functions: vec![function("g", 9), function("f", 5)],
            annotations: comments
                .map(|&(line, column, text)| (place(line, column), text.to_owned()))
                .collect(),
            ..Unit::default()
        })
    }

    #[test]
    fn contracts_are_those_of_the_function_behind_them() {
        let text = text_of(&[
            (1, 1, " pred p() := emp; "),
            (3, 1, " pre a;\n   post b\n  & c "),
            (6, 3, " pre x"),
            (7, 1, " requires \\valid(p); "),
        ]);
        let expected = "    pred p() := emp;pre f() := \n\n        a;post f() := \n        b\n  & c;\
            pre g() := \n          x;";
        assert_eq!(text, Ok(Some(expected.to_owned())));
    }

    #[test]
    fn a_contract_needs_a_function() {
        let place = "a.c:10:5".to_owned();
        assert_eq!(
            text_of(&[(10, 1, " pre x")]),
            Err(CError::Contract { place })
        );
        assert_eq!(text_of(&[(1, 1, " predicate x"), (1, 1, "")]), Ok(None));
    }
}
