//! What is done with a class file or a jar: it is read; of a sample, every method is translated,
//! verified and run; of a smaller sample, tests are generated as the command does it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use heapwright_ir::FunctionId;
use heapwright_ir::machine::concrete::{Concrete, Value};
use heapwright_ir::machine::{Budgets, Machine, MachineError};
use heapwright_java::classfile::{Class, parse};
use heapwright_java::classpath::{ClassPath, Jdk};
use heapwright_java::hierarchy::DeclaredMethod;
use heapwright_java::target::TargetMethod;
use heapwright_java::world::World;

use crate::generate::jar::of_class;
use crate::run::Fate;

/// One class in this many is translated and run.
const TRANSLATED: u64 = 2;

/// Tests are generated for one class in this many.
const TESTED: u64 = 64;

/// Classes of a jar that are loaded.
const LOADED: usize = 8;

/// How often a run begins again because something had to be loaded.
const RESTARTS: usize = 20;

/// What bounds a run.
const BUDGETS: Budgets = Budgets {
    steps: 2_000,
    depth: 100,
    objects: 1_000,
    array_length: 10_000,
    elements: 100_000,
};

/// The ways in which tests are generated, in turn.
const MODES: [&str; 6] = [
    "concolic",
    "symbolic",
    "lazy",
    "repok",
    "whitebox",
    "sequences",
];

/// A JDK and a folder with the classes that examples were made of.
#[derive(Debug)]
pub struct Project {
    jdk: Jdk,
    classes: PathBuf,
    /// Where inputs are put that have to be files.
    work: PathBuf,
}

impl Project {
    /// A project whose classes are in a folder; `work` is a folder that nobody else uses.
    pub fn new(jdk: Jdk, classes: PathBuf, work: PathBuf) -> Project {
        Project { jdk, classes, work }
    }

    /// Reads class file number `index`, and does more with it if it belongs to a sample.
    pub fn class_file(&self, index: u64, bytes: &[u8]) -> Fate {
        let class = match parse(bytes) {
            Ok(class) => Arc::new(class),
            Err(error) => {
                assert!(error.offset <= bytes.len(), "{error}");
                return Fate::Rejected;
            }
        };
        if let Ok(true) = self.jdk.contains(&class.name) {
            // The class of the JDK would be found instead.
            return Fate::Accepted;
        }
        if index.is_multiple_of(TESTED) {
            return self.generate(index, &class, bytes);
        }
        match index.is_multiple_of(TRANSLATED) {
            true => self.run(&class),
            false => Fate::Accepted,
        }
    }

    /// Translates and runs every method of a class.
    fn run(&self, class: &Arc<Class>) -> Fate {
        let Ok(path) = ClassPath::open(self.jdk.clone(), [&self.classes]) else {
            panic!("the classes of the project cannot be opened");
        };
        path.define(Arc::clone(class));
        let Ok(mut world) = World::new(Arc::new(path)) else {
            // Classes that the virtual machine itself needs may have been replaced.
            return Fate::Rejected;
        };
        let mut fate = Fate::Rejected;
        let mut functions = Vec::new();
        for method in class.methods.iter().filter(|method| method.code.is_some()) {
            let target = TargetMethod {
                class: Arc::clone(class),
                declared: DeclaredMethod {
                    class: Arc::clone(class),
                    method: Arc::clone(method),
                },
            };
            match world.entry(&target) {
                Ok(function) => functions.push(function),
                Err(error) => drop(error.to_string()),
            }
        }
        if let Err(errors) = heapwright_ir::verify(world.program()) {
            let errors: Vec<String> = errors.iter().take(3).map(ToString::to_string).collect();
            panic!(
                "translated to what the verifier rejects: {}",
                errors.join("; ")
            );
        }
        for function in functions {
            fate = match run(&mut world, function) {
                true => Fate::Decided,
                false if fate == Fate::Decided => Fate::Decided,
                false => Fate::Undecided,
            };
        }
        fate
    }

