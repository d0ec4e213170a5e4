//! Tests compiled and run on real Java virtual machines, with coverage that was counted by hand.

mod common;

use common::Folder;
use heapwright_java::classpath::{ClassPath, Jdk};
use heapwright_java::verify::{
    Counter, Job, MeasuredClass, MethodCoverage, RunEnd, TestOutcome, ToolError, Toolchain,
    Verification, VerifyError, Went, verify,
};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Enough for every test here that ends.
const LIMIT: Duration = Duration::from_secs(120);

/// The class under test. Its branches: two per comparison, so eight in `sign` and `contains`
/// together with the loop's condition, and none elsewhere.
const CODE: &str = "package pkg;
public class Code {
    public int value;
    public Code next;
    public static int sign(int x) {
        if (x > 0)
            return 1;
        if (x < 0)
            return -1;
        return 0;
    }
    public static boolean contains(Code list, int value) {
        while (list != null) {
            if (list.value == value) return true;
            list = list.next;
        }
        return false;
    }
    public static int unused() { return 7; }
    static int value(Code list) { if (list.next == null) return list.next.value; return 0; }
    static class Nested { static int one() { return 1; } }
}
";

/// Everything that the tests below verify, compiled with one JDK in a folder with a space.
struct Setting {
    folder: Folder,
    toolchain: Toolchain,
    classes: PathBuf,
    path: ClassPath,
}

impl Setting {
    fn new(jdk: Jdk) -> Self {
        let toolchain = Toolchain::find(jdk.home(), None).unwrap();
        let folder = Folder::new();
        let source = folder.write("under test/pkg/Code.java", CODE);
        let classes = folder.path().join("under test/classes");
        let (source, target) = (source.display().to_string(), classes.display().to_string());
        common::run(&jdk, "javac", &["-g", "-d", &target, &source]);
        let path = ClassPath::open(jdk, [&classes]).unwrap();
        Setting {
            folder,
            toolchain,
            classes,
            path,
        }
    }

    fn try_verify(
        &self,
        tests: &[(&str, &str)],
        measured: &[MeasuredClass],
        timeout: Duration,
    ) -> Result<Verification, VerifyError> {
        let write = |(name, text): &(&str, &str)| self.folder.write(name, text);
        let sources: Vec<PathBuf> = tests.iter().map(write).collect();
        let job = Job {
            sources: &sources,
            class_path: std::slice::from_ref(&self.classes),
            opens: &["java.base/java.util".to_owned()],
            patches: &[],
            measured,
            work: &self.folder.path().join("a work folder"),
            timeout,
        };
        verify(&self.toolchain, &job)
    }

    fn verify(&self, tests: &[(&str, &str)], measured: &[MeasuredClass]) -> Verification {
        let verification = self.try_verify(tests, measured, LIMIT).unwrap();
        assert!(verification.compiled, "{}", verification.compiler_output);
        verification
    }
}

/// `Class#method` and outcome of every test, sorted.
fn outcomes(verification: &Verification) -> Vec<String> {
    let mut lines: Vec<String> = (verification.tests.iter())
        .map(|test| {
            let method = test.method.as_deref().unwrap_or("-");
            let outcome = match &test.outcome {
                TestOutcome::Passed => "passed".to_owned(),
                TestOutcome::Failed { message, .. } => format!("failed: {message}"),
                TestOutcome::Aborted(reason) => format!("aborted: {reason}"),
                TestOutcome::Unfinished => "unfinished".to_owned(),
            };
            format!("{}#{method} {outcome}", test.class)
        })
        .collect();
    lines.sort();
    lines
}

fn method<'a>(verification: &'a Verification, class: &str, name: &str) -> &'a MethodCoverage {
    (verification.coverage.iter())
        .find(|method| method.class == class && method.method == name)
        .unwrap_or_else(|| panic!("no coverage of {class}#{name}"))
}

/// The lines of a method: number, branches covered, branches missed.
fn branches(method: &MethodCoverage) -> Vec<(u32, u32, u32)> {
    (method.lines.iter())
        .map(|line| (line.line, line.branches.covered, line.branches.missed))
        .collect()
}

fn counter(covered: u32, missed: u32) -> Counter {
    Counter { covered, missed }
}

