//! JSON that people can read: whatever fits into a line is written in one, and lists of numbers
//! fill their lines.

use serde_json::Value as Json;

/// The width that a line has at most, if its contents can be broken.
const WIDTH: usize = 100;

/// The text of a value, with a newline at its end. The same value gives the same bytes.
pub fn pretty(json: &Json) -> String {
    let mut text = String::new();
    write(json, 0, 0, &mut text);
    text.push('\n');
    text
}

/// Writes a value that begins in a column, inside of lines with an indentation.
fn write(json: &Json, indent: usize, column: usize, text: &mut String) {
    let begin = text.len();
    if short(json, WIDTH.saturating_sub(column), text).is_some() {
        return;
    }
    text.truncate(begin);
    let inner = indent + 2;
    let mut separator = "\n";
    let mut item = |text: &mut String, key: &str, value: &Json| {
        text.push_str(separator);
        separator = ",\n";
        text.push_str(&" ".repeat(inner));
        text.push_str(key);
        write(value, inner, inner + key.chars().count() + 1, text);
    };
    let close = match json {
        Json::Array(items) if items.iter().all(Json::is_number) => {
            numbers(items, inner, text);
            ']'
        }
        Json::Array(items) => {
            text.push('[');
            items.iter().for_each(|value| item(text, "", value));
            ']'
        }
        Json::Object(members) => {
            text.push('{');
            for (key, value) in members {
                let key = format!("{}: ", Json::from(key.as_str()));
                item(text, &key, value);
            }
            '}'
        }
        // Numbers and strings cannot be broken.
        _ => {
            text.push_str(&json.to_string());
            return;
        }
    };
    text.push('\n');
    text.push_str(&" ".repeat(indent));
    text.push(close);
}

/// Writes a value into the rest of a line. Returns what is left of the line, or `None` as soon as
/// there is no room: a large value is not written in vain for each value around it.
fn short(json: &Json, room: usize, text: &mut String) -> Option<usize> {
    let mut room = room;
    let put = |text: &mut String, part: &str, room: &mut usize| {
        *room = room.checked_sub(part.chars().count())?;
        text.push_str(part);
        Some(())
    };
    match json {
        Json::Array(items) => {
            let mut before = "[";
            for item in items {
                put(text, before, &mut room)?;
                room = short(item, room, text)?;
                before = ",";
            }
            put(text, if items.is_empty() { "[]" } else { "]" }, &mut room)?;
        }
        Json::Object(members) => {
            let mut before = "{";
            for (key, value) in members {
                put(text, before, &mut room)?;
                put(text, &Json::from(key.as_str()).to_string(), &mut room)?;
                put(text, ":", &mut room)?;
                room = short(value, room, text)?;
                before = ",";
            }
            put(text, if members.is_empty() { "{}" } else { "}" }, &mut room)?;
        }
        plain => put(text, &plain.to_string(), &mut room)?,
    }
    Some(room)
}

/// Writes a list of numbers but for its last bracket, as many in a line as there is room for.
fn numbers(items: &[Json], indent: usize, text: &mut String) {
    text.push('[');
    let mut column = WIDTH;
    for (index, item) in items.iter().enumerate() {
        let number = item.to_string();
        if index > 0 {
            text.push(',');
        }
        // Room for the comma behind it, too.
        if column + number.len() + 1 > WIDTH {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            column = indent;
        }
        text.push_str(&number);
        column += number.len() + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_fits_into_a_line_is_one() {
        assert_eq!(
            pretty(&json!({ "a": [1, { "b": null }] })),
            "{\"a\":[1,{\"b\":null}]}\n"
        );
    }

    #[test]
    fn lists_of_numbers_fill_their_lines() {
        let list: Vec<u32> = (1_000..1_050).collect();
        let text = pretty(&json!({ "list": list }));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..2], ["{", "  \"list\": ["]);
        assert!(lines[2].starts_with("    1000,1001,") && lines[2].ends_with(",1018,"));
        assert_eq!(lines[lines.len() - 2..], ["  ]", "}"]);
        assert!(lines.iter().all(|line| line.len() <= WIDTH) && lines.len() == 7);
        let read: Json = serde_json::from_str(&text).expect("JSON");
        assert_eq!(read, json!({ "list": list }));
    }

    #[test]
    fn what_does_not_fit_is_broken_and_means_the_same() {
        let long = "x".repeat(80);
        let json = json!({ "first": [long, 1, { "k\"ey": long }], "second": { "z": "ä" } });
        let text = pretty(&json);
        let expected = format!(
            "{{\n  \"first\": [\n    \"{long}\",\n    1,\n    {{\"k\\\"ey\":\"{long}\"}}\n  ],\n  \
             \"second\": {{\"z\":\"ä\"}}\n}}\n"
        );
        assert_eq!(text, expected);
        assert_eq!(serde_json::from_str::<Json>(&text).expect("JSON"), json);
    }
}
