//! Classes that extend classes of the JDK: inputs without a specification, and tests that need
//! nothing to be opened.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{heapwright, root};

/// The classes, and branches of theirs that need another state of the JDK's part than the one that
/// a constructor leaves: they stay open.
const CLASSES: [(&str, usize); 16] = [
    ("Lists$Repeated", 1),
    ("Lists$LimitedVector", 1),
    ("Lists$LimitedList", 0),
    ("Maps$Constant", 0),
    ("Maps$Counting", 1),
    ("Maps$Cache", 0),
    ("Maps$Named", 0),
    ("Others$Task", 0),
    ("Others$Signal", 0),
    ("Others$Ones", 0),
    ("Others$Lengths", 0),
    ("Others$Sevens", 0),
    ("Others$Whole", 0),
    ("Others$Texts", 0),
    ("Others$Keyed", 0),
    ("Others$Problem", 0),
];

struct Classes(PathBuf);

impl Drop for Classes {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn compiled() -> Classes {
    let name = format!("heapwright-subclasses-{}", std::process::id());
    let classes = Classes(std::env::temp_dir().join(name));
    let sources = root().join("crates/cli/tests/data/subclasses/subs");
    let files = ["Lists.java", "Maps.java", "Others.java"].map(|file| sources.join(file));
    let status = Command::new("javac")
        .args(["-g", "--release", "17", "-d"])
        .arg(&classes.0)
        .args(files)
        .status();
    assert!(status.expect("javac is installed").success());
    classes
}

/// The JDKs beside the usual one.
fn other_jdks() -> Vec<PathBuf> {
    let homes = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten();
    let mut homes: Vec<PathBuf> = homes.flatten().map(|entry| entry.path()).collect();
    homes.retain(|home| home.join("bin/javac").is_file() && home.to_string_lossy().contains("25"));
    homes.truncate(1);
    homes
}

#[test]
fn subclasses_of_the_jdk_are_tested() {
    let classes = compiled();
    let out = classes.0.join("tests");
    let class_path = classes.0.display().to_string();
    for (class, open) in CLASSES {
        let target = format!("subs.{class}");
        let out = out.display().to_string();
        let words = [
            "generate",
            &target,
            "--any-heap",
            "-c",
            &class_path,
            "--out",
            &out,
            "--verify",
        ];
        let run = heapwright(&words);
        let said = format!("{}{}", run.stdout, run.stderr);
        assert_eq!(run.code, 0, "{said}");
        assert!(!said.contains("unreachable"), "{said}");
        assert!(!said.contains(" 0 tests"), "{said}");
        assert!(!said.contains("not written"), "{said}");
        let left = said.lines().filter(|line| line.contains(": not taken: "));
        assert_eq!(left.count(), open, "{said}");
        assert!(!said.contains("--add-opens"), "{said}");
    }
    for jdk in other_jdks() {
        let jdk = jdk.display().to_string();
        let words = [
            "generate",
            "subs.*",
            "--any-heap",
            "-c",
            &class_path,
            "--verify",
            "--jdk",
            &jdk,
        ];
        let run = heapwright(&words);
        assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
        assert!(run.stdout.contains("verified on Java 25"), "{}", run.stdout);
    }
    assert!(Path::new(&out).is_dir());
}
