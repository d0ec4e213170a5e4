//! JSON that people can read: whatever fits into a line is written in one.

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
    let short = json.to_string();
    if column + short.chars().count() <= WIDTH {
        text.push_str(&short);
        return;
    }
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
            text.push_str(&short);
            return;
        }
    };
    text.push('\n');
    text.push_str(&" ".repeat(indent));
    text.push(close);
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