const JUNIT_5: &str = "package pkg;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
class FiveTest {
    @Test void positive() { assertEquals(1, Code.sign(3)); System.out.println(\"noise\"); }
    @Test void wrong() { assertEquals(2, Code.sign(-3), \"a\\tb\\\\\"); }
    @Test void assertion() { int x = Code.sign(1); assert x == 2 : \"on\"; }
    @Test void assumption() { Assumptions.assumeTrue(false, \"not here\"); }
    @Test @Disabled(\"later\") void disabled() { fail(); }
    @Test void present() {
        Code list = new Code();
        list.value = 5;
        assertTrue(Code.contains(list, 5));
    }
}
";

const JUNIT_4: &str = "package pkg;
import static org.junit.Assert.*;
import org.junit.Test;
public class FourTest {
    @Test public void same() { assertTrue(Code.sign(1) == 1); }
    @Test public void different() { assertEquals(4, Code.sign(2)); }
    @Test(expected = NullPointerException.class) public void thrown() { new Code().next.value++; }
}
";

/// The set-up fails before any test of the class.
const BROKEN: &str = "package pkg;
import org.junit.jupiter.api.*;
class BrokenTest {
    @BeforeAll static void all() { throw new IllegalStateException(\"no\"); }
    @Test void never() {}
}
";

#[test]
fn outcomes_and_coverage_are_those_counted_by_hand() {
    for jdk in common::all_jdks() {
        let setting = Setting::new(jdk);
        let tests = [
            ("tests/pkg/FiveTest.java", JUNIT_5),
            ("tests/pkg/FourTest.java", JUNIT_4),
            ("tests/pkg/BrokenTest.java", BROKEN),
        ];
        let measured = MeasuredClass::with_nested(&setting.path, "pkg.Code").unwrap();
        assert_eq!(measured.len(), 2);
        let verification = setting.verify(&tests, &measured);
        assert_eq!(verification.end, RunEnd::Complete);
        assert_eq!(
            outcomes(&verification),
            [
                "pkg.BrokenTest#- failed: java.lang.IllegalStateException: no",
                "pkg.FiveTest#assertion failed: java.lang.AssertionError: on",
                "pkg.FiveTest#assumption aborted: \
                 org.opentest4j.TestAbortedException: Assumption failed: not here",
                "pkg.FiveTest#disabled aborted: later",
                "pkg.FiveTest#positive passed",
                "pkg.FiveTest#present passed",
                "pkg.FiveTest#wrong failed: org.opentest4j.AssertionFailedError: \
                 a\tb\\ ==> expected: <2> but was: <-1>",
                "pkg.FourTest#different failed: java.lang.AssertionError: expected:<4> but was:<1>",
                "pkg.FourTest#same passed",
                "pkg.FourTest#thrown passed",
            ]
        );
        // `sign` ran with 3, -3, 1 and 2, so only zero is missing.
        let sign = method(&verification, "pkg.Code", "sign");
        assert_eq!(sign.descriptor, "(I)I");
        assert_eq!(sign.branches, counter(3, 1));
        assert_eq!(sign.instructions, counter(8, 2));
        let lines = [(6, 2, 0), (7, 0, 0), (8, 1, 1), (9, 0, 0), (10, 0, 0)];
        assert_eq!(branches(sign), lines);
        assert_eq!(sign.lines[4].instructions, counter(0, 2));
        // `contains` found the first element at once.
        let contains = method(&verification, "pkg.Code", "contains");
        assert_eq!(contains.branches, counter(2, 2));
        let lines = [(13, 1, 1), (14, 1, 1), (15, 0, 0), (17, 0, 0)];
        assert_eq!(branches(contains), lines);
        let unused = method(&verification, "pkg.Code", "unused");
        assert_eq!(
            (unused.instructions, unused.branches),
            (counter(0, 2), counter(0, 0))
        );
        let nested = method(&verification, "pkg.Code$Nested", "one");
        assert_eq!(nested.instructions, counter(0, 2));
    }
}

/// `TreeMap.size` and `HashMap.size` have no branches and three instructions; JUnit uses `HashMap`
/// all the time, which must not count.
#[test]
fn classes_of_the_jdk_are_measured() {
    let test = "import static org.junit.jupiter.api.Assertions.*;
        import java.util.*;
        import org.junit.jupiter.api.Test;
        class MapTest {
            @Test void tree() throws Exception {
                TreeMap<Integer, Integer> map = new TreeMap<>();
                var root = TreeMap.class.getDeclaredField(\"root\");
                root.setAccessible(true);
                assertNull(root.get(map));
                assertNull(map.firstEntry());
                assertEquals(0, map.size());
            }
            @Test void thrown() { throw new IllegalStateException(); }
            @Test void loop() {
                for (long i = 0; i < 3; i++) {
                    try { if (i == 1) throw new RuntimeException(); }
                    catch (RuntimeException e) { assertEquals(1, i); }
                }
            }
        }";
    for jdk in common::all_jdks() {
        let setting = Setting::new(jdk);
        let mut measured = MeasuredClass::with_nested(&setting.path, "java.util.TreeMap").unwrap();
        assert!(measured.len() > 10);
        measured.push(MeasuredClass::find(&setting.path, "java.util.HashMap").unwrap());
        measured.push(MeasuredClass::find(&setting.path, "pkg.Code").unwrap());
        let verification = setting.verify(&[("tests/MapTest.java", test)], &measured);
        assert_eq!(verification.end, RunEnd::Complete);
        assert_eq!(
            outcomes(&verification),
            [
                "MapTest#loop passed",
                "MapTest#thrown failed: java.lang.IllegalStateException",
                "MapTest#tree passed",
            ]
        );
        let size = |class| method(&verification, class, "size").instructions;
        assert_eq!(size("java.util.TreeMap"), counter(3, 0));
        assert_eq!(size("java.util.HashMap"), counter(0, 3));
        // `(p = root) == null ? null : ...` of an empty map; the loop below is not reached.
        let first = method(&verification, "java.util.TreeMap", "getFirstEntry");
        assert_eq!(first.branches, counter(1, 3));
        let put = method(&verification, "java.util.TreeMap", "put");
        assert_eq!(put.instructions.covered, 0);
        assert_eq!(
            method(&verification, "pkg.Code", "sign").branches,
            counter(0, 4)
        );
    }
}

#[test]
fn compile_errors_are_told_in_the_words_of_the_compiler() {
    let setting = Setting::new(common::jdk());
    for measured in ["pkg.Code", "java.util.TreeMap"] {
        let measured = MeasuredClass::find(&setting.path, measured).unwrap();
        let test = ("tests/BadTest.java", "class BadTest { int x = missing(); }");
        let verification = setting.try_verify(&[test], &[measured], LIMIT).unwrap();
        assert!(!verification.compiled);
        let output = &verification.compiler_output;
        assert!(
            output.contains("BadTest.java:1: error: cannot find symbol"),
            "{output}"
        );
        assert!(verification.tests.is_empty() && verification.coverage.is_empty());
    }
}

#[test]
fn warnings_of_the_compiler_are_kept() {
    let setting = Setting::new(common::jdk());
    let test = "class RawTest {
        @org.junit.jupiter.api.Test void raw() { java.util.List x = null; } }";
    let verification = setting.verify(&[("tests/RawTest.java", test)], &[]);
    let output = &verification.compiler_output;
    assert!(output.contains("[rawtypes]"), "{output}");
    assert_eq!(outcomes(&verification), ["RawTest#raw passed"]);
}

/// The methods of JUnit 4 run in a fixed order, the hanging one last.
#[test]
fn a_test_that_hangs_is_stopped() {
    let setting = Setting::new(common::jdk());
    let test = "import org.junit.*;
        @FixMethodOrder(org.junit.runners.MethodSorters.NAME_ASCENDING)
        public class HangTest {
            @Test public void a() { pkg.Code.sign(1); }
            @Test public void b() { while (true) { pkg.Code.sign(0); } }
        }";
    let measured = MeasuredClass::find(&setting.path, "pkg.Code").unwrap();
    // The limit is generous, so that a busy machine still comes to the second test.
    let limit = Duration::from_secs(8);
    let test = ("tests/HangTest.java", test);
    let verification = setting.try_verify(&[test], &[measured], limit).unwrap();
    assert!(verification.compiled, "{}", verification.compiler_output);
    assert_eq!(verification.end, RunEnd::TimedOut);
    assert_eq!(
        outcomes(&verification),
        ["HangTest#a passed", "HangTest#b unfinished"]
    );
    assert!(verification.coverage.is_empty());
}

#[test]
fn a_test_that_ends_the_machine_is_found() {
    let setting = Setting::new(common::jdk());
    let test = "class ExitTest { @org.junit.jupiter.api.Test void exit() { System.exit(3); } }";
    let verification = setting.verify(&[("tests/ExitTest.java", test)], &[]);
    assert_eq!(verification.end, RunEnd::Exited { code: Some(3) });
    assert_eq!(outcomes(&verification), ["ExitTest#exit unfinished"]);
}

#[test]
fn nothing_is_written_outside_of_the_work_folder() {
    let setting = Setting::new(common::jdk());
    let test = "class FileTest { @org.junit.jupiter.api.Test void file() throws Exception {
        java.io.File.createTempFile(\"temporary\", null);
        new java.io.File(\"here\").createNewFile(); } }";
    let verification = setting.verify(&[("tests/FileTest.java", test)], &[]);
    assert_eq!(outcomes(&verification), ["FileTest#file passed"]);
    let names = |path: &Path| {
        let entries = fs::read_dir(path)
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = entries.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    };
    let root = setting.folder.path();
    assert_eq!(names(root), ["a work folder", "tests", "under test"]);
    assert_eq!(names(&root.join("a work folder")), ["heapwright-verify"]);
    let run = root.join("a work folder/heapwright-verify");
    assert!(run.join("here").exists());
    assert_eq!(names(&run.join("temporary")).len(), 1);
}

#[test]
fn missing_tools_are_named() {
    let home = common::jdk().home().to_path_buf();
    let folder = Folder::new();
    let error = Toolchain::find(&home, Some(folder.path())).unwrap_err();
    assert!(matches!(error, ToolError::MissingTool(_)));
    assert!(error.to_string().contains("heapwright setup"), "{error}");
    let error = Toolchain::find(folder.path(), None).unwrap_err();
    assert!(matches!(error, ToolError::Jdk(_)), "{error}");
}

/// Four tests that cover as many branches of two methods, by different branches.
const WAYS: &str = "package pkg;
import org.junit.jupiter.api.*;
class WaysTest {
    @Test void positive() { Code.sign(3); }
    @Test void negative() { Code.sign(-3); }
    @Test void absent() { Code.contains(null, 3); }
    @Test void throwing() {
        Assertions.assertThrows(NullPointerException.class, () -> Code.value(new Code()));
    }
}
";

#[test]
fn every_test_says_which_ways_it_went() {
    for jdk in common::all_jdks() {
        let setting = Setting::new(jdk);
        let measured = [MeasuredClass::find(&setting.path, "pkg.Code").unwrap()];
        let verification = setting.verify(&[("WaysTest.java", WAYS)], &measured);
        let went = |test: &str, method: &str, jump: usize| {
            let mut tests = verification.tests.iter();
            let test = tests
                .find(|one| one.method.as_deref() == Some(test))
                .unwrap();
            assert_eq!(test.outcome, TestOutcome::Passed);
            let mut jumps = verification.jumps.iter();
            let jumps = jumps.find(|one| one.method == method).unwrap();
            jumps.went(test.ways.as_ref().unwrap(), jump)
        };
        let jump = |taken: bool| {
            let fell_through = !taken;
            Some(Went::Jump {
                taken,
                fell_through,
            })
        };
        // `if (x > 0)` jumps if it does not hold.
        assert_eq!(went("positive", "sign", 0), jump(false));
        assert_eq!(went("positive", "sign", 1), None);
        assert_eq!(went("negative", "sign", 0), jump(true));
        assert_eq!(went("negative", "sign", 1), jump(false));
        assert_eq!(went("absent", "sign", 0), None);
        assert_eq!(went("absent", "contains", 0), jump(true));
        // JaCoCo does not see a branch right before an exception.
        assert_eq!(went("throwing", "value", 0), jump(false));
    }
}
