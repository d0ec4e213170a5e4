//! Java programs under test: class files, specifications, and the subjects that the engine explores.

mod explore;
pub mod sequences;
mod sources;
mod specifications;

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use heapwright_java::classpath::{ClassPath, JdkSearch};
use heapwright_java::target::{Target, TargetMethod};
use heapwright_java::world::World;

use crate::failure::Failure;

pub use explore::Explored;
use sources::Sources;
pub use specifications::{Choice, Specifications};

/// The code under test, with everything that it makes use of.
pub struct JavaProgram {
    /// Classes and functions that were needed so far.
    pub world: World,
    specifications: Specifications,
    sources: Sources,
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
        let world = World::new(Arc::new(path)).map_err(|error| unfit(&error))?;
        Ok(JavaProgram {
            world,
            specifications,
            sources: Sources::default(),
        })
    }

    /// Looks for sources in folders.
    pub fn with_sources(mut self, folders: Vec<PathBuf>) -> JavaProgram {
        self.sources = Sources::new(folders);
        self
    }

    /// The methods that a target names.
    pub fn targets(&self, text: &str) -> Result<Vec<TargetMethod>, Failure> {
        let unfit = |error: &dyn std::fmt::Display| Failure::Unfit(error.to_string());
        let target = Target::from_str(text).map_err(|error| unfit(&error))?;
        let path = Arc::clone(self.world.class_path());
        target.resolve(&path).map_err(|error| unfit(&error))
    }
}
