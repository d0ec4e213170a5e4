//! The class path: from the name of a class to the class.
//!
//! Classes of the JDK come first, as on a real Java virtual machine, then the entries of the class
//! path in their order. What was loaded once, or could not be, is remembered.

mod directory;
mod error;
mod jar;
mod jdk;
mod jimage;
mod looks;
mod packed;
mod sent;

pub use error::ClassPathError;
pub use jdk::{Jdk, JdkSearch};
pub use jimage::ImageProblem;
pub use looks::{Content, Looks};
pub use sent::SentEntry;

use crate::classfile::{self, Class};
use crate::descriptor::{Name, binary_name, package_of};
use directory::Directory;
use jar::Jar;
use looks::LookedAt;
use packed::Packed;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A JDK and a list of folders and jars. It can be shared by threads.
///
/// Whoever needs to know what they have looked at has a [view](ClassPath::view) of their own: views
/// share what was read, and have nothing else in common.
#[derive(Debug)]
pub struct ClassPath {
    shared: Arc<Shared>,
    /// Classes that have no class file.
    defined: Mutex<FxHashMap<Name, Arc<Class>>>,
    /// What somebody asked for.
    looked_at: Mutex<LookedAt>,
}

/// What all views of a class path have in common.
#[derive(Debug)]
struct Shared {
    jdk: Jdk,
    /// What the folder of the JDK is called in messages.
    home: PathBuf,
    entries: Vec<Entry>,
    loaded: Mutex<FxHashMap<Name, Result<Arc<Class>, ClassPathError>>>,
    fingerprints: Mutex<FxHashMap<Name, Content>>,
    /// All classes of the entries, sorted, once somebody asked.
    listed: OnceLock<Result<Vec<Name>, ClassPathError>>,
}

#[derive(Debug)]
enum Entry {
    Directory(Directory),
    Jar(Jar),
    Packed(Packed),
}

/// A class file, and where it was found.
struct Found {
    bytes: Vec<u8>,
    origin: String,
}

impl ClassPath {
    /// A class path of folders and jars; an entry that ends with `*` stands for all jars in that
    /// folder.
    pub fn open<P: AsRef<Path>>(
        jdk: Jdk,
        entries: impl IntoIterator<Item = P>,
    ) -> Result<Self, ClassPathError> {
        let mut opened = Vec::new();
        for entry in entries {
            let entry = entry.as_ref();
            if entry.file_name().is_some_and(|name| name == "*") {
                let folder = entry
                    .parent()
                    .filter(|folder| !folder.as_os_str().is_empty());
                for jar in jars_in(folder.unwrap_or(Path::new(".")))? {
                    opened.push(Entry::Jar(Jar::open(&jar, &jar, jdk.version())?));
                }
            } else if entry.is_dir() {
                opened.push(Entry::Directory(Directory::new(entry)));
            } else if entry.exists() {
                opened.push(Entry::Jar(Jar::open(entry, entry, jdk.version())?));
            } else {
                return Err(ClassPathError::MissingEntry(entry.into()));
            }
        }
        let home = jdk.home().to_owned();
        Ok(ClassPath::of_entries(jdk, home, opened))
    }

    fn of_entries(jdk: Jdk, home: PathBuf, entries: Vec<Entry>) -> ClassPath {
        ClassPath::of(Arc::new(Shared {
            jdk,
            home,
            entries,
            loaded: Mutex::default(),
            fingerprints: Mutex::default(),
            listed: OnceLock::new(),
        }))
    }

    fn of(shared: Arc<Shared>) -> ClassPath {
        ClassPath {
            shared,
            defined: Mutex::default(),
            looked_at: Mutex::default(),
        }
    }

    /// The same class path for somebody who has looked at nothing yet, and defined nothing.
    pub fn view(&self) -> ClassPath {
        ClassPath::of(Arc::clone(&self.shared))
    }

    /// The same class path for a project that is not the user's: links in its folders lead nowhere
    /// but into the folder and into the project.
    pub fn without_links_out_of(mut self, project: Option<PathBuf>) -> Self {
        let Some(project) = project else {
            return self;
        };
        // Nobody has a view yet.
        if let Some(shared) = Arc::get_mut(&mut self.shared) {
            let entries = std::mem::take(&mut shared.entries).into_iter();
            let entries = entries.map(|entry| match entry {
                Entry::Directory(directory) => {
                    Entry::Directory(directory.without_links_out_of(&project))
                }
                other => other,
            });
            shared.entries = entries.collect();
        }
        self
    }

    /// The JDK.
    pub fn jdk(&self) -> &Jdk {
        &self.shared.jdk
    }

    /// The class with a binary name, such as `java.util.Map$Entry`.
    pub fn load(&self, name: &str) -> Result<Arc<Class>, ClassPathError> {
        if !locked(&self.defined).contains_key(name) {
            locked(&self.looked_at).class(name);
        }
        self.known(name)
    }

    /// The same for somebody who takes note of what they look at themselves.
    fn known(&self, name: &str) -> Result<Arc<Class>, ClassPathError> {
        if let Some(class) = locked(&self.defined).get(name) {
            return Ok(Arc::clone(class));
        }
        let mut loaded = locked(&self.shared.loaded);
        if let Some(result) = loaded.get(name) {
            return result.clone();
        }
        let result = self.read(name);
        loaded.insert(name.into(), result.clone());
        result
    }

