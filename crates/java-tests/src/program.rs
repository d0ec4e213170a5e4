//! Java programs under test: class files, specifications, and the subjects that the engine explores.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use heapwright_java::classfile::Class;
use heapwright_java::classpath::{ClassPath, JdkSearch};
use heapwright_java::target::{Target, TargetError, TargetMethod};
use heapwright_java::world::{Predicate, World};

use heapwright_testgen::Error;
use heapwright_testgen::host::Host;

use crate::class_search::{hint, objection_to_file};
use crate::sources::Sources;
use crate::specifications::Specifications;

/// The code under test, with everything that it makes use of.
pub struct JavaProgram {
    /// Classes and functions that were needed so far.
    pub world: World,
    /// What it needs.
    pub class_path: Vec<PathBuf>,
    /// What is around it.
    pub host: Arc<dyn Host>,
    pub(crate) specifications: Specifications,
    pub(crate) sources: Sources,
    /// The predicate that was named, as CLASS#METHOD.
    predicate: Option<String>,
}

impl JavaProgram {
    /// Opens a class path over a JDK. If a folder is given, links that lead out of it are not
    /// followed.
    pub fn open(
        jdk: &JdkSearch,
        class_path: &[PathBuf],
        confined_to: Option<PathBuf>,
        specifications: Specifications,
        host: Arc<dyn Host>,
    ) -> Result<JavaProgram, Error> {
        let unfit = |error: &dyn std::fmt::Display| Error::Unfit(error.to_string());
        let jdk = jdk.open().map_err(|error| unfit(&error))?;
        let path = ClassPath::open(jdk, class_path).map_err(|error| unfit(&error))?;
        let path = path.without_links_out_of(confined_to);
        let world = World::new(Arc::new(path)).map_err(|error| unfit(&error))?;
        Ok(JavaProgram {
            world,
            specifications,
            class_path: class_path.to_vec(),
            sources: Sources::new(Vec::new(), Arc::clone(&host)),
            host,
            predicate: None,
        })
    }

    /// Looks for sources in folders.
    pub fn with_sources(mut self, folders: Vec<PathBuf>) -> JavaProgram {
        self.sources = Sources::new(folders, Arc::clone(&self.host));
        self
    }

    /// The folders with sources.
    pub fn source_folders(&self) -> &[PathBuf] {
        &self.sources.folders
    }

    /// Takes this method as the predicate that says which objects are valid, not one with a usual
    /// name.
    pub fn with_predicate(mut self, predicate: Option<String>) -> JavaProgram {
        self.predicate = predicate;
        self
    }

    /// The predicate for the objects of a class.
    pub fn predicate(&self, class: &Arc<Class>) -> Result<Option<Predicate>, Error> {
        let Some(text) = &self.predicate else {
            return Ok(self.world.usual_predicate(class));
        };
        if !text.contains('#') {
            let mut methods = class.methods.iter();
            let advice = match methods.any(|method| *method.name == **text) {
                true => format!("did you mean `{}#{text}`?", class.name),
                false => "write CLASS#METHOD".to_owned(),
            };
            return Err(Error::Unfit(format!(
                "--repok: `{text}` is not one method; {advice}"
            )));
        }
        let named = self.resolve(text)?;
        let [method] = &named[..] else {
            return Err(Error::Unfit(one_of("--repok", text, &named)));
        };
        let predicate = self.world.predicate(&method.declared, class);
        predicate
            .map(Some)
            .map_err(|error| Error::Unfit(format!("--repok: {error}")))
    }

    /// The one class that a text names.
    pub fn class(&self, text: &str) -> Result<Arc<Class>, Error> {
        let target = read_target(text)?;
        let classes = target.classes(self.world.class_path());
        let classes = classes.map_err(|error| self.unresolved(&target, &error))?;
        match (&classes[..], &target.method) {
            ([class], None) => Ok(Arc::clone(class)),
            _ => Err(Error::Unfit(format!(
                "`{text}` is not one class; write pkg.Class"
            ))),
        }
    }

    /// The methods that a target names. Specifications are read for their classes from here on.
    pub fn targets(&mut self, text: &str) -> Result<Vec<TargetMethod>, Error> {
        let targets = self.resolve(text)?;
        self.specifications.aim_at(&targets);
        Ok(targets)
    }

    fn resolve(&self, text: &str) -> Result<Vec<TargetMethod>, Error> {
        let target = read_target(text)?;
        let methods = target.resolve(self.world.class_path());
        methods.map_err(|error| self.unresolved(&target, &error))
    }

    /// Why a target means nothing, and what to do about it.
    fn unresolved(&self, target: &Target, error: &TargetError) -> Error {
        let TargetError::UnknownClass { error: reason, .. } = error else {
            return Error::Unfit(error.to_string());
        };
        if let Some(class) = target.class.strip_suffix(".java") {
            let method = target.method.as_ref();
            let method = method.map_or(String::new(), |method| format!("#{method}"));
            return Error::Unfit(format!(
                "there is no file {}; name the class, `{class}{method}`, and the folder of its \
                 class file with -c",
                target.class
            ));
        }
        // Where the class is known to be, no other one was meant.
        Error::Unfit(match hint(&target.class, &self.class_path) {
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

fn read_target(text: &str) -> Result<Target, Error> {
    match objection_to_file(text) {
        Some(objection) => Err(Error::Unfit(objection)),
        None => Target::from_str(text).map_err(|error| Error::Unfit(error.to_string())),
    }
}