    /// Generates tests for a class that is in a jar, with everything that can be written.
    fn generate(&self, index: u64, class: &Class, bytes: &[u8]) -> Fate {
        let folder = self.work.join(index.to_string());
        let inside = folder.join("inside");
        let created = std::fs::create_dir_all(&inside);
        created.expect("the folder for inputs can be written");
        let jar = inside.join("fuzz.jar");
        let name = class.name.replace('.', "/");
        let written = std::fs::write(&jar, of_class(&name, bytes));
        written.expect("the folder for inputs can be written");
        let text = |path: PathBuf| path.display().to_string();
        let class_path = format!("{}:{}", jar.display(), self.classes.display());
        let mode = MODES[(index / TESTED) as usize % MODES.len()];
        let (out, report) = (text(inside.join("out")), text(inside.join("report")));
        let (json, svg) = (text(inside.join("a.json")), text(inside.join("svg")));
        let words = [
            "generate",
            &class.name,
            "--mode",
            mode,
            "-c",
            &class_path,
            "--out",
            &out,
            "--report",
            &report,
            "--json",
            &json,
            "--svg",
            &svg,
            "--time",
            "0.1",
            "--steps",
            "2000",
            "--max-paths",
            "10",
            "--scope",
            "2",
            "--memory",
            "512",
            "-q",
        ];
        let ended = heapwright_cli::execute(&words, &mut std::io::sink());
        self.assert_inside(&folder, &inside);
        let _ = std::fs::remove_dir_all(&folder);
        match ended {
            Ok(()) => Fate::Decided,
            Err(_) => Fate::Undecided,
        }
    }

    /// Panics if anything was written outside of the folder that it should be in.
    fn assert_inside(&self, folder: &Path, inside: &Path) {
        let names = |folder: &Path| {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            entries.map(|entry| entry.path()).collect::<Vec<_>>()
        };
        assert_eq!(names(folder), [inside], "something was written outside");
        let known = ["fuzz.jar", "out", "report", "a.json", "svg"].map(|name| inside.join(name));
        for path in names(inside) {
            assert!(known.contains(&path), "{} was written", path.display());
        }
    }

    /// Reads jar number `index`, and some of its classes.
    pub fn jar(&self, index: u64, bytes: &[u8]) -> Fate {
        let jar = self.work.join(format!("{index}.jar"));
        let written = std::fs::write(&jar, bytes);
        written.expect("the folder for inputs can be written");
        let fate = self.read_jar(&jar);
        let _ = std::fs::remove_file(&jar);
        fate
    }

    fn read_jar(&self, jar: &Path) -> Fate {
        let path = match ClassPath::open(self.jdk.clone(), [jar]) {
            Ok(path) => path,
            Err(error) => {
                drop(error.to_string());
                return Fate::Rejected;
            }
        };
        let mut fate = Fate::Accepted;
        let Ok(classes) = path.classes() else {
            return Fate::Rejected;
        };
        for class in classes.iter().take(LOADED) {
            match path.load(class) {
                Ok(_) => fate = Fate::Decided,
                Err(error) => drop(error.to_string()),
            }
        }
        fate
    }
}

/// Runs a function with default arguments; whether it came to an end.
fn run(world: &mut World, function: FunctionId) -> bool {
    for _ in 0..RESTARTS {
        let program = world.program();
        let parameters = program.function(function).params as usize;
        let registers = program.function(function).registers.iter().take(parameters);
        let mut domain = Concrete::new(program);
        let arguments: Vec<Value> = registers
            .map(|register| match register.sort {
                // An object of the declared class, where there can be one.
                heapwright_logic::Sort::Ref(class) => {
                    (domain.new_object(class)).map_or(Value::Null, Value::object)
                }
                sort => Value::default_of(sort),
            })
            .collect();
        let mut machine = Machine::new(program, domain, BUDGETS);
        let needed = match machine.run(function, arguments) {
            Ok(_) => return true,
            Err(MachineError::Missing(missing)) => missing,
            Err(error) => {
                drop(error.to_string());
                return false;
            }
        };
        if !world.supply_missing(&needed) {
            return false;
        }
    }
    false
}
