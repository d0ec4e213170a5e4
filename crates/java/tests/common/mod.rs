//! What the tests share: the JDKs of this machine, and Java sources compiled on the fly.
//!
//! Tests need a JDK. They find it as the program does, through `JAVA_HOME` or `java` on `PATH`; a
//! second one is taken from the folder beside it, where systems keep several.

#![allow(dead_code)] // Each test binary uses its own part.

use heapwright_java::classpath::{ClassPath, Jdk, JdkSearch};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The JDK that the environment names.
pub fn jdk() -> Jdk {
    JdkSearch::from_environment(None)
        .open()
        .expect("these tests need a JDK")
}

/// All JDKs that are installed beside each other, each version once, the default one first.
pub fn all_jdks() -> Vec<Jdk> {
    let mut jdks = vec![jdk()];
    let beside = jdks[0]
        .home()
        .canonicalize()
        .unwrap()
        .parent()
        .unwrap()
        .to_path_buf();
    let mut homes: Vec<_> = fs::read_dir(beside)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    homes.sort();
    for home in homes {
        match Jdk::open(&home) {
            Ok(jdk) if jdks.iter().all(|known| known.version() != jdk.version()) => jdks.push(jdk),
            _ => {}
        }
    }
    if jdks.len() == 1 {
        eprintln!("only one JDK was found (version {})", jdks[0].version());
    }
    jdks
}

/// A folder of its own for a test, removed at the end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("heapwright-java-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, contents).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs a tool of a JDK and gives what it printed.
pub fn run(jdk: &Jdk, tool: &str, arguments: &[&str]) -> String {
    let output = Command::new(jdk.home().join("bin").join(tool))
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("{tool}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{tool} {arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Compiles Java sources, each with its path, into the folder `classes` of the result.
pub fn compile(jdk: &Jdk, options: &[&str], sources: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    let classes = folder.path().join("classes").display().to_string();
    let files: Vec<String> = (sources.iter())
        .map(|(name, text)| {
            folder
                .write(&format!("src/{name}"), text)
                .display()
                .to_string()
        })
        .collect();
    let mut arguments = vec!["-d", &classes];
    arguments.extend(options);
    arguments.extend(files.iter().map(String::as_str));
    run(jdk, "javac", &arguments);
    folder
}

/// The class path of compiled sources.
pub fn class_path(folder: &Folder) -> ClassPath {
    ClassPath::open(jdk(), [folder.path().join("classes")]).unwrap()
}
