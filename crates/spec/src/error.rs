//! The error of this crate: an input that was rejected.

use crate::diagnostic::{Diagnostic, SourceMap, Style, render_all};

/// Why no specification came out.
#[derive(Debug, Clone, thiserror::Error)]
pub enum SpecError {
    /// The input has errors; each of them says where and what to do about it.
    #[error("{}", .0.summary())]
    Rejected(Box<Rejected>),
}

/// A rejected input: its texts, and everything that is wrong with it.
#[derive(Debug, Clone)]
pub struct Rejected {
    /// The texts that the diagnostics point into.
    pub sources: SourceMap,
    /// Errors, at least one, and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// How many more errors there are that nobody would read.
    pub omitted: usize,
}

impl SpecError {
    /// Wraps diagnostics with the texts that they point into.
    pub fn rejected(sources: SourceMap, diagnostics: Vec<Diagnostic>) -> Self {
        SpecError::cut(sources, diagnostics, 0)
    }

    /// The same where some errors were counted only.
    pub fn cut(sources: SourceMap, diagnostics: Vec<Diagnostic>, omitted: usize) -> Self {
        SpecError::Rejected(Box::new(Rejected {
            sources,
            diagnostics,
            omitted,
        }))
    }

    /// The diagnostics.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        let SpecError::Rejected(rejected) = self;
        &rejected.diagnostics
    }

    /// The diagnostics as text for a person.
    pub fn render(&self, style: Style) -> String {
        let SpecError::Rejected(rejected) = self;
        let mut text = render_all(&rejected.sources, &rejected.diagnostics, style);
        match rejected.omitted {
            0 => {}
            1 => text.push_str("\nand 1 more error\n"),
            more => text.push_str(&format!("\nand {more} more errors\n")),
        }
        text
    }
}

impl Rejected {
    /// The first error with its place, and how many more there are.
    fn summary(&self) -> String {
        let mut errors = self.diagnostics.iter().filter(|d| d.is_error());
        let Some(first) = errors.next() else {
            return "the input was rejected".to_owned();
        };
        let place = first.span.map_or(String::new(), |span| {
            let (line, column) = self.sources.line_column(span);
            format!("{}:{line}:{column}: ", self.sources.name(span.file))
        });
        match errors.count() + self.omitted {
            0 => format!("{place}{}", first.message),
            more => format!("{place}{} (and {more} more)", first.message),
        }
    }
}
