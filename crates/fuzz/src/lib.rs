//! Random and mutated inputs against the readers, the solver, the translation of class files and C,
//! and the engine: nothing may panic, nothing may hang, nothing may use more memory than allowed.
//!
//! A run is a function of its seed. Input number `i` depends only on the seed, on `i` and on the
//! examples, so a failure is repeated by asking for that one input again. Examples of class files
//! are compiled when a run begins, so they are the same for the same version of the JDK.

pub mod c;
pub mod generate;
pub mod java;
pub mod memory;
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
    /// A configuration file, `heapwright.toml`.
    Configuration,
    /// A class file.
    ClassFile,
    /// A jar.
    Jar,
    /// A C source.
    C,
}

impl Language {
    /// The languages of specifications and heaps.
    pub const TEXTS: [Language; 4] = [
        Language::Specification,
        Language::Pred,
        Language::Smtlib,
        Language::HeapJson,
    ];

    /// What a Java project consists of; most inputs are class files, since most happens to them.
    pub const PROJECT: [Language; 8] = [
        Language::ClassFile,
        Language::ClassFile,
        Language::ClassFile,
        Language::ClassFile,
        Language::ClassFile,
        Language::Jar,
        Language::Configuration,
        Language::Configuration,
    ];

    /// C alone.
    pub const C_SOURCES: [Language; 1] = [Language::C];

    /// The language of files whose names end like this.
    pub fn of_extension(extension: &str) -> Option<Language> {
        match extension {
            "sl" => Some(Language::Specification),
            "pred" => Some(Language::Pred),
            "smt2" => Some(Language::Smtlib),
            "json" => Some(Language::HeapJson),
            "toml" => Some(Language::Configuration),
            "class" => Some(Language::ClassFile),
            "c" => Some(Language::C),
            _ => None,
        }
    }
}
