//! Ctrl-C: the first one ends the search, so that what was found is written; the second one ends
//! the program. Memory that is used up ends the search in the same way.

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

use heapwright_engine::{Interrupt, Limit};

use crate::memory;

/// The exit code of programs that end by a signal from the keyboard.
const ENDED: i32 = 130;

/// The switch of this process.
static SWITCH: OnceLock<Interrupt> = OnceLock::new();

/// A switch that is set when somebody presses Ctrl-C, or asks the process to end.
pub fn interrupt() -> Interrupt {
    let switch = SWITCH.get_or_init(|| {
        let switch = Interrupt::default();
        let own = switch.clone();
        // Where signals cannot be caught they end the program, which loses nothing but the
        // method that is being explored.
        let _ = ctrlc::set_handler(move || {
            if own.is_set() {
                std::process::exit(ENDED);
            }
            own.set();
            if io::stderr().is_terminal() {
                let _ = writeln!(
                    io::stderr(),
                    "\r\x1b[Kthe search ends, and what was found is written; Ctrl-C again ends at once"
                );
            }
        });
        switch
    });
    switch.clone()
}

/// The same switch, which from here on is also set while the process has more memory than most of
/// this many bytes.
pub fn watched_interrupt(memory: u64) -> Interrupt {
    let switch = interrupt();
    memory::watch(&switch, memory);
    switch
}

/// Whether somebody has asked the process to end.
pub fn is_interrupted() -> bool {
    SWITCH.get().and_then(Interrupt::limit) == Some(Limit::Interrupted)
}
