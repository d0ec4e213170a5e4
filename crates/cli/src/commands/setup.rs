//! `setup`: finds or fetches what `--verify` needs.

use std::io::Write;
use std::path::PathBuf;

use crate::failure::{CommandStatus, Failure};
use crate::frontends;

/// Get JUnit and JaCoCo, which --verify needs for Java
///
/// Both are taken from the user's Maven repository if it has them; otherwise `mvn` fetches them,
/// once, into ~/.cache/heapwright/jvm. Everything else works without this command.
#[derive(clap::Args)]
pub struct Arguments {
    /// Only say what is there, and fetch nothing [default: fetch what is missing]
    #[arg(long)]
    check: bool,
    /// Fetch both again, whatever is there [default: no]
    #[arg(long, conflicts_with = "check")]
    fetch: bool,
    /// The JDK, 17 or newer [default: JAVA_HOME, or that of `java`]
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
}

/// Something that verification needs.
pub struct Needed {
    /// What it is called.
    pub name: String,
    /// Where it is, or what to do about it.
    pub place: Result<PathBuf, String>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<CommandStatus, Failure> {
    let mut needed = frontends::needed(arguments.jdk.clone())?;
    let is_missing = |needed: &[Needed]| needed.iter().any(|needed| needed.place.is_err());
    // The first is the JDK, which nobody fetches here.
    if arguments.fetch || (!arguments.check && is_missing(&needed[1..])) {
        writeln!(out, "fetching JUnit and JaCoCo with mvn ...")?;
        out.flush()?;
        frontends::fetch_tools()?;
        needed = frontends::needed(arguments.jdk.clone())?;
    }
    for needed in &needed {
        let place = match &needed.place {
            Ok(place) => place.display().to_string(),
            Err(advice) => format!("missing: {advice}"),
        };
        writeln!(out, "{:<14}{place}", needed.name)?;
    }
    if is_missing(&needed) {
        return Ok(CommandStatus::Unknown);
    }
    writeln!(out, "Ready for `heapwright generate --out DIR --verify`.")?;
    Ok(CommandStatus::Decided)
}
