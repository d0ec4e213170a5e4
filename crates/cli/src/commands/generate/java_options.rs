//! What can be said about Java on the command line.

use std::path::PathBuf;
use std::time::Duration;

use super::sequence_options::SequenceArguments;
use crate::failure::Failure;
use crate::frontends::{Classes, Framework};
use heapwright_sandbox::{Confinement, Sandbox};
use heapwright_testgen::vocabulary::seconds;

/// Where build tools put classes and sources.
const CLASS_FOLDERS: [&str; 2] = ["target/classes", "build/classes/java/main"];
const SOURCE_FOLDERS: [&str; 3] = ["src/main/java", "src", "."];

/// Where classes are.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct ClassPathArguments {
    /// Folders and jars with the classes, separated by `:` [default: target/classes, ...]
    ///
    /// Those under test and those that they use. Without this option: target/classes or
    /// build/classes/java/main if there is one, otherwise the current folder.
    #[arg(long, short = 'c', value_name = "PATH", visible_alias = "cp")]
    pub classpath: Option<String>,
    /// The JDK, 17 or newer [default: JAVA_HOME, or that of `java`]
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub jdk: Option<PathBuf>,
}

/// Options for Java.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Java")]
pub struct JavaArguments {
    #[command(flatten)]
    pub class_path: ClassPathArguments,
    /// Folders with the source, for test names and messages, separated by `:`
    /// [default: src/main/java, src, and the current folder]
    #[arg(long, value_name = "PATH", hide_short_help = true)]
    pub sources: Option<String>,
    /// Folders with specifications, as Class.sl or pkg/Class.sl, and files named Class.sl,
    /// separated by `:` [default: beside the classes]
    #[arg(long, value_name = "PATH", conflicts_with_all = ["spec", "no_spec"], hide_short_help = true)]
    pub specs: Option<String>,
    /// A precondition in the notation of .pred files: `pre METHOD == FORMULA`; may be repeated, and
    /// comes before one that the .pred file has [default: none]
    #[arg(long, value_name = "PRE", hide_short_help = true)]
    pub pre: Vec<String>,
    /// The method that says which objects are valid [default: repOk, checkRep, ...]
    ///
    /// CLASS#METHOD, a method without parameters, or a static one that takes the object, or fields
    /// of it under their names. For ImpL a procedure, whose parameters are those of the tested one
    /// with the same names. Without this option: repOk, repOK, checkRep, checkInvariant or
    /// invariantHolds, if the class has one.
    #[arg(long, value_name = "CLASS#METHOD")]
    pub repok: Option<String>,
    /// Test only the methods that the specification has a precondition for [default: all]
    #[arg(long, hide_short_help = true)]
    pub specified: bool,
    /// The version of JUnit that tests are written for: 4 or 5
    #[arg(long, value_name = "VERSION", default_value = "5", value_parser = framework, hide_short_help = true)]
    pub junit: Framework,
    /// Compile and run the tests, and measure their coverage [default: no]
    #[arg(long)]
    pub verify: bool,
    /// The folder with the jars of JUnit and JaCoCo [default: where `heapwright setup` puts them]
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub tools: Option<PathBuf>,
    /// With --verify: seconds for compiling and running the tests, or for each test of C; 0 for no
    /// limit [default: 120, and a tenth for each test; 20 for C]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, hide_short_help = true)]
    pub verify_time: Option<Duration>,
    /// With --verify: megabytes for the objects of the virtual machine that runs the tests, or for
    /// each process that runs a test of C
    /// [default: a quarter of the memory of the machine, 1024 for C]
    #[arg(long, value_name = "MB", hide_short_help = true)]
    pub verify_memory: Option<u32>,
    /// With --verify: run the tests in a sandbox: no network, an empty home, and a single folder to
    /// write into; needs bubblewrap [default: no]
    #[arg(long, hide_short_help = true)]
    pub sandbox: bool,
    #[command(flatten)]
    pub sequences: SequenceArguments,
}

impl ClassPathArguments {
    /// Where classes come from.
    pub fn classes(&self) -> Classes<'_> {
        Classes {
            jdk: self.jdk.as_deref(),
            path: self.class_path(),
        }
    }

    /// The entries of the class path.
    fn class_path(&self) -> Vec<PathBuf> {
        if let Some(text) = &self.classpath {
            return std::env::split_paths(text)
                .filter(|entry| !entry.as_os_str().is_empty())
                .collect();
        }
        let folders = CLASS_FOLDERS.iter().map(PathBuf::from);
        let usual: Vec<PathBuf> = folders.filter(|folder| folder.is_dir()).collect();
        match usual.is_empty() {
            true => vec![PathBuf::from(".")],
            false => usual,
        }
    }
}

impl JavaArguments {
    /// What keeps tests from doing harm.
    pub fn confinement(&self) -> Result<Confinement, Failure> {
        Ok(Confinement {
            sandbox: match self.sandbox && self.verify {
                true => Some(Sandbox::find()?),
                false => None,
            },
            memory: self.verify_memory,
        })
    }

    /// The folders with sources.
    pub fn sources(&self) -> Vec<PathBuf> {
        match &self.sources {
            Some(text) => std::env::split_paths(text).collect(),
            None => SOURCE_FOLDERS.iter().map(PathBuf::from).collect(),
        }
    }
}

fn framework(text: &str) -> Result<Framework, String> {
    match text {
        "4" => Ok(Framework::JUnit4),
        "5" => Ok(Framework::JUnit5),
        _ => Err("write 4 or 5".to_owned()),
    }
}
