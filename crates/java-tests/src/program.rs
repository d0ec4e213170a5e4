//! Java programs under test: class files, specifications, and the subjects that the engine explores.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use heapwright_java::classfile::Class;
use heapwright_java::classpath::{ClassPath, JdkSearch};
use heapwright_java::target::{Target, TargetError, TargetMethod};
use heapwright_java::world::{Predicate, World};

use heapwright_testgen::host::Host;
use heapwright_testgen::{Error, RequestError};

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
    pub(crate) predicate: Option<String>,
    /// Whether it comes from another machine. Then nothing is looked for by names in it, not even to
    /// say what else may be meant.
    pub(crate) is_received: bool,
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
        let jdk = jdk.open().map_err(Error::code)?;
        let path = ClassPath::open(jdk, class_path).map_err(Error::code)?;
        let path = path.without_links_out_of(confined_to);
        let world = World::new(Arc::new(path)).map_err(Error::code)?;
        Ok(JavaProgram {
            world,
            specifications,
            class_path: class_path.to_vec(),
            sources: Sources::new(Vec::new(), Arc::clone(&host)),
            host,
            predicate: None,
            is_received: false,
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
            return Err(not_one_method(text, advice));
        }
        let named = self.resolve(text)?;
        let [method] = &named[..] else {
            // The text names a method, so there are several of that name.
            let named: Vec<String> = named.iter().map(|one| format!("'{one}'")).collect();
            return Err(not_one_method(
                text,
                format!("write one of {}", named.join(", ")),
            ));
        };
        let predicate = self.world.predicate(&method.declared, class);
        predicate
            .map(Some)
            .map_err(|error| Error::Request(RequestError::Predicate(error.into())))
    }

    /// The one class that a text names.
    pub fn class(&self, text: &str) -> Result<Arc<Class>, Error> {
        let target = self.read_target(text)?;
        let classes = target.classes(self.world.class_path());
        let classes = classes.map_err(|error| self.unresolved(&target, error))?;
        match (&classes[..], &target.method) {
            ([class], None) => Ok(Arc::clone(class)),
            _ => Err(RequestError::NotOneClass(text.to_owned()).into()),
        }
    }

    /// The methods that a target names. Specifications are read for their classes from here on.
    pub fn targets(&mut self, text: &str) -> Result<Vec<TargetMethod>, Error> {
        let targets = self.resolve(text)?;
        self.specifications.aim_at(&targets);
        Ok(targets)
    }

    fn resolve(&self, text: &str) -> Result<Vec<TargetMethod>, Error> {
        let target = self.read_target(text)?;
        let methods = target.resolve(self.world.class_path());
        methods.map_err(|error| self.unresolved(&target, error))
    }

    fn objection_to_file(&self, text: &str) -> Option<RequestError> {
        match self.is_received {
            true => None,
            false => objection_to_file(text),
        }
    }

    fn read_target(&self, text: &str) -> Result<Target, Error> {
        match self.objection_to_file(text) {
            Some(objection) => Err(objection.into()),
            None => Target::from_str(text).map_err(unresolved),
        }
    }

    /// Why a target means nothing, and what to do about it.
    fn unresolved(&self, target: &Target, error: TargetError) -> Error {
        if self.is_received || !matches!(error, TargetError::UnknownClass { .. }) {
            return unresolved(error);
        }
        if let Some(class) = target.class.strip_suffix(".java") {
            let method = target.method.as_ref();
            let method = method.map_or(String::new(), |method| format!("#{method}"));
            return Error::Request(RequestError::NoFile {
                file: target.class.clone(),
                class: format!("{class}{method}"),
            });
        }
        match (error, hint(&target.class, &self.class_path)) {
            // Where the class is known to be, no other one was meant.
            (TargetError::UnknownClass { error, .. }, Some(hint)) => {
                let source = error.into();
                Error::Request(RequestError::ClassElsewhere { source, hint })
            }
            (error, _) => unresolved(error),
        }
    }
}

fn unresolved(error: TargetError) -> Error {
    Error::Request(RequestError::Unresolved(error.into()))
}

fn not_one_method(text: &str, advice: String) -> Error {
    Error::Request(RequestError::NotOneMethod {
        text: text.to_owned(),
        advice,
    })
}
