//! Places in source files, as clang writes them.

use std::fmt;
use std::path::Path;

use rustc_hash::FxHashMap;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

use super::stream::TextSeed;
use crate::ast::Place;

/// A place with what else clang says of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Location {
    /// Where a macro is used, not where it is defined.
    pub(super) place: Place,
    /// Bytes from the beginning of the file.
    pub(super) offset: usize,
    /// Bytes of the word that stands there.
    pub(super) length: usize,
    /// Whether it comes from a macro.
    pub(super) in_macro: bool,
    /// Whether it comes from a macro of a system header.
    pub(super) in_system_macro: bool,
}

/// The files of a tree, and the last place that was read.
#[derive(Default, Debug)]
pub(super) struct Places {
    pub(super) files: Vec<String>,
    indices: FxHashMap<String, u32>,
    is_system: Vec<bool>,
    system_folders: Vec<String>,
    last: Place,
}

impl Places {
    /// The first file is the one that is asked for.
    pub(super) fn new(file: &Path, system_folders: Vec<String>) -> Places {
        let mut places = Places {
            system_folders,
            ..Places::default()
        };
        places.file(&file.display().to_string());
        places
    }

    fn file(&mut self, name: &str) -> u32 {
        if let Some(&index) = self.indices.get(name) {
            return index;
        }
        let index = self.files.len() as u32;
        self.files.push(name.to_owned());
        self.indices.insert(name.to_owned(), index);
        self.is_system.push(index > 0 && self.is_system_path(name));
        index
    }

    /// Whether a header is one of the system: by where it lies, because the dump does not say it.
    fn is_system_path(&self, name: &str) -> bool {
        let usual = ["/usr/", "/lib/", "/opt/", "/Library/", "/Applications/"];
        usual.iter().any(|folder| name.starts_with(folder))
            || name.contains("/lib/clang/")
            || self
                .system_folders
                .iter()
                .any(|folder| Path::new(name).starts_with(folder))
    }
}

impl<'t> DeserializeSeed<'t> for &mut Places {
    type Value = Option<Location>;

    fn deserialize<D: Deserializer<'t>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_map(self)
    }
}

impl<'t> Visitor<'t> for &mut Places {
    type Value = Option<Location>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a place")
    }

    fn visit_map<M: MapAccess<'t>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut location = Location::default();
        let mut is_known = false;
        let mut spelling = None;
        let mut expansion = None;
        while let Some(key) = map.next_key_seed(TextSeed)? {
            match key.as_ref() {
                "spellingLoc" => spelling = map.next_value_seed(&mut *self)?,
                "expansionLoc" => expansion = map.next_value_seed(&mut *self)?,
                "file" => {
                    let name = map.next_value_seed(TextSeed)?;
                    self.last.file = self.file(&name);
                }
                "line" => self.last.line = map.next_value()?,
                "col" => {
                    is_known = true;
                    self.last.column = map.next_value()?;
                }
                "offset" => location.offset = map.next_value()?,
                "tokLen" => location.length = map.next_value()?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        if let Some(expansion) = expansion {
            let file = spelling.map_or(0, |spelling| spelling.place.file);
            return Ok(Some(Location {
                in_macro: true,
                in_system_macro: self.is_system.get(file as usize) == Some(&true),
                ..expansion
            }));
        }
        location.place = self.last;
        Ok(is_known.then_some(location))
    }
}

/// Where something begins, and where its last word begins.
pub(super) struct RangeSeed<'p>(pub(super) &'p mut Places);

impl<'t> DeserializeSeed<'t> for RangeSeed<'_> {
    type Value = (Location, Location);

    fn deserialize<D: Deserializer<'t>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_map(self)
    }
}

impl<'t> Visitor<'t> for RangeSeed<'_> {
    type Value = (Location, Location);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a range of places")
    }

    fn visit_map<M: MapAccess<'t>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut range = (Location::default(), Location::default());
        while let Some(key) = map.next_key_seed(TextSeed)? {
            match key.as_ref() {
                "begin" => range.0 = map.next_value_seed(&mut *self.0)?.unwrap_or_default(),
                "end" => range.1 = map.next_value_seed(&mut *self.0)?.unwrap_or_default(),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(range)
    }
}
