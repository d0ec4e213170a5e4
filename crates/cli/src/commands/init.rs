//! `init`: a first specification for a Java class, proposed from its fields.

use std::io::Write;
use std::path::PathBuf;

use heapwright_java::contracts::read_for;
use heapwright_java::proposal::{ClassNames, propose};
use heapwright_spec::Source;

use super::generate::ClassPathArguments;
use crate::failure::{self, Failure, Outcome};
use crate::input::rejected;
use crate::java::{Choice, JavaProgram, Specifications};

/// Propose a specification for a Java class, from its fields
///
/// The proposal says which heaps are valid: lists, lists in both directions, trees, with parents,
/// headers and counted nodes, as far as fields, names and constructors tell. It is a text with
/// comments, made to be read and corrected.
#[derive(clap::Args)]
pub struct Arguments {
    /// The class: pkg.Class
    class: String,
    #[command(flatten)]
    class_path: ClassPathArguments,
    /// Write the proposal into a new file [default: to standard output]
    #[arg(long, short, value_name = "FILE.sl")]
    out: Option<PathBuf>,
    /// With --out: replace a file that is there [default: no]
    #[arg(long)]
    force: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, Failure> {
    if let Some(file) = arguments.out.as_ref().filter(|file| file.exists())
        && !arguments.force
    {
        return Err(Failure::Unfit(format!(
            "{} is there already; choose another name, or replace it with --force",
            file.display()
        )));
    }
    let class_path = arguments.class_path.class_path();
    let nothing = Specifications::new(Choice::None, Vec::new());
    let mut program = JavaProgram::open(arguments.class_path.jdk.as_deref(), &class_path, nothing)?;
    let class = program.class(&arguments.class)?;
    let predicate = program.predicate(&class)?;
    let predicate = predicate.map(|predicate| predicate.declared.method.name.to_string());
    let file = match &arguments.out {
        Some(file) => file.display().to_string(),
        None => format!("{}.sl", class.simple_name()),
    };
    let mut proposed = Err(Failure::Unfit(String::new()));
    // Names without packages read better, but may mean several classes.
    for names in [ClassNames::Short, ClassNames::Full] {
        let path = program.world.class_path();
        let text = propose(path, &class, predicate.as_deref(), &file, names)
            .map_err(|error| Failure::Unfit(error.to_string()))?;
        let source = Source {
            name: "the proposal".to_owned(),
            text: text.clone(),
        };
        let tested = [std::sync::Arc::clone(&class)];
        let read = read_for(
            &mut program.world,
            &class,
            &tested,
            source,
            &mut crate::input::import,
        );
        proposed = read.map(|_| text).map_err(rejected);
        if proposed.is_ok() {
            break;
        }
    }
    let text = proposed?;
    match &arguments.out {
        Some(file) => {
            failure::write(file, &text)?;
            writeln!(out, "wrote {}", file.display())?;
        }
        None => write!(out, "{text}")?,
    }
    Ok(Outcome::Decided)
}
