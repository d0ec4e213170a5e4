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
    /// The names of all classes, if they mattered.
    pub list: Option<[u8; 32]>,
}

impl ClassPath {
    /// What was looked at through this view.
    pub fn looks(&self) -> Looks {
        let (names, lists) = {
            let looked_at = locked(&self.looked_at);
            (looked_at.classes.clone(), looked_at.lists)
        };
        let classes = names.iter().filter_map(|name| match self.content(name) {
            Content::Jdk => None,
            content => Some((name.to_string(), content)),
        });
        Looks {
            classes: classes.collect(),
            list: lists.then(|| self.list()),
        }
    }

    /// Whether somebody who looks at the same again sees the same.
    pub fn is_as_seen(&self, looks: &Looks) -> bool {
        let mut classes = looks.classes.iter();
        classes.all(|(name, content)| self.content(name) == *content)
            && looks.list.is_none_or(|list| list == self.list())
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

    fn list(&self) -> [u8; 32] {
        let mut digest = Digest::default();
        for name in self.view().classes().unwrap_or_default() {
            digest.text(name);
        }
        digest.finish().0
    }
}
