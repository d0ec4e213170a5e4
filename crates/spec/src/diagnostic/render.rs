//! Diagnostics as text, with the source line and the place marked.

use std::fmt::Write;

use super::{Diagnostic, Severity, SourceMap, Span};

/// How many characters of a line are shown; longer lines are cut around the marked place.
const WINDOW: usize = 100;
/// How many characters are shown before the marked place of a cut line.
const CONTEXT: usize = 30;
/// What a tab is shown as.
const TAB: &str = "    ";

/// Whether to use terminal colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// Text only.
    #[default]
    Plain,
    /// With ANSI escape sequences.
    Coloured,
}

impl Style {
    fn paint(self, code: &str, text: &str) -> String {
        match self {
            Style::Plain => text.to_owned(),
            Style::Coloured => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}

/// One diagnostic, ending in a newline.
pub fn render(sources: &SourceMap, diagnostic: &Diagnostic, style: Style) -> String {
    let (word, colour) = match diagnostic.severity {
        Severity::Error => ("error", "1;31"),
        Severity::Warning => ("warning", "1;33"),
    };
    let mut out = format!(
        "{}: {}\n",
        style.paint(colour, word),
        style.paint("1", &diagnostic.message)
    );
    let mut gutter = 1;
    if let Some(span) = diagnostic.span {
        gutter = sources.line_column(span).0.to_string().len();
        let label = diagnostic.label.as_deref().unwrap_or("");
        place(&mut out, sources, span, label, gutter, (style, colour));
    }
    let pad = " ".repeat(gutter);
    let mut fact = |kind: &str, text: &str| {
        let kind = style.paint("1", &format!("{kind}:"));
        let _ = writeln!(out, "{pad} = {kind} {text}");
    };
    if let Some(expected) = &diagnostic.expected {
        fact("expected", expected);
    }
    for help in &diagnostic.help {
        fact("help", help);
    }
    for (span, note) in &diagnostic.notes {
        match span {
            Some(span) => {
                let (line, column) = sources.line_column(*span);
                let file = sources.name(span.file);
                fact("note", &format!("{note} ({file}:{line}:{column})"));
            }
            None => fact("note", note),
        }
    }
    out
}

/// All diagnostics, separated by empty lines.
pub fn render_all(sources: &SourceMap, diagnostics: &[Diagnostic], style: Style) -> String {
    let rendered: Vec<_> = (diagnostics.iter())
        .map(|diagnostic| render(sources, diagnostic, style))
        .collect();
    rendered.join("\n")
}

/// `--> file:line:column`, the source line, and the mark below it.
fn place(
    out: &mut String,
    sources: &SourceMap,
    span: Span,
    label: &str,
    gutter: usize,
    (style, colour): (Style, &str),
) {
    let (number, column) = sources.line_column(span);
    let (_, start, end) = sources.line(span.file, span.start);
    let line = &sources.text(span.file)[start..end];
    let pad = " ".repeat(gutter);
    let bar = style.paint("34", "|");
    let arrow = style.paint("34", "-->");
    let file = sources.name(span.file);
    let _ = writeln!(out, "{pad}{arrow} {file}:{number}:{column}");

    let marked_bytes = (span.end as usize)
        .min(end)
        .saturating_sub(span.start as usize);
    let from = (span.start as usize).min(end);
    let marked = sources.text(span.file).get(from..from + marked_bytes);
    let marked = marked.map_or(0, |text| text.chars().count());
    let (shown, before, width) = window(line, column - 1, marked);
    let mark = style.paint(colour, &format!("{}{}", "^".repeat(width), spaced(label)));
    let _ = writeln!(out, "{pad} {bar}");
    let _ = writeln!(out, "{number} {bar} {shown}");
    let _ = writeln!(out, "{pad} {bar} {}{mark}", " ".repeat(before));
}

fn spaced(label: &str) -> String {
    if label.is_empty() {
        String::new()
    } else {
        format!(" {label}")
    }
}

/// The part of a line to show, the columns before the mark, and the width of the mark.
fn window(line: &str, column: usize, marked: usize) -> (String, usize, usize) {
    // Only the window is ever copied: a line may be the whole of a megabyte.
    let long = line.chars().nth(WINDOW).is_some();
    let first = if long {
        column.saturating_sub(CONTEXT)
    } else {
        0
    };
    let mut shown = String::new();
    if first > 0 {
        shown.push('…');
    }
    let mut before = shown.chars().count();
    let mut width = 0;
    let mut rest = line.chars().skip(first);
    for (position, character) in (first..first + WINDOW).zip(&mut rest) {
        let columns = push_visible(&mut shown, character);
        if position < column {
            before += columns;
        } else if position < column + marked {
            width += columns;
        }
    }
    if rest.next().is_some() {
        shown.push('…');
    }
    (shown, before, width.max(1))
}

/// Appends a character as it is shown and says how many columns it takes.
fn push_visible(shown: &mut String, character: char) -> usize {
    match character {
        '\t' => {
            shown.push_str(TAB);
            TAB.len()
        }
        // Control characters and direction marks would disturb the terminal.
        c if c.is_control() || ('\u{200e}'..='\u{202e}').contains(&c) => {
            shown.push('\u{fffd}');
            1
        }
        c => {
            shown.push(c);
            1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, range: std::ops::Range<usize>, expected: &str) {
        let mut sources = SourceMap::new();
        let file = sources.add("f.sl", text.to_owned());
        let span = Span::new(file, range.start, range.end);
        let diagnostic = Diagnostic::error(span, "wrong").with_label("here");
        assert_eq!(render(&sources, &diagnostic, Style::Plain), expected);
    }

    #[test]
    fn the_place_is_marked_in_characters() {
        check(
            "a ∧ ∃b",
            6..10,
            "error: wrong\n --> f.sl:1:5\n  |\n1 | a ∧ ∃b\n  |     ^^ here\n",
        );
    }

    #[test]
    fn tabs_take_four_columns() {
        check(
            "x\n\tab c",
            4..5,
            "error: wrong\n --> f.sl:2:3\n  |\n2 |     ab c\n  |      ^ here\n",
        );
    }

    #[test]
    fn the_end_of_the_text_can_be_marked() {
        check(
            "ab\n",
            3..3,
            "error: wrong\n --> f.sl:2:1\n  |\n2 | \n  | ^ here\n",
        );
        check(
            "ab\r\nc",
            1..6,
            "error: wrong\n --> f.sl:1:2\n  |\n1 | ab\n  |  ^ here\n",
        );
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = format!("{}é{}", "a".repeat(500), "b".repeat(500));
        let mut sources = SourceMap::new();
        let file = sources.add("f.sl", text);
        let diagnostic = Diagnostic::error(Span::new(file, 500, 502), "wrong");
        let rendered = render(&sources, &diagnostic, Style::Plain);
        let lines: Vec<_> = rendered.lines().collect();
        assert_eq!(lines[1], " --> f.sl:1:501");
        let shown: Vec<char> = lines[3].chars().collect();
        let mark = lines[4].chars().position(|c| c == '^').unwrap();
        assert_eq!(shown[mark], 'é');
        assert!(shown.len() < 120);
    }

    #[test]
    fn colours_come_only_when_asked_for() {
        let mut sources = SourceMap::new();
        let file = sources.add("f.sl", "x".to_owned());
        let diagnostic = Diagnostic::warning(Span::new(file, 0, 1), "odd");
        assert!(!render(&sources, &diagnostic, Style::Plain).contains('\x1b'));
        assert!(render(&sources, &diagnostic, Style::Coloured).contains("\x1b[1;33mwarning"));
    }
}
