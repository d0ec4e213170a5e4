//! A folder of entries by key.
//!
//! Several processes may use it at once: an entry is written beside, and gets its name when it is
//! whole. An entry begins with the fingerprint of the rest, so one that is damaged is as good as none.
//! Nothing depends on an entry being there, so nothing here is an error but what the user asked for.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use crate::digest::{Digest, Fingerprint};

/// What entries are in, below the folder that was named. The number is that of the layout.
const ENTRIES: &str = "results-1";

/// No entry is larger: what has more is searched for again.
const LARGEST: u64 = 32 << 20;

/// What a process that was killed has left behind is not younger than this.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);

/// A store of results.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
    /// The bytes of all entries, at most, after [`Folder::trim`].
    limit: u64,
    written: AtomicU64,
    /// Whether it belongs to somebody else, so that nothing in it is changed.
    is_input: bool,
}

/// What is in a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// The entries.
    pub entries: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl Folder {
    /// The store in a folder, which is made when something is written. After a run it has so many
    /// bytes at most.
    pub fn new(folder: &Path, limit: u64) -> Folder {
        Folder {
            root: folder.join(ENTRIES),
            limit,
            written: AtomicU64::new(0),
            is_input: false,
        }
    }

    /// A store that is only read: nothing in it is changed, not even what is damaged.
    pub fn input(folder: &Path) -> Folder {
        Folder {
            is_input: true,
            ..Folder::new(folder, u64::MAX)
        }
    }

    /// Makes the folder, if it is not there.
    pub fn create(&self) -> io::Result<()> {
        create_private(&self.root)
    }

    /// Where the entries are.
    pub fn path(&self) -> &Path {
        &self.root
    }

    fn file(&self, key: &Fingerprint) -> PathBuf {
        let name = key.to_string();
        let (shelf, _) = name.split_at(2);
        self.root.join(shelf).join(&name)
    }

    /// The entry of a key. A damaged one is removed.
    pub fn get(&self, key: &Fingerprint) -> Option<Vec<u8>> {
        let path = self.file(key);
        if !is_folder(path.parent()?) {
            return None;
        }
        let known = fs::symlink_metadata(&path).ok()?;
        if !known.is_file() || known.len() > LARGEST {
            return None;
        }
        let bytes = fs::read(&path).ok()?;
        let whole = bytes.split_at_checked(32).and_then(|(sum, rest)| {
            let is_whole = sum_of(key, rest).0 == *sum;
            is_whole.then(|| rest.to_vec())
        });
        match &whole {
            _ if self.is_input => {}
            // What was of use lately is removed last.
            Some(_) => touch(&path),
            None => drop(fs::remove_file(&path)),
        }
        whole
    }

    /// Keeps an entry; whether that could be done.
    pub fn put(&self, key: &Fingerprint, bytes: &[u8]) -> bool {
        !self.is_input && bytes.len() as u64 + 32 <= LARGEST && self.write(key, bytes).is_ok()
    }

    fn write(&self, key: &Fingerprint, bytes: &[u8]) -> io::Result<()> {
        let path = self.file(key);
        let folder = path.parent().unwrap_or(&self.root);
        create_private(folder)?;
        if !is_folder(folder) {
            return Err(io::Error::other("a symbolic link in place of a folder"));
        }
        self.written.fetch_add(1, Ordering::Relaxed);
        let beside = folder.join(unused_name());
        let mut file = File::create_new(&beside)?;
        let written = (file.write_all(&sum_of(key, bytes).0))
            .and_then(|()| file.write_all(bytes))
            .and_then(|()| {
                drop(file);
                fs::rename(&beside, &path)
            });
        if written.is_err() {
            let _ = fs::remove_file(&beside);
        }
        written
    }

    /// What is there.
    pub fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::default();
        for (_, known) in self.files().filter(|(path, _)| is_entry(path)) {
            statistics.entries += 1;
            statistics.bytes += known.len();
        }
        statistics
    }

    /// Removes what was not of use for longest until the rest is small enough, if anything was
    /// written since, and what processes that were killed have left.
    pub fn trim(&self) {
        if self.written.swap(0, Ordering::Relaxed) == 0 {
            return;
        }
        let mut entries = Vec::new();
        let mut all = 0;
        for (path, known) in self.files() {
            let used = known.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            if is_entry(&path) {
                all += known.len();
                entries.push((used, path, known.len()));
            } else if used.elapsed().is_ok_and(|age| age > STALE) {
                let _ = fs::remove_file(path);
            }
        }
        entries.sort();
        for (_, path, size) in entries {
            if all <= self.limit {
                break;
            }
            if fs::remove_file(path).is_ok() {
                all -= size;
            }
        }
    }

    /// Removes all entries; how many they were. Files that are no entries stay.
    pub fn clear(&self) -> io::Result<Statistics> {
        let mut removed = Statistics::default();
        for (path, known) in self.files() {
            fs::remove_file(&path)?;
            if is_entry(&path) {
                removed.entries += 1;
                removed.bytes += known.len();
            }
        }
        Ok(removed)
    }

    /// The files of the store: entries, and what becomes one.
    fn files(&self) -> impl Iterator<Item = (PathBuf, Metadata)> {
        let is_shelf = |path: &Path| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.len() == 2 && is_hexadecimal(name)) && is_folder(path)
        };
        let shelves = list(&self.root).filter(move |path| is_shelf(path));
        let files = shelves.flat_map(|shelf| list(&shelf).collect::<Vec<_>>());
        files.filter_map(|path| {
            let known = fs::symlink_metadata(&path).ok()?;
            let is_ours = known.is_file() && (is_entry(&path) || is_unfinished(&path));
            is_ours.then_some((path, known))
        })
    }
}

/// The fingerprint of an entry together with its key, so that none is taken for another one.
fn sum_of(key: &Fingerprint, bytes: &[u8]) -> Fingerprint {
    let mut digest = Digest::default();
    digest.bytes(&key.0);
    digest.bytes(bytes);
    digest.finish()
}

/// Whether this is a folder, and no link to one.
fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|known| known.is_dir())
}

pub(crate) fn list(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path())
}

fn is_hexadecimal(name: &str) -> bool {
    name.bytes()
        .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

fn is_entry(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.len() == 64 && is_hexadecimal(name))
}

fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let number = name.and_then(|name| name.strip_prefix('.')?.strip_suffix(".tmp"));
    number.is_some_and(|number| {
        number
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
    })
}

/// A name for a file that is not whole yet. Processes of different machines may have the same number.
pub(crate) fn unused_name() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let now = now.map_or(0, |now| now.as_nanos());
    format!(".{}.{now}.{number}.tmp", std::process::id())
}

fn touch(path: &Path) {
    let file = File::options().append(true).open(path);
    let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
}

/// Creates a folder that nobody else reads: results quote the code under test.
pub(crate) fn create_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests;
