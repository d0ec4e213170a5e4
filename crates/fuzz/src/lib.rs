//! Random and mutated texts against the readers and the solver: nothing may panic, nothing may
//! hang.
//!
//! A run is a function of its seed. Text number `i` depends only on the seed, on `i` and on the
//! example texts, so a failure is repeated by asking for that one text again.

pub mod generate;
pub mod mutate;
pub mod random;
pub mod run;
pub mod subject;
pub mod texts;

/// The languages that are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// The specification language, `.sl`.
    Specification,
    /// The StarFinder notation, `.pred`.
    Pred,
    /// SMT-LIB with separation logic, `.smt2`.
    Smtlib,
    /// A heap, `.json`.
    HeapJson,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 4] = [
        Language::Specification,
        Language::Pred,
        Language::Smtlib,
        Language::HeapJson,
    ];

    /// The language of files whose names end like this.
    pub fn of_extension(extension: &str) -> Option<Language> {
        match extension {
            "sl" => Some(Language::Specification),
            "pred" => Some(Language::Pred),
            "smt2" => Some(Language::Smtlib),
            "json" => Some(Language::HeapJson),
            _ => None,
        }
    }
}
