//! Text from the program under test made fit for pictures: cleaned, shortened, measured, escaped.

use heapwright_logic::{IntType, Sort, Value};

use crate::page::escape::is_disturbing;

/// A text as shown, with the whole of it if it had to be shortened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Label {
    /// What is seen.
    pub shown: String,
    /// The whole text, if that is something else.
    pub full: Option<String>,
}

/// The whole text behind a label is cut here, so that hostile names cannot fill a page.
const LONGEST_FULL: usize = 300;

impl Label {
    /// At most `columns` wide; what is longer ends in an ellipsis.
    pub fn new(text: &str, columns: usize) -> Label {
        let text = clean(text);
        if width(&text) <= columns {
            return Label {
                shown: text,
                full: None,
            };
        }
        Label {
            shown: cut(&text, columns),
            full: Some(cut(&text, LONGEST_FULL)),
        }
    }

    /// The name of a class without its package and outer classes.
    pub fn class(name: &str, columns: usize) -> Label {
        let short = name.rsplit(['.', '/', '$']).next().unwrap_or(name);
        if short.is_empty() || short.len() == name.len() {
            return Label::new(name, columns);
        }
        Label {
            full: Some(cut(&clean(name), LONGEST_FULL)),
            ..Label::new(short, columns)
        }
    }

    /// The whole text.
    pub fn whole(&self) -> &str {
        self.full.as_deref().unwrap_or(&self.shown)
    }
}

fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut shown = String::new();
    let mut used = 1;
    for character in text.chars() {
        used += columns_of(character);
        if used > columns {
            break;
        }
        shown.push(character);
    }
    shown.push('…');
    shown
}

/// Replaces what XML forbids or what would disturb the text around it: control characters and
/// the marks that turn the direction of writing.
pub(crate) fn clean(text: &str) -> String {
    let whole = text.chars().take(4 * LONGEST_FULL);
    whole
        .map(|c| if is_disturbing(c) { '\u{fffd}' } else { c })
        .collect()
}

/// Width in columns of a monospaced font.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

/// Everything from the Hangul consonants on counts as wide, which errs on the safe side.
fn columns_of(character: char) -> usize {
    match character {
        '\u{2000}'..='\u{2e7f}' | '\u{fffd}' => 1,
        c if c >= '\u{1100}' => 2,
        _ => 1,
    }
}

/// A value that is no reference, as programs write it.
pub(crate) fn scalar(value: Value, sort: Option<Sort>) -> String {
    match (value, sort) {
        (Value::Int(code), Some(Sort::Machine(IntType::Char))) => character(code),
        (Value::Null, _) => "null".to_owned(),
        (Value::Ref(loc), _) => loc.to_string(),
        (Value::Bool(value), _) => value.to_string(),
        (Value::Int(value), _) => value.to_string(),
        (Value::Single(bits), _) => format!("{:?}", f32::from_bits(bits)),
        (Value::Double(bits), _) => format!("{:?}", f64::from_bits(bits)),
    }
}

fn character(code: i128) -> String {
    match u32::try_from(code).ok().and_then(char::from_u32) {
        Some(character) if !character.is_control() => format!("'{character}'"),
        _ => code.to_string(),
    }
}

/// Escapes for XML text and for attribute values in either kind of quotes.
pub(crate) fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Escapes for a quoted record label of Graphviz, which reads entities too.
pub(crate) fn record(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '{' | '}' | '|' | '<' | '>' | '\\' | '"' => {
                escaped.push('\\');
                escaped.push(character);
            }
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_keep_their_whole_text() {
        let label = Label::new("aVeryLongFieldNameIndeed", 10);
        assert_eq!(label.shown, "aVeryLong…");
        assert_eq!(label.whole(), "aVeryLongFieldNameIndeed");
        assert_eq!(Label::new("short", 10).full, None);
    }

    #[test]
    fn packages_and_outer_classes_are_left_out() {
        let label = Label::class("java.util.TreeMap$Entry", 20);
        assert_eq!(label.shown, "Entry");
        assert_eq!(label.whole(), "java.util.TreeMap$Entry");
        assert_eq!(Label::class("odd.", 20).shown, "odd.");
    }

    #[test]
    fn hostile_text_is_cleaned_and_escaped() {
        assert_eq!(clean("a\u{0}b\u{202e}c"), "a\u{fffd}b\u{fffd}c");
        assert_eq!(xml("<a b=\"c\">&'"), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;");
        assert_eq!(record("{a|<b>\\\"&"), "\\{a\\|\\<b\\>\\\\\\\"&amp;");
    }

    #[test]
    fn characters_are_shown_as_such() {
        let sort = Some(Sort::Machine(IntType::Char));
        assert_eq!(scalar(Value::Int(97), sort), "'a'");
        assert_eq!(scalar(Value::Int(0), sort), "0");
        assert_eq!(scalar(Value::Int(0xd800), sort), "55296");
        assert_eq!(scalar(Value::Int(97), Some(Sort::Int)), "97");
        assert_eq!(scalar(Value::Single(0x7fc0_0000), None), "NaN");
    }
}
