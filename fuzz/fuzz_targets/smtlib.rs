//! SMT-LIB with separation logic (`.smt2`): read, or refused with a message that can be shown.
#![no_main]

use heapwright_spec::diagnostic::Style;
use heapwright_spec::smtlib;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(error) = smtlib::read("fuzz.smt2", text) {
        // Showing an error is where places outside of the text would be noticed.
        error.render(Style::Coloured);
    }
});
