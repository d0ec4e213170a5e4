//! Classes, methods and entries of jars whose names lead elsewhere: nothing is written outside of
//! the folders that were asked for, and what cannot be written is said.

use crate::common::javac;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use heapwright_java::classpath::JdkSearch;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The names in this class are replaced.
const SOURCE: &str = "public class Placeholder {
    int value;
    Placeholder next;
    static int method(Placeholder p) { return p.next == null ? 1 : p.value; }
    public int size() { return next == null ? 1 : 2; }
}";

struct Project {
    folder: PathBuf,
    class: Vec<u8>,
}

impl Project {
    fn new(name: &str) -> Project {
        let folder = format!("heapwright-hostile-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        // Two levels, so that `../..` still leads into a folder of this test.
        fs::create_dir_all(folder.join("a/b")).expect("a folder");
        let source = folder.join("Placeholder.java");
        fs::write(&source, SOURCE).expect("a source");
        let jdk = JdkSearch::from_environment(None).open();
        let jdk = jdk.expect("this test needs a JDK");
        let compiler = jdk.home().join("bin/javac");
        javac::compile(&compiler, &["-g", "--release", "17"], &folder, &[source]);
        let class = fs::read(folder.join("Placeholder.class")).expect("a class file");
        Project { folder, class }
    }

    /// The class with other texts in its constant pool.
    fn class(&self, changes: &[(&str, &str)]) -> Vec<u8> {
        let mut class = self.class.clone();
        for (old, new) in changes {
            let (old, new) = (constant(old), constant(new));
            let at = class.windows(old.len()).position(|window| window == old);
            let at = at.expect("the class has the constant");
            class.splice(at..at + old.len(), new);
        }
        class
    }

    fn jar(&self, entries: &[(&str, &[u8])]) -> PathBuf {
        let jar = self.folder.join("a/hostile.jar");
        let mut writer = ZipWriter::new(File::create(&jar).expect("a file"));
        for (name, bytes) in entries {
            let options = SimpleFileOptions::default();
            writer.start_file(*name, options).expect("an entry");
            writer.write_all(bytes).expect("an entry");
        }
        writer.finish().expect("a jar");
        jar
    }

    /// Generates everything that can be written, for a target in a jar.
    fn generate(&self, jar: &Path, target: &str, more: &[&str]) -> Output {
        let inside = |name: &str| self.folder.join("a/b").join(name);
        Command::new(env!("CARGO_BIN_EXE_heapwright"))
            .args(["generate", target, "--any-heap", "-c"])
            .arg(jar)
            .arg("--out")
            .arg(inside("out"))
            .arg("--report")
            .arg(inside("report"))
            .arg("--json")
            .arg(inside("a.json"))
            .arg("--svg")
            .arg(inside("svg"))
            .arg("--dot")
            .arg(inside("dot"))
            .arg("--jacoco")
            .arg(inside("jacoco.xml"))
            .arg("--lcov")
            .arg(inside("lcov.info"))
            .arg("--sarif")
            .arg(inside("a.sarif"))
            .args(["--time", "5"])
            .args(more)
            .output()
            .expect("the binary starts")
    }

    /// Nothing was written but what was asked for.
    fn assert_inside(&self) {
        let names = |folder: &str| {
            let entries = fs::read_dir(self.folder.join(folder)).expect("a folder");
            let names = entries.map(|entry| entry.expect("an entry").file_name());
            let mut names: Vec<_> = names.collect();
            names.sort();
            names
        };
        assert_eq!(names(""), ["Placeholder.class", "Placeholder.java", "a"]);
        assert_eq!(names("a"), ["b", "hostile.jar"]);
        let known = [
            "out",
            "report",
            "a.json",
            "svg",
            "dot",
            "jacoco.xml",
            "lcov.info",
            "a.sarif",
        ];
        for name in names("a/b") {
            assert!(known.iter().any(|known| name == *known), "{name:?}");
        }
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A text as the constant pool has it.
fn constant(text: &str) -> Vec<u8> {
    // Modified UTF-8 has two bytes for the character with the number zero.
    let text = text.replace('\u{0}', "\u{fffd}");
    let mut bytes = Vec::new();
    for part in text.split('\u{fffd}') {
        if !bytes.is_empty() {
            bytes.extend([0xc0, 0x80]);
        }
        bytes.extend(part.as_bytes());
    }
    let mut constant = vec![1];
    constant.extend((bytes.len() as u16).to_be_bytes());
    constant.extend(bytes);
    constant
}

fn said(output: &Output) -> String {
    let mut said = String::from_utf8_lossy(&output.stdout).into_owned();
    said.push_str(&String::from_utf8_lossy(&output.stderr));
    said
}

/// Names that no class can have, in a jar under just that name: not found, and refused as targets.
#[test]
fn entries_that_lead_out_of_the_jar_are_no_classes() {
    let project = Project::new("entries");
    for name in [
        "../../x",
        "/etc/x",
        "a/../../b",
        "..",
        "./x",
        "a//b",
        "a\\b",
    ] {
        let class = project.class(&[("Placeholder", name)]);
        let jar = project.jar(&[(&format!("{name}.class"), &class)]);
        for target in [name, &name.replace('/', ".")] {
            let output = project.generate(&jar, target, &[]);
            assert_eq!(output.status.code(), Some(1), "{name}: {}", said(&output));
            assert!(!output.stderr.is_empty(), "{name}");
            project.assert_inside();
        }
    }
}

/// Names that a virtual machine accepts, but that no file should have.
#[test]
fn classes_that_no_file_can_be_called_after_are_refused() {
    let project = Project::new("classes");
    let long = format!("p/{}", "L".repeat(300));
    for (name, reason) in [
        ("p/C:x", "separates folders or drives"),
        ("p/a\nb", "control character"),
        ("p/a\u{1b}b", "control character"),
        (long.as_str(), "too long"),
    ] {
        let class = project.class(&[
            ("Placeholder", name),
            ("LPlaceholder;", &format!("L{name};")),
        ]);
        let jar = project.jar(&[(&format!("{name}.class"), &class)]);
        for mode in ["concolic", "sequences"] {
            let output = project.generate(&jar, "p.*", &["--mode", mode]);
            let said = said(&output);
            assert_eq!(output.status.code(), Some(1), "{name:?}: {said}");
            assert!(
                said.contains("is not tested") && said.contains(reason),
                "{name:?}: {said}"
            );
            project.assert_inside();
        }
    }
}

/// A hostile class beside a usual one: the usual one is tested.
#[test]
fn other_classes_are_tested_all_the_same() {
    let project = Project::new("beside");
    let name = "p/a\nb";
    let hostile = project.class(&[("Placeholder", name), ("LPlaceholder;", "Lp/a\nb;")]);
    let usual = project.class(&[("Placeholder", "p/Usual"), ("LPlaceholder;", "Lp/Usual;")]);
    let jar = project.jar(&[
        (&format!("{name}.class"), &hostile),
        ("p/Usual.class", &usual),
        ("../../x.class", &usual),
    ]);
    let output = project.generate(&jar, "p.*", &["--via-api"]);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("is not tested"), "{said}");
    let tests = project.folder.join("a/b/out/p/UsualTest.java");
    assert!(tests.is_file(), "{said}");
    project.assert_inside();
}

/// Names of methods, fields and source files are somebody's texts as well.
#[test]
fn names_of_methods_fields_and_sources_lead_nowhere() {
    let project = Project::new("members");
    fs::write(project.folder.join("Placeholder.java"), SOURCE).expect("a source");
    let class = project.class(&[
        ("method", "..\\..\\m"),
        ("size", "s i-z*e"),
        ("value", "va\nlue"),
        ("Placeholder.java", "../../../../../../../../etc/passwd"),
    ]);
    let jar = project.jar(&[("Placeholder.class", &class)]);
    let output = project.generate(&jar, "Placeholder", &[]);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("Placeholder#..\\\\..\\\\m is not tested"),
        "{said}"
    );
    project.assert_inside();
    let page = fs::read_to_string(project.folder.join("a/b/report/index.html"));
    let page = page.expect("the report of the other method");
    assert!(
        !page.contains("root:x:0"),
        "the report shows a file of the system"
    );
}

/// Two classes whose tests would have the same file: none is lost without a word.
#[test]
fn classes_that_would_share_a_file_do_not_replace_each_other() {
    let project = Project::new("shared");
    let one = project.class(&[("Placeholder", "p/A-b"), ("LPlaceholder;", "Lp/A-b;")]);
    let other = project.class(&[("Placeholder", "p/A_b"), ("LPlaceholder;", "Lp/A_b;")]);
    let jar = project.jar(&[("p/A-b.class", &one), ("p/A_b.class", &other)]);
    let output = project.generate(&jar, "p.*", &[]);
    let said = said(&output);
    assert!(said.contains("has the tests of another class"), "{said}");
    project.assert_inside();
}

/// A program of ImpL has no names that could lead elsewhere; its file is named by the user.
#[test]
fn programs_with_such_names_are_refused_with_a_place() {
    let project = Project::new("programs");
    let file = project.folder.join("a/p.impl");
    for name in ["../x", "a\\b", "a\u{0}b"] {
        fs::write(&file, format!("proc {name}(int n) {{ skip }}")).expect("a file");
        let output = Command::new(env!("CARGO_BIN_EXE_heapwright"))
            .arg("generate")
            .arg(&file)
            .arg("--out")
            .arg(project.folder.join("a/b/out"))
            .output()
            .expect("the binary starts");
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        assert!(said(&output).contains("p.impl:1:"), "{}", said(&output));
    }
}
