//! `infer`: a specification of a class, from what its code does.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use heapwright_infer::session::InferenceRequest;

use super::generate::ClassPathArguments;
use crate::failure::{self, CommandStatus, Failure};
use crate::frontends;
use crate::interruption::interrupt;
use crate::usage::UsageError;

/// Infer a specification of a class from the states that its methods reach
///
/// Calls of public methods are tried in all orders, on objects of bounded size. The specification says
/// what these states have in common: shapes, sizes, heights, order, balance and colours; how far it can
/// be trusted is said in its first lines.
#[derive(clap::Args)]
pub struct Arguments {
    /// The class, pkg.Class, or a method, pkg.Class#method: then what has to hold so that calls of it do
    /// not fail is inferred as well
    pub target: String,
    #[command(flatten)]
    pub class_path: ClassPathArguments,
    /// Write the specification into a new file [default: to standard output]
    #[arg(long, short, visible_alias = "spec-out", value_name = "FILE.sl")]
    pub out: Option<PathBuf>,
    /// With --out: replace a file that is there [default: no]
    #[arg(long)]
    force: bool,
    /// Look at all models of up to so many objects besides the one described
    #[arg(long, default_value_t = 6, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=12))]
    objects: u8,
    /// Seconds after which to stop
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    time: u64,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<CommandStatus, Failure> {
    if let Some(file) = arguments.out.as_ref().filter(|file| file.exists())
        && !arguments.force
    {
        return Err(UsageError::Exists(file.clone()).into());
    }
    let request = InferenceRequest {
        objects: arguments.objects.into(),
        time: Duration::from_secs(arguments.time),
        interrupt: interrupt(),
    };
    let target = arguments.target.as_str();
    let inference = match frontends::infer(target, &arguments.class_path.classes(), &request)? {
        Ok(inference) => inference,
        Err(reason) => {
            writeln!(out, "nothing inferred about {target}: {reason}")?;
            return Ok(CommandStatus::Unknown);
        }
    };
    match &arguments.out {
        Some(file) => {
            failure::write(file, &inference.text)?;
            for line in &inference.evidence {
                writeln!(out, "{line}")?;
            }
            writeln!(out, "wrote {}", file.display())?;
        }
        None => write!(out, "{}", inference.text)?,
    }
    Ok(match inference.rejected {
        0 => CommandStatus::Decided,
        _ => CommandStatus::Unknown,
    })
}
