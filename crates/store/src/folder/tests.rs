use super::*;
use heapwright_files::temporary::Temporary;

/// Tests run side by side in one process, each with a folder of its own.
fn folder(name: &str, limit: u64) -> (Temporary, Folder) {
    let temporary = Temporary::named(&std::env::temp_dir(), &format!("store-{name}"));
    let folder = Folder::new(temporary.path(), limit);
    (temporary, folder)
}

fn key(text: &str) -> Fingerprint {
    Fingerprint::of(text.as_bytes())
}

#[test]
fn entries_are_found_again_and_cleared() {
    let (_temporary, folder) = folder("found", u64::MAX);
    assert_eq!(folder.get(&key("a")), None);
    assert!(folder.put(&key("a"), b"one") && folder.put(&key("a"), b"two"));
    assert!(folder.put(&key("b"), b""));
    assert_eq!(folder.get(&key("a")).as_deref(), Some(&b"two"[..]));
    assert_eq!(folder.get(&key("b")).as_deref(), Some(&b""[..]));
    let expected = Statistics {
        entries: 2,
        bytes: 67,
    };
    assert_eq!(folder.statistics(), expected);
    let foreign = folder.path().join("readme.txt");
    fs::write(&foreign, "not ours").expect("a file");
    assert_eq!(folder.clear().expect("removable files"), expected);
    assert_eq!(folder.statistics(), Statistics::default());
    assert!(foreign.exists());
}

#[test]
fn damaged_entries_are_none() {
    let (_temporary, folder) = folder("damaged", u64::MAX);
    for damage in [&b""[..], b"short", &[7; 100]] {
        assert!(folder.put(&key("a"), b"a result"));
        fs::write(folder.file(&key("a")), damage).expect("a file");
        assert_eq!(folder.get(&key("a")), None);
        assert!(!folder.file(&key("a")).exists());
    }
    assert!(folder.put(&key("a"), b"a result"));
    let mut bytes = fs::read(folder.file(&key("a"))).expect("an entry");
    bytes[36] ^= 1;
    fs::write(folder.file(&key("a")), bytes).expect("a file");
    assert_eq!(folder.get(&key("a")), None);
}

#[test]
fn what_was_not_of_use_for_longest_goes_first() {
    let (_temporary, folder) = folder("trimmed", 3 * 132);
    for name in ["a", "b", "c", "d", "e"] {
        assert!(folder.put(&key(name), &[0; 100]));
        let file = File::options()
            .append(true)
            .open(folder.file(&key(name)))
            .expect("an entry");
        let age = Duration::from_secs(1000 - u64::from(name.as_bytes()[0]));
        file.set_modified(SystemTime::now() - age).expect("a time");
    }
    assert!(folder.get(&key("a")).is_some());
    folder.trim();
    let left = ["a", "b", "c", "d", "e"].map(|name| folder.get(&key(name)).is_some());
    assert_eq!(left, [true, false, false, true, true]);
}

/// Threads stand for processes: they have nothing in common but the folder.
#[test]
fn whoever_reads_sees_whole_entries_only() {
    let (temporary, _) = folder("shared", u64::MAX);
    let path = temporary.path();
    std::thread::scope(|scope| {
        for writer in 0..4_u8 {
            scope.spawn(move || {
                let folder = Folder::new(path, u64::MAX);
                for _ in 0..50 {
                    assert!(folder.put(&key("a"), &vec![writer; 50_000]));
                    let seen = folder.get(&key("a")).expect("a whole entry");
                    assert!(seen.iter().all(|byte| *byte == seen[0]) && seen.len() == 50_000);
                }
            });
        }
    });
}

#[cfg(unix)]
#[test]
fn nobody_else_reads_results() {
    use std::os::unix::fs::PermissionsExt;
    let (_temporary, folder) = folder("private", u64::MAX);
    assert!(folder.put(&key("a"), b"quotes code"));
    let mode = fs::metadata(folder.path()).expect("a folder").permissions();
    assert_eq!(mode.mode() & 0o077, 0);
}

#[test]
fn what_is_only_read_stays_as_it_is() {
    let (temporary, folder) = folder("input", u64::MAX);
    assert!(folder.put(&key("a"), b"whole"));
    fs::write(folder.file(&key("a")), "damaged").expect("a file");
    let input = Folder::input(temporary.path());
    assert_eq!(input.get(&key("a")), None);
    assert!(folder.file(&key("a")).exists());
    assert!(!input.put(&key("b"), b"new"));
}
