//! What somebody has looked at on a class path, and whether it is still the same.

use std::collections::BTreeSet;

use heapwright_store::{Digest, Fingerprint};
use serde::{Deserialize, Serialize};

use super::{ClassPath, locked};
use crate::descriptor::Name;

/// What somebody asked for.
#[derive(Debug, Default)]
pub(super) struct LookedAt {
    classes: BTreeSet<Name>,
    /// Classes of which only the supertypes mattered.
    supertypes: BTreeSet<Name>,
    /// Packages whose classes they asked for by name.
    pub packages: BTreeSet<String>,
    /// Whether they asked for the names of all classes.
    pub lists: bool,
}

impl LookedAt {
    pub fn has(&self, name: &str) -> bool {
        self.classes.contains(name)
    }

    pub fn class(&mut self, name: &str) {
        if !self.classes.contains(name) {
            self.classes.insert(name.into());
        }
    }
}

/// What is behind the name of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Content {
    /// A class of the JDK, which is known by its version.
    Jdk,
    /// A class file.
    File([u8; 32]),
    /// Nothing that can be read.
    Nothing,
}

/// What somebody has looked at, by content.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Looks {
    /// Classes, those of the JDK left out, and names that no class has.
    pub classes: Vec<(String, Content)>,
    /// Classes of which only the supertypes mattered.
    pub supertypes: Vec<(String, [u8; 32])>,
    /// The names of the classes of packages.
    pub packages: Vec<(String, [u8; 32])>,
    /// The names of all classes, if they mattered.
    pub list: Option<[u8; 32]>,
}

impl ClassPath {
    /// What was looked at through this view.
    pub fn looks(&self) -> Looks {
        let (names, supertypes, packages, lists) = {
            let looked_at = locked(&self.looked_at);
            let names = looked_at.classes.clone();
            let supertypes: Vec<Name> =
                (looked_at.supertypes.difference(&names)).cloned().collect();
            (
                names,
                supertypes,
                looked_at.packages.clone(),
                looked_at.lists,
            )
        };
        let classes = names.iter().filter_map(|name| match self.content(name) {
            Content::Jdk => None,
            content => Some((name.to_string(), content)),
        });
        Looks {
            classes: classes.collect(),
            supertypes: (supertypes.into_iter())
                .map(|name| (name.to_string(), self.supertypes_of(&name)))
                .collect(),
            packages: (packages.into_iter())
                .map(|package| (package.clone(), self.names_in(&package)))
                .collect(),
            list: lists.then(|| self.list()),
        }
    }

    /// Whether somebody who looks at the same again sees the same.
    pub fn is_as_seen(&self, looks: &Looks) -> bool {
        let mut classes = looks.classes.iter();
        let mut supertypes = looks.supertypes.iter();
        let mut packages = looks.packages.iter();
        classes.all(|(name, content)| self.content(name) == *content)
            && supertypes.all(|(name, known)| self.supertypes_of(name) == *known)
            && packages.all(|(package, known)| self.names_in(package) == *known)
            && looks.list.is_none_or(|list| list == self.list())
    }

    /// Whether a class may be below another one, by the names of supertypes alone: where it is not,
    /// nothing else of it has been looked at.
    pub(crate) fn may_be_below(&self, name: &str, ancestor: &str) -> bool {
        let mut waiting: Vec<Name> = vec![name.into()];
        let mut seen = BTreeSet::new();
        while let Some(next) = waiting.pop() {
            if *next == *ancestor {
                return true;
            }
            if !seen.insert(next.clone()) {
                continue;
            }
            locked(&self.looked_at).supertypes.insert(next.clone());
            match self.known(&next) {
                Ok(class) => {
                    waiting.extend(class.superclass.clone());
                    waiting.extend(class.interfaces.iter().cloned());
                }
                // Whoever looks at it properly will say what is wrong.
                Err(_) => return true,
            }
        }
        false
    }

    fn supertypes_of(&self, name: &str) -> [u8; 32] {
        let mut digest = Digest::default();
        if let Ok(class) = self.view().load(name) {
            for name in class.superclass.iter().chain(&class.interfaces) {
                digest.text(name);
            }
        } else {
            digest.bytes(b"nothing");
        }
        digest.finish().0
    }

    fn names_in(&self, package: &str) -> [u8; 32] {
        let mut digest = Digest::default();
        for name in self.view().package(package).unwrap_or_default() {
            digest.text(&name);
        }
        digest.finish().0
    }

    fn content(&self, name: &str) -> Content {
        if let Some(known) = locked(&self.shared.fingerprints).get(name) {
            return *known;
        }
        let content = match self.jdk().contains(name) {
            Ok(true) => Content::Jdk,
            _ => match self.find(name) {
                Ok(Some(found)) => Content::File(Fingerprint::of(&found.bytes).0),
                _ => Content::Nothing,
            },
        };
        locked(&self.shared.fingerprints).insert(name.into(), content);
        content
    }

    /// What is read is what was looked at: a compiler may write the file again in the meantime.
    pub(super) fn note_content(&self, name: &str, bytes: &[u8]) {
        if !matches!(self.jdk().contains(name), Ok(true)) {
            let content = Content::File(Fingerprint::of(bytes).0);
            locked(&self.shared.fingerprints).insert(name.into(), content);
        }
    }

    fn list(&self) -> [u8; 32] {
        let mut digest = Digest::default();
        for name in self.view().classes().unwrap_or_default() {
            digest.text(name);
        }
        digest.finish().0
    }
}
