//! What is printed about the tests: everything if it fits on a screen, otherwise a summary.

use std::io::Write;

use heapwright_testgen::overview::{self, BRIEF, SCREEN};
use heapwright_testgen::text::{self, Amount};
use heapwright_testgen::{Frontend, Session, Suite};

use super::Arguments;
use crate::failure::Failure;

/// What becomes of the details.
enum Details {
    /// They are printed at once.
    Direct,
    /// They are kept until it is known whether they fit.
    Waiting(Vec<u8>),
    /// There are too many, so there is a summary in the end.
    TooMany,
}

/// The output about one target after the other.
pub struct Printing<'a> {
    arguments: &'a Arguments,
    amount: Amount,
    details: Details,
    is_first: bool,
}

impl Printing<'_> {
    /// The output about so many targets.
    pub fn new(arguments: &Arguments, targets: usize) -> Printing<'_> {
        let is_direct = targets == 1 || arguments.verbose > 0 || arguments.search.reach.is_some();
        Printing {
            arguments,
            amount: arguments.amount(),
            details: match is_direct {
                true => Details::Direct,
                false => Details::Waiting(Vec::new()),
            },
            is_first: true,
        }
    }

    /// Prints the tests of a target.
    pub fn show(&mut self, suite: &Suite, out: &mut dyn Write) -> Result<(), Failure> {
        if self.arguments.json_on_standard_output() {
            return Ok(());
        }
        let mut text = Vec::new();
        if !self.is_first && !self.arguments.quiet {
            text.push(b'\n');
        }
        self.is_first = false;
        text::print(suite, self.amount, &mut text)?;
        match &mut self.details {
            Details::Direct => {
                out.write_all(&text)?;
                out.flush()?;
            }
            Details::Waiting(details) => {
                details.extend(text);
                let lines = details.iter().filter(|byte| **byte == b'\n').count();
                if lines > if self.arguments.quiet { BRIEF } else { SCREEN } {
                    self.details = Details::TooMany;
                }
            }
            Details::TooMany => {}
        }
        Ok(())
    }

    /// Prints what has waited, or the summary.
    pub fn end<F: Frontend>(
        &mut self,
        session: &Session<F>,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        match std::mem::replace(&mut self.details, Details::Direct) {
            Details::Direct => {}
            Details::Waiting(details) => out.write_all(&details)?,
            Details::TooMany => {
                let suites: Vec<&Suite> = session.suites().collect();
                let noun = session.frontend.language().noun();
                overview::print(&suites, noun, &self.arguments.look(), out)?;
            }
        }
        out.flush()?;
        Ok(())
    }
}
