//! Where the specifications of Java classes come from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use heapwright_java::classfile::Class;
use heapwright_java::contracts::{Specified, annotated, read_for, read_predicates_for};
use heapwright_java::target::TargetMethod;
use heapwright_java::world::World;
use heapwright_spec::{ImportRequest, Source, Specification};

use heapwright_spec::library;
use heapwright_testgen::host::{Host, PathKind, Warning};
use heapwright_testgen::{Error, RequestError};
use serde::{Deserialize, Serialize};

/// The file that is read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Choice {
    /// That which belongs to the class: `Class.sl` or `Class.pred` among what was given or in a
    /// folder of the class path, or in the annotations of the class.
    Beside {
        /// Folders with specifications, and files of them.
        given: Vec<PathBuf>,
        /// The folders of the class path.
        class_path: Vec<PathBuf>,
    },
    /// This one.
    File(PathBuf),
    /// None: every heap is allowed.
    None,
}

/// The specifications of classes, read when they are needed.
#[derive(Debug)]
pub struct Specifications {
    choice: Choice,
    /// Preconditions in the StarFinder notation, for whatever is tested.
    given: Vec<String>,
    /// The classes under test, if they are known.
    tested: Vec<Arc<Class>>,
    read: BTreeMap<(PathBuf, String), Specified>,
}

impl Specifications {
    /// Specifications from a place, and preconditions `pre method == ...` that are given beside.
    pub fn new(choice: Choice, given: Vec<String>) -> Self {
        Specifications {
            choice,
            given,
            tested: Vec::new(),
            read: BTreeMap::new(),
        }
    }

    /// Where they come from.
    pub(crate) fn choice(&self) -> &Choice {
        &self.choice
    }

    /// The preconditions that are given beside.
    pub(crate) fn given(&self) -> &[String] {
        &self.given
    }

    /// The same specifications, of which none was read.
    pub(crate) fn unread(&self) -> Specifications {
        Specifications {
            choice: self.choice.clone(),
            given: self.given.clone(),
            tested: self.tested.clone(),
            read: BTreeMap::new(),
        }
    }

    /// Says which methods are tested: contracts without a class are for one of their classes.
    pub fn aim_at(&mut self, targets: &[TargetMethod]) {
        for target in targets {
            for class in classes_of(target) {
                if self.tested.iter().all(|known| known.name != class.name) {
                    self.tested.push(class);
                }
            }
        }
    }

    /// The classes under test when one of them is at hand.
    pub(crate) fn tested_with(&self, target: &TargetMethod) -> Vec<Arc<Class>> {
        match self.tested.is_empty() {
            true => classes_of(target),
            false => self.tested.clone(),
        }
    }

    /// What is known about a method, with the file that says so.
    pub fn of(
        &mut self,
        world: &mut World,
        target: &TargetMethod,
        host: &dyn Host,
    ) -> Result<Option<(Specified, PathBuf)>, Error> {
        let file = match &self.choice {
            Choice::None => None,
            Choice::File(file) => Some(file.clone()),
            Choice::Beside { given, class_path } => {
                let class = &target.declared.class.name;
                let given = given.iter().find_map(|entry| given_for(entry, class, host));
                given.or_else(|| beside(class_path, class, host))
            }
        };
        let predicates = file.as_ref().is_some_and(|file| is_predicate_file(file));
        if predicates || (file.is_none() && !self.given.is_empty()) {
            return self.of_predicate_file(world, target, file, host);
        }
        let class = target.declared.class.clone();
        let written = match (&file, &self.choice) {
            (None, Choice::Beside { .. }) => annotated(&class),
            _ => None,
        };
        let file = match (file, &written) {
            (Some(file), _) => file,
            (None, Some(_)) => PathBuf::from(format!("annotations of {}", class.name)),
            (None, None) => return Ok(None),
        };
        if let Some(given) = self.given.first() {
            return Err(Error::Request(RequestError::Precondition {
                given: given.to_string(),
                file,
            }));
        }
        let key = (file.clone(), class.name.to_string());
        if !self.read.contains_key(&key) {
            let source = Source {
                name: library::plain(&file).display().to_string(),
                text: match written {
                    Some(text) => text,
                    None => self.text(&file, host)?,
                },
            };
            // What is written beside a class is about that class.
            let tested = match self.choice {
                Choice::File(_) => self.tested_with(target),
                Choice::Beside { .. } | Choice::None => vec![class.clone()],
            };
            let mut import = |request: ImportRequest<'_>| host.import(request);
            let specified = read_for(world, &class, &tested, source, &mut import)?;
            let specification = &specified.specification;
            warn_of_text(specification, host);
            let is_new = self.read.keys().all(|(known, _)| *known != file);
            if matches!(self.choice, Choice::File(_)) && is_new {
                warn_of_other_classes(&specified, &tested, &file, host);
            }
            self.read.insert(key.clone(), specified);
        }
        Ok(self.read.get(&key).map(|known| (known.clone(), file)))
    }

