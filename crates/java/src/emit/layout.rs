//! Statements and comments on lines that are not too long.

use super::test_method::quoted;

/// How long lines get, unless a single piece is longer.
const WIDTH: usize = 100;

/// The indentation of members.
pub(super) const MEMBER_INDENTATION: usize = 4;

/// The indentation of statements.
pub(super) const INDENTATION: usize = 8;

/// How far the rest of a statement is indented beyond its beginning.
const CONTINUATION: &str = "        ";

/// How long the pieces of long strings are.
const PIECE: usize = 72;

/// Items between two texts, on as many lines as they need.
pub(super) fn wrapped(start: &str, items: &[String], end: &str) -> Vec<String> {
    let mut lines = vec![start.to_owned()];
    for (index, item) in items.iter().enumerate() {
        let item = match index + 1 == items.len() {
            true => format!("{item}{end}"),
            false => format!("{item},"),
        };
        match lines.last_mut() {
            Some(line) if index == 0 || line.len() + item.len() + 1 + INDENTATION <= WIDTH => {
                if index > 0 {
                    line.push(' ');
                }
                line.push_str(&item);
            }
            _ => lines.push(format!("{CONTINUATION}{item}")),
        }
    }
    if let (true, Some(line)) = (items.is_empty(), lines.last_mut()) {
        line.push_str(end);
    }
    lines
}

/// The assertions about each object, as many on a line as fit.
pub(super) fn joined(objects: Vec<Vec<String>>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for object in objects {
        // Statements of several lines stay as they are.
        let simple = object
            .iter()
            .all(|line| line.ends_with(");") && !line.starts_with(' '));
        let mut is_first = true;
        for assertion in object {
            let room = |line: &str| line.len() + assertion.len() + 1 + INDENTATION <= WIDTH;
            match lines.last_mut() {
                Some(line) if simple && !is_first && room(line) => {
                    line.push(' ');
                    line.push_str(&assertion);
                }
                _ => lines.push(assertion),
            }
            is_first = false;
        }
    }
    lines
}

/// A statement on as many lines as it needs, broken behind commas, arrows and `=`, but never inside
/// of a string or a comment.
pub(super) fn folded(line: &str, indentation: usize) -> Vec<String> {
    let start = line.len() - line.trim_start().len();
    let margin = format!("{}{CONTINUATION}", line.get(..start).unwrap_or_default());
    let mut lines = Vec::new();
    let mut rest = line.to_owned();
    while indentation + rest.chars().count() > WIDTH && !rest.trim_start().starts_with("//") {
        let fits = |at: &usize| {
            let before = rest.get(..*at).unwrap_or_default();
            indentation + before.trim_end().chars().count() <= WIDTH
        };
        let breaks = breaks(&rest);
        let last = breaks.iter().rev().find(|at| fits(at));
        let Some((before, after)) = last
            .or(breaks.first())
            .and_then(|&at| rest.split_at_checked(at))
        else {
            break;
        };
        lines.push(before.trim_end().to_owned());
        rest = format!("{margin}{}", after.trim_start());
    }
    lines.push(rest);
    lines
}

/// Where a statement may be broken.
fn breaks(line: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None => {
                let here = line.get(at..).unwrap_or_default();
                let ends = [", ", "-> ", "= "]
                    .iter()
                    .find(|end| here.starts_with(**end));
                found.extend(ends.map(|end| at + end.len()));
            }
        }
    }
    found
}

/// The lines of a comment, without what could end it or be read as an escape.
pub(super) fn comment(text: &str, indentation: usize) -> Vec<String> {
    let plain = |c: char| match c {
        '\\' => '/',
        c if c.is_control() => ' ',
        // Not every compiler reads UTF-8 without being told to.
        c if !c.is_ascii() => '?',
        c => c,
    };
    let mut lines = Vec::new();
    for line in text.lines() {
        let line: String = line.chars().map(plain).collect();
        let mut current = "//".to_owned();
        let mut is_empty = true;
        for word in phrases(&line) {
            let width = indentation + current.chars().count() + 1 + word.chars().count();
            if width > WIDTH && !is_empty {
                lines.push(std::mem::replace(&mut current, "//  ".to_owned()));
            }
            current.push(' ');
            current.push_str(&word);
            is_empty = false;
        }
        lines.push(current);
    }
    lines
}

/// The words of a text; what stands between backquotes or beside `=` stays together.
fn phrases(text: &str) -> Vec<String> {
    let mut phrases: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match phrases.last_mut() {
            Some(last)
                if last.matches('`').count() % 2 == 1 || word == "=" || last.ends_with('=') =>
            {
                last.push(' ');
                last.push_str(word);
            }
            _ => phrases.push(word.to_owned()),
        }
    }
    phrases
}

/// A long string as the literals of its pieces.
pub(super) fn split_string(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for word in text.split_inclusive(' ') {
        match pieces.last_mut() {
            Some(piece) if piece.is_empty() || piece.len() + word.len() <= PIECE => {
                piece.push_str(word);
            }
            _ => pieces.push(word.to_owned()),
        }
    }
    pieces.iter().map(|piece| quoted(piece)).collect()
}

/// The sum of some operands between two texts, each on a line.
pub(super) fn sum(start: &str, operands: &[String], end: &str) -> Vec<String> {
    let mut lines: Vec<String> = (operands.iter().enumerate())
        .map(|(index, operand)| match index {
            0 => format!("{start}{operand}"),
            _ => format!("{CONTINUATION}+ {operand}"),
        })
        .collect();
    if let Some(line) = lines.last_mut() {
        line.push_str(end);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_statements_are_broken_outside_of_strings() {
        let argument = "a".repeat(38);
        let line = format!("call({argument}, \"x, {argument}\", {argument});");
        let lines = folded(&line, 8);
        let expected = [
            format!("call({argument}, \"x, {argument}\","),
            format!("        {argument});"),
        ];
        assert_eq!(lines, expected);
        let short = "String s = \"a, b\";".to_owned();
        assert_eq!(folded(&short, 8), [short]);
        let unbreakable = "b".repeat(200);
        assert_eq!(folded(&unbreakable, 8), [unbreakable]);
    }

    #[test]
    fn comments_cannot_be_left() {
        assert_eq!(
            comment("a\\u000a b\nc\u{7} d", 4),
            ["// a/u000a b", "// c d"]
        );
        let words = "word ".repeat(40);
        let lines = comment(&words, 4);
        assert!(lines.len() > 2);
        assert!(
            lines.iter().all(|line| line.len() + 4 <= WIDTH),
            "{lines:?}"
        );
        assert!(
            lines.iter().all(|line| line.starts_with("// ")),
            "{lines:?}"
        );
    }

    #[test]
    fn conditions_and_equations_stay_together() {
        let words = phrases("Covers `t == null` (line 3), x = 5");
        assert_eq!(words, ["Covers", "`t == null`", "(line", "3),", "x = 5"]);
    }

    #[test]
    fn long_messages_are_sums() {
        let text = "a message of several words ".repeat(6);
        let pieces = split_string(&text);
        assert!(pieces.len() > 1, "{pieces:?}");
        let joined: String = pieces.iter().map(|piece| piece.trim_matches('"')).collect();
        assert_eq!(joined, text);
        let lines = sum("fail(", &pieces, ");");
        assert!(lines[1].starts_with("        + \""), "{lines:?}");
    }
}
