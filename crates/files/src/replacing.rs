//! Files that are replaced in one step.

use std::io;
use std::path::Path;

/// Writes a file, replacing one that is there. Whatever happens meanwhile, there is either the old
/// file or the new one: it is written beside, and gets the right name when it is whole.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    // What a link leads to is replaced, not the link; devices and pipes are written to.
    let path = match std::fs::metadata(path) {
        Ok(known) if !known.is_file() => return std::fs::write(path, text),
        Ok(_) => std::fs::canonicalize(path)?,
        Err(_) => path.to_owned(),
    };
    let Some(name) = path.file_name() else {
        return std::fs::write(path, text);
    };
    let name = name.to_string_lossy();
    remove_stale(&path, &name);
    let beside = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, &path));
    if written.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    written
}

/// Removes what processes that were killed in the middle of writing a file have left beside it.
fn remove_stale(path: &Path, name: &str) {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let Ok(entries) = std::fs::read_dir(folder.unwrap_or(Path::new("."))) else {
        return;
    };
    for entry in entries.flatten() {
        let beside = entry.file_name();
        let process = (beside.to_str())
            .and_then(|beside| beside.strip_prefix(&format!(".{name}.")))
            .and_then(|rest| rest.strip_suffix(".tmp"))
            .and_then(|process| process.parse::<u32>().ok());
        if process.is_some_and(|process| !may_be_alive(process)) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Whether there may be a process with this number; nobody knows where the system does not tell.
fn may_be_alive(process: u32) -> bool {
    let processes = Path::new("/proc");
    !processes.join("self").exists() || processes.join(process.to_string()).exists()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::temporary::Temporary;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).expect("a folder").flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn files_are_replaced_and_nothing_else_is_left() {
        let folder = Temporary::named(&std::env::temp_dir(), "replaced");
        std::fs::create_dir_all(folder.path()).expect("a folder");
        let file = folder.path().join("a.txt");
        for text in ["one", "two"] {
            replace(&file, text).expect("a file");
            assert_eq!(std::fs::read_to_string(&file).expect("a file"), text);
        }
        assert_eq!(names(folder.path()), ["a.txt"]);
        let missing = folder.path().join("no/a.txt");
        replace(&missing, "text").expect_err("there is no folder");
    }

    /// No process has a number as large as this.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_killed_processes_left_is_removed() {
        let folder = Temporary::named(&std::env::temp_dir(), "stale");
        std::fs::create_dir_all(folder.path()).expect("a folder");
        let mine = format!(".a.txt.{}.tmp", std::process::id());
        for name in [
            ".a.txt.4294967295.tmp",
            ".b.txt.4294967295.tmp",
            ".a.txt.x.tmp",
            &mine,
        ] {
            std::fs::write(folder.path().join(name), "half").expect("a file");
        }
        replace(&folder.path().join("a.txt"), "whole").expect("a file");
        let left = [".a.txt.x.tmp", ".b.txt.4294967295.tmp", "a.txt"];
        assert_eq!(names(folder.path()), left);
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_and_devices_are_written_to() {
        let folder = Temporary::named(&std::env::temp_dir(), "linked");
        std::fs::create_dir_all(folder.path()).expect("a folder");
        let (file, link) = (folder.path().join("a.txt"), folder.path().join("b.txt"));
        std::fs::write(&file, "old").expect("a file");
        std::os::unix::fs::symlink("a.txt", &link).expect("a link");
        replace(&link, "new").expect("a file");
        assert_eq!(std::fs::read_to_string(&file).expect("a file"), "new");
        assert!(link.is_symlink());
        replace(Path::new("/dev/null"), "text").expect("a device");
        assert!(!Path::new("/dev/null").is_file());
    }
}