    /// Adds a class that has no class file, such as the one that stands for a lambda expression.
    /// A class of that name that was loaded before stays.
    pub fn define(&self, class: Arc<Class>) {
        let is_loaded = locked(&self.looked_at).has(&class.name)
            && matches!(locked(&self.shared.loaded).get(&class.name), Some(Ok(_)));
        if !is_loaded {
            let mut defined = locked(&self.defined);
            defined.entry(class.name.clone()).or_insert(class);
        }
    }

    /// How many classes were loaded so far.
    pub fn loaded_count(&self) -> usize {
        let loaded = locked(&self.shared.loaded);
        loaded.values().filter(|result| result.is_ok()).count()
    }

    fn read(&self, name: &str) -> Result<Arc<Class>, ClassPathError> {
        let Some(found) = self.find(name)? else {
            let jdk = format!("the JDK at {}", self.shared.home.display());
            let entries = self
                .shared
                .entries
                .iter()
                .map(|entry| entry.path().display().to_string());
            let looked_in = [jdk].into_iter().chain(entries).collect();
            return Err(ClassPathError::NotFound {
                class: name.into(),
                looked_in,
            });
        };
        let Found { bytes, origin } = found;
        self.note_content(name, &bytes);
        match classfile::parse(&bytes) {
            Ok(class) if *class.name == *name => Ok(Arc::new(class)),
            // File systems that do not mind case find `tree` where `Tree` is.
            Ok(class) => {
                let (expected, found) = (name.into(), class.name);
                Err(ClassPathError::WrongName {
                    origin,
                    expected,
                    found,
                })
            }
            Err(error) => Err(ClassPathError::Malformed { origin, error }),
        }
    }

    /// The bytes of a class's file, as they are.
    pub fn class_file(&self, name: &str) -> Result<Option<Vec<u8>>, ClassPathError> {
        locked(&self.looked_at).class(name);
        Ok(self.find(name)?.map(|found| found.bytes))
    }

    fn find(&self, name: &str) -> Result<Option<Found>, ClassPathError> {
        // Only well-formed names become paths.
        if name.contains(['/', '\\']) || name.split('.').any(str::is_empty) {
            return Ok(None);
        }
        if let Some(found) = self.jdk().find(name)? {
            return Ok(Some(found));
        }
        for entry in &self.shared.entries {
            let found = match entry {
                Entry::Directory(directory) => directory.find(name)?,
                Entry::Jar(jar) => jar.find(name)?,
                Entry::Packed(packed) => packed.find(name)?,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// All classes in the folders and jars, sorted; not those of the JDK.
    pub fn classes(&self) -> Result<&[Name], ClassPathError> {
        locked(&self.looked_at).lists = true;
        self.all()
    }

    fn all(&self) -> Result<&[Name], ClassPathError> {
        let listed = self.shared.listed.get_or_init(|| {
            let mut classes = BTreeSet::new();
            for entry in &self.shared.entries {
                match entry {
                    Entry::Directory(directory) => classes.extend(directory.classes()?),
                    Entry::Jar(jar) => classes.extend(jar.classes()),
                    Entry::Packed(packed) => classes.extend(packed.classes()),
                }
            }
            Ok(classes.into_iter().collect())
        });
        match listed {
            Ok(classes) => Ok(classes),
            Err(error) => Err(error.clone()),
        }
    }

    /// The packages of the folders and jars, sorted; not those of the JDK.
    pub fn packages(&self) -> Result<BTreeSet<&str>, ClassPathError> {
        Ok(self
            .classes()?
            .iter()
            .map(|class| package_of(class))
            .collect())
    }

    /// The classes of one package, sorted: of the folders and jars, or else of the JDK.
    pub fn package(&self, package: &str) -> Result<Vec<Name>, ClassPathError> {
        locked(&self.looked_at).packages.insert(package.to_owned());
        let is_in = |class: &str| package_of(class) == package;
        let own = self.all()?.iter().filter(|class| is_in(class));
        let own: Vec<Name> = own.cloned().collect();
        if !own.is_empty() {
            return Ok(own);
        }
        let jdk = self.jdk().classes()?;
        Ok(jdk
            .iter()
            .filter(|class| is_in(class))
            .map(|class| class.as_str().into())
            .collect())
    }
}

impl Entry {
    fn path(&self) -> &Path {
        match self {
            Entry::Directory(directory) => directory.path(),
            Entry::Jar(jar) => jar.path(),
            Entry::Packed(packed) => packed.path(),
        }
    }
}

/// Whoever panicked while they had a lock left nothing half done.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The jars in a folder, sorted by name, so that the order does not depend on the file system.
fn jars_in(folder: &Path) -> Result<Vec<PathBuf>, ClassPathError> {
    let failed = |error| ClassPathError::read(folder, error);
    let mut jars = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("jar"))
        {
            jars.push(path);
        }
    }
    jars.sort();
    Ok(jars)
}

/// The class in a file with this path relative to its root; descriptions of modules and packages
/// are none, and neither is what could not be looked for by its name.
fn class_of_path(path: &str) -> Option<Name> {
    let internal = path.strip_suffix(".class")?;
    if internal.contains('\\') {
        return None;
    }
    let simple = internal.rsplit('/').next()?;
    if matches!(simple, "module-info" | "package-info") {
        return None;
    }
    binary_name(internal).ok()
}

/// Threads that explore a program share one class path; this does not compile if they cannot.
const _: fn() = || {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<ClassPath>();
};
