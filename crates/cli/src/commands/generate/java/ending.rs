//! The end of a run: everything is written and verified, and sums up to an exit code.

use std::io::Write;

use super::super::listing::{self, Noun};
use super::super::warn_of;
use super::session::Session;
use super::{output, reports, verification};
use crate::failure::{Failure, Outcome};
use crate::interruption;

impl Session<'_> {
    /// Writes what was found, and verifies it if that is wanted.
    pub fn finish(mut self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let arguments = self.arguments;
        let written = output::write(&self, Some(&mut *out))?;
        let is_verified = arguments.java.verify && !interruption::is_interrupted();
        let verified = match (is_verified, written) {
            (true, Some(written)) => verification::verify(&mut self, &written, out)?,
            _ => true,
        };
        self.write_json(out)?;
        if arguments.findings && !arguments.json_on_standard_output() {
            let suites = self.methods.iter().map(|method| &method.suite);
            listing::print(suites, Noun::Method, out)?;
        }
        self.hint(out)?;
        reports::write(&self, out)?;
        warn_of(&self.contradictions);
        let complaints = self.all_complaints();
        if !complaints.is_empty() {
            return Err(Failure::Unfit(complaints.join("\n")));
        }
        if arguments.search.reach.is_some() {
            return self.whether_reached();
        }
        let mut suites = self.methods.iter().map(|method| &method.suite);
        let findings = suites.any(|suite| suite.has_findings());
        Ok(match verified && !findings {
            true => Outcome::Decided.unless_interrupted(),
            false => Outcome::Refuted,
        })
    }

    /// What is known about the line to be reached.
    fn whether_reached(&self) -> Result<Outcome, Failure> {
        let mut suites = self.methods.iter().map(|method| &method.suite);
        match (self.reached, &self.elsewhere) {
            (true, _) => Ok(Outcome::Decided),
            (false, Some(error)) if self.methods.is_empty() => {
                Err(Failure::Unfit(format!("--reach: {error}")))
            }
            // Proved, if every method that has the line was explored to its end.
            _ if suites.all(|suite| suite.is_exhaustive()) => Ok(Outcome::Refuted),
            _ => Ok(Outcome::Unknown),
        }
    }
}
