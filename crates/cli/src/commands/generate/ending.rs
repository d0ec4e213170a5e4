//! The end of a run: everything is written and verified, and sums up to an exit code.

use std::io::{self, Write};

use heapwright_explain::words;
use heapwright_testgen::{Conclusion, Frontend, Session, listing};

use super::early::Early;
use super::{Arguments, document, output, reports};
use crate::failure::{CommandStatus, Failure};
use crate::usage::UsageError;

/// Writes what was found, and verifies it if that is wanted.
pub fn finish<F: Frontend>(
    mut session: Session<F>,
    arguments: &Arguments,
    early: &Early,
    out: &mut dyn Write,
) -> Result<CommandStatus, Failure> {
    let says_it = !arguments.json_on_standard_output();
    let written = output::write(&mut session, arguments, early, Some(&mut *out))?;
    let mut is_as_predicted = true;
    if let Some(written) = written.filter(|_| arguments.java.verify && !session.is_interrupted()) {
        let verified =
            (session.frontend).verify(&session.tested, &written.files, &session.request)?;
        is_as_predicted = verified.is_as_predicted;
        if says_it {
            write!(out, "{}", verified.text)?;
        }
    }
    document::write(&session, arguments, out)?;
    if arguments.findings && says_it {
        let noun = session.frontend.language().noun();
        listing::print(session.suites(), noun, out)?;
    }
    let recalled = session.recalled;
    if says_it && !arguments.quiet && recalled > 0 && arguments.store.merged.is_empty() {
        let all = words::count(session.tested.len() as u64, "method", "methods");
        writeln!(out, "{recalled} of {all} from the cache")?;
    }
    if says_it && !arguments.quiet {
        for hint in session.frontend.hints(&session.tested, &session.request)? {
            writeln!(out, "hint: {hint}")?;
        }
    }
    reports::write_all(&session, arguments, out)?;
    for warning in session.warnings() {
        let _ = writeln!(io::stderr(), "{warning}");
    }
    let complaints = session.all_complaints();
    if !complaints.is_empty() {
        return Err(Failure::Targets(complaints));
    }
    match session.conclusion() {
        Conclusion::Elsewhere(error) => Err(UsageError::Reach(error).into()),
        Conclusion::Fine if is_as_predicted => Ok(CommandStatus::Decided.unless_interrupted()),
        Conclusion::Fine | Conclusion::Wrong => Ok(CommandStatus::Refuted),
        Conclusion::Open => Ok(CommandStatus::Unknown),
    }
}
