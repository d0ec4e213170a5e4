//! C sources: translated, verified and, of a sample, tested with everything that can be written.
//!
//! Most of what is wrong with a source is clang's business. What is read here is its account of
//! sources that it accepts, so mutations keep to the grammar where they can.

use std::path::{Path, PathBuf};

use heapwright_c::clang::Flags;
use heapwright_c::read_unit;

use crate::run::Fate;

/// Tests are generated for one source in this many.
const TESTED: u64 = 3;

/// The ways in which tests are generated, in turn.
const MODES: [&str; 3] = ["concolic", "symbolic", "lazy"];

/// What the specification of a source is called.
const SPECIFICATION: &str = "fuzz.sl";

/// A folder for sources, which nobody else uses.
#[derive(Debug)]
pub struct Sources {
    work: PathBuf,
}

impl Sources {
    /// With the folder.
    pub fn new(work: PathBuf) -> Sources {
        Sources { work }
    }

    /// Reads source number `index`, and does more with it if it belongs to a sample.
    pub fn source(&self, index: u64, text: &[u8]) -> Fate {
        let folder = self.work.join(index.to_string());
        let created = std::fs::create_dir_all(&folder);
        created.expect("the folder for inputs can be written");
        let file = folder.join("fuzz.c");
        let written = std::fs::write(&file, text);
        written.expect("the folder for inputs can be written");
        let fate = self.read(index, &folder, &file);
        let _ = std::fs::remove_dir_all(&folder);
        fate
    }

    fn read(&self, index: u64, folder: &Path, file: &Path) -> Fate {
        let unit = match read_unit(file, &Flags::default()) {
            Ok(unit) => unit,
            Err(error) => {
                drop(error.to_string());
                return Fate::Rejected;
            }
        };
        if let Err(errors) = heapwright_ir::verify(&unit.program) {
            let errors: Vec<String> = errors.iter().take(3).map(ToString::to_string).collect();
            panic!(
                "translated to what the verifier rejects: {}",
                errors.join("; ")
            );
        }
        match index.is_multiple_of(TESTED) {
            true => generate(index, folder, file),
            false => Fate::Accepted,
        }
    }
}

/// Generates tests with all outputs, now and then with a specification of lists.
fn generate(index: u64, folder: &Path, file: &Path) -> Fate {
    let text = |name: &str| folder.join(name).display().to_string();
    let file = file.display().to_string();
    let mode = MODES[(index / TESTED) as usize % MODES.len()];
    let (out, report, svg) = (text("out"), text("report"), text("svg"));
    let (json, lcov, sarif) = (text("a.json"), text("a.info"), text("a.sarif"));
    let mut words = vec![
        "generate",
        &file,
        "--mode",
        mode,
        "--out",
        &out,
        "--report",
        &report,
        "--svg",
        &svg,
        "--json",
        &json,
        "--lcov",
        &lcov,
        "--sarif",
        &sarif,
        "--time",
        "0.2",
        "--steps",
        "2000",
        "--max-paths",
        "10",
        "--memory",
        "1024",
        "-q",
    ];
    let specification = text(SPECIFICATION);
    if index.is_multiple_of(2) {
        let list = "pred list(x) := emp & x = null | exists v, n. x -> node(v, n) * list(n);\n";
        let written = std::fs::write(&specification, list);
        written.expect("the folder for inputs can be written");
        words.extend(["--spec", &specification]);
    }
    match heapwright_cli::execute(&words, &mut std::io::sink()) {
        Ok(()) => Fate::Decided,
        Err(_) => Fate::Undecided,
    }
}
