//! Diagnostics: what is wrong with an input, where, and what to do about it.
//!
//! Every reader of this crate reports through these types, so that a specification, a `.pred`
//! file and an SMT-LIB script all get errors of the same form.

mod nearest;
mod render;
mod source;

pub use nearest::{did_you_mean, nearest};
pub use render::{Style, render, render_all};
pub use source::{FileId, SourceMap, Span};

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The input is rejected.
    Error,
    /// The input is accepted, but probably not what its author meant.
    Warning,
}

/// One complaint about an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// What is wrong, in one line, without a full stop.
    pub message: String,
    /// Where. `None` only where there is no text to point at.
    pub span: Option<Span>,
    /// Written beside the marked place.
    pub label: Option<String>,
    /// What would have been accepted instead.
    pub expected: Option<String>,
    /// What to do about it.
    pub help: Vec<String>,
    /// Further facts, some with a place of their own.
    pub notes: Vec<(Option<Span>, String)>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            span: Some(span),
            label: None,
            expected: None,
            help: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// A warning at a place.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(span, message)
        }
    }

    /// Adds the text beside the marked place.
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Adds what would have been accepted.
    pub fn with_expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// Adds advice.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Adds advice if there is any.
    pub fn with_optional_help(mut self, help: Option<String>) -> Self {
        self.help.extend(help);
        self
    }

    /// Adds a fact without a place.
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push((None, note.into()));
        self
    }

    /// Adds a fact about another place.
    pub fn with_note_at(mut self, span: Span, note: impl Into<String>) -> Self {
        self.notes.push((Some(span), note.into()));
        self
    }

    /// Whether the input is rejected because of it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
