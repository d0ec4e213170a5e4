//! Specifications (`.sl`): read, or refused with a message that can be shown.
#![no_main]

use heapwright_spec::diagnostic::Style;
use heapwright_spec::{Environment, Source, no_imports, read_specification};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let source = Source {
        name: "fuzz.sl".to_owned(),
        text: text.to_owned(),
    };
    let read = read_specification(source, Environment::default(), &mut no_imports);
    if let Err(error) = read {
        // Showing an error is where places outside of the text would be noticed.
        error.render(Style::Coloured);
    }
});
