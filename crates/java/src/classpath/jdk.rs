//! The JDK: where it is, which version it has, and its classes.

use super::Found;
use super::error::ClassPathError;
use super::jimage::{Image, ImageProblem};
use super::locked;
use crate::descriptor::Name;
use rustc_hash::FxHashMap;
use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use zip::ZipArchive;

/// No description of a JDK is longer.
const LONGEST_RELEASE: u64 = 1 << 16;

/// Longer files are cut: no source of the JDK is.
const LONGEST_SOURCE: u64 = 4 << 20;

/// An installed JDK (or Java runtime). Clones share what was read of it.
#[derive(Debug, Clone)]
pub struct Jdk {
    home: PathBuf,
    version: u16,
    image: Arc<Image>,
    /// Which names are those of its classes, as far as somebody asked: everybody does, all the time.
    known: Arc<Mutex<FxHashMap<String, bool>>>,
}

/// Where a JDK is looked for, in this order; the first that is set counts.
#[derive(Debug, Clone, Default)]
pub struct JdkSearch {
    /// What the user named.
    pub explicit: Option<PathBuf>,
    /// The variable `JAVA_HOME`.
    pub java_home: Option<PathBuf>,
    /// The variable `PATH`, in which the command `java` is looked for.
    pub path: Option<OsString>,
}

impl JdkSearch {
    /// What the user named, or else what the environment has.
    pub fn from_environment(explicit: Option<PathBuf>) -> Self {
        JdkSearch {
            explicit,
            java_home: env::var_os("JAVA_HOME")
                .filter(|home| !home.is_empty())
                .map(PathBuf::from),
            path: env::var_os("PATH"),
        }
    }

    /// Opens the JDK. One that was named but is none is an error; the search does not go on, since
    /// the user would be surprised by the other one.
    pub fn open(&self) -> Result<Jdk, ClassPathError> {
        if let Some(home) = self.explicit.as_ref().or(self.java_home.as_ref()) {
            return Jdk::open(home);
        }
        let mut looked_at = vec!["JAVA_HOME, which is not set".to_owned()];
        for folder in self.path.iter().flat_map(env::split_paths) {
            let command = folder.join(if cfg!(windows) { "java.exe" } else { "java" });
            // The command is often a link to the real one, in the folder `bin` of its JDK.
            let Ok(real) = command.canonicalize() else {
                continue;
            };
            match real.parent().and_then(Path::parent) {
                Some(home) if home.join("lib").is_dir() => return Jdk::open(home),
                _ => looked_at.push(command.display().to_string()),
            }
        }
        looked_at.push("`java` on PATH".to_owned());
        Err(ClassPathError::NoJdk { looked_at })
    }
}

impl Jdk {
    /// Opens the JDK in a folder.
    pub fn open(home: &Path) -> Result<Self, ClassPathError> {
        let modules = home.join("lib").join("modules");
        if !modules.is_file() {
            let is_old = ["jre/lib/rt.jar", "lib/rt.jar"]
                .iter()
                .any(|jar| home.join(jar).exists());
            return Err(match is_old {
                true => ClassPathError::OldJdk(home.into()),
                false if !home.exists() => ClassPathError::MissingJdk(home.into()),
                false => ClassPathError::NotAJdk(home.into()),
            });
        }
        let failed = |problem| ClassPathError::Image {
            path: modules.clone(),
            problem,
        };
        let image = Image::open(&modules).map_err(failed)?;
        // The version of a JDK is that of its own class files; there is no need to trust the file
        // `release`, which some distributions leave out.
        let object = image.find("java.lang.Object").map_err(failed)?;
        let version = object
            .as_ref()
            .and_then(|(bytes, _)| match bytes.get(6..8) {
                Some(&[high, low]) => u16::from_be_bytes([high, low]).checked_sub(44),
                _ => None,
            });
        match version {
            Some(version) => Ok(Jdk {
                home: home.into(),
                version,
                image: Arc::new(image),
                known: Arc::default(),
            }),
            None => Err(failed(ImageProblem::Damaged("it has no java.lang.Object"))),
        }
    }

    /// The folder of the JDK.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The version of Java: 17, 25.
    pub fn version(&self) -> u16 {
        self.version
    }

    /// What tells this JDK from others, wherever it is installed: what it says of itself, and the size
    /// of its classes.
    pub fn identity(&self) -> String {
        let read = |name: &str| {
            let file = File::open(self.home.join(name)).ok()?;
            let mut text = String::new();
            let read = file.take(LONGEST_RELEASE).read_to_string(&mut text);
            read.ok().map(|_| text)
        };
        let modules = std::fs::metadata(self.home.join("lib").join("modules"));
        let size = modules.map_or(0, |known| known.len());
        let release = read("release").unwrap_or_default();
        format!("{} {size}\n{release}", self.version)
    }

    /// The source in a file of the JDK (`java/util/TreeMap.java`), if the JDK was installed with its
    /// sources.
    pub fn source(&self, file: &str) -> Option<String> {
        let class = file.strip_suffix(".java")?.replace('/', ".");
        let module = self.module_of(&class).ok()??;
        let archive = File::open(self.home.join("lib").join("src.zip")).ok()?;
        let mut archive = ZipArchive::new(BufReader::new(archive)).ok()?;
        let entry = archive.by_name(&format!("{module}/{file}")).ok()?;
        let mut text = String::new();
        let read = entry.take(LONGEST_SOURCE).read_to_string(&mut text).ok()?;
        (read > 0).then_some(text)
    }

    /// Whether a class belongs to the JDK.
    pub fn contains(&self, class: &str) -> Result<bool, ClassPathError> {
        if let Some(known) = locked(&self.known).get(class) {
            return Ok(*known);
        }
        let is_there = self
            .image
            .contains(class)
            .map_err(|problem| self.failed(problem))?;
        locked(&self.known).insert(class.to_owned(), is_there);
        Ok(is_there)
    }

    /// The module of a class, if it belongs to the JDK.
    pub fn module_of(&self, class: &str) -> Result<Option<Name>, ClassPathError> {
        let found = self.image.find(class);
        let found = found.map_err(|problem| self.failed(problem))?;
        Ok(found.map(|(_, module)| module))
    }

    /// The binary names of all classes of the JDK, sorted.
    pub fn classes(&self) -> Result<Vec<String>, ClassPathError> {
        let mut classes = self
            .image
            .classes()
            .map_err(|problem| self.failed(problem))?;
        classes.sort_unstable();
        Ok(classes)
    }

    /// The class file of a class.
    pub(super) fn find(&self, class: &str) -> Result<Option<Found>, ClassPathError> {
        let found = self
            .image
            .find(class)
            .map_err(|problem| self.failed(problem))?;
        Ok(found.map(|(bytes, module)| Found {
            bytes,
            origin: format!("JDK module {module}"),
        }))
    }

    fn failed(&self, problem: ImageProblem) -> ClassPathError {
        ClassPathError::Image {
            path: self.home.join("lib").join("modules"),
            problem,
        }
    }
}
