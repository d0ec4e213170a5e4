//! Same input and options, same bytes: whatever the number of threads, and however often. All
//! outputs are compared: what is printed, tests, reports, pictures and the formats of other tools.
//!
//! `scripts/repeatable.py` does the same for all subjects.

use crate::common::javac;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use heapwright_java::classpath::JdkSearch;

/// Numbers that Z3 has to find, bits, floats, and functions that no theory covers: what the solver
/// has seen before must not show in the values.
const NUMBERS: &str = "package numbers;
public class Numbers {
    static class Node { int key; double weight; Node next; }
    static int product(int x, int y) {
        if (x * y == 391 && x > 1 && y > x) return 1;
        if (x * x + y * y == 1000) return 2;
        if ((x ^ y) == 0x5a5a && (x & 0xff) > (y & 0xff)) return 3;
        return 0;
    }
    static int hash(int h) {
        h ^= h >>> 16; h *= 0x85ebca6b; h ^= h >>> 13;
        if ((h & 0xfff) == 0x123) return 1;
        if (h % 1009 == 17) return 2;
        return 0;
    }
    static int curve(double x, double y) {
        if (x * x + y * y < 2.0 && x * y > 0.9) return 1;
        if (Math.sin(x) > 0.5 && Math.cos(y) < -0.5) return 2;
        return Math.sqrt(x) == 3.0 ? 3 : 0;
    }
    static int list(Node n, int k) {
        int found = 0;
        while (n != null) {
            if (n.key * k == 77) found++;
            if (n.weight * n.weight > 10.5 && n.weight < 0) found += 2;
            n = n.next;
        }
        return found;
    }
}
";

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("heapwright-repeatable-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a temporary folder");
        Folder(folder)
    }

    fn compile(&self, sources: &[PathBuf]) -> PathBuf {
        let jdk = JdkSearch::from_environment(None).open();
        let jdk = jdk.expect("this test needs a JDK");
        let classes = self.0.join("classes");
        let compiler = jdk.home().join("bin/javac");
        javac::compile(&compiler, &["-g", "--release", "17"], &classes, sources);
        classes
    }

    /// Everything that a run writes, by name; it runs in a folder of its own, so that all runs can
    /// use the same names.
    fn outputs(&self, run: &str, arguments: &[&str]) -> BTreeMap<String, Vec<u8>> {
        let folder = self.0.join(run);
        fs::create_dir_all(&folder).expect("a folder");
        let outputs = "--out out --json report.json --report page --svg svg --dot dot \
                       --jacoco jacoco.xml --cobertura cobertura.xml --lcov trace.info \
                       --sarif findings.sarif";
        let output = Command::new(env!("CARGO_BIN_EXE_heapwright"))
            .arg("generate")
            .args(arguments)
            .args(outputs.split_whitespace())
            .current_dir(&folder)
            .stdin(Stdio::null())
            .output()
            .expect("the binary starts");
        let mut files = BTreeMap::new();
        read_all(&folder, "", &mut files);
        assert!(files.contains_key("report.json"), "{output:?}");
        assert!(files.contains_key("page/index.html"), "{output:?}");
        files.insert("(stdout)".to_owned(), output.stdout);
        files.insert("(stderr)".to_owned(), output.stderr);
        files
    }

    /// Runs with several numbers of threads, one of them twice.
    fn check(&self, arguments: &[&str]) {
        let outputs = |run: &str, jobs: &str| {
            let arguments = [arguments, &["--jobs", jobs]].concat();
            self.outputs(run, &arguments)
        };
        let expected = outputs("first", "1");
        for (run, jobs) in [("second", "2"), ("third", "2"), ("fourth", "4")] {
            let found = outputs(run, jobs);
            let names = |files: &BTreeMap<String, Vec<u8>>| -> Vec<String> {
                files.keys().cloned().collect()
            };
            assert_eq!(names(&found), names(&expected), "--jobs {jobs}");
            for (name, bytes) in &found {
                let text = String::from_utf8_lossy(bytes);
                let before = String::from_utf8_lossy(&expected[name]);
                assert!(
                    text == before,
                    "{name} with --jobs {jobs}:\n{text}\n{before}"
                );
            }
        }
    }
}

/// The files below a folder with their contents.
fn read_all(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        match entry.path().is_dir() {
            true => read_all(&entry.path(), &format!("{name}/"), files),
            false => {
                files.insert(name, fs::read(entry.path()).expect("a file"));
            }
        }
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn numbers_do_not_depend_on_threads() {
    let folder = Folder::new("numbers");
    let source = folder.0.join("Numbers.java");
    fs::write(&source, NUMBERS).expect("a source");
    let classes = folder.compile(&[source]);
    let classes = classes.to_string_lossy();
    folder.check(&["numbers.Numbers", "-c", &classes]);
}

#[test]
fn floats_in_lists_do_not_depend_on_threads() {
    let folder = Folder::new("floats");
    let source = root().join("subjects/java/src/subjects/math/MathTraversals.java");
    let classes = folder.compile(&[source]);
    let classes = classes.to_string_lossy();
    let spec = root().join("subjects/java/specs/MathTraversals.sl");
    let spec = spec.to_string_lossy();
    // One of its methods: all of them are for the script.
    let target = "subjects.math.MathTraversals#withPow";
    folder.check(&[target, "-c", &classes, "--spec", &spec]);
}

#[test]
fn programs_in_impl_do_not_depend_on_threads() {
    let folder = Folder::new("impl");
    let program = root().join("examples/impl/red_black_tree.impl");
    folder.check(&[&program.to_string_lossy()]);
}
