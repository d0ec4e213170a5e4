//! The StarFinder notation (`.pred`): read, or refused with a message that can be shown.
#![no_main]

use heapwright_spec::diagnostic::Style;
use heapwright_spec::starfinder;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(error) = starfinder::read("fuzz.pred", text) {
        // Showing an error is where places outside of the text would be noticed.
        error.render(Style::Coloured);
    }
});
