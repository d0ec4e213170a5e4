//! What is wrong with a text, marked where it is wrong.

use heapwright_spec::diagnostic::{Diagnostic, Severity, SourceMap, Span};
use serde_json::{Value, json};

use crate::document::Document;
use crate::position;
use crate::world::World;

/// Reads a text, remembers what it means, and gives what an editor marks.
pub fn refresh(document: &mut Document, world: &dyn World) -> Vec<Value> {
    let (sources, diagnostics) = match world.read(&document.path, &document.text) {
        Ok(mut meaning) => {
            let warnings = std::mem::take(&mut meaning.warnings);
            let sources = std::mem::take(&mut meaning.sources);
            document.meaning = Some(meaning);
            (sources, warnings)
        }
        Err(error) => {
            let heapwright_spec::SpecError::Rejected(rejected) = error;
            (rejected.sources, rejected.diagnostics)
        }
    };
    let name = document.name();
    let shown = diagnostics.iter();
    shown
        .map(|diagnostic| marked(document, &name, &sources, diagnostic))
        .collect()
}

/// One of them. Of another file only the place is told: what it says is read there.
fn marked(document: &Document, name: &str, sources: &SourceMap, diagnostic: &Diagnostic) -> Value {
    let text = document.text.as_str();
    let is_here = |span: Span| sources.name(span.file) == name;
    let bytes = |span: Span| span.start as usize..span.end as usize;
    let severity = match diagnostic.severity {
        Severity::Error => 1,
        Severity::Warning => 2,
    };
    let message = match diagnostic.span {
        Some(span) if !is_here(span) => {
            let (line, column) = sources.line_column(span);
            format!(
                "an imported file has an error at {}:{line}:{column}",
                sources.name(span.file)
            )
        }
        _ => message(diagnostic),
    };
    let range = match diagnostic.span {
        Some(span) if is_here(span) => bytes(span),
        _ => 0..text.find('\n').unwrap_or(text.len()),
    };
    let notes = diagnostic.notes.iter();
    let related: Vec<Value> = notes
        .filter_map(|(span, note)| {
            let span = span.filter(|span| is_here(*span))?;
            let range = position::range(text, &bytes(span));
            Some(json!({ "location": { "uri": document.uri, "range": range }, "message": note }))
        })
        .collect();
    json!({
        "range": position::range(text, &range),
        "severity": severity,
        "source": "heapwright",
        "message": message,
        "relatedInformation": related,
    })
}

/// What is wrong, what was expected, what to do about it.
fn message(diagnostic: &Diagnostic) -> String {
    let mut lines = vec![diagnostic.message.clone()];
    lines.extend(diagnostic.label.clone());
    lines.extend(
        diagnostic
            .expected
            .as_ref()
            .map(|expected| format!("expected {expected}")),
    );
    lines.extend(diagnostic.help.iter().cloned());
    let without_place = diagnostic.notes.iter().filter(|(span, _)| span.is_none());
    lines.extend(without_place.map(|(_, note)| note.clone()));
    lines.join("\n")
}
