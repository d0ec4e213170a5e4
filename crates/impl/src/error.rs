//! The error of this crate: a program that was rejected.

use heapwright_spec::Rejected;
use heapwright_spec::diagnostic::{Diagnostic, SourceMap, Style, render_all};

/// Why no program came out.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ImplError {
    /// The program has errors; each of them says where and what to do about it.
    #[error("{}", summary(.0))]
    Rejected(Box<Rejected>),
}

impl ImplError {
    /// Wraps diagnostics with the text that they point into.
    pub fn rejected(sources: SourceMap, diagnostics: Vec<Diagnostic>) -> Self {
        ImplError::Rejected(Box::new(Rejected {
            sources,
            diagnostics,
            omitted: 0,
        }))
    }

    /// The diagnostics.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        let ImplError::Rejected(rejected) = self;
        &rejected.diagnostics
    }

    /// The diagnostics as text for a person.
    pub fn render(&self, style: Style) -> String {
        let ImplError::Rejected(rejected) = self;
        render_all(&rejected.sources, &rejected.diagnostics, style)
    }
}

/// The first error with its place, and how many more there are.
fn summary(rejected: &Rejected) -> String {
    let mut errors = rejected.diagnostics.iter().filter(|d| d.is_error());
    let Some(first) = errors.next() else {
        return "the program was rejected".to_owned();
    };
    let place = first.span.map_or(String::new(), |span| {
        let (line, column) = rejected.sources.line_column(span);
        format!("{}:{line}:{column}: ", rejected.sources.name(span.file))
    });
    match errors.count() {
        0 => format!("{place}{}", first.message),
        more => format!("{place}{} (and {more} more)", first.message),
    }
}
