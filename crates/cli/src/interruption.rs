//! Ctrl-C: the first one ends the search, so that what was found is written; the second one ends
//! the program. Memory that is used up ends the search in the same way.

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

use heapwright_engine::{Interrupt, Limit};
use heapwright_sandbox::memory;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

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
        if let Ok(signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) {
            let _ = std::thread::Builder::new().spawn(move || listen(signals, &own));
        }
        switch
    });
    switch.clone()
}

fn listen(mut signals: Signals, switch: &Interrupt) {
    for _ in signals.forever() {
        if switch.limit() == Some(Limit::Interrupted) {
            end(ENDED);
        }
        switch.set();
        if io::stderr().is_terminal() {
            let _ = writeln!(
                io::stderr(),
                "\r\x1b[Kstopping, and writing what was found so far; Ctrl-C again ends at once"
            );
        }
    }
}

/// Ends the process at once. Whatever was written has to be flushed before. A thread may still be
/// solving something that nobody waits for any more, and would not survive that the solver's
/// library is taken down.
pub fn end(code: i32) -> ! {
    signal_hook::low_level::exit(code)
}

/// The same switch, which from here on is also set while the process has more memory than most of
/// this many bytes.
pub fn watched_interrupt(memory: u64) -> Interrupt {
    let switch = interrupt();
    let watched = switch.clone();
    let tell = move |is_used_up| match is_used_up {
        true => watched.exhaust(),
        false => watched.relieve(),
    };
    memory::watch(tell, memory);
    switch
}

/// Whether somebody has asked the process to end.
pub fn is_interrupted() -> bool {
    SWITCH.get().and_then(Interrupt::limit) == Some(Limit::Interrupted)
}
