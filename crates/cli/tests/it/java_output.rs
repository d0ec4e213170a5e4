//! Test classes for Java as `generate --out` writes them.

use std::path::PathBuf;
use std::time::SystemTime;

use crate::common::{Run, heapwright, javac, root};

const SOURCES: &str = "crates/cli/tests/data/java";

/// The compiled example, and a folder for tests of it; removed at the end.
struct Project(PathBuf);

impl Project {
    fn new(name: &str) -> Project {
        let folder = std::env::temp_dir().join(format!(
            "heapwright-java-output-{name}-{}",
            std::process::id()
        ));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        let files = ["Chain", "Deep", "Endless", "Recursion", "Tally"].map(|class| {
            let file = format!("demo/{class}.java");
            root().join(SOURCES).join(file)
        });
        let classes = folder.join("classes");
        javac::compile(&javac::usual(), &["-g"], &classes, &files);
        Project(folder)
    }

    fn generate(&self, target: &str, more: &[&str]) -> Run {
        let classes = self.0.join("classes").display().to_string();
        let out = self.0.join("out").display().to_string();
        let mut arguments = vec!["generate", target, "-c", &classes, "--sources", SOURCES];
        arguments.extend(["--any-heap", "--out", &out]);
        arguments.extend(more);
        heapwright(&arguments)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join("out/demo").join(name)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.file(name)).expect("a test class")
    }

    fn changed(&self, name: &str) -> SystemTime {
        let known = std::fs::metadata(self.file(name)).expect("a test class");
        known.modified().expect("a time")
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn tests_of_a_class_and_of_a_method_have_files_of_their_own() {
    let project = Project::new("java-files");
    let first = project.generate("demo.Chain", &[]);
    assert_eq!(first.code, 4, "{}", first.stderr);
    assert!(
        first.stdout.contains("demo.Chain#cut(boolean all)\n"),
        "{}",
        first.stdout
    );
    let whole = project.read("ChainTest.java");
    let written = project.changed("ChainTest.java");
    let second = project.generate("demo.Chain", &[]);
    assert!(second.stdout.contains("unchanged: "), "{}", second.stdout);
    assert!(!second.stdout.contains("wrote "), "{}", second.stdout);
    assert_eq!(project.changed("ChainTest.java"), written);
    let single = project.generate("demo.Chain#cut", &[]);
    assert_eq!(single.code, 0, "{}", single.stderr);
    assert!(
        project
            .read("Chain_cutTest.java")
            .contains("class Chain_cutTest {")
    );
    assert_eq!(project.read("ChainTest.java"), whole);
    // Methods of the same name are told apart by the types of their parameters.
    project.generate("demo.Chain#length(demo.Chain$Link)", &[]);
    project.generate("demo.Chain#length()", &[]);
    assert!(project.file("Chain_lengthTest.java").is_file());
    assert!(project.file("Chain_length_linkTest.java").is_file());
}

#[test]
fn files_that_somebody_wrote_are_not_replaced() {
    let project = Project::new("java-foreign");
    std::fs::create_dir_all(project.file("")).expect("a folder");
    std::fs::write(project.file("Chain_cutTest.java"), "class Mine {}").expect("a file");
    let run = project.generate("demo.Chain#cut", &[]);
    assert_ne!(run.code, 0);
    assert!(run.stderr.contains("was not generated"), "{}", run.stderr);
    assert_eq!(project.read("Chain_cutTest.java"), "class Mine {}");
}

#[test]
fn tests_read_well() {
    let project = Project::new("java-text");
    project.generate("demo.Chain", &[]);
    let text = project.read("ChainTest.java");
    let expected = "\
    // Covers `this.first != null` (line 28), `found` (line 29), `all` (line 29).
    @Test
    void cut_all() {
        // this = Chain(Link(5, null)), all = true
        Chain.Link first = new Chain.Link();
        first.value = 5;
        Chain chain = new Chain();
        chain.first = first;

        assertTrue(chain.cut(true));

        assertNull(chain.first);
        // Unchanged:
        assertEquals(5, first.value); assertNull(first.next);
    }
";
    assert!(text.contains(expected), "{text}");
    let findings = project.read("ChainFindingsTest.java");
    let expected = "\
    // Covers `this.first == null` (line 23).
    // Throws AssertionError at Chain.java:23.
    // No valid input should lead to that.
    @Test
    void firstValue_throwsAssertionError() {
        // this = Chain(null)
        Chain chain = new Chain();

        chain.firstValue();
    }
";
    assert!(findings.contains(expected), "{findings}");
}

/// Without a precondition a cycle is as good an input as any other: recursion that does not end on
/// one is shown once for each place, and fails on the virtual machine as well.
#[test]
fn recursion_without_end_is_a_finding() {
    let project = Project::new("java-cycles");
    let run = project.generate(
        "demo.Chain#length()",
        &["--all-paths", "--max-objects", "3", "--verify"],
    );
    assert_eq!(run.code, 4, "{}{}", run.stdout, run.stderr);
    let remark = "the stack; without a precondition cycles are valid inputs";
    assert!(run.stdout.contains(remark), "{}", run.stdout);
    let predicted = "findings: 1 of 1 test failed as predicted\n";
    assert!(run.stdout.contains(predicted), "{}", run.stdout);
    let findings = project.read("Chain_lengthFindingsTest.java");
    assert_eq!(findings.matches("@Test").count(), 1, "{findings}");
    assert!(
        findings.contains("The recursion does not end."),
        "{findings}"
    );
    let tests = project.read("Chain_lengthTest.java");
    assert!(!tests.contains("StackOverflow"), "{tests}");
}

/// A recursion that is only deep is no finding: a virtual machine has a larger stack than ours.
#[test]
fn deep_recursion_is_no_finding() {
    let project = Project::new("java-deep");
    let run = project.generate("demo.Recursion#count", &[]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let remark = "1 other input overflowed the stack";
    assert!(run.stdout.contains(remark), "{}", run.stdout);
}

/// The clock ends a run that goes on for ever; what was found before is written.
#[test]
fn the_time_limit_ends_single_runs() {
    let project = Project::new("java-endless");
    let steps = u64::MAX.to_string();
    let run = project.generate("demo.Endless#spin", &["--time", "2", "--steps", &steps]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let reason = "the time limit (--time)";
    assert!(run.stdout.contains(reason), "{}", run.stdout);
    assert!(
        project
            .read("Endless_spinTest.java")
            .contains("Endless.spin(")
    );
}

/// A static field has one name, before the call and after it.
#[test]
fn static_fields_have_one_name() {
    let project = Project::new("java-statics");
    let run = project.generate("demo.Tally#next", &["--json", "-"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let document: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let test = &document["procedures"][0]["tests"][0];
    let names = |roots: &serde_json::Value| -> Vec<String> {
        let roots = roots.as_object().expect("names with values");
        roots.keys().cloned().collect()
    };
    assert_eq!(names(&test["input"]["stack"]), ["Tally.count"], "{test}");
    assert_eq!(
        names(&test["after"]["stack"]),
        ["Tally.count", "result"],
        "{test}"
    );
}

/// What is wrong shows on the virtual machine as it was predicted.
#[test]
fn findings_fail_as_predicted() {
    let project = Project::new("java-findings");
    let specification = format!("{SOURCES}/demo/Deep.sl");
    for version in ["4", "5"] {
        let options = ["--spec", &specification, "--verify", "--junit", version];
        let run = project.generate("demo.Deep", &options);
        assert_eq!(run.code, 4, "{}{}", run.stdout, run.stderr);
        assert!(
            run.stdout.contains("2 of 2 tests passed\n"),
            "{}",
            run.stdout
        );
        let predicted = "findings: 2 of 2 tests failed as predicted\n";
        assert!(run.stdout.contains(predicted), "{}", run.stdout);
    }
    let text = project.read("DeepFindingsTest.java");
    assert!(
        text.contains("fail(\"the postcondition does not hold: "),
        "{text}"
    );
    assert!(text.contains("        Deep.depth(link, "), "{text}");
}