    /// The text of a specification: the one that was named, or one that was found.
    fn text(&self, file: &Path, host: &dyn Host) -> Result<String, Error> {
        let Choice::Beside { given, class_path } = &self.choice else {
            return host.read(file);
        };
        let mut folders = given.iter().chain(class_path);
        let folder = folders.find(|folder| file.starts_with(folder) && is_folder(folder, host));
        match folder {
            Some(folder) => host.read_found(file, folder),
            None => host.read_found(file, file.parent().unwrap_or(Path::new(""))),
        }
    }

    /// What a file in the StarFinder notation and the command line say together.
    fn of_predicate_file(
        &mut self,
        world: &mut World,
        target: &TargetMethod,
        file: Option<PathBuf>,
        host: &dyn Host,
    ) -> Result<Option<(Specified, PathBuf)>, Error> {
        let class = target.declared.class.clone();
        let place = file.clone().unwrap_or_else(|| PathBuf::from("--pre"));
        let key = (place.clone(), class.name.to_string());
        if !self.read.contains_key(&key) {
            let text = file
                .as_ref()
                .map(|file| self.text(file, host))
                .transpose()?;
            let mut sources = vec![Source {
                name: library::plain(&place).display().to_string(),
                text: text.unwrap_or_default(),
            }];
            sources.extend(self.given.iter().map(|given| Source {
                name: "--pre".to_owned(),
                text: given.clone(),
            }));
            let tested = match self.choice {
                Choice::Beside { .. } if self.given.is_empty() => classes_of(target),
                _ => self.tested_with(target),
            };
            let specified = read_predicates_for(world, &class, &tested, sources)?;
            let specification = &specified.specification;
            let is_new = self.read.keys().all(|(known, _)| *known != place);
            if is_new {
                warn_of_text(specification, host);
            }
            if matches!(self.choice, Choice::File(_)) && is_new {
                warn_of_other_classes(&specified, &tested, &place, host);
            }
            self.read.insert(key.clone(), specified);
        }
        Ok(self.read.get(&key).map(|known| (known.clone(), place)))
    }
}

/// Warns of what is accepted but probably not meant.
fn warn_of_text(specification: &Specification, host: &dyn Host) {
    if !specification.warnings.is_empty() {
        host.warn(&Warning::InText {
            sources: &specification.sources,
            diagnostics: &specification.warnings,
        });
    }
}

/// Warns of a file that has no contract for a method of any class under test.
fn warn_of_other_classes(
    specified: &Specified,
    tested: &[Arc<Class>],
    file: &Path,
    host: &dyn Host,
) {
    let names: Vec<&str> = tested.iter().map(|class| &*class.name).collect();
    let mut methods = specified.specified_methods();
    if !methods.any(|method| names.contains(&&*method.class.name)) {
        host.warn(&Warning::InFile {
            file,
            message: &format!("says nothing about the methods of {}", names.join(", ")),
        });
    }
}

/// The class that a target names, and the one that declares the method.
fn classes_of(target: &TargetMethod) -> Vec<Arc<Class>> {
    let mut classes = vec![target.class.clone()];
    if target.declared.class.name != target.class.name {
        classes.push(target.declared.class.clone());
    }
    classes
}

fn is_predicate_file(file: &Path) -> bool {
    file.extension()
        .is_some_and(|extension| extension == "pred")
}

/// The specification of a class in a folder of specifications, or a file that is one.
fn given_for(entry: &Path, class: &str, host: &dyn Host) -> Option<PathBuf> {
    let outer = class.split('$').next().unwrap_or(class);
    let simple = outer.rsplit('.').next().unwrap_or(outer);
    if !is_folder(entry, host) {
        let is_named = entry.file_stem().is_some_and(|stem| stem == simple);
        return is_named.then(|| entry.to_owned());
    }
    let folder = [entry.to_owned()];
    beside(&folder, outer, host).or_else(|| beside(&folder, simple, host))
}

/// The specification in the folder of a class file.
fn beside(folders: &[PathBuf], class: &str, host: &dyn Host) -> Option<PathBuf> {
    let outer = class.split('$').next().unwrap_or(class);
    let place = outer.replace('.', "/");
    folders.iter().find_map(|folder| {
        let candidates = ["sl", "pred"].map(|ending| folder.join(format!("{place}.{ending}")));
        let is_file = |file: &PathBuf| matches!(host.look(file), Some(PathKind::File { .. }));
        candidates.into_iter().find(is_file)
    })
}

fn is_folder(path: &Path, host: &dyn Host) -> bool {
    host.look(path) == Some(PathKind::Folder)
}
