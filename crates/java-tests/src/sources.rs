//! Source texts of classes, as far as they are found.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use heapwright_engine::SourceLine;
use heapwright_ir::Program;
use heapwright_java::target::TargetMethod;
use heapwright_store::Fingerprint;

use crate::program::JavaProgram;
use heapwright_testgen::host::{Host, PathKind};
use heapwright_testgen::{Error, RequestError};

/// Longer files are no source that somebody wrote.
const LONGEST: u64 = 4 << 20;

/// Where sources are, and those that were read.
pub struct Sources {
    /// The folders.
    pub folders: Vec<PathBuf>,
    host: Arc<dyn Host>,
    texts: BTreeMap<String, String>,
    /// Whether they are for reports only, so that searches find none.
    pub are_hidden: bool,
}

impl Sources {
    /// Sources in some folders.
    pub fn new(folders: Vec<PathBuf>, host: Arc<dyn Host>) -> Self {
        Sources {
            folders,
            host,
            texts: BTreeMap::new(),
            are_hidden: false,
        }
    }

    /// The fingerprints of all texts that were looked for, by name.
    pub(crate) fn fingerprints(&self) -> Vec<(String, [u8; 32])> {
        let texts = self.texts.iter();
        texts
            .map(|(name, text)| (name.clone(), Fingerprint::of(text.as_bytes()).0))
            .collect()
    }

    /// The fingerprint of the text of a file, as it is now.
    pub(crate) fn fingerprint(&self, name: &str) -> [u8; 32] {
        let found = || self.find(name).unwrap_or_default();
        let known = self.texts.get(name);
        let text = known.map_or_else(|| found().into(), Cow::from);
        Fingerprint::of(text.as_bytes()).0
    }

    /// What searches find by a name.
    fn find(&self, name: &str) -> Option<String> {
        match self.are_hidden {
            true => None,
            false => find(&*self.host, &self.folders, name),
        }
    }

    /// A text that is for reports only.
    pub(crate) fn hidden(&self, name: &str) -> Option<String> {
        match self.are_hidden {
            true => find(&*self.host, &self.folders, name),
            false => None,
        }
    }

    /// Fills in the texts of the files of a program.
    pub fn fill(&mut self, program: &mut Program) {
        for file in &mut program.files {
            if !self.texts.contains_key(&file.name) {
                let text = self.find(&file.name).unwrap_or_default();
                self.texts.insert(file.name.clone(), text);
            }
            if let Some(text) = self.texts.get(&file.name) {
                file.text.clone_from(text);
            }
        }
    }
}

/// The text of a file in one of the folders. Class files say what their sources are called, and may
/// say anything: names that lead out of the folders mean nothing, and neither do links. Sources are
/// shown in reports.
fn find(host: &dyn Host, folders: &[PathBuf], name: &str) -> Option<String> {
    let mut parts = Path::new(name).components();
    if !parts.all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    folders.iter().find_map(|folder| {
        let file = folder.join(name);
        match host.look(&file) {
            Some(PathKind::File { size }) if size <= LONGEST => host.read_found(&file, folder).ok(),
            _ => None,
        }
    })
}

impl JavaProgram {
    /// The place that `LINE` or `FILE:LINE` means for a method; none if it is in another file than
    /// the method.
    pub fn place(
        &mut self,
        target: &TargetMethod,
        text: &str,
    ) -> Result<Option<SourceLine>, Error> {
        let (file, line) = match text.rsplit_once(':') {
            Some((file, line)) => (Some(file), line),
            None => (None, text),
        };
        let line =
            (line.parse().ok().filter(|&line| line > 0)).ok_or_else(|| RequestError::Place {
                text: text.to_owned(),
                needed: "write LINE or FILE:LINE",
            })?;
        let class = &target.declared.class;
        let own = class.source_file.as_deref().unwrap_or_default();
        let same = |file: &str| file == own || file.ends_with(&format!("/{own}"));
        if file.is_some_and(|file| !same(file)) {
            return Ok(None);
        }
        let file = self.world.source_file(class);
        Ok(Some(SourceLine { file, line }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwright_testgen::host::QuietHost;
    use heapwright_testgen::temporary::Temporary;

    #[test]
    fn sources_are_found_inside_of_the_folders_only() {
        let folder = Temporary::named(&std::env::temp_dir(), "sources");
        let inside = folder.path().join("inside");
        std::fs::create_dir_all(&inside).expect("a folder");
        let secret = folder.path().join("secret.txt");
        std::fs::write(&secret, "secret").expect("a file");
        std::fs::write(inside.join("A.java"), "class A {}").expect("a file");
        let folders = [inside];
        assert_eq!(
            find(&QuietHost::default(), &folders, "A.java").as_deref(),
            Some("class A {}")
        );
        let absolute = secret.display().to_string();
        for name in ["../secret.txt", "a/../../secret.txt", &absolute, ""] {
            assert_eq!(find(&QuietHost::default(), &folders, name), None, "{name}");
        }
        #[cfg(unix)]
        {
            let link = folders[0].join("B.java");
            std::os::unix::fs::symlink(&secret, link).expect("a link");
            assert_eq!(find(&QuietHost::default(), &folders, "B.java"), None);
        }
    }
}
