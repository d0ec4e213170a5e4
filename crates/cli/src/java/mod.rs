//! Java programs under test: class files, specifications, and the subjects that the engine explores.

pub mod coverage;
mod explore;
pub mod sequences;
mod sources;
mod specifications;
mod whereabouts;

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use heapwright_java::classfile::Class;
use heapwright_java::classpath::{ClassPath, JdkSearch};
use heapwright_java::target::{Target, TargetError, TargetMethod};
use heapwright_java::world::{Predicate, World};

use crate::failure::Failure;
use crate::project;

pub use explore::Explored;
use sources::Sources;
pub use specifications::{Choice, Specifications};
use whereabouts::{hint, objection_to_file};

/// The code under test, with everything that it makes use of.
pub struct JavaProgram {
    /// Classes and functions that were needed so far.
    pub world: World,
    specifications: Specifications,
    class_path: Vec<PathBuf>,
    sources: Sources,
    /// The predicate that was named, as CLASS#METHOD.
    predicate: Option<String>,
}

impl JavaProgram {
    /// Opens a class path over a JDK: the given one, or that of the environment.
    pub fn open(
        jdk: Option<&Path>,
        class_path: &[PathBuf],
        specifications: Specifications,
    ) -> Result<JavaProgram, Failure> {
        let unfit = |error: &dyn std::fmt::Display| Failure::Unfit(error.to_string());
        let jdk = JdkSearch::from_environment(jdk.map(Path::to_owned)).open();
        let jdk = jdk.map_err(|error| unfit(&error))?;
        let path = ClassPath::open(jdk, class_path).map_err(|error| unfit(&error))?;
        let path = path.without_links_out_of(project::configured());
        let world = World::new(Arc::new(path)).map_err(|error| unfit(&error))?;
        Ok(JavaProgram {
            world,
            specifications,
            class_path: class_path.to_vec(),
            sources: Sources::default(),
            predicate: None,
        })
    }

    /// Looks for sources in folders.
    pub fn with_sources(mut self, folders: Vec<PathBuf>) -> JavaProgram {
        self.sources = Sources::new(folders);
        self
    }

    /// Takes this method as the predicate that says which objects are valid, not one with a usual
    /// name.
    pub fn with_predicate(mut self, predicate: Option<String>) -> JavaProgram {
        self.predicate = predicate;
        self
    }

    /// The predicate for the objects of a class.
    pub fn predicate(&self, class: &Arc<Class>) -> Result<Option<Predicate>, Failure> {
        let Some(text) = &self.predicate else {
            return Ok(self.world.usual_predicate(class));
        };
        if !text.contains('#') {
            let mut methods = class.methods.iter();
            let advice = match methods.any(|method| *method.name == **text) {
                true => format!("did you mean `{}#{text}`?", class.name),
                false => "write CLASS#METHOD".to_owned(),
            };
            return Err(Failure::Unfit(format!(
                "--repok: `{text}` is not one method; {advice}"
            )));
        }
        let named = self.resolve(text)?;
        let [method] = &named[..] else {
            return Err(Failure::Unfit(one_of("--repok", text, &named)));
        };
        let predicate = self.world.predicate(&method.declared, class);
        predicate
            .map(Some)
            .map_err(|error| Failure::Unfit(format!("--repok: {error}")))
    }

    /// The one class that a text names.
    pub fn class(&self, text: &str) -> Result<Arc<Class>, Failure> {
        let target = read_target(text)?;
        let classes = target.classes(self.world.class_path());
        let classes = classes.map_err(|error| self.unresolved(&target, &error))?;
        match (&classes[..], &target.method) {
            ([class], None) => Ok(Arc::clone(class)),
            _ => Err(Failure::Unfit(format!(
                "`{text}` is not one class; write pkg.Class"
            ))),
        }
    }

    /// The methods that a target names. Specifications are read for their classes from here on.
    pub fn targets(&mut self, text: &str) -> Result<Vec<TargetMethod>, Failure> {
        let targets = self.resolve(text)?;
        self.specifications.aim_at(&targets);
        Ok(targets)
    }

    fn resolve(&self, text: &str) -> Result<Vec<TargetMethod>, Failure> {
        let target = read_target(text)?;
        let methods = target.resolve(self.world.class_path());
        methods.map_err(|error| self.unresolved(&target, &error))
    }

    /// Why a target means nothing, and what to do about it.
    fn unresolved(&self, target: &Target, error: &TargetError) -> Failure {
        let TargetError::UnknownClass { error: reason, .. } = error else {
            return Failure::Unfit(error.to_string());
        };
        if let Some(class) = target.class.strip_suffix(".java") {
            let method = target.method.as_ref();
            let method = method.map_or(String::new(), |method| format!("#{method}"));
            return Failure::Unfit(format!(
                "there is no file {}; name the class, `{class}{method}`, and the folder of its \
                 class file with -c",
                target.class
            ));
        }
        // Where the class is known to be, no other one was meant.
        Failure::Unfit(match hint(&target.class, &self.class_path) {
            Some(hint) => format!("{reason}; {hint}"),
            None => error.to_string(),
        })
    }
}

/// Why several methods are too many for an option or a command that takes one, with all of them as
/// they are written. A whole class has too many to be listed.
fn one_of(what: &str, text: &str, named: &[TargetMethod]) -> String {
    let problem = format!("{what}: `{text}` is not one method");
    match text.contains('#') {
        false => format!("{problem}; write CLASS#METHOD"),
        true => {
            let named: Vec<String> = named.iter().map(|one| format!("'{one}'")).collect();
            format!("{problem}; write one of {}", named.join(", "))
        }
    }
}

fn read_target(text: &str) -> Result<Target, Failure> {
    match objection_to_file(text) {
        Some(objection) => Err(Failure::Unfit(objection)),
        None => Target::from_str(text).map_err(|error| Failure::Unfit(error.to_string())),
    }
}
