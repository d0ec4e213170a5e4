//! Tests of the binary, and of the repository as a whole, one module for each subject.
//!
//! They are one program, so that long tests of one module run beside those of others:
//! `cargo test -p heapwright-cli --test it growth::` runs the tests of one module.

mod architecture;
mod boxes;
mod browser;
mod budgets;
mod c;
mod c_headers;
mod c_inputs;
mod c_library;
mod c_modes;
mod c_outputs;
mod c_planted;
mod c_tutorial;
mod commands;
mod common;
mod configuration;
mod dependencies;
mod effects;
mod enumeration;
mod feasible;
mod generate;
mod growth;
mod hostile_names;
mod hostile_projects;
mod init;
mod init_c;
mod interruption;
mod java;
mod java_output;
mod java_printing;
mod java_specifications;
mod jdk;
mod json_schema;
mod library_calls;
mod manual;
mod maven;
mod mutants;
mod ordinary;
mod papers;
mod planted;
mod predicate_files;
mod progress;
mod readme;
mod renaming;
mod repeatable;
mod repok;
mod reports;
mod sequences;
mod static_state;
mod stumbles;
mod subclasses;
mod transcripts;
mod types;
mod verification;
