//! Coverage and findings that `generate` writes for other tools.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{heapwright, javac, root};
use heapwright_java::classpath::JdkSearch;
use heapwright_java::verify::Toolchain;
use serde_json::Value as Json;

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder =
            std::env::temp_dir().join(format!("heapwright-reports-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    fn text(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect("a file")
    }

    /// Runs `generate` with all reports in this folder; the one as JSON is what the engine says.
    fn generate(&self, arguments: &[&str], code: i32) -> Json {
        let files = [
            "page",
            "jacoco.xml",
            "cobertura.xml",
            "lcov.info",
            "findings.sarif",
        ];
        let files = files.map(|name| self.text(name));
        let mut words = vec!["generate"];
        words.extend(arguments);
        let options = ["--report", "--jacoco", "--cobertura", "--lcov", "--sarif"];
        for (option, file) in options.into_iter().zip(&files) {
            words.extend([option, file]);
        }
        words.extend(["--json", "-"]);
        let run = heapwright(&words);
        assert_eq!(run.code, code, "{}{}", run.stdout, run.stderr);
        serde_json::from_str(&run.stdout).expect("only the report is on standard output")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Covered branches and all branches, as the engine has them: a branch that several procedures run
/// is one branch.
fn branches(report: &Json) -> (usize, usize) {
    let mut known: BTreeMap<String, bool> = BTreeMap::new();
    for procedure in report["procedures"].as_array().expect("procedures") {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for branch in procedure["branches"].as_array().expect("branches") {
            let name =
                ["procedure", "file", "line", "column", "words"].map(|key| branch[key].to_string());
            // Branches may have the same words: then their order tells them apart.
            let same = seen.entry(name.join(" ")).or_default();
            *same += 1;
            let covered = branch["status"] == "covered";
            *known
                .entry(format!("{} {same}", name.join(" ")))
                .or_default() |= covered;
        }
    }
    (
        known.values().filter(|covered| **covered).count(),
        known.len(),
    )
}

/// The first number behind some text.
fn number_after(text: &str, before: &str) -> usize {
    let at = text
        .find(before)
        .unwrap_or_else(|| panic!("{before} in {text}"));
    let digits: String = (text[at + before.len()..].chars())
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().expect("a number")
}

fn sum_of(text: &str, tag: &str) -> usize {
    let lines = text.lines().filter_map(|line| line.strip_prefix(tag));
    lines
        .map(|rest| rest.parse::<usize>().expect("a number"))
        .sum()
}

/// All reports have the figures of the engine.
fn check_totals(folder: &Folder, report: &Json) -> (usize, usize) {
    let (covered, all) = branches(report);
    let jacoco = folder.read("jacoco.xml");
    // The counters of the whole report are the last ones.
    let last = &jacoco[jacoco.rfind("<counter type=\"BRANCH\"").expect("branches")..];
    assert_eq!(number_after(last, "covered=\""), covered);
    assert_eq!(number_after(last, "missed=\""), all - covered);
    let cobertura = folder.read("cobertura.xml");
    assert_eq!(number_after(&cobertura, "branches-covered=\""), covered);
    assert_eq!(number_after(&cobertura, "branches-valid=\""), all);
    let lcov = folder.read("lcov.info");
    assert_eq!(
        (sum_of(&lcov, "BRH:"), sum_of(&lcov, "BRF:")),
        (covered, all)
    );
    let page = folder.read("page/index.html");
    let shown = format!("<dt>Branches covered</dt><dd>{covered} <small>of {all}</small>");
    assert!(page.contains(&shown), "{shown}");
    let tests = report["procedures"].as_array().expect("procedures").iter();
    let tests: usize = tests
        .filter_map(|known| known["tests"].as_array())
        .map(Vec::len)
        .sum();
    assert_eq!(
        page.matches("<details class=test ").count()
            + page.matches("<details class=\"test found\"").count(),
        tests
    );
    (covered, all)
}

#[test]
fn reports_of_an_impl_program_have_the_figures_of_the_engine() {
    let folder = Folder::new("reports-impl");
    let report = folder.generate(&["examples/impl/list.impl"], 0);
    let (covered, all) = check_totals(&folder, &report);
    assert!(covered == all && all > 20, "{covered} of {all}");
    // The leaves of the constraint tree say what came out, not only that something did.
    let page = folder.read("page/index.html");
    assert!(page.contains("<li class=end>returned: result = "));
    assert!(
        !page.contains("<li class=end>returned<") && !page.contains("<li class=end>returned —")
    );
    let lcov = folder.read("lcov.info");
    assert!(lcov.contains("SF:examples/impl/list.impl\n"), "{lcov}");
    // `if (first == nil || position <= 0)` is two jumps in one line.
    assert!(
        lcov.contains("BRDA:7,0,0,") && lcov.contains("BRDA:7,1,1,"),
        "{lcov}"
    );
    let jacoco = folder.read("jacoco.xml");
    assert!(
        jacoco.contains("<package name=\"examples/impl\">"),
        "{jacoco}"
    );
    assert!(
        jacoco.contains("<line nr=\"7\" mi=\"0\" ci=\"1\" mb=\"0\" cb=\"4\"/>"),
        "{jacoco}"
    );
    let sarif: Json = serde_json::from_str(&folder.read("findings.sarif")).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"], Json::Array(Vec::new()));
}

/// The report is valid by the document type that JaCoCo itself ships.
fn validate(folder: &Folder) {
    let jdk = JdkSearch::from_environment(None).open().expect("a JDK");
    let tools = Toolchain::find(jdk.home(), None).expect("scripts/setup.sh installs the tools");
    let jacoco = tools.junit().with_file_name("org.jacoco.cli-nodeps.jar");
    let validated = Command::new(jdk.home().join("bin/java"))
        .arg("-cp")
        .arg(jacoco)
        .arg(root().join("crates/cli/tests/data/ValidateReport.java"))
        .arg(folder.text("jacoco.xml"))
        .output()
        .expect("java starts");
    let said = String::from_utf8_lossy(&validated.stdout);
    let complaint = String::from_utf8_lossy(&validated.stderr);
    assert_eq!(said.trim(), "valid", "{complaint}");
}

#[test]
fn what_is_not_covered_is_missed_and_explained() {
    let folder = Folder::new("reports-missed");
    let report = folder.generate(
        &[
            "examples/impl/red_black_tree.impl#insert",
            "--max-objects",
            "2",
        ],
        0,
    );
    let (covered, all) = check_totals(&folder, &report);
    assert!(covered < all, "{covered} of {all}");
    let page = folder.read("page/index.html");
    assert!(
        page.contains("no valid input with at most"),
        "the verdict is as it is printed"
    );
    assert!(page.contains("--max-objects"));
}

#[test]
fn findings_have_a_place_in_the_source() {
    let folder = Folder::new("reports-findings");
    let report = folder.generate(&["crates/cli/tests/data/faults.impl"], 1);
    check_totals(&folder, &report);
    let log: Json = serde_json::from_str(&folder.read("findings.sarif")).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let procedures = report["procedures"].as_array().expect("procedures").iter();
    let tests = procedures.flat_map(|known| known["tests"].as_array().expect("tests"));
    let expected: usize = tests
        .filter_map(|test| test["findings"].as_array())
        .map(Vec::len)
        .sum();
    assert!(expected > 0);
    assert_eq!(results.len(), expected);
    for result in results {
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(
            place["artifactLocation"]["uri"],
            "crates/cli/tests/data/faults.impl"
        );
        assert!(place["region"]["startLine"].as_u64() > Some(0));
    }
    let page = folder.read("page/index.html");
    assert_eq!(page.matches("<a class=finding ").count(), expected);
    // What could not be tested is said, too.
    assert!(page.contains("no heap satisfies the precondition of `impossible`"));
}

#[test]
fn reports_of_a_java_class_have_the_figures_of_the_engine() {
    let folder = Folder::new("reports-java");
    let sources = "crates/cli/tests/data/java";
    let classes = folder.text("classes");
    let source = root().join(sources).join("demo/Chain.java");
    javac::compile(&javac::usual(), &["-g"], Path::new(&classes), &[source]);
    let report = folder.generate(
        &[
            "demo.Chain",
            "--any-heap",
            "-c",
            &classes,
            "--sources",
            sources,
        ],
        4,
    );
    check_totals(&folder, &report);
    let jacoco = folder.read("jacoco.xml");
    let class = "<class name=\"demo/Chain\" sourcefilename=\"Chain.java\">";
    assert!(jacoco.contains(class), "{jacoco}");
    assert!(
        jacoco.contains("<method name=\"cut\" desc=\"(Z)Z\""),
        "{jacoco}"
    );
    assert!(
        jacoco.contains("<sourcefile name=\"Chain.java\">"),
        "{jacoco}"
    );
    validate(&folder);
    let lcov = folder.read("lcov.info");
    assert!(
        lcov.contains(&format!("SF:{sources}/demo/Chain.java\n")),
        "{lcov}"
    );
    let log: Json = serde_json::from_str(&folder.read("findings.sarif")).expect("JSON");
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(
        place["artifactLocation"]["uri"],
        format!("{sources}/demo/Chain.java")
    );
    assert_eq!(place["region"]["startLine"], 23);
    // Without the source the core language is shown, with the same branches.
    let other = Folder::new("reports-java-core");
    let report = other.generate(
        &["demo.Chain#cut", "-c", &classes, "--sources", &classes],
        0,
    );
    check_totals(&other, &report);
    let page = other.read("page/index.html");
    assert!(page.contains("demo/Chain.java was not found, so the core language is shown"));
    assert!(page.contains("function &quot;demo.Chain#cut("), "{page}");
    assert!(page.contains("2 of 2</small>"));
}

#[test]
fn a_page_that_somebody_wrote_is_not_replaced() {
    let folder = Folder::new("reports-foreign");
    std::fs::write(folder.0.join("index.html"), "<p>mine</p>").expect("a file");
    let target = "examples/impl/stack.impl";
    let run = heapwright(&["generate", target, "--report", &folder.text("")]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("was not generated"), "{}", run.stderr);
    assert_eq!(folder.read("index.html"), "<p>mine</p>");
    let page = folder.text("new");
    for _ in 0..2 {
        let run = heapwright(&["generate", target, "--report", &page]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(
            run.stdout.ends_with(&format!("wrote {page}/index.html\n")),
            "{}",
            run.stdout
        );
    }
}

/// A JDK that was installed with its sources is shown with them.
#[cfg(unix)]
#[test]
fn sources_of_the_jdk_are_shown_if_there_are_any() {
    let folder = Folder::new("reports-jdk");
    let jdk = JdkSearch::from_environment(None).open().expect("a JDK");
    let package = folder.0.join("sources/java.base/java/util");
    std::fs::create_dir_all(&package).expect("a folder");
    std::fs::create_dir_all(folder.0.join("jdk/lib")).expect("a folder");
    let text: String = (1..2000)
        .map(|line| format!("source in line {line}\n"))
        .collect();
    std::fs::write(package.join("OptionalInt.java"), text).expect("a file");
    let modules = jdk.home().join("lib/modules");
    std::os::unix::fs::symlink(modules, folder.0.join("jdk/lib/modules")).expect("a link");
    let packed = Command::new(jdk.home().join("bin/jar"))
        .args([
            "--create",
            "--no-manifest",
            "--file",
            &folder.text("jdk/lib/src.zip"),
        ])
        .args(["-C", &folder.text("sources"), "java.base"])
        .status();
    assert!(packed.expect("jar starts").success());
    let home = folder.text("jdk");
    folder.generate(&["java.util.OptionalInt#orElse(int)", "--jdk", &home], 0);
    let page = folder.read("page/index.html");
    assert!(page.contains("java/util/OptionalInt.java"), "{page}");
    assert!(page.contains("source in line "), "{page}");
    assert!(!page.contains("core language is shown"));
}
