//! Places in the source of a program, as people want to see them.

use std::collections::BTreeMap;

use heapwright_ir::{Position, Program};

/// `list.impl:3:7`; nothing for a place that is not known.
pub fn place(program: &Program, position: Position) -> Option<String> {
    if position.line == 0 {
        return None;
    }
    let name = file_name(program, position);
    Some(match position.column {
        0 => format!("{name}:{}", position.line),
        column => format!("{name}:{}:{column}", position.line),
    })
}

/// ` at list.impl:3:7`, to go behind what happened there.
pub fn at(program: &Program, position: Position) -> String {
    place(program, position).map_or(String::new(), |place| format!(" at {place}"))
}

/// The name of the file of a place.
pub fn file_name(program: &Program, position: Position) -> &str {
    let file = program.files.get(position.file as usize);
    file.map_or("", |file| &file.name)
}

/// The lines of the files of a program, for those who ask for many.
pub struct Lines<'p> {
    program: &'p Program,
    files: BTreeMap<u32, Vec<&'p str>>,
}

impl<'p> Lines<'p> {
    /// Files are split into lines when they are first needed.
    pub fn new(program: &'p Program) -> Lines<'p> {
        Lines {
            program,
            files: BTreeMap::new(),
        }
    }

    /// The whole line, without the spaces behind it; empty where it is not known.
    pub fn line(&mut self, position: Position) -> &'p str {
        let file = self.program.files.get(position.file as usize);
        let lines = self.files.entry(position.file).or_insert_with(|| {
            let text = file.map_or("", |file| &file.text);
            text.lines().collect()
        });
        let line = (position.line as usize).checked_sub(1);
        let text = line.and_then(|line| lines.get(line).copied());
        text.unwrap_or_default().trim_end()
    }
}

/// The whole line, without the spaces behind it; empty where it is not known.
pub fn line(program: &Program, position: Position) -> &str {
    let file = program.files.get(position.file as usize);
    let line = (position.line as usize).checked_sub(1);
    let text = file
        .zip(line)
        .and_then(|(file, line)| file.text.lines().nth(line));
    text.unwrap_or_default().trim_end()
}

/// The primitive condition that begins at a place: everything up to the parenthesis that closes
/// around it, the next `&&` or `||`, or the statement that follows.
pub fn condition(program: &Program, position: Position) -> Option<&str> {
    // Class files have no columns, and looking for a line takes as long as the file is.
    let column = (position.column as usize).checked_sub(1)?;
    let line = line(program, position);
    let (start, _) = line.char_indices().nth(column)?;
    let rest = &line[start..];
    let mut depth = 0_u32;
    let mut end = rest.len();
    for (at, character) in rest.char_indices() {
        let here = &rest[at..];
        let stops = here.starts_with("&&")
            || here.starts_with("||")
            || here.starts_with(" then")
            || matches!(character, ';' | '{' | '}' | ',')
            || here.starts_with("//");
        match character {
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            _ if depth == 0 && (stops || character == ')') => {
                end = at;
                break;
            }
            _ => {}
        }
    }
    let text = without_parentheses(rest[..end].trim_end());
    (!text.is_empty()).then_some(text)
}

/// What stands inside of the parentheses, where there are some around the whole text.
fn without_parentheses(text: &str) -> &str {
    let Some(inner) = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'))
    else {
        return text;
    };
    let mut depth = 0_i64;
    for character in inner.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            // The first parenthesis is closed before the end: `(a + b) < (c)`.
            return text;
        }
    }
    without_parentheses(inner.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwright_ir::SourceFile;

    fn program(text: &str) -> Program {
        let file = SourceFile {
            name: "p.impl".to_owned(),
            text: text.to_owned(),
        };
        Program {
            files: vec![file],
            ..Program::default()
        }
    }

    #[test]
    fn a_condition_ends_where_its_parenthesis_or_operator_does() {
        let check = |text: &str, column, expected| {
            let position = Position {
                file: 0,
                line: 1,
                column,
            };
            assert_eq!(condition(&program(text), position), expected, "{text}");
        };
        check(
            "while (x.tail.head /= x.head) {",
            8,
            Some("x.tail.head /= x.head"),
        );
        check(
            "if (a == nil || f(b, c) <= 0) then skip",
            5,
            Some("a == nil"),
        );
        check(
            "if (a == nil || f(b, c) <= 0) then skip",
            17,
            Some("f(b, c) <= 0"),
        );
        check("if ä < b then skip", 4, Some("ä < b"));
        check("if a { skip }", 4, Some("a"));
        check("done := a && (b == 1);", 9, Some("a"));
        check("done := a && (b == 1);", 15, Some("b == 1"));
        check("if ((x == nil)) then skip", 4, Some("x == nil"));
        check("if (a + b) < (c) then skip", 4, Some("(a + b) < (c)"));
        check("x", 7, None);
        check("x", 0, None);
    }

    #[test]
    fn a_place_without_a_line_is_not_shown() {
        let program = program("skip\nskip");
        let position = |line, column| Position {
            file: 0,
            line,
            column,
        };
        assert_eq!(at(&program, position(2, 3)), " at p.impl:2:3");
        assert_eq!(at(&program, position(2, 0)), " at p.impl:2");
        assert_eq!(at(&program, position(0, 0)), "");
        assert_eq!(line(&program, position(3, 1)), "");
        let mut lines = Lines::new(&program);
        for number in 0..4 {
            let position = position(number, 1);
            assert_eq!(lines.line(position), line(&program, position));
        }
    }
}
